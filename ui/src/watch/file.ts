import type { TraceRecord } from "./records";

const VERSION = 1;

/** Why a file is not opened, in a sentence for people. */
export class TraceError extends Error {}

/** The lines of a file, one after the other, so that a file of any size needs the memory of one. */
export async function* linesOf(file: Blob): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

/**
 * Reads JSON lines and hands over each record; what is wrong is told with the line. A last line that is cut off is left out, since whoever
 * wrote the file was stopped: then the answer is true.
 */
export async function readTrace(
  lines: AsyncIterable<string> | Iterable<string>,
  take: (record: TraceRecord) => void,
): Promise<boolean> {
  let number = 0;
  let taken = 0;
  let broken = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    if (broken > 0) throw notJson(broken);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      broken = number;
      continue;
    }
    const record = checkedRecord(value, number);
    if (taken === 0 && record.record !== "begin") {
      throw new TraceError("The first line is no “begin”: this is no trace, or its head is missing.");
    }
    take(record);
    taken += 1;
  }
  if (taken === 0) throw broken > 0 ? notJson(broken) : new TraceError("The file is empty.");
  return broken > 0;
}

function notJson(line: number): TraceError {
  return new TraceError(`Line ${line} is not JSON. A trace is what “outplay trace” writes.`);
}

/** The records as a file, each in a line. */
export function traceText(records: TraceRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** What a field must be. */
type Shape = "number" | "string" | "object" | "score" | "list" | "numbers" | "strings" | "counts";
/** Fields by name; those with a question mark may be absent. */
type Shapes = Record<string, Shape>;

const SHAPES: Record<TraceRecord["record"], Shapes> = {
  begin: {
    version: "number",
    "game?": "string",
    position: "string",
    search: "string",
    to_move: "string",
    options: "counts",
  },
  iteration: {
    depth: "number",
    us: "number",
    nodes: "number",
    techniques: "counts",
    left_out: "number",
    dropped: "number",
    tree: "list",
  },
  snapshot: { us: "number", playouts: "number", left_out: "number", dropped: "number", tree: "list" },
  end: {
    us: "number",
    nodes: "number",
    depth: "number",
    "stopped?": "string",
    "reason?": "string",
    line: "strings",
    "score?": "score",
    dropped: "number",
  },
};
const SEARCHED: Shapes = {
  move: "string",
  to_move: "string",
  ply: "number",
  "evaluation?": "number",
  nodes: "number",
  visits: "list",
  "visits_left_out?": "number",
};
const VISIT: Shapes = {
  us: "number",
  depth: "number",
  "reduction?": "number",
  "extension?": "number",
  "alpha?": "score",
  "beta?": "score",
  "value?": "score",
  bound: "string",
  ended: "string",
  nodes: "number",
  "pruned?": "counts",
};
const GROWN: Shapes = {
  move: "string",
  by: "string",
  ply: "number",
  visits: "number",
  score: "score",
  "statistics?": "object",
};
const STATISTICS: Shapes = {
  prior: "number",
  q: "number",
  u: "number",
  wdl: "numbers",
  "moves_left?": "number",
};
const SCORES = ["centi", "win_in", "loss_in", "margin", "expected"];

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isNumber = (value: unknown) => Number.isFinite(value);
const isText = (value: unknown) => typeof value === "string";

const FITS: Record<Shape, (value: unknown) => boolean> = {
  number: isNumber,
  string: isText,
  object: isObject,
  score: (value) => isObject(value) && SCORES.some((name) => isNumber(value[name])),
  list: Array.isArray,
  numbers: (value) => Array.isArray(value) && value.every(isNumber),
  strings: (value) => Array.isArray(value) && value.every(isText),
  counts: (value) => isObject(value) && Object.values(value).every(isNumber),
};

/** Complains unless all fields are what they must be. */
function check(value: unknown, shapes: Shapes, where: string): Fields {
  if (!isObject(value)) throw new TraceError(`${where} is no object.`);
  for (const [key, shape] of Object.entries(shapes)) {
    const name = key.replace("?", "");
    const absent = name !== key && value[name] === undefined;
    if (!absent && !FITS[shape](value[name])) throw new TraceError(`${where} has no good “${name}”.`);
  }
  return value;
}

function checkedRecord(value: unknown, line: number): TraceRecord {
  const where = `Line ${line}`;
  const kind = isObject(value) ? String(value.record) : "";
  if (!Object.hasOwn(SHAPES, kind)) {
    throw new TraceError(`${where} is no record of a trace. A trace is what “outplay trace” writes.`);
  }
  const fields = check(value, SHAPES[kind as TraceRecord["record"]], where);
  if (kind === "begin" && fields.version !== VERSION) {
    throw new TraceError(`The trace has version ${fields.version}; this page reads version ${VERSION}.`);
  }
  if (kind === "iteration" || kind === "snapshot") {
    (fields.tree as unknown[]).forEach((node, id) => {
      checkNode(node, id, kind, `${where}, node ${id},`);
    });
  }
  return value as TraceRecord;
}

function checkNode(value: unknown, id: number, kind: string, where: string): void {
  const node = check(value, kind === "iteration" ? SEARCHED : GROWN, where);
  const { parent } = node;
  const rooted = id === 0 ? parent === undefined : Number.isInteger(parent);
  if (node.id !== id || !rooted || (id > 0 && !((parent as number) >= 0 && (parent as number) < id))) {
    throw new TraceError(`${where} does not hang on a node before it.`);
  }
  if (node.statistics !== undefined) check(node.statistics, STATISTICS, where);
  if (kind === "iteration") for (const visit of node.visits as unknown[]) check(visit, VISIT, where);
}
