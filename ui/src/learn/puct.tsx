import type { ConsideredMove, Lesson, Puct } from "../api/lessons";
import { signed } from "../lib/format";
import { DataTable } from "../widgets/data-table";
import { Stepper, usePlayer } from "./player";
import { usePosition, WalkBoard } from "./walk-board";

const score = ({ q, u }: ConsideredMove) => q + u;

/** The table by which PUCT chooses, simulation by simulation. */
export function PuctView({ lesson, puct }: { lesson: Lesson; puct: Puct }) {
  const root = usePosition(lesson);
  const { steps } = puct;
  const player = usePlayer(steps.length, {
    name: "change of mind",
    key: "n",
    find: (count, direction) => nextChange(puct, count, direction),
  });
  const { moves, tried } = steps[player.count - 1]!;
  const best = moves.reduce((one, other) => (score(other) > score(one) ? other : one));
  const most = Math.max(1, ...moves.map(({ n }) => n));
  const done = player.count === steps.length;
  const words = `${
    tried === undefined
      ? "Before the first simulation, nothing but the priors is known."
      : `Simulation ${player.count - 1} tried ${moves[tried]!.move}.`
  } The next one goes to ${best.move}: its Q + U is the highest.`;
  return (
    <div class="walk" data-lesson="puct">
      <aside class="panel">
        {root && <WalkBoard root={root} line={lesson} moves={[]} />}
        <Stepper player={player} kind={done ? "end" : "step"} words={words} />
      </aside>
      <div class="measured">
        <DataTable
          label="Moves to choose from"
          class="open-nodes lesson-table"
          caption={`What ${puct.to_move} chooses by: U = ${puct.c} · P · √(sum of N) / (1 + N)`}
          columns={["Move", "N", "Q", "P", "U", "Q + U", ""]}
          rows={moves.map((one, index) => ({
            key: one.move,
            class: one === best ? "here" : index === tried ? "tried" : "",
            cells: [
              one.move,
              one.n,
              signed(one.q, 3),
              one.p.toFixed(3),
              one.u.toFixed(3),
              signed(score(one), 3),
              <span key="bar" class="bar">
                <i style={{ width: `${(100 * one.n) / most}%` }} />
              </span>,
            ],
          }))}
        />
        <SharedOut puct={puct} />
      </div>
    </div>
  );
}

/** The next simulation that goes to another move than the one before it. */
function nextChange({ steps }: Puct, count: number, direction: 1 | -1): number | null {
  for (let index = count - 1 + direction; index > 0 && index < steps.length; index += direction) {
    if (steps[index]!.tried !== steps[index - 1]!.tried) return index + 1;
  }
  return null;
}

/** What temperatures make of the visits. */
function SharedOut({ puct }: { puct: Puct }) {
  const last = puct.steps.at(-1)!;
  return (
    <DataTable
      label="Chances by temperature"
      class="open-nodes lesson-table"
      name="temperature"
      caption={`After ${puct.steps.length - 1} simulations: the chance of each move to be played, in proportion to N^(1/T)`}
      columns={["Temperature T", ...last.moves.map(({ move }) => move)]}
      rows={puct.shared_out.map(({ temperature, chances }) => ({
        key: temperature,
        cells: [temperature, ...chances.map((chance) => `${(100 * chance).toFixed(1)}%`)],
      }))}
    />
  );
}
