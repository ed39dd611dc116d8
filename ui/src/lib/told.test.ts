import { describe, expect, it } from "vitest";
import type { Report } from "../api/search";
import type { Game, Position, ToldMove } from "../api/types";
import { bestOf, canSolve, verdict, withReport } from "./endgame";
import { headersOf } from "./headers";
import { markText, SIGNS } from "./marks";
import { listOf, treeOf } from "./told";
import { addMove, lineThrough, node, onlyLine, ROOT, toggleMark } from "./tree";

const told = (after: number, text: string, more: Partial<ToldMove> = {}): ToldMove => ({
  after,
  move: text,
  text,
  player: 0,
  comment: "",
  marks: [],
  ...more,
});

const GAME = {
  comment: "before",
  tree: [
    told(0, "e4"),
    told(1, "e5", { marks: [1] }),
    told(2, "Nf3"),
    told(1, "c5", { comment: "sharp" }),
    told(4, "Nf3"),
    told(4, "c3"),
    told(0, "d4"),
  ],
};

describe("trees that are told", () => {
  it("come back as they were", () => {
    const tree = treeOf(GAME);
    expect(listOf(tree)).toEqual({
      comment: "before",
      tree: GAME.tree.map(({ after, move, comment, marks }) => ({ after, move, comment, marks })),
    });
    expect(node(tree, ROOT).children).toEqual([1, 7]);
    expect(lineThrough(tree, ROOT).map((move) => move.text)).toEqual(["e4", "e5", "Nf3"]);
  });
  it("grow like any other", () => {
    const [grown, id] = addMove(treeOf(GAME), 3, { move: "Nc6", text: "Nc6", player: 1 });
    expect(id).toBe(8);
    expect(listOf(grown).tree[3]).toEqual({ after: 3, move: "Nc6", comment: "", marks: [] });
  });
  it("may be a single line of ten thousand moves", () => {
    const long = Array.from({ length: 10_000 }, (_, place) => told(place, `m${place}`));
    expect(listOf(treeOf({ comment: "", tree: long })).tree).toHaveLength(10_000);
  });
  it("may be reduced to a line without words", () => {
    const { comment, tree } = listOf(onlyLine(treeOf(GAME), 4));
    expect(comment).toBe("");
    expect(tree.map((move) => [move.move, move.comment])).toEqual([
      ["e4", ""],
      ["c5", ""],
      ["Nf3", ""],
    ]);
  });
});

describe("marks", () => {
  it("have signs, and numbers where there is none", () => {
    expect([1, 4, 14, 99].map(markText)).toEqual(["!", "??", "+=", "$99"]);
    expect(SIGNS).toHaveLength(6);
  });
  it("of praise and blame replace each other; others stay", () => {
    let tree = treeOf({ comment: "", tree: [told(0, "e4", { marks: [1, 14] })] });
    tree = toggleMark(tree, 1, 4);
    expect(node(tree, 1).marks).toEqual([4, 14]);
    tree = toggleMark(tree, 1, 4);
    expect(node(tree, 1).marks).toEqual([14]);
  });
});

describe("endgames", () => {
  const report = (stopped: string) =>
    ({
      stopped,
      lines: [
        { score: { margin: -4 }, moves: ["b7"] },
        { score: { centi: 0 }, moves: ["g1"] },
        { score: { margin: 16 }, moves: ["h2", "b8"] },
      ],
    }) as unknown as Report;
  it("are exact if the search says so, the best move first, a draw as nought", () => {
    const found = withReport([], report("solved"));
    expect(found.map(({ move, discs, exact }) => [move, discs, exact])).toEqual([
      ["h2", 16, true],
      ["g1", 0, true],
      ["b7", -4, true],
    ]);
    expect(withReport([], report("time")).some((move) => move.exact)).toBe(false);
  });
  it("keep what is certain when a longer search is cut", () => {
    const best = { stopped: "solved", lines: [{ score: { margin: 2 }, moves: ["b7"] }] } as unknown as Report;
    const both = withReport(withReport([], best), report("time"));
    expect(bestOf(both)).toMatchObject({ move: "b7", discs: 2, exact: true });
    expect(both).toHaveLength(3);
    const position = { players: ["Black", "White"], to_move: 1 } as unknown as Position;
    expect(verdict(position, both)).toEqual({ text: "With best play: White wins by 2", exact: true });
    expect(verdict(position, []).exact).toBe(false);
  });
  it("are solved with few empty squares alone", () => {
    const position = (discs: number, endgame_cells: number | null = 20) =>
      ({
        style: { endgame_cells },
        columns: 8,
        rows: 8,
        outcome: null,
        pieces: Array(discs).fill(null),
      }) as unknown as Position;
    expect(canSolve(position(44))).toBe(true);
    expect(canSolve(position(43))).toBe(false);
    expect(canSolve(position(60, null))).toBe(false);
  });
});

describe("headers", () => {
  it("say who played, with which clock, and how it ended", () => {
    const game = {
      created: Date.UTC(2024, 4, 6, 12),
      human: 0,
      engines: [null, { level: 2, search: "pvs" }],
      clock: { base: 300_000, increment: 3000, left: [61_000, 9000], running: null },
      position: { player_tags: ["White", "Black"] },
      result: { winner: 1, text: "Black wins by resignation" },
    } as unknown as Game;
    const { tags, result } = headersOf(game, ["weak", "fair"]);
    expect(tags).toMatchObject({
      White: "You",
      Black: "Fair",
      Date: "2024.05.06",
      TimeControl: "300+3",
      WhiteClock: "1:01",
      BlackClock: "0:09.0",
      Termination: "Black wins by resignation",
    });
    expect(result).toEqual({ winner: 1 });
  });
});
