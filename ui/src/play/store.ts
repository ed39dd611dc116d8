import { computed, signal } from "@preact/signals";
import { ApiError, api } from "../api/client";
import { connected, watch } from "../api/socket";
import type { Game, GameAction, LegalMove, Outcome, Position } from "../api/types";
import { beginsTurn, mustPass, type Provisional, withProvisional } from "../lib/turns";
import { announce, notify, notifyError } from "../widgets/live";
import { sound } from "../widgets/sound";

const PASS_SHOWN_MS = 1200;

/** One game against the engine: what the server says of it, and what the player has begun but not sent. */
export function openGame(id: string) {
  const game = signal<Game | null>(null);
  const missing = signal(false);
  const first = signal<Provisional>(null);
  const hint = signal<string[]>([]);
  const receivedAt = signal(0);
  let sending: { until: number } | null = null;
  let unwatch = () => {};

  const take = (next: Game) => {
    const before = game.value;
    if (before && next.version < before.version) return;
    game.value = next;
    receivedAt.value = performance.now();
    if (before?.version !== next.version) {
      first.value = null;
      hint.value = [];
      say(before, next);
      passIfForced(next);
    }
  };

  /** Does something on the server and takes the game that comes back; a stale version brings the current game. */
  const ask = async (request: () => Promise<Game>): Promise<boolean> => {
    try {
      take(await request());
      return true;
    } catch (error) {
      const current = error instanceof ApiError && error.status === 409 ? gameIn(error.body) : null;
      if (current) take(current);
      notifyError(error);
      return false;
    }
  };

  /** Whether moves are on their way that the game does not have yet. The answer to the last one may come later than the game itself. */
  const isSending = () => sending !== null && (game.value?.version ?? 0) < sending.until;

  const send = async (moves: LegalMove[]) => {
    if (!game.value || isSending()) return;
    const mine = { until: game.value.version + moves.length };
    sending = mine;
    for (const move of moves) {
      const sent = game.value;
      if (!sent || !(await ask(() => api.play(id, move.move, sent.version)))) break;
    }
    if (sending === mine) sending = null;
  };

  const passIfForced = (now: Game) => {
    const { position } = now;
    if (now.result || position.to_move !== now.human || !mustPass(position)) return;
    notify(`${position.players[position.to_move]} has no move and passes`);
    setTimeout(() => {
      if (game.value?.version === now.version) void send(position.legal);
    }, PASS_SHOWN_MS);
  };

  return {
    game,
    missing,
    first,
    hint,
    receivedAt,
    /** The board with the stone that is not sent yet. */
    shown: computed<Position | null>(() => game.value && withProvisional(game.value.position, first.value)),
    myTurn: computed(() => {
      const now = game.value;
      return now !== null && !now.result && now.human !== null && now.position.to_move === now.human;
    }),
    async load() {
      try {
        take(await api.game(id));
        const endWatch = watch(id, take);
        // What was missed while the connection was lost is asked for when it is back.
        let was = connected.peek();
        const endAgain = connected.subscribe((now) => {
          if (now && !was) api.game(id).then(take, notifyError);
          was = now;
        });
        unwatch = () => {
          endWatch();
          endAgain();
        };
      } catch (error) {
        missing.value = error instanceof ApiError && error.status === 404;
        notifyError(error);
      }
    },
    close: () => unwatch(),
    async play(move: LegalMove) {
      const now = game.value;
      if (!now || isSending()) return;
      const begun = first.value;
      if (begun) {
        await send([begun, move]);
        return;
      }
      if (!beginsTurn(now.position)) {
        await send([move]);
        return;
      }
      first.value = move;
      announce(`First stone on ${move.text}. Choose the second, or Escape to take it back.`);
      // A stone that ends the game is the whole turn.
      const { game: name, start, moves } = now.position;
      const line = { game: name, start, moves: [...moves.map((played) => played.move), move.move] };
      const after = await api.position(line).catch(() => null);
      if (after?.outcome && first.value === move) await send([move]);
    },
    undoFirst() {
      if (!first.value) return;
      first.value = null;
      announce("First stone undone.");
    },
    act(action: GameAction) {
      const now = game.value;
      if (!now) return;
      // These mean the same whatever was played meanwhile.
      const anyTime = action === "pause" || action === "resume" || action === "resign";
      void ask(() => api.act(id, action, anyTime ? undefined : now.version)).then((done) => {
        const after = game.value;
        if (done && action === "draw" && after && !after.result) {
          notify("The engine declines the draw.");
        }
      });
    },
    async askHint() {
      const asked = game.value?.version;
      try {
        const { moves } = await api.hint(id);
        // Whoever has moved meanwhile is not helped any more.
        if (game.value?.version !== asked) return;
        const legal = game.value?.position.legal ?? [];
        hint.value = moves
          .flatMap((best) => legal.filter((one) => one.move === best.move))
          .flatMap((move) => [move.from, move.to])
          .filter((cell): cell is string => Boolean(cell));
        notify(`Hint: ${moves.map((best) => best.text).join(" and ")}`);
      } catch (error) {
        notifyError(error);
      }
    },
  };
}

export type GameStore = ReturnType<typeof openGame>;

/** A refusal for a stale version carries the game, by itself or beside the error. */
function gameIn(body: unknown): Game | null {
  const found = (body as { game?: Game } | null)?.game ?? body;
  return found && typeof found === "object" && "position" in found ? (found as Game) : null;
}

/** Says the moves that are new, and the result. */
function say(before: Game | null, now: Game): void {
  if (!before) return;
  const { moves, players } = now.position;
  const fresh = moves.slice(before.position.moves.length);
  const words = fresh.map((move) => `${players[move.player]} ${move.text}`);
  if (now.result && !before.result) words.push(resultText(now.result));
  if (words.length > 0) announce(words.join(". "));
  const last = fresh.at(-1);
  if (now.result && !before.result) sound("end");
  else if (last) sound(last.player === now.human ? "move" : "reply");
  const passed = fresh.find((move) => move.text === "pass" && move.player !== now.human);
  if (passed) notify(`${players[passed.player]} has no move and passes`);
}

export function resultText(result: Outcome): string {
  return result.text || (result.winner === null ? "Draw" : `Player ${result.winner + 1} wins`);
}
