import type { Line } from "../api/types";

interface Example {
  name: string;
  line: Line;
  /** How deep a tree search is small enough to follow. */
  depth?: number;
  /** For those that are meant for Monte Carlo searches: how many simulations find the move. */
  simulations?: number;
}

/** Positions whose searches are small enough to follow. */
export const EXAMPLES: Example[] = [
  {
    name: "Tic-tac-toe: win at once",
    line: { game: "tictactoe", start: "xo1/xo1/3 x 1", moves: [] },
    depth: 3,
  },
  {
    name: "Tic-tac-toe: find the fork",
    line: { game: "tictactoe", start: "xo1/2x/o2 x 1", moves: [] },
    depth: 5,
  },
  {
    name: "Tic-tac-toe: which reply holds?",
    line: { game: "tictactoe", start: "xox/2o/1x1 o 1", moves: [] },
    depth: 4,
  },
  {
    name: "Tic-tac-toe: opposite corners",
    line: { game: "tictactoe", start: "x2/1o1/2x o 1", moves: [] },
    depth: 6,
  },
  {
    name: "Tic-tac-toe: from the start, two plies",
    line: { game: "tictactoe", start: null, moves: [] },
    depth: 2,
  },
  {
    name: "Connect Four on 4×4, three plies",
    line: { game: "connect4:4x4", start: null, moves: [] },
    depth: 3,
  },
  { name: "Othello, two plies", line: { game: "othello", start: null, moves: ["f5"] }, depth: 2 },
  {
    name: "Tic-tac-toe: answer a corner (uct)",
    line: { game: "tictactoe", start: null, moves: ["a1"] },
    simulations: 50,
  },
  {
    name: "Connect Four on 5×4 (uct)",
    line: { game: "connect4:5x4", start: null, moves: ["c", "b", "c", "d"] },
    simulations: 100,
  },
];
