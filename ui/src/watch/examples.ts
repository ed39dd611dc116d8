import type { Line } from "../api/types";

/** A position in which there is something to see, and the search that shows it. */
export interface Example {
  name: string;
  line: Line;
  search: string;
}

const at = (game: string, start: string | null = null, moves: string[] = []): Line => ({
  game,
  start,
  moves,
});

export const EXAMPLES: Example[] = [
  { name: "Chess: from the start", line: at("chess"), search: "pvs" },
  {
    name: "Chess: a queen for a mate",
    line: at("chess", "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
    search: "pvs",
  },
  {
    name: "Chess: blocked pawns, where the table knows most",
    line: at("chess", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"),
    search: "pvs",
  },
  { name: "Othello: a tree that grows", line: at("othello", null, ["f5"]), search: "mcts" },
  { name: "Connect Four: playouts find the middle", line: at("connect4"), search: "mcts" },
  { name: "Connect6: two stones a turn", line: at("connect6", null, ["j10"]), search: "pvs" },
  {
    name: "Tic-tac-toe: a tree that proves",
    line: at("tictactoe", null, ["b2"]),
    search: "mcts",
  },
];
