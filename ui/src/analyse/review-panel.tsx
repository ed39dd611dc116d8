import { stored } from "../lib/stored";
import { cancelReview, fault, judged, jump, progress, review } from "./review";
import { position, wholeLine } from "./store";

const effort = stored("review-seconds", 0.5);

/** Judges the whole game and counts what each player gave away. */
export function ReviewPanel() {
  const here = position.value;
  if (!here || wholeLine.value.length === 0) return null;
  const done = progress.value;
  const count = (player: number, kind: string) =>
    judged.value.filter((turn) => turn.player === player && turn.fault === kind).length;
  const known = judged.value.length > 0;
  return (
    <section class="card-box review" aria-label="Review of the game">
      <div class="row">
        {done === null ? (
          <button type="button" onClick={() => void review({ seconds: effort.value })}>
            Review the game
          </button>
        ) : (
          <button type="button" onClick={cancelReview}>
            Stop the review
          </button>
        )}
        <label class="row">
          <span class="unseen">Time for each position</span>
          <select
            value={effort.value}
            onChange={(event) => {
              effort.value = Number(event.currentTarget.value);
            }}
          >
            {[0.1, 0.5, 1, 3, 10].map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds} s a move
              </option>
            ))}
          </select>
        </label>
        {done !== null && <progress value={done} max={1} aria-label="Review" />}
      </div>
      {known && (
        <table>
          <thead>
            <tr>
              <th scope="col">Gave away</th>
              <th scope="col">{here.players[0]}</th>
              <th scope="col">{here.players[1]}</th>
            </tr>
          </thead>
          <tbody>
            {(
              [
                ["inaccuracy", "10 points or more ?!"],
                ["mistake", "20 points or more ?"],
                ["blunder", "30 points or more ??"],
              ] as const
            ).map(([kind, words]) => (
              <tr key={kind}>
                <th scope="row" class={kind}>
                  {words}
                </th>
                <td>{count(0, kind)}</td>
                <td>{count(1, kind)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {fault.value && (
        <p class="fault-words">
          {fault.value.points} of 100 points given away
          {fault.value.better && `; better was ${fault.value.better}`}.
        </p>
      )}
      {known && (
        <div class="row small-buttons">
          <button type="button" onClick={() => jump(-1)}>
            Previous mistake
          </button>
          <button type="button" onClick={() => jump(1)}>
            Next mistake
          </button>
        </div>
      )}
    </section>
  );
}
