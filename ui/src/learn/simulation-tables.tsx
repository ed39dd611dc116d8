import type { Simulation, SimulationChoice, Simulations } from "../api/types";
import { signed } from "../lib/format";
import { chosenOf } from "./simulation-steps";
import { boundText, meanText, movesText } from "./simulation-words";

interface ChoiceTableProps {
  choice: SimulationChoice;
  exploration?: number;
}

/** The moves that could be chosen, with what was known of them. */
export function ChoiceTable({ choice, exploration }: ChoiceTableProps) {
  const { by, candidates, visits } = choice;
  const chosen = chosenOf(choice);
  const bounds = exploration !== undefined;
  const untried = candidates.filter((candidate) => candidate.visits === 0 && candidate !== chosen);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keys. */}
      <div class="choice-box" tabIndex={0} role="region" aria-label="Moves to choose from">
        <table class="open-nodes choice-table">
          <thead>
            <tr>
              <th scope="col">Move of {by}</th>
              <th scope="col">Visits</th>
              <th scope="col">Value</th>
              {bounds && <th scope="col">Bound</th>}
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate) =>
              candidate.visits === 0 && candidate !== chosen ? null : (
                <tr key={candidate.move} class={candidate === chosen ? "here" : ""}>
                  <td>
                    {candidate.move}
                    {candidate === chosen && <span class="chosen"> chosen</span>}
                  </td>
                  <td>{candidate.visits}</td>
                  <td>{meanText(candidate.value)}</td>
                  {bounds && <td>{boundText(candidate.bound)}</td>}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      {untried.length > 0 && (
        <small class="faint">Not tried yet: {movesText(untried.map(({ move }) => move))}.</small>
      )}
      {bounds && visits > 0 && (
        <small class="faint">
          Bound = value + {exploration} · √(ln {visits} / visits): {visits} simulations have come through this
          position.
        </small>
      )}
    </>
  );
}

interface PathTableProps {
  simulation: Simulation;
  /** Whether the result has been written into the moves. */
  backedUp: boolean;
}

/** The moves of a simulation, and what its result makes of them. */
export function PathTable({ simulation, backedUp }: PathTableProps) {
  return (
    <table class="open-nodes choice-table">
      <thead>
        <tr>
          <th scope="col">Way down</th>
          <th scope="col">Visits</th>
          <th scope="col">Value</th>
          {backedUp && <th scope="col">Result</th>}
        </tr>
      </thead>
      <tbody>
        {simulation.choices.map((choice, index) => {
          const before = chosenOf(choice);
          const after = simulation.backed_up[index]!;
          return (
            // A line of play has one choice for each of its places.
            <tr key={index}>
              <td>
                {choice.by} {before.move}
              </td>
              <td>
                {before.visits}
                {backedUp && ` → ${after.visits}`}
              </td>
              <td>
                {meanText(before.value)}
                {backedUp && ` → ${meanText(after.value)}`}
              </td>
              {backedUp && <td>{signed(after.reward, 0)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What came of every move. */
export function EndTable({ recorded }: { recorded: Simulations }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keys.
    <div class="choice-box" tabIndex={0} role="region" aria-label="Moves in the end">
      <table class="open-nodes choice-table">
        <thead>
          <tr>
            <th scope="col">Move of {recorded.to_move}</th>
            <th scope="col">Visits</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {recorded.lines.map(({ moves, visits, value }, index) => (
            <tr key={moves[0]} class={index === 0 ? "here" : ""}>
              <td>{moves[0]}</td>
              <td>{visits}</td>
              <td>{meanText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
