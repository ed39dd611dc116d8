import type { Simulation, SimulationChoice, Simulations } from "../api/textbook";
import { signed } from "../lib/format";
import { DataTable } from "../widgets/data-table";
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
      <DataTable
        label="Moves to choose from"
        class="open-nodes choice-table"
        columns={[`Move of ${by}`, "Visits", "Value", ...(bounds ? ["Bound"] : [])]}
        rows={candidates
          .filter((candidate) => !untried.includes(candidate))
          .map((candidate) => ({
            key: candidate.move,
            class: candidate === chosen ? "here" : "",
            cells: [
              <>
                {candidate.move}
                {candidate === chosen && <span class="chosen"> chosen</span>}
              </>,
              candidate.visits,
              meanText(candidate.value),
              ...(bounds ? [boundText(candidate.bound)] : []),
            ],
          }))}
      />
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
    <DataTable
      label="The way of the simulation"
      class="open-nodes choice-table"
      columns={["Way down", "Visits", "Value", ...(backedUp ? ["Result"] : [])]}
      rows={simulation.choices.map((choice, index) => {
        const before = chosenOf(choice);
        const after = simulation.backed_up[index]!;
        const grown = (old: string | number, next: string | number) => (backedUp ? `${old} → ${next}` : old);
        return {
          // A line of play has one choice for each of its places.
          key: index,
          cells: [
            `${choice.by} ${before.move}`,
            grown(before.visits, after.visits),
            grown(meanText(before.value), meanText(after.value)),
            ...(backedUp ? [signed(after.reward, 0)] : []),
          ],
        };
      })}
    />
  );
}

/** What came of every move. */
export function EndTable({ recorded }: { recorded: Simulations }) {
  return (
    <DataTable
      label="Moves in the end"
      class="open-nodes choice-table"
      columns={[`Move of ${recorded.to_move}`, "Visits", "Value"]}
      rows={recorded.lines.map(({ moves, visits, value }, index) => ({
        key: moves[0]!,
        class: index === 0 ? "here" : "",
        cells: [moves[0], visits, meanText(value)],
      }))}
    />
  );
}
