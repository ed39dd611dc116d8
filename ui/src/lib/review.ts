import type { Fault, Faults, Review, ReviewedTurn } from "../api/review";

export const FAULT_SIGN: Record<Fault, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The kinds of faults as a review counts them, from the smallest to the largest, in words. */
export const FAULTS: readonly [Fault, string][] = [
  ["inaccuracy", "Inaccuracies"],
  ["mistake", "Mistakes"],
  ["blunder", "Blunders"],
];

/** What a loss is called while an analysis runs, by the thresholds of reviews. */
export function fault(loss: number, faults: Faults): Fault | null {
  return FAULTS.findLast(([kind]) => loss >= faults[kind])?.[0] ?? null;
}

/** How many moves of a line are those that were reviewed: what comes after, or beside, was not. */
export function sharedMoves(review: Review, line: string[]): number {
  const other = review.moves.findIndex((move, index) => line[index] !== move);
  return other === -1 ? review.moves.length : other;
}

/** The next fault after a ply, or the one before it; null if there is none. */
export function nextFault(turns: ReviewedTurn[], ply: number, direction: 1 | -1): ReviewedTurn | null {
  const faults = turns.filter((turn) => turn.mark);
  const found =
    direction === 1 ? faults.find((turn) => turn.to > ply) : faults.findLast((turn) => turn.to < ply);
  return found ?? null;
}

/** What a player has lost in all, in units of the score, after each of so many plies. */
export function lostSoFar(turns: ReviewedTurn[], player: ReviewedTurn["player"], plies: number): number[] {
  const lost = Array.from({ length: plies + 1 }, () => 0);
  for (const turn of turns) if (turn.player === player && turn.to <= plies) lost[turn.to]! += turn.units ?? 0;
  let sum = 0;
  return lost.map((units) => (sum += units));
}

/** Whether two lists of moves make the same turn: two stones are the same in either order. */
export function isSameTurn(one: string[], other: string[]): boolean {
  return one.length === other.length && [...one].sort().join() === [...other].sort().join();
}
