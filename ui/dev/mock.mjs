// A stand-in for the server: the same API with toy engines. With --vite it serves the sources, else dist/.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { describe, explain, think } from "./engine.mjs";
import { act, games, LEVELS, newGame, onChange, Refusal, shown } from "./games.mjs";
import { GAMES } from "./rules.mjs";

const root = fileURLToPath(new URL("../dist", import.meta.url));
const studies = new Map();
const watchers = new Map();
let counter = 0;

const SEARCHES = [
  {
    name: "pvs",
    summary: "principal-variation search with a table, selective techniques and threads",
    usual: true,
    options: [
      {
        name: "hash",
        kind: "int",
        default: "16",
        min: 1,
        max: 256,
        help: "Size of the transposition table in MiB.",
        value: "16",
      },
      {
        name: "threads",
        kind: "int",
        default: "1",
        min: 1,
        max: 64,
        help: "How many threads search.",
        value: "1",
      },
      {
        name: "null-move",
        kind: "bool",
        default: "true",
        help: "Let the opponent move twice to find positions that are too good.",
        value: "true",
      },
      {
        name: "lmr-base",
        kind: "float",
        default: "0.8",
        min: 0,
        max: 3,
        help: "By how many plies late moves are reduced at least.",
        value: "0.8",
      },
      {
        name: "replacement",
        kind: "choice",
        default: "aged",
        choices: ["aged", "always", "deeper"],
        help: "Which entry of the table makes room.",
        value: "aged",
      },
    ],
  },
  {
    name: "mcts",
    summary: "Monte Carlo tree search: UCT or PUCT, random games or evaluations, proofs, threads",
    options: [
      {
        name: "exploration",
        kind: "float",
        default: "1.4",
        min: 0,
        max: 10,
        help: "How much moves that were seldom tried are favoured.",
        value: "1.4",
      },
    ],
  },
];
function answer(method, path, query, body) {
  const [, , area, id, action] = path.split("/");
  if (area === "games-list") return GAMES;
  if (area === "searches") return SEARCHES;
  if (area === "levels") return LEVELS;
  if (area === "health") return { ok: true };
  if (area === "position") return describe(body.game, body.start, body.moves ?? []).position;
  if (area === "explain")
    return explain(body.game, body.start, body.moves ?? [], body.search, body.depth, body.most_nodes ?? 2000);
  if (area === "solve")
    return {
      result: "win",
      line: [
        ["j11", "j12"],
        ["k10", "i10"],
        ["j13", "j14"],
      ],
      turns: 2,
      nodes: 1234,
    };
  if (area === "import") {
    const moves = body.text
      .replace(/\[[^\]]*\]|\{[^}]*\}|\d+\.+|1-0|0-1|1\/2-1\/2|\*/g, " ")
      .trim()
      .split(/\s+/);
    const game = body.game ?? "chess";
    const { position } = describe(game, null, moves);
    return { game, start: null, moves: position.moves.map((m) => m.move), count: 1, tags: {} };
  }
  if (area === "export") {
    const { position } = describe(body.game, body.start, body.moves);
    return { text: position.moves.map((m) => m.text).join(" "), extension: "txt" };
  }
  if (area === "games") {
    if (!id && method === "POST") return newGame(body);
    if (!id)
      return [...games.values()].reverse().map((g) => ({
        id: g.id,
        game: g.position.game,
        created: g.created,
        moves: g.position.moves.length,
        outcome: g.result,
        human: g.human,
      }));
    const game = games.get(id);
    if (!game) throw new Refusal(404, "no_game", "There is no such game.");
    if (method === "DELETE") return games.delete(id);
    return method === "GET" ? shown(game) : act(game, action, body);
  }
  if (area === "studies") {
    if (method === "GET" && !id) return [...studies].map(([key, study]) => ({ id: key, title: study.title }));
    if (method === "POST") {
      counter += 1;
      studies.set(`s${counter}`, body);
      return { id: `s${counter}` };
    }
    if (method === "PUT") return studies.set(id, body) && body;
    if (method === "DELETE") return studies.delete(id);
    if (studies.has(id)) return studies.get(id);
  }
  throw new Refusal(404, "unknown", `There is nothing at ${path}${query}.`);
}

async function body(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : null;
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const POLICY = "default-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:";

async function file(response, path) {
  const wanted = normalize(join(root, path === "/" ? "index.html" : path));
  try {
    if (!wanted.startsWith(root)) throw new Error("outside");
    const data = await readFile(wanted);
    response.writeHead(200, {
      "content-type": TYPES[extname(wanted)] ?? "text/plain",
      "content-security-policy": POLICY,
    });
    response.end(data);
  } catch {
    response.writeHead(404).end("not found");
  }
}

const vite = process.argv.includes("--vite")
  ? await (await import("vite")).createServer({ server: { middlewareMode: true } })
  : null;

const server = createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url, "http://mock");
  if (!pathname.startsWith("/api/"))
    return vite ? vite.middlewares(request, response) : file(response, pathname);
  const send = (status, data) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
  };
  try {
    send(200, answer(request.method, pathname, search, await body(request)));
  } catch (error) {
    const { status = 400, code = "bad_request", extra } = error;
    send(status, extra ?? { error: { code, message: error.message } });
  }
});

onChange((game) => {
  for (const socket of watchers.get(game.id) ?? []) socket.send(JSON.stringify({ type: "game", game }));
});

/** Reports with growing depth, like a search that deepens. */
function analyse(socket, timers, message) {
  clearInterval(timers.get(message.id));
  const send = (data) => socket.send(JSON.stringify(data));
  let lines;
  try {
    lines = think(message.game, message.start, message.moves, message.lines);
  } catch (error) {
    return send({ type: "error", id: message.id, code: "bad", message: error.message });
  }
  send({ type: "queued", id: message.id, place: 0 });
  let depth = 0;
  const last = message.limit.infinite ? 60 : 8;
  const timer = setInterval(
    () => {
      depth += 1;
      const over = depth >= last || lines.length === 0;
      const nodes = 1500 * depth ** 3;
      const report = {
        depth,
        selective_depth: depth + 4,
        seconds: depth / 10,
        nodes_per_second: 1_450_000,
        nodes,
        leaves: nodes,
        table_permille: depth * 11,
        lines,
      };
      if (over) report.stopped = "nodes";
      send({ type: "report", id: message.id, report });
      if (!over) return;
      clearInterval(timer);
      send({ type: "done", id: message.id, reason: "node limit" });
    },
    message.limit.infinite ? 200 : 40,
  );
  timers.set(message.id, timer);
}

new WebSocketServer({ server, path: "/api/ws" }).on("connection", (socket) => {
  const timers = new Map();
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.type === "analyse") analyse(socket, timers, message);
    if (message.type === "stop") clearInterval(timers.get(message.id));
    if (message.type === "watch") {
      if (!watchers.has(message.game)) watchers.set(message.game, new Set());
      watchers.get(message.game).add(socket);
    }
    if (message.type === "unwatch") watchers.get(message.game)?.delete(socket);
  });
  socket.on("close", () => {
    for (const timer of timers.values()) clearInterval(timer);
    for (const sockets of watchers.values()) sockets.delete(socket);
  });
});

const port = Number(process.env.PORT ?? 8088);
server.listen(port, "127.0.0.1", () => console.log(`mock of Outplay at http://127.0.0.1:${port}/`));
