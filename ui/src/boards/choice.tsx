import type { LegalMove, PieceKind, Player } from "../api/types";
import { pieceName } from "../lib/format";
import { Dialog } from "../widgets/dialog";
import { walkButtons } from "../widgets/walk";
import { PieceShape } from "./pieces";

interface ChoiceProps {
  moves: LegalMove[];
  player: Player;
  kinds: PieceKind[];
  onChoose: (move: LegalMove) => void;
  onClose: () => void;
}

/** Asks which of several moves between the same cells is meant: a promotion, or castling beside a king's step. */
export function Choice({ moves, player, kinds, onChoose, onClose }: ChoiceProps) {
  const promotion = moves.every((move) => move.promotion);
  // The kinds of a game stand in their order: the strongest first.
  const order = ({ promotion }: LegalMove) =>
    kinds.findIndex(({ kind }) => kind.toLowerCase() === promotion?.toLowerCase());
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
                  <PieceShape kind={move.promotion} player={player} />
                </svg>
                {pieceName(move.promotion, kinds)}
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
