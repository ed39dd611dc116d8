import { computed, effect, signal } from "@preact/signals";
import { api } from "../api/client";
import type { Report } from "../api/search";
import { analyse } from "../api/socket";
import type { Position } from "../api/types";
import type { Overlay } from "../boards/types";
import { scoreText } from "../lib/format";
import { asText } from "../lib/options";
import { mustPass } from "../lib/turns";
import { verdictOf } from "../lib/verdict";
import { shownScore } from "../lib/view";
import { announce } from "../widgets/live";
import { optionValues, search } from "./engine";
import { isShown, line, position } from "./store";

/** How long it is looked for. */
const SECONDS = 2;

/** Whether the board shows what the opponent would do if it were his turn. */
export const on = signal(false);

/** What the opponent would do: the position with him to move and what the engine says of it, or why there is none. */
interface Reply {
  about: Position;
  passed: Position | null;
  report: Report | null;
  trouble: string;
}

const found = signal<Reply | null>(null);

/** What is known for the position on the board. */
export const reply = computed(() => (found.value?.about === position.value ? found.value : null));

export function toggle(): void {
  on.value = !on.value;
}

/** Asks the engine what the opponent would do, for whatever position is on the board while that is wanted. Returns what ends that. */
export function runReply(): () => void {
  return effect(() => {
    const about = position.value;
    const info = search.value;
    if (!on.value || !about || !info || !isShown.value || about.outcome) return;
    const at = line.value;
    const options = asText(optionValues.value);
    let current = true;
    let stop = () => {};
    const tell = (part: Partial<Reply>) => {
      const before: Reply =
        found.peek()?.about === about ? found.peek()! : { about, passed: null, report: null, trouble: "" };
      if (current) found.value = { ...before, ...part };
    };
    const refuse = (message: string) => {
      tell({ trouble: message });
      if (current) announce(message);
    };
    api.passed(at).then(
      (passed) => {
        if (!current) return;
        tell({ passed, trouble: passed.outcome?.text ?? "" });
        if (passed.outcome) return;
        const request = {
          ...at,
          passed: true,
          search: info.name,
          options,
          lines: 1,
          limit: { seconds: SECONDS },
        };
        stop = analyse(request, {
          report: (report) => tell({ report }),
          done: () => announce(words(passed, found.peek()?.report ?? null)),
          error: refuse,
        });
      },
      (error: Error) => refuse(error.message),
    );
    return () => {
      current = false;
      stop();
    };
  });
}

/** The moves of the opponent's turn. */
function turnOf({ stones_left }: Position, moves: string[] | undefined): string[] {
  return moves?.slice(0, stones_left ?? 1) ?? [];
}

/** What the opponent would do, in words. */
export function words(passed: Position, report: Report | null): string {
  const [best] = report?.lines ?? [];
  if (!best) return "";
  const value = scoreText(shownScore(best.score, passed.to_move), passed.style.scores);
  const turn = turnOf(passed, best.moves).join(" ");
  if (mustPass(passed)) return `${passed.players[passed.to_move]} would have no move.`;
  const said = `${passed.players[passed.to_move]} would play ${turn}: ${verdictOf(best, passed)}`;
  // How the game ends says more than a number.
  return "centi" in best.score || "expected" in best.score ? `${said} (${value})` : said;
}

/** What the opponent would do, drawn. */
export function replyOverlay(): Overlay["threats"] {
  const { passed, report } = reply.value ?? {};
  const [best] = report?.lines ?? [];
  if (!on.value || !passed || !best) return undefined;
  return turnOf(passed, best.moves_plain ?? best.moves).flatMap((name) => {
    const move = passed.legal.find((legal) => legal.move === name);
    return move?.to ? [{ from: move.from, to: move.to }] : [];
  });
}
