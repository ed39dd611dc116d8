import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Game, LegalMove, Player, Position } from "../api/types";
import { Board } from "../boards/board";
import { isTurned } from "../boards/still";
import { TypedMove, typing } from "../boards/typed";
import { hashOf } from "../lib/route";
import { useAnswer, useBoardFocus, useKeys } from "../lib/use";
import { Dialog } from "../widgets/dialog";
import { Icon } from "../widgets/icon";
import { notifyError } from "../widgets/live";
import { OpeningName } from "../widgets/opening";
import { SoundSwitch } from "../widgets/sound";
import { Banner } from "./banner";
import { MoveList } from "./moves";
import type { ShareGame } from "./share";
import { Side } from "./side";
import { type GameStore, openGame } from "./store";
import * as words from "./words";

export function GamePage({ id }: { id: string }) {
  const store = useMemo(() => openGame(id), [id]);
  useEffect(() => {
    void store.load();
    return store.close;
  }, [store]);
  if (store.missing.value) {
    return (
      <main class="narrow">
        <h1>{words.GONE_TITLE}</h1>
        <p>{words.GONE}</p>
        <a class="button primary" href="#/play">
          {words.NEW_GAME}
        </a>
      </main>
    );
  }
  const game = store.game.value;
  if (!game) return <main class="narrow faint">{words.LOADING_GAME}</main>;
  return <GameView store={store} game={game} />;
}

function GameView({ store, game }: { store: GameStore; game: Game }) {
  const { position } = game;
  const [turned, setTurned] = useState(false);
  const [ply, setPly] = useState<number | null>(null);
  const [asking, setAsking] = useState<"resign" | "draw" | null>(null);
  // Sharing draws pictures, which nobody needs for playing.
  const [Share, setShare] = useState<typeof ShareGame | null>(null);
  const openShare = () => import("./share").then(({ ShareGame }) => setShare(() => ShareGame), notifyError);
  const levels = useAnswer(position.game, () => api.levels(position.game)) ?? [];
  const levelNames = levels.map((level) => level.name);
  const below: Player = game.human ?? 0;
  const count = position.moves.length;
  const myTurn = store.myTurn.value && ply === null;
  // A new move brings the board back to the present.
  useEffect(() => setPly(null), [count]);
  useEffect(() => {
    document.title = myTurn ? words.YOUR_MOVE_TAB : "Outplay";
    return () => {
      document.title = "Outplay";
    };
  }, [myTurn]);
  const line = {
    game: position.game,
    start: position.start,
    moves: position.moves.slice(0, ply ?? count).map((move) => move.move),
  };
  const past = useAnswer(JSON.stringify(line), () =>
    ply === null ? Promise.resolve(null) : api.position(line),
  );
  useBoardFocus(game.version);
  const show = (next: number) => setPly(next >= count ? null : Math.max(0, next));
  const at = ply ?? count;
  const over = game.result !== null;
  const asLink = {
    game: position.game,
    start: position.start,
    moves: position.moves.map((move) => move.move).join(","),
  };
  const first = store.first.value;
  const premoves = store.premoves.value;
  const now = store.shown.value ?? position;
  const onMove = myTurn ? (move: LegalMove) => void store.play(move) : undefined;
  const takeBack = () => {
    if (premoves.length > 0) store.dropPremoves();
    else if (first) store.undoFirst();
    else if (undoable(game)) store.act("takeback");
  };
  const cancel = () => {
    store.undoFirst();
    store.dropPremoves();
  };
  useKeys({
    f: () => setTurned(!turned),
    h: () => myTurn && !first && void store.askHint(),
    r: () => game.human !== null && !over && setAsking("resign"),
    u: takeBack,
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    Escape: cancel,
  });
  const premoving =
    game.human !== null && !over && ply === null && !store.myTurn.value
      ? { player: game.human, moves: premoves, onChoose: store.premove, onCancel: store.dropPremoves }
      : undefined;
  const flipped = isTurned(position, below) !== turned;
  const sides: [Player, Player] = turned ? [below, (1 - below) as Player] : [(1 - below) as Player, below];
  const side = (player: Player) => (
    <Side game={game} player={player} levelNames={levelNames} receivedAt={store.receivedAt.value} />
  );
  return (
    <main class="table">
      <h1 class="unseen">{words.gameTitle(position.label)}</h1>
      <div class="board-column">
        {side(sides[0])}
        <Board
          position={past ?? now}
          flipped={flipped}
          onMove={onMove}
          provisional={store.first.value?.to}
          onCancel={store.undoFirst}
          premoving={premoving}
          overlay={ply === null ? { hint: store.hint.value } : undefined}
        />
        {side(sides[1])}
        <p class="standing">
          {/* Which rules or start position were chosen, or drawn by lot. */}
          {position.game.includes(":") && <span>{position.label}</span>}
          <OpeningName position={past ?? position} />
        </p>
      </div>
      <aside class="panel">
        <Banner store={store} game={game} onPresent={ply === null ? null : () => show(count)} />
        <TypedMove legal={now.legal} onMove={onMove} />
        <MoveList moves={position.moves} paired={position.style.scores.full_moves} shown={at} onShow={show} />
        <div class="row stepper">
          <button type="button" aria-label={words.FIRST_POSITION} onClick={() => show(0)}>
            <Icon name="first" />
          </button>
          <button type="button" aria-label={words.PREVIOUS_MOVE} onClick={() => show(at - 1)}>
            <Icon name="back" />
          </button>
          <button type="button" aria-label={words.NEXT_MOVE} onClick={() => show(at + 1)}>
            <Icon name="forward" />
          </button>
          <button type="button" aria-label={words.LAST_POSITION} onClick={() => show(count)}>
            <Icon name="last" />
          </button>
          <button
            type="button"
            aria-label={words.FLIP}
            title={words.FLIP_TITLE}
            onClick={() => setTurned(!turned)}
          >
            <Icon name="flip" />
          </button>
          {game.human !== null && (
            <button
              type="button"
              aria-label={words.TYPE_MOVE}
              title={words.TYPE_MOVE_TITLE}
              aria-pressed={typing.value}
              onClick={() => {
                typing.value = !typing.value;
              }}
            >
              <Icon name="type" />
            </button>
          )}
          <SoundSwitch />
        </div>
        <div class="actions">
          {game.human !== null && (
            <>
              {!over && (
                <button
                  type="button"
                  disabled={!myTurn || first !== null}
                  title={words.HINT_TITLE}
                  onClick={() => void store.askHint()}
                >
                  {words.HINT}
                </button>
              )}
              <button
                type="button"
                disabled={first === null && premoves.length === 0 && !undoable(game)}
                title={undoTitle(game, first !== null)}
                onClick={takeBack}
              >
                {words.UNDO}
              </button>
              {!over && (
                <>
                  <button
                    type="button"
                    disabled={game.offer !== null}
                    title={words.OFFER_DRAW_TITLE}
                    onClick={() => setAsking("draw")}
                  >
                    {words.OFFER_DRAW}
                  </button>
                  <button type="button" onClick={() => setAsking("resign")}>
                    {words.RESIGN}
                  </button>
                </>
              )}
            </>
          )}
          {game.human === null && !over && (
            <button type="button" onClick={() => store.act(game.paused ? "resume" : "pause")}>
              {game.paused ? words.RESUME : words.PAUSE}
            </button>
          )}
          {over && count > 0 && (
            <a
              class="button"
              title={words.REVIEW_TITLE}
              href={hashOf("analyse", null, { ...asLink, from: game.id, review: "1" })}
            >
              {words.REVIEW}
            </a>
          )}
          <a class="button" href={hashOf("analyse", null, { ...asLink, from: game.id })}>
            {words.ANALYSE}
          </a>
          <button type="button" onClick={() => void openShare()}>
            {words.SHARE}
          </button>
          <a class="button" href="#/play">
            {words.NEW_GAME}
          </a>
        </div>
      </aside>
      {Share && (
        <Share
          game={game}
          levelNames={levelNames}
          link={new URL(hashOf("analyse", null, asLink), location.href).href}
          flipped={flipped}
          onClose={() => setShare(null)}
        />
      )}
      {asking && (
        <Question
          {...words.QUESTIONS[asking]}
          onClose={() => setAsking(null)}
          onYes={() => {
            setAsking(null);
            store.act(asking);
          }}
        />
      )}
    </main>
  );
}

/** Whether there is something of the person's to take back; time cannot be. */
function undoable({ position, human, result }: Game): boolean {
  if (result?.on_time) return false;
  return endedByWord(position, result) || position.moves.some(({ player }) => player === (human ?? player));
}

/** A game that ended on the board has an outcome there; others end because somebody resigns or both agree. */
const endedByWord = ({ outcome }: Position, result: Game["result"]) => result !== null && outcome === null;

function undoTitle({ position, result }: Game, hasFirst: boolean): string {
  if (hasFirst) return words.UNDO_STONE_TITLE;
  return endedByWord(position, result) ? words.UNDO_END_TITLE : words.UNDO_TITLE;
}

interface QuestionProps {
  title: string;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}

function Question({ title, yes, onYes, onClose }: QuestionProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="row">
        <button type="button" class="primary" autofocus onClick={onYes}>
          {yes}
        </button>
        <button type="button" onClick={onClose}>
          {words.PLAY_ON}
        </button>
      </div>
    </Dialog>
  );
}
