/** The shapes that the server sends; see the server's OpenAPI description. */

import type { Faults, Review } from "./review";
import type { Limit } from "./search";

/** 0 is the player who moves first. */
export type Player = 0 | 1;

/** Boards that are drawn, and clicked on, in the same way. */
export type Family = "squares" | "discs" | "stones" | "drop";

/** The small picture of a game. */
export type IconName = { piece: string } | { stones: number } | "discs" | "crosses" | "drop";

export interface GameInfo {
  name: string;
  /** Other names that people may know it by. */
  aliases: string[];
  /** What people call it. */
  label: string;
  title: string;
  players: [string, string];
  variants: Variants;
  extension: string;
  icon: IconName;
  family: Family;
  columns: number;
  rows: number;
  examples: Example[];
}

export interface Variants {
  /** How they are asked for; empty if there are none. */
  help: string;
  /** What is played if nobody asks. */
  usual: string;
  /** Where people begin with one by lot: the variants are numbers below this. */
  lots: number | null;
  /** The numbers that a variant is made of, in their order. */
  dials: Dial[];
  /** What stands between these numbers. */
  joined_by: string;
}

/** A number that a variant is made of. */
export interface Dial {
  name: string;
  least: number;
  most: number;
  usual: number;
}

/** A position in which there is something to see, and the search that shows it. */
export interface Example {
  name: string;
  /** What there is to see, in a sentence. */
  aim: string;
  /** Whether somebody who is new should see it first. */
  featured: boolean;
  game: string;
  start: string | null;
  moves: string[];
  search: string;
}

/** What is the same in all positions of a game. */
export interface Style {
  /** The kinds of its pieces, in the order in which a board is set up with them. */
  kinds: PieceKind[];
  scores: ScoreStyle;
  /** What is shown of how the players stand: what one has more of, or how many pieces. */
  standing: "material" | "count" | null;
  /** Whether a player may have to pass. */
  passes: boolean;
  /** With so many empty cells or fewer, the rest of the game can be played out by a search. */
  endgame_cells: number | null;
}

export interface PieceKind {
  kind: string;
  name: string;
  worth: number;
}

/** How scores are written. */
export interface ScoreStyle {
  digits: number;
  unit: string;
  /** Whether moves of both players count as one. */
  full_moves: boolean;
}

export interface PlayedMove {
  player: Player;
  move: string;
  text: string;
}

export interface LegalMove {
  move: string;
  text: string;
  from: string | null;
  to: string | null;
  promotion: string | null;
  /** Other cells that mean the same move. */
  also: string[];
}

export interface Piece {
  cell: string;
  player: Player;
  kind: string;
}

export interface Outcome {
  winner: Player | null;
  text: string;
}

export interface Threats {
  windows: string[][];
  blocks: string[];
  count: number;
}

/** An opening's name, and its place in the classification of its game. */
export interface Opening {
  name: string;
  code: string | null;
}

export interface Position {
  game: string;
  /** What people call the game. */
  label: string;
  start: string | null;
  moves: PlayedMove[];
  position: string;
  to_move: Player;
  players: [string, string];
  /** The tags of game files that hold the names of the players. */
  player_tags: [string, string];
  stones_left: number | null;
  family: Family;
  columns: number;
  rows: number;
  /** Whether rows are counted from the top. */
  top_down: boolean;
  pieces: Piece[];
  legal: LegalMove[];
  last: string[];
  check: string | null;
  outcome: Outcome | null;
  threats: Threats | null;
  /** The rows that have won the game, each from one end to the other. */
  winning: string[][];
  opening: Opening | null;
  style: Style;
  /** How steeply a score becomes a winning chance, per hundredth of the game's unit. */
  steepness: number;
  faults: Faults;
  /** Whether wins by force can be asked for. */
  proves_wins: boolean;
}

/** A position that is put together by hand. */
export interface Draft {
  pieces: Piece[];
  to_move: Player;
  stones_left: number | null;
  /** What was chosen, by name. */
  switches: Record<string, boolean>;
}

/** Its text, and what else there is to choose. */
export interface Composed {
  position: string;
  choices: { title: string; switches: { name: string; on: boolean; enabled: boolean }[] } | null;
}

/** What identifies a position: a game, where it began and what was played. */
export interface Line {
  game: string;
  start: string | null;
  moves: string[];
}

/** A value; each names what it is. Values stand in the view of the player who moves in the searched position. */
export type Score =
  | { centi: number }
  | { win_in: number }
  | { loss_in: number }
  | { margin: number }
  | { expected: number };

export interface Clock {
  /** Milliseconds: at the start, added after a turn, and left. */
  base: number;
  increment: number;
  left: [number, number];
  running: Player | null;
}

export interface EngineSetup {
  level?: number | null;
  name?: string;
  /** A program in the place of a search. */
  program?: { id: string; name?: string };
  search?: string;
  options?: Record<string, unknown>;
  limit?: Limit;
}

export interface Game {
  id: string;
  created: string | number;
  version: number;
  human: Player | null;
  engines: (EngineSetup | null)[] | null;
  clock: Clock | null;
  thinking: boolean;
  paused?: boolean;
  /** How many of the moves were there when the game began. */
  given: number;
  position: Position;
  offer: null | "draw" | string;
  /** Why the engine did not take it. */
  declined: string | null;
  result: (Outcome & { on_time?: boolean }) | null;
}

export interface GameSummary {
  id: string;
  game: string;
  /** What people call the game. */
  label: string;
  created: string | number;
  moves: number;
  /** Where it began, and what was played. */
  start: string | null;
  line: string[];
  /** What the engines are called, by player; null for the person. */
  opponents: [string | null, string | null];
  outcome: Outcome | string | null;
  human: Player | null;
  paused: boolean;
}

/** What can be done in a game besides moves. */
export type GameAction = "takeback" | "resign" | "draw" | "pause" | "resume";

export interface NewGame {
  game: string;
  start?: string | null;
  /** Moves that were played before the game begins. */
  moves?: string[];
  human: Player | null;
  levels?: (number | null)[];
  engines?: (EngineSetup | null)[];
  clock: { seconds: number; increment: number } | null;
}

export interface Imported {
  game: string;
  start: string | null;
  moves: string[];
  /** How many games the file has. */
  count: number;
  /** What its first games are called, if there are several. */
  titles: string[];
  tags: Record<string, string>;
  comment: string;
  tree: ToldMove[];
  result: GameResult | null;
}

/** A move of a tree, which is told as a list: each line to its end before the next one begins, the main line first. */
export interface ToldMove {
  /** The number of the move that it follows, from 1; 0 for a first move. */
  after: number;
  move: string;
  text: string;
  player: Player;
  comment: string;
  /** Numeric annotation glyphs: 1 for !, 2 for ? and so on. */
  marks: number[];
}

export interface GameResult {
  winner: Player | null;
  margin?: number;
}

/** What goes into a game file. */
export interface Exported {
  game: string;
  start: string | null;
  tags: Record<string, string>;
  comment: string;
  tree: Omit<ToldMove, "text" | "player">[];
  result: GameResult | null;
  review?: Review | null;
  /** The review as a table, in the place of the game. */
  table?: boolean;
}

export interface StudySummary {
  id: string;
  title: string;
}
