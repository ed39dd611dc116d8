import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Explanation, Player, Position } from "../api/types";
import { layout } from "./layout";
import type { Progress } from "./steps";
import { movesTo } from "./steps";
import { valueText, windowText } from "./words";

const STEP_X = 74;
const STEP_Y = 118;
const TOP = 40;
const BOX = 52;
/** Boards of at most this size are drawn in the nodes. */
const SMALL = 4;

interface TreeViewProps {
  explanation: Explanation;
  parents: (number | null)[];
  progress: Progress;
  root: Position;
  onPick: (node: number) => void;
}

/** The tree as far as the search has come. */
export function SearchTree({ explanation, parents, progress, root, onPick }: TreeViewProps) {
  const plan = useMemo(() => layout(explanation, STEP_X, STEP_Y), [explanation]);
  const box = useRef<HTMLDivElement>(null);
  const current = progress.path.at(-1) ?? 0;
  useEffect(() => {
    const at = plan.nodes[current];
    const element = box.current;
    if (!element || !at) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollTo({
      left: at.x - element.clientWidth / 2,
      top: at.y - element.clientHeight / 2 + TOP,
      behavior: calm ? "auto" : "smooth",
    });
  }, [plan, current]);
  const onPath = new Set(progress.path);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that scrolls must be reachable by keys.
    <div class="search-tree" ref={box} tabIndex={0} role="region" aria-label="Search tree">
      <svg
        width={plan.width}
        height={plan.height + TOP}
        viewBox={`0 ${-TOP} ${plan.width} ${plan.height + TOP}`}
      >
        {explanation.nodes.map((node, id) => {
          const parent = parents[id];
          if (!progress.seen.has(id) || parent === null || parent === undefined) return null;
          const from = plan.nodes[parent]!;
          const to = plan.nodes[id]!;
          const best = progress.best.get(parent) === id;
          const kind = onPath.has(id) ? "edge here" : best ? "edge best" : "edge";
          const middle = (from.y + to.y + BOX) / 2;
          return (
            <g key={id}>
              <path
                class={kind}
                d={`M${from.x} ${from.y + BOX / 2}C${from.x} ${middle} ${to.x} ${middle - 20} ${to.x} ${to.y - BOX / 2}`}
              />
              <text class="edge-name" x={to.x} y={to.y - BOX / 2 - 5}>
                {node.played}
              </text>
            </g>
          );
        })}
        {[...progress.cut].map((id) => (
          <g key={id} class="stubs" data-cutoff={id}>
            {(plan.stubs.get(id) ?? []).map((stub, index) => {
              const from = plan.nodes[id]!;
              const name = explanation.nodes[id]!.pruned![index];
              return (
                <g key={name}>
                  <path d={`M${from.x} ${from.y + BOX / 2}L${stub.x} ${stub.y}`} />
                  <path class="snip" d={`M${stub.x - 6} ${stub.y - 6}l12 12m0 -12l-12 12`} />
                  <text x={stub.x} y={stub.y + 20}>
                    {name}
                  </text>
                </g>
              );
            })}
          </g>
        ))}
        {explanation.nodes.map((node, id) => {
          if (!progress.seen.has(id)) return null;
          const at = plan.nodes[id]!;
          const done = progress.done.has(id);
          const state = id === current ? "current" : onPath.has(id) ? "open" : done ? "done" : "";
          return (
            // Keys walk through the steps; a click is a short cut.
            // biome-ignore lint/a11y/noStaticElementInteractions: see above.
            <g
              key={id}
              class={`tree-node ${state}`}
              data-node={id}
              transform={`translate(${at.x} ${at.y})`}
              onClick={() => onPick(id)}
            >
              <rect x={-BOX / 2} y={-BOX / 2} width={BOX} height={BOX} rx={8} />
              <Mini explanation={explanation} parents={parents} id={id} root={root} />
              {done && (
                <text class="node-value" y={BOX / 2 + 15}>
                  {valueText(node, root.family)}
                </text>
              )}
              {!done && node.window && (
                <text class="node-window" y={BOX / 2 + 15}>
                  {windowText(node, root.family)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface MiniProps {
  explanation: Explanation;
  parents: (number | null)[];
  id: number;
  root: Position;
}

/** The position in a node, where it is small enough; else who moves. */
function Mini({ explanation, parents, id, root }: MiniProps) {
  const node = explanation.nodes[id]!;
  const { columns, rows, family } = root;
  if (family !== "stones" || Math.max(columns, rows) > SMALL) {
    return (
      <text class="node-mover" y={5}>
        {node.to_move.slice(0, 1)}
      </text>
    );
  }
  const played: { cell: string; player: Player }[] = [];
  let at: number | null = id;
  for (const cell of movesTo(explanation, parents, id).reverse()) {
    const parent: number | null = parents[at!]!;
    const player = root.players.indexOf(explanation.nodes[parent!]!.to_move) === 1 ? 1 : 0;
    played.push({ cell, player });
    at = parent;
  }
  const unit = (BOX - 12) / Math.max(columns, rows);
  const left = (-columns * unit) / 2;
  const top = (-rows * unit) / 2;
  const lines = [
    ...Array.from({ length: columns - 1 }, (_, n) => `M${left + (n + 1) * unit} ${top}v${rows * unit}`),
    ...Array.from({ length: rows - 1 }, (_, n) => `M${left} ${top + (n + 1) * unit}h${columns * unit}`),
  ].join("");
  return (
    <g class="mini">
      <path class="mini-lines" d={lines} />
      {[...root.pieces, ...played].map(({ cell, player }) => {
        const x = left + (cell.charCodeAt(0) - 97 + 0.5) * unit;
        const y = top + (rows - Number(cell.slice(1)) + 0.5) * unit;
        const r = unit * 0.27;
        return player === 0 ? (
          <path
            key={cell}
            class="mini-cross"
            d={`M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`}
          />
        ) : (
          <circle key={cell} class="mini-ring" cx={x} cy={y} r={r} />
        );
      })}
    </g>
  );
}
