import { spotOf } from "../lib/cells";
import { CELL, center, type FaceProps } from "./types";

/** Points that help the eye, on boards large enough for them: two cells from the edges. */
function dots(size: number): number[] {
  return size >= 8 ? [2, size - 2] : [];
}

export function DiscsFace({ position, shape, targets, hover, playable }: FaceProps) {
  const { columns, rows } = shape;
  const width = columns * CELL;
  const height = rows * CELL;
  const hovered = hover && targets.find(({ cell }) => sameSpot(spotOf(cell, shape), hover));
  return (
    <>
      <rect class="felt" x={0} y={0} width={width} height={height} />
      <g class="grid">
        {Array.from({ length: columns + 1 }, (_, x) => (
          <path key={`v${x}`} d={`M${x * CELL} 0V${height}`} />
        ))}
        {Array.from({ length: rows + 1 }, (_, y) => (
          <path key={`h${y}`} d={`M0 ${y * CELL}H${width}`} />
        ))}
        {dots(columns).flatMap((x) =>
          dots(rows).map((y) => <circle key={`${x}${y}`} cx={x * CELL} cy={y * CELL} r={8} />),
        )}
      </g>
      {position.pieces.map((piece) => {
        const spot = spotOf(piece.cell, shape);
        if (!spot) return null;
        const { x, y } = center(spot);
        return (
          <g key={piece.cell} data-cell={piece.cell}>
            <circle class="disc-shadow" cx={x} cy={y + 4} r={41} />
            <circle class={`disc p${piece.player}`} cx={x} cy={y} r={41} />
            <ellipse class="disc-shine" cx={x - 9} cy={y - 14} rx={21} ry={15} />
          </g>
        );
      })}
      {position.last.slice(-1).map((cell) => {
        const spot = spotOf(cell, shape);
        return spot && <circle key={cell} class="last-dot" cx={center(spot).x} cy={center(spot).y} r={9} />;
      })}
      {targets.map(({ cell }) => {
        const spot = spotOf(cell, shape);
        return spot && <circle key={cell} class="target" cx={center(spot).x} cy={center(spot).y} r={12} />;
      })}
      {playable && hovered && hover && (
        <circle class={`disc ghost p${position.to_move}`} cx={center(hover).x} cy={center(hover).y} r={41} />
      )}
    </>
  );
}

function sameSpot(a: { x: number; y: number } | null, b: { x: number; y: number }): boolean {
  return a !== null && a.x === b.x && a.y === b.y;
}
