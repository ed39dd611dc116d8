// Games against the toy engine, as the server keeps them.
import { describe, think } from "./engine.mjs";

export const games = new Map();
const listeners = [];
let counter = 0;

/** Calls back with every game that changes. */
export function onChange(listener) {
  listeners.push(listener);
}

export const LEVELS = ["Beginner", "Casual", "Club player", "Strong", "Master"].map((name, index) => ({
  level: index + 1,
  name,
  search: "pvs",
  options: {},
  limit: { nodes: 200 * 5 ** index },
}));

export class Refusal extends Error {
  constructor(status, code, message, extra) {
    super(message);
    Object.assign(this, { status, code, extra });
  }
}

function engineMove(game) {
  const { position } = game;
  const engine = position.to_move !== game.human;
  if (!engine || game.result || game.paused) return;
  game.thinking = true;
  setTimeout(() => {
    game.thinking = false;
    if (game.result || game.paused || !games.has(game.id)) return;
    const moves = game.position.moves.map((m) => m.move);
    const choices = think(game.position.game, game.position.start, moves, 3);
    const pick = choices[Math.floor(Math.random() * Math.min(choices.length, 1 + (moves.length % 2)))];
    advance(game, pick.moves_plain[0]);
  }, 150);
}

function advance(game, move) {
  const before = game.position;
  const moves = [...before.moves.map((m) => m.move), move];
  game.position = describe(before.game, before.start, moves).position;
  game.result = game.position.outcome;
  tick(game);
  changed(game);
  engineMove(game);
}

function tick(game) {
  if (!game.clock) return;
  const now = Date.now();
  if (game.clock.running !== null) game.clock.left[game.clock.running] -= now - game.since;
  game.since = now;
  game.clock.running = game.result ? null : game.position.to_move;
}

function changed(game) {
  game.version += 1;
  for (const listener of listeners) listener(shown(game));
}

export function shown({ since: _, ...game }) {
  return game;
}

export function newGame(body) {
  counter += 1;
  const engines = (body.levels ?? [null, null]).map((level) =>
    level ? { level, ...LEVELS[level - 1] } : null,
  );
  const game = {
    id: `g${counter}`,
    created: new Date().toISOString(),
    version: 1,
    human: body.human,
    engines,
    clock: body.clock ? { left: [body.clock.seconds * 1000, body.clock.seconds * 1000], running: 0 } : null,
    thinking: false,
    paused: false,
    position: describe(body.game, body.start, body.moves ?? []).position,
    offer: null,
    result: null,
    since: Date.now(),
  };
  games.set(game.id, game);
  engineMove(game);
  return shown(game);
}

export function act(game, action, body) {
  const other = game.human === null ? 0 : 1 - game.human;
  const { position } = game;
  if (action === "moves") {
    if (body.version !== game.version) throw new Refusal(409, "stale", "The game has moved on.", shown(game));
    if (game.result) throw new Refusal(409, "over", "The game is over.");
    advance(game, body.move);
  } else if (action === "takeback") {
    let moves = position.moves;
    // Back to the turn of the player before the last own move.
    while (moves.length && moves.at(-1).player !== game.human) moves = moves.slice(0, -1);
    while (moves.length && moves.at(-1).player === game.human) moves = moves.slice(0, -1);
    game.position = describe(
      position.game,
      position.start,
      moves.map((m) => m.move),
    ).position;
    game.result = null;
    changed(game);
  } else if (action === "resign") {
    game.result = {
      winner: other,
      text: `${position.players[other]} wins: ${position.players[1 - other]} resigned`,
    };
    tick(game);
    changed(game);
  } else if (action === "draw") {
    game.offer = null;
    if (position.moves.length > 20) game.result = { winner: null, text: "Draw by agreement" };
    changed(game);
  } else if (action === "hint") {
    const [best] = think(
      position.game,
      position.start,
      position.moves.map((m) => m.move),
      1,
    );
    return { move: best.moves_plain[0], text: best.moves[0] };
  } else if (action === "pause" || action === "resume") {
    game.paused = action === "pause";
    changed(game);
    engineMove(game);
  } else throw new Refusal(404, "unknown", "There is no such action.");
  return shown(game);
}
