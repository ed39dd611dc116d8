import type { Player, Score } from "../api/types";
import { turned } from "./chance";
import { stored } from "./stored";

/** Whose view values take on all pages: the first player's, or that of whoever is to move. */
export type View = "first" | "mover";

export const view = stored<View>("view", "first");

/** The player whose values are shown of a position. */
export function viewer(toMove: Player): Player {
  return view.value === "mover" ? toMove : 0;
}

/** A score of the player to move as it is shown. */
export function shownScore(score: Score, toMove: Player): Score {
  return viewer(toMove) === toMove ? score : turned(score);
}

/** Chances to win, to draw and to lose of the player to move as they are shown. */
export function shownWdl(wdl: [number, number, number], toMove: Player): [number, number, number] {
  const [win, draw, loss] = wdl;
  return viewer(toMove) === toMove ? wdl : [loss, draw, win];
}
