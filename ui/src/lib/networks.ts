import type { NetworkInfo, Opinion, PolicyMove, SearchInfo } from "../api/search";
import type { LegalMove, Position } from "../api/types";
import type { Overlay } from "../boards/types";

/** What stands before the name of a network where a search could be chosen as well; no search has a colon in its name. */
const PREFIX = "network:";

/** The value of a network among searches. */
export const networkChoice = (name: string) => PREFIX + name;

/** The network that was chosen among searches, or null. */
export function chosenNetwork(choice: string): string | null {
  return choice.startsWith(PREFIX) ? choice.slice(PREFIX.length) : null;
}

/** The search that goes with a network, without the options that the network settles. */
export function searchWith(network: NetworkInfo, searches: SearchInfo[]): SearchInfo | null {
  const info = searches.find((one) => one.name === network.search);
  if (!info) return null;
  return { ...info, options: info.options.filter((option) => !(option.name in network.options)) };
}

/** A share of the whole, short enough for a cell. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value >= 9.95 || value === 0) return `${Math.round(value)}%`;
  return value < 0.1 ? "<0.1%" : `${value.toFixed(1)}%`;
}

/** Moves with less of the policy are not drawn. */
const LEAST_DRAWN = 0.005;
/** Arrows beyond so many hide the board. */
const MOST_ARROWS = 5;

/** A policy as it is drawn: arrows where pieces move, shaded cells with percents where stones are set. */
export function policyOverlay({ policy }: Opinion): Overlay {
  const top = policy[0]?.probability ?? 1;
  const drawn = policy.filter((move) => move.probability >= LEAST_DRAWN && move.to);
  const arrows = drawn
    .filter((move) => move.from)
    .slice(0, MOST_ARROWS)
    .map((move, rank) => ({
      from: move.from!,
      to: move.to!,
      rank,
      strength: 0.25 + 0.6 * (move.probability / top),
    }));
  const shares = drawn
    .filter((move) => !move.from)
    .map((move) => ({
      cell: move.to!,
      strength: move.probability / top,
      text: percent(move.probability),
    }));
  return { arrows, shares };
}

/** Whose the cells will be, as it is drawn. */
export function ownerOverlay({ ownership = [] }: Opinion, { to_move }: Position): Overlay {
  const owners = ownership.map(({ cell, value }) => ({
    cell,
    player: value >= 0 ? to_move : ((1 - to_move) as 0 | 1),
    strength: Math.min(1, Math.abs(value)),
  }));
  return { owners };
}

/** The legal move that a move of a policy is. */
export function legalMove(position: Position, move: PolicyMove): LegalMove | undefined {
  return position.legal.find((legal) => legal.move === move.move);
}
