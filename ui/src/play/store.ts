import { computed, signal } from "@preact/signals";
import { ApiError, api } from "../api/client";
import { connected, watch } from "../api/socket";
import type { Game, GameAction, LegalMove, Outcome, Player, Position } from "../api/types";
import { type Premove, settled, withPremove } from "../lib/premove";
import { beginsTurn, mustPass, type Provisional, withProvisional } from "../lib/turns";
import { announce, notify, notifyError } from "../widgets/live";
import { sound } from "../widgets/sound";
import * as words from "./words";

const PASS_SHOWN_MS = 1200;

/** One game against the engine: what the server says of it, and what the player has begun but not sent. */
export function openGame(id: string) {
  const game = signal<Game | null>(null);
  const missing = signal(false);
  const first = signal<Provisional>(null);
  const hint = signal<string[]>([]);
  const premoves = signal<Premove[]>([]);
  const receivedAt = signal(0);
  /** How many moves the game had when premoves were looked at last: with fewer, something was taken back. */
  let heldAt = 0;
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
      void usePremoves(next);
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

  const play = async (move: LegalMove) => {
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
    announce(words.firstStone(move.text));
    // A stone that ends the game is the whole turn.
    const { game: name, start, moves } = now.position;
    const line = { game: name, start, moves: [...moves.map((played) => played.move), move.move] };
    const after = await api.position(line).catch(() => null);
    if (after?.outcome && first.value === move) await send([move]);
  };

  /** Plays what was chosen before it was the person's turn, as far as that is legal. */
  const usePremoves = async (now: Game) => {
    if (now.result || now.position.moves.length < heldAt) premoves.value = [];
    heldAt = now.position.moves.length;
    if (premoves.value.length === 0 || now.position.to_move !== now.human) return;
    const { moves, refused } = settled(now.position, premoves.value);
    premoves.value = [];
    for (const move of moves) await play(move);
    if (refused) notify(words.premoveRefused(refused));
  };

  const passIfForced = (now: Game) => {
    const { position } = now;
    if (now.result || position.to_move !== now.human || !mustPass(position)) return;
    notify(words.hasPassed(position.players[position.to_move]));
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
    premoves,
    play,
    premove(next: Premove) {
      const now = game.value;
      if (!now) return;
      premoves.value = withPremove(premoves.value, next, now.position);
      announce(words.premoveChosen(next));
    },
    dropPremoves() {
      if (premoves.value.length === 0) return;
      premoves.value = [];
      announce(words.PREMOVE_DROPPED);
    },
    undoFirst() {
      if (!first.value) return;
      first.value = null;
      announce(words.FIRST_UNDONE);
    },
    act(action: GameAction) {
      const now = game.value;
      if (!now) return;
      // These mean the same whatever was played meanwhile.
      const anyTime = action === "pause" || action === "resume" || action === "resign";
      void ask(() => api.act(id, action, anyTime ? undefined : now.version)).then((done) => {
        const after = game.value;
        if (done && action === "draw" && after && !after.result) {
          notify(words.declined(after.declined));
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
        notify(words.hint(moves.map((best) => best.text)));
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
  const spoken = fresh.map((move) => `${players[move.player]} ${move.text}`);
  if (now.result && !before.result) spoken.push(verdict(now.result, now.human), resultText(now.result));
  else if (now.position.check && fresh.length > 0) spoken.push(words.CHECK);
  if (spoken.length > 0) announce(spoken.filter(Boolean).join(". "));
  const last = fresh.at(-1);
  if (now.result && !before.result) sound("end");
  else if (last) sound(last.player === now.human ? "move" : "reply");
  const passed = fresh.find((move) => move.text === "pass" && move.player !== now.human);
  if (passed) notify(words.hasPassed(players[passed.player]));
}

export function resultText(result: Outcome): string {
  return result.text || (result.winner === null ? words.DRAW : words.playerWins(result.winner));
}

/** How a game went for the person; nothing if engines played it. */
export function verdict({ winner }: Outcome, human: Player | null): string {
  if (winner === null) return words.DRAW;
  if (human === null) return "";
  return winner === human ? words.WON : words.LOST;
}
