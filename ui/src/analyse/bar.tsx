import type { Report } from "../api/search";
import type { Position } from "../api/types";
import { firstPlayersChance } from "../lib/chance";
import { cellText } from "../lib/format";
import { shownScore } from "../lib/view";
import { values } from "./review";
import { ply } from "./store";

/** The evaluation bar: how likely each side is to win, with the value in the view that all values take. */
export function Bar({
  position,
  report,
  flipped,
}: {
  position: Position;
  report: Report | null;
  flipped: boolean;
}) {
  const best = report?.lines[0];
  const { outcome, family } = position;
  const style = position.style.scores;
  const over = outcome && (outcome.winner === null ? 0.5 : 1 - outcome.winner);
  const analysed = best && firstPlayersChance(best, position.to_move, position.steepness);
  const first = over ?? analysed ?? values.value[ply.value]?.chance ?? 0.5;
  const percent = Math.round(100 * first);
  const text = best && !outcome ? short(cellText(shownScore(best.score, position.to_move), style)) : "";
  const label = `${position.players[0]} ${percent} percent`;
  const kind = `eval-bar ${family} ${flipped ? "flipped" : ""}`;
  return (
    <div
      class={kind}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div class="first" style={{ flexBasis: `${percent}%` }} />
      <span class={first >= 0.5 ? "on-first" : "on-second"}>{text}</span>
    </div>
  );
}

/** A bar is narrow: one digit is enough there. */
function short(text: string): string {
  const [, sign, size] = /^([+−]?)(\d+\.\d\d)$/.exec(text) ?? [];
  if (!size) return text;
  const rounded = Number(size).toFixed(1);
  return rounded === "0.0" ? rounded : sign + rounded;
}
