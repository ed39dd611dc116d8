import type { ReportLine } from "../api/search";
import type { Position } from "../api/types";
import { capital, count, reasonText, scoreText, seconds } from "../lib/format";
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
import * as words from "./words";

const BUDGETS: BudgetChoice<EngineSettings["budget"]>[] = [
  ["seconds", words.SECONDS, 5],
  ["nodes", words.NODES, 1_000_000],
  ["depth", words.PLIES, 12],
  ["infinite", words.UNTIL_STOPPED, 0],
];

/** Why a search ends that has had all that it was given. */
const SPENT = ["time", "nodes", "depth"];

export function EnginePanel({ position }: { position: Position }) {
  const known = position.outcome ? null : report.value;
  return (
    <section class="card-box engine" aria-label={words.ENGINE}>
      <div class="row">
        <button
          type="button"
          class={on.value ? "primary" : ""}
          aria-pressed={on.value}
          title={words.START_STOP}
          onClick={toggle}
        >
          <Icon name={on.value ? "stop" : "play"} />
          {on.value ? words.STOP : words.ANALYSE}
        </button>
        <label class="grow">
          <span class="unseen">{words.ENGINE}</span>
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
    return <p class="faint">{words.isOver(outcome.text)}</p>;
  }
  if (!best) {
    const waiting = queued.value > 0 ? words.waits(queued.value) : words.SEARCHING;
    return <p class="verdict faint">{running.value ? waiting : words.NOT_YET}</p>;
  }
  return (
    <p class="verdict">
      <strong>{scoreText(shownScore(best.score, to_move), style.scores)}</strong>{" "}
      <span class="faint">{words.forPlayer(players[viewer(to_move)])}</span> {verdictOf(best, position)}
    </p>
  );
}

/** What most people never change. */
function Settings({ position }: { position: Position }) {
  const { lines, everywhere, budget, amount } = settings.value;
  return (
    <details class="options">
      <summary>{words.SETTINGS}</summary>
      <label class="field">
        <span>{words.LINES}</span>
        <select value={lines} onChange={(event) => change({ lines: Number(event.currentTarget.value) })}>
          {[1, 2, 3, 4, 5, 8, 12].map((number) => (
            <option key={number} value={number}>
              {words.lines(number)}
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
          {words.EVERYWHERE}
        </label>
      )}
      <fieldset class="field">
        <legend>{words.TIME}</legend>
        <div class="row budget">
          <BudgetFields
            choices={BUDGETS}
            budget={budget}
            amount={amount}
            labels={[words.AMOUNT, words.BUDGET]}
            onChange={change}
          />
        </div>
        <small>{words.REMEMBERED_NOTE}</small>
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
    words.depth(known.depth, known.selective_depth),
    words.nodes(known.nodes),
    `${count(known.nodes_per_second)}/s`,
    seconds(known.seconds),
  ];
  if (known.table_permille) facts.push(words.table(known.table_permille));
  const waiting = queued.value > 0 ? words.place(queued.value) : words.IS_SEARCHING;
  const why = reason.value || known.stopped || words.REMEMBERED;
  const ended = SPENT.includes(why) ? words.DONE : reasonText(why);
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
