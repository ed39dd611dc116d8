import { batch, computed, signal } from "@preact/signals";
import { type AnalyseRequest, analyse } from "../api/socket";
import type { Example, Line, Position } from "../api/types";
import { PLAIN_SCORES } from "../lib/format";
import { examples, firstGame } from "../lib/games";
import { announce, notifyError } from "../widgets/live";
import type { Scale } from "./icicle";
import type { LegendName } from "./kinds";
import { add, emptyRecording, type Recording } from "./recording";
import { find, iterationTree, movesOf, type ShownTree, snapshotTree, visitOrder } from "./tree";

/** Where an example begins. */
function lineAt(example: Example | undefined): Line {
  return { game: example?.game ?? firstGame(), start: example?.start ?? null, moves: example?.moves ?? [] };
}

export const recording = signal<Recording>(emptyRecording());
/** The position of the recording, or the one that will be searched next. */
export const line = signal<Line>(lineAt(examples()[0]));
/** The search that was chosen; a game may have none of this name. */
export const search = signal(examples()[0]?.search ?? "");
/** That position on a board; null until the server has answered, or if it cannot. */
export const root = signal<Position | null>(null);
/** How its scores are written. */
export const scores = computed(() => root.value?.style.scores ?? PLAIN_SCORES);

export const running = signal(false);
export const queued = signal(0);

/** The frame that was chosen; while the page follows, the newest is shown. */
const chosen = signal(0);
export const following = signal(true);
/** How many visits of an iteration are shown; null for all. */
export const visits = signal<number | null>(null);

/** Moves that lead to the selected node and to the node that fills the width: they mean the same in every tree. */
export const selectedMoves = signal<string[]>([]);
export const zoomedMoves = signal<string[]>([]);
export const hovered = signal<number | null>(null);
/** The entry of the legend that is pointed at, and the one that was chosen. */
export const pointedLegend = signal<LegendName | null>(null);
export const chosenLegend = signal<LegendName | null>(null);
export const scale = signal<Scale>("linear");

export const frames = computed(() => recording.value.frames);
/** The newest frame that is worth a look: an iteration that was given up has little to show. */
const newest = computed(() => {
  const complete = frames.value.findLastIndex((one) => one.complete);
  return complete >= 0 ? complete : frames.value.length - 1;
});
export const frameIndex = computed(() =>
  following.value ? newest.value : Math.min(chosen.value, frames.value.length - 1),
);
export const frame = computed(() => frames.value[frameIndex.value] ?? null);

const iteration = computed(() => {
  const record = frame.value?.record;
  return record?.record === "iteration" ? record : null;
});
export const visitSteps = computed(() => (iteration.value ? visitOrder(iteration.value) : []));

/** The tree of the chosen moment; empty if there is none. */
export const tree = computed<ShownTree>(() => {
  const record = frame.value?.record;
  if (!record) return [];
  return record.record === "snapshot"
    ? snapshotTree(record)
    : iterationTree(record, visitSteps.value, visits.value);
});
export const selected = computed(() => find(tree.value, selectedMoves.value));
export const zoomed = computed(() => find(tree.value, zoomedMoves.value));
export const legend = computed(() => pointedLegend.value ?? chosenLegend.value);

export function select(node: number): void {
  selectedMoves.value = movesOf(tree.value, node);
}

/** Lets a node fill the whole width. */
export function zoom(node: number): void {
  zoomedMoves.value = movesOf(tree.value, node);
}

/** Goes to a frame; going to the newest one follows the search again. */
export function goToFrame(index: number): void {
  batch(() => {
    chosen.value = Math.max(0, Math.min(index, frames.value.length - 1));
    following.value = chosen.value === newest.value;
    visits.value = null;
  });
}

/** Shows so many visits of an iteration, and does not follow the search away from it. */
export function goToVisit(count: number): void {
  batch(() => {
    chosen.value = frameIndex.value;
    following.value = false;
    visits.value = count >= visitSteps.value.length ? null : count;
  });
}

export function follow(): void {
  batch(() => {
    following.value = true;
    visits.value = null;
  });
}

/** Forgets the recording and what was chosen in it. */
function clear(): void {
  batch(() => {
    recording.value = emptyRecording();
    following.value = true;
    visits.value = null;
    selectedMoves.value = [];
    zoomedMoves.value = [];
    hovered.value = null;
    chosenLegend.value = null;
  });
}

let stopSearch: ReturnType<typeof analyse> | null = null;

/** Watches a search of a position. */
export function start(request: AnalyseRequest): void {
  abandon();
  clear();
  running.value = true;
  stopSearch = analyse(request, {
    queued: (place) => {
      queued.value = place;
    },
    again: clear,
    trace: (record) => {
      recording.value = add(recording.value, record);
    },
    done: () => {
      running.value = false;
      const { end } = recording.value;
      announce(end?.reason ? `The search has ended: ${end.reason}` : "The search has ended");
    },
    error: (message) => {
      running.value = false;
      notifyError(new Error(message));
    },
  });
}

/** Ends the search; its last records still come. */
export function stop(): void {
  stopSearch?.(true);
}

/** Ends the search and hears no more of it. */
export function abandon(): void {
  stopSearch?.();
  stopSearch = null;
  running.value = false;
}

/** Another position to search: what was recorded of the old one goes. */
export function setLine(next: Line): void {
  abandon();
  batch(() => {
    clear();
    line.value = next;
  });
}

/** Whether an example is what the page would search. */
export const isOpen = (example: Example): boolean =>
  JSON.stringify(lineAt(example)) === JSON.stringify(line.value) && example.search === search.value;

/** Opens an example: its position and its search. */
export function openExample(example: Example): void {
  setLine(lineAt(example));
  search.value = example.search;
}

/** Shows a recording that was saved; one that does not name its game is taken for the one on the page. */
export function openRecording(saved: Recording): void {
  const { begin } = saved;
  if (!begin) return;
  setLine({ game: begin.game ?? line.value.game, start: begin.position, moves: [] });
  search.value = begin.search;
  recording.value = saved;
}
