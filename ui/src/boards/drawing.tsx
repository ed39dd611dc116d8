import { useState } from "preact/hooks";
import { type Shape, spotOf } from "../lib/cells";
import { type Drawn, toggled } from "../lib/drawn";
import { arrowPath } from "./overlay";
import { center } from "./types";

/** The marks that a person draws on a board. They belong to cells, so that they stay where they are when the board is turned. */
export function useDrawing() {
  const [marks, setMarks] = useState<Drawn[]>([]);
  return {
    marks,
    draw: (mark: Drawn) => setMarks((before) => toggled(before, mark)),
    // Nothing is drawn anew where there was nothing.
    clear: () => setMarks((before) => (before.length > 0 ? [] : before)),
  };
}

export function DrawingLayer({ marks, shape }: { marks: Drawn[]; shape: Shape }) {
  return (
    <g class="overlay drawn">
      {marks.map(({ from, to }) => {
        const a = spotOf(from, shape);
        const b = spotOf(to, shape);
        if (!a || !b) return null;
        const name = `${from} ${to}`;
        if (from !== to) return <path key={name} data-drawn={name} d={arrowPath(a, b)} />;
        return <circle key={name} data-drawn={name} cx={center(a).x} cy={center(a).y} r={44} />;
      })}
    </g>
  );
}
