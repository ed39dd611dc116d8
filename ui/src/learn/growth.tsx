import type { Growth } from "../api/lessons";
import { exact } from "../lib/format";
import { DataTable } from "../widgets/data-table";
import { LogChart } from "./log-chart";

/** How much of a tree alpha-beta looks at, by its depth. */
export function GrowthView({ growth }: { growth: Growth }) {
  const { branching, trees, depths } = growth;
  const last = depths.at(-1)!;
  return (
    <div class="measured" data-lesson="growth">
      <LogChart
        label="Leaves looked at"
        depths={depths.map(({ depth }) => depth)}
        curves={[
          { name: "worst order: b^d", values: depths.map((at) => at.worst_order) },
          { name: "by chance", values: depths.map((at) => at.random_order) },
          { name: "b^(3d/4)", values: depths.map((at) => at.rule_of_thumb), formula: true },
          { name: "best move first", values: depths.map((at) => at.best_order) },
        ]}
      />
      <DataTable
        label="Leaves looked at"
        class="open-nodes lesson-table"
        caption={`Leaves looked at in trees with ${branching} moves a position: all, and with moves in three orders. “By chance” is the mean of ${trees} trees.`}
        columns={[
          "Depth d",
          "b^d",
          "Worst order",
          "By chance",
          "b^(3d/4)",
          "Best order",
          "b^⌈d/2⌉ + b^⌊d/2⌋ − 1",
        ]}
        rows={depths.map((at) => ({
          key: at.depth,
          cells: [
            at.depth,
            exact(at.all),
            exact(at.worst_order),
            exact(Math.round(at.random_order)),
            exact(Math.round(at.rule_of_thumb)),
            exact(at.best_order),
            exact(at.fewest),
          ],
        }))}
      />
      <p class="faint">
        At depth {last.depth}, the best order looks at {share(last.best_order / last.all)} of all leaves, an
        order by chance at {share(last.random_order / last.all)}. Trees of more than 40,000 leaves are left
        out.
      </p>
    </div>
  );
}

const share = (part: number) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)}%`;
