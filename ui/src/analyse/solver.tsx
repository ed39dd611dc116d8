import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Report } from "../api/search";
import { type AnalyseRequest, analyse } from "../api/socket";
import type { Position } from "../api/types";
import type { Overlay } from "../boards/types";
import { bestOf, canSolve, type Endgame, emptySquares, lostBy, verdict, withReport } from "../lib/endgame";
import { signed } from "../lib/format";
import { asText, toTheEnd } from "../lib/options";
import { viewer } from "../lib/view";
import { announce, notifyError } from "../widgets/live";
import { optionValues, settings } from "./engine";
import { limitName, optionsName, remember } from "./memory";
import { lossOf } from "./overlay";
import { insert, line } from "./store";
import * as words from "./words";

/** The search that knows when it has seen every line to its end. */
const SEARCH = "pvs";
/** The option that expects the value near that of the last depth. */
const WINDOW = "aspiration";
/** Bytes of the table, if the server allows it: solving lives on what it remembers. */
const TABLE = 256 * 2 ** 20;
const BUDGET_SECONDS = 30;
const LONGER_SECONDS = 300;
/** First the best move alone, which is many times faster, then the values of all; no position has more moves. */
const STAGES = [1, 64];

interface Solving {
  position: string;
  budget: number;
  report: Report | null;
  /** Ends the search; what it has found so far stays. */
  stop: () => void;
}

/** What is known about endgames, by position. */
const endgames = signal<Map<string, Endgame>>(new Map());
/** The position that is being solved, and how far that has come. */
const running = signal<Solving | null>(null);

export function solvedFor(position: Position): Endgame | null {
  return endgames.value.get(position.position) ?? null;
}

/** Discs on the squares: the best moves stand out, all of them, and the others by what they give away. */
export function solvedOverlay(position: Position, endgame: Endgame): Overlay {
  const { faults } = position;
  const best = bestOf(endgame)?.discs ?? 0;
  const sign = viewer(position.to_move) === position.to_move ? 1 : -1;
  const values = endgame.flatMap(({ move, discs, exact }) => {
    const cell = position.legal.find((legal) => legal.move === move)?.to;
    if (!cell) return [];
    const text = `${exact ? "" : "~"}${signed(sign * discs, 0)}`;
    const isBest = exact && discs === best;
    const loss = lossOf(isBest ? 0 : 1, lostBy(best, discs, faults.piece ?? 0), faults);
    return [{ cell, text, rank: isBest ? 0 : 2, loss, estimate: !exact }];
  });
  return { values };
}

/** Gives up what is being solved: nobody looks at that position any more. */
export function abandonSolving(): void {
  running.value?.stop();
}

export function solveHere(position: Position, budget = BUDGET_SECONDS): void {
  if (!canSolve(position) || running.value) return;
  void solve(position, budget).catch(notifyError);
}

/** What the search is asked for, as far as the server lets it be set. */
async function request(position: Position): Promise<Omit<AnalyseRequest, "lines" | "limit">> {
  const base = line.value;
  const search = (await api.searches(position.game)).find((one) => one.name === SEARCH);
  const known = search?.options ?? [];
  // Without techniques that guess the search is sooner through with all lines.
  const options = asText(toTheEnd(known, TABLE));
  // The value leaps where the horizon meets the end of the game: around the last one it is not worth looking.
  if (known.some(({ name }) => name === WINDOW)) options[WINDOW] = "false";
  return { ...base, search: SEARCH, options };
}

async function solve(position: Position, budget: number): Promise<void> {
  let stopped = false;
  let stopStage = () => {};
  running.value = {
    position: position.position,
    budget,
    report: null,
    stop: () => {
      stopped = true;
      stopStage();
    },
  };
  try {
    const asked = await request(position);
    let left = budget;
    for (const lines of STAGES) {
      const limit = { seconds: left };
      const report = await new Promise<Report | null>((resolve, reject) => {
        let latest: Report | null = null;
        const stop = analyse(
          { ...asked, lines, limit },
          {
            report: (next) => {
              latest = next;
              if (running.value) running.value = { ...running.value, report: next };
            },
            done: () => resolve(latest),
            error: (message) => reject(new Error(message)),
          },
        );
        stopStage = () => {
          stop();
          resolve(latest);
        };
        if (stopped) stopStage();
      });
      if (report) take(position, report, limitName(limit));
      left -= report?.seconds ?? 0;
      if (stopped || report?.stopped !== "solved" || left <= 0) break;
    }
    if (!stopped) announce(verdict(position, solvedFor(position) ?? []).text);
  } finally {
    running.value = null;
  }
}

/** Keeps what a stage has found; what is certain is also what the engine knows of the position. */
function take(position: Position, found: Report, spent: string): void {
  const endgame = withReport(solvedFor(position) ?? [], found);
  endgames.value = new Map(endgames.value).set(position.position, endgame);
  if (found.stopped !== "solved") return;
  // What is certain depends neither on options nor on how many lines were asked for.
  const lines = Math.max(settings.value.lines, position.legal.length);
  const options = optionsName(optionValues.value);
  remember(position, { report: found, toMove: position.to_move, search: SEARCH, options, lines, spent });
}

/** Solves the rest of a game: the final difference of every move, and the line. */
export function SolverPanel({ position }: { position: Position }) {
  if (!canSolve(position)) return null;
  const endgame = solvedFor(position) ?? [];
  const solving = running.value;
  const complete =
    endgame.length > 0 && endgame.every((move) => move.exact) && endgame.length >= position.legal.length;
  return (
    <section class="card-box solver" aria-label={words.ENDGAME}>
      <div class="row">
        {solving ? (
          <button type="button" class="primary" onClick={solving.stop}>
            {words.STOP_SOLVING}
          </button>
        ) : (
          <button
            type="button"
            title={words.SOLVE_TITLE}
            disabled={complete}
            onClick={() => solveHere(position)}
          >
            {words.SOLVE}
          </button>
        )}
        <span class="faint">
          {words.canBeSolved(emptySquares(position), position.style.endgame_cells ?? 0)}
        </span>
      </div>
      {solving && <Work solving={solving} />}
      <Found position={position} endgame={endgame} />
      {endgame.length > 0 && !complete && !solving && (
        <div class="row small-buttons">
          <span>{words.ESTIMATES}</span>
          <button type="button" onClick={() => solveHere(position, LONGER_SECONDS)}>
            {words.SEARCH_LONGER}
          </button>
        </div>
      )}
    </section>
  );
}

function Work({ solving: { report, budget } }: { solving: Solving }) {
  return (
    <p class="engine-status">
      {report && <span>{words.depth(report.depth)}</span>}
      {report && <span>{words.nodes(report.nodes)}</span>}
      <span class="busy">{words.timeSpent(report?.seconds ?? 0, budget)}</span>
    </p>
  );
}

function Found({ position, endgame }: { position: Position; endgame: Endgame }) {
  const best = bestOf(endgame);
  if (!best) return null;
  return (
    <>
      <p>
        <strong data-exact={best.exact}>{verdict(position, endgame).text}</strong>
      </p>
      <p class="line-moves">{best.line.moves.join(" ")}</p>
      <p class="row small-buttons">
        <button
          type="button"
          onClick={() => void insert(line.value, best.line.moves_plain ?? best.line.moves)}
        >
          {words.INSERT}
        </button>
        <small class="faint">
          {words.numbersAre(position.style.scores.unit, position.players[viewer(position.to_move)])}
        </small>
      </p>
    </>
  );
}
