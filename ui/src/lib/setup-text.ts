import type { Family, Piece, Player } from "../api/types";
import { cellAt, type Shape } from "./cells";

export interface SetupBoard {
  family: Family;
  columns: number;
  rows: number;
  pieces: Piece[];
  toMove: Player;
  /** Stones that the mover still places in this turn, for games that count them. */
  stonesLeft: number;
  /** What a FEN says after the side to move. */
  chessFields?: string;
}

/** A board that was set up by hand, in the words in which the server reads positions. Whether it is legal, it says. */
export function setupText(board: SetupBoard): string {
  const { family, columns, rows, toMove } = board;
  const shape: Shape = { family, columns, rows, flipped: false };
  const pieces = new Map(board.pieces.map((piece) => [piece.cell, piece]));
  const grid = Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => letter(pieces.get(cellAt({ x, y }, shape)), family)),
  );
  if (family === "othello") {
    const cells = grid.flat().map((sign) => sign || "-");
    return `${cells.join("")} ${toMove === 0 ? "X" : "O"}`;
  }
  const text = grid.map(shorten).join("/");
  if (family === "chess") return `${text} ${toMove === 0 ? "w" : "b"} ${board.chessFields ?? "- - 0 1"}`;
  const side = toMove === 0 ? "x" : "o";
  return family === "drop" ? `${text} ${side}` : `${text} ${side} ${board.stonesLeft}`;
}

function letter(piece: Piece | undefined, family: Family): string {
  if (!piece) return "";
  if (family === "chess") return piece.player === 0 ? piece.kind.toUpperCase() : piece.kind.toLowerCase();
  if (family === "othello") return piece.player === 0 ? "X" : "O";
  return piece.player === 0 ? "x" : "o";
}

/** Empty cells in a row become their number. */
function shorten(row: string[]): string {
  let text = "";
  let gap = 0;
  for (const sign of row) {
    if (sign) {
      text += (gap || "") + sign;
      gap = 0;
    } else gap += 1;
  }
  return text + (gap || "");
}

/** What a FEN says after the side to move. Where a board was changed, nobody has just moved; the game's length stays. */
export function chessFields(fen: string, castling: string, changed: boolean): string {
  const [, , , passant = "-", quiet = "0", number = "1"] = fen.split(" ");
  return changed ? `${castling} - 0 ${number}` : `${castling} ${passant} ${quiet} ${number}`;
}
