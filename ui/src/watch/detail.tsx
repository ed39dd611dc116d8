import type { Score } from "../api/types";
import { boundText, valueText } from "../learn/words";
import { count, scoreText } from "../lib/format";
import { DataTable } from "../widgets/data-table";
import { TableBox } from "../widgets/table-box";
import { unit } from "./icicle-view";
import { endingWords, KINDS } from "./kinds";
import type { GrownNode, SearchedNode, Visit } from "./records";
import { frame, hovered, scores, select, selected, tree, visitSteps, visits, zoom, zoomed } from "./store";
import { Swatch } from "./swatch";
import type { ShownNode } from "./tree";
import { percent, timeText, worthPlayer, worthText } from "./words";

/** All that is known of the selected node. */
export function Detail() {
  const nodes = tree.value;
  const id = selected.value;
  const node = nodes[id];
  const record = frame.value?.record;
  if (!node || !record) return null;
  const parent = node.parent === null ? null : nodes[node.parent]!;
  const kind = KINDS[node.kind];
  const worth = worthText(node, scores.value);
  return (
    <section class="card-box detail" aria-label="Selected node" id="node-detail">
      <h2 data-node-move={node.move}>
        {parent ? `${node.by}: ${node.move}` : `Root: ${node.by} to move`}
        {node.children.length > 0 && zoomed.value !== id && (
          <button type="button" onClick={() => zoom(id)}>
            Zoom in
          </button>
        )}
      </h2>
      <p>
        <Swatch of={node.kind} /> <strong>{kind.name}.</strong> {kind.words}
      </p>
      <dl class="facts">
        <Fact name={capitalUnit()} value={count(node.weight)} />
        {parent && <Fact name="Of the parent" value={percent(node.weight / Math.max(parent.weight, 1))} />}
        {worth && <Fact name={`Worth for ${worthPlayer(node)}`} value={worth} />}
        {record.record === "snapshot" ? (
          <GrownFacts node={record.tree[id]!} />
        ) : (
          <SearchedFacts node={record.tree[id]!} />
        )}
      </dl>
      {record.record === "iteration" && (
        <Visits node={record.tree[id]!} begun={begunVisits(id)} open={node.kind === "open"} />
      )}
      <Replies nodes={nodes} node={node} />
    </section>
  );
}

const capitalUnit = () => (unit() === "visits" ? "Visits" : "Nodes");

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function GrownFacts({ node }: { node: GrownNode }) {
  const known = node.statistics;
  if (!known) return null;
  return (
    <>
      <Fact name="Q, mean value" value={known.q.toFixed(3)} />
      <Fact name="U, bonus" value={known.u.toFixed(3)} />
      <Fact name="Prior" value={percent(known.prior)} />
      <Fact name="Win, draw, loss" value={known.wdl.map(percent).join(" ")} />
      {known.moves_left !== undefined && (
        <Fact name="Plies left" value={String(Math.round(known.moves_left))} />
      )}
    </>
  );
}

function SearchedFacts({ node }: { node: SearchedNode }) {
  if (node.evaluation === undefined) return null;
  const text = scoreText({ centi: node.evaluation }, scores.value);
  return <Fact name={`Evaluation for ${node.to_move}`} value={text} />;
}

/** How many visits of a node had begun at the chosen moment. */
function begunVisits(id: number): number {
  if (visits.value === null) return Number.POSITIVE_INFINITY;
  return visitSteps.value.slice(0, visits.value).filter((step) => step.node === id).length;
}

interface VisitsProps {
  node: SearchedNode;
  /** How many visits had begun, and whether the last one was still under way. */
  begun: number;
  open: boolean;
}

/** Each time the node was searched. */
function Visits({ node, begun, open }: VisitsProps) {
  const shown = node.visits.slice(0, begun);
  const last = shown.length - 1;
  return (
    <TableBox label="Visits of the node">
      <table class="numbers visits">
        <caption>
          {shown.length === 1 ? "One visit" : `${shown.length} visits`}
          {node.visits_left_out ? `, ${node.visits_left_out} more are not listed` : ""}; values for{" "}
          {node.to_move}, who moves here
        </caption>
        <thead>
          <tr>
            <th scope="col">At</th>
            <th scope="col">Depth</th>
            <th scope="col">Window</th>
            <th scope="col">Value</th>
            <th scope="col">Ended by</th>
            <th scope="col">Nodes</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((visit, number) => (
            <tr key={number}>
              <td>{timeText(visit.us)}</td>
              <td>{depthText(visit)}</td>
              <td>{windowOf(visit)}</td>
              {open && number === last ? (
                <td colSpan={3}>under way</td>
              ) : (
                <>
                  <td>
                    {visit.value ? valueText({ value: visit.value, bound: visit.bound }, scores.value) : "–"}
                  </td>
                  <td>
                    {endingWords(visit.ended)}
                    {visit.pruned && <small class="faint">{prunedText(visit.pruned)}</small>}
                  </td>
                  <td>{count(visit.nodes)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function depthText({ depth, reduction, extension }: Visit): string {
  return `${depth}${reduction ? ` (−${reduction})` : ""}${extension ? ` (+${extension})` : ""}`;
}

/** A window of one hundredth only asks whether the value is above it. */
function windowOf({ alpha, beta }: Visit): string {
  const centi = (score: Score | undefined) => (score && "centi" in score ? score.centi : null);
  const [low, high] = [centi(alpha), centi(beta)];
  if (low !== null && high !== null && high - low === 1) {
    return `scout: > ${boundText(alpha!, "−", scores.value)}?`;
  }
  return `[${boundText(alpha ?? null, "−", scores.value)}, ${boundText(beta ?? null, "+", scores.value)}]`;
}

const PRUNED: Record<string, string> = {
  late: "late",
  futile: "futile",
  candidates: "no candidates",
  history: "bad history",
  exchange: "losing exchange",
};

function prunedText(pruned: Record<string, number>): string {
  const parts = Object.entries(pruned).filter(([, times]) => times > 0);
  if (parts.length === 0) return "";
  return `left out: ${parts.map(([name, times]) => `${PRUNED[name] ?? name} ×${times}`).join(", ")}`;
}

/** The moves that were tried here: the tree in words, for every way to read a page. */
function Replies({ nodes, node }: { nodes: ShownNode[]; node: ShownNode }) {
  if (node.children.length === 0) return null;
  return (
    <DataTable
      label="Moves that were tried"
      class="numbers"
      caption="Moves that were tried here"
      columns={["Move", capitalUnit(), "Share", "Worth", "Kind"]}
      rows={node.children.map((child) => {
        const reply = nodes[child]!;
        return {
          key: child,
          onPoint: () => point(child),
          cells: [
            <button key="select" type="button" class="move" onClick={() => select(child)}>
              {reply.move}
            </button>,
            count(reply.weight),
            percent(reply.weight / Math.max(node.weight, 1)),
            worthText(reply, scores.value),
            <>
              <Swatch of={reply.kind} /> {KINDS[reply.kind].name}
            </>,
          ],
        };
      })}
      onPointAway={() => point(null)}
    />
  );
}

function point(node: number | null): void {
  hovered.value = node;
}
