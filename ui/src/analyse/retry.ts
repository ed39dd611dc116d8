import { computed, effect, signal, untracked } from "@preact/signals";
import type { ReviewedTurn } from "../api/review";
import type { Player } from "../api/types";
import { isSameTurn } from "../lib/review";
import { node, pathTo, type Tree } from "../lib/tree";
import { effortLimit, judge, turns } from "./review";
import { isShown, lineTo, position, study, wholeLine } from "./store";

/** What is said of the last try. */
type Verdict = "none" | "judging" | "played" | "worse" | "good" | "shown";

interface Retry {
  player: Player;
  /** The faults of the player, and the one that is tried again. */
  faults: ReviewedTurn[];
  at: number;
  /** The tree as it was: tries are not kept. */
  tree: Tree;
  /** The nodes of the line, [ply]. */
  path: number[];
  verdict: Verdict;
  /** What was tried last, and what the review says of it. */
  tried: string;
  words: string;
}

/** The mistakes of a player that are tried again; null if none are. */
export const retry = signal<Retry | null>(null);
/** Whether a better move is being looked for: then nothing is to give it away. */
export const isSeeking = computed(() => {
  const verdict = retry.value?.verdict;
  return verdict !== undefined && verdict !== "good" && verdict !== "shown";
});

let endWatch = () => {};
let endJudging = () => {};

/** Puts the player before the first of his faults. Tried moves are watched until it ends. */
export function beginRetry(player: Player): void {
  endRetry();
  const faults = turns.value.filter((turn) => turn.mark && turn.player === player);
  if (faults.length === 0) return;
  const path = [0, ...wholeLine.value.map(({ id }) => id)];
  retry.value = {
    player,
    faults,
    at: 0,
    tree: study.value.tree,
    path,
    verdict: "none",
    tried: "",
    words: "",
  };
  stand();
  endWatch = effect(watch);
}

/** The fault that is tried again. */
export const retried = computed(() => retry.value && retry.value.faults[retry.value.at]!);

/** Goes on to the next fault, or ends after the last one. */
export function nextRetry(): void {
  const now = retry.value;
  if (!now) return;
  if (now.at + 1 >= now.faults.length) {
    endRetry();
    return;
  }
  retry.value = { ...now, at: now.at + 1, verdict: "none", tried: "", words: "" };
  stand();
}

export function showBest(): void {
  if (!retry.value) return;
  endJudging();
  say("shown");
  stand();
}

/** Leaves the mistakes alone, and the tree as it was before. */
export function endRetry(): void {
  endJudging();
  endWatch();
  if (retry.value && isStillOpen(retry.value)) stand();
  retry.value = null;
}

/** Puts the board where the fault was made, in the tree as it was. */
function stand(): void {
  const { tree, path, faults, at } = retry.value!;
  study.value = { ...study.value, tree, at: path[faults[at]!.from]! };
}

function say(verdict: Verdict, tried = "", words = ""): void {
  if (retry.value) retry.value = { ...retry.value, verdict, tried, words };
}

/** Whether the game is open in which the faults were made. */
function isStillOpen({ tree, path }: Retry): boolean {
  const last = path.at(-1)!;
  return study.value.tree.nodes[last]?.move === node(tree, last).move;
}

/** Looks whether a whole turn has been tried in the place of the fault. */
function watch(): void {
  const here = position.value;
  const { at, tree } = study.value;
  const shown = isShown.value;
  untracked(() => {
    const now = retry.value;
    if (!now || !here || !shown) return;
    if (!isStillOpen(now)) {
      endRetry();
      return;
    }
    const turn = retried.value!;
    const start = now.path[turn.from]!;
    const line = pathTo(tree, at);
    if (now.verdict !== "none" && now.verdict !== "played" && now.verdict !== "worse") return;
    if (line.length <= turn.from || (line[turn.from - 1]?.id ?? 0) !== start) return;
    if (!here.outcome && here.to_move === now.player) return;
    const tried = line.slice(turn.from);
    // Whoever goes on along a line tries nothing.
    if (tried.some(({ player }) => player !== now.player)) return;
    const words = tried.map(({ text }) => text).join(" ");
    const plain = tried.map(({ move }) => move);
    const inGame = now.path.slice(turn.from + 1, turn.to + 1).map((id) => node(now.tree, id).move);
    if (isSameTurn(plain, inGame)) {
      say("played", words);
      stand();
    } else if (isSameTurn(plain, turn.best.plain.slice(0, plain.length))) say("good", words);
    else judgeTry(at, turn, words);
  });
}

/** Asks the review what a try is worth. */
function judgeTry(at: number, turn: ReviewedTurn, words: string): void {
  say("judging", words);
  let found: ReviewedTurn | undefined;
  endJudging = judge(
    lineTo(at),
    turn.from,
    effortLimit.value,
    (review) => {
      found = review.turns.at(-1) ?? found;
    },
    (error) => {
      if (error || !found?.mark) say(error ? "none" : "good", words, error ?? "");
      else say("worse", words, found.words ?? "");
      if (error || found?.mark) stand();
    },
  );
}
