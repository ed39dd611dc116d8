import type { Piece, Player } from "../api/types";
import { ChessPiece } from "../boards/pieces";
import { pieceName } from "../lib/format";
import { ahead } from "../lib/material";

/** What a player of chess has taken more of than the opponent, and by how much it is ahead. */
export function Material({ pieces, player }: { pieces: Piece[]; player: Player }) {
  const { kinds, pawns } = ahead(pieces, player);
  if (kinds.length === 0) return null;
  const names = kinds.map((kind) => pieceName(kind, "chess")).join(", ");
  return (
    <span
      class="material"
      role="img"
      aria-label={`More than the opponent: ${names}${pawns > 0 ? `; ${pawns} ahead` : ""}`}
    >
      {kinds.map((kind, place) => (
        <svg key={place} viewBox="0 0 100 100" aria-hidden="true">
          <ChessPiece kind={kind} player={(1 - player) as Player} />
        </svg>
      ))}
      {pawns > 0 && <span class="faint">+{pawns}</span>}
    </span>
  );
}
