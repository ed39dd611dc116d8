import type { IterationRecord } from "./records";

/** What the shown part of a tree tells about one technique. */
export interface Saving {
  /** Visits on which it acted. */
  visits: number;
  /** Nodes that they cost all the same. */
  spent: number;
  /** Nodes that full searches of the same depth would have cost besides, as far as there are such searches to compare with. */
  saved: number | null;
}

/** Endings that stand for a technique, by the technique's counter. */
const BY_ENDING: Record<string, string> = {
  table: "table_cutoffs",
  "null-move": "null_move_cutoffs",
  "reverse-futility": "reverse_futility_cutoffs",
  razoring: "razorings",
  probcut: "probcut_cutoffs",
  "multi-cut": "multi_cuts",
};

/**
 * An estimate: each visit that a technique cut short is compared with the mean of the visits of the same iteration that were to be
 * searched as deep and were. Those of the expected line are left out of the mean: they are wider than any other. It speaks of the recorded
 * plies alone.
 */
export function savings({ tree }: IterationRecord): Map<string, Saving> {
  const full = new Map<number, { nodes: number; visits: number }>();
  const visits = tree.slice(1).flatMap((node) => node.visits);
  for (const visit of visits) {
    if (visit.ended !== "searched" || visit.bound === "exact" || (visit.reduction ?? 0) > 0) continue;
    const sum = full.get(visit.depth) ?? { nodes: 0, visits: 0 };
    full.set(visit.depth, { nodes: sum.nodes + visit.nodes, visits: sum.visits + 1 });
  }
  const usual = (depth: number) => {
    const sum = full.get(depth);
    return sum ? sum.nodes / sum.visits : null;
  };
  const found = new Map<string, Saving>();
  const note = (name: string, nodes: number, depth: number) => {
    const saving = found.get(name) ?? { visits: 0, spent: 0, saved: null };
    const mean = usual(depth);
    found.set(name, {
      visits: saving.visits + 1,
      spent: saving.spent + nodes,
      saved: mean === null ? saving.saved : (saving.saved ?? 0) + mean - nodes,
    });
  };
  for (const visit of visits) {
    const name = BY_ENDING[visit.ended];
    if (name) note(name, visit.nodes, visit.depth);
    else if ((visit.reduction ?? 0) > 0 && visit.ended !== "given-up") {
      note("reduced_moves", visit.nodes, visit.depth + visit.reduction!);
    }
  }
  for (const saving of found.values()) if (saving.saved !== null) saving.saved = Math.max(0, saving.saved);
  return found;
}
