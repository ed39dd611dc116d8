import type { LegalMove, Player } from "../api/types";
import { pieceName } from "../lib/format";
import { Dialog } from "../widgets/dialog";
import { walkButtons } from "../widgets/walk";
import { ChessPiece } from "./pieces";

const STRONGEST_FIRST = ["q", "r", "b", "n"];

interface ChoiceProps {
  moves: LegalMove[];
  player: Player;
  onChoose: (move: LegalMove) => void;
  onClose: () => void;
}

/** Asks which of several moves between the same cells is meant: a promotion, or castling beside a king's step. */
export function Choice({ moves, player, onChoose, onClose }: ChoiceProps) {
  const promotion = moves.every((move) => move.promotion);
  const order = (move: LegalMove) => STRONGEST_FIRST.indexOf((move.promotion ?? "").toLowerCase());
  const sorted = [...moves].sort((a, b) => order(a) - order(b));
  return (
    <Dialog title={promotion ? "Promote to" : "Which move?"} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside have the focus, arrows go from one to the next. */}
      <div class="choice" onKeyDown={walkButtons}>
        {sorted.map((move, index) => (
          // The window was opened to choose, so the choice has the focus.
          <button key={move.move} type="button" autofocus={index === 0} onClick={() => onChoose(move)}>
            {move.promotion ? (
              <>
                <svg viewBox="0 0 100 100" aria-hidden="true">
                  <ChessPiece kind={move.promotion} player={player} />
                </svg>
                {pieceName(move.promotion, "chess")}
              </>
            ) : (
              move.text
            )}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
