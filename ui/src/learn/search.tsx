import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Lesson } from "../api/lessons";
import type { Explanation, Simulations } from "../api/textbook";
import type { Line } from "../api/types";
import { firstGame } from "../lib/games";
import { hashOf, lineOf, replaceHash, route } from "../lib/route";
import { useAnswer } from "../lib/use";
import { ChoiceList } from "../widgets/choices";
import { notifyError } from "../widgets/live";
import { SimulationWalk } from "./simulation-walk";
import { Walk } from "./walk";
import * as words from "./words";

const SEARCHES = Object.keys(words.SEARCHES);
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

/** What an address asks for; what it leaves out is that of the lesson. */
function wishOf(query: URLSearchParams, lesson: Lesson | undefined): Wish {
  const shows = lesson?.shows;
  const usual = { search: SEARCHES[0]!, depth: 3, simulations: 20, ...shows };
  return {
    search: query.get("search") ?? usual.search,
    depth: Number(query.get("depth")) || usual.depth,
    simulations: Number(query.get("simulations")) || usual.simulations,
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

/** A search that is followed step by step: that of a lesson, until somebody wants another or plays a move. */
export function FollowedSearch({ lesson }: { lesson: Lesson | undefined }) {
  const { query } = route.value;
  const [line, setLine] = useState<Line>(() => lineOf(query) ?? lineAt(lesson));
  const [wish, setWish] = useState(() => wishOf(query, lesson));
  const [recorded, setRecorded] = useState<Recorded | null>(null);
  const [problem, setProblem] = useState("");
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part });
  const key = JSON.stringify([line, queryOf(wish)]);
  // Links and the browser's own buttons change the address while the page is open.
  useEffect(() => {
    const wanted = lineOf(query) ?? (lesson ? lineAt(lesson) : null);
    if (!wanted) return;
    setLine(wanted);
    setWish(wishOf(query, lesson));
  }, [query]);
  const root = useAnswer(JSON.stringify(line), () => api.position(line));
  // The key names all that is asked for.
  useEffect(() => {
    let current = true;
    setRecorded(null);
    setProblem("");
    const { name = null } = lesson ?? {};
    replaceHash(
      hashOf("learn", null, { lesson: name, ...line, moves: line.moves.join(","), ...queryOf(wish) }),
    );
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
    <>
      <Choices wish={wish} change={change} />
      {problem && (
        <p class="banner">
          {problem} {!simulates(wish) && words.tryLess(wish.search)}
        </p>
      )}
      {recorded && walk && "nodes" in recorded && <Walk key={key} {...walk} recorded={recorded.nodes} />}
      {recorded && walk && "simulations" in recorded && (
        <SimulationWalk key={key} {...walk} recorded={recorded.simulations} />
      )}
    </>
  );
}

interface ChoicesProps {
  wish: Wish;
  change: (part: Partial<Wish>) => void;
}

/** Which search, and how far. */
function Choices({ wish, change }: ChoicesProps) {
  return (
    <div class="row toolbar learn-bar">
      <label>
        <span>Search</span>
        <select value={wish.search} onChange={(event) => change({ search: event.currentTarget.value })}>
          <ChoiceList of={Object.entries(words.SEARCHES)} />
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
                {words.plies(plies)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
