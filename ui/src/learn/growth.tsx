import type { Growth } from "../api/lessons";
import { exact } from "../lib/format";
import { TableBox } from "../widgets/table-box";
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
      <TableBox label="Leaves looked at">
        <table class="open-nodes lesson-table">
          <caption>
            Leaves looked at in trees with {branching} moves a position: all, and with moves in three orders.
            “By chance” is the mean of {trees} trees.
          </caption>
          <thead>
            <tr>
              <th scope="col">Depth d</th>
              <th scope="col">b^d</th>
              <th scope="col">Worst order</th>
              <th scope="col">By chance</th>
              <th scope="col">b^(3d/4)</th>
              <th scope="col">Best order</th>
              <th scope="col">b^⌈d/2⌉ + b^⌊d/2⌋ − 1</th>
            </tr>
          </thead>
          <tbody>
            {depths.map((at) => (
              <tr key={at.depth}>
                <td>{at.depth}</td>
                <td>{exact(at.all)}</td>
                <td>{exact(at.worst_order)}</td>
                <td>{exact(Math.round(at.random_order))}</td>
                <td>{exact(Math.round(at.rule_of_thumb))}</td>
                <td>{exact(at.best_order)}</td>
                <td>{exact(at.fewest)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      <p class="faint">
        At depth {last.depth}, the best order looks at {share(last.best_order / last.all)} of all leaves, an
        order by chance at {share(last.random_order / last.all)}. Trees of more than 40,000 leaves are left
        out.
      </p>
    </div>
  );
}

const share = (part: number) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)}%`;
