import type { Piece, Player } from "../api/types";

/** What chess pieces are worth, as players count; the greatest first. */
const WORTH: [string, number][] = [
  ["Q", 9],
  ["R", 5],
  ["B", 3],
  ["N", 3],
  ["P", 1],
];

export interface Ahead {
  /** Pieces that the player has and the opponent has not, the greatest first. */
  kinds: string[];
  /** How many pawns the player is ahead; 0 if it is not. */
  pawns: number;
}

/** By how much a player of chess is ahead in material. */
export function ahead(pieces: Piece[], player: Player): Ahead {
  const kinds: string[] = [];
  let pawns = 0;
  for (const [kind, worth] of WORTH) {
    const more = pieces
      .filter((piece) => piece.kind === kind)
      .reduce((sum, piece) => sum + (piece.player === player ? 1 : -1), 0);
    kinds.push(...Array(Math.max(more, 0)).fill(kind));
    pawns += more * worth;
  }
  return { kinds, pawns: Math.max(pawns, 0) };
}
