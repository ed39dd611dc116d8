import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useTheme } from "../lib/use";
import { announce } from "../widgets/live";
import { blockAt, icicle } from "./icicle";
import { paint, ROW } from "./paint";
import { settings } from "./settings";
import {
  frame,
  hovered,
  legend,
  recording,
  running,
  scale,
  scores,
  select,
  selected,
  tree,
  zoom,
  zoomed,
} from "./store";
import { pathOf, walk } from "./tree";
import { nodeWords } from "./words";

/** Room for a tip beside the pointer. */
const TIP_WIDTH = 250;

/** The tree as blocks: parents above their children, as wide as their work. */
export function IcicleView() {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  /** Where the pointer is, while it is over the picture. */
  const pointer = useRef<[number, number] | null>(null);
  const [width, setWidth] = useState(0);
  const [tip, setTip] = useState<{ x: number; y: number } | null>(null);
  const theme = useTheme();
  const nodes = tree.value;
  const top = zoomed.value;
  const plan = useMemo(() => icicle(nodes, top, width, scale.value), [nodes, top, width, scale.value]);
  const height =
    Math.max(plan.rows, (recording.value.begin?.options.plies ?? settings.value.plies) + 1) * ROW;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const at = selected.value;
  const lit = legend.value;
  const over = hovered.value;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!canvas.current || !context) return;
    const dense = devicePixelRatio || 1;
    canvas.current.width = width * dense;
    canvas.current.height = height * dense;
    context.scale(dense, dense);
    const path = new Set(pathOf(nodes, at));
    paint(context, {
      tree: nodes,
      icicle: plan,
      style: scores.value,
      selected: at,
      path,
      hovered: over,
      legend: lit,
    });
  }, [plan, nodes, at, over, lit, width, height, theme, scores.value]);

  const blockUnder = (clientX: number, clientY: number) => {
    const bounds = canvas.current!.getBoundingClientRect();
    return blockAt(plan, clientX - bounds.left, Math.floor((clientY - bounds.top) / ROW));
  };
  // The picture may change under a pointer that rests.
  useEffect(() => {
    const still = pointer.current;
    hovered.value = still ? (blockUnder(...still)?.node ?? null) : null;
  }, [plan]);
  const leave = () => {
    pointer.current = null;
    hovered.value = null;
    setTip(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || nodes.length === 0) return;
    const next = walk(nodes, at, event.key);
    if (next !== null) {
      select(next);
      // What is selected is to be seen.
      if (!pathOf(nodes, next).includes(top)) zoom(nodes[next]!.parent ?? 0);
      announce(nodeWords(nodes[next]!, nodes[0]!.weight, scores.value, unit()));
    } else if (event.key === "Enter") zoom(at);
    else if (event.key === "Backspace" || event.key === "Escape") zoom(nodes[top]?.parent ?? 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const told = over === null ? null : nodes[over];
  return (
    <div
      class="icicle"
      ref={box}
      role="application"
      aria-label="Tree of the search: arrow keys walk through it, Enter zooms in, Backspace out"
      aria-describedby="node-detail"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the tree handles its own keys, as an application does.
      tabIndex={0}
      data-nodes={nodes.length}
      data-blocks={plan.blocks.length}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => {
        pointer.current = [event.clientX, event.clientY];
        const found = blockUnder(event.clientX, event.clientY)?.node ?? null;
        if (hovered.value !== found) hovered.value = found;
        const bounds = box.current!.getBoundingClientRect();
        const x = Math.max(0, Math.min(event.clientX - bounds.left + 14, bounds.width - TIP_WIDTH));
        setTip(event.pointerType === "mouse" ? { x, y: event.clientY - bounds.top + 18 } : null);
      }}
      onPointerLeave={leave}
      onClick={(event) => {
        const found = blockUnder(event.clientX, event.clientY);
        if (!found) return;
        // A second click lets the block fill the width; on the one that does, it goes back.
        if (found.node !== at) select(found.node);
        else zoom(found.node === top ? (nodes[top]!.parent ?? 0) : found.node);
      }}
    >
      <canvas ref={canvas} style={{ height: `${height}px` }} />
      {nodes.length === 0 && <p class="icicle-empty">{emptyWords()}</p>}
      {told && tip && (
        <div class="icicle-tip" style={{ left: `${tip.x}px`, top: `${tip.y}px`, maxWidth: `${TIP_WIDTH}px` }}>
          {nodeWords(told, nodes[0]!.weight, scores.value, unit())}
        </div>
      )}
    </div>
  );
}

/** What the widths count. */
export function unit(): string {
  return frame.value?.kind === "snapshot" ? "visits" : "nodes";
}

function emptyWords(): string {
  const { begin, end, frames } = recording.value;
  if (frames.length > 0) return "This tree was dropped to save memory; its numbers are kept.";
  if (running.value) return "The search has begun; its tree comes in a moment.";
  if (end && begin) {
    return `There is no tree: ${end.reason ?? "the search ended"} before one was grown (a book, a certain result, or a search that shows none).`;
  }
  return "Start a search, or open a trace, and its tree grows here.";
}
