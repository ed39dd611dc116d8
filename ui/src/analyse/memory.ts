import { effect, signal } from "@preact/signals";
import type { Limit, Report } from "../api/search";
import type { Line, Player, Position } from "../api/types";
import { firstPlayersChance, firstPlayersWdl } from "../lib/chance";

/** What an engine said about a position, and for how much work. */
export interface Remembered {
  report: Report;
  toMove: Player;
  search: string;
  /** Its options that are not the usual ones, as text. */
  options: string;
  lines: number;
  /** The budget that was used up, or null if the search was stopped before. */
  spent: string | null;
}

const KEY = "outplay.reports";
const KEPT_IN_PAGE = 5000;
const KEPT_BY_BROWSER = 250;
const LINES_KEPT = 5;

/** Reports by game and position; a position reached another way is the same one. */
export const memory = signal<Map<string, Remembered>>(load());

/** The position's text after each line of moves that was looked at. */
const texts = new Map<string, Position>();

export const optionsName = (options: Record<string, unknown>) =>
  JSON.stringify(Object.entries(options).sort());
export const limitName = (limit: Limit) => JSON.stringify(limit);
const keyOf = (position: Position) => `${position.game} ${position.position}`;
const lineKey = (line: Line) => JSON.stringify([line.game, line.start, line.moves]);

export function note(position: Position): void {
  const { game, start, moves } = position;
  texts.set(lineKey({ game, start, moves: moves.map((move) => move.move) }), position);
}

export function remember(position: Position, entry: Remembered): void {
  if (entry.report.lines.length === 0) return;
  const known = recall(position);
  const ended = known && known.spent !== null && isAlike(known, entry) ? known : undefined;
  // A search that has not come to its end knows less than one that has, until it has had more time.
  if (ended && entry.spent === null && ended.report.seconds > entry.report.seconds) return;
  const next = new Map(memory.value);
  next.delete(keyOf(position));
  next.set(keyOf(position), { ...entry, spent: entry.spent ?? ended?.spent ?? null });
  if (next.size > KEPT_IN_PAGE) next.delete(next.keys().next().value!);
  memory.value = next;
}

/** Whether one search can stand for another: the same engine, with no fewer lines. */
function isAlike(known: Remembered, entry: Remembered): boolean {
  return known.search === entry.search && known.options === entry.options && known.lines >= entry.lines;
}

export function recall(position: Position): Remembered | undefined {
  return memory.value.get(keyOf(position));
}

/** The first player's chance after a line of moves, if the position was judged or the game is over there. */
export function chanceAfter(line: Line): number | undefined {
  const position = texts.get(lineKey(line));
  if (!position) return undefined;
  if (position.outcome) return position.outcome.winner === null ? 0.5 : 1 - position.outcome.winner;
  const [best] = recall(position)?.report.lines ?? [];
  return best && firstPlayersChance(best, position.to_move, position.steepness);
}

export function wdlAfter(line: Line): [number, number, number] | null {
  const position = texts.get(lineKey(line));
  const [best] = (position && recall(position)?.report.lines) ?? [];
  return best && position ? firstPlayersWdl(best, position.to_move) : null;
}

function load(): Map<string, Remembered> {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, Remembered][]);
  } catch {
    return new Map();
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const entries = [...memory.value].slice(-KEPT_BY_BROWSER);
  clearTimeout(waiting);
  // Reports come ten times a second; the browser's storage need not.
  waiting = setTimeout(() => {
    const short = entries.map(([key, entry]) => {
      const lines = entry.report.lines.slice(0, LINES_KEPT);
      return [key, { ...entry, report: { ...entry.report, lines } }];
    });
    try {
      localStorage.setItem(KEY, JSON.stringify(short));
    } catch {
      // Without storage the reports last as long as the page.
    }
  }, 1500);
});
