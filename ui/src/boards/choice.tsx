import { useLayoutEffect, useRef } from "preact/hooks";
import type { LegalMove, PieceKind, Player } from "../api/types";
import { type Shape, spotOf, strongestFirst } from "../lib/cells";
import { pieceName } from "../lib/format";
import { walkButtons } from "../widgets/walk";
import { PieceShape } from "./pieces";
import { PROMOTE, WHICH_MOVE } from "./words";

interface ChoiceProps {
  shape: Shape;
  moves: LegalMove[];
  player: Player;
  kinds: PieceKind[];
  onChoose: (move: LegalMove) => void;
  onClose: () => void;
}

/**
 * Asks at the square itself which of several moves between the same cells is meant: a promotion, or castling beside a king's step. The choices stand
 * in a column from that square to the middle of the board; a press anywhere else chooses none.
 */
export function Choice({ shape, moves, player, kinds, onChoose, onClose }: ChoiceProps) {
  const list = useRef<HTMLDivElement>(null);
  // The choice was opened to be made, so it has the focus, and the board has it again afterwards.
  useLayoutEffect(() => {
    const board = list.current?.closest<HTMLElement>(".board");
    list.current?.querySelector("button")?.focus();
    return () => board?.focus();
  }, []);
  const promotion = moves.every((move) => move.promotion);
  const sorted = strongestFirst(moves, kinds);
  const spot = spotOf(moves[0]!.to ?? "", shape) ?? { x: 0, y: 0 };
  const isUpper = spot.y < shape.rows / 2;
  const place = {
    left: `${(100 * spot.x) / shape.columns}%`,
    width: `${100 / shape.columns}%`,
    [isUpper ? "top" : "bottom"]: `${(100 * (isUpper ? spot.y : shape.rows - 1 - spot.y)) / shape.rows}%`,
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    // The board and the page have keys of their own.
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    else walkButtons(event);
  };
  // The board listens to presses as well: those on a choice are not its own.
  const keep = (event: Event) => event.stopPropagation();
  return (
    <div
      class="choice-ground"
      onPointerDown={(event) => {
        keep(event);
        if (event.target === event.currentTarget) onClose();
      }}
      onPointerUp={keep}
    >
      <div
        ref={list}
        class="choice"
        role="group"
        aria-label={promotion ? PROMOTE : WHICH_MOVE}
        style={place}
        onKeyDown={onKeyDown}
      >
        {sorted.map((move) => (
          <button
            key={move.move}
            type="button"
            aria-label={move.promotion ? pieceName(move.promotion, kinds) : undefined}
            onClick={() => onChoose(move)}
          >
            {move.promotion ? (
              <svg viewBox="0 0 100 100" aria-hidden="true">
                <PieceShape kind={move.promotion} player={player} />
              </svg>
            ) : (
              move.text
            )}
          </button>
        ))}
      </div>
    </div>
  );
}
