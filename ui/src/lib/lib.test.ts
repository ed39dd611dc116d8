import { describe, expect, it } from "vitest";
import type { Fault, Review, ReviewedTurn } from "../api/review";
import type { Position } from "../api/types";
import { cellAt, movesTo, type Shape, spotOf } from "./cells";
import { chance, firstPlayersChance, firstPlayersScore } from "./chance";
import { moveCursor } from "./cursor";
import { cellText, clockText, count, scoreText, scoreWords, signed } from "./format";
import { isSameTurn, nextFault, sharedMoves } from "./review";
import { hashOf, parseRoute } from "./route";
import { completed } from "./stored";
import { addLine, addMove, emptyTree, lineThrough, pathTo, promote, ROOT, remove, runFrom } from "./tree";
import { beginsTurn, mustPass, stonesText, turnsOf, withProvisional } from "./turns";

const shape = (family: Shape["family"], columns: number, rows: number, flipped = false): Shape => ({
  family,
  columns,
  rows,
  top_down: family === "discs",
  flipped,
});

describe("cells", () => {
  it("puts a1 below, or above where rows count from the top", () => {
    expect(spotOf("a1", shape("squares", 8, 8))).toEqual({ x: 0, y: 7 });
    expect(spotOf("a1", shape("discs", 8, 8))).toEqual({ x: 0, y: 0 });
    expect(spotOf("s19", shape("stones", 19, 19))).toEqual({ x: 18, y: 0 });
    expect(spotOf("pass", shape("discs", 8, 8))).toBeNull();
  });
  it("keeps gravity when the board is turned", () => {
    expect(spotOf("a1", shape("drop", 7, 6, true))).toEqual({ x: 6, y: 5 });
  });
  it("names the cell that it draws, on every board and both ways", () => {
    for (const family of ["squares", "discs", "stones", "drop"] as const) {
      for (const flipped of [false, true]) {
        const board = shape(family, 7, 6, flipped);
        for (let x = 0; x < 7; x += 1)
          for (let y = 0; y < 6; y += 1) expect(spotOf(cellAt({ x, y }, board), board)).toEqual({ x, y });
      }
    }
  });
  it("finds all promotions of one square and the column of a drop", () => {
    const promotion = (letter: string) => ({
      move: `a7a8${letter}`,
      text: "",
      from: "a7",
      to: "a8",
      promotion: letter,
      also: [],
    });
    const board = { family: "squares" as const };
    expect(movesTo({ ...board, legal: [promotion("q"), promotion("n")] }, "a8", "a7")).toHaveLength(2);
    const drop = { move: "d", text: "d", from: null, to: null, promotion: null, also: [] };
    expect(movesTo({ ...board, family: "drop", legal: [drop] }, "d5", null)).toEqual([drop]);
  });
  it("takes other cells for a move that the game says they mean", () => {
    const castling = { move: "e1g1", text: "O-O", from: "e1", to: "g1", promotion: null, also: ["h1"] };
    const step = { move: "e1f1", text: "Kf1", from: "e1", to: "f1", promotion: null, also: [] };
    const board = { family: "squares" as const, legal: [castling, step] };
    expect(movesTo(board, "h1", "e1")).toEqual([castling]);
    expect(movesTo(board, "f1", "e1")).toEqual([step]);
    expect(movesTo(board, "h1", null)).toEqual([]);
  });
});

describe("cursor", () => {
  it("stays on the board", () => {
    expect(moveCursor({ x: 0, y: 0 }, "ArrowLeft", 3, 3)).toEqual({ x: 0, y: 0 });
    expect(moveCursor({ x: 2, y: 1 }, "ArrowDown", 3, 3)).toEqual({ x: 2, y: 2 });
    expect(moveCursor({ x: 1, y: 1 }, "End", 3, 3)).toEqual({ x: 2, y: 1 });
    expect(moveCursor({ x: 1, y: 1 }, "q", 3, 3)).toBeNull();
  });
});

describe("turns of two stones", () => {
  const legal = ["a1", "b1", "c1"].map((move) => ({
    move,
    text: move,
    from: null,
    to: move,
    promotion: null,
    also: [],
  }));
  const position = { stones_left: 2, to_move: 1, pieces: [], legal } as unknown as Position;
  it("shows the first stone and forbids its cell", () => {
    const shown = withProvisional(position, legal[1]!);
    expect(shown.pieces).toEqual([{ cell: "b1", player: 1, kind: "disc" }]);
    expect(shown.legal.map((move) => move.move)).toEqual(["a1", "c1"]);
    expect(beginsTurn(position)).toBe(true);
    expect(beginsTurn(shown)).toBe(false);
    expect(stonesText(position, legal[1]!)).toMatch(/second stone/);
  });
  it("groups moves by turn", () => {
    const players = [0, 1, 1, 0, 0, 1].map((player) => ({ player }));
    expect(turnsOf(players).map((turn) => turn.length)).toEqual([1, 2, 2, 1]);
  });
  it("knows a pass", () => {
    const pass = { move: "pass", text: "pass", from: null, to: null, promotion: null, also: [] };
    expect(mustPass({ ...position, legal: [pass] })).toBe(true);
    expect(mustPass(position)).toBe(false);
  });
});

describe("winning chance", () => {
  it("is even at nought and sure at a win", () => {
    expect(chance({ centi: 0 }, 0.0037)).toBe(0.5);
    expect(chance({ win_in: 3 }, 0.0037)).toBe(1);
    expect(chance({ margin: -2 }, 0.001)).toBe(0);
    expect(chance({ expected: 0.5 }, 0.0006)).toBe(0.75);
    expect(chance({ centi: 100 }, 0.0037)).toBeCloseTo(0.591, 2);
    // A unit decides much in some games and little in others.
    expect(chance({ centi: 100 }, 0.022)).toBeGreaterThan(0.9);
    expect(chance({ centi: 100 }, 0.0006)).toBeLessThan(0.55);
  });
  it("is turned for the second player", () => {
    const line = { score: { centi: 200 }, moves: [] };
    expect(firstPlayersChance(line, 0, 0.0037) + firstPlayersChance(line, 1, 0.0037)).toBeCloseTo(1);
    const wdl = { ...line, wdl: [0.5, 0.3, 0.2] as [number, number, number] };
    expect(firstPlayersChance(wdl, 1, 0.0037)).toBeCloseTo(0.35);
    expect(firstPlayersScore({ win_in: 2 }, 1)).toEqual({ loss_in: 2 });
  });
});

describe("review", () => {
  const turn = (from: number, to: number, mark: Fault | null) => ({ from, to, mark }) as ReviewedTurn;
  it("steps from fault to fault", () => {
    const turns = [turn(0, 1, null), turn(1, 3, "mistake"), turn(3, 5, null), turn(5, 6, "blunder")];
    expect([0, 1, 3, 6].map((ply) => nextFault(turns, ply, 1)?.to)).toEqual([3, 3, 6, undefined]);
    expect([6, 4, 3].map((ply) => nextFault(turns, ply, -1)?.to)).toEqual([3, 3, undefined]);
  });
  it("speaks of a line as far as that is what was reviewed", () => {
    const review = { moves: ["e4", "e5", "Nf3"] } as Review;
    const lines = [["e4", "e5", "Nf3", "Nc6"], ["e4", "c5", "Nf3"], ["e4"], []];
    expect(lines.map((line) => sharedMoves(review, line))).toEqual([3, 1, 1, 0]);
  });
  it("takes two stones in either order for one turn", () => {
    expect(isSameTurn(["a1", "b2"], ["b2", "a1"])).toBe(true);
    expect([isSameTurn(["a1"], ["a1", "b2"]), isSameTurn(["a1"], ["a2"])]).toEqual([false, false]);
  });
});

describe("formats", () => {
  it("writes scores", () => {
    const pawns = { digits: 2, unit: "", full_moves: true };
    const discs = { digits: 1, unit: "discs", full_moves: false };
    expect(scoreText({ centi: 35 }, pawns)).toBe("+0.35");
    expect(scoreText({ centi: -420 }, discs)).toBe("−4.2");
    expect(scoreWords({ centi: -420 }, discs)).toBe("−4.2 discs");
    expect(scoreText({ win_in: 5 }, pawns)).toBe("#3");
    expect(scoreText({ loss_in: 4 }, discs)).toBe("Loss in 4");
    expect(cellText({ win_in: 1 }, discs)).toBe("Win 1");
    expect(scoreWords({ win_in: 1 }, discs)).toBe("wins in 1 move");
    expect(scoreWords({ loss_in: 4 }, pawns)).toBe("loses in 2 moves");
    expect([19_998, -19_998].map((centi) => scoreText({ centi }, discs))).toEqual(["won", "lost"]);
    expect(signed(-0.001, 2)).toBe("0.00");
  });
  it("writes counts and clocks", () => {
    expect([999, 1000, 12_345, 999_999, 5_600_000].map(count)).toEqual([
      "999",
      "1.00k",
      "12.3k",
      "1.00M",
      "5.60M",
    ]);
    expect([3_723_000, 65_000, 9_940, -5].map(clockText)).toEqual(["1:02:03", "1:05", "0:09.9", "0:00.0"]);
  });
});

describe("tree", () => {
  const move = (text: string, player: 0 | 1 = 0) => ({ move: text, text, player });
  it("grows, branches and finds what it has", () => {
    const [main, end] = addLine(emptyTree(), ROOT, [move("e4"), move("e5", 1), move("Nf3")]);
    const [same, found] = addMove(main, ROOT, move("e4"));
    expect([same, found]).toEqual([main, 1]);
    const [branched, side] = addMove(main, 1, move("c5", 1));
    expect(pathTo(branched, side).map((node) => node.text)).toEqual(["e4", "c5"]);
    expect(lineThrough(branched, ROOT).map((node) => node.text)).toEqual(["e4", "e5", "Nf3"]);
    const run = runFrom(branched, 1);
    expect(run.moves.map((item) => item.node.text)).toEqual(["e4", "e5", "Nf3"]);
    expect(run.moves[1]!.sides[0]!.moves[0]!.node.text).toBe("c5");
    const promoted = promote(branched, side);
    expect(lineThrough(promoted, ROOT).map((node) => node.text)).toEqual(["e4", "c5"]);
    const [cut, at] = remove(branched, 2);
    expect(at).toBe(1);
    expect(cut.nodes[end]).toBeUndefined();
    expect(main.nodes[1]!.children).toEqual([2]);
  });
  it("counts turns, not stones", () => {
    const stones = [move("j10"), move("i11", 1), move("k11", 1), move("j11"), move("j12")];
    const [main] = addLine(emptyTree(), ROOT, stones);
    const [branched] = addMove(main, 2, move("a1", 1));
    const { moves } = runFrom(branched, 1);
    expect(moves.map(({ turn, opens }) => [turn, opens])).toEqual([
      [1, true],
      [2, true],
      [2, false],
      [3, true],
      [3, false],
    ]);
    const [side] = moves[2]!.sides[0]!.moves;
    expect([side!.turn, side!.opens]).toEqual([2, false]);
  });
});

describe("what the browser has kept", () => {
  it("is completed, or dropped if it is of another kind", () => {
    expect(completed({ b: 3 }, { a: 1, b: 2 })).toEqual({ a: 1, b: 3 });
    for (const wrong of [null, "x", [], 4]) expect(completed(wrong, { a: 1 })).toEqual({ a: 1 });
    expect(completed("dark", "light")).toBe("dark");
  });
});

describe("routes", () => {
  it("survives a badly written address", () => {
    expect(parseRoute("#/play/%E0%A4%A").id).toBe("%E0%A4%A");
  });
  it("reads what it writes", () => {
    const hash = hashOf("analyse", null, { game: "connect:9,9,5,1,1", moves: "a1,b2", start: "3/3/3 x 1" });
    const { page, query } = parseRoute(hash);
    expect([page, query.get("game"), query.get("moves"), query.get("start")]).toEqual([
      "analyse",
      "connect:9,9,5,1,1",
      "a1,b2",
      "3/3/3 x 1",
    ]);
    expect(parseRoute("#/play/abc").id).toBe("abc");
    expect(parseRoute("").page).toBe("play");
  });
});
