import { cellAt, dropColumn, spotOf } from "../lib/cells";
import { CELL, center, type FaceProps } from "./types";

export function DropFace({ position, shape, hover, playable }: FaceProps) {
  const width = shape.columns * CELL;
  const height = shape.rows * CELL;
  const spots = Array.from({ length: shape.columns * shape.rows }, (_, index) => ({
    x: index % shape.columns,
    y: Math.floor(index / shape.columns),
  }));
  const taken = new Map(position.pieces.map((piece) => [piece.cell, piece]));
  // The disc would come to rest on the lowest free cell of the column under the pointer.
  const free = hover && playable ? landing(cellAt(hover, shape).charAt(0), taken, shape) : null;
  const allowed = free !== null && position.legal.some((move) => dropColumn(move) === free.cell.charAt(0));
  return (
    <>
      <rect class="rack" x={0} y={0} width={width} height={height} rx={22} />
      {spots.map((spot) => (
        <circle key={`${spot.x},${spot.y}`} class="hole" cx={center(spot).x} cy={center(spot).y} r={39} />
      ))}
      {position.pieces.map((piece) => {
        const spot = spotOf(piece.cell, shape);
        if (!spot) return null;
        const { x, y } = center(spot);
        const last = position.last.includes(piece.cell);
        return (
          <g key={piece.cell} data-cell={piece.cell} class={last ? "fall" : ""}>
            <circle class={`counter p${piece.player}`} cx={x} cy={y} r={39} />
            <circle class={`counter-rim p${piece.player}`} cx={x} cy={y} r={27} />
            {last && <circle class="last-dot" cx={x} cy={y} r={9} />}
          </g>
        );
      })}
      {allowed && free && (
        <circle
          class={`counter ghost p${position.to_move}`}
          cx={center(free.spot).x}
          cy={center(free.spot).y}
          r={39}
        />
      )}
    </>
  );
}

/** The lowest free cell of the column with this letter. */
export function landing(
  letter: string,
  taken: { has: (cell: string) => boolean },
  shape: FaceProps["shape"],
) {
  for (let row = 1; row <= shape.rows; row += 1) {
    const cell = `${letter}${row}`;
    const spot = spotOf(cell, shape);
    if (!taken.has(cell) && spot) return { cell, spot };
  }
  return null;
}
