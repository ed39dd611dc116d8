import type { Rating } from "../api/search";
import type { Premove } from "../lib/premove";

/** What the pages of playing say. */

export const LOADING_GAME = "Loading the game…";
export const GONE_TITLE = "This game is gone";
export const GONE = "It has been deleted, or the link belongs to another server.";
export const NEW_GAME = "New game";
export const gameTitle = (game: string) => `${game} game`;
export const YOUR_MOVE_TAB = "Your move · Outplay";

export const HINT = "Hint";
export const HINT_TITLE = "Show a good move (h)";
export const UNDO = "Undo";
export const UNDO_TITLE = "Take back your last move and the reply (u)";
export const UNDO_STONE_TITLE = "Take back the first stone (u)";
export const UNDO_END_TITLE = "Take back the resignation or the draw and play on (u)";
export const OFFER_DRAW = "Offer draw";
export const OFFER_DRAW_TITLE = "The engine accepts if it stands worse, or in a long game that is about even";
export const RESIGN = "Resign";
export const PAUSE = "Pause";
export const RESUME = "Resume";
export const ANALYSE = "Analyse";
export const REVIEW = "Review";
export const REVIEW_TITLE = "Find the mistakes of both players";
export const SHARE = "Share…";

export const QUESTIONS = {
  resign: { title: "Resign this game?", yes: "Resign" },
  draw: { title: "Offer a draw?", yes: "Offer a draw" },
};
export const PLAY_ON = "Play on";

export const WON = "You won";
export const LOST = "You lost";
export const DRAW = "Draw";
export const GAME_OVER = "Game over";
export const PLAY_AGAIN = "Play again";
export const PLAY_AGAIN_TITLE = "The same game with sides swapped";
export const playerWins = (player: number) => `Player ${player + 1} wins`;
export const EARLIER = "An earlier position";
export const TO_PRESENT = "Back to the game";
export const PAUSED = "Paused";
export const isThinking = (player: string) => `${player} is thinking`;
export const PREMOVE_OFFER = "Choose your next move already, if you like";
export const premoveWaits = (premoves: Premove[]) => `Premove: ${premoves.map(premoveText).join(", ")}`;
export const CANCEL = "Cancel";
export const NO_MOVE = "You have no move";
export const YOU_PASS = "You pass";
export const YOUR_MOVE = "Your move";
export const IN_CHECK = "You are in check";
export const youPlay = (player: string) => `You play ${player}`;
export const UNDO_FIRST_STONE = "Undo first stone";
export const THINKING = "thinking";

export const hasPassed = (player: string) => `${player} has no move and passes.`;
export const firstStone = (move: string) =>
  `First stone on ${move}. Choose the next, or Escape to take it back.`;
export const FIRST_UNDONE = "First stone taken back.";
export const declined = (reason: string | null) =>
  `The engine declines the draw${reason ? `: ${reason}` : ""}. You can offer again after your next move.`;
export const hint = (moves: string[]) => `Hint: ${moves.join(" and ")}`;
export const CHECK = "Check";
export const premoveText = ({ from, to }: Premove) => (from ? `${from}–${to}` : to);
export const premoveChosen = (premove: Premove) => `Premove ${premoveText(premove)}. Escape cancels it.`;
export const PREMOVE_DROPPED = "Premove cancelled.";
export const premoveRefused = (premove: Premove) =>
  `Your premove ${premoveText(premove)} is not legal now. Choose another move.`;

export const MOVES = "Moves";
export const NO_MOVES = "No moves yet.";
export const FIRST_POSITION = "First position";
export const PREVIOUS_MOVE = "Previous move";
export const NEXT_MOVE = "Next move";
export const LAST_POSITION = "Last position";
export const TYPE_MOVE = "Type a move";
export const TYPE_MOVE_TITLE = "Type a move, such as Nf3 or d6 (m)";
export const FLIP = "Flip the board";
export const FLIP_TITLE = "Flip the board (f)";

export const moreThan = (pieces: string, points: number) =>
  `Ahead by ${pieces}${points > 0 ? `, ${points === 1 ? "1 point" : `${points} points`}` : ""}`;

export const RECENT = "Recent games";
export const YOU = "You";
export const THE_ENGINE = "the engine";
export const against = (engine: string) => `Against ${engine}`;
export const between = (first: string, second: string) => `${first} against ${second}`;
export const thisGame = (game: string) => `this game of ${game}`;
export const IN_PROGRESS = "In progress";

export const LOADING = "Loading…";
export const GAME = "Game";
export const YOU_PLAY = "You play";
export const sideChoice = (player: string, isFirst: boolean) => `${player}, ${isFirst ? "first" : "second"}`;
export const RANDOM = "Random";
export const WATCH = "Watch engines";
export const OPPONENT = "Opponent";
export const CUSTOM = "Custom…";
export const SEARCH = "Search";
export const AMOUNT = "Amount";
export const BUDGET = "Budget for a move";
export const budgetOf = (player: string) => `${player}: budget`;
export const searchOf = (player: string) => `${player}: search and budget`;
export const NODES = "nodes";
export const PLAYOUTS = "playouts";
export const SECONDS = "seconds";
export const PLIES = "plies deep";
/** How strong a level is, beside its name; the weakest of a scale of our own is where it begins. */
export const rated = ({ value, scale }: Rating) =>
  scale === "elo" ? ` · ${value} Elo` : value > 0 ? ` · +${value}` : "";
/** How sure that is, and what it is measured against. */
export function aboutLevel(rating: Rating | undefined): string {
  if (!rating) return "Not rated against players of known strength.";
  const { value, error, scale } = rating;
  if (scale === "elo")
    return `Rated ${value} ± ${error} Elo against chess engines; servers have other scales.`;
  return value > 0
    ? `${value} ± ${error} points above the weakest rated level; 100 more win 64 games of 100.`
    : "The stronger levels are rated against this one.";
}
export const CLOCK = "Clock";
export const NO_CLOCK = "No clock";
export const clock = (minutes: number, seconds: number) =>
  `${minutes} ${minutes === 1 ? "minute" : "minutes"} + ${seconds} ${seconds === 1 ? "second" : "seconds"} per move`;
export const START = "Start";
export const FROM_POSITION = "From this position";
export const FROM_START = "Begin from the start instead";

export const VARIANT = "Variant";
export const RULES = "Rules";
export const STANDARD_RULES = "Standard rules";
export const START_POSITION = "Start position";
export const startNumber = (lots: number) => `Number from 0 to ${lots - 1}`;
export const startNumberLabel = (lots: number) => `Number of the start position, from 0 to ${lots - 1}`;
