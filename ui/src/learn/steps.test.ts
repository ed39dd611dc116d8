import { describe, expect, it } from "vitest";
import type { Explanation } from "../api/textbook";
import { layout } from "./layout";
import { nextCutoff, progressAt, stepsOf } from "./steps";
import { movesTo, parentsOf } from "./tree";

// The root's first move is worth 3; its second is refuted by the first reply, so the other reply is cut off.
const explanation: Explanation = {
  counters: { nodes: 4, leaves: 2 },
  nodes: [
    { played: "", to_move: "X", children: [1, 2], value: { centi: 3 }, bound: "exact" },
    { played: "a1", to_move: "O", children: [], value: { centi: 3 }, bound: "exact", leaf: "evaluated" },
    { played: "b1", to_move: "O", children: [3], value: { centi: 1 }, bound: "at_most", pruned: ["c1"] },
    { played: "a2", to_move: "X", children: [], value: { centi: -1 }, bound: "exact", leaf: "evaluated" },
  ],
};

describe("steps of a search", () => {
  const steps = stepsOf(explanation);
  it("come in the order of the search", () => {
    expect(steps.map((step) => `${step.kind} ${step.node}`)).toEqual([
      "enter 0",
      "enter 1",
      "leaf 1",
      "back 0",
      "enter 2",
      "enter 3",
      "leaf 3",
      "back 2",
      "cutoff 2",
      "back 0",
      "end 0",
    ]);
  });
  it("know the best move and where the search stands", () => {
    const inside = progressAt(steps, 6);
    expect(inside.path).toEqual([0, 2, 3]);
    expect(inside.best.get(0)).toBe(1);
    const end = progressAt(steps, steps.length);
    expect([...end.done].sort()).toEqual([0, 1, 2, 3]);
    expect(end.best.get(0)).toBe(1);
    expect(end.path).toEqual([0]);
  });
  it("find cutoffs", () => {
    expect(nextCutoff(steps, 0, 1)).toBe(9);
    expect(nextCutoff(steps, 9, 1)).toBeNull();
    expect(nextCutoff(steps, 11, -1)).toBe(9);
  });
  it("find the way to a node, and places that do not overlap", () => {
    expect(movesTo(explanation.nodes, parentsOf(explanation.nodes), 3)).toEqual(["b1", "a2"]);
    const { nodes, stubs } = layout(explanation.nodes, 60, 90);
    expect(nodes[3]!.y).toBe(180);
    expect(nodes[1]!.x).toBeLessThan(nodes[2]!.x);
    expect(stubs.get(2)).toHaveLength(1);
  });
});
