import { useMemo } from "preact/hooks";
import type { Player, Position } from "../api/types";
import { useInView } from "./in-view";
import { layout } from "./layout";
import { movesTo, type TreeNode } from "./tree";

const STEP_X = 74;
const STEP_Y = 132;
const TOP = 56;
const BOX = 52;
/** The room for words above and below a node. Edges go from one such room to the next, so that none crosses a word. */
const WORDS = 22;
/** Boards of at most this size are drawn in the nodes. */
const SMALL = 4;

/** Whether the nodes of a tree show their boards. */
export function showsBoards({ family, columns, rows }: Position): boolean {
  return family === "stones" && Math.max(columns, rows) <= SMALL;
}

interface TreeViewProps {
  /** The whole tree that there is to place. */
  nodes: TreeNode[];
  parents: (number | null)[];
  /** The nodes that are shown. */
  seen: Set<number>;
  /** The nodes from the root to where the search stands. */
  path: number[];
  /** The best child of each node so far. */
  best?: Map<number, number>;
  /** The best move, once the search is done: it is shown beside the root, or can be looked for. */
  answer?: number;
  /** Nodes whose remaining moves were cut off. */
  cut?: Set<number>;
  /** What stands in a node whose board is too large to be drawn. */
  inside: (node: number) => string;
  /** What stands below a node. */
  caption: (node: number) => Caption | null;
  root: Position;
  onPick: (node: number) => void;
}

export interface Caption {
  text: string;
  /** Whether the node is done with, at least for now; the others wait. */
  done: boolean;
}

/** The tree as far as the search has come. */
export function SearchTree(props: TreeViewProps) {
  const { nodes, parents, seen, path, best, answer, cut, inside, caption, root, onPick } = props;
  const plan = useMemo(() => layout(nodes, STEP_X, STEP_Y), [nodes]);
  const current = path.at(-1) ?? 0;
  const view = useInView(plan, current, answer, TOP);
  const onPath = new Set(path);
  return (
    <div class="tree-box">
      <div class="tree-zoom">
        <button type="button" aria-label="Zoom out" onClick={view.further}>
          −
        </button>
        <button type="button" aria-label="Fit the tree" onClick={view.fit}>
          Fit
        </button>
        <button type="button" aria-label="Zoom in" onClick={view.closer}>
          +
        </button>
      </div>
      <div
        class="search-tree"
        ref={view.box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that scrolls must be reachable by keys.
        tabIndex={0}
        role="region"
        aria-label="Search tree"
        {...view.drag}
      >
        {view.apart && answer !== undefined && (
          <div class="tree-hint">
            <button type="button" onClick={view.turn}>
              {view.away ? "Show the root" : `Show the best move, ${nodes[answer]!.played}`}
            </button>
          </div>
        )}
        <svg
          width={plan.width * view.scale}
          height={(plan.height + TOP) * view.scale}
          viewBox={`0 ${-TOP} ${plan.width} ${plan.height + TOP}`}
        >
          {nodes.map((node, id) => {
            const parent = parents[id];
            if (!seen.has(id) || parent === null || parent === undefined) return null;
            const from = plan.nodes[parent]!;
            const to = plan.nodes[id]!;
            const isBest = best?.get(parent) === id;
            const kind = onPath.has(id) ? "edge here" : isBest ? "edge best" : "edge";
            const begin = from.y + BOX / 2 + WORDS;
            const end = to.y - BOX / 2 - WORDS;
            const middle = (begin + end) / 2;
            return (
              <g key={id}>
                <path
                  class={kind}
                  d={`M${from.x} ${begin}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${end}`}
                />
                <text class="edge-name" x={to.x} y={to.y - BOX / 2 - 6}>
                  {node.played}
                </text>
              </g>
            );
          })}
          {[...(cut ?? [])].map((id) => (
            <g key={id} class="stubs" data-cutoff={id}>
              {(plan.stubs.get(id) ?? []).map((stub, index) => {
                const from = plan.nodes[id]!;
                const name = nodes[id]!.pruned![index];
                return (
                  <g key={name}>
                    <path class="edge" d={`M${from.x} ${from.y + BOX / 2 + WORDS}L${stub.x} ${stub.y}`} />
                    <path class="snip" d={`M${stub.x - 6} ${stub.y - 6}l12 12m0 -12l-12 12`} />
                    <text x={stub.x} y={stub.y + 20}>
                      {name}
                    </text>
                  </g>
                );
              })}
            </g>
          ))}
          {nodes.map((_, id) => {
            if (!seen.has(id)) return null;
            const at = plan.nodes[id]!;
            const below = caption(id);
            const state = id === current ? "current" : onPath.has(id) ? "open" : below?.done ? "done" : "";
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
                <Inside nodes={nodes} parents={parents} id={id} root={root} words={inside(id)} />
                {below && (
                  <text class={below.done ? "node-value" : "node-window"} y={BOX / 2 + 15}>
                    {below.text}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </div>
    </div>
  );
}

interface InsideProps {
  nodes: TreeNode[];
  parents: (number | null)[];
  id: number;
  root: Position;
  words: string;
}

/** The position in a node, where it is small enough; else a word. */
function Inside({ nodes, parents, id, root, words }: InsideProps) {
  const { columns, rows } = root;
  if (!showsBoards(root)) {
    return (
      <text class="node-mover" y={5}>
        {words}
      </text>
    );
  }
  const played: { cell: string; player: Player }[] = [];
  let at: number | null = id;
  for (const cell of movesTo(nodes, parents, id).reverse()) {
    const parent: number | null = parents[at!]!;
    const player = root.players.indexOf(nodes[parent!]!.to_move) === 1 ? 1 : 0;
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
