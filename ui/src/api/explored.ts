/** What the opening explorer says. */

import type { Opening, Player, Score } from "./types";

/** How games went: won by the first player, drawn, won by the second, and those whose end is not known. */
export interface Tally {
  first: number;
  drawn: number;
  second: number;
  open: number;
}

/** What a book says of a move. */
export interface BookWord {
  book: string;
  /** How often it would play the move, from 0 to 1. */
  share: number;
  /** For whoever makes the move. */
  value?: Score;
  /** How games went for whoever made it. */
  won: number;
  drawn: number;
  lost: number;
}

export interface ExploredMove extends Tally {
  move: string;
  text: string;
  /** Other moves that are the same, because the position looks the same from several sides. */
  also: string[];
  /** What the position after it is called, if that is new. */
  opening: Opening | null;
  books: BookWord[];
}

/** A game that came to a position: one of the server's, a saved analysis, or a game of a file by its number. */
export interface GameBehind {
  kind: "game" | "study" | "file";
  id: string;
  number?: number;
  title: string;
  /** The player who won; null where that is not known. */
  result: Player | "draw" | null;
  /** The move that was played in the position. */
  text: string;
}

/** What was played from a position, and what books and names say of it. */
export interface Explored extends Tally {
  opening: Opening | null;
  moves: ExploredMove[];
  /** Not all of them, where there are many. */
  behind: GameBehind[];
}

export interface GameFile {
  id: string;
  name: string;
  games: number;
}

/** What the explorer knows of. */
export interface ExplorerSources {
  games: number;
  studies: number;
  files: GameFile[];
  books: string[];
}
