import { computed, effect, signal } from "@preact/signals";
import { api } from "../api/client";
import type { Review } from "../api/review";
import { connected } from "../api/socket";
import type { Exported, GameResult, Imported, LegalMove, Line, Position } from "../api/types";
import { several } from "../lib/format";
import { firstGame } from "../lib/games";
import { headersOf } from "../lib/headers";
import { hashOf, replaceHash } from "../lib/route";
import { isKeptForTab, stored } from "../lib/stored";
import { listOf, treeOf } from "../lib/told";
import {
  addLine,
  addMove,
  emptyTree,
  hasWork,
  lineThrough,
  node,
  onlyLine,
  pathTo,
  promote,
  ROOT,
  remove,
  setComment,
  type Tree,
  toggleMark,
} from "../lib/tree";
import { announce, notify, notifyError } from "../widgets/live";
import { forget, leave } from "./left";

export interface Study {
  /** Tells it from every other analysis that was ever open here. */
  key?: string;
  game: string;
  start: string | null;
  tree: Tree;
  at: number;
  /** What a file says of the game besides its moves. */
  tags?: Record<string, string>;
  result?: GameResult | null;
  /** What was found in its moves. */
  review?: Review | null;
  /** Under which name and title the server keeps it. */
  saved?: { id: string; title: string };
}

const newKey = () => `${Date.now()}-${Math.floor(Math.random() * 1e9)}`;
const BLANK: Study = { key: newKey(), game: firstGame(), start: null, tree: emptyTree(), at: ROOT };

/** Whether this tab has been on the analysis board before: what it begins with is its own. */
const isOwn = isKeptForTab("analysis");

/** The analysis that is open. The browser keeps it, so that nothing is lost by closing the page. */
export const study = stored<Study>("analysis", BLANK, true);

// A new tab begins with what another one has open. From the first change on, it is an analysis of its own.
const { key: givenKey, tree: givenTree } = study.value;
effect(() => {
  const { key, tree } = study.value;
  if (key === givenKey && tree !== givenTree && !isOwn) study.value = { ...study.value, key: newKey() };
});

// Another tab may be the last one to write down what is open.
addEventListener("pagehide", () => leave(study.value));

const MOST_UNDONE = 50;

/** What was open before each change that threw something away, and what was open when that was brought back; until the page is closed. */
const before: Study[] = [];
const after: Study[] = [];

/** Puts another study in the place of this one, which can be had back. */
export function replaceStudy(next: Study): void {
  const old = study.value;
  study.value = next;
  if (old.tree.next === emptyTree().next) return;
  before.push(old);
  before.splice(0, before.length - MOST_UNDONE);
  after.length = 0;
}

/** Brings back what was removed or replaced last. */
export function undo(): void {
  exchange(before, after);
}

/** Takes the last of that back. */
export function redo(): void {
  exchange(after, before);
}

function exchange(from: Study[], to: Study[]): void {
  const next = from.pop();
  if (!next) {
    notify("There is nothing to bring back.");
    return;
  }
  to.push(study.value);
  study.value = next;
  announce("Brought back.");
}

/** Replaces the study and says so, with a way back to it. */
function replaceAndTell(next: Study, words: string, back: string): void {
  const old = study.value;
  replaceStudy(next);
  notify(words, "info", { name: back, run: () => replaceStudy(old) });
}

/** Opens another study beside this one, which is kept; if there was more than moves in it, that is said. */
export function replaceWork(opened: Study): void {
  const next = { key: newKey(), ...opened };
  leave(study.value);
  forget(next.key);
  if (hasWork(study.value.tree)) replaceAndTell(next, "Another game is open now.", "Back to the analysis");
  else replaceStudy(next);
}

/** What was open of other games, until the page is closed. */
const laidAside = new Map<string, Study>();

/** Takes up another game, where it was left. */
export function changeGame(game: string): void {
  const { game: before } = study.value;
  laidAside.set(before.split(":")[0]!, study.value);
  leave(study.value);
  study.value = laidAside.get(game) ?? { ...BLANK, game, key: newKey() };
}

/** The position that stands on the analysis board; null until the server has answered. */
export const position = signal<Position | null>(null);
/** The line that leads to it. */
const shown = signal<Line | null>(null);
/** Whether the board shows what was asked for last. */
export const isShown = computed(() => shown.value === line.value);
/** The line whose position did not come. */
let lost: Line | null = null;
/** A move that was made before the position of its line came: it is played then, if it can be. */
let hasty: { after: Line; move: string } | null = null;

/** The moves from the start to where the board stands. */
export const line = computed<Line>(() => lineTo(study.value.at));

export function lineTo(id: number): Line {
  const { game, start, tree } = study.value;
  return { game, start, moves: pathTo(tree, id).map((move) => move.move) };
}

/** The line that is looked at: up to here, and on along first moves. */
export const wholeLine = computed(() => lineThrough(study.value.tree, study.value.at));
export const ply = computed(() => pathTo(study.value.tree, study.value.at).length);

/** Follows the study: asks for the position and keeps the address. Returns what ends that. */
export function follow(): () => void {
  // What stood on the board when it was left may not be what is open now.
  if (!isShown.value) position.value = null;
  const endFollowing = effect(() => {
    const wanted = line.value;
    const { game, start } = study.value;
    const moves = wholeLine.value.map((move) => move.move).join(",");
    replaceHash(hashOf("analyse", null, { game, start, moves, at: String(ply.value) }));
    void ask(wanted);
  });
  // What did not come may come when the server is there again.
  const endAgain = connected.subscribe((now) => {
    if (now) askAgain();
  });
  return () => {
    endFollowing();
    endAgain();
  };
}

async function ask(wanted: Line): Promise<void> {
  lost = null;
  try {
    const answer = await api.position(wanted);
    if (line.value !== wanted) return;
    position.value = answer;
    shown.value = wanted;
    if (answer.outcome) announce(answer.outcome.text);
    const next = hasty?.after === wanted && answer.legal.find(({ move }) => move === hasty?.move);
    hasty = null;
    if (next) play(next);
  } catch (error) {
    if (line.value === wanted) lost = wanted;
    notifyError(error);
  }
}

function askAgain(): void {
  if (lost && lost === line.value) void ask(lost);
}

/** Opens a game from its moves; the server says who plays which, and how they are written. */
export async function open(from: Line, at?: number): Promise<boolean> {
  try {
    const end = await api.position(from);
    const [tree, last] = addLine(emptyTree(), ROOT, end.moves);
    const path = pathTo(tree, last);
    const stand = at === undefined ? last : (path[at - 1]?.id ?? ROOT);
    replaceWork({ game: end.game, start: from.start, tree, at: stand });
    return true;
  } catch (error) {
    notifyError(error);
    return false;
  }
}

/** Opens what was read from a file, with its variations and comments. */
export function openImported(found: Imported): void {
  const { game, start, tags, result } = found;
  const tree = treeOf(found);
  replaceWork({ game, start, tree, at: lineThrough(tree, ROOT).at(-1)?.id ?? ROOT, tags, result });
}

/** An analysis as the server keeps it. */
export type KeptStudy = Omit<Study, "saved" | "key"> & { title: string };

/** Opens an analysis that the server keeps. */
export async function openStudy(id: string): Promise<void> {
  const { title, ...kept } = await api.study<KeptStudy>(id);
  replaceWork({ ...kept, saved: { id, title } });
}

/** Takes over what is known of a game besides its moves: who played, how long, and how it ended. */
export async function takeHeaders(id: string): Promise<void> {
  try {
    const game = await api.game(id);
    const levels = await api.levels(game.position.game);
    const headers = headersOf(
      game,
      levels.map((level) => level.name),
    );
    study.value = { ...study.value, ...headers };
  } catch (error) {
    notifyError(error);
  }
}

/** The open study as a file wants it, with all variations or with the line that is looked at alone. */
export function exported(whole: boolean): Exported {
  const { game, start, tree, tags = {}, result = null, review } = study.value;
  return { game, start, tags, result, review, ...listOf(whole ? tree : onlyLine(tree, study.value.at)) };
}

/** Goes to a line that the open study holds already, so that a link to it need not throw variations away; false if it does not. */
export function goToLine(wanted: Line, ply?: number): boolean {
  const { game, start, tree } = study.value;
  if (wanted.game !== game || wanted.start !== start) return false;
  const path = [ROOT];
  for (const move of wanted.moves) {
    const next = node(tree, path.at(-1)!).children.find((child) => node(tree, child).move === move);
    if (next === undefined) return false;
    path.push(next);
  }
  goTo(path[Math.min(ply ?? path.length, path.length - 1)] ?? ROOT);
  return true;
}

export function goTo(id: number): void {
  if (study.value.at === id || !study.value.tree.nodes[id]) return;
  study.value = { ...study.value, at: id };
  const here = node(study.value.tree, id);
  announce(here.text ? `After ${here.text}` : "Start position");
}

export function goToPly(wanted: number): void {
  const path = wholeLine.value;
  goTo(wanted <= 0 ? ROOT : (path[Math.min(wanted, path.length) - 1]?.id ?? ROOT));
}

/** To the next or previous of several moves that were tried in the same place. */
export function goSideways(step: 1 | -1): void {
  const { tree, at } = study.value;
  const here = node(tree, at);
  if (here.parent === null) return;
  const all = node(tree, here.parent).children;
  const next = all[all.indexOf(at) + step];
  if (next !== undefined) goTo(next);
}

export function play(move: LegalMove): void {
  if (!isShown.value) {
    hasty = { after: line.value, move: move.move };
    askAgain();
    return;
  }
  const { tree, at } = study.value;
  const player = position.value?.to_move ?? 0;
  const [grown, id] = addMove(tree, at, { move: move.move, text: move.text, player });
  study.value = { ...study.value, tree: grown, at: id };
  announce(move.text);
}

/** Puts moves of an engine's line into the tree and stands at their end. */
export async function insert(base: Line, moves: string[]): Promise<void> {
  try {
    const end = await api.position({ ...base, moves: [...base.moves, ...moves] });
    const [tree, id] = addLine(study.value.tree, ROOT, end.moves);
    study.value = { ...study.value, tree, at: id };
  } catch (error) {
    notifyError(error);
  }
}

/** Changes the comment on the position that stands on the board. */
export function comment(change: (before: string) => string): void {
  const { tree, at } = study.value;
  study.value = { ...study.value, tree: setComment(tree, at, change(node(tree, at).comment)) };
}

export function markHere(mark: number): void {
  study.value = { ...study.value, tree: toggleMark(study.value.tree, study.value.at, mark) };
}

export function promoteHere(): void {
  study.value = { ...study.value, tree: promote(study.value.tree, study.value.at) };
}

export function removeHere(): void {
  const { tree: old, at: gone } = study.value;
  if (gone === ROOT) return;
  const [tree, at] = remove(old, gone);
  const count = Object.keys(old.nodes).length - Object.keys(tree.nodes).length;
  const words = `Removed ${several(count, "move")}.`;
  replaceAndTell({ ...study.value, tree, at }, words, "Undo");
}
