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

/** Colours that people with any eyes can tell apart, on light and on dark ground. */
const LINES = ["#2a7fd4", "#d9822b", "#2f9e6d", "#b2559f", "#8a8f1f", "#c2413a", "#6f76c9"];

/** The colour of a line of a chart. */
export const chartColour = (place: number) => LINES[place % LINES.length]!;
