/** Reviews of games. */

import type { Player, Score } from "./types";

/** From which loss on a move is called what: shares of the winning chance, or pieces where games end by counting. */
export type Faults = Record<Fault, number> & {
  /** What a piece less counts; null where losses are chances. */
  piece: number | null;
};

/** How a turn that gave something away is called. */
export type Fault = "inaccuracy" | "mistake" | "blunder";

/** A reviewed game, or as much of it as has been reviewed. */
export interface Review {
  /** What losses are counted in, where they are no chances. */
  unit: string;
  moves: string[];
  /** What the position after so many moves is worth, where it is known. */
  values: (ReviewValue | null)[];
  turns: ReviewedTurn[];
  sides: [ReviewedSide, ReviewedSide];
}

/** What a position is worth, as the first player sees it. */
export interface ReviewValue {
  score: Score;
  chance: number;
  wdl?: [number, number, number];
  eval: string;
}

export interface ReviewedTurn {
  /** How many moves were played before the turn, and how many up to its end. */
  from: number;
  to: number;
  player: Player;
  /** As lists of moves have it: `12.` or `12…`. */
  number: string;
  played: string[];
  phase: string | null;
  forced: boolean;
  loss: number;
  units: number | null;
  mark: Fault | null;
  /** What was given away, and what would have been best. */
  words: string | null;
  advice: string | null;
  best: MoveLine;
  reply: MoveLine;
}

/** Moves that follow each other, as people write them and as programs exchange them. */
export interface MoveLine {
  text: string[];
  plain: string[];
}

export interface ReviewedSide {
  /** The mean accuracy, in hundredths. */
  accuracy: number | null;
  phases: { phase: string; accuracy: number; turns: number }[];
  /** How many inaccuracies, mistakes and blunders. */
  marks: [number, number, number];
}
