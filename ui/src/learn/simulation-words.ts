import type { SimulationChoice, Simulations } from "../api/textbook";
import { signed } from "../lib/format";
import { chosenOf, type SimulationStep } from "./simulation-steps";

/** Longer lists of moves are cut. */
const MOST_MOVES = 14;

/** A mean result from -1 to 1. */
export function meanText(value: number | undefined): string {
  return value === undefined ? "–" : signed(value, 2);
}

export function boundText(bound: number | undefined): string {
  return bound === undefined ? "–" : bound.toFixed(2).replace("-", "−");
}

/** Some of the moves, and how many more there are. */
export function movesText(moves: string[]): string {
  const more = moves.length - MOST_MOVES;
  return more > 0 ? `${moves.slice(0, MOST_MOVES).join(", ")} and ${more} more` : moves.join(", ");
}

export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** A step in a sentence or two, at a student's pace. */
export function simulationWords(recorded: Simulations, step: SimulationStep): string {
  const { exploration, simulations, lines, to_move } = recorded;
  switch (step.kind) {
    case "begin":
      if (simulations.length === 0) return "The game is over: there is nothing to simulate.";
      return exploration === undefined
        ? `${to_move} moves. Each move in turn gets a random game, ${simulations.length} in all. The best average wins.`
        : `${to_move} moves. Each of ${simulations.length} simulations goes down by the highest bound, adds a move, plays a random game and backs up its result.`;
    case "choose":
    case "expand": {
      const start = step.choice === 0 ? `Simulation ${step.simulation + 1}. ` : "";
      return start + choiceWords(simulations[step.simulation]!.choices[step.choice]!, exploration);
    }
    case "over":
      return `The game is over here: ${simulations[step.simulation]!.result}. No random game is needed.`;
    case "random": {
      const { random_game, result } = simulations[step.simulation]!;
      return `A random game from here: ${movesText(random_game)}. The result: ${result}.`;
    }
    case "backup": {
      const { choices, backed_up } = simulations[step.simulation]!;
      const rewards = choices.map(
        (choice, index) =>
          `${signed(backed_up[index]!.reward, 0)} for ${choice.by} at ${chosenOf(choice).move}`,
      );
      return `The result goes back up: ${rewards.join(", ")}. Visits and values change along the way.`;
    }
    case "end": {
      const best = lines[0];
      if (!best) return "The game is over: there is nothing to simulate.";
      return exploration === undefined
        ? `Done: ${best.moves[0]} has the best value, ${meanText(best.value)} for ${to_move}. It is played.`
        : `Done: no move was tried more often than ${best.moves[0]}, ${best.visits} of ${simulations.length} times. It is played.`;
    }
  }
}

function choiceWords(choice: SimulationChoice, exploration: number | undefined): string {
  const { move, visits, value, bound } = chosenOf(choice);
  if (exploration === undefined) return `It is the turn of ${move}: every move gets as many random games.`;
  if (value === undefined || bound === undefined) {
    return `${choice.by} chooses ${move}, which has not been tried here yet: it joins the tree.`;
  }
  const onTop = boundText(bound - value);
  return `${choice.by} chooses ${move}: its bound ${boundText(bound)} is the highest. Its value is ${meanText(value)}; ${onTop} comes on top, as it was tried ${times(visits)} in ${choice.visits}.`;
}
