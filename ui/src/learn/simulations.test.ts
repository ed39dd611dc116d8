import { describe, expect, it } from "vitest";
import type { Simulations } from "../api/textbook";
import {
  growTree,
  nextSimulation,
  nodesAlong,
  sceneAt,
  simulationSteps,
  youngTree,
} from "./simulation-steps";
import { movesText, simulationWords } from "./simulation-words";
import { movesTo, parentsOf } from "./tree";

// X tries a1 and loses, tries b1 and wins, then goes on with b1, where the bound is highest: O's only reply ends the game.
const recorded: Simulations = {
  to_move: "X",
  exploration: 1,
  simulations: [
    {
      choices: [
        {
          by: "X",
          visits: 0,
          candidates: [
            { move: "a1", visits: 0 },
            { move: "b1", visits: 0 },
          ],
          chosen: 0,
        },
      ],
      random_game: ["c1", "c2"],
      result: "O wins",
      backed_up: [{ reward: -1, visits: 1, value: -1 }],
    },
    {
      choices: [
        {
          by: "X",
          visits: 1,
          candidates: [
            { move: "a1", visits: 1, value: -1, bound: -1 },
            { move: "b1", visits: 0 },
          ],
          chosen: 1,
        },
      ],
      random_game: ["a1"],
      result: "X wins",
      backed_up: [{ reward: 1, visits: 1, value: 1 }],
    },
    {
      choices: [
        {
          by: "X",
          visits: 2,
          candidates: [
            { move: "a1", visits: 1, value: -1, bound: -0.167 },
            { move: "b1", visits: 1, value: 1, bound: 1.833 },
          ],
          chosen: 1,
        },
        { by: "O", visits: 1, candidates: [{ move: "c2", visits: 0 }], chosen: 0 },
      ],
      random_game: [],
      result: "A draw",
      backed_up: [
        { reward: 0, visits: 2, value: 0.5 },
        { reward: 0, visits: 1, value: 0 },
      ],
    },
  ],
  lines: [
    { moves: ["b1", "c2"], visits: 2, value: 0.5 },
    { moves: ["a1"], visits: 1, value: -1 },
  ],
};

const steps = simulationSteps(recorded);
const tree = growTree(recorded);
const scene = (count: number) => sceneAt(recorded, tree, steps[count - 1]!);
const words = (count: number) => simulationWords(recorded, steps[count - 1]!);

describe("steps of simulations", () => {
  it("go down, to the end of the game, and back up", () => {
    expect(steps.map((step) => step.kind)).toEqual([
      "begin",
      ...["expand", "random", "backup"],
      ...["expand", "random", "backup"],
      ...["choose", "expand", "over", "backup"],
      "end",
    ]);
  });
  it("are choices by turns in a search without bounds", () => {
    const flat = simulationSteps({ ...recorded, exploration: undefined });
    expect(flat.some((step) => step.kind === "expand")).toBe(false);
  });
  it("have simulations to jump to", () => {
    expect(nextSimulation(steps, 1, 1)).toBe(2);
    expect(nextSimulation(steps, 2, 1)).toBe(5);
    expect(nextSimulation(steps, 8, 1)).toBeNull();
    expect(nextSimulation(steps, 12, -1)).toBe(8);
    expect(nextSimulation(steps, 2, -1)).toBeNull();
  });
  it("begin and end where the game is over", () => {
    const over = { to_move: "O", simulations: [], lines: [] };
    const both = simulationSteps(over);
    expect(both.map((step) => step.kind)).toEqual(["begin", "end"]);
    for (const step of both) {
      expect(simulationWords(over, step)).toContain("The game is over");
      expect(sceneAt(over, growTree(over), step).path).toEqual([0]);
    }
  });
});

describe("the tree of simulations", () => {
  it("numbers its nodes as they join it", () => {
    expect(tree.nodes.map((node) => node.played)).toEqual(["", "a1", "b1", "c2"]);
    expect(tree.paths).toEqual([
      [0, 1],
      [0, 2],
      [0, 2, 3],
    ]);
    expect(tree.sizes).toEqual([2, 3, 4]);
    expect(movesTo(tree.nodes, parentsOf(tree.nodes), 3)).toEqual(["b1", "c2"]);
    expect(nodesAlong(tree, ["b1", "c2", "c3"])).toEqual([0, 2, 3]);
  });
  it("was smaller when it was young", () => {
    const young = youngTree(tree, 3);
    expect(young).toHaveLength(3);
    expect(young[2]!.children).toEqual([]);
    expect(tree.nodes[2]!.children).toEqual([3]);
  });
  it("has places for a simulation from its first step on, and shows moves when they join", () => {
    expect(scene(8)).toMatchObject({ size: 4, path: [0, 2] });
    expect([...scene(8).seen].sort()).toEqual([0, 1, 2]);
    expect([...scene(9).seen].sort()).toEqual([0, 1, 2, 3]);
  });
  it("changes its values when a result is backed up, not before", () => {
    expect(scene(10).known.get(2)).toEqual({ visits: 1, value: 1 });
    expect(scene(11).known.get(2)).toEqual({ visits: 2, value: 0.5 });
    expect(scene(11).known.get(0)).toEqual({ visits: 3 });
    expect(scene(1).known.get(0)).toEqual({ visits: 0 });
  });
  it("shows where the random game ends, then where it began, and the best move in the end", () => {
    expect(scene(3).moves).toEqual(["a1", "c1", "c2"]);
    expect(scene(4).moves).toEqual(["a1"]);
    expect(scene(12)).toMatchObject({ moves: ["b1"], path: [0, 2, 3] });
  });
});

describe("simulations in words", () => {
  it("say who chooses what and why", () => {
    expect(words(2)).toBe(
      "Simulation 1. X chooses a1, which has not been tried here yet: it joins the tree.",
    );
    expect(words(8)).toContain(
      "X chooses b1: its bound 1.83 is the highest. Its value is +1.00; 0.83 comes on top",
    );
    expect(words(9)).toBe("O chooses c2, which has not been tried here yet: it joins the tree.");
  });
  it("tell the random game, its result and what it is for each player", () => {
    expect(words(3)).toContain("c1, c2. The result: O wins.");
    expect(words(4)).toContain("−1 for X at a1");
    expect(words(10)).toContain("A draw. No random game is needed");
    expect(words(12)).toContain("b1, 2 of 3 times");
  });
  it("cut long games", () => {
    expect(movesText(Array.from({ length: 20 }, () => "a1"))).toMatch(/a1 and 6 more$/);
  });
});
