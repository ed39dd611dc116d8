import type { LegalMove, Piece, Position } from "../api/types";
import { several } from "./format";

/** The first stone of a turn of two, chosen but not sent. */
export type Provisional = LegalMove | null;

/** Whether a move only begins a turn: one more stone of the same player follows. */
export function beginsTurn(position: Position): boolean {
  return (position.stones_left ?? 1) >= 2;
}

/** The position with the provisional stone on the board; it can no longer be chosen. */
export function withProvisional(position: Position, first: Provisional): Position {
  if (!first?.to) return position;
  const stone: Piece = { cell: first.to, player: position.to_move, kind: "disc" };
  return {
    ...position,
    pieces: [...position.pieces, stone],
    legal: position.legal.filter((move) => move.move !== first.move),
    stones_left: (position.stones_left ?? 2) - 1,
  };
}

/** What the player is asked for, for games with several stones a turn. */
export function stonesText(position: Position, first: Provisional): string | null {
  const left = position.stones_left;
  if (left === null) return null;
  if (first) return "Choose the second stone";
  return `Place ${several(left, "stone")}`;
}

/** The only move is a pass. */
export function mustPass(position: Position): boolean {
  const [only] = position.legal;
  return position.legal.length === 1 && only !== undefined && only.from === null && only.to === null;
}

/** Moves grouped by turns, for lists: each turn is what one player did before the other moved. */
export function turnsOf<T extends { player: number }>(moves: T[]): T[][] {
  const turns: T[][] = [];
  for (const move of moves) {
    const turn = turns.at(-1);
    if (turn && turn[0]!.player === move.player) turn.push(move);
    else turns.push([move]);
  }
  return turns;
}
