import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Explanation, Line, Position } from "../api/types";
import { Board } from "../boards/board";
import { scoreText } from "../lib/format";
import { useAnswer, useKeys } from "../lib/use";
import { Icon } from "../widgets/icon";
import { announce, notify } from "../widgets/live";
import { movesTo, nextCutoff, parentsOf, progressAt, type Step, stepsOf } from "./steps";
import { SearchTree } from "./tree-view";
import { stepWords, windowText } from "./words";

const PLAY_MS = 1100;

interface WalkProps {
  explanation: Explanation;
  root: Position;
  line: Line;
  onMove: (move: string) => void;
  onUndo?: () => void;
}

/** Walks through a recorded search, step by step. */
export function Walk({ explanation, root, line, onMove, onUndo }: WalkProps) {
  const steps = useMemo(() => stepsOf(explanation), [explanation]);
  const parents = useMemo(() => parentsOf(explanation), [explanation]);
  const [count, setCount] = useState(1);
  const [playing, setPlaying] = useState(false);
  const progress = useMemo(() => progressAt(steps, count), [steps, count]);
  const step = steps[count - 1] ?? steps[0]!;
  const words = stepWords(explanation, step, parents[step.node] ?? null, root.family);
  const go = (wanted: number) => {
    const next = Math.max(1, Math.min(steps.length, wanted));
    setCount(next);
    if (next === steps.length) setPlaying(false);
  };
  const cutoff = (direction: 1 | -1) => {
    const found = nextCutoff(steps, count, direction);
    if (found === null) notify("There is no cutoff in this direction.");
    else go(found);
  };
  useEffect(() => announce(words), [words]);
  // One timer for each step that is shown.
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => go(count + 1), PLAY_MS);
    return () => clearTimeout(timer);
  }, [playing, count]);
  useKeys({
    ArrowRight: () => go(count + 1),
    ArrowLeft: () => go(count - 1),
    Home: () => go(1),
    End: () => go(steps.length),
    c: () => cutoff(1),
    C: () => cutoff(-1),
    p: () => setPlaying(!playing),
  });
  const current = progress.path.at(-1) ?? 0;
  const moves = [...line.moves, ...movesTo(explanation, parents, current)];
  const here = useAnswer(JSON.stringify([line, moves]), () => api.position({ ...line, moves })) ?? root;
  const first = count === 1;
  return (
    <div class="walk">
      <aside class="panel">
        <Board
          position={here}
          onMove={first && current === 0 ? (move) => onMove(move.move) : undefined}
          label="Position at this node"
        />
        <div class={`card-box step-words ${step.kind}`}>
          <p data-step={step.kind}>{words}</p>
          <small class="faint">
            Step {count} of {steps.length}
            {first && " · play a move on the board to search another position"}
          </small>
        </div>
        <input
          type="range"
          min={1}
          max={steps.length}
          value={count}
          aria-label="Step"
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <div class="row stepper">
          <button type="button" aria-label="First step" onClick={() => go(1)}>
            <Icon name="first" />
          </button>
          <button type="button" aria-label="Step back" onClick={() => go(count - 1)}>
            <Icon name="back" />
          </button>
          <button
            type="button"
            aria-label="Auto: the steps by themselves"
            aria-pressed={playing}
            onClick={() => setPlaying(!playing)}
          >
            Auto
          </button>
          <button type="button" class="primary" aria-label="Step forward" onClick={() => go(count + 1)}>
            <Icon name="forward" />
          </button>
          <button type="button" aria-label="Last step" onClick={() => go(steps.length)}>
            <Icon name="last" />
          </button>
        </div>
        <div class="row">
          <button type="button" class="grow" onClick={() => cutoff(1)}>
            Next cutoff
          </button>
          {onUndo && (
            <button type="button" onClick={onUndo}>
              Undo move
            </button>
          )}
        </div>
        <OpenNodes
          explanation={explanation}
          path={progress.path}
          best={progress.best}
          root={root}
          step={step}
        />
        <small class="faint">
          {progress.seen.size} of {explanation.nodes.length} nodes visited, {progress.cut.size} cutoffs so
          far. A value stands in the view of who made the move, a window in the view of who moves next. W3 and
          L3: won or lost in 3 plies.
        </small>
      </aside>
      <SearchTree
        explanation={explanation}
        parents={parents}
        progress={progress}
        root={root}
        onPick={(node) => {
          const found = steps.findIndex((other) => other.kind === "enter" && other.node === node);
          if (found >= 0) go(found + 1);
        }}
      />
    </div>
  );
}

interface OpenNodesProps {
  explanation: Explanation;
  path: number[];
  best: Map<number, number>;
  root: Position;
  step: Step;
}

/** The nodes that wait for a value, with their windows: the stack of the search. */
function OpenNodes({ explanation, path, best, root, step }: OpenNodesProps) {
  const { nodes } = explanation;
  const windows = nodes[0]?.window !== undefined;
  return (
    <table class="open-nodes">
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">To move</th>
          {windows && <th scope="col">Window</th>}
          <th scope="col">Best so far</th>
        </tr>
      </thead>
      <tbody>
        {path.map((id) => {
          const child = best.get(id);
          return (
            <tr key={id} class={id === step.node ? "here" : ""}>
              <td>{nodes[id]!.played || "start"}</td>
              <td>{nodes[id]!.to_move}</td>
              {windows && <td>{windowText(nodes[id]!, root.family)}</td>}
              <td>
                {child === undefined
                  ? ""
                  : `${scoreText(nodes[child]!.value, root.family)} (${nodes[child]!.played})`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
