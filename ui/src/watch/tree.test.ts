import { describe, expect, it } from "vitest";
import { blockAt, icicle } from "./icicle";
import { iterationRecord, snapshotRecord, visitAt } from "./sample";
import { find, iterationTree, legendCounts, movesOf, pathOf, snapshotTree, visitOrder, walk } from "./tree";

const record = iterationRecord([
  ["", null, [visitAt(0, 100)]],
  ["e4", 0, [visitAt(1, 60, { value: { centi: -30 } })]],
  ["e5", 1, [visitAt(2, 20, { bound: "at_least", value: { centi: 5 } })]],
  ["c5", 1, [visitAt(4, 5, { ended: "table", bound: "at_most" })]],
  [
    "d4",
    0,
    [
      visitAt(6, 10, { reduction: 1, bound: "at_most", value: { centi: -9 } }),
      visitAt(8, 20, { ended: "null-move", bound: "at_least", value: { centi: 40 } }),
    ],
  ],
]);
const steps = visitOrder(record);
const whole = iterationTree(record, steps, null);

describe("the tree of an iteration", () => {
  it("colours nodes by their last visit and marks reductions and repeats", () => {
    expect(whole.map((node) => node.kind)).toEqual(["exact", "exact", "cutoff", "table", "null"]);
    expect(whole.filter((node) => node.reduced).map((node) => node.move)).toEqual(["d4"]);
    expect(whole.filter((node) => node.again).map((node) => node.move)).toEqual(["d4"]);
  });

  it("shows values as the player who made the move sees them", () => {
    expect(whole[1]).toMatchObject({ by: "White", value: { centi: 30 }, bound: "exact" });
    expect(whole[2]).toMatchObject({ by: "Black", value: { centi: -5 }, bound: "at_most" });
    expect(whole[0]).toMatchObject({ by: "White", value: { centi: 10 } });
  });

  it("does not turn the value where the same player moves again", () => {
    const turn = iterationRecord([
      ["", null, [visitAt(0, 3)]],
      ["a1", 0, [visitAt(1, 2, { value: { centi: 7 }, bound: "at_least" })]],
    ]);
    turn.tree[1]!.to_move = "White";
    expect(iterationTree(turn, visitOrder(turn), null)[1]).toMatchObject({
      value: { centi: 7 },
      bound: "at_least",
    });
  });

  it("grows in the order of the visits", () => {
    const moves = (count: number) => {
      const tree = iterationTree(record, steps, count);
      return tree.flatMap((node) => node.children.map((child) => tree[child]!.move));
    };
    expect(steps.map(({ node }) => node)).toEqual([0, 1, 2, 3, 4, 4]);
    expect(moves(1)).toEqual([]);
    expect(moves(3)).toEqual(["e4", "e5"]);
    expect(moves(5)).toEqual(["e4", "d4", "e5", "c5"]);
  });

  it("knows what is under way at a moment and what has been spent", () => {
    const tree = iterationTree(record, steps, 4);
    expect(tree.slice(0, 4).map((node) => node.kind)).toEqual(["open", "open", "cutoff", "open"]);
    expect(tree[1]!.weight).toBe(21);
    const later = iterationTree(record, steps, 5);
    expect(later[1]).toMatchObject({ kind: "exact", weight: 60 });
    expect(later[0]!.weight).toBe(61);
  });

  it("is empty where the record is", () => {
    expect(iterationTree(iterationRecord([]), [], null)).toEqual([]);
  });
});

describe("the tree of a snapshot", () => {
  it("colours moves by what they are worth", () => {
    const snapshot = snapshotRecord(1, [1, 1, 1, 1]);
    snapshot.tree[1]!.score = { win_in: 3 };
    snapshot.tree[2]!.score = { expected: -0.9 };
    snapshot.tree[3]!.score = { margin: 0 };
    snapshot.tree[4]!.score = { expected: 0.01 };
    expect(snapshotTree(snapshot).map((node) => node.kind)).toEqual(["even", "win", "weak", "draw", "even"]);
  });
});

describe("ways through a tree", () => {
  it("finds a node by its moves, or the nearest on the way", () => {
    expect(find(whole, ["e4", "c5"])).toBe(3);
    expect(find(whole, ["e4", "Nf6"])).toBe(1);
    expect(find(whole, ["h3"])).toBe(0);
    expect(movesOf(whole, 3)).toEqual(["e4", "c5"]);
    expect(pathOf(whole, 3)).toEqual([0, 1, 3]);
  });

  it("walks by keys and stays where there is no way", () => {
    expect(walk(whole, 0, "ArrowDown")).toBe(1);
    expect(walk(whole, 1, "ArrowRight")).toBe(4);
    expect(walk(whole, 4, "ArrowRight")).toBe(4);
    expect(walk(whole, 4, "ArrowLeft")).toBe(1);
    expect(walk(whole, 3, "ArrowUp")).toBe(1);
    expect(walk(whole, 3, "ArrowDown")).toBe(3);
    expect(walk(whole, 3, "Home")).toBe(0);
    expect(walk(whole, 3, "x")).toBeNull();
    expect(walk([], 0, "ArrowDown")).toBeNull();
  });

  it("counts what the legend speaks of, seen nodes only", () => {
    expect(Object.fromEntries(legendCounts(whole))).toEqual({
      exact: 2,
      cutoff: 1,
      table: 1,
      null: 1,
      reduced: 1,
      again: 1,
    });
    expect(legendCounts(iterationTree(record, steps, 2)).get("open")).toBe(2);
    expect(legendCounts([]).size).toBe(0);
  });
});

describe("the picture", () => {
  it("gives each node its share and leaves the rest empty", () => {
    const { blocks, rows } = icicle(whole, 0, 1000, "linear");
    const width = Object.fromEntries(blocks.map((block) => [whole[block.node]!.move, block.width]));
    expect(width).toEqual({ "": 1000, e4: 600, e5: 200, c5: 50, d4: 300 });
    expect(rows).toBe(3);
    const last = blocks.find((block) => block.node === 4)!;
    expect(last.x).toBe(600);
  });

  it("makes small nodes wider with square roots, within the parent", () => {
    const { blocks } = icicle(whole, 0, 1000, "root");
    const small = blocks.find((block) => block.node === 3)!;
    expect(small.width).toBeGreaterThan(50);
    const [parent, ...children] = [1, 2, 3].map((node) => blocks.find((block) => block.node === node)!);
    const sum = children.reduce((all, child) => all + child.width, 0);
    expect(sum).toBeLessThanOrEqual(parent!.width + 1e-9);
  });

  it("zooms into a node", () => {
    const { blocks, rows } = icicle(whole, 1, 1000, "linear");
    expect(blocks.map((block) => block.node)).toEqual([1, 2, 3]);
    expect(blocks[0]).toEqual({ node: 1, x: 0, width: 1000, row: 0 });
    expect(rows).toBe(2);
  });

  it("draws nodes together that are too narrow alone", () => {
    const many = snapshotTree(
      snapshotRecord(
        1,
        Array.from({ length: 500 }, () => 1),
      ),
    );
    const { blocks, crowds } = icicle(many, 0, 300, "linear");
    expect(blocks).toHaveLength(1);
    expect(crowds).toHaveLength(1);
    expect(crowds[0]!.count).toBe(500);
  });

  it("knows which block is under a point", () => {
    const plan = icicle(whole, 0, 1000, "linear");
    expect(blockAt(plan, 700, 1)?.node).toBe(4);
    expect(blockAt(plan, 950, 1)).toBeNull();
    expect(blockAt(plan, 10, 9)).toBeNull();
  });
});
