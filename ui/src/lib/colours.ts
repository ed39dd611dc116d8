let probe: HTMLElement | null = null;

/** A colour of the theme for what is drawn by hand. The style sheets name two for each, of which only an element knows its own. */
export function colour(name: string): string {
  if (!probe) {
    probe = document.createElement("span");
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}
