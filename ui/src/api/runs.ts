/** Runs of learning. */

import type { Player } from "./types";

/** A run in which a network learns a game. */
export interface RunSummary {
  name: string;
  game: string;
  /** What people call the game. */
  label: string;
  /** The newest generation whose network is there. */
  generation: number | null;
  /** Another number whenever there are more of its newest games. */
  games_bytes: number;
  /** Seconds since something was added to it. */
  quiet_seconds: number | null;
}

/** Figures as a run has written them: whatever it knows by then. */
export type Figures = Record<string, unknown>;

export interface Run extends RunSummary {
  version: string;
  settings: Record<string, string>;
  /** Whose networks are there. */
  generations: number[];
  /** Whose games are there. */
  played: number[];
  metrics: Figures[];
  ratings: Figures[];
}

/** A game of self-play. */
export interface RunGame {
  number: number;
  moves: string[];
  winner: Player | null;
  margin: number;
}
