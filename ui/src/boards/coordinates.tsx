import { cellAt, columnLetter, type Shape } from "../lib/cells";
import { CELL, type Margins } from "./types";

/** The names of columns and rows around a board. Boards of squares have them inside. */
export function Coordinates({ shape, margins }: { shape: Shape; margins: Margins }) {
  const { columns, rows, family, flipped } = shape;
  const size = columns > 9 ? 36 : columns > 4 ? 30 : 13;
  const bottom = margins.top + rows * CELL + margins.bottom / 2 + size * 0.34;
  return (
    <g class="coordinates" font-size={size} text-anchor="middle">
      {Array.from({ length: columns }, (_, x) => (
        <text key={`c${columnLetter(x)}`} x={margins.left + x * CELL + 50} y={bottom}>
          {columnLetter(flipped ? columns - 1 - x : x)}
        </text>
      ))}
      {family !== "drop" &&
        Array.from({ length: rows }, (_, y) => {
          const name = cellAt({ x: 0, y }, shape).slice(1);
          return (
            <text key={`r${name}`} x={margins.left / 2} y={margins.top + y * CELL + 50 + size * 0.34}>
              {name}
            </text>
          );
        })}
    </g>
  );
}
