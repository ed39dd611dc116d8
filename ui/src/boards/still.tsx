import type { Position } from "../api/types";
import type { Shape } from "../lib/cells";
import { Coordinates } from "./coordinates";
import { FACES, marginsOf } from "./faces";
import { WinningRows } from "./overlay";
import { CELL } from "./types";

interface StillBoardProps {
  position: Position;
  flipped?: boolean;
  /** Whether columns and rows are named: a picture beside others is too small for that. */
  coordinates?: boolean;
}

/** A board to look at, without keys, clicks or words. */
export function StillBoard({ position, flipped = false, coordinates = false }: StillBoardProps) {
  const { family, columns, rows, top_down } = position;
  const shape: Shape = { family, columns, rows, top_down, flipped };
  const margins = marginsOf(shape);
  const Face = FACES[family];
  const width = columns * CELL + margins.left + margins.right;
  const height = rows * CELL + margins.top + margins.bottom;
  return (
    <span class={`board still ${family}`} aria-hidden="true">
      <svg viewBox={`0 0 ${width} ${height}`}>
        <rect class="ground" width={width} height={height} />
        {coordinates && family !== "squares" && <Coordinates shape={shape} margins={margins} />}
        <g transform={`translate(${margins.left} ${margins.top})`}>
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
          <WinningRows rows={position.winning} shape={shape} />
        </g>
      </svg>
    </span>
  );
}

/** Whether a player's board is turned: pieces that move have a direction, and their owner sits below. */
export function isTurned({ family }: Pick<Position, "family">, human: number | null): boolean {
  return family === "squares" && human === 1;
}
