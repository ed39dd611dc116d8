import type { Report, ReportLine } from "../api/search";
import type { Position, Score } from "../api/types";

/** How many cells are empty. */
export function emptySquares(position: Position): number {
  return position.columns * position.rows - position.pieces.length;
}

/** Whether the rest of the game can be played out by a search: with more empty cells that takes longer than people wait. */
export function canSolve(position: Position): boolean {
  return !position.outcome && emptySquares(position) <= (position.style.endgame_cells ?? -1);
}

/** A move with the disc difference that it leads to, for the player who makes it. */
export interface EndgameMove {
  move: string;
  discs: number;
  /** False if the search was ended before it was sure: then the discs are an estimate. */
  exact: boolean;
  line: ReportLine;
}

/** What is known about an endgame: its moves, the best one first. */
export type Endgame = EndgameMove[];

/** The disc difference that a score means. A draw has no margin, so that it comes as an even evaluation. */
function discsOf(score: Score): number | null {
  if ("margin" in score) return score.margin;
  if ("centi" in score) return Math.round(score.centi / 100);
  return null;
}

/** Takes over what a search found. What was exact before stays as it is. */
export function withReport(known: Endgame, report: Report): Endgame {
  const exact = report.stopped === "solved";
  const found = report.lines.flatMap((line) => {
    const discs = discsOf(line.score);
    const move = line.moves_plain?.[0] ?? line.moves[0];
    return discs === null || move === undefined ? [] : [{ move, discs, exact, line }];
  });
  const kept = known.filter((old) => old.exact);
  const fresh = found.filter(({ move }) => !kept.some((old) => old.move === move));
  // An estimate above the best that is known for certain cannot be right; the certain one stays in front.
  return [...kept, ...fresh].sort((a, b) => b.discs - a.discs || Number(b.exact) - Number(a.exact));
}

/** How the game ends with best play, in words; and whether that is certain. */
export function verdict(position: Position, endgame: Endgame): { text: string; exact: boolean } {
  const best = bestOf(endgame);
  if (!best) return { text: "Nothing found yet", exact: false };
  const winner = position.players[best.discs > 0 ? position.to_move : 1 - position.to_move];
  const discs = Math.abs(best.discs);
  const result = discs === 0 ? "a draw" : `${winner} wins by ${discs}`;
  return { text: best.exact ? `With best play: ${result}` : `It looks like ${result}`, exact: best.exact };
}

/** The best move: one that is certain before all estimates, because only a solved position has any. */
export function bestOf(endgame: Endgame): EndgameMove | undefined {
  return endgame.find((move) => move.exact) ?? endgame[0];
}

/** How much a move gives away that leads to so many discs and not to the best difference: the result, or what discs count in reviews, `piece` each. */
export function lostBy(best: number, discs: number, piece: number): number {
  const result = (difference: number) => (Math.sign(difference) + 1) / 2;
  return Math.max(result(best) - result(discs), piece * (best - discs));
}
