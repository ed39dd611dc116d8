import type { Position, Report, Solution } from "../api/types";
import type { Overlay } from "../boards/types";
import { shownScore } from "../lib/chance";
import { scoreText } from "../lib/format";

/** What a report says about the moves, drawn: arrows where pieces move, values where stones are set. */
export function reportOverlay(position: Position, report: Report | null): Overlay {
  const arrows: NonNullable<Overlay["arrows"]> = [];
  const { scores } = position.style;
  const values: NonNullable<Overlay["values"]> = [];
  (report?.lines ?? []).forEach((line, rank) => {
    const name = line.moves_plain?.[0];
    const move =
      position.legal.find((legal) => legal.move === name) ??
      position.legal.find((legal) => legal.text === line.moves[0]);
    if (!move?.to) return;
    if (move.from) arrows.push({ from: move.from, to: move.to, rank });
    else
      values.push({
        cell: move.to,
        text: scoreText(shownScore(line.score, position.to_move, scores), scores),
        rank,
      });
  });
  return { arrows, values };
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
