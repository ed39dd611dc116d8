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
  /** How many moves were played up to and including this one. */
  ply: number;
  player: Player;
  drop: number;
  fault: Fault | null;
}

/**
 * Judges the moves of a game. `chances[p]` is the first player's winning chance after p moves, or undefined where
 * nothing is known yet; a move is judged only where both sides of it are known.
 */
export function judge(players: Player[], chances: (number | undefined)[]): Judged[] {
  const judged: Judged[] = [];
  players.forEach((player, index) => {
    const before = chances[index];
    const after = chances[index + 1];
    if (before === undefined || after === undefined) return;
    const drop = player === 0 ? before - after : after - before;
    judged.push({ ply: index + 1, player, drop, fault: fault(drop) });
  });
  return judged;
}

/** The next fault after a ply, or the one before it; null if there is none. */
export function nextFault(judged: Judged[], ply: number, direction: 1 | -1): number | null {
  const plies = judged.filter((move) => move.fault).map((move) => move.ply);
  const found = direction === 1 ? plies.find((other) => other > ply) : plies.findLast((other) => other < ply);
  return found ?? null;
}
