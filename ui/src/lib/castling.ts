import type { Piece, Player } from "../api/types";

/** A side of the board on which a player may castle. */
export interface Wing {
  player: Player;
  side: "king" | "queen";
}

export const WINGS: Wing[] = [
  { player: 0, side: "king" },
  { player: 0, side: "queen" },
  { player: 1, side: "king" },
  { player: 1, side: "queen" },
];

/** Castling that the pieces allow. */
export interface Right {
  letter: string;
  /** Whether the position had it before anything was set up: its king and rook have not moved. */
  own: boolean;
}

/**
 * What each wing allows after pieces were set up, null for nothing. `field` is the castling field of the position
 * before. Only chess from other arrays castles with kings and rooks that do not stand where they stand in chess.
 */
export function castlingRights(
  field: string,
  before: Piece[],
  now: Piece[],
  anyArray: boolean,
): (Right | null)[] {
  return WINGS.map((wing) => {
    const king = homeKing(now, wing.player);
    const outermost = outermostRook(now, wing);
    if (!king || !outermost) return null;
    const had = ownRook(field, before, wing);
    if (had && homeKing(before, wing.player) === king && homeRooks(now, wing.player).includes(had)) {
      // The usual letters name the outermost rook; any other is named by its column.
      return { letter: inCase(had === outermost ? usualLetter(wing) : had[0]!, wing.player), own: true };
    }
    const usual = king[0] === "e" && outermost[0] === (wing.side === "king" ? "h" : "a");
    return usual || anyArray ? { letter: inCase(usualLetter(wing), wing.player), own: false } : null;
  });
}

const usualLetter = ({ side }: Wing) => (side === "king" ? "K" : "Q");
const inCase = (letter: string, player: Player) =>
  player === 0 ? letter.toUpperCase() : letter.toLowerCase();

function atHome(pieces: Piece[], player: Player, kind: string): string[] {
  const rank = player === 0 ? "1" : "8";
  return pieces
    .filter((one) => one.player === player && one.kind.toUpperCase() === kind && one.cell[1] === rank)
    .map((one) => one.cell)
    .sort();
}

const homeKing = (pieces: Piece[], player: Player) => atHome(pieces, player, "K")[0];
const homeRooks = (pieces: Piece[], player: Player) => atHome(pieces, player, "R");

/** The rooks between the king and the edge, the one at the edge first. */
function rooksOf(pieces: Piece[], { player, side }: Wing): string[] {
  const king = homeKing(pieces, player);
  if (!king) return [];
  const rooks = homeRooks(pieces, player);
  return side === "king"
    ? rooks.filter((rook) => rook > king).reverse()
    : rooks.filter((rook) => rook < king);
}

const outermostRook = (pieces: Piece[], wing: Wing) => rooksOf(pieces, wing)[0];

/** The rook with which the castling field of a position lets a player castle on a wing. */
function ownRook(field: string, pieces: Piece[], wing: Wing): string | undefined {
  const rooks = rooksOf(pieces, wing);
  if (field.includes(inCase(usualLetter(wing), wing.player))) return rooks[0];
  return rooks.find((rook) => field.includes(inCase(rook[0]!, wing.player)));
}
