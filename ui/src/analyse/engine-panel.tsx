import type { ReportLine } from "../api/search";
import type { Position } from "../api/types";
import { capital, count, reasonText, scoreText, seconds, several } from "../lib/format";
import { networkChoice } from "../lib/networks";
import { verdictOf } from "../lib/verdict";
import { shownScore, viewer } from "../lib/view";
import { type BudgetChoice, BudgetFields } from "../widgets/budget";
import { EngineChoices } from "../widgets/engine-choices";
import { Icon } from "../widgets/icon";
import { Options } from "../widgets/options";
import { ViewSwitch } from "../widgets/view-switch";
import {
  change,
  changedOptions,
  type EngineSettings,
  network,
  networks,
  on,
  queued,
  reason,
  report,
  running,
  search,
  searches,
  setOptions,
  settings,
} from "./engine";
import { Lines } from "./lines";
import { hasFewCells } from "./overlay";
import { study } from "./store";

const BUDGETS: BudgetChoice<EngineSettings["budget"]>[] = [
  ["seconds", "seconds", 5],
  ["nodes", "nodes", 1_000_000],
  ["depth", "plies deep", 12],
  ["infinite", "until stopped", 0],
];

/** Why a search ends that has had all that it was given. */
const SPENT = ["time", "nodes", "depth"];

export function EnginePanel({ position }: { position: Position }) {
  const known = position.outcome ? null : report.value;
  return (
    <section class="card-box engine" aria-label="Engine">
      <div class="row">
        <button
          type="button"
          class={on.value ? "primary" : ""}
          aria-pressed={on.value}
          title="Start or stop the engine (a)"
          onClick={toggle}
        >
          <Icon name={on.value ? "stop" : "play"} />
          {on.value ? "Stop" : "Analyse"}
        </button>
        <label class="grow">
          <span class="unseen">Engine</span>
          <select
            value={network.value ? networkChoice(network.value.name) : search.value?.name}
            onChange={(event) => {
              change({ search: { ...settings.value.search, [study.value.game]: event.currentTarget.value } });
            }}
          >
            <EngineChoices searches={searches.value} networks={networks.value} />
          </select>
        </label>
      </div>
      <Verdict position={position} best={known?.lines[0]} />
      {known && (
        <>
          <Status />
          <Lines position={position} report={known} />
        </>
      )}
      <Settings position={position} />
    </section>
  );
}

/** What the engine says of the position, before all details. */
function Verdict({ position, best }: { position: Position; best: ReportLine | undefined }) {
  const { outcome, to_move, players, style } = position;
  if (outcome) {
    return <p class="faint">The game is over. {outcome.text}. Step back to analyse an earlier position.</p>;
  }
  if (!best) {
    const waiting = queued.value > 0 ? `Waiting: place ${queued.value} in line` : "Searching…";
    return <p class="verdict faint">{running.value ? waiting : "Not analysed yet."}</p>;
  }
  return (
    <p class="verdict">
      <strong>{scoreText(shownScore(best.score, to_move), style.scores)}</strong>{" "}
      <span class="faint">for {players[viewer(to_move)]} ·</span> {verdictOf(best, position)}
    </p>
  );
}

/** What most people never change. */
function Settings({ position }: { position: Position }) {
  const { lines, everywhere, budget, amount } = settings.value;
  return (
    <details class="options">
      <summary>Settings</summary>
      <label class="field">
        <span>Lines</span>
        <select value={lines} onChange={(event) => change({ lines: Number(event.currentTarget.value) })}>
          {[1, 2, 3, 4, 5, 8, 12].map((number) => (
            <option key={number} value={number}>
              {several(number, "line")}
            </option>
          ))}
        </select>
      </label>
      {hasFewCells(position) && (
        <label class="row check">
          <input
            type="checkbox"
            checked={everywhere}
            onChange={(event) => change({ everywhere: event.currentTarget.checked })}
          />
          Values of all moves
        </label>
      )}
      <fieldset class="field">
        <legend>Time for a position</legend>
        <div class="row budget">
          <BudgetFields
            choices={BUDGETS}
            budget={budget}
            amount={amount}
            labels={["Amount", "Budget"]}
            onChange={change}
          />
        </div>
        <small>A position that has had its time is remembered and not searched again.</small>
      </fieldset>
      <ViewSwitch players={position.players} />
      <Options info={search.value} values={changedOptions.value} onChange={setOptions} />
      {search.value && <small class="faint">{capital(search.value.summary)}.</small>}
    </details>
  );
}

export function toggle(): void {
  on.value = !on.value;
}

function Status() {
  const known = report.value;
  if (!known) return null;
  const facts = [
    `depth ${known.depth}${known.selective_depth > known.depth ? `/${known.selective_depth}` : ""}`,
    `${count(known.nodes)} nodes`,
    `${count(known.nodes_per_second)}/s`,
    seconds(known.seconds),
  ];
  if (known.table_permille) facts.push(`table ${Math.round(known.table_permille / 10)}%`);
  const waiting = queued.value > 0 ? `place ${queued.value} in line` : "searching";
  const why = reason.value || known.stopped || "remembered";
  const ended = SPENT.includes(why) ? "done" : reasonText(why);
  return (
    <p class="engine-status">
      <span class={running.value ? "busy" : "faint"} data-reason>
        {running.value ? waiting : ended}
      </span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}
