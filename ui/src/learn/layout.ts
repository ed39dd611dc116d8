import type { TreeNode } from "./tree";

export interface Placed {
  x: number;
  y: number;
}

export interface Layout {
  nodes: Placed[];
  /** Where the moves that were cut off would hang, by node. */
  stubs: Map<number, Placed[]>;
  width: number;
  height: number;
}

/** The room that a node needs on each side to be recognised. */
const BESIDE = 60;

/** The middle between two places, if a window of some width shows both; null if they are too far apart. */
export function middleOf(one: Placed, other: Placed, width: number): number | null {
  return Math.abs(one.x - other.x) + 2 * BESIDE <= width ? (one.x + other.x) / 2 : null;
}

/** A tree drawn the simple way: leaves side by side, parents over the middle of their children. */
export function layout(nodes: TreeNode[], stepX: number, stepY: number): Layout {
  const placed: Placed[] = nodes.map(() => ({ x: 0, y: 0 }));
  const stubs = new Map<number, Placed[]>();
  let next = stepX / 2;
  let deepest = 0;
  const place = (id: number, depth: number) => {
    const node = nodes[id]!;
    const y = depth * stepY;
    deepest = Math.max(deepest, depth);
    for (const child of node.children) place(child, depth + 1);
    const ends = node.children.map((child) => placed[child]!.x);
    if (node.pruned && node.pruned.length > 0) {
      const hanging = node.pruned.map(() => {
        const x = next - stepX / 4;
        next += stepX / 2;
        return { x, y: y + stepY * 0.62 };
      });
      stubs.set(id, hanging);
      ends.push(hanging.at(-1)!.x);
    }
    if (ends.length === 0) {
      placed[id] = { x: next, y };
      next += stepX;
    } else placed[id] = { x: (ends[0]! + ends.at(-1)!) / 2, y };
  };
  if (nodes.length > 0) place(0, 0);
  return { nodes: placed, stubs, width: next, height: (deepest + 1) * stepY };
}
