import type { Piece, PieceKind, Player } from "../api/types";

export interface Ahead {
  /** Pieces that the player has and the opponent has not, the greatest first. */
  kinds: string[];
  /** By how much the player is ahead, as players count; 0 if it is not. */
  worth: number;
}

/** By how much a player is ahead in material; pieces that nobody can lose are worth nothing. */
export function ahead(pieces: Piece[], player: Player, known: PieceKind[]): Ahead {
  const kinds: string[] = [];
  let sum = 0;
  for (const { kind, worth } of known.filter((one) => one.worth > 0)) {
    const more = pieces
      .filter((piece) => piece.kind === kind)
      .reduce((difference, piece) => difference + (piece.player === player ? 1 : -1), 0);
    kinds.push(...Array(Math.max(more, 0)).fill(kind));
    sum += more * worth;
  }
  return { kinds, worth: Math.max(sum, 0) };
}
