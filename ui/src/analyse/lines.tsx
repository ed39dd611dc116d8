import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Report, ReportLine } from "../api/search";
import type { Line, Position } from "../api/types";
import { capital, scoreText, scoreWords } from "../lib/format";
import { shownScore, shownWdl, viewer } from "../lib/view";
import { settings } from "./engine";
import { dropsOf, lossOf } from "./overlay";
import { insert, isShown, line } from "./store";
import * as said from "./words";

const pointedAt = signal<{ from: Line; moves: string[] } | null>(null);

/** Moves of an engine's line that are shown on the board while the pointer rests on them, and only as long as the board stands where they begin. */
export const preview = computed(() => {
  const shown = pointedAt.value;
  return shown?.from === line.value ? shown.moves : null;
});

const MOVES_SHOWN = 14;

interface LinesProps {
  position: Position;
  report: Report;
}

/** The engine's lines. Resting on a move shows the position after it; choosing it puts the line into the tree. */
export function Lines({ position, report }: LinesProps) {
  // A list that is gone is not left by the pointer any more.
  useEffect(() => clear, []);
  // While a move is pointed at, the lines stand still: a search that goes on would put another move under the pointer than the board shows.
  const held = useRef(report);
  if (preview.value === null) held.current = report;
  const { lines } = held.current;
  const drops = dropsOf(position, lines);
  return (
    <ol class="lines" aria-label={said.LINES_LABEL} onPointerLeave={() => clear()}>
      {lines.slice(0, settings.value.lines).map((one, rank) => (
        <EngineLine
          key={one.moves[0] ?? rank}
          position={position}
          one={one}
          rank={rank}
          drop={drops[rank] ?? 0}
        />
      ))}
    </ol>
  );
}

/** Shows the position on the board again. */
export function clear(): void {
  pointedAt.value = null;
}

interface LineProps {
  position: Position;
  one: ReportLine;
  rank: number;
  /** How much of the winning chance its first move gives away. */
  drop: number;
}

function EngineLine({ position, one, rank, drop }: LineProps) {
  const { to_move } = position;
  const style = position.style.scores;
  const score = shownScore(one.score, to_move);
  const wdl = one.wdl && shownWdl(one.wdl, to_move);
  const plain = one.moves_plain ?? one.moves;
  const turned = viewer(to_move) !== to_move;
  const least = one.bound === "lower" || one.bound === "at_least";
  const most = one.bound === "upper" || one.bound === "at_most";
  const sign = least ? (turned ? "≤" : "≥") : most ? (turned ? "≥" : "≤") : "";
  /** Whether a tap only shows: a finger cannot rest on a move, so its second tap inserts. */
  const shows = useRef(false);
  const loss = lossOf(rank, drop, position.faults);
  const kind = loss === "best" || loss === "fine" ? "" : `${capital(loss)}: `;
  const given = drop >= 0.005 ? said.lost(kind, drop) : "";
  const words = `${position.players[viewer(to_move)]}: ${scoreWords(score, style)}${given}`;
  return (
    <li class={loss}>
      <span class="score" title={words}>
        {sign}
        {scoreText(score, style)}
      </span>
      <span class="line-moves">
        {one.moves.slice(0, MOVES_SHOWN).map((text, index) => {
          const moves = plain.slice(0, index + 1);
          const show = () => {
            // Until the board has caught up, these are the lines of another position.
            if (isShown.value && preview.value?.join() !== moves.join())
              pointedAt.value = { from: line.value, moves };
          };
          return (
            <button
              // The same move may come twice in a line.
              key={index}
              type="button"
              class="move"
              aria-label={said.insertUpTo(text)}
              // Not what comes to lie under a pointer that rests: who has chosen a move wants to see where it led.
              onPointerMove={(event) => event.pointerType === "mouse" && show()}
              onPointerDown={({ pointerType }) => {
                shows.current = pointerType === "touch" && preview.value?.join() !== moves.join();
              }}
              onFocus={show}
              onBlur={clear}
              onClick={({ detail }) => {
                if (shows.current) {
                  shows.current = false;
                  show();
                  return;
                }
                clear();
                if (!isShown.value) return;
                const done = insert(line.value, moves);
                // The list is another one then; who came by keys goes on from the move that was reached.
                if (detail === 0) void done.then(focusCurrent);
              }}
            >
              {text}
            </button>
          );
        })}
        {one.moves.length > MOVES_SHOWN && <span class="faint"> …</span>}
      </span>
      {(one.visits !== undefined || wdl) && (
        <span class="line-facts faint">
          {wdl && said.wdl(wdl)}
          {one.visits !== undefined && said.visits(one.visits)}
          {one.prior !== undefined && said.prior(one.prior)}
        </span>
      )}
    </li>
  );
}

function focusCurrent(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".tree-moves .current")?.focus());
}
