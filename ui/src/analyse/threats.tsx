import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Solution } from "../api/textbook";
import type { Position } from "../api/types";
import { stored } from "../lib/stored";
import { notifyError } from "../widgets/live";
import * as reply from "./reply";
import { insert, line } from "./store";
import * as said from "./words";

export const showThreats = stored("threats", true);
/** A proof, and the position that it belongs to. */
export const solution = signal<{ position: string; answer: Solution } | null>(null);
const busy = signal(false);
const NODES = 200_000;

export function solutionFor(position: Position): Solution | null {
  return solution.value?.position === position.position ? solution.value.answer : null;
}

async function solve(position: Position): Promise<void> {
  busy.value = true;
  try {
    solution.value = { position: position.position, answer: await api.solve(line.value, NODES) };
  } catch (error) {
    notifyError(error);
  } finally {
    busy.value = false;
  }
}

/** What the opponent threatens, and the search for a win by threats of one's own. */
export function ThreatPanel({ position }: { position: Position }) {
  const { threats } = position;
  const found = solutionFor(position);
  const opponent = position.players[1 - position.to_move]!;
  if (position.outcome) return null;
  return (
    <section class="card-box threats" aria-label={said.THREATS}>
      <div class="row">
        <button
          type="button"
          aria-pressed={reply.on.value}
          title={said.replyTitle(opponent)}
          onClick={reply.toggle}
        >
          {said.whatThreatens(opponent)}
        </button>
        {reply.on.value && <span class="faint">{replyText()}</span>}
      </div>
      {threats && (
        <label class="row check">
          <input
            type="checkbox"
            checked={showThreats.value}
            onChange={(event) => {
              showThreats.value = event.currentTarget.checked;
            }}
          />
          <span>{threatText(threats.count, opponent, position.stones_left)}</span>
        </label>
      )}
      {position.proves_wins && (
        <div class="row">
          <button type="button" disabled={busy.value} onClick={() => void solve(position)}>
            {busy.value ? said.SEARCHING : said.FIND_WIN}
          </button>
          {found && <span>{words(found)}</span>}
          {found?.result === "win" && (
            <button type="button" onClick={() => void insert(line.value, found.line.flat())}>
              {said.INSERT}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** How many stones it takes to stop all rows that the opponent's next turn would fill; more than the turn has stand for too many. */
function threatText(count: number, opponent: string, left: number | null): string {
  if (count === 0) return said.noThreat(opponent);
  if (left !== null && count > left) return said.unstoppable(opponent);
  return said.threatens(opponent, count);
}

function replyText(): string {
  const { passed = null, report = null, trouble = "" } = reply.reply.value ?? {};
  if (trouble) return trouble;
  return (passed && reply.words(passed, report)) || said.SEARCHING;
}

function words(found: Solution): string {
  const work = said.nodes(found.nodes);
  if (found.result === "win") return said.winIn(found.turns, work);
  return found.result === "none" ? said.noWin(work) : said.undecided(work);
}
