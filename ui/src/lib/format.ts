import type { PieceKind, Score, ScoreStyle } from "../api/types";

const MINUS = "−";

/** A number with its sign, and a real minus. */
export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? MINUS : "+") + text;
}

/** An evaluation beyond this is a win whose distance nobody knows: 200 units less the plies to it. */
export const DECIDED = 19_000;

/** How scores are written until it is known of which game they are. */
export const PLAIN_SCORES: ScoreStyle = { digits: 2, unit: "", full_moves: false };

/** A score as lists have it. */
export function scoreText(score: Score, style: ScoreStyle): string {
  if ("win_in" in score) return style.full_moves ? `#${full(score.win_in)}` : `Win in ${score.win_in}`;
  if ("loss_in" in score) {
    return style.full_moves ? `#${MINUS}${full(score.loss_in)}` : `Loss in ${score.loss_in}`;
  }
  if ("margin" in score) return signed(score.margin, 0);
  if ("expected" in score) return `${Math.round(50 * (score.expected + 1))}%`;
  if (Math.abs(score.centi) >= DECIDED) return score.centi > 0 ? "won" : "lost";
  const units = score.centi / 100;
  return signed(units, style.digits);
}

/** The same, short enough for a cell. */
export function cellText(score: Score, style: ScoreStyle): string {
  return scoreText(score, style).replace(" in ", " ");
}

/** A score in words, for people who hear the page. */
export function scoreWords(score: Score, style: ScoreStyle): string {
  if ("win_in" in score) return `wins in ${distance(score.win_in, style)}`;
  if ("loss_in" in score) return `loses in ${distance(score.loss_in, style)}`;
  if ("margin" in score) return `ends with ${signed(score.margin, 0)}`;
  if ("expected" in score) return `${Math.round(50 * (score.expected + 1))} percent`;
  return `${scoreText(score, style)} ${style.unit}`.trim();
}

/** How far an end is away that so many plies lead to, as players of the game count. */
export function distance(plies: number, style: ScoreStyle): string {
  return several(style.full_moves ? full(plies) : plies, "move");
}

/** Plies as moves of both players. */
const full = (plies: number) => Math.ceil(plies / 2);

/** A number of things: 1 move, 2 moves. */
export function several(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** A whole number to its last digit, in groups of three. */
export function exact(value: number): string {
  return value.toLocaleString("en");
}

/** A large number as 950, 12.3k, 4.56M, 7.8G. */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const units = ["k", "M", "G", "T"];
  let scaled = value;
  let unit = -1;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  const digits = scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
  return `${scaled.toFixed(digits)}${units[unit]}`;
}

/** Time on a clock: 1:02:03, 4:05, and tenths below ten seconds. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}

/** Reasons come as names in a report (`only-move`) and as words in the message that ends a search. */
export function reasonText(reason: string): string {
  return reason.replaceAll("-", " ");
}

/** The name of a piece, for people who hear the page. */
export function pieceName(kind: string, kinds: PieceKind[]): string {
  return kinds.find((one) => one.kind === kind.toUpperCase() || one.kind === kind)?.name ?? kind;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
