import type { ScoreStyle } from "../api/types";
import { valueText } from "../learn/words";
import { count } from "../lib/format";
import { KINDS, MARKS } from "./kinds";
import type { Frame } from "./recording";
import type { ShownNode } from "./tree";

/** What a move is worth for the player who made it, with the sign of a bound; empty if nobody knows. */
export function worthText({ value, bound }: ShownNode, style: ScoreStyle): string {
  return value ? valueText({ value, bound }, style) : "";
}

/** A node in a line of words, for tips and for people who hear the page. */
export function nodeWords(node: ShownNode, whole: number, style: ScoreStyle, unit: string): string {
  const share = whole > 0 ? ` (${percent(node.weight / whole)})` : "";
  const worth = worthText(node, style);
  const marks = (["reduced", "again", "extended"] as const).filter((mark) => node[mark]);
  return [
    node.parent === null ? `Root, ${node.by} moves` : `${node.by} plays ${node.move}`,
    `${count(node.weight)} ${unit}${share}`,
    KINDS[node.kind].name.toLowerCase(),
    worth && `worth ${worth} for ${node.by}`,
    ...marks.map((mark) => MARKS[mark].name.toLowerCase()),
  ]
    .filter(Boolean)
    .join(", ");
}

export function percent(share: number): string {
  const hundred = 100 * share;
  return `${hundred >= 10 || hundred === 0 ? Math.round(hundred) : hundred.toFixed(1)}%`;
}

/** Microseconds as people read them. */
export function timeText(us: number): string {
  if (us < 1000) return `${us} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(2)} s`;
}

/** A frame in a few words. */
export function frameText(frame: Frame): string {
  return frame.kind === "iteration"
    ? `Depth ${frame.amount}${frame.complete ? "" : ", given up"} · ${timeText(frame.us)}`
    : `${count(frame.amount)} playouts · ${timeText(frame.us)}`;
}
