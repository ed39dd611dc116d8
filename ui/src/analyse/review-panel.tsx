import type { ReviewedTurn } from "../api/review";
import type { Player } from "../api/types";
import { capital, exact } from "../lib/format";
import { FAULT_SIGN, FAULTS } from "../lib/review";
import { ROOT } from "../lib/tree";
import { beginRetry, retry } from "./retry";
import { RetryPanel } from "./retry-panel";
import {
  cancelReview,
  EFFORTS,
  effort,
  effortLimit,
  fault,
  found,
  jump,
  progress,
  review,
  turns,
} from "./review";
import { insert, lineTo, position, wholeLine } from "./store";

const PLAYERS: [Player, Player] = [0, 1];
const PHASES: Record<string, string> = {
  opening: "Opening",
  middlegame: "Middle game",
  endgame: "Endgame",
};

/** Judges the whole game, and says how accurate each player was and what would have been better. */
export function ReviewPanel() {
  const here = position.value;
  if (!here || wholeLine.value.length === 0) return null;
  const done = progress.value;
  const known = turns.value.length > 0;
  return (
    <section class="card-box review" aria-label="Review of the game">
      <div class="row">
        {done === null ? (
          <button type="button" disabled={retry.value !== null} onClick={review}>
            Review the game
          </button>
        ) : (
          <button type="button" onClick={cancelReview}>
            Stop the review
          </button>
        )}
        <label class="row">
          <span class="unseen">How thoroughly</span>
          <select
            value={effort.value}
            title={`${exact(effortLimit.value.nodes ?? 0)} nodes a move`}
            onChange={(event) => {
              effort.value = event.currentTarget.value as typeof effort.value;
            }}
          >
            {Object.keys(EFFORTS).map((name) => (
              <option key={name} value={name}>
                {capital(name)}
              </option>
            ))}
          </select>
        </label>
        {done !== null && <progress value={done} max={1} aria-label="Review" />}
      </div>
      {retry.value ? <RetryPanel players={here.players} /> : known && <Steps players={here.players} />}
      {known && <Summary players={here.players} />}
    </section>
  );
}

/** How accurate the players were, in the game and in its parts, and their faults. */
function Summary({ players }: { players: [string, string] }) {
  const { sides } = found.value!;
  const percent = (value: number | null | undefined) => (value == null ? "" : `${Math.round(value)} %`);
  const phases = [...new Set(sides.flatMap((side) => side.phases.map(({ phase }) => phase)))];
  return (
    <table>
      <thead>
        <tr>
          <td />
          {players.map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr class="accuracy">
          <th scope="row">Accuracy</th>
          {PLAYERS.map((player) => (
            <td key={player}>{percent(sides[player].accuracy)}</td>
          ))}
        </tr>
        {phases.length > 1 &&
          phases.map((phase) => (
            <tr key={phase} class="phase">
              <th scope="row">{PHASES[phase] ?? phase}</th>
              {PLAYERS.map((player) => (
                <td key={player}>
                  {percent(sides[player].phases.find((one) => one.phase === phase)?.accuracy)}
                </td>
              ))}
            </tr>
          ))}
        {FAULTS.map(([kind, name], place) => (
          <tr key={kind}>
            <th scope="row" class={kind}>
              {name} <span aria-hidden="true">{FAULT_SIGN[kind]}</span>
            </th>
            {PLAYERS.map((player) => (
              <td key={player}>{sides[player].marks[place]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Steps({ players }: { players: [string, string] }) {
  const marked = turns.value.filter((turn) => turn.mark);
  if (marked.length === 0) return null;
  return (
    <>
      <div class="row small-buttons">
        <button type="button" onClick={() => jump(-1)}>
          Previous mistake
        </button>
        <button type="button" onClick={() => jump(1)}>
          Next mistake
        </button>
        {progress.value === null &&
          PLAYERS.filter((player) => marked.some((turn) => turn.player === player)).map((player) => (
            <button
              type="button"
              key={player}
              title={`Find better moves than ${players[player]} did`}
              onClick={() => beginRetry(player)}
            >
              Retry as {players[player]}
            </button>
          ))}
      </div>
      {fault.value && <FaultWords turn={fault.value} />}
    </>
  );
}

/** What a turn gave away, what would have been better, and how it is answered; a click puts a line into the tree. */
export function FaultWords({ turn }: { turn: ReviewedTurn }) {
  const path = wholeLine.value;
  const lines = [
    ["Better", turn.best, turn.from],
    ["Answer", turn.reply, turn.to],
  ] as const;
  return (
    <div class="fault-words">
      <p>
        <strong class={turn.mark ?? ""}>{turn.words}</strong> {turn.advice}
      </p>
      {lines.map(
        ([name, { text, plain }, from]) =>
          text.length > 0 && (
            <p key={name} class="fault-line">
              <span class="faint">{name}:</span>{" "}
              <button
                type="button"
                class="quiet"
                title="Put this line into the move tree"
                onClick={() => void insert(lineTo(path[from - 1]?.id ?? ROOT), plain)}
              >
                {text.join(" ")}
              </button>
            </p>
          ),
      )}
    </div>
  );
}
