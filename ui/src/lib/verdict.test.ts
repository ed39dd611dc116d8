import { afterEach, expect, it } from "vitest";
import type { Player, Score } from "../api/types";
import { verdictOf } from "./verdict";
import { shownScore, shownWdl, view } from "./view";

const PLAIN = { digits: 2, unit: "", full_moves: false };

const verdict = (score: Score, to_move: Player, full_moves = false) =>
  verdictOf(
    { score, moves: [] },
    { to_move, players: ["Black", "White"], steepness: 0.01, style: { scores: { ...PLAIN, full_moves } } },
  );

afterEach(() => {
  view.value = "first";
});

it("names who is ahead, whoever moves and in whatever view values are shown", () => {
  for (const wanted of ["first", "mover"] as const) {
    view.value = wanted;
    expect([0, 10, 50, 100, 200, 400].map((centi) => verdict({ centi }, 0))).toEqual([
      "Even",
      "Even",
      "Black is slightly better",
      "Black is better",
      "Black is much better",
      "Black is winning",
    ]);
    expect(verdict({ centi: 19_800 }, 0)).toBe("Black wins");
    expect(verdict({ centi: 100 }, 1)).toBe("White is better");
    expect(verdict({ centi: -100 }, 1)).toBe("Black is better");
  }
});

it("says how the game ends where that is known", () => {
  expect(verdict({ win_in: 5 }, 1)).toBe("White wins in 5 moves");
  expect(verdict({ loss_in: 1 }, 1)).toBe("Black wins in 1 move");
  expect(verdict({ win_in: 5 }, 0, true)).toBe("Black wins in 3 moves");
  expect(verdict({ margin: -12 }, 0)).toBe("White wins by 12");
  expect(verdict({ margin: 0 }, 0)).toBe("A draw");
});

it("shows values as the first player sees them, or whoever moves where that is wanted", () => {
  const shown = () => ([0, 1] as const).map((player) => shownScore({ centi: 30 }, player));
  expect(shown()).toEqual([{ centi: 30 }, { centi: -30 }]);
  expect(shownWdl([0.5, 0.3, 0.2], 1)).toEqual([0.2, 0.3, 0.5]);
  view.value = "mover";
  expect(shown()).toEqual([{ centi: 30 }, { centi: 30 }]);
  expect(shownWdl([0.5, 0.3, 0.2], 1)).toEqual([0.5, 0.3, 0.2]);
});
