import { api } from "../api/client";
import type { Game } from "../api/types";
import { againOf } from "../lib/again";
import { go, hashOf } from "../lib/route";
import { mustPass, stonesText } from "../lib/turns";
import { notifyError } from "../widgets/live";
import { type GameStore, resultText, verdict } from "./store";
import * as words from "./words";

interface BannerProps {
  store: GameStore;
  game: Game;
  /** Goes back to the present from an earlier position; null if that is shown. */
  onPresent: (() => void) | null;
}

/** What the player should know now: the result, whose turn it is, or which stone is asked for. */
export function Banner({ store, game, onPresent }: BannerProps) {
  const { position, result } = game;
  if (onPresent) {
    return (
      <div class="banner">
        <strong>{words.EARLIER}</strong>
        <button type="button" onClick={onPresent}>
          {words.TO_PRESENT}
        </button>
      </div>
    );
  }
  if (result) {
    const own = verdict(result, game.human);
    const kind = own === words.WON ? "won" : own === words.LOST ? "lost" : "";
    return (
      <div class={`banner result ${kind}`}>
        <strong>{own || words.GAME_OVER}</strong>
        <span>{resultText(result)}</span>
        <button
          type="button"
          class="primary"
          title={words.PLAY_AGAIN_TITLE}
          onClick={() => void rematch(game)}
        >
          {words.PLAY_AGAIN}
        </button>
      </div>
    );
  }
  const mover = position.players[position.to_move];
  if (!store.myTurn.value) {
    const premoves = store.premoves.value;
    return (
      <div class="banner">
        <strong>{game.paused ? words.PAUSED : words.isThinking(mover)}</strong>
        {game.human !== null && (
          <span class="faint">
            {premoves.length > 0 ? words.premoveWaits(premoves) : words.PREMOVE_OFFER}
          </span>
        )}
        {premoves.length > 0 && (
          <button type="button" onClick={store.dropPremoves}>
            {words.CANCEL}
          </button>
        )}
      </div>
    );
  }
  if (mustPass(position)) {
    return (
      <div class="banner">
        <strong>{words.NO_MOVE}</strong>
        <span>{words.YOU_PASS}</span>
      </div>
    );
  }
  const first = store.first.value;
  return (
    <div class="banner mine">
      <strong>{words.YOUR_MOVE}</strong>
      <span>{stonesText(position, first) ?? (position.check ? words.IN_CHECK : words.youPlay(mover))}</span>
      {first && (
        <button type="button" onClick={store.undoFirst}>
          {words.UNDO_FIRST_STONE}
        </button>
      )}
    </div>
  );
}

async function rematch(game: Game): Promise<void> {
  try {
    const next = await api.newGame(againOf(game));
    go(hashOf("play", next.id, {}));
  } catch (error) {
    notifyError(error);
  }
}
