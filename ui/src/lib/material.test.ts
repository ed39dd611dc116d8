import { expect, it } from "vitest";
import type { Piece, Player } from "../api/types";
import { ahead } from "./material";

const pieces = (white: string, black: string): Piece[] =>
  [white, black].flatMap((kinds, player) =>
    [...kinds].map((kind) => ({ cell: "a1", kind, player: player as Player })),
  );

it("says who has more of what, and who is ahead", () => {
  const board = pieces("KQRRBPPP", "KQRNNPPPP");
  expect(ahead(board, 0)).toEqual({ kinds: ["R", "B"], pawns: 1 });
  expect(ahead(board, 1)).toEqual({ kinds: ["N", "N", "P"], pawns: 0 });
  expect(ahead(pieces("KQ", "KQ"), 0)).toEqual({ kinds: [], pawns: 0 });
});
