import type { Player } from "../api/types";

/** What a move gave away, from the smallest to the largest. */
export type Fault = "inaccuracy" | "mistake" | "blunder";

export const FAULT_SIGN: Record<Fault, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** A fault by the drop of the mover's winning chance, in points of a hundred: 10, 20 and 30. */
export function fault(drop: number): Fault | null {
  if (drop >= 0.3) return "blunder";
  if (drop >= 0.2) return "mistake";
  if (drop >= 0.1) return "inaccuracy";
  return null;
}

export interface Judged {
  /** How many moves were played before the turn, and how many up to its end. */
  from: number;
  ply: number;
  player: Player;
  drop: number;
  fault: Fault | null;
}

/** What the judge of a game may know besides the chances. */
interface Knowledge {
  /** Whether the last turn is complete: one stone of two is half a thought. */
  complete?: boolean;
  /** What the search before a turn said of the very moves that were played: how much they give away. */
  own?: (from: number, to: number) => number | undefined;
}

/**
 * Judges the turns of a game. `chances[p]` is the first player's winning chance after p moves, or undefined where nothing is known yet; a
 * turn is judged only where both sides of it are known. Two searches may differ by more than the moves between them, so what one search
 * said of them counts if it is less.
 */
export function judge(
  players: Player[],
  chances: (number | undefined)[],
  { complete = true, own }: Knowledge = {},
): Judged[] {
  const judged: Judged[] = [];
  let from = 0;
  players.forEach((player, index) => {
    const ply = index + 1;
    if (ply === players.length ? !complete : players[ply] === player) return;
    const before = chances[from];
    const after = chances[ply];
    if (before !== undefined && after !== undefined) {
      const across = player === 0 ? before - after : after - before;
      const drop = Math.min(across, own?.(from, ply) ?? across);
      judged.push({ from, ply, player, drop, fault: fault(drop) });
    }
    from = ply;
  });
  return judged;
}

/** The next fault after a ply, or the one before it; null if there is none. */
export function nextFault(judged: Judged[], ply: number, direction: 1 | -1): number | null {
  const plies = judged.filter((move) => move.fault).map((move) => move.ply);
  const found = direction === 1 ? plies.find((other) => other > ply) : plies.findLast((other) => other < ply);
  return found ?? null;
}
