import type { Family, LegalMove, PieceKind, Position } from "../api/types";

/** A cell by column and row of the picture, both from 0 at the upper left. */
export interface Spot {
  x: number;
  y: number;
}

/** The shape of a board as it is drawn. */
export interface Shape {
  family: Family;
  columns: number;
  rows: number;
  /** Whether rows are counted from the top. */
  top_down: boolean;
  flipped: boolean;
}

const LETTER_A = 97;

export function columnLetter(column: number): string {
  return String.fromCharCode(LETTER_A + column);
}

/** Where a cell is drawn, or null if the text names none. */
export function spotOf(cell: string, shape: Shape): Spot | null {
  const found = /^([a-z])(\d+)$/.exec(cell);
  if (!found) return null;
  const column = found[1]!.charCodeAt(0) - LETTER_A;
  const row = Number(found[2]) - 1;
  if (column >= shape.columns || row < 0 || row >= shape.rows) return null;
  const top = shape.top_down ? row : shape.rows - 1 - row;
  if (!shape.flipped) return { x: column, y: top };
  // A board with gravity is only mirrored: discs fall down for both players.
  const y = shape.family === "drop" ? top : shape.rows - 1 - top;
  return { x: shape.columns - 1 - column, y };
}

/** The name of the cell that is drawn at a spot. */
export function cellAt(spot: Spot, shape: Shape): string {
  const x = shape.flipped ? shape.columns - 1 - spot.x : spot.x;
  const turned = shape.flipped && shape.family !== "drop";
  const top = turned ? shape.rows - 1 - spot.y : spot.y;
  const row = shape.top_down ? top : shape.rows - 1 - top;
  return `${columnLetter(x)}${row + 1}`;
}

/** The column that a move of a dropping game uses. */
export function dropColumn(move: LegalMove): string {
  return (move.to ?? move.move).charAt(0);
}

/** The moves that choosing a cell may mean; where pieces move, `from` is the one that was chosen before. */
export function movesTo(
  { legal, family }: Pick<Position, "legal" | "family">,
  cell: string,
  from: string | null,
): LegalMove[] {
  if (family === "drop") return legal.filter((move) => dropColumn(move) === cell.charAt(0));
  const own = legal.filter((move) => (move.from ?? null) === from);
  const found = own.filter((move) => move.to === cell);
  return found.length > 0 ? found : own.filter((move) => move.also.includes(cell));
}

/** Moves that differ in what a pawn becomes, in the order of the game's kinds: the strongest first. */
export function strongestFirst(moves: LegalMove[], kinds: PieceKind[]): LegalMove[] {
  const order = ({ promotion }: LegalMove) =>
    kinds.findIndex(({ kind }) => kind.toLowerCase() === promotion?.toLowerCase());
  return [...moves].sort((a, b) => order(a) - order(b));
}
