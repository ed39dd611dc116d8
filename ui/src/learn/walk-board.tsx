import { api } from "../api/client";
import type { Line, Position } from "../api/types";
import { Board } from "../boards/board";
import { useAnswer } from "../lib/use";

/** What every walk through a search is told. */
export interface WalkProps<Recorded> {
  recorded: Recorded;
  /** The position that was searched, and how it came about. */
  root: Position;
  line: Line;
  onMove: (move: string) => void;
  onUndo?: () => void;
}

interface WalkBoardProps {
  root: Position;
  line: Line;
  /** The moves from the root to what is shown. */
  moves: string[];
  /** Takes a move, where one can be played. */
  onMove?: (move: string) => void;
}

/** The board as it is at a step. */
export function WalkBoard({ root, line, moves, onMove }: WalkBoardProps) {
  const all = [...line.moves, ...moves];
  const here = useAnswer(JSON.stringify([line, all]), () => api.position({ ...line, moves: all })) ?? root;
  return (
    <Board position={here} onMove={onMove && ((move) => onMove(move.move))} label="Position at this step" />
  );
}
