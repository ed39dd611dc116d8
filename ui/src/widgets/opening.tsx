import type { Position } from "../api/types";

/** What the opening is called, where it has a name. */
export function OpeningName({ position }: { position: Position }) {
  const { opening } = position;
  if (!opening) return null;
  return (
    <span class="opening">
      {opening.code && <span class="code">{opening.code}</span>}
      {opening.name}
    </span>
  );
}
