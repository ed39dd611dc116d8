import type { Player } from "../api/types";
import { MOST_SIGN } from "./marks";

/** A move tree with variations and comments. It is never changed in place, so that the page can compare. */
export interface Tree {
  nodes: Record<number, TreeNode>;
  next: number;
}

export interface TreeNode {
  id: number;
  parent: number | null;
  /** The first child is the main line. */
  children: number[];
  move: string;
  text: string;
  player: Player;
  comment: string;
  /** Numeric annotation glyphs; analyses that were kept before there were any have none. */
  marks?: number[];
}

export interface TreeMove {
  move: string;
  text: string;
  player: Player;
}

export const ROOT = 0;

export function emptyTree(): Tree {
  const root: TreeNode = { id: ROOT, parent: null, children: [], move: "", text: "", player: 0, comment: "" };
  return { nodes: { [ROOT]: root }, next: 1 };
}

export function node(tree: Tree, id: number): TreeNode {
  const found = tree.nodes[id];
  if (!found) throw new Error(`no node ${id} in the tree`);
  return found;
}

/** Adds a move after a node, or finds it if it is there already. */
export function addMove(tree: Tree, at: number, { move, text, player }: TreeMove): [Tree, number] {
  const parent = node(tree, at);
  const known = parent.children.find((child) => node(tree, child).move === move);
  if (known !== undefined) return [tree, known];
  const id = tree.next;
  const child: TreeNode = { move, text, player, id, parent: at, children: [], comment: "" };
  const nodes = { ...tree.nodes, [at]: { ...parent, children: [...parent.children, id] }, [id]: child };
  return [{ nodes, next: id + 1 }, id];
}

/** Adds several moves one after the other; the answer's number is the last one's. */
export function addLine(tree: Tree, at: number, moves: TreeMove[]): [Tree, number] {
  return moves.reduce<[Tree, number]>(([grown, last], move) => addMove(grown, last, move), [tree, at]);
}

/** The nodes from the first move to this one, without the root. */
export function pathTo(tree: Tree, id: number): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at = node(tree, id); at.parent !== null; at = node(tree, at.parent)) path.push(at);
  return path.reverse();
}

/** The line through a node: the way to it, then first children to the end. */
export function lineThrough(tree: Tree, id: number): TreeNode[] {
  const line = pathTo(tree, id);
  let at = node(tree, id);
  while (at.children.length > 0) {
    at = node(tree, at.children[0]!);
    line.push(at);
  }
  return line;
}

/** A tree with nothing but the line through a node, without what is said about it. */
export function onlyLine(tree: Tree, id: number): Tree {
  return addLine(emptyTree(), ROOT, lineThrough(tree, id))[0];
}

export function setComment(tree: Tree, id: number, comment: string): Tree {
  return { ...tree, nodes: { ...tree.nodes, [id]: { ...node(tree, id), comment } } };
}

/** Gives a move a mark, or takes it away if it has it; a move has one sign of praise or blame at most. */
export function toggleMark(tree: Tree, id: number, mark: number): Tree {
  const here = node(tree, id);
  const others = (here.marks ?? []).filter((other) => other > MOST_SIGN);
  const marks = here.marks?.includes(mark) ? others : [mark, ...others];
  return { ...tree, nodes: { ...tree.nodes, [id]: { ...here, marks } } };
}

/** Makes a node the main line at the place where it branches off. */
export function promote(tree: Tree, id: number): Tree {
  let at = node(tree, id);
  while (at.parent !== null && node(tree, at.parent).children[0] === at.id) at = node(tree, at.parent);
  if (at.parent === null) return tree;
  const parent = node(tree, at.parent);
  const children = [at.id, ...parent.children.filter((child) => child !== at.id)];
  return { ...tree, nodes: { ...tree.nodes, [parent.id]: { ...parent, children } } };
}

/** Takes a node and all that follows out of the tree; the answer's number is where to stand then. */
export function remove(tree: Tree, id: number): [Tree, number] {
  const gone = node(tree, id);
  if (gone.parent === null) return [tree, ROOT];
  const nodes = { ...tree.nodes };
  const waiting = [id];
  while (waiting.length > 0) {
    const at = waiting.pop()!;
    waiting.push(...(nodes[at]?.children ?? []));
    delete nodes[at];
  }
  const parent = node(tree, gone.parent);
  nodes[parent.id] = { ...parent, children: parent.children.filter((child) => child !== id) };
  return [{ ...tree, nodes }, parent.id];
}

/** How much a tree holds that one of its lines does not: other variations, comments and marks. */
export function besides(tree: Tree, line: TreeNode[]) {
  const within = new Set([ROOT, ...line.map(({ id }) => id)]);
  const all = Object.values(tree.nodes);
  return {
    // A variation begins where a move leaves the line, or another variation.
    variations: all.filter(
      ({ id, parent }) =>
        parent !== null && !within.has(id) && (within.has(parent) || tree.nodes[parent]!.children[0] !== id),
    ).length,
    comments: all.filter(({ comment }) => comment !== "").length,
    marks: all.reduce((sum, { marks = [] }) => sum + marks.length, 0),
  };
}

/** Whether there is more in a tree than a line of moves: variations, comments or signs. */
export function hasWork(tree: Tree): boolean {
  return Object.values(tree.nodes).some(
    ({ children, comment, marks }) => children.length > 1 || comment !== "" || (marks?.length ?? 0) > 0,
  );
}

/** A branch of a tree as text shows it: a run of moves, with the side lines that leave it after each. */
export interface Run {
  moves: RunMove[];
}

interface RunMove {
  node: TreeNode;
  /** The turn that it belongs to, counted from 1: all that a player does in a row. */
  turn: number;
  /** Whether the turn begins with it. */
  opens: boolean;
  sides: Run[];
}

/** Splits the tree below a node into runs, for a list of moves; `turn` is the one before. */
export function runFrom(tree: Tree, first: number, turn = 0): Run {
  const run: Run = { moves: [] };
  let at: TreeNode | undefined = node(tree, first);
  let before = turn;
  let siblings: number[] = [];
  while (at) {
    const opens = before === 0 || node(tree, at.parent!).player !== at.player;
    const sides = siblings.map((side) => runFrom(tree, side, before));
    run.moves.push({ node: at, turn: opens ? before + 1 : before, opens, sides });
    before = opens ? before + 1 : before;
    const [next, ...others]: number[] = at.children;
    siblings = others;
    at = next === undefined ? undefined : node(tree, next);
  }
  return run;
}
