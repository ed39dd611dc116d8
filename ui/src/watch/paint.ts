import type { ScoreStyle } from "../api/types";
import { colour } from "../lib/colours";
import type { Icicle } from "./icicle";
import { KINDS, type KindName, type LegendName } from "./kinds";
import { isOf, type ShownTree } from "./tree";
import { worthText } from "./words";

export const ROW = 42;
const GAP = 1;
const FONT = "600 12px system-ui, sans-serif";
const VALUE_FONT = "11px system-ui, sans-serif";
const PADDING = 5;
/** How faint a block is of which the chosen entry of the legend does not speak. */
const FADED = 0.18;

export interface Picture {
  tree: ShownTree;
  icicle: Icicle;
  style: ScoreStyle;
  selected: number;
  /** Nodes from the root to the selected one. */
  path: Set<number>;
  hovered: number | null;
  legend: LegendName | null;
}

/** Colours of the theme, read when they are needed, since the theme may change. */
function colours() {
  const kinds = Object.fromEntries(
    Object.keys(KINDS).map((kind) => [kind, colour(`--kind-${kind}`)]),
  ) as Record<KindName, string>;
  return {
    kinds,
    ink: colour("--text"),
    faint: colour("--faint"),
    focus: colour("--focus"),
    gold: colour("--gold"),
  };
}

/** Draws the whole picture. */
export function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  const { tree, icicle, style, selected, path, hovered, legend } = picture;
  const look = colours();
  context.textBaseline = "middle";
  for (const { x, width, row } of icicle.crowds) {
    context.globalAlpha = legend ? FADED : 0.35;
    context.fillStyle = look.faint;
    context.fillRect(x, row * ROW, Math.max(width, 1), ROW - GAP);
  }
  for (const { node: id, x, width, row } of icicle.blocks) {
    const node = tree[id]!;
    const y = row * ROW;
    const wide = Math.max(width - GAP, 1);
    context.globalAlpha = legend && !isOf(node, legend) ? FADED : 1;
    context.fillStyle = look.kinds[node.kind];
    context.fillRect(x, y, wide, ROW - GAP);
    context.fillStyle = look.ink;
    if (node.reduced)
      for (let at = x; at < x + wide; at += 7) context.fillRect(at, y, Math.min(4, x + wide - at), 3);
    if (node.extended) context.fillRect(x, y + ROW - GAP - 3, wide, 3);
    if (node.again && wide > 4) triangle(context, x + wide, y, Math.min(9, wide));
    label(context, node.move || "root", worthText(node, style), x, y, wide, look);
  }
  context.globalAlpha = 1;
  for (const { node, x, width, row } of icicle.blocks) {
    const isSelected = node === selected;
    if (!isSelected && node !== hovered && !path.has(node)) continue;
    context.strokeStyle = isSelected ? look.focus : node === hovered ? look.ink : look.gold;
    context.lineWidth = isSelected ? 3 : 2;
    const inset = context.lineWidth / 2;
    context.strokeRect(
      x + inset,
      row * ROW + inset,
      Math.max(width - GAP - 2 * inset, 1),
      ROW - GAP - 2 * inset,
    );
  }
}

/** A corner that says: more than one visit. */
function triangle(context: CanvasRenderingContext2D, right: number, top: number, size: number): void {
  context.beginPath();
  context.moveTo(right - size, top);
  context.lineTo(right, top);
  context.lineTo(right, top + size);
  context.fill();
}

function label(
  context: CanvasRenderingContext2D,
  move: string,
  worth: string,
  x: number,
  y: number,
  width: number,
  look: { ink: string },
): void {
  const room = width - 2 * PADDING;
  if (room < 12) return;
  context.fillStyle = look.ink;
  context.font = FONT;
  if (context.measureText(move).width > room) return;
  const shown = () => {
    context.font = VALUE_FONT;
    return worth !== "" && context.measureText(worth).width <= room;
  };
  const both = shown();
  context.font = FONT;
  context.fillText(move, x + PADDING, y + (both ? ROW * 0.34 : ROW / 2));
  if (!both) return;
  context.font = VALUE_FONT;
  context.fillText(worth, x + PADDING, y + ROW * 0.71);
}
