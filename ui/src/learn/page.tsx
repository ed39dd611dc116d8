import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Explanation, Lesson, Line, Simulations } from "../api/types";
import { firstGame, lessons } from "../lib/games";
import { hashOf, lineOf, replaceHash, route } from "../lib/route";
import { useAnswer } from "../lib/use";
import { ChoiceList } from "../widgets/choices";
import { notifyError } from "../widgets/live";
import { SimulationWalk } from "./simulation-walk";
import { Walk } from "./walk";
import "../styles/learn.css";

const SEARCHES = ["alphabeta", "negamax", "minimax", "uct", "flat"];
/** The searches that make simulations; the others go to a depth. */
const MONTE_CARLO = ["uct", "flat"];
const MOST_NODES = 2000;

/** What is to be recorded. */
interface Wish {
  search: string;
  depth: number;
  simulations: number;
  seed: number;
}

function wishOf(query: URLSearchParams): Wish {
  return {
    search: query.get("search") ?? SEARCHES[0]!,
    depth: Number(query.get("depth")) || 3,
    simulations: Number(query.get("simulations")) || 20,
    seed: Number(query.get("seed")) || 1,
  };
}

const simulates = ({ search }: Wish) => MONTE_CARLO.includes(search);

/** The part of a wish that its search asks for, as addresses have it. */
function queryOf(wish: Wish): Record<string, string> {
  const { search, depth, simulations, seed } = wish;
  return simulates(wish)
    ? { search, simulations: String(simulations), seed: String(seed) }
    : { search, depth: String(depth) };
}

/** Where a lesson begins. */
function lineAt(lesson: Lesson | undefined): Line {
  return { game: lesson?.game ?? firstGame(), start: lesson?.start ?? null, moves: lesson?.moves ?? [] };
}

type Recorded = { nodes: Explanation } | { simulations: Simulations };

async function record(line: Line, wish: Wish): Promise<Recorded> {
  const { search, depth, simulations, seed } = wish;
  return simulates(wish)
    ? { simulations: await api.simulations(line, search, simulations, seed) }
    : { nodes: await api.explain(line, search, depth, MOST_NODES) };
}

export function LearnPage() {
  const [line, setLine] = useState<Line>(() => lineOf(route.value.query) ?? lineAt(lessons()[0]));
  const [wish, setWish] = useState(() => wishOf(route.value.query));
  const [recorded, setRecorded] = useState<Recorded | null>(null);
  const [problem, setProblem] = useState("");
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part });
  const key = JSON.stringify([line, queryOf(wish)]);
  const { query } = route.value;
  // Links and the browser's own buttons change the address while the page is open.
  useEffect(() => {
    const wanted = lineOf(query);
    if (!wanted) return;
    setLine(wanted);
    setWish(wishOf(query));
  }, [query]);
  const root = useAnswer(JSON.stringify(line), () => api.position(line));
  // The key names all that is asked for.
  useEffect(() => {
    let current = true;
    setRecorded(null);
    setProblem("");
    replaceHash(hashOf("learn", null, { ...line, moves: line.moves.join(","), ...queryOf(wish) }));
    record(line, wish).then(
      (answer) => current && setRecorded(answer),
      (error: unknown) => {
        if (!current) return;
        setProblem(error instanceof Error ? error.message : String(error));
        notifyError(error);
      },
    );
    return () => {
      current = false;
    };
  }, [key]);
  const walk = root && {
    root,
    line,
    onMove: (move: string) => setLine({ ...line, moves: [...line.moves, move] }),
    onUndo: line.moves.length > 0 ? () => setLine({ ...line, moves: line.moves.slice(0, -1) }) : undefined,
  };
  return (
    <main class="learn">
      <h1 class="unseen">How a search thinks</h1>
      <Choices line={line} wish={wish} setLine={setLine} change={change} />
      {problem && (
        <p class="banner">
          {problem}{" "}
          {!simulates(wish) && `Try less depth${wish.search === "alphabeta" ? "" : " or alphabeta"}.`}
        </p>
      )}
      {recorded && walk && "nodes" in recorded && <Walk key={key} {...walk} recorded={recorded.nodes} />}
      {recorded && walk && "simulations" in recorded && (
        <SimulationWalk key={key} {...walk} recorded={recorded.simulations} />
      )}
    </main>
  );
}

interface ChoicesProps {
  line: Line;
  wish: Wish;
  setLine: (line: Line) => void;
  change: (part: Partial<Wish>) => void;
}

/** Which position, which search, and how far. */
function Choices({ line, wish, setLine, change }: ChoicesProps) {
  const all = lessons();
  const example = all.findIndex((other) => JSON.stringify(lineAt(other)) === JSON.stringify(line));
  return (
    <div class="row toolbar learn-bar">
      <label class="grow">
        <span>Position</span>
        <select
          value={example}
          onChange={(event) => {
            const next = all[Number(event.currentTarget.value)]!;
            const { depth, simulations } = next;
            setLine(lineAt(next));
            if (depth) change({ depth });
            if (simulations) change({ simulations, search: simulates(wish) ? wish.search : "uct" });
          }}
        >
          {example < 0 && <option value={-1}>Your own</option>}
          <ChoiceList of={all.map(({ name }, index) => [String(index), name])} />
        </select>
      </label>
      <label>
        <span>Search</span>
        <select value={wish.search} onChange={(event) => change({ search: event.currentTarget.value })}>
          {SEARCHES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {simulates(wish) ? (
        <>
          <label>
            <span>Simulations</span>
            <select
              value={wish.simulations}
              onChange={(event) => change({ simulations: Number(event.currentTarget.value) })}
            >
              {[...new Set([20, 50, 100, 200, wish.simulations])].map((count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => change({ seed: wish.seed + 1 })}>
            Other random numbers
          </button>
        </>
      ) : (
        <label>
          <span>Depth</span>
          <select
            value={wish.depth}
            onChange={(event) => change({ depth: Number(event.currentTarget.value) })}
          >
            {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((plies) => (
              <option key={plies} value={plies}>
                {plies} plies
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
