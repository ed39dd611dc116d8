import { describe, expect, it } from "vitest";
import type { LegalMove, Position } from "../api/types";
import { settled, stonesInTurn, withPremove } from "./premove";

const move = (text: string, from: string | null, to: string, promotion: string | null = null): LegalMove => ({
  move: text,
  text,
  from,
  to,
  promotion,
  also: [],
});

function position(part: Partial<Position>): Position {
  return {
    family: "stones",
    moves: [],
    legal: [],
    pieces: [],
    to_move: 0,
    stones_left: null,
    style: { kinds: [{ kind: "Q" }, { kind: "R" }] },
    ...part,
  } as Position;
}

const played = (...players: (0 | 1)[]) => players.map((player) => ({ player, move: "x", text: "x" }));

describe("premoves", () => {
  it("are as many as a turn has stones, as far as the game has shown it", () => {
    expect(stonesInTurn(position({}))).toBe(1);
    expect(stonesInTurn(position({ stones_left: 2, to_move: 1, moves: played(0) }))).toBe(2);
    expect(stonesInTurn(position({ stones_left: 1, to_move: 1, moves: played(0, 1) }))).toBe(2);
    expect(stonesInTurn(position({ stones_left: 1, to_move: 0, moves: [] }))).toBe(1);
  });

  it("give way to later ones, and are not chosen twice", () => {
    const one = { from: null, to: "a1" };
    const two = { from: null, to: "b2" };
    const three = { from: null, to: "c3" };
    const stones = position({ stones_left: 2, to_move: 1, moves: played(0) });
    expect(withPremove([one, two], three, stones)).toEqual([two, three]);
    expect(withPremove([one, two], one, stones)).toEqual([two, one]);
    expect(withPremove([one], two, position({}))).toEqual([two]);
  });

  it("become legal moves, a pawn the strongest piece", () => {
    const legal = [move("a7a8r", "a7", "a8", "r"), move("a7a8q", "a7", "a8", "q"), move("a1b1", "a1", "b1")];
    const squares = position({ family: "squares", legal });
    expect(settled(squares, [{ from: "a7", to: "a8" }]).moves.map((one) => one.move)).toEqual(["a7a8q"]);
    expect(settled(squares, [{ from: "a1", to: "a2" }])).toEqual({
      moves: [],
      refused: { from: "a1", to: "a2" },
    });
  });

  it("are refused if they could be several moves that are no promotions", () => {
    const legal = [move("e1f1", "e1", "f1"), move("e1h1", "e1", "f1")];
    const squares = position({ family: "squares", legal });
    expect(settled(squares, [{ from: "e1", to: "f1" }]).moves).toEqual([]);
  });

  it("of two stones are played as far as the opponent has left their cells", () => {
    const stones = position({ stones_left: 2, legal: [move("a1", null, "a1"), move("c3", null, "c3")] });
    const { moves, refused } = settled(stones, [
      { from: null, to: "a1" },
      { from: null, to: "b2" },
    ]);
    expect(moves.map((one) => one.move)).toEqual(["a1"]);
    expect(refused?.to).toBe("b2");
  });
});
