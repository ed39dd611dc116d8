import type { Exported, Imported, ToldMove } from "../api/types";
import { emptyTree, node, ROOT, type Tree, type TreeNode } from "./tree";

/** The tree that the server tells as a list. */
export function treeOf({ comment, tree }: Pick<Imported, "comment" | "tree">): Tree {
  // Built in place: a tree that is copied for each move takes too long for a file of thousands.
  const { nodes } = emptyTree();
  nodes[ROOT]!.comment = comment;
  tree.forEach(({ after, move, text, player, comment, marks }, place) => {
    const id = place + 1;
    nodes[id] = { id, parent: after, children: [], move, text, player, comment, marks };
    nodes[after]!.children.push(id);
  });
  return { nodes, next: tree.length + 1 };
}

/** A tree as the server wants it: each line to its end before the next one begins. */
export function listOf(tree: Tree): Pick<Exported, "comment" | "tree"> {
  const list: Omit<ToldMove, "text" | "player">[] = [];
  const waiting: [TreeNode, number][] = [];
  const wait = (at: TreeNode, number: number) => {
    for (const child of at.children.toReversed()) waiting.push([node(tree, child), number]);
  };
  wait(node(tree, ROOT), 0);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [at, after] = next;
    list.push({ after, move: at.move, comment: at.comment, marks: at.marks ?? [] });
    wait(at, list.length);
  }
  return { comment: node(tree, ROOT).comment, tree: list };
}
