/** The shapes that the server sends; see the server's OpenAPI description. */

/** 0 is the player who moves first. */
export type Player = 0 | 1;

/** Boards that are drawn, and clicked on, in the same way. */
export type Family = "squares" | "discs" | "stones" | "drop";

/** The small picture of a game. */
export type IconName = { piece: string } | { stones: number } | "discs" | "crosses" | "drop";

export interface GameInfo {
  name: string;
  /** Other names that people may know it by. */
  aliases: string[];
  /** What people call it. */
  label: string;
  title: string;
  players: [string, string];
  variants: Variants;
  extension: string;
  icon: IconName;
  family: Family;
  columns: number;
  rows: number;
  examples: Example[];
}

export interface Variants {
  /** How they are asked for; empty if there are none. */
  help: string;
  /** What is played if nobody asks. */
  usual: string;
  /** Where people begin with one by lot: the variants are numbers below this. */
  lots: number | null;
  /** The numbers that a variant is made of, in their order. */
  dials: Dial[];
  /** What stands between these numbers. */
  joined_by: string;
}

/** A number that a variant is made of. */
export interface Dial {
  name: string;
  least: number;
  most: number;
  usual: number;
}

/** A position in which there is something to see, and the search that shows it. */
export interface Example {
  name: string;
  /** What there is to see, in a sentence. */
  aim: string;
  /** Whether somebody who is new should see it first. */
  featured: boolean;
  game: string;
  start: string | null;
  moves: string[];
  search: string;
}

/** What is the same in all positions of a game. */
export interface Style {
  /** The kinds of its pieces, in the order in which a board is set up with them. */
  kinds: PieceKind[];
  scores: ScoreStyle;
  /** What is shown of how the players stand: what one has more of, or how many pieces. */
  standing: "material" | "count" | null;
  /** Whether a player may have to pass. */
  passes: boolean;
  /** With so many empty cells or fewer, the rest of the game can be played out by a search. */
  endgame_cells: number | null;
}

export interface PieceKind {
  kind: string;
  name: string;
  worth: number;
}

/** How scores are written. */
export interface ScoreStyle {
  digits: number;
  unit: string;
  /** Whether moves of both players count as one. */
  full_moves: boolean;
}

/** What an option is, beyond its values: a word, or what a unit of it costs. */
export type Attribute = string | { memory: { bytes: number } } | { deaf: { nanoseconds: number } };

export interface OptionInfo {
  name: string;
  kind: "bool" | "int" | "float" | "text" | "file" | "choice";
  default: unknown;
  min?: number | null;
  max?: number | null;
  choices?: string[] | null;
  help: string;
  /** The title of the options that it stands among. */
  group?: string;
  attributes?: Attribute[];
  value?: unknown;
}

export interface SearchInfo {
  name: string;
  /** What it is called for people who know no searches by name. */
  title: string;
  /** Whether it is there to be studied or compared. */
  for_experts: boolean;
  summary: string;
  usual?: boolean;
  /** Whether there is a tree to watch. */
  shows_tree?: boolean;
  counts_playouts?: boolean;
  options: OptionInfo[];
}

/** A network that the server has found, and the engine that searches with it. */
export interface NetworkInfo {
  name: string;
  search: string;
  options: Record<string, string>;
}

/** What a network alone says of a position, for the player to move. */
export interface Opinion {
  /** The file, and what runs it. */
  network: string;
  /** The chances to win, to draw and to lose. */
  wdl: [number, number, number];
  /** In hundredths of the game's unit. */
  score: number;
  /** How many plies the game will still last. */
  moves_left?: number;
  /** By how much the game will be won. */
  margin?: number;
  /** The legal moves, best first. */
  policy: PolicyMove[];
  /** Whose the cells will be: from -1 for the opponent to 1. */
  ownership?: { cell: string; value: number }[];
}

export interface PolicyMove {
  move: string;
  text: string;
  probability: number;
  from: string | null;
  to: string | null;
}

/** A run in which a network learns a game. */
export interface RunSummary {
  name: string;
  game: string;
  /** What people call the game. */
  label: string;
  /** The newest generation whose network is there. */
  generation: number | null;
  /** Another number whenever there are more of its newest games. */
  games_bytes: number;
  /** Seconds since something was added to it. */
  quiet_seconds: number | null;
}

/** Figures as a run has written them: whatever it knows by then. */
export type Figures = Record<string, unknown>;

export interface Run extends RunSummary {
  version: string;
  settings: Record<string, string>;
  /** Whose networks are there. */
  generations: number[];
  /** Whose games are there. */
  played: number[];
  metrics: Figures[];
  ratings: Figures[];
}

/** A game of self-play. */
export interface RunGame {
  number: number;
  moves: string[];
  winner: Player | null;
  margin: number;
}

export interface Limit {
  nodes?: number;
  seconds?: number;
  depth?: number;
  infinite?: boolean;
}

/** How strong a level is: in Elo, or in points over the weakest level of its game. */
export interface Rating {
  value: number;
  error: number;
  scale: "elo" | "points";
}

export interface Level {
  level: number;
  name: string;
  rating?: Rating;
  search: string;
  options?: Record<string, unknown>;
  limit?: Limit;
}

export interface PlayedMove {
  player: Player;
  move: string;
  text: string;
}

export interface LegalMove {
  move: string;
  text: string;
  from: string | null;
  to: string | null;
  promotion: string | null;
  /** Other cells that mean the same move. */
  also: string[];
}

export interface Piece {
  cell: string;
  player: Player;
  kind: string;
}

export interface Outcome {
  winner: Player | null;
  text: string;
}

export interface Threats {
  windows: string[][];
  blocks: string[];
  count: number;
}

/** An opening's name, and its place in the classification of its game. */
export interface Opening {
  name: string;
  code: string | null;
}

export interface Position {
  game: string;
  /** What people call the game. */
  label: string;
  start: string | null;
  moves: PlayedMove[];
  position: string;
  to_move: Player;
  players: [string, string];
  /** The tags of game files that hold the names of the players. */
  player_tags: [string, string];
  stones_left: number | null;
  family: Family;
  columns: number;
  rows: number;
  /** Whether rows are counted from the top. */
  top_down: boolean;
  pieces: Piece[];
  legal: LegalMove[];
  last: string[];
  check: string | null;
  outcome: Outcome | null;
  threats: Threats | null;
  /** The rows that have won the game, each from one end to the other. */
  winning: string[][];
  opening: Opening | null;
  style: Style;
  /** How steeply a score becomes a winning chance, per hundredth of the game's unit. */
  steepness: number;
  faults: Faults;
  /** Whether wins by force can be asked for. */
  proves_wins: boolean;
}

/** From which loss on a move is called what: shares of the winning chance, or pieces where games end by counting. */
export type Faults = Record<Fault, number> & {
  /** What a piece less counts; null where losses are chances. */
  piece: number | null;
};

/** A position that is put together by hand. */
export interface Draft {
  pieces: Piece[];
  to_move: Player;
  stones_left: number | null;
  /** What was chosen, by name. */
  switches: Record<string, boolean>;
}

/** Its text, and what else there is to choose. */
export interface Composed {
  position: string;
  choices: { title: string; switches: { name: string; on: boolean; enabled: boolean }[] } | null;
}

/** What identifies a position: a game, where it began and what was played. */
export interface Line {
  game: string;
  start: string | null;
  moves: string[];
}

/** A value; each names what it is. Values stand in the view of the player who moves in the searched position. */
export type Score =
  | { centi: number }
  | { win_in: number }
  | { loss_in: number }
  | { margin: number }
  | { expected: number };

export interface ReportLine {
  score: Score;
  bound?: "lower" | "upper" | "at_least" | "at_most" | string;
  visits?: number;
  nodes?: number;
  prior?: number;
  q?: number;
  u?: number;
  wdl?: [number, number, number];
  moves: string[];
  moves_plain?: string[];
}

export interface Report {
  depth: number;
  selective_depth: number;
  seconds: number;
  nodes_per_second: number;
  nodes: number;
  table_permille?: number;
  lines: ReportLine[];
  best_move?: string;
  stopped?: string;
}

export interface Clock {
  /** Milliseconds: at the start, added after a turn, and left. */
  base: number;
  increment: number;
  left: [number, number];
  running: Player | null;
}

export interface EngineSetup {
  level?: number | null;
  name?: string;
  /** A program in the place of a search. */
  program?: { id: string; name?: string };
  search?: string;
  options?: Record<string, unknown>;
  limit?: Limit;
}

export interface Game {
  id: string;
  created: string | number;
  version: number;
  human: Player | null;
  engines: (EngineSetup | null)[] | null;
  clock: Clock | null;
  thinking: boolean;
  paused?: boolean;
  /** How many of the moves were there when the game began. */
  given: number;
  position: Position;
  offer: null | "draw" | string;
  /** Why the engine did not take it. */
  declined: string | null;
  result: (Outcome & { on_time?: boolean }) | null;
}

export interface GameSummary {
  id: string;
  game: string;
  /** What people call the game. */
  label: string;
  created: string | number;
  moves: number;
  /** Where it began, and what was played. */
  start: string | null;
  line: string[];
  /** What the engines are called, by player; null for the person. */
  opponents: [string | null, string | null];
  outcome: Outcome | string | null;
  human: Player | null;
  paused: boolean;
}

/** What can be done in a game besides moves. */
export type GameAction = "takeback" | "resign" | "draw" | "pause" | "resume";

export interface NewGame {
  game: string;
  start?: string | null;
  /** Moves that were played before the game begins. */
  moves?: string[];
  human: Player | null;
  levels?: (number | null)[];
  engines?: (EngineSetup | null)[];
  clock: { seconds: number; increment: number } | null;
}

export interface Imported {
  game: string;
  start: string | null;
  moves: string[];
  /** How many games the file has. */
  count: number;
  /** What its first games are called, if there are several. */
  titles: string[];
  tags: Record<string, string>;
  comment: string;
  tree: ToldMove[];
  result: GameResult | null;
}

/** A move of a tree, which is told as a list: each line to its end before the next one begins, the main line first. */
export interface ToldMove {
  /** The number of the move that it follows, from 1; 0 for a first move. */
  after: number;
  move: string;
  text: string;
  player: Player;
  comment: string;
  /** Numeric annotation glyphs: 1 for !, 2 for ? and so on. */
  marks: number[];
}

export interface GameResult {
  winner: Player | null;
  margin?: number;
}

/** What goes into a game file. */
export interface Exported {
  game: string;
  start: string | null;
  tags: Record<string, string>;
  comment: string;
  tree: Omit<ToldMove, "text" | "player">[];
  result: GameResult | null;
  review?: Review | null;
  /** The review as a table, in the place of the game. */
  table?: boolean;
}

/** How a turn that gave something away is called. */
export type Fault = "inaccuracy" | "mistake" | "blunder";

/** A reviewed game, or as much of it as has been reviewed. */
export interface Review {
  /** What losses are counted in, where they are no chances. */
  unit: string;
  moves: string[];
  /** What the position after so many moves is worth, where it is known. */
  values: (ReviewValue | null)[];
  turns: ReviewedTurn[];
  sides: [ReviewedSide, ReviewedSide];
}

/** What a position is worth, as the first player sees it. */
export interface ReviewValue {
  score: Score;
  chance: number;
  wdl?: [number, number, number];
  eval: string;
}

export interface ReviewedTurn {
  /** How many moves were played before the turn, and how many up to its end. */
  from: number;
  to: number;
  player: Player;
  /** As lists of moves have it: `12.` or `12…`. */
  number: string;
  played: string[];
  phase: string | null;
  forced: boolean;
  loss: number;
  units: number | null;
  mark: Fault | null;
  /** What was given away, and what would have been best. */
  words: string | null;
  advice: string | null;
  best: MoveLine;
  reply: MoveLine;
}

/** Moves that follow each other, as people write them and as programs exchange them. */
export interface MoveLine {
  text: string[];
  plain: string[];
}

export interface ReviewedSide {
  /** The mean accuracy, in hundredths. */
  accuracy: number | null;
  phases: { phase: string; accuracy: number; turns: number }[];
  /** How many inaccuracies, mistakes and blunders. */
  marks: [number, number, number];
}

export interface Solution {
  result: "win" | "none" | "cut";
  line: string[][];
  turns: number;
  nodes: number;
}

export interface ExplainedNode {
  played: string;
  to_move: string;
  children: number[];
  window?: [Score | null, Score | null];
  value: Score;
  bound: "exact" | "at_most" | "at_least";
  leaf?: "game over" | "evaluated";
  pruned?: string[];
}

export interface Explanation {
  nodes: ExplainedNode[];
  counters: { nodes: number; leaves: number; [name: string]: unknown };
}

/** A Monte Carlo search, simulation by simulation; values are mean results from -1 to 1, each for who makes the move. */
export interface Simulations {
  to_move: string;
  /** The constant of the bounds; missing in a search without bounds. */
  exploration?: number;
  simulations: Simulation[];
  /** Every root move in the end, best first. */
  lines: { moves: string[]; visits: number; value?: number }[];
}

export interface Simulation {
  choices: SimulationChoice[];
  /** Empty if the choices have ended the game. */
  random_game: string[];
  result: string;
  /** What the result made of each chosen move. */
  backed_up: { reward: number; visits: number; value: number }[];
}

export interface SimulationChoice {
  by: string;
  /** Simulations that had come through the position before. */
  visits: number;
  candidates: SimulationCandidate[];
  /** An index into the candidates. */
  chosen: number;
}

export interface SimulationCandidate {
  move: string;
  visits: number;
  /** Missing until it was tried. */
  value?: number;
  bound?: number;
}

export interface StudySummary {
  id: string;
  title: string;
}
