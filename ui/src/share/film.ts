/** A part of a drawing: what is under the pieces (0), a piece (1), or what is over them (2). */
export interface Part {
  markup: string;
  layer: 0 | 1 | 2;
}

/** How long a move is to be seen, and the last one. */
const MOVE_S = 0.9;
const LAST_S = 3;

/** Markup that is repeated is written once if it is longer than a reference to it. */
const WORTH_SHARING = 120;

interface Shown extends Part {
  /** The frames that have it, in their order. */
  frames: number[];
}

/**
 * What stands inside a picture that shows one frame after the other and begins anew: a part that several frames have is there once, with the
 * times at which it is seen. Programs that show no animation show the last frame.
 */
export function film(frames: readonly (readonly Part[])[]): string {
  const parts = new Map<string, Shown>();
  frames.forEach((frame, number) => {
    for (const part of frame) {
      const known = parts.get(part.markup);
      if (!known) parts.set(part.markup, { ...part, frames: [number] });
      else if (known.frames.at(-1) !== number) known.frames.push(number);
    }
  });
  const all = [...parts.values()].sort((a, b) => a.layer - b.layer);
  const { markup, shared } = withShared(all);
  return shared + all.map((part, at) => timed(markup[at]!, part.frames, frames.length)).join("");
}

/** A part with the times at which it is seen. */
function timed(markup: string, frames: number[], count: number): string {
  if (frames.length === count) return markup;
  const seen = new Set(frames);
  const total = (count - 1) * MOVE_S + LAST_S;
  const changes = Array.from({ length: count }, (_, frame) => frame).filter(
    (frame) => frame === 0 || seen.has(frame) !== seen.has(frame - 1),
  );
  const values = changes.map((frame) => (seen.has(frame) ? "visible" : "hidden")).join(";");
  const times = changes.map((frame) => Number(((frame * MOVE_S) / total).toFixed(5))).join(";");
  const last = seen.has(count - 1) ? "" : ' visibility="hidden"';
  return (
    `<g${last}><animate attributeName="visibility" dur="${Number(total.toFixed(2))}s" calcMode="discrete" ` +
    `repeatCount="indefinite" values="${values}" keyTimes="${times}"/>${markup}</g>`
  );
}

/** Groups with the same content in different places refer to one copy of it. */
function withShared(parts: Part[]): { markup: string[]; shared: string } {
  const split = parts.map(({ markup }) => /^(<g [^>]*transform="[^>]*>)(.*)<\/g>$/s.exec(markup));
  const counts = new Map<string, number>();
  for (const found of split) if (found) counts.set(found[2]!, (counts.get(found[2]!) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [content, count] of counts)
    if (count > 1 && content.length > WORTH_SHARING) names.set(content, `part-${names.size}`);
  const markup = parts.map((part, at) => {
    const found = split[at];
    const name = found && names.get(found[2]!);
    return name ? `${found[1]}<use href="#${name}"/></g>` : part.markup;
  });
  const copies = [...names].map(([content, name]) => `<g id="${name}">${content}</g>`).join("");
  return { markup, shared: copies && `<defs>${copies}</defs>` };
}
