import type { Family, Piece, Player, Position } from "../api/types";

const SIZES: Record<Family, [columns: number, rows: number]> = {
  squares: [4, 4],
  discs: [4, 4],
  stones: [5, 5],
  drop: [4, 4],
};

const piece = (cell: string, player: Player, kind = "disc"): Piece => ({ cell, player, kind });

const PIECES: Record<Family, Piece[]> = {
  squares: [
    piece("a1", 0, "R"),
    piece("b1", 0, "N"),
    piece("c2", 0, "P"),
    piece("d1", 0, "K"),
    piece("a4", 1, "R"),
    piece("b4", 1, "B"),
    piece("c4", 1, "Q"),
    piece("d3", 1, "P"),
  ],
  discs: [piece("b3", 1), piece("c3", 0), piece("b2", 0), piece("c2", 1), piece("d2", 0)],
  stones: [piece("b2", 0), piece("c3", 0), piece("c2", 1), piece("d3", 1)],
  drop: [piece("a1", 0), piece("b1", 1), piece("b2", 0), piece("c1", 1)],
};

/** A little board of a family with some pieces of both players, to show what it looks like. It is a position of no game. */
export function sample(family: Family): Position {
  const [columns, rows] = SIZES[family];
  return {
    game: "",
    label: "",
    start: null,
    moves: [],
    position: family,
    to_move: 0,
    players: ["", ""],
    player_tags: ["", ""],
    stones_left: null,
    family,
    columns,
    rows,
    top_down: false,
    pieces: PIECES[family],
    legal: [],
    last: [],
    check: null,
    outcome: null,
    threats: null,
    winning: [],
    opening: null,
    style: {
      kinds: [],
      scores: { digits: 0, unit: "", full_moves: false },
      standing: null,
      passes: false,
      endgame_cells: null,
    },
    steepness: 1,
    faults: { inaccuracy: 1, mistake: 1, blunder: 1, piece: null },
    proves_wins: false,
  };
}
