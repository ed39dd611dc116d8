import type { Contents } from "../lib/contents";
import type { Explored, ExplorerSources, GameFile } from "./explored";
import type { Demonstration, Lesson } from "./lessons";
import type { NewProgram, ProgramInfo, ProgramList, TriedProgram } from "./programs";
import type { Run, RunGame, RunSummary } from "./runs";
import type { Level, NetworkInfo, Opinion, SearchInfo } from "./search";
import type { Explanation, Simulations, Solution } from "./textbook";
import type {
  Composed,
  Draft,
  Exported,
  Game,
  GameAction,
  GameInfo,
  GameSummary,
  Imported,
  Line,
  NewGame,
  Position,
  StudySummary,
} from "./types";

/** An answer that is not a success, with the server's own sentence. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The body, which for a stale version is the current game. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? more : { "content-type": "application/json", ...more },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, "offline", "The server does not answer. Is it still running?", null);
  }
  const text = await response.text();
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!response.ok) {
    const error = (data as { error?: { code?: string; message?: string } } | null)?.error;
    const message = error?.message ?? `The server answered ${response.status}.`;
    throw new ApiError(response.status, error?.code ?? "http", message, data);
  }
  return data as T;
}

const get = <T>(path: string) => call<T>("GET", path);
const post = <T>(path: string, body: unknown) => call<T>("POST", path, body);

/** Answers that never change while the server runs are asked for once. */
const asked = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  let answer = asked.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = get<T>(path);
    asked.set(path, answer);
    answer.catch(() => asked.delete(path));
  }
  return answer;
}

const positions = new Map<string, Promise<Position>>();
const POSITIONS_KEPT = 2000;

/** A position is asked for once: walking through a game and hovering over lines come back to the same ones. */
function position(line: Line): Promise<Position> {
  const key = JSON.stringify([line.game, line.start, line.moves]);
  let answer = positions.get(key);
  if (!answer) {
    answer = post<Position>("/api/position", line);
    positions.set(key, answer);
    answer.catch(() => positions.delete(key));
    if (positions.size > POSITIONS_KEPT) positions.delete(positions.keys().next().value!);
  }
  return answer;
}

const gamePath = (id: string, rest = "") => `/api/games/${encodeURIComponent(id)}${rest}`;
const runPath = (name: string) => `/api/runs/${encodeURIComponent(name)}`;
const programPath = (id: string) => `/api/programs/${encodeURIComponent(id)}`;
const coded = (code: string) => ({ "x-outplay-code": code });
const studyPath = (id: string) => `/api/studies/${encodeURIComponent(id)}`;

export const api = {
  gamesList: () => once<GameInfo[]>("/api/games-list"),
  searches: (game: string) => once<SearchInfo[]>(`/api/searches?game=${encodeURIComponent(game)}`),
  levels: (game: string) => once<Level[]>(`/api/levels?game=${encodeURIComponent(game)}`),
  /** Not once: people put networks into the folder while the server runs. */
  networks: (game: string) => get<NetworkInfo[]>(`/api/networks?game=${encodeURIComponent(game)}`),
  opinion: (line: Line, network: string) => post<Opinion | null>("/api/opinion", { ...line, network }),
  position,
  /** The position with the other player to move. */
  passed: (line: Line) => post<Position>("/api/position", { ...line, passed: true }),
  compose: (from: Line, draft: Draft) => post<Composed>("/api/compose", { ...from, ...draft }),
  importFile: (game: string | null, contents: Contents, number: number) =>
    post<Imported>("/api/import", { game, ...contents, number }),
  exportText: (game: Exported) => post<{ text: string; extension: string }>("/api/export", game),
  solve: (line: Line, nodes: number) => post<Solution>("/api/solve", { ...line, nodes }),
  explain: (line: Line, search: string, depth: number, most_nodes: number) =>
    post<Explanation>("/api/explain", { ...line, search, depth, most_nodes }),
  lessons: () => once<Lesson[]>("/api/lessons"),
  demonstrate: (lesson: string, settings: Record<string, number>) =>
    post<Demonstration>("/api/lessons", { lesson, settings }),
  simulations: (line: Line, search: string, simulations: number, seed: number) =>
    post<Simulations>("/api/simulations", { ...line, search, simulations, options: { seed } }),

  newGame: (game: NewGame) => post<Game>("/api/games", game),
  games: () => get<GameSummary[]>("/api/games"),
  game: (id: string) => get<Game>(gamePath(id)),
  play: (id: string, move: string, version: number) => post<Game>(gamePath(id, "/moves"), { move, version }),
  act: (id: string, action: GameAction, version?: number) =>
    post<Game>(gamePath(id, `/${action}`), { version }),
  hint: (id: string) => post<{ moves: { move: string; text: string }[] }>(gamePath(id, "/hint"), {}),
  deleteGame: (id: string) => call<unknown>("DELETE", gamePath(id)),

  explore: (line: Line) => post<Explored>("/api/explorer", line),
  explorerSources: (game: string) => get<ExplorerSources>(`/api/explorer?game=${encodeURIComponent(game)}`),
  addGameFile: (game: string, name: string, contents: Contents) =>
    post<GameFile>("/api/explorer/files", { game, name, ...contents }),
  gameOfFile: (id: string, number: number) =>
    get<Imported>(`/api/explorer/files/${encodeURIComponent(id)}?number=${number}`),
  removeGameFile: (id: string) => call<unknown>("DELETE", `/api/explorer/files/${encodeURIComponent(id)}`),

  programs: (game: string) => get<ProgramList>(`/api/programs?game=${encodeURIComponent(game)}`),
  addProgram: (program: NewProgram, code: string) =>
    call<{ program: ProgramInfo; tried: TriedProgram }>("POST", "/api/programs", program, coded(code)),
  testProgram: (id: string, game: string) => post<TriedProgram>(`${programPath(id)}/test`, { game }),
  removeProgram: (id: string, code: string) =>
    call<unknown>("DELETE", programPath(id), undefined, coded(code)),

  runs: () => get<RunSummary[]>("/api/runs"),
  /** Null if nothing was added since the version that is known. */
  run: (name: string, version: string) =>
    get<Run | null>(`${runPath(name)}?version=${encodeURIComponent(version)}`),
  runGames: (name: string, generation: number) =>
    get<RunGame[]>(`${runPath(name)}/games?generation=${generation}`),
  runOpinion: (name: string, generation: number, moves: string[]) =>
    post<Opinion | null>(`${runPath(name)}/opinion`, { generation, moves }),

  studies: () => get<StudySummary[]>("/api/studies"),
  study: <T>(id: string) => get<T>(studyPath(id)),
  newStudy: (body: unknown) => post<{ id: string }>("/api/studies", body),
  saveStudy: (id: string, body: unknown) => call<unknown>("PUT", studyPath(id), body),
  deleteStudy: (id: string) => call<unknown>("DELETE", studyPath(id)),
};
