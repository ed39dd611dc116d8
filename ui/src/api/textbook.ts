/** Searches of textbooks, step by step, and proofs. */

import type { Score } from "./types";

export interface Solution {
  result: "win" | "none" | "cut";
  line: string[][];
  turns: number;
  nodes: number;
}

export interface ExplainedNode {
  played: string;
  to_move: string;
  children: number[];
  window?: [Score | null, Score | null];
  value: Score;
  bound: "exact" | "at_most" | "at_least";
  leaf?: "game over" | "evaluated";
  pruned?: string[];
}

export interface Explanation {
  nodes: ExplainedNode[];
  counters: { nodes: number; leaves: number; [name: string]: unknown };
}

/** A Monte Carlo search, simulation by simulation; values are mean results from -1 to 1, each for who makes the move. */
export interface Simulations {
  to_move: string;
  /** The constant of the bounds; missing in a search without bounds. */
  exploration?: number;
  simulations: Simulation[];
  /** Every root move in the end, best first. */
  lines: { moves: string[]; visits: number; value?: number }[];
}

export interface Simulation {
  choices: SimulationChoice[];
  /** Empty if the choices have ended the game. */
  random_game: string[];
  result: string;
  /** What the result made of each chosen move. */
  backed_up: { reward: number; visits: number; value: number }[];
}

export interface SimulationChoice {
  by: string;
  /** Simulations that had come through the position before. */
  visits: number;
  candidates: SimulationCandidate[];
  /** An index into the candidates. */
  chosen: number;
}

export interface SimulationCandidate {
  move: string;
  visits: number;
  /** Missing until it was tried. */
  value?: number;
  bound?: number;
}
