import { chartColour } from "../lib/colours";
import { count } from "../lib/format";
import { TableBox } from "../widgets/table-box";
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
      <TableBox label="Moves of the root">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Move</th>
              <th scope="col">Visits</th>
              <th scope="col">Share</th>
              <th scope="col">Q</th>
              <th scope="col">U</th>
              <th scope="col">Prior</th>
              <th scope="col">Win</th>
              <th scope="col">Draw</th>
              <th scope="col">Loss</th>
              <th scope="col">Worth</th>
            </tr>
          </thead>
          <tbody
            onPointerLeave={() => {
              hovered.value = null;
            }}
          >
            {top.children.map((id) => {
              const node = nodes[id]!;
              const known = record.tree[id]!.statistics;
              const place = charted.indexOf(node.move);
              return (
                <tr
                  key={id}
                  onPointerEnter={() => {
                    hovered.value = id;
                  }}
                >
                  <td>
                    <button type="button" class="move" onClick={() => select(id)}>
                      <span
                        class="dot"
                        style={{ background: place >= 0 && place < CHARTED ? chartColour(place) : "none" }}
                        aria-hidden="true"
                      />
                      {node.move}
                    </button>
                  </td>
                  <td>{count(node.weight)}</td>
                  <td>{percent(node.weight / Math.max(top.weight, 1))}</td>
                  <td>{known?.q.toFixed(3)}</td>
                  <td>{known?.u.toFixed(3)}</td>
                  <td>{known && percent(known.prior)}</td>
                  {[0, 1, 2].map((part) => (
                    <td key={part}>{known && percent(known.wdl[part]!)}</td>
                  ))}
                  <td>{worthText(node, scores.value)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableBox>
      <small class="faint">
        The next playout goes where Q + U is largest: Q is the mean of what came back, U a bonus that grows
        with the prior and shrinks with visits.
      </small>
    </section>
  );
}
