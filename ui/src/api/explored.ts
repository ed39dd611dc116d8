/** What the opening explorer says. */

import type { Opening, Score } from "./types";

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

/** What was played from a position, and what books and names say of it. */
export interface Explored extends Tally {
  opening: Opening | null;
  moves: ExploredMove[];
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
