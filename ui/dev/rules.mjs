// Small, slow rules of the games, enough to develop the page without the real server.
import { Chess } from "chess.js";

const letter = (x) => String.fromCharCode(97 + x);
const name = (x, y) => `${letter(x)}${y + 1}`;
const spot = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
const plain = (move, to) => ({ move, text: move, from: null, to, promotion: null });

export const GAMES = [
  ["chess", "chess", ["White", "Black"], null, "pgn", "chess", 8, 8],
  ["chess960", "chess from one of 960 start arrays", ["White", "Black"], "chess960:N", "pgn", "chess", 8, 8],
  ["othello", "Othello, also known as Reversi, on 8×8", ["Black", "White"], null, "pgn", "othello", 8, 8],
  ["connect6", "Connect6: six in a row on 19×19", ["Black", "White"], null, "sgf", "stones", 19, 19],
  ["gomoku", "free-style gomoku: five or more in a row", ["Black", "White"], null, "sgf", "stones", 15, 15],
  ["tictactoe", "tic-tac-toe: three in a row on 3×3", ["Black", "White"], null, "sgf", "stones", 3, 3],
  ["connect4", "Connect Four: four in a row under gravity", ["X", "O"], null, "pgn", "drop", 7, 6],
].map(([name, title, players, variants, extension, family, columns, rows]) => ({
  name,
  title,
  players,
  variants,
  extension,
  family,
  columns,
  rows,
}));

export function rulesOf(game) {
  if (game.startsWith("chess")) return chess;
  if (game === "othello") return othello;
  if (game === "connect6") return lines(19, 19, 6, 2, false);
  if (game === "gomoku") return lines(15, 15, 5, 1, false);
  if (game === "tictactoe") return lines(3, 3, 3, 1, false);
  const small = /^connect4(?::(\d+)x(\d+))?$/.exec(game);
  if (small) return lines(Number(small[1] ?? 7), Number(small[2] ?? 6), 4, 1, true);
  throw new Error(`there is no game called ${game}`);
}

const chess = {
  start(text) {
    return new Chess(text ?? undefined);
  },
  toMove: (s) => (s.turn() === "w" ? 0 : 1),
  legal: (s) =>
    s.moves({ verbose: true }).map((m) => ({
      move: m.from + m.to + (m.promotion ?? ""),
      text: m.san,
      from: m.from,
      to: m.to,
      promotion: m.promotion ?? null,
    })),
  play(s, move) {
    const next = new Chess(s.fen());
    next.move({ from: move.from, to: move.to, promotion: move.promotion ?? undefined });
    return next;
  },
  text: (s) => s.fen(),
  pieces: (s) =>
    s
      .board()
      .flat()
      .filter(Boolean)
      .map((p) => ({ cell: p.square, player: p.color === "w" ? 0 : 1, kind: p.type.toUpperCase() })),
  outcome(s) {
    if (s.isCheckmate()) {
      const winner = s.turn() === "w" ? 1 : 0;
      return { winner, text: `${winner === 0 ? "White" : "Black"} wins by checkmate` };
    }
    if (s.isStalemate()) return { winner: null, text: "Draw by stalemate" };
    if (s.isDraw()) return { winner: null, text: "Draw" };
    return null;
  },
  check: (s) =>
    s.inCheck()
      ? (s
          .board()
          .flat()
          .find((p) => p && p.type === "k" && p.color === s.turn())?.square ?? null)
      : null,
};

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];
const ALL_DIRECTIONS = DIRECTIONS.flatMap(([x, y]) => [
  [x, y],
  [-x, -y],
]);

const othello = {
  start(text) {
    const [cells, side] = (
      text ?? "---------------------------OX------XO--------------------------- X"
    ).split(" ");
    return { board: [...cells].map((c) => (c === "X" ? 0 : c === "O" ? 1 : null)), to: side === "O" ? 1 : 0 };
  },
  toMove: (s) => s.to,
  flips(s, index, player) {
    if (s.board[index] !== null) return [];
    const flipped = [];
    for (const [dx, dy] of ALL_DIRECTIONS) {
      const run = [];
      let x = (index % 8) + dx;
      let y = Math.floor(index / 8) + dy;
      while (x >= 0 && y >= 0 && x < 8 && y < 8 && s.board[8 * y + x] === 1 - player) {
        run.push(8 * y + x);
        x += dx;
        y += dy;
      }
      if (x >= 0 && y >= 0 && x < 8 && y < 8 && s.board[8 * y + x] === player) flipped.push(...run);
    }
    return flipped;
  },
  can(s, player) {
    return s.board.map((_, i) => i).filter((i) => othello.flips(s, i, player).length > 0);
  },
  legal(s) {
    const cells = othello.can(s, s.to).map((i) => name(i % 8, Math.floor(i / 8)));
    if (cells.length > 0) return cells.map((c) => plain(c, c));
    return othello.can(s, 1 - s.to).length > 0 ? [plain("pass", null)] : [];
  },
  play(s, move) {
    if (move.to === null) return { board: s.board, to: 1 - s.to };
    const [x, y] = spot(move.to);
    const board = [...s.board];
    for (const i of othello.flips(s, 8 * y + x, s.to)) board[i] = s.to;
    board[8 * y + x] = s.to;
    return { board, to: 1 - s.to };
  },
  text: (s) => `${s.board.map((c) => (c === 0 ? "X" : c === 1 ? "O" : "-")).join("")} ${s.to ? "O" : "X"}`,
  pieces: (s) =>
    s.board.flatMap((player, i) =>
      player === null ? [] : [{ cell: name(i % 8, Math.floor(i / 8)), player, kind: "disc" }],
    ),
  outcome(s) {
    if (othello.legal(s).length > 0) return null;
    const [black, white] = [0, 1].map((p) => s.board.filter((c) => c === p).length);
    if (black === white) return { winner: null, text: `Draw, ${black} to ${white}` };
    const winner = black > white ? 0 : 1;
    return {
      winner,
      text: `${winner ? "White" : "Black"} wins ${Math.max(black, white)} to ${Math.min(black, white)}`,
    };
  },
};

const made = new Map();

/** The games of k in a row; `p` stones a turn after the first, with or without gravity. */
function lines(columns, rows, k, p, gravity) {
  const key = [columns, rows, k, p, gravity].join();
  if (made.has(key)) return made.get(key);
  const at = (s, x, y) =>
    x >= 0 && y >= 0 && x < columns && y < rows ? (s.board[y * columns + x] ?? null) : null;
  const rules = {
    columns,
    rows,
    start(text) {
      const board = Array(columns * rows).fill(null);
      if (!text) return { board, to: 0, left: 1, won: null };
      const [cells, side, left] = text.split(" ");
      cells.split("/").forEach((row, index) => {
        let x = 0;
        for (const token of row.match(/\d+|[xo]/g) ?? []) {
          if (/\d/.test(token)) x += Number(token);
          else {
            board[(rows - 1 - index) * columns + x] = token === "x" ? 0 : 1;
            x += 1;
          }
        }
      });
      return { board, to: side === "o" ? 1 : 0, left: Number(left ?? 1), won: null };
    },
    toMove: (s) => s.to,
    stonesLeft: (s) => (p > 1 ? s.left : null),
    legal(s) {
      if (s.won !== null) return [];
      if (gravity) {
        return Array.from({ length: columns }, (_, x) => x).flatMap((x) => {
          const y = Array.from({ length: rows }, (_, r) => r).find((r) => at(s, x, r) === null);
          return y === undefined ? [] : [{ ...plain(letter(x), name(x, y)) }];
        });
      }
      return s.board.flatMap((c, i) => {
        const cell = name(i % columns, Math.floor(i / columns));
        return c === null ? [plain(cell, cell)] : [];
      });
    },
    play(s, move) {
      const [x, y] = spot(move.to);
      const board = [...s.board];
      board[y * columns + x] = s.to;
      const next = { board, to: s.to, left: s.left - 1, won: null };
      for (const [dx, dy] of DIRECTIONS) {
        let run = 1;
        for (const sign of [1, -1]) {
          for (let n = 1; at(next, x + sign * n * dx, y + sign * n * dy) === s.to; n += 1) run += 1;
        }
        if (run >= k) next.won = s.to;
      }
      if (next.left <= 0) {
        next.to = 1 - s.to;
        next.left = p;
      }
      return next;
    },
    text(s) {
      const out = [];
      for (let y = rows - 1; y >= 0; y -= 1) {
        let row = "";
        let gap = 0;
        for (let x = 0; x < columns; x += 1) {
          const c = at(s, x, y);
          if (c === null) gap += 1;
          else {
            row += (gap || "") + (c ? "o" : "x");
            gap = 0;
          }
        }
        out.push(row + (gap || ""));
      }
      return `${out.join("/")} ${s.to ? "o" : "x"}${gravity ? "" : ` ${s.left}`}`;
    },
    pieces: (s) =>
      s.board.flatMap((player, i) =>
        player === null ? [] : [{ cell: name(i % columns, Math.floor(i / columns)), player, kind: "disc" }],
      ),
    outcome(s) {
      const names = gravity ? ["X", "O"] : ["Black", "White"];
      if (s.won !== null) return { winner: s.won, text: `${names[s.won]} wins with ${k} in a row` };
      return s.board.includes(null) ? null : { winner: null, text: "Draw: the board is full" };
    },
    threats(s) {
      if (gravity || columns < 9) return null;
      const windows = [];
      const blocks = new Set();
      for (let y = 0; y < rows; y += 1) {
        for (let x = 0; x < columns; x += 1) {
          for (const [dx, dy] of DIRECTIONS) {
            const cells = Array.from({ length: k }, (_, n) => [x + n * dx, y + n * dy]);
            if (cells.some(([a, b]) => a < 0 || b < 0 || a >= columns || b >= rows)) continue;
            const stones = cells.map(([a, b]) => at(s, a, b));
            if (stones.includes(s.to)) continue;
            const mine = stones.filter((c) => c === 1 - s.to).length;
            if (mine < k - p) continue;
            windows.push(cells.map(([a, b]) => name(a, b)));
            cells.forEach(([a, b], n) => {
              if (stones[n] === null) blocks.add(name(a, b));
            });
          }
        }
      }
      return { windows, blocks: [...blocks], count: windows.length ? 1 : 0 };
    },
  };
  made.set(key, rules);
  return rules;
}
