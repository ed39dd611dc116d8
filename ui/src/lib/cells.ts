import type { Family, LegalMove, Position } from "../api/types";

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
  flipped: boolean;
}

const LETTER_A = 97;

/** Rows are numbered from below, except in Othello, where a1 is the upper left corner. */
function numberedFromTop(family: Family): boolean {
  return family === "othello";
}

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
  const top = numberedFromTop(shape.family) ? row : shape.rows - 1 - row;
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
  const row = numberedFromTop(shape.family) ? top : shape.rows - 1 - top;
  return `${columnLetter(x)}${row + 1}`;
}

/** The column that a move of a dropping game uses. */
export function dropColumn(move: LegalMove): string {
  return (move.to ?? move.move).charAt(0);
}

/** The moves that choosing a cell may mean; in chess `from` is the piece that was chosen before. */
export function movesTo(
  { legal, family, game, pieces }: Pick<Position, "legal" | "family" | "game" | "pieces">,
  cell: string,
  from: string | null,
): LegalMove[] {
  if (family === "drop") return legal.filter((move) => dropColumn(move) === cell.charAt(0));
  const found = legal.filter((move) => move.to === cell && (move.from ?? null) === from);
  // A king that is put onto its rook castles; in Chess960 the rook's cell is the move's own.
  const onRook = pieces.some((piece) => piece.cell === cell && piece.kind === "R");
  if (found.length > 0 || game !== "chess" || !from || !onRook) return found;
  const side = cell.charAt(0) > from.charAt(0) ? "O-O" : "O-O-O";
  return legal.filter((move) => move.from === from && move.text.replace(/[+#]$/, "") === side);
}
