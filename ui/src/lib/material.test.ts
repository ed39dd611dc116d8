import { expect, it } from "vitest";
import type { Piece, PieceKind, Player } from "../api/types";
import { ahead } from "./material";

const pieces = (white: string, black: string): Piece[] =>
  [white, black].flatMap((kinds, player) =>
    [...kinds].map((kind) => ({ cell: "a1", kind, player: player as Player })),
  );

const KINDS: PieceKind[] = Object.entries({ K: 0, Q: 9, R: 5, B: 3, N: 3, P: 1 }).map(([kind, worth]) => ({
  kind,
  name: kind,
  worth,
}));

it("says who has more of what, and who is ahead", () => {
  const board = pieces("KQRRBPPP", "KQRNNPPPP");
  expect(ahead(board, 0, KINDS)).toEqual({ kinds: ["R", "B"], worth: 1 });
  expect(ahead(board, 1, KINDS)).toEqual({ kinds: ["N", "N", "P"], worth: 0 });
  expect(ahead(pieces("KQ", "KQ"), 0, KINDS)).toEqual({ kinds: [], worth: 0 });
});
