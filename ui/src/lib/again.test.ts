import { describe, expect, it } from "vitest";
import type { Game } from "../api/types";
import { againOf } from "./again";

const moves = ["b2", "a1", "c3"].map((move) => ({ move, text: move, player: 0 }));
const custom = { search: "minimax", limit: { depth: 3 } };
const game = {
  position: { game: "tictactoe", start: null, moves },
  given: 2,
  human: 0,
  engines: [null, { level: 3 }],
  clock: { base: 60_000, increment: 2000, left: [0, 0], running: null },
} as unknown as Game;

describe("another game like the last", () => {
  it("changes sides and keeps the clock and the moves that were given", () => {
    expect(againOf(game)).toEqual({
      game: "tictactoe",
      start: null,
      moves: ["b2", "a1"],
      human: 1,
      levels: [3, null],
      engines: [null, null],
      clock: { seconds: 60, increment: 2 },
    });
  });
  it("of two engines keeps both", () => {
    const engines = [{ level: 2 }, custom];
    const next = againOf({ ...game, human: null, engines, clock: null });
    expect([next.human, next.levels, next.engines, next.clock]).toEqual([
      null,
      [null, 2],
      [custom, null],
      null,
    ]);
  });
});
