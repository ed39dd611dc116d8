import type { Score } from "../api/types";

/** The records of a trace; `docs/trace.md` describes every field. */
export type TraceRecord = BeginRecord | IterationRecord | SnapshotRecord | EndRecord;

export interface BeginRecord {
  record: "begin";
  version: number;
  game?: string;
  position: string;
  to_move: string;
  search: string;
  settings: Record<string, string>;
  options: { plies: number; most_nodes: number; least_visits: number };
}

export interface IterationRecord {
  record: "iteration";
  depth: number;
  complete: boolean;
  us: number;
  nodes: number;
  techniques: Record<string, number>;
  left_out: number;
  dropped: number;
  tree: SearchedNode[];
}

export interface SearchedNode {
  id: number;
  parent?: number;
  move: string;
  to_move: string;
  ply: number;
  evaluation?: number;
  nodes: number;
  visits: Visit[];
  visits_left_out?: number;
}

export type Bound = "exact" | "at_least" | "at_most";

export interface Visit {
  us: number;
  place: number;
  depth: number;
  reduction?: number;
  extension?: number;
  alpha?: Score;
  beta?: Score;
  value?: Score;
  bound: Bound;
  ended: string;
  nodes: number;
  pruned?: Record<string, number>;
}

export interface SnapshotRecord {
  record: "snapshot";
  us: number;
  playouts: number;
  last: boolean;
  left_out: number;
  dropped: number;
  tree: GrownNode[];
}

export interface GrownNode {
  id: number;
  parent?: number;
  move: string;
  by: string;
  ply: number;
  visits: number;
  score: Score;
  statistics?: Statistics;
}

export interface Statistics {
  prior: number;
  q: number;
  u: number;
  wdl: [number, number, number];
  moves_left?: number;
}

export interface EndRecord {
  record: "end";
  us: number;
  nodes: number;
  depth: number;
  stopped?: string;
  reason?: string;
  line: string[];
  score?: Score;
  dropped: number;
}
