import type { Family, Player, ReportLine, Score } from "../api/types";

/**
 * How steeply a value becomes a winning chance, per hundredth of the game's unit. Chess: a pawn is worth about nine points of a hundred near
 * equality. The others are the logistic curves that fit games of our alpha-beta search against itself from random openings best, by the
 * evaluations of all its moves (500 nodes a move, Connect6 also 2,000; 40 to 100 different games each, 1,800 to 3,800 evaluations).
 */
const STEEPNESS: Record<string, number> = {
  chess: 0.0037,
  othello: 0.001,
  connect6: 0.022,
  gomoku: 0.0006,
  connect4: 0.0075,
};

/** Games of the same kind share a curve: units of the line games depend on how many stones a turn has. */
function steepness(game: string): number {
  const [name = "", rules = ""] = game.split(":");
  const stonesATurn = Number(rules.split(",")[3] ?? 2);
  const likeness = name === "connect" ? (stonesATurn >= 2 ? "connect6" : "gomoku") : name;
  return STEEPNESS[likeness] ?? STEEPNESS.chess!;
}

/** The winning chance, from 0 to 1, of the player whose view the score takes. */
export function chance(score: Score, game: string): number {
  if ("win_in" in score) return 1;
  if ("loss_in" in score) return 0;
  if ("margin" in score) return score.margin > 0 ? 1 : score.margin < 0 ? 0 : 0.5;
  if ("expected" in score) return (score.expected + 1) / 2;
  return 1 / (1 + Math.exp(-steepness(game) * score.centi));
}

/** The first player's winning chance, counting a draw as half, from a line of a report for the player to move. */
export function firstPlayersChance(line: ReportLine, toMove: Player, game: string): number {
  const own = line.wdl ? line.wdl[0] + line.wdl[1] / 2 : chance(line.score, game);
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

/**
 * Whose view the values of lines and cells take: White's in chess, the mover's elsewhere, as players of each game are
 * used to. The bar and the graph always show the first player's chance.
 */
export function viewer(toMove: Player, family: Family): Player {
  return family === "chess" ? 0 : toMove;
}

/** A score of the player to move in the view that lines and cells take. */
export function shownScore(score: Score, toMove: Player, family: Family): Score {
  return viewer(toMove, family) === toMove ? score : turned(score);
}

/** Win, draw and loss in the same view. */
export function shownWdl(line: ReportLine, toMove: Player, family: Family): [number, number, number] | null {
  if (!line.wdl) return null;
  const [win, draw, loss] = line.wdl;
  return viewer(toMove, family) === toMove ? [win, draw, loss] : [loss, draw, win];
}
