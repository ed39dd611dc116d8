import type { Lesson, Noise } from "../api/lessons";
import { TableBox } from "../widgets/table-box";
import { usePosition, WalkBoard } from "./walk-board";

/** What noise does to priors, and to the visits that follow from them. */
export function NoiseView({ lesson, noise }: { lesson: Lesson; noise: Noise }) {
  const root = usePosition(lesson);
  const draws = noise.moves[0]?.draws ?? [];
  return (
    <div class="case" data-lesson="noise">
      <div class="case-board">{root && <WalkBoard root={root} line={lesson} moves={[]} />}</div>
      <div class="case-words">
        <TableBox label="Priors">
          <table class="open-nodes lesson-table">
            <caption>
              Priors of {noise.to_move}’s moves, {draws.length} draws of noise, and the visits of a search
              without noise and with it
            </caption>
            <thead>
              <tr>
                <th scope="col">Move</th>
                <th scope="col">P</th>
                {draws.map((_, index) => (
                  <th key={index} scope="col">
                    Draw {index + 1}
                  </th>
                ))}
                <th scope="col">N without</th>
                <th scope="col">N with</th>
              </tr>
            </thead>
            <tbody>
              {noise.moves.map((one) => (
                <tr key={one.move}>
                  <td>{one.move}</td>
                  <td>{one.p.toFixed(3)}</td>
                  {one.draws.map((prior, index) => (
                    <td key={index} style={{ background: shade(prior) }}>
                      {prior.toFixed(3)}
                    </td>
                  ))}
                  <td>{one.n}</td>
                  <td>{one.n_with_noise}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
        <p class="faint">
          Each draw is (1 − {noise.epsilon}) · P + {noise.epsilon} · noise, and sums to 1. The noise comes
          from Dirichlet’s distribution with α = {noise.alpha} for each move.
        </p>
      </div>
    </div>
  );
}

const shade = (prior: number) =>
  `color-mix(in srgb, var(--accent-soft) ${Math.round(100 * Math.min(1, 2 * prior))}%, transparent)`;
