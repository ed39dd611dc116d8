import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Position, Solution } from "../api/types";
import { count } from "../lib/format";
import { stored } from "../lib/stored";
import { notifyError } from "../widgets/live";
import { insert, line } from "./store";

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

/** Threats of the opponent, and the search for a win by threats of one's own. */
export function ThreatPanel({ position }: { position: Position }) {
  const { threats } = position;
  if (!threats && !position.proves_wins) return null;
  const found = solutionFor(position);
  const opponent = position.players[1 - position.to_move];
  return (
    <section class="card-box threats" aria-label="Threats">
      <label class="row check">
        <input
          type="checkbox"
          checked={showThreats.value}
          onChange={(event) => {
            showThreats.value = event.currentTarget.checked;
          }}
        />
        <span>
          Threats:{" "}
          {threats && threats.count > 0 ? `${opponent} has ${threats.count}` : `${opponent} has none`}
        </span>
      </label>
      {position.proves_wins && !position.outcome && (
        <div class="row">
          <button type="button" disabled={busy.value} onClick={() => void solve(position)}>
            {busy.value ? "Searching…" : "Find a win by threats"}
          </button>
          {found && <span>{words(found)}</span>}
          {found?.result === "win" && (
            <button type="button" onClick={() => void insert(line.value, found.line.flat())}>
              Insert line
            </button>
          )}
        </div>
      )}
    </section>
  );
}

function words(found: Solution): string {
  const work = `${count(found.nodes)} nodes`;
  if (found.result === "win") return `Win in ${found.turns} turns (${work})`;
  return found.result === "none" ? `No win by threats (${work})` : `Not decided within ${work}`;
}
