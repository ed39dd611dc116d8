/** Why a node is coloured as it is. */
export interface Kind {
  name: string;
  /** One sentence for somebody who learns. */
  words: string;
}

export type KindName = keyof typeof KINDS;

export const KINDS = {
  exact: {
    name: "Exact",
    words:
      "The value lies inside the window, so it is the true one at this depth: these nodes are the line that is expected.",
  },
  cutoff: {
    name: "Cutoff",
    words:
      "A move turned out too good for the opponent to allow this position; the remaining moves were not looked at.",
  },
  low: {
    name: "Fail low",
    words: "No move reached alpha: whatever is played here, something known elsewhere is at least as good.",
  },
  table: {
    name: "Table",
    words: "The transposition table knew enough from an earlier search, so nothing was searched.",
  },
  null: { name: "Null move", words: "Even passing kept the value above beta, so a real move would too." },
  futility: {
    name: "Reverse futility",
    words: "The evaluation was so far above beta that the position was taken as too good, unsearched.",
  },
  razoring: {
    name: "Razoring",
    words: "The position looked hopeless, and playing out the noisy moves did not help.",
  },
  multicut: {
    name: "Multi-cut",
    words: "Several moves promised a cutoff in shallow searches, so one of them will do.",
  },
  horizon: {
    name: "Horizon",
    words: "Deep enough: the evaluation judged the position, as a rule after captures and other noisy moves.",
  },
  over: {
    name: "Game over",
    words: "The game has ended here, or the position has been on the board before.",
  },
  known: {
    name: "Known",
    words: "The result is certain: by heart, by the game's own knowledge or by a win that was proved.",
  },
  givenup: { name: "Given up", words: "Time or nodes ran out while this was searched; it has no value." },
  open: { name: "Under way", words: "The search is at or below this node at the chosen moment." },
  win: {
    name: "Certain win",
    words: "The player who makes this move wins by force: the tree has proved it.",
  },
  strong: {
    name: "Strong",
    words: "70 points of a hundred or more are expected for the player who makes the move.",
  },
  good: { name: "Good", words: "From 53 to 70 points of a hundred for the player who makes the move." },
  even: { name: "Even", words: "About half of the points for each: from 47 to 53 of a hundred." },
  poor: { name: "Poor", words: "From 30 to 47 points of a hundred for the player who makes the move." },
  weak: { name: "Weak", words: "30 points of a hundred or fewer for the player who makes the move." },
  loss: {
    name: "Certain loss",
    words: "The player who makes this move loses by force: the tree has proved it.",
  },
  draw: { name: "Certain draw", words: "The tree has proved that nobody wins after this move." },
} as const satisfies Record<string, Kind>;

/** What a node can be besides; drawn as a mark on the block. */
export type MarkName = keyof typeof MARKS;

export const MARKS = {
  reduced: {
    name: "Reduced",
    words:
      "Searched less deeply than usual, because the move came late or looked bad (late move reductions).",
  },
  again: {
    name: "Searched again",
    words:
      "Visited more than once: a reduced or narrow search was not enough, or the window at the root was moved.",
  },
  extended: { name: "Extended", words: "Searched deeper than usual, because the move forces matters." },
} as const satisfies Record<string, Kind>;

export type LegendName = KindName | MarkName;

const ENDINGS: Record<string, KindName> = {
  "game-over": "over",
  repetition: "over",
  foreseen: "known",
  known: "known",
  "mate-distance": "known",
  "forced-win": "known",
  table: "table",
  evaluated: "horizon",
  quiescence: "horizon",
  razoring: "razoring",
  "reverse-futility": "futility",
  probcut: "futility",
  "null-move": "null",
  "multi-cut": "multicut",
  "given-up": "givenup",
};

const BOUNDS: Record<string, KindName> = { at_least: "cutoff", at_most: "low" };

/** The kind of a visit: why it came back and, if its moves were tried, what the value is worth. */
export function visitKind(ended: string, bound: string): KindName {
  return ENDINGS[ended] ?? BOUNDS[bound] ?? "exact";
}

const ENDING_WORDS: Record<string, string> = {
  searched: "moves tried",
  "game-over": "game over",
  repetition: "repetition",
  foreseen: "end foreseen",
  known: "known by heart",
  table: "table",
  "mate-distance": "mate distance",
  "forced-win": "win by force",
  evaluated: "evaluation",
  quiescence: "noisy moves",
  razoring: "razoring",
  "reverse-futility": "reverse futility",
  "null-move": "null move",
  probcut: "ProbCut",
  "multi-cut": "multi-cut",
  "given-up": "given up",
};

/** Why a visit ended, short; an ending that a newer program knows is shown as it is. */
export function endingWords(ended: string): string {
  return ENDING_WORDS[ended] ?? ended;
}
