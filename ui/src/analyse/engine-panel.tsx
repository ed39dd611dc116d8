import type { Position } from "../api/types";
import { viewer } from "../lib/chance";
import { count, reasonText, seconds } from "../lib/format";
import { ChoiceList } from "../widgets/choices";
import { Icon } from "../widgets/icon";
import {
  change,
  type EngineSettings,
  on,
  queued,
  reason,
  report,
  running,
  search,
  searches,
  settings,
} from "./engine";
import { Lines } from "./lines";
import { Options } from "./options";
import { study } from "./store";

const BUDGETS: [EngineSettings["budget"], string, number][] = [
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
            value={search.value?.name}
            onChange={(event) => {
              change({ search: { ...settings.value.search, [study.value.game]: event.currentTarget.value } });
            }}
          >
            {searches.value.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
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
          {position.outcome ? position.outcome.text : "Nothing known about this position yet."}
        </p>
      )}
      <details class="options">
        <summary>Budget</summary>
        <div class="row budget">
          <label class="grow">
            <span class="unseen">Amount</span>
            <input
              type="number"
              min={budget === "seconds" ? 0.1 : 1}
              step={budget === "seconds" ? 0.1 : 1}
              disabled={budget === "infinite"}
              value={budget === "infinite" ? "" : amount}
              onChange={(event) => {
                const next = event.currentTarget;
                if (next.reportValidity() && Number(next.value) > 0) change({ amount: Number(next.value) });
              }}
            />
          </label>
          <label class="grow">
            <span class="unseen">Budget</span>
            <select
              value={budget}
              onChange={(event) => {
                const [name, , usual] = BUDGETS.find(([other]) => other === event.currentTarget.value)!;
                change({ budget: name, amount: usual });
              }}
            >
              <ChoiceList of={BUDGETS} />
            </select>
          </label>
        </div>
        <small class="faint">A position that has had its budget is remembered and not searched again.</small>
      </details>
      <Options />
      {search.value && (
        <small class="faint">
          {search.value.summary}. Values for {position.players[viewer(position.to_move, position.family)]}.
        </small>
      )}
    </section>
  );
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
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      <span class={running.value ? "busy" : "faint"} data-reason>
        {ended}
      </span>
    </p>
  );
}
