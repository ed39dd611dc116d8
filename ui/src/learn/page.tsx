import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Explanation, Line } from "../api/types";
import { hashOf, lineOf, replaceHash, route } from "../lib/route";
import { useAnswer } from "../lib/use";
import { ChoiceList } from "../widgets/choices";
import { notifyError } from "../widgets/live";
import { Walk } from "./walk";
import "../styles/learn.css";

const SEARCHES = ["alphabeta", "negamax", "minimax"];
const MOST_NODES = 2000;

/** Positions whose trees are small enough to follow. */
const EXAMPLES: [string, Line, number][] = [
  ["Tic-tac-toe: win at once", { game: "tictactoe", start: "xo1/xo1/3 x 1", moves: [] }, 3],
  ["Tic-tac-toe: find the fork", { game: "tictactoe", start: "xo1/2x/o2 x 1", moves: [] }, 5],
  ["Tic-tac-toe: which reply holds?", { game: "tictactoe", start: "xox/2o/1x1 o 1", moves: [] }, 4],
  ["Tic-tac-toe: opposite corners", { game: "tictactoe", start: "x2/1o1/2x o 1", moves: [] }, 6],
  ["Tic-tac-toe: from the start, two plies", { game: "tictactoe", start: null, moves: [] }, 2],
  ["Connect Four on 4×4, three plies", { game: "connect4:4x4", start: null, moves: [] }, 3],
  ["Othello, two plies", { game: "othello", start: null, moves: ["f5"] }, 2],
];

export function LearnPage() {
  const [line, setLine] = useState<Line>(() => lineOf(route.value.query) ?? EXAMPLES[0]![1]);
  const [search, setSearch] = useState(route.value.query.get("search") ?? SEARCHES[0]!);
  const [depth, setDepth] = useState(Number(route.value.query.get("depth")) || 3);
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState("");
  const key = JSON.stringify([line, search, depth]);
  const { query } = route.value;
  // Links and the browser's own buttons change the address while the page is open.
  useEffect(() => {
    const wanted = lineOf(query);
    if (!wanted) return;
    setLine(wanted);
    setSearch(query.get("search") ?? SEARCHES[0]!);
    setDepth(Number(query.get("depth")) || 3);
  }, [query]);
  const root = useAnswer(JSON.stringify(line), () => api.position(line));
  // The key names all that is asked for.
  useEffect(() => {
    let current = true;
    setExplanation(null);
    setProblem("");
    replaceHash(
      hashOf("learn", null, { ...line, moves: line.moves.join(","), search, depth: String(depth) }),
    );
    api.explain(line, search, depth, MOST_NODES).then(
      (answer) => current && setExplanation(answer),
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
  const example = EXAMPLES.findIndex(([, other]) => JSON.stringify(other) === JSON.stringify(line));
  return (
    <main class="learn">
      <h1 class="unseen">How a search thinks</h1>
      <div class="row toolbar learn-bar">
        <label class="grow">
          <span>Position</span>
          <select
            value={example}
            onChange={(event) => {
              const [, next, plies] = EXAMPLES[Number(event.currentTarget.value)]!;
              setLine(next);
              setDepth(plies);
            }}
          >
            {example < 0 && <option value={-1}>Your own</option>}
            <ChoiceList of={EXAMPLES.map(([name], index) => [String(index), name])} />
          </select>
        </label>
        <label>
          <span>Search</span>
          <select value={search} onChange={(event) => setSearch(event.currentTarget.value)}>
            {SEARCHES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Depth</span>
          <select value={depth} onChange={(event) => setDepth(Number(event.currentTarget.value))}>
            {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((plies) => (
              <option key={plies} value={plies}>
                {plies} plies
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem && (
        <p class="banner">
          {problem} Try less depth{search === "alphabeta" ? "" : " or alphabeta"}.
        </p>
      )}
      {explanation && root && (
        <Walk
          key={key}
          explanation={explanation}
          root={root}
          line={line}
          onMove={(move) => setLine({ ...line, moves: [...line.moves, move] })}
          onUndo={
            line.moves.length > 0 ? () => setLine({ ...line, moves: line.moves.slice(0, -1) }) : undefined
          }
        />
      )}
    </main>
  );
}
