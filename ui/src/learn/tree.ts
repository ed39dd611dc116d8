/** A node as the picture of a tree needs it. */
export interface TreeNode {
  /** The move that led here; empty at the root. */
  played: string;
  /** Who moves here; empty where nobody has looked further. */
  to_move: string;
  children: number[];
  /** Moves that were not looked at. */
  pruned?: string[];
}

/** The parent of each node; the root has none. */
export function parentsOf(nodes: TreeNode[]): (number | null)[] {
  const parents: (number | null)[] = nodes.map(() => null);
  nodes.forEach((node, id) => {
    for (const child of node.children) parents[child] = id;
  });
  return parents;
}

/** The moves from the root to a node. */
export function movesTo(nodes: TreeNode[], parents: (number | null)[], id: number): string[] {
  const moves: string[] = [];
  for (let at: number | null = id; at !== null && parents[at] !== null; at = parents[at]!) {
    moves.push(nodes[at]!.played);
  }
  return moves.reverse();
}
