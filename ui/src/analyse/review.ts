import { computed, effect, signal, untracked } from "@preact/signals";
import type { Review, ReviewedTurn, ReviewValue } from "../api/review";
import type { Limit } from "../api/search";
import { reviewGame } from "../api/socket";
import type { Line } from "../api/types";
import { asText } from "../lib/options";
import { nextFault, sharedMoves } from "../lib/review";
import { stored } from "../lib/stored";
import { notify } from "../widgets/live";
import { optionValues, search } from "./engine";
import { chanceAfter, memory, wdlAfter } from "./memory";
import { goToPly, lineTo, ply, position, study, wholeLine } from "./store";
import * as words from "./words";

/** How long each position is searched. So many nodes tell the same on any machine, busy or not; a search that is slow in a game has no more than the seconds. */
export const EFFORTS = {
  quick: { nodes: 50_000, seconds: 1 },
  standard: { nodes: 200_000, seconds: 3 },
  thorough: { nodes: 1_000_000, seconds: 10 },
  deep: { nodes: 5_000_000, seconds: 30 },
} satisfies Record<string, Limit>;
export const effort = stored<keyof typeof EFFORTS>("review-effort", "standard");
export const effortLimit = computed<Limit>(() => EFFORTS[effort.value] ?? EFFORTS.standard);
/** How far a review has come, from 0 to 1; null if none runs. */
export const progress = signal<number | null>(null);
let cancel = () => {};
/** What a review has found that is not at its end. */
const growing = signal<Review | null>(null);
/** What was found last: the study keeps it. */
export const found = computed<Review | null>(() => growing.value ?? study.value.review ?? null);

const plainLine = computed(() => wholeLine.value.map((move) => move.move));
/** How many moves of the line that is looked at the review has seen. */
const shared = computed(() => {
  return found.value ? sharedMoves(found.value, plainLine.value) : 0;
});

/** The turns of the line that were judged. */
export const turns = computed<ReviewedTurn[]>(
  () => found.value?.turns.filter((turn) => turn.to <= shared.value) ?? [],
);

/** What the review says of the positions of the line, [ply]. */
export const values = computed<(ReviewValue | null)[]>(() =>
  [null, ...plainLine.value].map((_, at) => (at <= shared.value ? found.value?.values[at] : null) ?? null),
);

function prefixes(): Line[] {
  const { game, start } = study.value;
  const moves = plainLine.value;
  return Array.from({ length: moves.length + 1 }, (_, count) => ({
    game,
    start,
    moves: moves.slice(0, count),
  }));
}

/** The first player's chance after each move of the line, where the review or an analysis has said it. */
export const chances = computed<(number | undefined)[]>(() => {
  memory.value;
  return prefixes().map((line, at) => values.value[at]?.chance ?? chanceAfter(line));
});

export const wdls = computed(() => {
  memory.value;
  return prefixes().map((line, at) => values.value[at]?.wdl ?? wdlAfter(line));
});

/** The fault that led to the position on the board. */
export const fault = computed(() => turns.value.find((turn) => turn.to === ply.value && turn.mark) ?? null);

/** What was said about the move that leads to a node of the line. */
export const faults = computed(() => {
  const line = wholeLine.value;
  return new Map(turns.value.filter((turn) => turn.mark).map((turn) => [line[turn.to - 1]!.id, turn]));
});

export function jump(direction: 1 | -1): void {
  const from = (at: number) => nextFault(turns.value, at, direction);
  // After the last one comes the first: whoever has just reviewed a game stands at its end.
  const next = from(ply.value) ?? from(direction === 1 ? -1 : Number.POSITIVE_INFINITY);
  if (next === null) notify(words.NO_MISTAKES);
  else goToPly(next.to);
}

/** Has the server judge turns from the `first` move of a line on. Returns what stops that; nobody is told then. */
export function judge(
  line: Line,
  first: number,
  limit: Limit,
  hear: (review: Review, share: number) => void,
  end: (error?: string) => void,
): () => void {
  const { name } = search.value!;
  const request = { ...line, first, search: name, options: asText(optionValues.value), limit };
  return reviewGame(request, { review: hear, done: () => end(), error: end });
}

/** Reviews the whole line that is looked at. What is found is kept with the study. */
export function review(): void {
  if (!search.value || progress.value !== null) return;
  const { game, start } = study.value;
  const moves = wholeLine.value;
  const isOpen = () =>
    study.value.game === game &&
    study.value.start === start &&
    moves.every(({ id, move }) => study.value.tree.nodes[id]?.move === move);
  const finish = () => {
    const review = growing.peek();
    endWatch();
    progress.value = null;
    growing.value = null;
    cancel = () => {};
    if (review && isOpen()) study.value = { ...study.value, review };
  };
  progress.value = 0;
  const stop = judge(
    lineTo(moves.at(-1)!.id),
    0,
    effortLimit.value,
    (review, share) => {
      progress.value = share;
      growing.value = review;
    },
    (error) => {
      finish();
      const marked = turns.value.filter((turn) => turn.mark).length;
      if (error) notify(error, "error");
      else notify(words.marked(marked, !matchMedia("(pointer: coarse)").matches));
    },
  );
  cancel = () => {
    stop();
    finish();
  };
  // Whoever opens another game meanwhile does not wait for this one.
  const endWatch = effect(() => {
    if (!isOpen()) queueMicrotask(cancelReview);
  });
}

/** Reviews what is open, unless that has been done, as soon as it is known what to do that with. */
export function reviewSoon(): void {
  const end = effect(() => {
    if (!search.value || !position.value) return;
    queueMicrotask(() => {
      end();
      untracked(() => turns.value.length === 0 && review());
    });
  });
}

export function cancelReview(): void {
  cancel();
}
