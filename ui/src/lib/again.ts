import type { Game, NewGame, Player } from "../api/types";

/** The same game once more: from where it began, with sides changed. */
export function againOf({ position, given, human, engines, clock }: Game): NewGame {
  const seats = [...(engines ?? [])].reverse();
  return {
    game: position.game,
    start: position.start,
    moves: position.moves.slice(0, given).map((move) => move.move),
    human: human === null ? null : ((1 - human) as Player),
    levels: seats.map((engine) => engine?.level ?? null),
    engines: seats.map((engine) => (engine?.level ? null : engine)),
    clock: clock && { seconds: clock.base / 1000, increment: clock.increment / 1000 },
  };
}
