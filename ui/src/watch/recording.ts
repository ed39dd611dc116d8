import type { BeginRecord, EndRecord, IterationRecord, SnapshotRecord, TraceRecord } from "./records";

/** Nodes of all trees that are kept: some tens of megabytes. */
const MOST_KEPT = 100_000;
/** The newest trees are never dropped. */
const NEWEST = 8;

/** An iteration or a snapshot, with what is kept of it for good. */
export interface Frame {
  kind: "iteration" | "snapshot";
  /** Microseconds since the search began, over all its turns at the cores. */
  us: number;
  /** Depth of an iteration, playouts of a snapshot. */
  amount: number;
  nodes: number;
  complete: boolean;
  techniques: Record<string, number>;
  /** Visits, or nodes, of the root's moves. */
  rootMoves: Map<string, number>;
  /** The record with its tree; null if it was dropped to save memory. */
  record: IterationRecord | SnapshotRecord | null;
}

/** A search as far as it has been seen. It is never changed in place, so that the page can compare. */
export interface Recording {
  begin: BeginRecord | null;
  frames: Frame[];
  /** How the search has ended; null while it runs, or if nobody knows. */
  end: EndRecord | null;
  /** Where turns at the cores begin and end, by the number of frames before that. */
  breaks: { before: number; record: BeginRecord | EndRecord }[];
  /** When the present turn at the cores began. */
  turnUs: number;
  turns: number;
  /** Records that were lost on the way, because we were too slow. */
  lost: number;
  /** Trees that were dropped here, because there were too many. */
  forgotten: number;
  /** Nodes of the trees that are kept. */
  kept: number;
}

export function emptyRecording(): Recording {
  return {
    begin: null,
    frames: [],
    end: null,
    breaks: [],
    turnUs: 0,
    turns: 0,
    lost: 0,
    forgotten: 0,
    kept: 0,
  };
}

/** Adds a record. Where there are too many trees, those go that will be missed least. */
export function add(recording: Recording, record: TraceRecord, mostKept = MOST_KEPT): Recording {
  const { frames, breaks, begin, end, turns, turnUs, lost } = recording;
  if (record.record === "begin" || record.record === "end") {
    const next = { ...recording, breaks: [...breaks, { before: frames.length, record }] };
    if (record.record === "end") return { ...next, end: record, lost: lost + record.dropped };
    // A search that made room for others begins again: its time goes on.
    return { ...next, begin: begin ?? record, end: null, turns: turns + 1, turnUs: turnUs + (end?.us ?? 0) };
  }
  return thinned(
    {
      ...recording,
      frames: [...frames, frameOf(record, turnUs)],
      lost: lost + record.dropped,
      kept: recording.kept + record.tree.length,
    },
    mostKept,
  );
}

/** Drops trees until the rest may be kept. */
function thinned(recording: Recording, mostKept: number): Recording {
  let { frames, forgotten, kept } = recording;
  while (kept > mostKept) {
    const least = leastMissed(frames);
    if (!least?.record) break;
    kept -= least.record.tree.length;
    forgotten += 1;
    frames = frames.map((frame) => (frame === least ? { ...frame, record: null } : frame));
  }
  return { ...recording, frames, forgotten, kept };
}

function frameOf(record: IterationRecord | SnapshotRecord, turnUs: number): Frame {
  const us = turnUs + record.us;
  const rootMoves = new Map<string, number>();
  for (const node of record.tree) {
    if (node.ply === 1) rootMoves.set(node.move, "by" in node ? node.visits : node.nodes);
  }
  return record.record === "iteration"
    ? {
        kind: "iteration",
        us,
        amount: record.depth,
        nodes: record.nodes,
        complete: record.complete,
        techniques: record.techniques,
        rootMoves,
        record,
      }
    : {
        kind: "snapshot",
        us,
        amount: record.playouts,
        nodes: record.playouts,
        complete: true,
        techniques: {},
        rootMoves,
        record,
      };
}

/** Of the trees but the newest, the one that leaves the shortest gap in time. */
function leastMissed(frames: Frame[]): Frame | null {
  const kept = frames.filter((frame) => frame.record);
  let least: Frame | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < kept.length - NEWEST; index += 1) {
    const gap = kept[index + 1]!.us - (kept[index - 1]?.us ?? 0);
    if (gap < shortest) [least, shortest] = [kept[index]!, gap];
  }
  return least;
}

/** The records to be saved: those without their trees are left out and counted, as a slow reader's are. */
export function savedRecords({ frames, breaks }: Recording): TraceRecord[] {
  const records: TraceRecord[] = [];
  let missing = 0;
  const counted = <R extends { dropped: number }>(record: R): R => {
    const whole = missing > 0 ? { ...record, dropped: record.dropped + missing } : record;
    missing = 0;
    return whole;
  };
  const breaksBefore = (place: number) => {
    for (const { before, record } of breaks) {
      if (before === place) records.push(record.record === "end" ? counted(record) : record);
    }
  };
  frames.forEach((frame, place) => {
    breaksBefore(place);
    if (frame.record) records.push(counted(frame.record));
    else missing += 1;
  });
  breaksBefore(frames.length);
  return records;
}

/** What each technique did up to a frame, all iterations together. */
export function techniquesUpTo(frames: Frame[], last: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const frame of frames.slice(0, last + 1)) {
    for (const [name, value] of Object.entries(frame.techniques)) sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}
