import type { Game, Player } from "../api/types";
import { capital } from "../lib/format";
import { playerName } from "../lib/headers";
import { ClockFace } from "./clock";
import { Material } from "./material";
import { THINKING } from "./words";

interface SideProps {
  game: Game;
  player: Player;
  levelNames: string[];
  receivedAt: number;
}

/** A player's strip beside the board: colour, name, how it stands, clock. */
export function Side({ game, player, levelNames, receivedAt }: SideProps) {
  const { position } = game;
  const name = playerName(game, player, levelNames);
  // A level's name comes after its number. Until then nothing is said, so that nothing moves.
  const isKnown = !game.engines?.[player]?.level || levelNames.length > 0;
  const active = !game.result && position.to_move === player;
  const discs = position.pieces.filter((piece) => piece.player === player).length;
  return (
    <div class={active ? "side active" : "side"}>
      <span class={`swatch ${position.family} p${player}`} aria-hidden="true" />
      <span class={isKnown ? "who" : "who coming"}>
        <strong>{capital(name)}</strong>
        <span class="faint"> {position.players[player]}</span>
      </span>
      {active && game.thinking && <span class="thinking">{THINKING}</span>}
      {position.style.standing === "material" && (
        <Material pieces={position.pieces} kinds={position.style.kinds} player={player} />
      )}
      {position.style.standing === "count" && <span class="discs">{discs}</span>}
      {game.clock && <ClockFace clock={game.clock} player={player} receivedAt={receivedAt} />}
    </div>
  );
}
