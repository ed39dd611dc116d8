import { describe, expect, it } from "vitest";
import { layout, middleOf } from "./layout";

const leaf = { played: "", to_move: "", children: [] };

describe("the picture of a tree", () => {
  it("has parents over the middle of their children", () => {
    const nodes = [{ ...leaf, children: [1, 2, 3] }, leaf, leaf, { ...leaf, children: [4] }, leaf];
    const { nodes: placed, width } = layout(nodes, 10, 20);
    expect(placed.map(({ x, y }) => [x, y])).toEqual([
      [15, 0],
      [5, 20],
      [15, 20],
      [25, 20],
      [25, 40],
    ]);
    expect(width).toBe(35);
  });
  it("shows two nodes at once if there is room for them and some more", () => {
    const [one, two] = [
      { x: 500, y: 0 },
      { x: 100, y: 118 },
    ];
    expect(middleOf(one, two, 600)).toBe(300);
    expect(middleOf(one, two, 420)).toBeNull();
    expect(middleOf(one, one, 200)).toBe(500);
  });
});
