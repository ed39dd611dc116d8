import { expect, it } from "vitest";
import { resultWords, shares, sourceWords, wordOf } from "./words";

it("says how games went, and leaves out what there was none of", () => {
  const players: [string, string] = ["White", "Black"];
  expect(resultWords({ first: 2, drawn: 1, second: 0, open: 1 }, players)).toBe(
    "4 games: White won 2, 1 drawn, 1 not ended",
  );
  expect(resultWords({ first: 0, drawn: 0, second: 1, open: 0 }, players)).toBe("1 game: Black won 1");
});

it("shares a bar among the games that have ended", () => {
  expect(shares({ first: 1, drawn: 1, second: 2, open: 6 })).toEqual([25, 25, 50]);
  expect(shares({ first: 0, drawn: 0, second: 0, open: 6 })).toBeNull();
});

it("says what it counts", () => {
  const file = { id: "a", name: "a.pgn", games: 3 };
  expect(sourceWords({ games: 1, studies: 2, files: [file], books: ["x.book", "y.bin"] })).toBe(
    "From 1 game, 2 saved analyses, 1 file, 2 books and the names of openings.",
  );
  expect(sourceWords({ games: 0, studies: 0, files: [], books: [] })).toBe("From the names of openings.");
});

it("asks the book that would play a move most often", () => {
  const word = (book: string, share: number) => ({ book, share, won: 0, drawn: 0, lost: 0 });
  expect(wordOf([word("a", 0.2), word("b", 0.5), word("c", 0.5)])?.book).toBe("b");
  expect(wordOf([])).toBeUndefined();
});
