import type { Piece, PieceKind, Player } from "../api/types";
import { PieceShape } from "../boards/pieces";
import { pieceName } from "../lib/format";
import { ahead } from "../lib/material";
import { moreThan } from "./words";

/** What a player has taken more of than the opponent, and by how much it is ahead. */
export function Material(props: { pieces: Piece[]; kinds: PieceKind[]; player: Player }) {
  const { player } = props;
  const { kinds, worth } = ahead(props.pieces, player, props.kinds);
  if (kinds.length === 0) return null;
  const names = kinds.map((kind) => pieceName(kind, props.kinds)).join(", ");
  return (
    <span class="material" role="img" aria-label={moreThan(names, worth)}>
      {kinds.map((kind, place) => (
        <svg key={place} viewBox="0 0 100 100" aria-hidden="true">
          <PieceShape kind={kind} player={(1 - player) as Player} />
        </svg>
      ))}
      {worth > 0 && <span class="faint">+{worth}</span>}
    </span>
  );
}
