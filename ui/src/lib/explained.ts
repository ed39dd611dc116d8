/** Nodes that a tree may have at the most to be followed step by step; the server gives up at 2000. */
const MOST_NODES = 1500;
/** Deeper trees are not easier to understand where few moves are legal. */
const MOST_DEPTH = 3;

/** How deep a textbook search can go where so many moves are legal, if none of them is pruned. */
export function explainedDepth(legalMoves: number): number {
  let depth = 1;
  while (depth < MOST_DEPTH && legalMoves ** (depth + 1) <= MOST_NODES) depth += 1;
  return depth;
}
