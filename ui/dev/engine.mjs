// What the mock thinks: a shallow look at each move, with made-up depth, and a recorded alpha-beta for small games.
import { rulesOf } from "./rules.mjs";

/** A position as the server describes it. */
export function describe(game, start, moves) {
  const rules = rulesOf(game);
  let state = rules.start(start);
  const played = [];
  let last = [];
  for (const text of moves) {
    const wanted = text.trim();
    const move = rules.legal(state).find((m) => m.move === wanted || m.text === wanted);
    if (!move)
      throw Object.assign(new Error(`${wanted} is not a legal move here.`), { code: "illegal_move" });
    const player = rules.toMove(state);
    const touched = [move.from, move.to].filter(Boolean);
    last = played.at(-1)?.player === player ? [...last, ...touched] : touched;
    played.push({ player, move: move.move, text: move.text });
    state = rules.play(state, move);
  }
  const outcome = rules.outcome(state);
  const info = {
    chess: ["chess", 8, 8, ["White", "Black"]],
    othello: ["othello", 8, 8, ["Black", "White"]],
  }[game.startsWith("chess") ? "chess" : game];
  const drop = game.startsWith("connect4");
  const [family, columns, rows, players] = info ?? [
    drop ? "drop" : "stones",
    rules.columns,
    rules.rows,
    drop ? ["X", "O"] : ["Black", "White"],
  ];
  const position = {
    game,
    start: start ?? null,
    moves: played,
    position: rules.text(state),
    to_move: rules.toMove(state),
    players,
    stones_left: outcome ? null : (rules.stonesLeft?.(state) ?? null),
    family,
    columns,
    rows,
    pieces: rules.pieces(state),
    legal: outcome ? [] : rules.legal(state),
    last,
    check: rules.check?.(state) ?? null,
    outcome,
    threats: rules.threats?.(state) ?? null,
  };
  return { position, state, rules };
}

const VALUES = { P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0 };

/** A rough value for the player who is asked for, in hundredths. */
function value(rules, state, player) {
  const outcome = rules.outcome(state);
  if (outcome) return outcome.winner === null ? 0 : outcome.winner === player ? 10_000 : -10_000;
  let sum = 0;
  for (const piece of rules.pieces(state)) {
    const [x, y] = [piece.cell.charCodeAt(0) - 97, Number(piece.cell.slice(1))];
    const middle = rules.columns ? (rules.columns - 1) / 2 : 3.5;
    const central = 0.3 - 0.02 * (Math.abs(x - middle) + Math.abs(y - middle - 1));
    const worth = (VALUES[piece.kind] ?? 0.2) + central;
    sum += piece.player === player ? worth : -worth;
  }
  return Math.round(100 * sum);
}

/** The best moves by looking one ply ahead, with a reply. */
export function think(game, start, moves, count) {
  const { state, rules, position } = describe(game, start, moves);
  const near = new Set(position.pieces.map((p) => p.cell));
  const neighbours = (cell) => {
    const [x, y] = [cell.charCodeAt(0), Number(cell.slice(1))];
    for (let a = -1; a <= 1; a += 1)
      for (let b = -1; b <= 1; b += 1) if (near.has(`${String.fromCharCode(x + a)}${y + b}`)) return 1;
    return 0;
  };
  let legal = position.legal;
  if (position.family === "stones" && legal.length > 60) {
    const close = legal.filter((m) => neighbours(m.to));
    legal = close.length ? close : legal.filter((m) => m.to === "j10" || m.to === "h8");
  }
  const me = position.to_move;
  const judged = legal.map((m) => ({ m, v: value(rules, rules.play(state, m), me) }));
  judged.sort((a, b) => b.v - a.v || a.m.move.localeCompare(b.m.move));
  return judged.slice(0, count).map(({ m, v }) => {
    const line = [m];
    let at = rules.play(state, m);
    for (let n = 0; n < 4 && !rules.outcome(at); n += 1) {
      const next = rules.legal(at)[n % 3] ?? rules.legal(at)[0];
      line.push(next);
      at = rules.play(at, next);
    }
    const chance = 1 / (1 + Math.exp(-0.004 * v));
    return {
      score: v >= 9000 ? { win_in: 1 } : v <= -9000 ? { loss_in: 2 } : { centi: v },
      wdl: [chance * 0.8, 0.2, 0.8 - chance * 0.8],
      moves: line.map((x) => x.text),
      moves_plain: line.map((x) => x.move),
    };
  });
}

/** Alpha-beta or minimax with every node written down. Values are plies to a win, as the engine crate gives them. */
export function explain(game, start, moves, search, depth, most) {
  const { rules, state } = describe(game, start, moves);
  const pruning = search === "alphabeta";
  const players = game.startsWith("connect4") ? ["X", "O"] : ["Black", "White"];
  const nodes = [];
  const counters = { nodes: 0, leaves: 0 };
  const meaning = (v) => (v > 900 ? { win_in: 1000 - v } : v < -900 ? { loss_in: 1000 + v } : { centi: v });
  const bound = (v) => (Math.abs(v) > 5000 ? null : meaning(v));
  /** The value for the player who moves in `at`. */
  const visit = (at, played, ply, alpha, beta) => {
    if (nodes.length >= most)
      throw Object.assign(new Error("That tree has too many nodes."), { code: "too_many_nodes" });
    const id = nodes.length;
    const entry = {
      played,
      to_move: players[rules.toMove(at)],
      children: [],
      value: null,
      bound: "exact",
      pruned: [],
    };
    if (pruning) entry.window = [bound(alpha), bound(beta)];
    nodes.push(entry);
    counters.nodes += 1;
    const done = (v, viewSign) => {
      entry.value = meaning(viewSign * v);
      return [id, v];
    };
    const sign = id === 0 ? 1 : -1;
    const outcome = rules.outcome(at);
    if (outcome || ply === depth) {
      counters.leaves += 1;
      entry.leaf = outcome ? "game over" : "evaluated";
      if (!outcome) return done(0, sign);
      const v = outcome.winner === null ? 0 : outcome.winner === rules.toMove(at) ? 1000 - ply : ply - 1000;
      return done(v, sign);
    }
    let best = -9999;
    let a = alpha;
    const legal = rules.legal(at);
    for (const [index, m] of legal.entries()) {
      const [child, reply] = visit(rules.play(at, m), m.text, ply + 1, -beta, -a);
      entry.children.push(child);
      best = Math.max(best, -reply);
      a = Math.max(a, best);
      if (pruning && a >= beta) {
        entry.pruned = legal.slice(index + 1).map((x) => x.text);
        break;
      }
    }
    if (pruning && best <= alpha) entry.bound = sign === 1 ? "at_most" : "at_least";
    if (pruning && best >= beta) entry.bound = sign === 1 ? "at_least" : "at_most";
    return done(best, sign);
  };
  visit(state, "", 0, -9999, 9999);
  return { nodes, counters };
}
