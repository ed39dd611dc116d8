import type { ShownTree } from "./tree";

/** A block of the picture; `x` and `width` are in pixels, `row` counts from the node that fills the whole width. */
export interface Block {
  node: number;
  x: number;
  width: number;
  row: number;
}

/** Nodes side by side that are too narrow to be drawn one by one. */
export interface Crowd {
  x: number;
  width: number;
  row: number;
  count: number;
}

export interface Icicle {
  blocks: Block[];
  crowds: Crowd[];
  rows: number;
}

export type Scale = "linear" | "root";

/** Narrower blocks cannot be seen. */
const NARROWEST = 1.5;

/**
 * Parents above their children, each child as wide as its share of the parent's work. What the parent did besides stays empty.
 * Square roots make small nodes visible beside large ones.
 */
export function icicle(tree: ShownTree, top: number, width: number, scale: Scale): Icicle {
  const blocks: Block[] = [];
  const crowds: Crowd[] = [];
  const size = scale === "linear" ? (weight: number) => weight : Math.sqrt;
  const place = (id: number, x: number, room: number, row: number): number => {
    const node = tree[id]!;
    blocks.push({ node: id, x, width: room, row });
    if (node.children.length === 0) return row + 1;
    const sizes = node.children.map((child) => size(Math.max(tree[child]!.weight, 0)));
    const below = node.children.reduce((sum, child) => sum + Math.max(tree[child]!.weight, 0), 0);
    const all = sizes.reduce((sum, one) => sum + one, size(Math.max(0, node.weight - below)));
    let rows = row + 2;
    let left = x;
    let crowd: Crowd | null = null;
    node.children.forEach((child, index) => {
      const wide = all > 0 ? (room * sizes[index]!) / all : 0;
      if (wide >= NARROWEST) {
        rows = Math.max(rows, place(child, left, wide, row + 1));
        crowd = null;
      } else if (crowd) {
        crowd.width += wide;
        crowd.count += 1;
      } else {
        crowd = { x: left, width: wide, row: row + 1, count: 1 };
        crowds.push(crowd);
      }
      left += wide;
    });
    return rows;
  };
  const rows = tree[top] ? place(top, 0, width, 0) : 0;
  return { blocks, crowds, rows };
}

/** The block at a point of the picture. */
export function blockAt({ blocks }: Icicle, x: number, row: number): Block | null {
  return blocks.find((block) => block.row === row && x >= block.x && x < block.x + block.width) ?? null;
}
