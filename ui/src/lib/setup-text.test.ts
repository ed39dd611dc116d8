import { expect, it } from "vitest";
import type { Piece, Player } from "../api/types";
import { chessFields, setupText } from "./setup-text";

const piece = (cell: string, player: Player, kind = "disc"): Piece => ({ cell, player, kind });

it("writes chess with the fields that it is given", () => {
  const pieces = [piece("e1", 0, "K"), piece("h1", 0, "R"), piece("e8", 1, "K"), piece("d5", 1, "P")];
  const board = { family: "chess", columns: 8, rows: 8, pieces, toMove: 1, stonesLeft: 1 } as const;
  expect(setupText({ ...board, chessFields: "K - 0 7" })).toBe("4k3/8/8/3p4/8/8/8/4K2R b K - 0 7");
});

it("keeps en passant and the quiet moves only while nothing changes", () => {
  const fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 2 3";
  expect(chessFields(fen, "KQkq", false)).toBe("KQkq e3 2 3");
  expect(chessFields(fen, "Kkq", true)).toBe("Kkq - 0 3");
});

it("writes stones from the top row and counts what is left of the turn", () => {
  const pieces = [piece("a1", 0), piece("c3", 1)];
  const board = { family: "stones", columns: 3, rows: 3, toMove: 0, stonesLeft: 1 } as const;
  expect(setupText({ ...board, pieces })).toBe("2o/3/x2 x 1");
  expect(setupText({ ...board, family: "drop", pieces: [piece("a1", 0)] })).toBe("3/3/x2 x");
});

it("writes Othello from a1, which is the upper left", () => {
  const board = { family: "othello", columns: 8, rows: 8, toMove: 1, stonesLeft: 1 } as const;
  const text = setupText({ ...board, pieces: [piece("a1", 0), piece("b1", 1)] });
  expect(text).toBe(`XO${"-".repeat(62)} O`);
});
