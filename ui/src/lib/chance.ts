import type { ReportLine } from "../api/search";
import type { Player, Score } from "../api/types";

/** The winning chance, from 0 to 1, of the player whose view the score takes; each game says how steeply a value becomes one. */
export function chance(score: Score, steepness: number): number {
  if ("win_in" in score) return 1;
  if ("loss_in" in score) return 0;
  if ("margin" in score) return score.margin > 0 ? 1 : score.margin < 0 ? 0 : 0.5;
  if ("expected" in score) return (score.expected + 1) / 2;
  return 1 / (1 + Math.exp(-steepness * score.centi));
}

/** The first player's winning chance, counting a draw as half, from a line of a report for the player to move. */
export function firstPlayersChance(line: ReportLine, toMove: Player, steepness: number): number {
  const own = line.wdl ? line.wdl[0] + line.wdl[1] / 2 : chance(line.score, steepness);
  return toMove === 0 ? own : 1 - own;
}

/** Win, draw and loss as the first player sees them. */
export function firstPlayersWdl(line: ReportLine, toMove: Player): [number, number, number] | null {
  if (!line.wdl) return null;
  const [win, draw, loss] = line.wdl;
  return toMove === 0 ? [win, draw, loss] : [loss, draw, win];
}

/** The same score seen by the other player. */
export function turned(score: Score): Score {
  if ("win_in" in score) return { loss_in: score.win_in };
  if ("loss_in" in score) return { win_in: score.loss_in };
  if ("margin" in score) return { margin: -score.margin };
  if ("expected" in score) return { expected: -score.expected };
  return { centi: -score.centi };
}

/** A score as the first player sees it. */
export function firstPlayersScore(score: Score, toMove: Player): Score {
  return toMove === 0 ? score : turned(score);
}
