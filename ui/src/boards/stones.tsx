import type { Player } from "../api/types";
import { cellAt, type Shape, spotOf } from "../lib/cells";
import { CELL, center, type FaceProps, SMALL_BOARD } from "./types";

/** Points that help the eye, at the usual distance from the edge of large boards. */
function dots({ columns, rows }: Shape): [number, number][] {
  if (columns < 9 || rows < 9) return [];
  const along = (size: number) => {
    const edge = size >= 13 ? 3 : 2;
    const far = size - 1 - edge;
    return size % 2 === 1 ? [edge, (size - 1) / 2, far] : [edge, far];
  };
  return along(columns).flatMap((x) => along(rows).map((y): [number, number] => [x, y]));
}

function Grid({ shape }: { shape: Shape }) {
  const { columns, rows } = shape;
  const width = columns * CELL;
  const height = rows * CELL;
  if (Math.max(columns, rows) <= SMALL_BOARD) {
    const inner = (n: number) => Array.from({ length: n - 1 }, (_, index) => index + 1);
    return (
      <g class="cells">
        {inner(columns).map((n) => (
          <path key={`v${n}`} d={`M${n * CELL} 14V${height - 14}`} />
        ))}
        {inner(rows).map((n) => (
          <path key={`h${n}`} d={`M14 ${n * CELL}H${width - 14}`} />
        ))}
      </g>
    );
  }
  const path = [
    ...Array.from({ length: columns }, (_, x) => `M${x * CELL + 50} 50V${height - 50}`),
    ...Array.from({ length: rows }, (_, y) => `M50 ${y * CELL + 50}H${width - 50}`),
  ].join("");
  return (
    <g class="lines">
      <path d={path} />
      {dots(shape).map(([x, y]) => (
        <circle key={`${x},${y}`} cx={x * CELL + 50} cy={y * CELL + 50} r={11} />
      ))}
    </g>
  );
}

export function Stone({ x, y, player, small, kind }: StoneProps) {
  const name = `stone p${player} ${kind ?? ""}`;
  if (small) {
    return player === 0 ? (
      <path class={`${name} cross`} d={`M${x - 27} ${y - 27}l54 54M${x + 27} ${y - 27}l-54 54`} />
    ) : (
      <circle class={`${name} ring`} cx={x} cy={y} r={29} />
    );
  }
  return <circle class={name} cx={x} cy={y} r={46} />;
}

interface StoneProps {
  x: number;
  y: number;
  player: Player;
  small: boolean;
  kind?: string;
}

export function StonesFace({ position, shape, targets, hover, provisional, playable }: FaceProps) {
  const small = Math.max(shape.columns, shape.rows) <= SMALL_BOARD;
  const hovered = hover && playable && targets.some(({ cell }) => cell === cellAt(hover, shape));
  return (
    <>
      <defs>
        <radialGradient id="stone-0" cx="0.36" cy="0.3" r="0.8">
          <stop offset="0" stop-color="#5b6066" />
          <stop offset="0.55" stop-color="#23262a" />
          <stop offset="1" stop-color="#0d0e10" />
        </radialGradient>
        <radialGradient id="stone-1" cx="0.36" cy="0.3" r="0.85">
          <stop offset="0" stop-color="#ffffff" />
          <stop offset="0.6" stop-color="#f1ede4" />
          <stop offset="1" stop-color="#c9c3b6" />
        </radialGradient>
      </defs>
      <Grid shape={shape} />
      {position.pieces.map((piece) => {
        const spot = spotOf(piece.cell, shape);
        if (!spot) return null;
        const { x, y } = center(spot);
        const kind = piece.cell === provisional ? "provisional" : "";
        return (
          <g key={piece.cell} data-cell={piece.cell}>
            {!small && <circle class="disc-shadow" cx={x + 2} cy={y + 5} r={46} />}
            <Stone x={x} y={y} player={piece.player} small={small} kind={kind} />
          </g>
        );
      })}
      {position.last.map((cell) => {
        const spot = spotOf(cell, shape);
        if (!spot || small) return null;
        return <circle key={cell} class="last-dot" cx={center(spot).x} cy={center(spot).y} r={15} />;
      })}
      {hovered && <Stone {...center(hover)} player={position.to_move} small={small} kind="ghost" />}
    </>
  );
}
