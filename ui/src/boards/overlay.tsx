import { type Shape, type Spot, spotOf } from "../lib/cells";
import { CELL, center, type Overlay, SMALL_BOARD } from "./types";

/** An arrow that ends before the middle of its last cell, so that the piece there can be seen. */
export function arrowPath(from: Spot, to: Spot): string {
  const a = center(from);
  const b = center(to);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const ux = (b.x - a.x) / length;
  const uy = (b.y - a.y) / length;
  const tip = { x: b.x - ux * 14, y: b.y - uy * 14 };
  const neck = { x: tip.x - ux * 34, y: tip.y - uy * 34 };
  const tail = { x: a.x + ux * 18, y: a.y + uy * 18 };
  const side = (at: { x: number; y: number }, by: number) => `${at.x - uy * by} ${at.y + ux * by}`;
  const points = [
    side(tail, 8),
    side(neck, 8),
    side(neck, 23),
    `${tip.x} ${tip.y}`,
    side(neck, -23),
    side(neck, -8),
    side(tail, -8),
  ];
  return `M${points.join("L")}Z`;
}

/** A line from the first cell of a row to its last. */
function RowLine({ cells, shape, kind }: { cells: string[]; shape: Shape; kind: string }) {
  const first = spotOf(cells[0] ?? "", shape);
  const last = spotOf(cells.at(-1) ?? "", shape);
  if (!first || !last) return null;
  const a = center(first);
  const b = center(last);
  return <path class={kind} d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />;
}

/** The stones that have won: a line through them, and a ring around each. */
export function WinningRows({ rows, shape }: { rows: string[][]; shape: Shape }) {
  if (rows.length === 0) return null;
  const small = Math.max(shape.columns, shape.rows) <= SMALL_BOARD;
  return (
    <g class={small ? "overlay winning small" : "overlay winning"}>
      {rows.map((cells) => (
        <g key={cells.join()} data-winning={cells.join(" ")}>
          <RowLine cells={cells} shape={shape} kind="winning-line under" />
          <RowLine cells={cells} shape={shape} kind="winning-line" />
          {/* Crosses and rings have no room for another ring around them. */}
          {!small &&
            cells.map((cell) => {
              const spot = spotOf(cell, shape);
              return spot && <circle key={cell} cx={center(spot).x} cy={center(spot).y} r={43} />;
            })}
        </g>
      ))}
    </g>
  );
}

export function OverlayLayer({ overlay, shape }: { overlay: Overlay; shape: Shape }) {
  const at = (cell: string) => spotOf(cell, shape);
  return (
    <g class="overlay">
      {overlay.windows?.map((cells) => (
        <RowLine key={cells.join()} cells={cells} shape={shape} kind="window" />
      ))}
      {overlay.blocks?.map((cell) => {
        const spot = at(cell);
        if (!spot) return null;
        const { x, y } = center(spot);
        return <rect key={cell} class="block" x={x - 34} y={y - 34} width={68} height={68} rx={10} />;
      })}
      {overlay.hint?.map((cell) => {
        const spot = at(cell);
        return spot && <circle key={cell} class="hint" cx={center(spot).x} cy={center(spot).y} r={45} />;
      })}
      {overlay.shares?.map(({ cell, strength, text }) => {
        const spot = at(cell);
        if (!spot) return null;
        const { x, y } = center(spot);
        return (
          <g key={cell} class="share" data-share={cell}>
            <rect x={x - 46} y={y - 46} width={92} height={92} rx={14} opacity={0.15 + 0.7 * strength} />
            <text x={x} y={y + 11} text-anchor="middle" class={text.length > 4 ? "long" : ""}>
              {text}
            </text>
          </g>
        );
      })}
      {overlay.owners?.map(({ cell, player, strength }) => {
        const spot = at(cell);
        if (!spot) return null;
        const { x, y } = center(spot);
        return (
          <rect
            key={cell}
            class={`owner p${player}`}
            data-owner={cell}
            x={x - 19}
            y={y - 19}
            width={38}
            height={38}
            rx={5}
            opacity={strength}
          />
        );
      })}
      {[...(overlay.arrows ?? [])].reverse().map(({ from, to, rank, strength, loss = "" }) => {
        const a = at(from);
        const b = at(to);
        return (
          a &&
          b && (
            <path
              key={from + to}
              class={`arrow rank${Math.min(rank, 3)} ${loss}`}
              data-arrow={`${from} ${to}`}
              style={strength === undefined ? undefined : { opacity: strength }}
              d={arrowPath(a, b)}
            />
          )
        );
      })}
      {overlay.values?.map((value) => {
        const spot = at(value.cell);
        return spot && <Value key={value.cell} {...value} {...center(spot)} />;
      })}
      {overlay.threats?.map(({ from, to }, place) => {
        const a = from && at(from);
        const b = at(to);
        if (!b) return null;
        const { x, y } = center(b);
        const isTaken = overlay.values?.some(({ cell }) => cell === to);
        return (
          <g key={to} class={isTaken ? "threat around" : "threat"} data-threat={from ? `${from} ${to}` : to}>
            {a ? (
              <path d={arrowPath(a, b)} />
            ) : (
              <>
                <circle cx={x} cy={y} r={isTaken ? 47 : 38} />
                <text x={x} y={y + 14} text-anchor="middle">
                  {overlay.threats!.length > 1 ? place + 1 : "!"}
                </text>
              </>
            )}
          </g>
        );
      })}
      {overlay.sequence?.map(({ cell, label, player }) => {
        const spot = at(cell);
        if (!spot) return null;
        const { x, y } = center(spot);
        return (
          <g key={cell + label} class={`sequence p${player}`}>
            <circle cx={x} cy={y} r={CELL * 0.43} />
            <text x={x} y={y + 14} text-anchor="middle">
              {label}
            </text>
          </g>
        );
      })}
    </g>
  );
}

type ValueProps = NonNullable<Overlay["values"]>[number] & { x: number; y: number };

/** What a move is worth, on the cell where it leads. */
function Value({ cell, text, note, rank, loss, estimate, x, y }: ValueProps) {
  const kind = `value rank${Math.min(rank, 3)} ${loss ?? ""} ${estimate ? "estimate" : ""}`;
  const half = note ? 36 : 27;
  return (
    <g class={kind} data-value={cell}>
      <rect x={x - 45} y={y - half} width={90} height={2 * half} rx={16} />
      <text
        x={x}
        y={y + (note ? 4 : 12)}
        text-anchor="middle"
        class={text.length > 4 || estimate ? "long" : ""}
      >
        {text}
      </text>
      {note && (
        <text x={x} y={y + 27} text-anchor="middle" class="note">
          {note}
        </text>
      )}
    </g>
  );
}
