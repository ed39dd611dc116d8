import { useState } from "preact/hooks";
import { type Shape, spotOf } from "../lib/cells";
import { type Drawn, toggled } from "../lib/drawn";
import { arrowPath } from "./overlay";
import { center, type KeptDrawing } from "./types";

/**
 * The marks that a person draws on a board. They belong to cells, so that they stay where they are when the board is turned. Unless somebody keeps
 * them, they last until the next click or move.
 */
export function useDrawing(kept?: KeptDrawing) {
  const [own, setOwn] = useState<Drawn[]>([]);
  return {
    marks: kept?.marks ?? own,
    draw: (mark: Drawn) =>
      kept ? kept.keep(toggled(kept.marks, mark)) : setOwn((before) => toggled(before, mark)),
    // Nothing is drawn anew where there was nothing.
    clear: () => setOwn((before) => (before.length > 0 ? [] : before)),
  };
}

export function DrawingLayer({ marks, shape }: { marks: Drawn[]; shape: Shape }) {
  return (
    <g class="overlay drawn">
      {marks.map(({ from, to, colour }) => {
        const a = spotOf(from, shape);
        const b = spotOf(to, shape);
        if (!a || !b) return null;
        const name = `${from} ${to}`;
        if (from !== to) return <path key={name} class={colour} data-drawn={name} d={arrowPath(a, b)} />;
        return (
          <circle key={name} class={colour} data-drawn={name} cx={center(a).x} cy={center(a).y} r={44} />
        );
      })}
    </g>
  );
}
