import { useState } from "preact/hooks";
import type { Lesson, SelfPlayed } from "../api/lessons";
import { signed } from "../lib/format";
import { useKeys } from "../lib/use";
import { DataTable } from "../widgets/data-table";
import { usePosition, WalkBoard } from "./walk-board";

const POLICY_SHOWN = 4;

/** A game of self-play: what is learned from each of its positions. */
export function SelfPlayView({ lesson, played }: { lesson: Lesson; played: SelfPlayed }) {
  const root = usePosition(lesson);
  const { positions, moves } = played;
  const [chosen, setChosen] = useState(0);
  const place = Math.min(chosen, positions.length - 1);
  const go = (to: number) => setChosen(Math.max(0, Math.min(positions.length - 1, to)));
  useKeys({ ArrowRight: () => go(place + 1), ArrowLeft: () => go(place - 1) });
  const here = positions[place]!;
  return (
    <div class="case" data-lesson="self-play">
      <div class="case-board">
        {root && <WalkBoard root={root} line={lesson} moves={moves.slice(0, place)} />}
        <p>
          {here.by} moves. To be learned here: the shares{" "}
          {here.policy
            .filter(({ share }) => share > 0)
            .slice(0, POLICY_SHOWN)
            .map(({ move, share }) => `${move} ${Math.round(100 * share)}%`)
            .join(", ")}
          , and the result z = {signed(here.z, 0)}.
        </p>
      </div>
      <div class="case-words">
        <p>
          {played.result} after {moves.length} moves. Each had {played.simulations} simulations; the first{" "}
          {played.drawn} were drawn by lot. The game makes {played.samples} samples: one for each position,
          and one for its mirror image.
        </p>
        <DataTable
          label="Positions of the game"
          class="open-nodes lesson-table"
          columns={["Move", "Played", "Most visits", "q", "z"]}
          rows={positions.map((one, index) => ({
            key: index,
            class: index === place ? "here" : "",
            cells: [
              <button key="go" type="button" class="link" onClick={() => go(index)}>
                {index + 1} {one.by}
              </button>,
              one.move,
              `${one.policy[0]?.move} ${Math.round(100 * (one.policy[0]?.share ?? 0))}%`,
              signed(one.q, 2),
              signed(one.z, 0),
            ],
          }))}
        />
        <p class="faint">
          q: the value that the search found; z: how the game ended, both for who moves. Arrow keys go through
          the game.
        </p>
      </div>
    </div>
  );
}
