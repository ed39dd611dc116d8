/** Searches, their options and networks, and what they say. */

import type { Score } from "./types";

/** What an option is, beyond its values: a word, or what a unit of it costs. */
export type Attribute = string | { memory: { bytes: number } } | { deaf: { nanoseconds: number } };

export interface OptionInfo {
  name: string;
  kind: "bool" | "int" | "float" | "text" | "file" | "choice";
  default: unknown;
  min?: number | null;
  max?: number | null;
  choices?: string[] | null;
  help: string;
  /** The title of the options that it stands among. */
  group?: string;
  attributes?: Attribute[];
  value?: unknown;
}

export interface SearchInfo {
  name: string;
  /** What it is called for people who know no searches by name. */
  title: string;
  /** Whether it is there to be studied or compared. */
  for_experts: boolean;
  summary: string;
  usual?: boolean;
  /** Whether there is a tree to watch. */
  shows_tree?: boolean;
  counts_playouts?: boolean;
  options: OptionInfo[];
}

/** A network that the server has found, and the engine that searches with it. */
export interface NetworkInfo {
  name: string;
  search: string;
  options: Record<string, string>;
}

/** What a network alone says of a position, for the player to move. */
export interface Opinion {
  /** The file, and what runs it. */
  network: string;
  /** The chances to win, to draw and to lose. */
  wdl: [number, number, number];
  /** In hundredths of the game's unit. */
  score: number;
  /** How many plies the game will still last. */
  moves_left?: number;
  /** By how much the game will be won. */
  margin?: number;
  /** The legal moves, best first. */
  policy: PolicyMove[];
  /** Whose the cells will be: from -1 for the opponent to 1. */
  ownership?: { cell: string; value: number }[];
}

export interface PolicyMove {
  move: string;
  text: string;
  probability: number;
  from: string | null;
  to: string | null;
}

export interface Limit {
  nodes?: number;
  seconds?: number;
  depth?: number;
  infinite?: boolean;
}

/** How strong a level is: in Elo, or in points over the weakest level of its game. */
export interface Rating {
  value: number;
  error: number;
  scale: "elo" | "points";
}

export interface Level {
  level: number;
  name: string;
  rating?: Rating;
  search: string;
  options?: Record<string, unknown>;
  limit?: Limit;
}

export interface ReportLine {
  score: Score;
  bound?: "lower" | "upper" | "at_least" | "at_most" | string;
  visits?: number;
  nodes?: number;
  prior?: number;
  q?: number;
  u?: number;
  wdl?: [number, number, number];
  moves: string[];
  moves_plain?: string[];
}

export interface Report {
  depth: number;
  selective_depth: number;
  seconds: number;
  nodes_per_second: number;
  nodes: number;
  table_permille?: number;
  lines: ReportLine[];
  best_move?: string;
  stopped?: string;
}
