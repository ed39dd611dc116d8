import { describe, expect, it } from "vitest";
import type { ReviewedTurn } from "../api/review";
import { lostSoFar } from "./review";

const turn = (to: number, player: 0 | 1, units: number | null) => ({ to, player, units }) as ReviewedTurn;

describe("what was lost so far", () => {
  const turns = [turn(1, 0, 0), turn(2, 1, 3.5), turn(3, 0, 2), turn(4, 1, null), turn(5, 0, 1)];

  it("adds a player's own turns up, each from its end on", () => {
    expect(lostSoFar(turns, 0, 5)).toEqual([0, 0, 0, 2, 2, 3]);
    expect(lostSoFar(turns, 1, 5)).toEqual([0, 0, 3.5, 3.5, 3.5, 3.5]);
  });

  it("leaves out turns that the line does not reach, and has a value for each ply beyond", () => {
    expect(lostSoFar(turns, 0, 2)).toEqual([0, 0, 0]);
    expect(lostSoFar(turns.slice(0, 3), 0, 6)).toEqual([0, 0, 0, 2, 2, 2, 2]);
  });
});
