import type { Fault } from "../api/review";
import type { LegalMove, Player, Position } from "../api/types";
import type { Shape, Spot } from "../lib/cells";
import type { Drawn } from "../lib/drawn";
import type { Premove } from "../lib/premove";

/** What a move gives away: nothing, for the best one; nothing that matters; or a fault. */
export type Loss = "best" | "fine" | Fault;

/** What is drawn over the pieces. */
export interface Overlay {
  /** Arrows between cells; rank 0 is the strongest. */
  arrows?: { from: string; to: string; rank: number; strength?: number; loss?: Loss }[];
  /** Shares of a whole on cells, shaded by their strength from 0 to 1. */
  shares?: { cell: string; strength: number; text: string }[];
  /** Whose cells will be, and how certain that is, from 0 to 1. */
  owners?: { cell: string; player: Player; strength: number }[];
  /** Short texts on cells, with a smaller one below; rank 0 is the best move. An estimate is not certain where others are. */
  values?: { cell: string; text: string; note?: string; rank: number; loss?: Loss; estimate?: boolean }[];
  /** What the opponent would do: a piece that moves, or stones in the order in which they are placed. */
  threats?: { from: string | null; to: string }[];
  /** Lines of cells in which a player threatens to win. */
  windows?: string[][];
  /** Cells in which a threat must be stopped. */
  blocks?: string[];
  /** Numbered stones of a line that is not played. */
  sequence?: { cell: string; label: string; player: Player }[];
  /** Cells of a move that is suggested. */
  hint?: string[];
}

/** Marks of a person that somebody keeps with the position. */
export interface KeptDrawing {
  marks: Drawn[];
  keep: (marks: Drawn[]) => void;
}

/** Moves that a person may choose while the opponent is to move. */
export interface Premoving {
  player: Player;
  moves: Premove[];
  onChoose: (move: Premove) => void;
  onCancel: () => void;
}

export interface BoardProps {
  position: Position;
  flipped?: boolean;
  /** Called with a legal move; without it the board can only be looked at. */
  onMove?: (move: LegalMove) => void;
  /** The cell of a stone that is chosen but not played yet. */
  provisional?: string | null;
  /** Escape was pressed; for taking a provisional stone back. */
  onCancel?: () => void;
  /** Without it nothing can be chosen while no move can be made. */
  premoving?: Premoving;
  overlay?: Overlay;
  /** Where the marks are kept that a person draws; without it they are gone with the next click. */
  drawing?: KeptDrawing;
  label?: string;
  /** Whether another position is on its way, in place of this one. */
  late?: boolean;
}

/** What a renderer of a board family gets. Everything is drawn in units of 100 a cell. */
export interface FaceProps {
  position: Position;
  shape: Shape;
  /** The piece that was chosen, and where it may go. */
  selected: string | null;
  targets: Target[];
  hover: Spot | null;
  provisional: string | null;
  playable: boolean;
  /** Where a piece is dragged to, in units of the picture. */
  drag: { cell: string; x: number; y: number } | null;
}

export interface Target {
  cell: string;
  capture: boolean;
}

/** The room around the cells, for coordinates. */
export interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const CELL = 100;

/** Boards this small are drawn as cells with crosses and rings instead of stones on lines. */
export const SMALL_BOARD = 4;

export function center(spot: Spot): { x: number; y: number } {
  return { x: spot.x * CELL + CELL / 2, y: spot.y * CELL + CELL / 2 };
}
