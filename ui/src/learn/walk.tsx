import { useMemo } from "preact/hooks";
import type { Explanation } from "../api/textbook";
import type { Position } from "../api/types";
import { scoreText } from "../lib/format";
import { Stepper, usePlayer } from "./player";
import { nextCutoff, progressAt, type Step, stepsOf } from "./steps";
import { movesTo, parentsOf } from "./tree";
import { type Caption, SearchTree } from "./tree-view";
import { WalkBoard, type WalkProps } from "./walk-board";
import { stepWords, valueText, windowText } from "./words";

/** Walks through a recorded tree search, step by step. */
export function Walk({ recorded: explanation, root, line, onMove, onUndo }: WalkProps<Explanation>) {
  const { nodes } = explanation;
  const steps = useMemo(() => stepsOf(explanation), [explanation]);
  const parents = useMemo(() => parentsOf(nodes), [nodes]);
  const player = usePlayer(steps.length, {
    name: "cutoff",
    key: "c",
    find: (count, direction) => nextCutoff(steps, count, direction),
  });
  const { count, go } = player;
  const progress = useMemo(() => progressAt(steps, count), [steps, count]);
  const step = steps[count - 1] ?? steps[0]!;
  const current = progress.path.at(-1) ?? 0;
  const caption = (id: number): Caption | null => {
    const node = nodes[id]!;
    if (progress.done.has(id)) return { text: valueText(node, root.style.scores), done: true };
    return node.window ? { text: windowText(node, root.style.scores), done: false } : null;
  };
  return (
    <div class="walk">
      <aside class="panel">
        <WalkBoard
          root={root}
          line={line}
          moves={movesTo(nodes, parents, current)}
          onMove={count === 1 ? onMove : undefined}
        />
        <Stepper
          player={player}
          kind={step.kind}
          words={stepWords(explanation, step, parents[step.node] ?? null, root.style.scores)}
          movable
          onUndo={onUndo}
        />
        <OpenNodes
          explanation={explanation}
          path={progress.path}
          best={progress.best}
          root={root}
          step={step}
        />
        <small class="faint">
          {progress.seen.size} of {nodes.length} nodes visited, {progress.cut.size} cutoffs so far. A value
          stands in the view of who made the move, a window in the view of who moves next. “Win in 3” counts
          the moves of both.
        </small>
      </aside>
      <SearchTree
        nodes={nodes}
        parents={parents}
        seen={progress.seen}
        path={progress.path}
        best={progress.best}
        answer={step.kind === "end" ? progress.best.get(step.node) : undefined}
        cut={progress.cut}
        inside={(id) => nodes[id]!.to_move.slice(0, 1)}
        caption={caption}
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
              {windows && <td>{windowText(nodes[id]!, root.style.scores)}</td>}
              <td>
                {child === undefined
                  ? ""
                  : `${scoreText(nodes[child]!.value, root.style.scores)} (${nodes[child]!.played})`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
