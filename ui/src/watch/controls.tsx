import { useState } from "preact/hooks";
import { api } from "../api/client";
import { examples } from "../lib/games";
import { asText, keptWith, takenBy } from "../lib/options";
import { saveFile } from "../lib/save";
import { useAnswer, useKeys } from "../lib/use";
import { type BudgetChoice, BudgetFields } from "../widgets/budget";
import { ChoiceList, GameChoices } from "../widgets/choices";
import { Icon } from "../widgets/icon";
import { notify, notifyError } from "../widgets/live";
import { Options } from "../widgets/options";
import { ViewSwitch } from "../widgets/view-switch";
import { linesOf, readTrace, traceText } from "./file";
import { add, emptyRecording, savedRecords } from "./recording";
import { change, limitOf, settings, type WatchSettings } from "./settings";
import {
  isOpen,
  line,
  openExample,
  openRecording,
  recording,
  root,
  running,
  search,
  setLine,
  start,
  stop,
} from "./store";

const BUDGETS: BudgetChoice<WatchSettings["budget"]>[] = [
  ["seconds", "seconds", 3],
  ["nodes", "nodes", 200_000],
  ["depth", "plies deep", 10],
];

/** Opens a trace from a file. */
export async function openFile(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    let read = emptyRecording();
    const cut = await readTrace(linesOf(file), (record) => {
      read = add(read, record);
    });
    openRecording(read);
    if (cut) notify("The last line of the file is cut off; it was left out.");
  } catch (error) {
    notifyError(error);
  }
}

/** Which position is searched, how, and how much of it is recorded. */
export function Controls() {
  const games = useAnswer("games", api.gamesList) ?? [];
  const { game } = line.value;
  const all = useAnswer(`searches ${game}`, () => api.searches(game)) ?? [];
  const shown = all.filter((one) => one.shows_tree);
  const info = shown.find((one) => one.name === search.value) ?? shown[0];
  const base = game.split(":")[0]!;
  const known = examples();
  const example = known.findIndex(isOpen);
  const { budget, amount, plies, mostNodes, leastVisits, options } = settings.value;
  const values = info ? takenBy(info, options[info.name] ?? {}) : {};
  const begin = () => {
    if (running.value) stop();
    else if (info) {
      start({
        ...line.value,
        search: info.name,
        options: asText(values),
        lines: 1,
        limit: limitOf(settings.value),
        trace: { plies, most_nodes: mostNodes, least_visits: leastVisits },
      });
    }
  };
  useKeys({ s: begin });
  return (
    <>
      <div class="row toolbar watch-bar">
        <label class="grow">
          <span>Position</span>
          <select
            value={example}
            onChange={(event) => openExample(known[Number(event.currentTarget.value)]!)}
          >
            {example < 0 && <option value={-1}>Your own</option>}
            <ChoiceList of={known.map(({ name }, index) => [String(index), name])} />
          </select>
        </label>
        <label class="game">
          <span>Game</span>
          <select
            value={base}
            onChange={(event) => setLine({ game: event.currentTarget.value, start: null, moves: [] })}
          >
            <GameChoices games={games} />
          </select>
        </label>
        <label class="search">
          <span>Search</span>
          <select
            value={info?.name}
            onChange={(event) => {
              search.value = event.currentTarget.value;
            }}
          >
            <ChoiceList of={shown.map(({ name, title }) => [name, title] as const)} />
          </select>
        </label>
        <BudgetFields
          choices={BUDGETS}
          budget={budget}
          amount={amount}
          labels={["For", "Unit of the limit"]}
          shown
          onChange={change}
        />
        <label>
          <span>Show</span>
          <select value={plies} onChange={(event) => change({ plies: Number(event.currentTarget.value) })}>
            {[1, 2, 3, 4, 5, 6, 7, 8].map((number) => (
              <option key={number} value={number}>
                {number} {number === 1 ? "ply" : "plies"}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Up to</span>
          <select
            value={mostNodes}
            onChange={(event) => change({ mostNodes: Number(event.currentTarget.value) })}
          >
            {[250, 500, 1000, 2000, 4000].map((number) => (
              <option key={number} value={number}>
                {number} nodes
              </option>
            ))}
          </select>
        </label>
        {info?.counts_playouts && (
          <label>
            <span>Visited</span>
            <select
              value={leastVisits}
              onChange={(event) => change({ leastVisits: Number(event.currentTarget.value) })}
            >
              {[1, 2, 10, 100, 1000].map((number) => (
                <option key={number} value={number}>
                  {number}× or more
                </option>
              ))}
            </select>
          </label>
        )}
        <button
          type="button"
          class="primary"
          title="Start or stop the search (s)"
          disabled={!info}
          onClick={begin}
        >
          <Icon name={running.value ? "stop" : "play"} />
          {running.value ? "Stop" : "Start"}
        </button>
      </div>
      <div class="row watch-more">
        {!info && <div class="options" />}
        {info && (
          <Options
            info={info}
            values={values}
            onChange={(next) => {
              const kept = keptWith(info, options[info.name] ?? {}, next);
              change({ options: { ...options, [info.name]: kept } });
            }}
          />
        )}
        <FileButtons />
        <ViewSwitch players={root.value?.players} />
      </div>
    </>
  );
}

function FileButtons() {
  // A new field each time, so that the same file can be opened twice.
  const [opened, setOpened] = useState(0);
  const { begin } = recording.value;
  return (
    <>
      <button
        type="button"
        disabled={begin === null}
        title="Save as JSON lines, as outplay trace writes them"
        onClick={() => {
          const name = `${begin?.game ?? line.value.game}-${begin?.search}.trace`;
          saveFile(name, traceText(savedRecords(recording.value)));
        }}
      >
        Save
      </button>
      <label class="button file" title="Open a trace that was saved here or written by outplay trace">
        Open
        <input
          key={opened}
          type="file"
          class="unseen"
          aria-label="Open a trace"
          onChange={(event) => {
            void openFile(event.currentTarget.files?.[0]);
            setOpened(opened + 1);
          }}
        />
      </label>
    </>
  );
}
