import { signal } from "@preact/signals";
import { api } from "../api/client";
import { analyse } from "../api/socket";
import type { Position, Report } from "../api/types";
import type { Overlay } from "../boards/types";
import { canSolve, type Endgame, emptySquares, endgameOf, MOST_EMPTY } from "../lib/endgame";
import { count, seconds, signed } from "../lib/format";
import { announce, notify, notifyError } from "../widgets/live";
import { settings } from "./engine";
import { limitName, remember } from "./memory";
import { insert, line } from "./store";

/** The search that knows when it has seen every line to its end. */
const SEARCH = "pvs";
const BUDGET_SECONDS = 30;
const LONGER_SECONDS = 300;
/** More lines than any position has moves: each is to have a value. */
const ALL_LINES = 64;
/** Mebibytes of the table, if the server allows it: solving lives on what it remembers. */
const TABLE = 256;

/** What is known about endgames, by position. */
const endgames = signal<Map<string, { endgame: Endgame; report: Report }>>(new Map());
/** The position that is being solved, and how far that has come. */
const running = signal<{ position: string; budget: number; report: Report | null; stop: () => void } | null>(
  null,
);

export function solvedFor(position: Position): Endgame | null {
  return endgames.value.get(position.position)?.endgame ?? null;
}

/** Discs on the squares: the best moves stand out, all of them. */
export function solvedOverlay(position: Position, { moves, exact }: Endgame): Overlay {
  const best = moves[0]?.discs;
  const values = moves.flatMap(({ move, discs }) => {
    const cell = position.legal.find((legal) => legal.move === move)?.to;
    if (!cell) return [];
    return [{ cell, text: signed(discs, 0), rank: discs === best ? 0 : 2, estimate: !exact }];
  });
  return { values };
}

export function solveHere(position: Position, budget = BUDGET_SECONDS): void {
  if (!canSolve(position) || running.value) return;
  void solve(position, budget).catch(notifyError);
}

async function solve(position: Position, budget: number): Promise<void> {
  const base = line.value;
  const search = (await api.searches(position.game)).find((one) => one.name === SEARCH);
  const most = search?.options.find((option) => option.name === "hash")?.max ?? 0;
  const options = most > 0 ? { hash: String(Math.min(TABLE, most)) } : {};
  const limit = { seconds: budget };
  let latest: Report | null = null;
  const end = () => {
    running.value = null;
    if (!latest || latest.lines.length === 0) return;
    const endgame = endgameOf(latest);
    endgames.value = new Map(endgames.value).set(position.position, { endgame, report: latest });
    announce(verdict(position, endgame));
    if (!endgame.exact) return;
    const { lines } = settings.value;
    const report = { ...latest, lines: latest.lines.slice(0, lines) };
    const spent = limitName(limit);
    remember(position, { report, toMove: position.to_move, search: SEARCH, lines, spent });
  };
  const stopSearch = analyse(
    { ...base, search: SEARCH, options, lines: ALL_LINES, limit },
    {
      report: (report) => {
        latest = report;
        if (running.value) running.value = { ...running.value, report };
      },
      done: end,
      error: (message) => {
        running.value = null;
        notify(message, "error");
      },
    },
  );
  const stop = () => {
    stopSearch();
    end();
  };
  running.value = { position: position.position, budget, report: null, stop };
}

/** How the game ends with best play, in words. */
function verdict(position: Position, { moves, exact }: Endgame): string {
  const [best] = moves;
  if (!best) return "Nothing found.";
  const winner = position.players[best.discs > 0 ? position.to_move : 1 - position.to_move];
  const discs = Math.abs(best.discs);
  const result = discs === 0 ? "a draw" : `${winner} wins by ${discs}`;
  return exact ? `With best play: ${result}` : `Not solved yet. It looks like ${result}`;
}

/** Solves the rest of an Othello game: the final disc difference of every move, and the line. */
export function SolverPanel({ position }: { position: Position }) {
  if (!canSolve(position)) return null;
  const known = endgames.value.get(position.position);
  const now = running.value;
  const here = now?.position === position.position;
  return (
    <section class="card-box solver" aria-label="Endgame">
      <div class="row">
        {here ? (
          <button type="button" class="primary" onClick={now.stop}>
            Stop solving
          </button>
        ) : (
          <button
            type="button"
            title="Solve the endgame (s)"
            disabled={now !== null || known?.endgame.exact === true}
            onClick={() => solveHere(position)}
          >
            Solve the endgame
          </button>
        )}
        <span class="faint">
          {emptySquares(position)} empty, {MOST_EMPTY} at most
        </span>
      </div>
      {here && (
        <p class="engine-status">
          {now.report ? <Work report={now.report} /> : "Beginning"}
          <span class="busy">up to {seconds(now.budget)}</span>
        </p>
      )}
      {known && !here && <Found position={position} {...known} />}
    </section>
  );
}

function Work({ report }: { report: Report }) {
  return (
    <>
      <span>depth {report.depth}</span>
      <span>{count(report.nodes)} nodes</span>
      <span>{seconds(report.seconds)}</span>
    </>
  );
}

function Found({ position, endgame, report }: { position: Position; endgame: Endgame; report: Report }) {
  const [best] = endgame.moves;
  if (!best) return null;
  const moves = best.line.moves_plain ?? best.line.moves;
  return (
    <>
      <p>
        <strong>{verdict(position, endgame)}</strong>
      </p>
      {!endgame.exact && (
        <p class="row">
          <span>The budget ended the search; the values are estimates.</span>
          <button type="button" onClick={() => solveHere(position, LONGER_SECONDS)}>
            Search longer
          </button>
        </p>
      )}
      <p class="line-moves">{best.line.moves.join(" ")}</p>
      <p class="engine-status">
        <Work report={report} />
        <span class="faint">values in discs for {position.players[position.to_move]}</span>
      </p>
      <div class="row small-buttons">
        <button type="button" onClick={() => void insert(line.value, moves)}>
          Insert line
        </button>
      </div>
    </>
  );
}
