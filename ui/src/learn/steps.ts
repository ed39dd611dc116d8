import type { Explanation } from "../api/textbook";
import type { Score } from "../api/types";

/** One step of a recorded search, in the order in which things happen. */
export type Step =
  | { kind: "enter"; node: number }
  | { kind: "leaf"; node: number }
  /** A child's value came back to its parent. */
  | { kind: "back"; node: number; child: number; better: boolean }
  | { kind: "cutoff"; node: number }
  | { kind: "end"; node: number };

/** A number by which scores of one game can be compared. */
export function rank(score: Score): number {
  if ("win_in" in score) return 1e7 - score.win_in;
  if ("loss_in" in score) return score.loss_in - 1e7;
  if ("margin" in score) return Math.sign(score.margin) * 1e6 + score.margin;
  if ("expected" in score) return 1000 * score.expected;
  return score.centi;
}

export function stepsOf({ nodes }: Explanation): Step[] {
  const steps: Step[] = [];
  const visit = (id: number) => {
    const node = nodes[id]!;
    steps.push({ kind: "enter", node: id });
    if (node.leaf) {
      steps.push({ kind: "leaf", node: id });
      return;
    }
    let best = Number.NEGATIVE_INFINITY;
    for (const child of node.children) {
      visit(child);
      // A child's value stands in the view of who moved there: the player of this node.
      const value = rank(nodes[child]!.value);
      steps.push({ kind: "back", node: id, child, better: value > best });
      best = Math.max(best, value);
    }
    if (node.pruned && node.pruned.length > 0) steps.push({ kind: "cutoff", node: id });
  };
  if (nodes.length > 0) {
    visit(0);
    steps.push({ kind: "end", node: 0 });
  }
  return steps;
}

/** What is known after some steps. */
export interface Progress {
  /** Nodes that were entered. */
  seen: Set<number>;
  /** Nodes whose value is known. */
  done: Set<number>;
  /** Nodes whose remaining moves were cut off. */
  cut: Set<number>;
  /** The child with the best value so far of each node. */
  best: Map<number, number>;
  /** The nodes from the root to where the search stands. */
  path: number[];
}

export function progressAt(steps: Step[], count: number): Progress {
  const progress: Progress = { seen: new Set(), done: new Set(), cut: new Set(), best: new Map(), path: [] };
  for (const step of steps.slice(0, count)) {
    if (step.kind === "enter") {
      progress.seen.add(step.node);
      progress.path.push(step.node);
    } else if (step.kind === "back") {
      progress.done.add(step.child);
      progress.path.splice(progress.path.indexOf(step.node) + 1);
      if (step.better) progress.best.set(step.node, step.child);
    } else if (step.kind === "cutoff") progress.cut.add(step.node);
    else progress.done.add(step.node);
  }
  return progress;
}

/** The next or previous cutoff from a place in the steps; the answer counts the steps up to and including it. */
export function nextCutoff(steps: Step[], count: number, direction: 1 | -1): number | null {
  const places = steps.flatMap((step, index) => (step.kind === "cutoff" ? [index + 1] : []));
  const found =
    direction === 1 ? places.find((place) => place > count) : places.findLast((place) => place < count);
  return found ?? null;
}
