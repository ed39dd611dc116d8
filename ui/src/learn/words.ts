import type { ExplainedNode, Explanation } from "../api/textbook";
import type { Score, ScoreStyle } from "../api/types";
import { scoreText } from "../lib/format";
import { rank, type Step } from "./steps";

/** The textbook searches, in the order in which they are offered. */
export const SEARCHES = {
  alphabeta: "Alpha-beta",
  negamax: "Negamax",
  minimax: "Minimax",
  uct: "UCT",
  flat: "Flat Monte Carlo",
};
export const plies = (count: number) => (count === 1 ? "1 ply" : `${count} plies`);
export const tryLess = (search: string) =>
  search === "alphabeta" ? "Try less depth." : "Try less depth, or alpha-beta.";

/** A bound of a window; null is infinity. */
export function boundText(score: Score | null, sign: "−" | "+", style: ScoreStyle): string {
  return score === null ? `${sign}∞` : scoreText(score, style);
}

export function windowText(node: Pick<ExplainedNode, "window">, style: ScoreStyle): string {
  if (!node.window) return "";
  return `[${boundText(node.window[0], "−", style)}, ${boundText(node.window[1], "+", style)}]`;
}

export function valueText(node: Pick<ExplainedNode, "value" | "bound">, style: ScoreStyle): string {
  const sign = { exact: "", at_most: "≤", at_least: "≥" }[node.bound];
  return sign + scoreText(node.value, style);
}

/** A step in a sentence or two, at a student's pace. */
export function stepWords(
  explanation: Explanation,
  step: Step,
  parent: number | null,
  style: ScoreStyle,
): string {
  const node = explanation.nodes[step.node]!;
  const mover = node.to_move;
  switch (step.kind) {
    case "enter": {
      const window = node.window ? ` The window for ${mover} is ${windowText(node, style)}.` : "";
      if (parent === null) return `The search begins. ${mover} moves.${window}`;
      return `${explanation.nodes[parent]!.to_move} tries ${node.played}. ${mover} moves next.${window}`;
    }
    case "leaf": {
      const who = parent === null ? mover : explanation.nodes[parent]!.to_move;
      const value = scoreText(node.value, style);
      return node.leaf === "game over"
        ? `The game is over here. For ${who} that is worth ${value}.`
        : `Deep enough: the position is estimated. For ${who} it is worth ${value}.`;
    }
    case "back": {
      const child = explanation.nodes[step.child]!;
      const value = valueText(child, style);
      if (step.better) return `${child.played} is worth ${value} for ${mover}: the best so far.`;
      const bound =
        child.bound === "at_most" ? " It can be no better than what is known, which is all we need." : "";
      return `${child.played} is worth ${value} for ${mover}: no better than before.${bound}`;
    }
    case "cutoff": {
      const opponent = parent === null ? "the opponent" : explanation.nodes[parent]!.to_move;
      const beta = node.window ? boundText(node.window[1], "+", style) : "";
      const best = Math.max(...node.children.map((child) => rank(explanation.nodes[child]!.value)));
      const found = node.children.find((child) => rank(explanation.nodes[child]!.value) === best)!;
      const value = scoreText(explanation.nodes[found]!.value, style);
      const cut = (node.pruned ?? []).join(", ");
      return `Cutoff! ${mover} has ${value} here, not less than beta, ${beta}. So ${opponent} will avoid this position, and ${cut} need not be looked at.`;
    }
    case "end": {
      const best = explanation.nodes.length > 1 ? bestOf(explanation) : null;
      return `Done: ${valueText(node, style)} for ${mover}${best ? `, by ${best}` : ""}.`;
    }
  }
}

function bestOf({ nodes }: Explanation): string | null {
  const root = nodes[0]!;
  const same = root.children.find(
    (child) => JSON.stringify(nodes[child]!.value) === JSON.stringify(root.value),
  );
  return same === undefined ? null : nodes[same]!.played;
}
