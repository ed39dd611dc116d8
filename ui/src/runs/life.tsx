import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Run } from "../api/runs";
import type { Opinion } from "../api/search";
import type { Position } from "../api/types";
import { Board } from "../boards/board";
import { ownerOverlay, policyOverlay } from "../lib/networks";
import { mustPass } from "../lib/turns";
import { useLatest } from "../lib/use";
import { Icon } from "../widgets/icon";
import { OpinionFacts } from "../widgets/opinion";
import { ValueCurve } from "./value-curve";
import * as words from "./words";

/** How long each generation is seen when its life is played. */
const STEP_MS = 600;

/** What a generation has said, and of which moves. */
interface Answer {
  of: string;
  opinion: Opinion | null;
  trouble: string;
}

/** The life of a network: what each generation says of a position. */
export function Life({ run }: { run: Run }) {
  const [moves, setMoves] = useState<string[]>([]);
  const [wanted, setWanted] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const [owners, setOwners] = useState(false);
  const position = useLatest(`${run.game} ${moves.join()}`, () =>
    api.position({ game: run.game, start: null, moves }),
  );
  const { generations } = run;
  const last = generations.length - 1;
  // Whoever has not chosen sees the newest.
  const place = Math.min(wanted ?? last, last);
  const generation = generations[place];
  const answer = useLatest<Answer>(`${run.name} ${generation} ${moves.join()}`, () =>
    generation === undefined
      ? Promise.resolve({ of: moves.join(), opinion: null, trouble: "" })
      : api.runOpinion(run.name, generation, moves).then(
          (opinion) => ({ of: moves.join(), opinion, trouble: "" }),
          (error: Error) => ({ of: moves.join(), opinion: null, trouble: error.message }),
        ),
  );
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (place >= last) setPlaying(false);
      else setWanted(place + 1);
    }, STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, place, last]);
  if (!position || generation === undefined)
    return <p class="faint">{run.generations.length === 0 ? words.NO_NETWORK : words.LOADING}</p>;
  // What was said of another position is not drawn on this one.
  const shown = answer?.of === position.moves.map(({ move }) => move).join() ? answer.opinion : null;
  const overlay = shown && (owners && shown.ownership ? ownerOverlay(shown, position) : policyOverlay(shown));
  const play = ({ move }: { move: string }) => setMoves([...position.moves.map((one) => one.move), move]);
  return (
    <section class="card-box life" aria-label={words.NETWORK_SAYS}>
      <h2>{words.NETWORK_SAYS}</h2>
      <p class="faint">{words.NETWORK_HELP}</p>
      <div class="life-view">
        <div>
          <Board position={position} onMove={play} overlay={overlay ?? undefined} />
          <div class="row">
            <button type="button" disabled={moves.length === 0} onClick={() => setMoves([])}>
              {words.START}
            </button>
            <button type="button" disabled={moves.length === 0} onClick={() => setMoves(moves.slice(0, -1))}>
              {words.BACK}
            </button>
            {mustPass(position) && (
              <button type="button" onClick={() => play(position.legal[0]!)}>
                {words.mustPass(position.players[position.to_move])}
              </button>
            )}
          </div>
          <TypedMoves run={run} position={position} onMoves={setMoves} />
        </div>
        <div>
          <div class="row generation">
            <button
              type="button"
              aria-label={playing ? words.STOP : words.PLAY_GENERATIONS}
              title={playing ? words.STOP : words.PLAY_GENERATIONS}
              disabled={last === 0}
              onClick={() => {
                if (!playing && place >= last) setWanted(0);
                setPlaying(!playing);
              }}
            >
              <Icon name={playing ? "stop" : "play"} />
            </button>
            <label class="grow">
              <span>
                Generation <b>{generation}</b> of {generations.at(-1)}
              </span>
              <input
                type="range"
                min={0}
                max={last}
                value={place}
                aria-valuetext={words.generation(generation)}
                onInput={(event) => {
                  const chosen = Number(event.currentTarget.value);
                  setPlaying(false);
                  setWanted(chosen === last ? null : chosen);
                }}
              />
            </label>
          </div>
          {answer?.trouble && <p role="alert">{answer.trouble}</p>}
          {shown && <OpinionFacts position={position} opinion={shown} onMove={play} />}
          {position.outcome && <p>{position.outcome.text}</p>}
          {shown?.ownership && (
            <label class="row check">
              <input
                type="checkbox"
                checked={owners}
                onChange={(event) => setOwners(event.currentTarget.checked)}
              />
              {words.OWNERS}
            </label>
          )}
        </div>
      </div>
      <ValueCurve run={run} position={position} />
    </section>
  );
}

/** The moves that lead to the position, as text that can be changed. */
function TypedMoves({
  run,
  position,
  onMoves,
}: {
  run: Run;
  position: Position;
  onMoves: (moves: string[]) => void;
}) {
  const played = position.moves.map(({ text }) => text).join(" ");
  const [text, setText] = useState(played);
  const [fault, setFault] = useState("");
  useEffect(() => {
    setText(played);
    setFault("");
  }, [played]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const moves = text.split(/[\s,]+/).filter(Boolean);
        api.position({ game: run.game, start: null, moves }).then(
          (answer) => onMoves(answer.moves.map(({ move }) => move)),
          (error: Error) => setFault(error.message),
        );
      }}
    >
      <label class="field">
        <span>{words.MOVES}</span>
        <input
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={words.TYPE_MOVES}
          aria-invalid={fault !== ""}
          aria-describedby="moves-fault"
          onInput={(event) => {
            setText(event.currentTarget.value);
            setFault("");
          }}
        />
      </label>
      <small id="moves-fault">{fault}</small>
    </form>
  );
}
