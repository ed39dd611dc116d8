import { computed, effect, signal } from "@preact/signals";
import { api } from "../api/client";
import { analyse } from "../api/socket";
import type { Limit, Line, Position, Report } from "../api/types";
import { asText } from "../lib/options";
import { type Judged, judge, nextFault } from "../lib/review";
import type { TreeNode } from "../lib/tree";
import { notify } from "../widgets/live";
import { optionValues, search, settings } from "./engine";
import {
  bestAfter,
  chanceAfter,
  isJudged,
  isMidTurn,
  limitName,
  lossBy,
  memory,
  note,
  optionsName,
  type Remembered,
  recall,
  remember,
  wdlAfter,
} from "./memory";
import { goToPly, ply, study, wholeLine } from "./store";

/** How far a review has come, from 0 to 1; null if none runs. */
export const progress = signal<number | null>(null);
let cancelled = false;
let stopCurrent = () => {};

function prefixes(): Line[] {
  const { game, start } = study.value;
  const moves = wholeLine.value.map((move) => move.move);
  return Array.from({ length: moves.length + 1 }, (_, count) => ({
    game,
    start,
    moves: moves.slice(0, count),
  }));
}

/** The first player's chance after each move of the line, where it is known. */
export const chances = computed<(number | undefined)[]>(() => {
  memory.value;
  return prefixes().map(chanceAfter);
});

export const wdls = computed(() => {
  memory.value;
  return prefixes().map(wdlAfter);
});

export const judged = computed<Judged[]>(() => {
  memory.value;
  return judgedAlong(prefixes(), wholeLine.value);
});

/** The turns of a line, where searches of equal standing judged both ends of them. */
function judgedAlong(lines: Line[], moves: TreeNode[]): Judged[] {
  const players = moves.map((move) => move.player);
  const ended = lines.map((line) => (isJudged(line) ? chanceAfter(line) : undefined));
  const own = (from: number, to: number) =>
    lossBy(
      lines[from]!,
      moves.slice(from, to).map((move) => move.move),
    );
  return judge(players, ended, { own, complete: !isMidTurn(lines.at(-1)!, players.at(-1)) });
}

/** What the move on the board gave away, and what the engine would have played. */
export const fault = computed(() => {
  const here = judged.value.find((turn) => turn.ply === ply.value && turn.fault);
  if (!here) return null;
  const better = bestAfter(prefixes()[here.from]!).slice(0, here.ply - here.from);
  return { points: Math.round(100 * here.drop), better: better.join(" ") };
});

/** What was said about the move that leads to a node of the line. */
export const faults = computed(() => {
  const line = wholeLine.value;
  return new Map(judged.value.filter((move) => move.fault).map((move) => [line[move.ply - 1]!.id, move]));
});

export function jump(direction: 1 | -1): void {
  const found = nextFault(judged.value, ply.value, direction);
  if (found === null) notify(direction === 1 ? "No mistake after this." : "No mistake before this.");
  else goToPly(found);
}

/** Lets the engine judge every position of the line, from the end: what it learns there helps before. */
export async function review(budget: Limit): Promise<void> {
  const info = search.value;
  if (!info || progress.value !== null) return;
  cancelled = false;
  const reviewed = wholeLine.value;
  const all = prefixes();
  // Whoever opens another game meanwhile does not wait for this one.
  const isOpen = () => reviewed.every(({ id, move }) => study.value.tree.nodes[id]?.move === move);
  const endWatch = effect(() => {
    if (study.value.game !== all[0]!.game || study.value.start !== all[0]!.start || !isOpen()) cancelReview();
  });
  const lines = [...all].reverse();
  for (const [index, line] of lines.entries()) {
    progress.value = index / lines.length;
    const position = await api.position(line).catch(() => null);
    if (!position || cancelled) break;
    note(position);
    const known = recall(position);
    if (position.outcome) {
      memory.value = new Map(memory.value);
      continue;
    }
    if (known && isEnough(known, budget)) {
      remember(position, { ...known, spent: known.spent ?? limitName(budget) });
      continue;
    }
    const report = await judgePosition(line, budget);
    if (!report || cancelled) break;
    keep(position, report, info.name, budget);
  }
  endWatch();
  progress.value = null;
  const found = judgedAlong(all, reviewed).filter((turn) => turn.fault).length;
  if (!cancelled) notify(found === 0 ? "No mistakes found." : `${found} marked. Keys: n, N.`);
}

/** Whether a look from before is worth as much as the budget: it was the same, or took as long, even if somebody stopped it then. */
function isEnough({ spent, report }: Remembered, budget: Limit): boolean {
  if (spent === limitName(budget)) return true;
  return budget.seconds !== undefined && report.seconds >= budget.seconds;
}

export function cancelReview(): void {
  cancelled = true;
  stopCurrent();
}

function keep(position: Position, report: Report, name: string, budget: Limit): void {
  const lines = Math.max(1, report.lines.length);
  const options = optionsName(optionValues.value);
  const spent = limitName(budget);
  remember(position, { report, toMove: position.to_move, search: name, options, lines, spent });
}

function judgePosition(line: Line, budget: Limit): Promise<Report | null> {
  return new Promise((resolve) => {
    let latest: Report | null = null;
    const request = {
      ...line,
      search: search.value!.name,
      options: asText(optionValues.value),
      lines: Math.min(settings.value.lines, 2),
      limit: budget,
    };
    const stop = analyse(request, {
      report: (report) => {
        latest = report;
      },
      done: () => resolve(latest),
      error: (message) => {
        notify(message, "error");
        resolve(null);
      },
    });
    stopCurrent = () => {
      stop();
      resolve(null);
    };
  });
}
