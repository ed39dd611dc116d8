import type { BeginRecord, EndRecord, IterationRecord, SearchedNode, SnapshotRecord, Visit } from "./records";

/** Small records for tests. */
export function beginRecord(): BeginRecord {
  return {
    record: "begin",
    version: 1,
    game: "chess",
    position: "startpos",
    to_move: "White",
    search: "pvs",
    settings: {},
    options: { plies: 2, most_nodes: 100, least_visits: 1 },
  };
}

export function endRecord(us = 1000): EndRecord {
  return { record: "end", us, nodes: 100, depth: 2, stopped: "depth", line: ["e4"], dropped: 0 };
}

export function visitAt(us: number, nodes: number, more: Partial<Visit> = {}): Visit {
  return { us, place: 1, depth: 1, bound: "exact", ended: "searched", value: { centi: 10 }, nodes, ...more };
}

/** A tree of moves: each node names its parent, and its visits. */
export function iterationRecord(rows: [string, number | null, Visit[]][], us = 500): IterationRecord {
  const plies: number[] = [];
  const tree = rows.map(([move, parent, visits], id): SearchedNode => {
    const ply = parent === null ? 0 : plies[parent]! + 1;
    plies.push(ply);
    const nodes = visits.reduce((sum, visit) => sum + visit.nodes, 0);
    return {
      id,
      ...(parent === null ? {} : { parent }),
      move,
      to_move: ply % 2 === 0 ? "White" : "Black",
      ply,
      nodes,
      visits,
    };
  });
  return {
    record: "iteration",
    depth: 2,
    complete: true,
    us,
    nodes: tree[0]?.nodes ?? 0,
    techniques: { table_cutoffs: 1 },
    left_out: 0,
    dropped: 0,
    tree,
  };
}

export function snapshotRecord(us: number, visits: number[]): SnapshotRecord {
  const whole = visits.reduce((sum, one) => sum + one, 1);
  return {
    record: "snapshot",
    us,
    playouts: whole,
    last: false,
    left_out: 0,
    dropped: 0,
    tree: [
      { id: 0, move: "", by: "Black", ply: 0, visits: whole, score: { expected: 0 } },
      ...visits.map((one, index) => ({
        id: index + 1,
        parent: 0,
        move: `m${index}`,
        by: "Black",
        ply: 1,
        visits: one,
        score: { expected: 0.1 },
        statistics: { prior: 0.5, q: 0.1, u: 0.2, wdl: [0.5, 0.1, 0.4] as [number, number, number] },
      })),
    ],
  };
}
