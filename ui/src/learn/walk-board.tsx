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

/** The position where a line ends; null until the server has answered. */
export function usePosition({ game, start, moves }: Line): Position | null {
  const line = { game, start, moves };
  return useAnswer(JSON.stringify(line), () => api.position(line));
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
  const { game, start } = line;
  const here = usePosition({ game, start, moves: [...line.moves, ...moves] }) ?? root;
  return (
    <Board position={here} onMove={onMove && ((move) => onMove(move.move))} label="Position at this step" />
  );
}
