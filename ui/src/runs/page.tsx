import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Run, RunSummary } from "../api/runs";
import { chartColour } from "../lib/colours";
import { go, hashOf, route } from "../lib/route";
import { stored } from "../lib/stored";
import { useLatest } from "../lib/use";
import { ChoiceList } from "../widgets/choices";
import { CurveChart } from "./chart";
import { type Axis, type Chart, chartsOf, moreChartsOf } from "./curves";
import { Games } from "./games";
import { Life } from "./life";
import { follow, isLively, known, summaries, trouble } from "./store";
import * as words from "./words";
import "../styles/runs.css";

const AXES = Object.entries(words.AXES) as [Axis, string][];
const view = stored<{ axis: Axis }>("runs", { axis: "generations" });

/** Runs in which networks learn: figures, games, and what each generation thinks. */
export function RunsPage() {
  const all = summaries.value;
  const named = (route.value.query.get("runs") ?? "").split(",").filter(Boolean);
  // Without a choice the first run is shown, one that goes on before one that does not.
  const first = all?.find(isLively) ?? all?.[0];
  const names = named.length > 0 ? named : first ? [first.name] : [];
  const key = names.join(",");
  useEffect(() => follow(names), [key]);
  if (!all) return <main class="runs faint">{trouble.value || words.LOADING}</main>;
  if (all.length === 0) return <NoRuns />;
  const runs = names.flatMap((name) => known.value.get(name) ?? []);
  return (
    <main class="runs">
      <h1 class="unseen">{words.RUNS}</h1>
      <aside class="panel">
        <RunList all={all} names={names} />
        <Settings runs={runs} />
      </aside>
      <div class="run-view">
        {runs[0] ? <RunsView runs={runs} /> : <p class="faint">{trouble.value || words.LOADING_RUN}</p>}
      </div>
    </main>
  );
}

function NoRuns() {
  return (
    <main class="narrow">
      <h1>{words.RUNS}</h1>
      <p>{words.NO_RUNS}</p>
      <pre>outplay learn othello --run my-runs/first --recipe fast</pre>
      <p>{words.SHOW_IT}</p>
      <pre>outplay serve --runs my-runs</pre>
      <p class="faint">{words.RUNS_FOLDER}</p>
    </main>
  );
}

function RunList({ all, names }: { all: RunSummary[]; names: string[] }) {
  const toggle = (name: string) => {
    const next = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
    go(hashOf("runs", null, { runs: next.join(",") }));
  };
  return (
    <section class="card-box" aria-label={words.RUNS}>
      <h2>{words.RUNS}</h2>
      <ul class="plain run-list">
        {all.map((run) => {
          const place = names.indexOf(run.name);
          return (
            <li key={run.name}>
              <label class="row">
                <input
                  type="checkbox"
                  checked={place >= 0}
                  // One of them is always shown.
                  disabled={place >= 0 && names.length === 1}
                  onChange={() => toggle(run.name)}
                />
                <span
                  class="run-colour"
                  style={{ background: place >= 0 ? chartColour(place) : "transparent" }}
                />
                <span class="grow">
                  <b>{run.name}</b>
                  <small class="faint">
                    {words.networks(run.label, (run.generation ?? -1) + 1, isLively(run))}
                  </small>
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {all.length > 1 && <small class="faint">{words.COMPARE}</small>}
      {trouble.value && <p role="alert">{trouble.value}</p>}
    </section>
  );
}

/** How the runs were set up; of several, where they differ. */
function Settings({ runs }: { runs: Run[] }) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.settings)))].sort();
  const differ = (name: string) => new Set(runs.map((run) => run.settings[name])).size > 1;
  const shown = runs.length > 1 ? names.filter(differ) : names;
  return (
    <details class="card-box run-settings">
      <summary>{runs.length > 1 ? words.DIFFERENT_SETTINGS : words.SETTINGS}</summary>
      <div class="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.SETTING}</th>
              {runs.map((run) => (
                <th key={run.name} scope="col">
                  {run.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((name) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {runs.map((run) => (
                  <td key={run.name}>{run.settings[name] ?? "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Charts({ charts, axis }: { charts: Chart[]; axis: Axis }) {
  return (
    <div class="chart-grid">
      {charts.map((chart) => (
        <CurveChart key={chart.title} chart={chart} axis={axis} />
      ))}
    </div>
  );
}

/** Whatever else the runs have written down; drawn when somebody wants to see it. */
function MoreCharts({ runs, axis }: { runs: Run[]; axis: Axis }) {
  const [open, setOpen] = useState(false);
  const charts = moreChartsOf(runs, axis);
  if (charts.length === 0) return null;
  return (
    <details class="more-charts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.MORE_CHARTS}</summary>
      {open && <Charts charts={charts} axis={axis} />}
    </details>
  );
}

function RunsView({ runs }: { runs: Run[] }) {
  const wanted = route.value.query.get("of");
  const run = runs.find(({ name }) => name === wanted) ?? runs[0]!;
  const start = useLatest(run.game, () => api.position({ game: run.game, start: null, moves: [] }));
  const { axis } = view.value;
  const charts = chartsOf(runs, axis);
  return (
    <>
      <div class="row run-axis">
        <label class="row">
          <span>{words.CURVES_OVER}</span>
          <select
            value={axis}
            onChange={(event) => {
              view.value = { axis: event.currentTarget.value as Axis };
            }}
          >
            <ChoiceList of={AXES} />
          </select>
        </label>
        {runs.length > 1 && (
          <label class="row">
            <span>{words.BOARD_OF}</span>
            <select
              value={run.name}
              onChange={(event) => {
                const names = runs.map(({ name }) => name).join(",");
                go(hashOf("runs", null, { runs: names, of: event.currentTarget.value }));
              }}
            >
              <ChoiceList of={runs.map(({ name }) => [name, name])} />
            </select>
          </label>
        )}
      </div>
      {charts.length === 0 && <p class="faint">{words.NO_CURVES}</p>}
      <Charts charts={charts} axis={axis} />
      <MoreCharts runs={runs} axis={axis} />
      {start?.game === run.game && (
        <div class="run-boards">
          <Life key={run.name} run={run} />
          <Games key={`games ${run.name}`} run={run} start={start} />
        </div>
      )}
    </>
  );
}
