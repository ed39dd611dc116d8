import type { Position, SearchInfo } from "../api/types";
import { viewer } from "../lib/chance";
import { count, reasonText, seconds } from "../lib/format";
import { networkChoice } from "../lib/networks";
import { isOption } from "../lib/options";
import { type BudgetChoice, BudgetFields } from "../widgets/budget";
import { EngineChoices } from "../widgets/engine-choices";
import { Icon } from "../widgets/icon";
import { Options } from "../widgets/options";
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
import { study } from "./store";

const BUDGETS: BudgetChoice<EngineSettings["budget"]>[] = [
  ["seconds", "seconds", 5],
  ["nodes", "nodes", 1_000_000],
  ["depth", "plies deep", 12],
  ["infinite", "without end", 0],
];

export function EnginePanel({ position }: { position: Position }) {
  const known = report.value;
  const { lines, budget, amount } = settings.value;
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
          <span class="unseen">Search</span>
          <select
            value={network.value ? networkChoice(network.value.name) : search.value?.name}
            onChange={(event) => {
              change({ search: { ...settings.value.search, [study.value.game]: event.currentTarget.value } });
            }}
          >
            <EngineChoices searches={searches.value} networks={networks.value} />
          </select>
        </label>
        <label>
          <span class="unseen">Lines</span>
          <select value={lines} onChange={(event) => change({ lines: Number(event.currentTarget.value) })}>
            {[1, 2, 3, 4, 5, 8, 12].map((number) => (
              <option key={number} value={number}>
                {number} {number === 1 ? "line" : "lines"}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Status />
      {known && !position.outcome ? (
        <Lines position={position} report={known} />
      ) : (
        <p class="faint">
          {position.outcome
            ? `The game is over: ${position.outcome.text}. Step back to analyse an earlier position.`
            : "Nothing known about this position yet."}
        </p>
      )}
      <details class="options">
        <summary>Budget</summary>
        <div class="row budget">
          <BudgetFields
            choices={BUDGETS}
            budget={budget}
            amount={amount}
            labels={["Amount", "Budget"]}
            onChange={change}
          />
        </div>
        <small class="faint">A position that has had its budget is remembered and not searched again.</small>
      </details>
      <Options info={unclocked(search.value)} values={changedOptions.value} onChange={setOptions} />
      {search.value && (
        <small class="faint">
          {search.value.summary}. Values for{" "}
          {position.players[viewer(position.to_move, position.style.scores)]}.
        </small>
      )}
    </section>
  );
}

/** A search without the options that matter only in a game with a clock: an analysis has none. */
function unclocked(info: SearchInfo | null): SearchInfo | null {
  return info && { ...info, options: info.options.filter((option) => !isOption(option, "clock")) };
}

export function toggle(): void {
  on.value = !on.value;
}

function Status() {
  const known = report.value;
  if (running.value && queued.value > 0) {
    return <p class="engine-status">Waiting: place {queued.value} in line</p>;
  }
  if (!known) return null;
  const facts = [
    `depth ${known.depth}${known.selective_depth > known.depth ? `/${known.selective_depth}` : ""}`,
    `${count(known.nodes)} nodes`,
    `${count(known.nodes_per_second)}/s`,
    seconds(known.seconds),
  ];
  if (known.table_permille) facts.push(`table ${Math.round(known.table_permille / 10)}%`);
  const ended = running.value ? "searching" : reasonText(reason.value || known.stopped || "remembered");
  return (
    <p class="engine-status">
      <span class={running.value ? "busy" : "faint"} data-reason>
        {ended}
      </span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}
