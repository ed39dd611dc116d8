import { useMemo } from "preact/hooks";
import type { Simulations } from "../api/textbook";
import { Stepper, usePlayer } from "./player";
import {
  growTree,
  nextSimulation,
  type SimulationStep,
  sceneAt,
  simulationOf,
  simulationSteps,
  youngTree,
} from "./simulation-steps";
import { ChoiceTable, EndTable, PathTable } from "./simulation-tables";
import { meanText, simulationWords } from "./simulation-words";
import { parentsOf } from "./tree";
import { type Caption, SearchTree, showsBoards } from "./tree-view";
import { WalkBoard, type WalkProps } from "./walk-board";

/** Walks through a recorded Monte Carlo search, step by step. */
export function SimulationWalk({ recorded, root, line, onMove, onUndo }: WalkProps<Simulations>) {
  const steps = useMemo(() => simulationSteps(recorded), [recorded]);
  const tree = useMemo(() => growTree(recorded), [recorded]);
  const player = usePlayer(steps.length, {
    name: "simulation",
    key: "n",
    find: (count, direction) => nextSimulation(steps, count, direction),
  });
  const { count, go } = player;
  const step = steps[count - 1] ?? steps[0]!;
  const scene = useMemo(() => sceneAt(recorded, tree, step), [recorded, tree, step]);
  // The tree is placed anew when it has grown, so that what there is of it stays together.
  const nodes = useMemo(() => youngTree(tree, scene.size), [tree, scene.size]);
  const parents = useMemo(() => parentsOf(nodes), [nodes]);
  const boards = showsBoards(root);
  const visitsOf = (id: number) => String(scene.known.get(id)?.visits ?? "");
  const caption = (id: number): Caption | null => {
    const value = scene.known.get(id)?.value;
    // Where no boards are drawn, the visits stand in the nodes.
    const parts = [boards ? visitsOf(id) : "", value === undefined ? "" : meanText(value)];
    const text = parts.filter(Boolean).join(" · ");
    return text ? { text, done: true } : null;
  };
  return (
    <div class="walk simulated">
      <aside class="panel">
        <WalkBoard root={root} line={line} moves={scene.moves} onMove={count === 1 ? onMove : undefined} />
        <Stepper
          player={player}
          kind={step.kind}
          words={simulationWords(recorded, step)}
          movable
          onUndo={onUndo}
        />
        <StepTable recorded={recorded} step={step} />
        <small class="faint">
          {scene.seen.size - 1} of {tree.nodes.length - 1} moves are in the tree.{" "}
          {boards ? "Below each: visits · value." : "In each: visits; below: value."} A value is the mean
          result for who makes the move: +1 a win, 0 a draw, −1 a loss.
        </small>
      </aside>
      <SearchTree
        nodes={nodes}
        parents={parents}
        seen={scene.seen}
        path={scene.path}
        inside={visitsOf}
        caption={caption}
        root={root}
        onPick={(node) => {
          const found = steps.findIndex(
            (other) => "choice" in other && tree.paths[other.simulation]![other.choice + 1] === node,
          );
          go(found + 1);
        }}
      />
    </div>
  );
}

/** What the step looks at. */
function StepTable({ recorded, step }: { recorded: Simulations; step: SimulationStep }) {
  const simulation = simulationOf(recorded, step);
  if (!simulation) return step.kind === "end" ? <EndTable recorded={recorded} /> : null;
  if (!("choice" in step)) return <PathTable simulation={simulation} backedUp={step.kind === "backup"} />;
  return <ChoiceTable choice={simulation.choices[step.choice]!} exploration={recorded.exploration} />;
}
