import type { ScoreStyle } from "../api/types";
import { valueText } from "../learn/words";
import { turned } from "../lib/chance";
import { count } from "../lib/format";
import { view } from "../lib/view";
import { KINDS, MARKS } from "./kinds";
import type { Frame } from "./recording";
import { root } from "./store";
import type { ShownNode } from "./tree";

/** For whom a node's worth is shown: in the view that all values take. */
export function worthPlayer({ by }: ShownNode): string {
  return (view.value === "first" && root.value?.players[0]) || by;
}

const SEEN_FROM_BEYOND = { exact: "exact", at_most: "at_least", at_least: "at_most" } as const;

/** What a move is worth, with the sign of a bound; empty if nobody knows. */
export function worthText(node: ShownNode, style: ScoreStyle): string {
  const { value, bound } = node;
  if (!value) return "";
  const own = worthPlayer(node) === node.by;
  return valueText(own ? { value, bound } : { value: turned(value), bound: SEEN_FROM_BEYOND[bound] }, style);
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
    worth && `worth ${worth} for ${worthPlayer(node)}`,
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
