import { count, reasonText, scoreText } from "../lib/format";
import { shownScore } from "../lib/view";
import { frame, queued, recording, root, running, scores } from "./store";
import { frameText, timeText } from "./words";

const MOVES_SHOWN = 8;

/** How far the search is, or why it stopped; and what is missing in the recording. */
export function Status() {
  const { begin, end, frames } = recording.value;
  if (!begin && !running.value) {
    return (
      <p class="watch-status faint">
        Every block is a node of the search: the root on top, replies below, as wide as the work that went
        into it.
      </p>
    );
  }
  const newest = frames.at(-1);
  const missing = missingWords();
  return (
    <div class="watch-status">
      <p>
        {running.value ? (
          <strong class="busy" data-state="running">
            {queued.value > 0 ? `Waiting: place ${queued.value} in line` : "Searching"}
          </strong>
        ) : (
          <strong data-state="stopped" data-stopped={end?.stopped ?? ""}>
            {end
              ? `Stopped: ${end.reason ?? reasonText(end.stopped ?? "the search died")}`
              : "The recording has no end"}
          </strong>
        )}
        {running.value && newest && <span>{frameText(newest)}</span>}
        {!running.value && end && (
          <>
            <span>{timeText(recording.value.turnUs + end.us)}</span>
            <span>
              {count(end.nodes)} {frame.value?.kind === "snapshot" ? "playouts" : "nodes"}
            </span>
            {end.line.length > 0 && (
              <span>
                Best: {end.line.slice(0, MOVES_SHOWN).join(" ")}
                {end.score &&
                  ` (${scoreText(shownScore(end.score, root.value?.to_move ?? 0), scores.value)})`}
              </span>
            )}
          </>
        )}
      </p>
      {missing && <p class="faint">{missing}</p>}
    </div>
  );
}

function missingWords(): string {
  const { lost, forgotten, turns } = recording.value;
  const record = frame.value?.record;
  const plural = (number: number, one: string, many: string) =>
    `${count(number)} ${number === 1 ? one : many}`;
  return [
    record && record.left_out > 0
      ? `${plural(record.left_out, "node or visit", "nodes or visits")} of this tree had no room.`
      : "",
    lost > 0
      ? `${plural(lost, "record was", "records were")} lost on the way, because the page was too slow.`
      : "",
    forgotten > 0
      ? `${plural(forgotten, "older tree was", "older trees were")} dropped to save memory; their numbers are kept.`
      : "",
    turns > 1 ? `The search made room for others ${turns - 1}× and went on with what it knew.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
