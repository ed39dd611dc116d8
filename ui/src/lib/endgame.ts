import type { Position, Report, ReportLine, Score } from "../api/types";

/** With more empty squares than these a solution takes longer than people wait. */
export const MOST_EMPTY = 20;

/** How many squares are empty. */
export function emptySquares(position: Position): number {
  return position.columns * position.rows - position.pieces.length;
}

/** Whether the rest of the game can be played out by a search. */
export function canSolve(position: Position): boolean {
  return position.family === "othello" && !position.outcome && emptySquares(position) <= MOST_EMPTY;
}

/** What the search found out about an endgame, in discs for the player to move. */
export interface Endgame {
  moves: { move: string; discs: number; line: ReportLine }[];
  /** False if the budget ended the search: then the discs are estimates. */
  exact: boolean;
}

/** The disc difference that a score means. A draw has no margin, so that it comes as an even evaluation. */
function discsOf(score: Score): number | null {
  if ("margin" in score) return score.margin;
  if ("centi" in score) return Math.round(score.centi / 100);
  return null;
}

/** Reads the last report of a search for the solution; the best move comes first. */
export function endgameOf(report: Report): Endgame {
  const moves = report.lines.flatMap((line) => {
    const discs = discsOf(line.score);
    const move = line.moves_plain?.[0] ?? line.moves[0];
    return discs === null || move === undefined ? [] : [{ move, discs, line }];
  });
  return { moves: moves.sort((a, b) => b.discs - a.discs), exact: report.stopped === "solved" };
}
