import type { Score } from "../api/types";
import { turned } from "../lib/chance";
import { type KindName, type LegendName, visitKind } from "./kinds";
import type { Bound, IterationRecord, SearchedNode, SnapshotRecord, Visit } from "./records";

/** A node as the page shows it, whichever search it comes from. */
export interface ShownNode {
  id: number;
  parent: number | null;
  children: number[];
  move: string;
  ply: number;
  /** Who made the move; at the root: who moves. */
  by: string;
  /** Nodes, or visits: how wide it is. */
  weight: number;
  kind: KindName;
  reduced: boolean;
  again: boolean;
  extended: boolean;
  /** What the move is worth for the player who made it. */
  value: Score | null;
  bound: Bound;
}

/** Nodes by their number; one that is not visited yet hangs on no parent. The first is the root. */
export type ShownTree = ShownNode[];

/** Beginnings of visits in the order of time; parents before children that begin at the same moment. */
export interface VisitStep {
  node: number;
  visit: number;
}

export function visitOrder({ tree }: IterationRecord): VisitStep[] {
  const steps = tree.flatMap((node, id) => node.visits.map((_, visit) => ({ node: id, visit })));
  const us = ({ node, visit }: VisitStep) => tree[node]!.visits[visit]!.us;
  return steps.sort((a, b) => us(a) - us(b) || tree[a.node]!.ply - tree[b.node]!.ply || a.node - b.node);
}

/** An iteration as it was after so many visits had begun, or at its end. */
export function iterationTree(record: IterationRecord, steps: VisitStep[], count: number | null): ShownTree {
  if (record.tree.length === 0) return [];
  if (count === null || count >= steps.length) {
    return record.tree.map((node) => shownNode(record.tree, node, node.visits, node.nodes)).map(linked);
  }
  const begun = record.tree.map(() => 0);
  for (const { node } of steps.slice(0, count)) begun[node]! += 1;
  const open = new Set(pathOf(record.tree, steps[count - 1]?.node ?? 0));
  const nodes = record.tree.map((node, id) => {
    const visits = node.visits.slice(0, begun[id]);
    // The visit under way has counted nothing yet but what hangs below it.
    const done = open.has(id) ? visits.slice(0, -1) : visits;
    const shown = shownNode(
      record.tree,
      node,
      visits,
      done.reduce((sum, visit) => sum + visit.nodes, 0),
    );
    if (open.has(id)) [shown.kind, shown.value] = ["open", null];
    return shown;
  });
  const tree = nodes.map((node, id) => (begun[id]! > 0 || id === 0 ? linked(node, id, nodes) : node));
  for (let id = tree.length - 1; id >= 0; id -= 1) {
    const node = tree[id]!;
    const below = node.children.reduce((sum, child) => sum + tree[child]!.weight, 0);
    node.weight = Math.max(node.weight, below, 1);
  }
  return tree;
}

function shownNode(tree: SearchedNode[], node: SearchedNode, visits: Visit[], weight: number): ShownNode {
  const by = node.parent === undefined ? node.to_move : tree[node.parent]!.to_move;
  const last = visits.at(-1);
  const same = by === node.to_move;
  return {
    id: node.id,
    parent: node.parent ?? null,
    children: [],
    move: node.move,
    ply: node.ply,
    by,
    weight,
    kind: last ? visitKind(last.ended, last.bound) : "open",
    reduced: visits.some((visit) => (visit.reduction ?? 0) > 0),
    again: visits.length > 1,
    extended: visits.some((visit) => (visit.extension ?? 0) > 0),
    value: last?.value ? (same ? last.value : turned(last.value)) : null,
    bound: last ? (same ? last.bound : otherBound(last.bound)) : "exact",
  };
}

function otherBound(bound: Bound): Bound {
  return bound === "at_least" ? "at_most" : bound === "at_most" ? "at_least" : "exact";
}

/** Hangs a node on its parent. */
function linked(node: ShownNode, id: number, nodes: ShownNode[]): ShownNode {
  if (node.parent !== null) nodes[node.parent]!.children.push(id);
  return node;
}

export function snapshotTree({ tree }: SnapshotRecord): ShownTree {
  return tree
    .map((node): ShownNode => {
      return {
        id: node.id,
        parent: node.parent ?? null,
        children: [],
        move: node.move,
        ply: node.ply,
        by: node.by,
        weight: node.visits,
        kind: worthKind(node.score),
        reduced: false,
        again: false,
        extended: false,
        value: node.score,
        bound: "exact",
      };
    })
    .map(linked);
}

function worthKind(score: Score): KindName {
  if ("win_in" in score) return "win";
  if ("loss_in" in score) return "loss";
  if ("margin" in score) return score.margin > 0 ? "win" : score.margin < 0 ? "loss" : "draw";
  const points = "expected" in score ? (score.expected + 1) / 2 : 0.5;
  if (points >= 0.7) return "strong";
  if (points <= 0.3) return "weak";
  return points > 0.53 ? "good" : points < 0.47 ? "poor" : "even";
}

/** From the root to a node. */
export function pathOf(tree: { parent?: number | null }[], id: number): number[] {
  const path = [id];
  for (let at = tree[id]?.parent; at !== undefined && at !== null; at = tree[at]?.parent) path.push(at);
  return path.reverse();
}

/** The moves from the root to a node. */
export function movesOf(tree: ShownTree, id: number): string[] {
  return pathOf(tree, id)
    .slice(1)
    .map((node) => tree[node]!.move);
}

/** The node at the end of some moves, or the last one on the way that is in this tree. */
export function find(tree: ShownTree, moves: string[]): number {
  let at = 0;
  for (const move of moves) {
    const next = tree[at]?.children.find((child) => tree[child]!.move === move);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** Whether an entry of the legend speaks of a node. */
export function isOf(node: ShownNode, name: LegendName): boolean {
  return name === "reduced" || name === "again" || name === "extended" ? node[name] : node.kind === name;
}

/** How many nodes each entry of the legend speaks of; those of which there are none are absent. */
export function legendCounts(tree: ShownTree): Map<LegendName, number> {
  const counts = new Map<LegendName, number>();
  const more = (name: LegendName) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const ahead = tree.length > 0 ? [0] : [];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = tree[id]!;
    more(node.kind);
    for (const mark of ["reduced", "again", "extended"] as const) if (node[mark]) more(mark);
    ahead.push(...node.children);
  }
  return counts;
}

/** Where a key leads from a node; null if the key does not walk through the tree. */
export function walk(tree: ShownTree, id: number, key: string): number | null {
  const node = tree[id];
  if (!node) return null;
  if (key === "Home") return 0;
  if (key === "ArrowUp") return node.parent ?? id;
  if (key === "ArrowDown") return node.children[0] ?? id;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const siblings = node.parent === null ? [id] : tree[node.parent]!.children;
  return siblings[siblings.indexOf(id) + (key === "ArrowLeft" ? -1 : 1)] ?? id;
}
