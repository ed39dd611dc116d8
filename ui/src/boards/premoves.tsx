import type { Position } from "../api/types";
import { type Shape, spotOf } from "../lib/cells";
import type { Premove } from "../lib/premove";
import { landing } from "./drop";
import { CELL, center, type Premoving } from "./types";

/** What choosing a cell means while the opponent is to move: a piece is taken up, a premove chosen, or all of them are dropped. */
export function planned(
  position: Position,
  { player }: Premoving,
  cell: string,
  selected: string | null,
): { select: string } | { premove: Premove } | "cancel" {
  const piece = position.pieces.find((other) => other.cell === cell);
  if (position.family === "squares") {
    if (piece?.player === player && cell !== selected) return { select: cell };
    return selected && cell !== selected ? { premove: { from: selected, to: cell } } : "cancel";
  }
  const isFree = position.family === "drop" ? hasRoom(position, cell.charAt(0)) : !piece;
  return isFree ? { premove: { from: null, to: cell } } : "cancel";
}

function hasRoom({ pieces, rows }: Position, column: string): boolean {
  return pieces.filter(({ cell }) => cell.charAt(0) === column).length < rows;
}

/** Premoves, marked so that nobody takes them for moves: squares with dashed edges, stones that are not there yet. */
export function PremoveLayer({ position, shape, moves }: PremoveLayerProps) {
  const taken = new Set(position.pieces.map((piece) => piece.cell));
  const marked =
    position.family === "squares"
      ? moves.flatMap(({ from, to }) => (from ? [from, to] : [to]))
      : moves.map(({ to }) =>
          position.family === "drop" ? (landing(to.charAt(0), taken, shape)?.cell ?? to) : to,
        );
  return (
    <g class="overlay">
      {marked.map((cell) => {
        const spot = spotOf(cell, shape);
        if (!spot) return null;
        if (position.family === "squares") {
          return (
            <rect
              key={cell}
              class="premove"
              data-premove={cell}
              x={spot.x * CELL + 4}
              y={spot.y * CELL + 4}
              width={CELL - 8}
              height={CELL - 8}
            />
          );
        }
        const { x, y } = center(spot);
        return <circle key={cell} class="premove" data-premove={cell} cx={x} cy={y} r={38} />;
      })}
    </g>
  );
}

interface PremoveLayerProps {
  position: Position;
  shape: Shape;
  moves: Premove[];
}
