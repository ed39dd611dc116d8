import { several } from "../lib/format";

/** What the page of runs says. */

export const RUNS = "Runs";
export const LOADING = "Loading…";
export const LOADING_RUN = "Loading the run…";

export const NO_RUNS =
  "Here you can watch networks learn a game by playing against themselves. There is no run yet. Start one with";
export const SHOW_IT = "and show it on this page with";
export const RUNS_FOLDER = "Runs in the folder “runs” of the data folder are shown by themselves.";
export const networks = (label: string, count: number, isLively: boolean) =>
  `${label}, ${several(count, "network")}${isLively ? ", learning now" : ""}`;
export const COMPARE = "Select several to compare them.";
export const SETTINGS = "Settings";
export const DIFFERENT_SETTINGS = "Settings that differ";
export const SETTING = "Setting";
export const MORE_CHARTS = "More charts";
export const AXES = { generations: "Generations", seconds: "Time", games: "Games" };
export const CURVES_OVER = "Curves over";
export const BOARD_OF = "Board and games of";
export const NO_CURVES = "No generation is finished yet. The charts appear with the first.";

export const LATEST_GAMES = "Latest games";
export const NO_GAMES = "No games yet.";
export const PLAYED_BY = "Played by the network of generation";
export const gameNumber = (number: number) => `Game ${number}`;
export const DRAW = "draw";
export const wins = (player: string, margin: number) => `${player} wins${margin > 1 ? ` by ${margin}` : ""}`;

export const NO_NETWORK = "There is no network yet.";
export const NETWORK_SAYS = "What the network says, by generation";
export const NETWORK_HELP =
  "Play moves to choose a position, then move the slider: you see what the network has learned.";
export const START = "Start";
export const BACK = "One move back";
export const mustPass = (player: string) => `${player} has no move: pass`;
export const STOP = "Stop";
export const PLAY_GENERATIONS = "Play through the generations";
export const generation = (number: number) => `Generation ${number}`;
export const OWNERS = "Show who will own each square instead of the moves";
export const MOVES = "Moves";
export const TYPE_MOVES = "Type moves and press Enter";

export const expected = (player: string) => `Expected result for ${player}`;
export const EXPECTED_ABOUT = "Wins plus half of the draws, as each generation judges this position.";
export const chartEnd = (title: string, last: string[]) => `${title}, at the end: ${last.join("; ")}`;

export const against = (opponent: string, playouts: string | null) =>
  `against ${opponent}${playouts === null ? "" : `, with ${playouts} playouts`}`;
export const AN_OPPONENT = "an opponent";
export const CHARTS = {
  rating: {
    title: "Rating",
    about: "Elo points above or below an opponent that does not learn, with the 95 % interval.",
  },
  policy: {
    title: "Policy loss",
    about: "How far the network's moves are from those that the search preferred.",
  },
  value: { title: "Value loss", about: "How far the network's judgement is from how the games ended." },
  length: { title: "Game length", about: "Moves per game, on average." },
  winners: { title: "Who wins", about: "The share of games won by the first player, and of draws." },
};
