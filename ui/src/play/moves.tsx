import { useEffect, useRef } from "preact/hooks";
import type { PlayedMove } from "../api/types";
import { turnsOf } from "../lib/turns";
import { MOVES, NO_MOVES } from "./words";

/** The moves of a game in two columns, a turn in each cell. */
export function MoveList({ moves, paired, shown, onShow }: MoveListProps) {
  const list = useRef<HTMLDivElement>(null);
  // The list follows the move that is shown.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>(".current");
    const box = list.current;
    if (!box) return;
    // Down a column or along a row: on a phone the list is one row.
    box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
    box.scrollLeft = current ? current.offsetLeft - box.clientWidth / 2 : 0;
  }, [moves.length, shown]);
  const turns = turnsOf(moves.map((move, index) => ({ ...move, ply: index + 1 })));
  const rows: { number: number; turns: typeof turns }[] = [];
  turns.forEach((turn, index) => {
    const row = rows.at(-1);
    if (row && row.turns.length === 1 && turn[0]!.player !== row.turns[0]![0]!.player) row.turns.push(turn);
    else rows.push({ number: paired ? rows.length + 1 : index + 1, turns: [turn] });
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keys.
    <div class="move-list" ref={list} tabIndex={0} role="region" aria-label={MOVES}>
      {moves.length === 0 && <p class="faint">{NO_MOVES}</p>}
      <ol>
        {rows.map((row) => (
          <li key={row.number} class={row.turns[0]![0]!.player === 1 ? "second" : ""}>
            <span class="number">{row.number}</span>
            {row.turns.map((turn) => (
              <span class="turn" key={turn[0]!.ply}>
                {turn.map((move) => (
                  <button
                    key={move.ply}
                    type="button"
                    class={move.ply === shown ? "move current" : "move"}
                    aria-current={move.ply === shown ? "true" : undefined}
                    onClick={() => onShow(move.ply)}
                  >
                    {move.text}
                  </button>
                ))}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface MoveListProps {
  moves: PlayedMove[];
  /** Whether the moves of both players have one number, as in chess. */
  paired: boolean;
  /** How many moves are on the board that is shown. */
  shown: number;
  onShow: (ply: number) => void;
}
