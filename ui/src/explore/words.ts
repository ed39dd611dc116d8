import type { BookWord, ExplorerSources, GameBehind, Tally } from "../api/explored";
import { several } from "../lib/format";
import { percent } from "../lib/networks";

export const EXPLORER = "Opening explorer";
export const NOTHING = "No game, book or named opening goes on from here.";
export const MOVE = "Move";
export const GAMES = "Games";
export const RESULTS = "Results";
export const BOOK = "Book";
export const ALL = "All";
export const FILES = "Files of games";
export const FILE = "File of games";
export const ADD_FILE = "Add a file of games…";
export const READING = "Reading…";

export const fileAdded = (name: string, games: number) => `${name}: ${several(games, "game")} added.`;
export const alsoWords = (also: string[]) => `The same by symmetry: ${also.join(", ")}`;

/** All that a book says of a move. */
export function bookWords({ book, share, won, drawn, lost }: BookWord): string {
  const games = won + drawn + lost;
  const results = games > 0 ? `, ${several(games, "game")}: won ${won}, drawn ${drawn}, lost ${lost}` : "";
  return `${book}: plays it ${percent(share)} of the time${results}`;
}

/** What the list of games is called: how many there are, and how many of them it has. */
export const behindTitle = (all: number, listed: number) =>
  all > listed ? `The latest ${listed} of ${all} games from here` : `${several(all, "game")} from here`;

/** How a game of the list ended; the titles of games of files say it themselves. */
export function endWords({ kind, result }: GameBehind, players: [string, string]): string {
  if (kind === "file" || result === null) return "";
  return result === "draw" ? "Draw" : `${players[result]} won`;
}

export const gamesIn = ({ first, drawn, second, open }: Tally): number => first + drawn + second + open;

/** The shares of results in percent, for a bar; null where no game has ended. */
export function shares({ first, drawn, second }: Tally): [number, number, number] | null {
  const ended = first + drawn + second;
  if (ended === 0) return null;
  return [first, drawn, second].map((games) => (100 * games) / ended) as [number, number, number];
}

/** How games went, in words. */
export function resultWords(tally: Tally, players: [string, string]): string {
  const { first, drawn, second, open } = tally;
  const parts = [
    first > 0 && `${players[0]} won ${first}`,
    drawn > 0 && `${drawn} drawn`,
    second > 0 && `${players[1]} won ${second}`,
    open > 0 && `${open} not ended`,
  ];
  return `${several(gamesIn(tally), "game")}: ${parts.filter(Boolean).join(", ")}`;
}

/** What stands behind the numbers. */
export function sourceWords({ games, studies, files, books }: ExplorerSources): string {
  const parts = [
    games > 0 && several(games, "game"),
    studies > 0 && (studies === 1 ? "1 saved analysis" : `${studies} saved analyses`),
    files.length > 0 && several(files.length, "file"),
    books.length > 0 && several(books.length, "book"),
  ];
  const counted = parts.filter(Boolean).join(", ");
  return `From ${counted}${counted && " and "}the names of openings.`;
}

/** The likeliest book to be asked about a move: the one that would play it most often. */
export const wordOf = (books: BookWord[]) =>
  books.reduce<BookWord | undefined>(
    (best, word) => (best && best.share >= word.share ? best : word),
    undefined,
  );
