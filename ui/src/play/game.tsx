import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Game, LegalMove, Player } from "../api/types";
import { Board } from "../boards/board";
import { TypedMove } from "../boards/typed";
import { againOf } from "../lib/again";
import { go, hashOf } from "../lib/route";
import { mustPass, stonesText } from "../lib/turns";
import { useAnswer, useKeys } from "../lib/use";
import { Dialog } from "../widgets/dialog";
import { Icon } from "../widgets/icon";
import { notifyError } from "../widgets/live";
import { OpeningName } from "../widgets/opening";
import { SoundSwitch } from "../widgets/sound";
import { MoveList } from "./moves";
import { Side } from "./side";
import { type GameStore, openGame, resultText } from "./store";

export function GamePage({ id }: { id: string }) {
  const store = useMemo(() => openGame(id), [id]);
  useEffect(() => {
    void store.load();
    return store.close;
  }, [store]);
  if (store.missing.value) {
    return (
      <main class="narrow">
        <h1>This game is gone</h1>
        <p>The server does not know it any more.</p>
        <a class="button primary" href="#/play">
          New game
        </a>
      </main>
    );
  }
  const game = store.game.value;
  if (!game) return <main class="narrow faint">Loading the game…</main>;
  return <GameView store={store} game={game} />;
}

function GameView({ store, game }: { store: GameStore; game: Game }) {
  const { position } = game;
  const [turned, setTurned] = useState(false);
  const [ply, setPly] = useState<number | null>(null);
  const [asking, setAsking] = useState<"resign" | "draw" | null>(null);
  const levels = useAnswer(position.game, () => api.levels(position.game)) ?? [];
  const levelNames = levels.map((level) => level.name);
  const below: Player = game.human ?? 0;
  const count = position.moves.length;
  const myTurn = store.myTurn.value && ply === null;
  // A new move brings the board back to the present.
  useEffect(() => setPly(null), [count]);
  useEffect(() => {
    document.title = myTurn ? "Your move · Outplay" : "Outplay";
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
  const show = (next: number) => setPly(next >= count ? null : Math.max(0, next));
  const at = ply ?? count;
  const over = game.result !== null;
  const analyse = hashOf("analyse", null, {
    game: position.game,
    start: position.start,
    moves: position.moves.map((move) => move.move).join(","),
    from: game.id,
  });
  const first = store.first.value;
  const now = store.shown.value ?? position;
  const onMove = myTurn ? (move: LegalMove) => void store.play(move) : undefined;
  // Time cannot be taken back.
  const canTakeBack = first !== null || (count > 0 && !game.result?.on_time);
  const takeBack = () => {
    if (first) store.undoFirst();
    else if (canTakeBack) store.act("takeback");
  };
  useKeys({
    f: () => setTurned(!turned),
    h: () => myTurn && !first && void store.askHint(),
    r: () => game.human !== null && !over && setAsking("resign"),
    u: takeBack,
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    Escape: () => store.undoFirst(),
  });
  // Pieces that move have a direction: the human sits below.
  const flipped = (position.family === "squares" && below === 1) !== turned;
  const sides: [Player, Player] = turned ? [below, (1 - below) as Player] : [(1 - below) as Player, below];
  const side = (player: Player) => (
    <Side game={game} player={player} levelNames={levelNames} receivedAt={store.receivedAt.value} />
  );
  return (
    <main class="table">
      <h1 class="unseen">{position.label} game</h1>
      <div class="board-column">
        {side(sides[0])}
        <Board
          position={past ?? now}
          flipped={flipped}
          onMove={onMove}
          provisional={store.first.value?.to}
          onCancel={store.undoFirst}
          overlay={ply === null ? { hint: store.hint.value } : undefined}
        />
        {side(sides[1])}
        <p class="standing">
          <OpeningName position={past ?? position} />
        </p>
      </div>
      <aside class="panel">
        <Banner store={store} game={game} past={ply !== null} />
        <TypedMove legal={now.legal} onMove={onMove} />
        <MoveList moves={position.moves} shown={at} onShow={show} />
        <div class="row stepper">
          <button type="button" aria-label="First position" onClick={() => show(0)}>
            <Icon name="first" />
          </button>
          <button type="button" aria-label="One move back" onClick={() => show(at - 1)}>
            <Icon name="back" />
          </button>
          <button type="button" aria-label="One move forward" onClick={() => show(at + 1)}>
            <Icon name="forward" />
          </button>
          <button type="button" aria-label="Last position" onClick={() => show(count)}>
            <Icon name="last" />
          </button>
          <button
            type="button"
            aria-label="Flip the board"
            title="Flip the board (f)"
            onClick={() => setTurned(!turned)}
          >
            <Icon name="flip" />
          </button>
          <SoundSwitch />
        </div>
        <div class="actions">
          {game.human !== null && (
            <>
              <button type="button" disabled={!myTurn || first !== null} onClick={() => void store.askHint()}>
                Hint
              </button>
              <button
                type="button"
                disabled={!canTakeBack}
                title="Takes your last turn back, and what the engine answered (u)"
                onClick={takeBack}
              >
                Undo
              </button>
              <button type="button" disabled={over || game.offer !== null} onClick={() => setAsking("draw")}>
                Offer draw
              </button>
              <button type="button" disabled={over} onClick={() => setAsking("resign")}>
                Resign
              </button>
            </>
          )}
          {game.human === null && !over && (
            <button type="button" onClick={() => store.act(game.paused ? "resume" : "pause")}>
              {game.paused ? "Resume" : "Pause"}
            </button>
          )}
          <a class="button" href={analyse}>
            Analyse
          </a>
          <a class="button" href="#/play">
            New game
          </a>
        </div>
      </aside>
      {asking && (
        <Question
          {...QUESTIONS[asking]}
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

/** What is not done without a question. */
const QUESTIONS = {
  resign: { title: "Resign this game?", yes: "Resign" },
  draw: { title: "Offer a draw?", yes: "Offer a draw" },
};

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
          Play on
        </button>
      </div>
    </Dialog>
  );
}

/** What the player should know now: the result, whose turn it is, or which stone is asked for. */
function Banner({ store, game, past }: { store: GameStore; game: Game; past: boolean }) {
  const { position, result } = game;
  if (result) {
    const own =
      game.human === null || result.winner === null ? "" : result.winner === game.human ? "won" : "lost";
    const headline = { won: "You won", lost: "You lost", "": result.winner === null ? "Draw" : "Game over" }[
      own
    ];
    return (
      <div class={`banner result ${own}`}>
        <strong>{headline}</strong>
        <span>{resultText(result)}</span>
        <button type="button" class="primary" onClick={() => void rematch(game)}>
          Play again
        </button>
      </div>
    );
  }
  if (past) return <div class="banner">An earlier position. Step forward to play.</div>;
  const first = store.first.value;
  const mover = position.players[position.to_move];
  if (!store.myTurn.value) {
    return <div class="banner">{game.paused ? "Paused" : `${mover} is thinking`}</div>;
  }
  if (mustPass(position)) {
    return (
      <div class="banner">
        <strong>You have no move</strong>
        <span>and pass</span>
      </div>
    );
  }
  return (
    <div class="banner mine">
      <strong>Your move</strong>
      <span>
        {stonesText(position, first) ?? (position.check ? "You are in check" : `You play ${mover}`)}
      </span>
      {first && (
        <button type="button" onClick={store.undoFirst}>
          Undo first stone
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
