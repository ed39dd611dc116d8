import { count, seconds, several } from "../lib/format";

/** What the analysis board says. */

export const LOADING = "Loading the board…";
export const analysisOf = (game: string) => `Analysis of ${game}`;
export const GAME = "Game";
export const OPEN = "Open…";
export const SET_UP = "Set up…";
export const SHARE = "Share…";
export const PLAY = "Play";
export const PLAY_TITLE = "Play from here";
export const EXPLAIN = "Explain";
export const EXPLAIN_TITLE = "Follow a textbook search step by step";
export const WATCH = "Watch";
export const WATCH_TITLE = "Watch the search";
export const boardLabel = (game: string) => `Analysis board, ${game}: arrow keys move, Enter chooses`;
export const FIRST_POSITION = "First position";
export const ONE_BACK = "One move back";
export const ONE_FORWARD = "One move forward";
export const LAST_POSITION = "Last position";
export const FLIP = "Flip the board";
export const toMove = (player: string) => `${player} to move`;
export const stonesLeft = (count: number) => ` · stones left in this turn: ${count}`;
export const mustPass = (player: string) => `${player} has no move: pass`;

export const ENGINE = "Engine";
export const START_STOP = "Start or stop the engine (a)";
export const ANALYSE = "Analyse";
export const STOP = "Stop";
export const isOver = (outcome: string) =>
  `The game is over. ${outcome}. Step back to analyse an earlier position.`;
export const SEARCHING = "Searching…";
export const place = (queued: number) => `place ${queued} in line`;
export const waits = (queued: number) => `Waiting: ${place(queued)}`;
export const NOT_YET = "Not analysed yet.";
export const forPlayer = (player: string) => `for ${player} ·`;
export const SETTINGS = "Settings";
export const LINES = "Lines";
export const lines = (number: number) => several(number, "line");
export const EVERYWHERE = "Values of all moves";
export const TIME = "Time for a position";
export const AMOUNT = "Amount";
export const BUDGET = "Budget";
export const SECONDS = "seconds";
export const NODES = "nodes";
export const PLIES = "plies deep";
export const UNTIL_STOPPED = "until stopped";
export const REMEMBERED_NOTE = "A position that has had its time is remembered and not searched again.";
export const depth = (full: number, selective = 0) =>
  `depth ${full}${selective > full ? `/${selective}` : ""}`;
export const nodes = (number: number) => `${count(number)} nodes`;
export const table = (permille: number) => `table ${Math.round(permille / 10)}%`;
export const IS_SEARCHING = "searching";
export const REMEMBERED = "remembered";
export const DONE = "done";

export const LINES_LABEL = "Lines of the engine";
const percent = (share: number) => `${Math.round(100 * share)}%`;
export const lost = (kind: string, drop: number) => `. ${kind}−${Math.round(100 * drop)} % winning chance`;
export const insertUpTo = (move: string) => `Insert up to ${move}`;
export const wdl = ([win, draw, loss]: [number, number, number]) =>
  `W ${percent(win)} D ${percent(draw)} L ${percent(loss)}`;
export const visits = (number: number) => ` · ${count(number)} visits`;
export const prior = (share: number) => ` · prior ${percent(share)}`;

export const MOVES = "Moves";
export const MOVE_TREE = "Move tree";
export const START = "Start";
export const COMMENT = "Comment on this position";
export const ERASE_DRAWN = "Erase arrows and rings";
export const MARK = "Mark this move";
export const MAKE_MAIN = "Make main line";
export const REMOVE = "Remove from here";

export const NO_MISTAKES = "No mistakes found.";
export const marked = (moves: number, byKeys: boolean) =>
  moves === 0
    ? NO_MISTAKES
    : `${several(moves, "move")} marked.${byKeys ? " Press n for the next one." : ""}`;

export const GRAPH = "Graph of the game";
export const graphOfUnits = (player: string, unit: string) => `${player}: ${unit} after each move`;
export const graphOfLosses = (unit: string) => `What either player has lost so far, in ${unit}`;
export const graphOfChances = (player: string) => `${player}: winning chance after each move`;
export const WDL = { wins: "Wins", draws: "draws", losses: "losses" };
export const ofPlayer = (player: string) => `of ${player}`;
export const LOST_SO_FAR = "Lost so far";
export const STACKED = "Wins, draws and losses";

export const THREATS = "Threats";
export const whatThreatens = (opponent: string) => `What does ${opponent} threaten?`;
export const replyTitle = (opponent: string) =>
  `Show what ${opponent} would do if it were ${opponent}'s turn (x)`;
export const noThreat = (opponent: string) => `${opponent} threatens no win with the next turn`;
export const unstoppable = (opponent: string) => `${opponent} threatens to win, and nothing stops it`;
export const threatens = (opponent: string, stones: number) =>
  `${opponent} threatens to win: ${several(stones, "stone")} to stop it`;
export const FIND_WIN = "Find a win by threats";
export const winIn = (turns: number, work: string) => `Win in ${several(turns, "turn")} (${work})`;
export const noWin = (work: string) => `No win by threats (${work})`;
export const undecided = (work: string) => `Not decided within ${work}`;
export const INSERT = "Insert line";

export const ENDGAME = "Endgame";
export const SOLVE = "Solve the endgame";
export const SOLVE_TITLE = "Solve the endgame (s)";
export const STOP_SOLVING = "Stop solving";
export const canBeSolved = (empty: number, most: number) =>
  `${several(empty, "empty square")}; up to ${most} can be solved`;
export const ESTIMATES = "Ended before all moves were certain; those with ~ are estimates.";
export const SEARCH_LONGER = "Search longer";
export const timeSpent = (spent: number, most: number) => `${seconds(spent)} of ${seconds(most)} at most`;
export const numbersAre = (unit: string, player: string) => `Numbers on the board: ${unit} for ${player}.`;

export const NETWORK = "Network";
export const aloneSays = (name: string) => `${name}, without a search`;
export const DRAW_LINES = "Lines of the engine";
export const DRAW_POLICY = "Policy of the network";
export const DRAW_OWNERS = "Who will own each square";
export const ON_BOARD = "On the board";
export const NOTHING_TO_SAY = "The game is over: there is nothing to say.";
export const ASKING = "Asking the network…";

export const EDITOR = "Set up a position";
export const EDITOR_BOARD = "Board to set up";
export const PIECES = "Pieces";
export const ERASE = "Erase";
export const CLEAR = "Clear";
export const START_POSITION = "Start position";
export const TO_MOVE = "To move";
export const STONES_LEFT = "Stones left in the turn";
export const ONE_STONE = "one stone";
export const TWO_STONES = "two stones";
export const USE_POSITION = "Use this position";
