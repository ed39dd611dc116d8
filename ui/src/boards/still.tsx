import type { Player, Position } from "../api/types";
import type { Shape } from "../lib/cells";
import { FACES, marginsOf } from "./faces";
import { CELL } from "./types";

/** A board to look at, without keys, clicks or words: a small picture beside others. */
export function StillBoard({ position, human }: { position: Position; human: Player | null }) {
  const { family, columns, rows, top_down } = position;
  const shape: Shape = { family, columns, rows, top_down, flipped: family === "squares" && human === 1 };
  const { left, top, right, bottom } = marginsOf(shape);
  const Face = FACES[family];
  const size = `0 0 ${columns * CELL + left + right} ${rows * CELL + top + bottom}`;
  return (
    <span class={`board still ${family}`} aria-hidden="true">
      <svg viewBox={size}>
        <rect class="ground" width="100%" height="100%" />
        <g transform={`translate(${left} ${top})`}>
          <Face
            position={position}
            shape={shape}
            selected={null}
            targets={[]}
            hover={null}
            provisional={null}
            playable={false}
            drag={null}
          />
        </g>
      </svg>
    </span>
  );
}
