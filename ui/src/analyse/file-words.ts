import { several } from "../lib/format";
import type { TreeNode } from "../lib/tree";

/** What is said where analyses are kept, and files opened. */

export const OPEN_TITLE = "Open a game or position";
export const CHOOSE_TITLE = "Choose a game from the file";
export const GAME = "Game";
export const FIND_OUT = "Detect from the file";
export const TEXT = "Text";
export const TEXT_HINT =
  "Paste PGN, SGF, GGF, FEN, a position or a list of moves, or drop a file here (WTHOR files too)";
export const OPEN = "Open";
export const OPEN_POSITION = "Open as position";
export const EMPTY_BOARD = "Start position";
export const CHOOSE_FILE = "Choose a file";

export const fileHas = (games: number) => `The file has ${games} games. Choose one.`;
export const TITLE_WORDS = "Search by words in the title";
export const NO_TITLE = "No title has all of these words.";
export const of = (games: number) => `of ${games}`;
export const OPEN_THIS = "Open this game";
export const BACK = "Back to the text";

export const saved = (count: number) => `Saved analyses${count > 0 ? ` (${count})` : ""}`;
export const TITLE = "Title";
export const UNTITLED = "Untitled";
export const SAVE = "Save";
export const savedAs = (title: string) => `Saved as ${title}.`;
export const LEFT = "Open before";

const MOVES_NAMED = 4;

/** An analysis without a title is known by its players, or else by its first moves. */
export function leftStudy(game: string, line: TreeNode[], tags: Record<string, string> = {}): string {
  const { White, Black } = tags;
  const first = line.slice(0, MOVES_NAMED).map(({ text }) => text);
  const what = White && Black ? `${White} – ${Black}` : first.join(" ");
  return `${game}: ${what} · ${several(line.length, "move")}`;
}
