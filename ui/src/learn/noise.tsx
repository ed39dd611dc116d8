import type { Lesson, Noise } from "../api/lessons";
import { DataTable } from "../widgets/data-table";
import { usePosition, WalkBoard } from "./walk-board";

/** What noise does to priors, and to the visits that follow from them. */
export function NoiseView({ lesson, noise }: { lesson: Lesson; noise: Noise }) {
  const root = usePosition(lesson);
  const draws = noise.moves[0]?.draws ?? [];
  return (
    <div class="case" data-lesson="noise">
      <div class="case-board">{root && <WalkBoard root={root} line={lesson} moves={[]} />}</div>
      <div class="case-words">
        <DataTable
          label="Priors"
          class="open-nodes lesson-table"
          caption={`Priors of ${noise.to_move}’s moves, ${draws.length} draws of noise, and the visits of a search without noise and with it`}
          columns={["Move", "P", ...draws.map((_, index) => `Draw ${index + 1}`), "N without", "N with"]}
          rows={noise.moves.map((one) => ({
            key: one.move,
            cells: [one.move, one.p.toFixed(3), ...one.draws.map(Shaded), one.n, one.n_with_noise],
          }))}
        />
        <p class="faint">
          Each draw is (1 − {noise.epsilon}) · P + {noise.epsilon} · noise, and sums to 1. The noise comes
          from Dirichlet’s distribution with α = {noise.alpha} for each move.
        </p>
      </div>
    </div>
  );
}

/** A prior on a ground that is the stronger the larger it is. */
const Shaded = (prior: number) => (
  <span
    class="shaded"
    style={{
      background: `color-mix(in srgb, var(--accent-soft) ${Math.round(100 * Math.min(1, 2 * prior))}%, transparent)`,
    }}
  >
    {prior.toFixed(3)}
  </span>
);
