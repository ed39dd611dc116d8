import type { Faults } from "../api/review";
import type { Report, ReportLine } from "../api/search";
import type { Solution } from "../api/textbook";
import type { Position, Score } from "../api/types";
import type { Loss, Overlay } from "../boards/types";
import { firstPlayersChance } from "../lib/chance";
import { cellText, count } from "../lib/format";
import { fault } from "../lib/review";
import { shownScore } from "../lib/view";

/** Beyond so many, arrows hide the board. */
const MOST_ARROWS = 5;

/** How much each line gives away against the best one, from 0 to 1, as reviews count it: of the winning chance, or pieces where those are counted in the end. */
export function dropsOf({ to_move, steepness, faults }: Position, lines: ReportLine[]): number[] {
  const worth = (line: ReportLine) => {
    const pieces = faults.piece === null ? null : inUnits(line.score);
    if (faults.piece !== null && pieces !== null) return faults.piece * pieces;
    const first = firstPlayersChance(line, to_move, steepness);
    return to_move === 0 ? first : 1 - first;
  };
  const own = lines.map(worth);
  // Where a search judges by other numbers than it chooses by, a move may look better than the best one.
  return own.map((value) => Math.max(0, (own[0] ?? value) - value));
}

/** A score in units of its game; null where it is a distance or a chance. */
function inUnits(score: Score): number | null {
  if ("centi" in score) return score.centi / 100;
  return "margin" in score ? score.margin : null;
}

/** Whether every move can have its value on a cell of its own: stones are set, and there are few cells. */
export function hasFewCells({ family, columns, rows }: Position): boolean {
  return family !== "squares" && columns * rows <= 64;
}

export function lossOf(rank: number, drop: number, faults: Faults): Loss {
  return rank === 0 ? "best" : (fault(drop, faults) ?? "fine");
}

/** What a report says about the moves, drawn: arrows where pieces move, values with the depth where stones are set. */
export function reportOverlay(position: Position, report: Report | null): Overlay {
  const arrows: NonNullable<Overlay["arrows"]> = [];
  const { scores } = position.style;
  const values: NonNullable<Overlay["values"]> = [];
  const lines = report?.lines ?? [];
  const drops = dropsOf(position, lines);
  const note = ({ visits }: ReportLine) => (visits === undefined ? `d ${report!.depth}` : count(visits));
  lines.forEach((line, rank) => {
    const name = line.moves_plain?.[0];
    const move =
      position.legal.find((legal) => legal.move === name) ??
      position.legal.find((legal) => legal.text === line.moves[0]);
    if (!move?.to) return;
    const loss = lossOf(rank, drops[rank]!, position.faults);
    if (move.from) arrows.push({ from: move.from, to: move.to, rank, loss });
    else {
      const text = cellText(shownScore(line.score, position.to_move), scores);
      values.push({ cell: move.to, text, note: hasFewCells(position) ? note(line) : undefined, rank, loss });
    }
  });
  return { arrows: arrows.slice(0, MOST_ARROWS), values };
}

/** The turns of a proof, numbered on the board; attacker and defender take turns. */
export function solutionOverlay(position: Position, solution: Solution | null): Overlay {
  if (solution?.result !== "win") return {};
  const attacker = position.to_move;
  return {
    sequence: solution.line.flatMap((cells, turn) =>
      cells.map((cell) => ({
        cell,
        label: String(turn + 1),
        player: turn % 2 === 0 ? attacker : attacker === 0 ? (1 as const) : (0 as const),
      })),
    ),
  };
}
