import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { ProgramInfo } from "../api/programs";
import type { Level, Limit, NetworkInfo, SearchInfo } from "../api/search";
import type { EngineSetup } from "../api/types";
import { chosenProgram, isProgramChoice, programChoice } from "../engines/choice";
import { isOffered, ProgramsWindow } from "../engines/dialog";
import { playing, usePrograms } from "../engines/store";
import { MANAGE, PROGRAMS } from "../engines/words";
import { capital } from "../lib/format";
import { chosenNetwork, networkChoice, searchWith } from "../lib/networks";
import { asText, keptWith, type OptionValues, takenBy } from "../lib/options";
import { stored } from "../lib/stored";
import { useAnswer } from "../lib/use";
import { type BudgetChoice, BudgetFields } from "../widgets/budget";
import { EngineChoices } from "../widgets/engine-choices";
import { Options } from "../widgets/options";
import * as words from "./words";

/** Stands where a level's number stands, for an engine that is put together by hand. */
export const CUSTOM = 0;
/** Stands where a program stands, for the window in which programs are added. */
const ADD = "add";

type Budget = "nodes" | "seconds" | "depth";

interface Custom {
  /** A search or a network; empty for the search that is usual in the game. */
  search: string;
  budget: Budget;
  amount: number;
  /** By search; what is not named is as usual. */
  options: Record<string, OptionValues>;
}

/** Which of the two engines of a game; the only one is the first. */
type Seat = "first" | "second";

const USUAL: Custom = { search: "", budget: "nodes", amount: 1000, options: {} };
const customs = stored<Record<Seat, Custom>>("play.custom", { first: USUAL, second: USUAL });

const budgetsOf = (search: SearchInfo | undefined): BudgetChoice<Budget>[] => [
  ["nodes", unitOf(search), 1000],
  ["seconds", words.SECONDS, 1],
  ["depth", words.PLIES, 4],
];

interface OpponentProps {
  label: string;
  game: string;
  seat: Seat;
  levels: Level[];
  level: number;
  onChange: (level: number) => void;
}

/** Who plays against the person: a level, or a search with a budget. */
export function Opponent({ label, game, seat, levels, level, onChange }: OpponentProps) {
  const searches = useAnswer(`searches ${game}`, () => api.searches(game)) ?? [];
  const networks = useAnswer(`networks ${game}`, () => api.networks(game)) ?? [];
  const known = knownLevel(levels, level);
  const chosen = levels.find((one) => one.level === known);
  const custom = customOf(seat);
  usePrograms(game);
  const programs = playing(game);
  const program = chosen ? undefined : chosenProgram(programs, custom.search);
  const [isAdding, setAdding] = useState(false);
  const network = chosen ? undefined : networkNamed(networks, custom.search);
  const search = searchFor(searches, network, chosen?.search ?? custom.search);
  const change = (part: Partial<Custom>) => {
    customs.value = { ...customs.value, [seat]: { ...custom, ...part } };
  };
  const choose = (value: string) => {
    change({ search: value, budget: "seconds", amount: 1 });
    onChange(CUSTOM);
  };
  const about = `about-${seat}`;
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        <select
          value={program ? custom.search : known}
          aria-describedby={about}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value === ADD) {
              event.currentTarget.value = program ? custom.search : String(known);
              setAdding(true);
            } else if (isProgramChoice(value)) choose(value);
            else {
              if (isProgramChoice(custom.search)) change({ search: "" });
              onChange(Number(value));
            }
          }}
        >
          {levels.map((one) => (
            <option key={one.level} value={one.level}>
              {one.level}. {capital(one.name)}
              {one.rating && words.rated(one.rating)}
            </option>
          ))}
          <option value={CUSTOM}>{words.CUSTOM}</option>
          {isOffered(game) && (
            <optgroup label={PROGRAMS}>
              {programs.map(({ id, name }) => (
                <option key={id} value={programChoice(id)}>
                  {name}
                </option>
              ))}
              <option value={ADD}>{MANAGE}</option>
            </optgroup>
          )}
        </select>
      </label>
      {program && program.limits.length > 0 && (
        <fieldset class="row custom">
          <legend class="unseen">{words.budgetOf(label)}</legend>
          <BudgetFields
            choices={budgetsOf(undefined).filter(([unit]) => program.limits.includes(unit))}
            budget={budgetOf(program, custom)}
            amount={custom.amount}
            labels={[words.AMOUNT, words.BUDGET]}
            onChange={change}
          />
        </fieldset>
      )}
      {known === CUSTOM && !program && (
        <fieldset class="row custom">
          <legend class="unseen">{words.searchOf(label)}</legend>
          <label class="grow">
            <span class="unseen">{words.SEARCH}</span>
            <select
              value={network ? networkChoice(network.name) : search?.name}
              onChange={(event) => change({ search: event.currentTarget.value })}
            >
              <EngineChoices searches={searches} networks={networks} />
            </select>
          </label>
          <BudgetFields
            choices={budgetsOf(search)}
            budget={custom.budget}
            amount={custom.amount}
            labels={[words.AMOUNT, words.BUDGET]}
            onChange={change}
          />
          {search && (
            <Options
              info={search}
              values={optionsOf(custom, search)}
              playing
              onChange={(next) => {
                const kept = keptWith(search, custom.options[search.name] ?? {}, next);
                change({ options: { ...custom.options, [search.name]: kept } });
              }}
            />
          )}
        </fieldset>
      )}
      <small id={about} title={chosen && engineText(chosen, search)}>
        {levels.length > 0 &&
          (program
            ? program.command
            : chosen
              ? words.aboutLevel(chosen.rating)
              : `${capital(search?.summary ?? "")}.`)}
      </small>
      {isAdding && (
        <ProgramsWindow
          game={game}
          onClose={() => setAdding(false)}
          onAdd={({ id }) => choose(programChoice(id))}
        />
      )}
    </div>
  );
}

/** The engine as the server wants it: by its level, or by its search. */
export async function engineOf(
  game: string,
  seat: Seat,
  levels: Level[],
  level: number,
): Promise<{ level: number } | { engine: EngineSetup }> {
  const known = knownLevel(levels, level);
  if (known !== CUSTOM) return { level: known };
  const custom = customOf(seat);
  const program = chosenProgram((await api.programs(game)).programs, custom.search);
  if (program) {
    // Some protocols know no limits: their programs take the time that they like.
    const limit = program.limits.length > 0 ? { [budgetOf(program, custom)]: custom.amount } : {};
    return { engine: { program: { id: program.id }, limit } };
  }
  const [searches, networks] = await Promise.all([api.searches(game), api.networks(game)]);
  const network = networkNamed(networks, custom.search);
  const search = searchFor(searches, network, custom.search);
  const options = search ? asText({ ...optionsOf(custom, search), ...network?.options }) : {};
  return { engine: { search: search?.name, options, limit: { [custom.budget]: custom.amount } } };
}

/** What was chosen for a seat, perhaps before there was all of it to choose. */
function customOf(seat: Seat): Custom {
  return { ...USUAL, ...customs.value[seat] };
}

function optionsOf({ options }: Custom, search: SearchInfo): OptionValues {
  return takenBy(search, options[search.name] ?? {});
}

/** What a program's moves are limited by: not every protocol knows nodes and depths. */
function budgetOf(program: ProgramInfo, { budget }: Custom): Budget {
  return program.limits.includes(budget) ? budget : "seconds";
}

/** Games have different numbers of levels. */
function knownLevel(levels: Level[], level: number): number {
  if (level === CUSTOM || levels.some((known) => known.level === level)) return level;
  return levels[0]?.level ?? 1;
}

function networkNamed(networks: NetworkInfo[], choice: string): NetworkInfo | undefined {
  const wanted = chosenNetwork(choice);
  return networks.find(({ name }) => name === wanted);
}

/** Not every game has every search, and a network brings its own. */
function searchFor(
  searches: SearchInfo[],
  network: NetworkInfo | undefined,
  name: string,
): SearchInfo | undefined {
  if (network) return searchWith(network, searches) ?? undefined;
  return searches.find((one) => one.name === name) ?? searches.find((one) => one.usual) ?? searches[0];
}

function unitOf(search: SearchInfo | undefined): string {
  return search?.counts_playouts ? words.PLAYOUTS : words.NODES;
}

/** What a search is made of, as `mcts, 40 playouts`. */
function engineText({ search, limit = {} }: { search: string; limit?: Limit }, info?: SearchInfo): string {
  const parts = [search];
  if (limit.nodes) parts.push(`${limit.nodes.toLocaleString()} ${unitOf(info)}`);
  if (limit.seconds) parts.push(`${limit.seconds} ${words.SECONDS}`);
  if (limit.depth) parts.push(`${limit.depth} ${words.PLIES}`);
  return parts.join(", ");
}
