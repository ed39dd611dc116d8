import type { Opinion } from "../api/search";
import type { LegalMove, Position } from "../api/types";
import { signed } from "../lib/format";
import { legalMove, percent } from "../lib/networks";
import { shownWdl, viewer } from "../lib/view";
import "../styles/networks.css";

const MOVES_SHOWN = 8;

interface OpinionProps {
  position: Position;
  opinion: Opinion;
  onMove: (move: LegalMove) => void;
}

/** What a network alone says of a position: chances, what else it tells, and the moves that it likes. */
export function OpinionFacts({ position, opinion, onMove }: OpinionProps) {
  const { scores } = position.style;
  const view = viewer(position.to_move);
  const sign = view === position.to_move ? 1 : -1;
  const { margin, moves_left } = opinion;
  const facts: [string, string][] = [];
  if (margin !== undefined)
    facts.push(["Expected margin", `${signed(sign * margin, 1)} ${scores.unit}`.trim()]);
  if (moves_left !== undefined) {
    const left = Math.max(0, scores.full_moves ? moves_left / 2 : moves_left);
    facts.push(["Moves left", `about ${Math.round(left)}`]);
  }
  return (
    <div class="opinion">
      <h3>Win / draw / loss for {position.players[view]}</h3>
      <WdlBar wdl={shownWdl(opinion.wdl, position.to_move)} player={position.players[view]} />
      {facts.length > 0 && (
        <dl class="row">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt> <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <h3>Policy</h3>
      <ol class="policy">
        {opinion.policy.slice(0, MOVES_SHOWN).map((move) => {
          const legal = legalMove(position, move);
          return (
            <li key={move.move} style={{ "--share": `${100 * move.probability}%` }}>
              <button
                type="button"
                class="move"
                disabled={!legal}
                aria-label={`Play ${move.text}`}
                onClick={() => legal && onMove(legal)}
              >
                {move.text}
              </button>
              <span>{percent(move.probability)}</span>
            </li>
          );
        })}
      </ol>
      {opinion.policy.length > MOVES_SHOWN && (
        <small class="faint">and {opinion.policy.length - MOVES_SHOWN} more moves</small>
      )}
    </div>
  );
}

/** Chances as three parts of a bar. */
function WdlBar({ wdl, player }: { wdl: [number, number, number]; player: string }) {
  const shares = wdl.map(percent);
  const words = `${player}: win ${shares[0]}, draw ${shares[1]}, loss ${shares[2]}`;
  return (
    <>
      <div class="wdl-bar" role="img" aria-label={words}>
        {(["wins", "draws", "losses"] as const).map((kind, place) => (
          <div key={kind} class={kind} style={{ flexGrow: wdl[place] }} />
        ))}
      </div>
      <p class="wdl-numbers" aria-hidden="true">
        {(["win", "draw", "loss"] as const).map((name, place) => (
          <span key={name}>
            {name} {shares[place]}
          </span>
        ))}
      </p>
    </>
  );
}
