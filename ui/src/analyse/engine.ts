import { computed, effect, signal, untracked } from "@preact/signals";
import { api } from "../api/client";
import type { Limit, NetworkInfo, Report, SearchInfo } from "../api/search";
import { analyse } from "../api/socket";
import type { Position } from "../api/types";
import { scoreWords } from "../lib/format";
import { chosenNetwork, searchWith } from "../lib/networks";
import { asText, keptWith, type OptionValues, takenBy } from "../lib/options";
import { stored } from "../lib/stored";
import { verdictOf } from "../lib/verdict";
import { shownScore } from "../lib/view";
import { announce, notifyError } from "../widgets/live";
import { limitName, note, optionsName, recall, remember } from "./memory";
import { hasFewCells } from "./overlay";
import { line, position, study } from "./store";

export interface EngineSettings {
  /** The search or network by game, and the options by search; what is not named is the default. */
  search: Record<string, string>;
  options: Record<string, OptionValues>;
  lines: number;
  /** Whether every move has its value on the board, where there is room for that. */
  everywhere: boolean;
  budget: "infinite" | "seconds" | "nodes" | "depth";
  amount: number;
}

export const settings = stored<EngineSettings>("engine", {
  search: {},
  options: {},
  lines: 3,
  everywhere: true,
  budget: "seconds",
  amount: 5,
});
export const searches = signal<SearchInfo[]>([]);
export const networks = signal<NetworkInfo[]>([]);
/** Whether the engine looks at whatever position is on the board. */
export const on = signal(false);
export const running = signal(false);
export const queued = signal(0);
export const reason = signal("");

/** The network that the engine evaluates by, if one was chosen that is still there. */
export const network = computed<NetworkInfo | null>(() => {
  const wanted = chosenNetwork(settings.value.search[study.value.game] ?? "");
  return networks.value.find(({ name }) => name === wanted) ?? null;
});

export const search = computed<SearchInfo | null>(() => {
  const all = searches.value;
  const wanted = settings.value.search[study.value.game];
  if (network.value) return searchWith(network.value, all);
  return all.find((one) => one.name === wanted) ?? all.find((one) => one.usual) ?? all[0] ?? null;
});

/** The options that a person has changed. */
export const changedOptions = computed<OptionValues>(() => {
  const info = search.value;
  return info ? takenBy(info, settings.value.options[info.name] ?? {}) : {};
});

/** All options that the server has to be told. */
export const optionValues = computed<OptionValues>(() => ({
  ...changedOptions.value,
  ...network.value?.options,
}));

export const limit = computed<Limit>(() => {
  const { budget, amount } = settings.value;
  return budget === "infinite" ? { infinite: true } : { [budget]: amount };
});

/** What is known about the position on the board. */
export const report = computed<Report | null>(() => {
  const here = position.value;
  return here ? (recall(here)?.report ?? null) : null;
});

/** How many lines the engine is asked for: those of the list, or one for each move on the board. */
function linesFor(here: Position): number {
  const { lines, everywhere } = settings.value;
  return everywhere && hasFewCells(here) ? Math.max(lines, here.legal.length) : lines;
}

/** What is known of a position, said to people who hear the page. */
function announceVerdict(here: Position, { lines: [best], depth }: Report): void {
  if (!best) return;
  const { scores } = here.style;
  const value = scoreWords(shownScore(best.score, here.to_move), scores);
  announce(`${verdictOf(best, here)}. Best move ${best.moves[0]}: ${value}, depth ${depth}`);
}

export function change(part: Partial<EngineSettings>): void {
  settings.value = { ...settings.value, ...part };
}

export function setOptions(values: OptionValues): void {
  const info = search.value;
  const { options } = settings.value;
  if (info)
    change({ options: { ...options, [info.name]: keptWith(info, options[info.name] ?? {}, values) } });
}

/** Runs the engine on the position on the board while it is switched on. Returns what ends that. */
export function runEngine(): () => void {
  const game = computed(() => study.value.game);
  const endSearches = effect(() => {
    api.searches(game.value).then((all) => {
      searches.value = all;
    }, notifyError);
    networks.value = [];
    const asked = game.value;
    api.networks(asked).then((all) => {
      if (game.value === asked) networks.value = all;
    }, notifyError);
  });
  let fresh = false;
  const endRuns = effect(() => {
    const here = position.value;
    const info = search.value;
    if (here) note(here);
    if (!on.value) {
      fresh = true;
      return;
    }
    if (!here || !info || here.outcome) return;
    const lines = linesFor(here);
    const options = optionValues.value;
    const budget = limit.value;
    const at = untracked(() => line.value);
    const known = untracked(() => recall(here));
    const same =
      known?.search === info.name &&
      known.options === optionsName(options) &&
      known.lines >= lines &&
      known.spent === limitName(budget);
    // What has been paid for is not paid for again, unless the engine was just switched on.
    if (same && !fresh) {
      reason.value = "remembered";
      announceVerdict(here, known.report);
      return;
    }
    fresh = false;
    running.value = true;
    reason.value = "";
    const keep = (next: Report, spent: string | null) =>
      remember(here, {
        report: next,
        toMove: here.to_move,
        search: info.name,
        options: optionsName(options),
        lines,
        spent,
      });
    let latest: Report | null = null;
    const stop = analyse(
      { ...at, search: info.name, options: asText(options), lines, limit: budget },
      {
        queued: (place) => {
          queued.value = place;
        },
        report: (next) => {
          latest = next;
          keep(next, null);
        },
        done: (why) => {
          running.value = false;
          reason.value = latest?.stopped ?? why;
          if (!latest) return;
          keep(latest, limitName(budget));
          announceVerdict(here, latest);
        },
        error: (message) => {
          running.value = false;
          on.value = false;
          notifyError(new Error(message));
        },
      },
    );
    return () => {
      // Whoever stops a search that would go on hears what it has found.
      if (running.peek() && !on.peek() && latest) announceVerdict(here, latest);
      running.value = false;
      stop();
    };
  });
  return () => {
    endSearches();
    endRuns();
  };
}
