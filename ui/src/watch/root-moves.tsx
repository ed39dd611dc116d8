import { chartColour } from "../lib/colours";
import { count } from "../lib/format";
import { DataTable } from "../widgets/data-table";
import { CHARTED, chartedMoves } from "./chart";
import { frame, hovered, scores, select, tree } from "./store";
import { percent, worthText } from "./words";

/** The root's moves of a Monte Carlo search with all that decides between them. */
export function RootMoves() {
  const record = frame.value?.record;
  const nodes = tree.value;
  const top = nodes[0];
  if (record?.record !== "snapshot" || !top) return null;
  const charted = chartedMoves();
  return (
    <section class="card-box root-moves" aria-label="Moves of the root">
      <h2>Moves of the root</h2>
      <DataTable
        label="Moves of the root"
        class="numbers"
        columns={["Move", "Visits", "Share", "Q", "U", "Prior", "Win", "Draw", "Loss", "Worth"]}
        rows={top.children.map((id) => {
          const node = nodes[id]!;
          const known = record.tree[id]!.statistics;
          const place = charted.indexOf(node.move);
          return {
            key: id,
            onPoint: () => {
              hovered.value = id;
            },
            cells: [
              <button key="select" type="button" class="move" onClick={() => select(id)}>
                <span
                  class="dot"
                  style={{ background: place >= 0 && place < CHARTED ? chartColour(place) : "none" }}
                  aria-hidden="true"
                />
                {node.move}
              </button>,
              count(node.weight),
              percent(node.weight / Math.max(top.weight, 1)),
              known?.q.toFixed(3),
              known?.u.toFixed(3),
              known && percent(known.prior),
              ...[0, 1, 2].map((part) => known && percent(known.wdl[part]!)),
              worthText(node, scores.value),
            ],
          };
        })}
        onPointAway={() => {
          hovered.value = null;
        }}
      />
      <small class="faint">
        The next playout goes where Q + U is largest: Q is the mean of what came back, U a bonus that grows
        with the prior and shrinks with visits.
      </small>
    </section>
  );
}
