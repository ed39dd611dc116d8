import { useLayoutEffect, useRef } from "preact/hooks";
import { cellAt, columnLetter, spotOf } from "../lib/cells";
import { PieceShape } from "./pieces";
import { CELL, type FaceProps } from "./types";

/** The lower left corner is dark. */
const shadeOf = (x: number, y: number, rows: number) => ((x + rows - 1 - y) % 2 === 0 ? "dark" : "light");

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

function Squares({ shape: { columns, rows } }: Pick<FaceProps, "shape">) {
  const spots = upTo(rows).flatMap((y) => upTo(columns).map((x) => ({ x, y })));
  return (
    <g class="squares">
      {spots.map(({ x, y }) => (
        <rect
          key={`${x},${y}`}
          class={shadeOf(x, y, rows)}
          x={x * CELL}
          y={y * CELL}
          width={CELL}
          height={CELL}
        />
      ))}
    </g>
  );
}

/** The names of columns and rows, over the marks of squares. */
function Names({ shape }: Pick<FaceProps, "shape">) {
  const { columns, rows } = shape;
  return (
    <g>
      {upTo(rows).map((y) => (
        <text key={y} class={`on-${shadeOf(0, y, rows)}`} x={6} y={y * CELL + 24}>
          {cellAt({ x: 0, y }, shape).slice(1)}
        </text>
      ))}
      {upTo(columns).map((x) => (
        <text
          key={x}
          class={`on-${shadeOf(x, rows - 1, rows)}`}
          x={x * CELL + 94}
          y={rows * CELL - 7}
          text-anchor="end"
        >
          {columnLetter(shape.flipped ? columns - 1 - x : x)}
        </text>
      ))}
    </g>
  );
}

/** Lets the piece that moved last slide to its square, unless the player dragged it there or wants no motion. */
function useSlide({ position, shape, drag }: FaceProps) {
  const group = useRef<SVGGElement>(null);
  const dragged = useRef(false);
  const before = useRef(position.moves.length);
  if (drag) dragged.current = true;
  // A slide belongs to a move, not to other changes.
  useLayoutEffect(() => {
    const forward = position.moves.length === before.current + 1;
    before.current = position.moves.length;
    const skip = dragged.current || !forward || matchMedia("(prefers-reduced-motion: reduce)").matches;
    dragged.current = false;
    const [from, to] = position.last;
    const start = from && spotOf(from, shape);
    const end = to && spotOf(to, shape);
    const moved = group.current?.querySelector<SVGGElement>(`[data-cell="${to}"] > g`);
    if (skip || !start || !end || !moved) return;
    const shift = `translate(${(start.x - end.x) * CELL}px, ${(start.y - end.y) * CELL}px)`;
    moved.animate([{ transform: shift }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }, [position.position]);
  return group;
}

export function SquaresFace(props: FaceProps) {
  const { position, shape, selected, targets, drag } = props;
  const group = useSlide(props);
  const mark = (cell: string, kind: string) => {
    const spot = spotOf(cell, shape);
    if (!spot) return null;
    return (
      <rect key={kind + cell} class={kind} x={spot.x * CELL} y={spot.y * CELL} width={CELL} height={CELL} />
    );
  };
  return (
    <>
      <defs>
        <radialGradient id="check-glow">
          <stop offset="0" class="check-inner" />
          <stop offset="1" class="check-outer" />
        </radialGradient>
      </defs>
      <Squares shape={shape} />
      {position.last.map((cell) => mark(cell, "last"))}
      {selected && mark(selected, "selected")}
      {position.check && mark(position.check, "check")}
      <Names shape={shape} />
      {targets.map(({ cell, capture }) => {
        const spot = spotOf(cell, shape);
        if (!spot) return null;
        return (
          <circle
            key={cell}
            class={capture ? "target capture" : "target"}
            cx={spot.x * CELL + 50}
            cy={spot.y * CELL + 50}
            r={capture ? 43 : 15}
          />
        );
      })}
      <g ref={group}>
        {position.pieces.map((piece) => {
          const spot = spotOf(piece.cell, shape);
          if (!spot) return null;
          const lifted = drag?.cell === piece.cell;
          const x = lifted ? drag.x - CELL / 2 : spot.x * CELL;
          const y = lifted ? drag.y - CELL / 2 : spot.y * CELL;
          return (
            <g
              key={piece.cell}
              data-cell={piece.cell}
              data-piece={`${piece.player}${piece.kind}`}
              class={lifted ? "lifted" : ""}
              transform={`translate(${x} ${y})`}
            >
              <PieceShape kind={piece.kind} player={piece.player} />
            </g>
          );
        })}
      </g>
    </>
  );
}
