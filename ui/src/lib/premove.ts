import type { LegalMove, Position } from "../api/types";
import { movesTo, strongestFirst } from "./cells";
import { turnsOf, withProvisional } from "./turns";

/** A move that is chosen while the opponent is to move: whether it is legal shows when it is to be played. */
export interface Premove {
  /** The piece that is to move; null where pieces are placed. */
  from: string | null;
  to: string;
}

/** How many stones a player places in a turn, as far as the game has shown it. */
export function stonesInTurn({ moves, stones_left, to_move }: Position): number {
  if (stones_left === null) return 1;
  const turns = turnsOf(moves).map((turn) => turn.length);
  const begun = moves.at(-1)?.player === to_move ? (turns.at(-1) ?? 0) : 0;
  return Math.max(begun + stones_left, ...turns);
}

/** The premoves with one more. A piece's move takes the place of another; of stones there are as many as a turn has, the latest ones. */
export function withPremove(before: Premove[], next: Premove, position: Position): Premove[] {
  const others = before.filter(({ to }) => to !== next.to);
  return [...others, next].slice(-stonesInTurn(position));
}

/** The legal move that a premove has become; null if there is none, or if it could be several. A pawn becomes the strongest piece. */
function legalFor(position: Position, { from, to }: Premove): LegalMove | null {
  const found = movesTo(position, to, from);
  if (found.length > 1 && !found.every((move) => move.promotion)) return null;
  return strongestFirst(found, position.style.kinds)[0] ?? null;
}

/** What premoves have become now that it is the player's turn: the moves to play, and the first premove that cannot be played. */
export function settled(
  position: Position,
  premoves: Premove[],
): { moves: LegalMove[]; refused: Premove | null } {
  const moves: LegalMove[] = [];
  let now = position;
  for (const premove of premoves) {
    const move = legalFor(now, premove);
    if (!move) return { moves, refused: premove };
    moves.push(move);
    now = withProvisional(now, move);
  }
  return { moves, refused: null };
}
