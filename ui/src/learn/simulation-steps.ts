import type { Simulation, SimulationCandidate, SimulationChoice, Simulations } from "../api/textbook";
import type { TreeNode } from "./tree";

/** One step of a recorded Monte Carlo search, in the order in which things happen. */
export type SimulationStep =
  | { kind: "begin" }
  /** A move is chosen by its bound, or because it is its turn. */
  | { kind: "choose"; simulation: number; choice: number }
  /** A move is chosen that was never tried, and joins the tree. */
  | { kind: "expand"; simulation: number; choice: number }
  /** The way down has ended the game. */
  | { kind: "over"; simulation: number }
  | { kind: "random"; simulation: number }
  | { kind: "backup"; simulation: number }
  | { kind: "end" };

export function chosenOf(choice: SimulationChoice): SimulationCandidate {
  return choice.candidates[choice.chosen]!;
}

export function simulationSteps({ exploration, simulations }: Simulations): SimulationStep[] {
  const steps: SimulationStep[] = [{ kind: "begin" }];
  simulations.forEach(({ choices, random_game }, simulation) => {
    choices.forEach((choice, index) => {
      // Without bounds there is no tree that grows: each move waits for its turn.
      const grows = exploration !== undefined && chosenOf(choice).visits === 0;
      steps.push({ kind: grows ? "expand" : "choose", simulation, choice: index });
    });
    steps.push({ kind: random_game.length > 0 ? "random" : "over", simulation });
    steps.push({ kind: "backup", simulation });
  });
  steps.push({ kind: "end" });
  return steps;
}

/** The tree that the simulations grow. Nodes are numbered in the order in which they join it; the root is 0. */
export interface GrownTree {
  nodes: TreeNode[];
  /** The nodes of each simulation, the root first. */
  paths: number[][];
  /** How many nodes there are after each simulation. */
  sizes: number[];
}

export function growTree({ to_move, simulations }: Simulations): GrownTree {
  const nodes: TreeNode[] = [{ played: "", to_move, children: [] }];
  const paths: number[][] = [];
  const sizes: number[] = [];
  for (const { choices } of simulations) {
    const path = [0];
    for (const choice of choices) {
      const parent = nodes[path.at(-1)!]!;
      parent.to_move = choice.by;
      const { move } = chosenOf(choice);
      let child = childBy(nodes, parent, move);
      if (child === undefined) {
        child = nodes.push({ played: move, to_move: "", children: [] }) - 1;
        parent.children.push(child);
      }
      path.push(child);
    }
    paths.push(path);
    sizes.push(nodes.length);
  }
  return { nodes, paths, sizes };
}

function childBy(nodes: TreeNode[], parent: TreeNode, move: string): number | undefined {
  return parent.children.find((child) => nodes[child]!.played === move);
}

/** The tree when it had so many nodes. */
export function youngTree({ nodes }: GrownTree, size: number): TreeNode[] {
  return nodes.slice(0, size).map((node) => ({
    ...node,
    children: node.children.filter((child) => child < size),
  }));
}

/** The nodes along a line of play, as far as it lies in the tree; the root first. */
export function nodesAlong({ nodes }: GrownTree, moves: string[]): number[] {
  const path = [0];
  for (const move of moves) {
    const child = childBy(nodes, nodes[path.at(-1)!]!, move);
    if (child === undefined) break;
    path.push(child);
  }
  return path;
}

/** What is known at a step. */
export interface Scene {
  /** The nodes from the root to where the search stands. */
  path: number[];
  /** The nodes that are in the tree. */
  seen: Set<number>;
  /** How many nodes there are to place: those that join the tree in this simulation have their places before. */
  size: number;
  /** Visits of each node, and its value unless it is the root. */
  known: Map<number, { visits: number; value?: number }>;
  /** The moves from the root to the position that is shown. */
  moves: string[];
}

export function sceneAt(recorded: Simulations, tree: GrownTree, step: SimulationStep): Scene {
  const { simulations, lines } = recorded;
  const number =
    step.kind === "begin" ? null : step.kind === "end" ? simulations.length - 1 : step.simulation;
  const finished = number === null ? 0 : step.kind === "backup" || step.kind === "end" ? number + 1 : number;
  const known: Scene["known"] = new Map([[0, { visits: finished }]]);
  for (let index = 0; index < finished; index += 1) {
    simulations[index]!.backed_up.forEach(({ visits, value }, depth) => {
      known.set(tree.paths[index]![depth + 1]!, { visits, value });
    });
  }
  const path = pathAt(recorded, tree, step);
  const before = finished > 0 ? tree.sizes[finished - 1]! : 1;
  const seen = new Set([...Array.from({ length: before }, (_, id) => id), ...path]);
  const size = number === null || number < 0 ? 1 : tree.sizes[number]!;
  const moves =
    step.kind === "end"
      ? (lines[0]?.moves.slice(0, 1) ?? [])
      : path.slice(1).map((id) => tree.nodes[id]!.played);
  if (step.kind === "random") moves.push(...simulations[step.simulation]!.random_game);
  return { path, seen, size, known, moves };
}

function pathAt({ lines }: Simulations, tree: GrownTree, step: SimulationStep): number[] {
  switch (step.kind) {
    case "begin":
      return [0];
    case "end":
      return nodesAlong(tree, lines[0]?.moves ?? []);
    case "choose":
    case "expand":
      return tree.paths[step.simulation]!.slice(0, step.choice + 2);
    default:
      return tree.paths[step.simulation]!;
  }
}

/** The first step of the next or previous simulation; the answer counts the steps up to and including it. */
export function nextSimulation(steps: SimulationStep[], count: number, direction: 1 | -1): number | null {
  const starts = steps.flatMap((step, index) => ("choice" in step && step.choice === 0 ? [index + 1] : []));
  const found =
    direction === 1 ? starts.find((start) => start > count) : starts.findLast((start) => start < count);
  return found ?? null;
}

/** The simulation of a step, if it is part of one. */
export function simulationOf(recorded: Simulations, step: SimulationStep): Simulation | null {
  return "simulation" in step ? recorded.simulations[step.simulation]! : null;
}
