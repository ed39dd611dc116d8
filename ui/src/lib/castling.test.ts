import { expect, it } from "vitest";
import type { Piece } from "../api/types";
import { castlingRights } from "./castling";

/** Pieces of the home ranks: capitals for the first player on rank 1, small letters for the second on rank 8. */
function homes(white: string, black = "4k3"): Piece[] {
  const rank = (text: string, player: 0 | 1): Piece[] => {
    const signs = text.replaceAll(/\d/g, (gap) => " ".repeat(Number(gap)));
    return [...signs].flatMap((sign, x) => {
      const cell = `${"abcdefgh"[x]}${player === 0 ? 1 : 8}`;
      return sign === " " ? [] : [{ cell, player, kind: sign.toUpperCase() }];
    });
  };
  return [...rank(white, 0), ...rank(black, 1)];
}

const letters = (rights: ReturnType<typeof castlingRights>) =>
  rights.map((right) => (right?.own ? right.letter : right ? `(${right.letter})` : "")).join("");

it("keeps what the position had, and offers what its pieces would allow", () => {
  const before = homes("R3K2R", "r3k2r");
  expect(letters(castlingRights("KQkq", before, before, false))).toBe("KQkq");
  expect(letters(castlingRights("Kq", before, before, false))).toBe("K(Q)(k)q");
  expect(letters(castlingRights("-", before, before, false))).toBe("(K)(Q)(k)(q)");
});

it("drops only what has become impossible", () => {
  const before = homes("R3K2R", "r3k2r");
  expect(letters(castlingRights("KQkq", before, homes("4K2R", "r3k2r"), false))).toBe("Kkq");
  expect(letters(castlingRights("KQkq", before, homes("R2K3R", "r3k2r"), false))).toBe("kq");
  expect(letters(castlingRights("KQkq", before, [], false))).toBe("");
});

it("keeps the rook of another array, whatever stands beside it", () => {
  const before = homes("4RNKR");
  expect(letters(castlingRights("KQ", before, before, true))).toBe("KQ");
  // A new rook at the edge takes the usual letter, so that the old one needs that of its column.
  expect(letters(castlingRights("KQ", before, homes("R3RNKR"), true))).toBe("KE");
  expect(letters(castlingRights("E", homes("R3RNKR"), homes("R3RNKR"), true))).toBe("(K)E");
  // Another king's place is a right that somebody would have to give.
  expect(letters(castlingRights("KQ", before, homes("4RK1R"), true))).toBe("(K)(Q)");
});
