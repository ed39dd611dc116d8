import type { TraceRecord } from "./records";

/** Larger files would not fit into a browser's memory. */
const MOST_BYTES = 256 * 1024 * 1024;
const VERSION = 1;

/** Why a file is not opened, in a sentence for people. */
export class TraceError extends Error {}

/** Reads a file; what is wrong with it is told with the line. */
export async function readTraceFile(file: File): Promise<{ records: TraceRecord[]; cut: boolean }> {
  if (file.size > MOST_BYTES) {
    throw new TraceError("The file is too large for a browser: record fewer plies or nodes.");
  }
  return parseTrace(await file.text());
}

/** Reads JSON lines. A last line that is cut off is left out: whoever wrote the file was stopped. */
export function parseTrace(text: string): { records: TraceRecord[]; cut: boolean } {
  const lines = text.split("\n");
  while (lines.at(-1)?.trim() === "") lines.pop();
  if (lines.length === 0) throw new TraceError("The file is empty.");
  const records: TraceRecord[] = [];
  let cut = false;
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      if (index > 0 && index === lines.length - 1) {
        cut = true;
        return;
      }
      throw new TraceError(`Line ${index + 1} is not JSON. A trace is what “outplay trace” writes.`);
    }
    records.push(checkedRecord(value, index + 1));
  });
  if (records[0]?.record !== "begin") {
    throw new TraceError("The first line is no “begin”: this is no trace, or its head is missing.");
  }
  return { records, cut };
}

/** The records as a file, each in a line. */
export function traceText(records: TraceRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** What a field must be. */
type Shape = "number" | "string" | "boolean" | "object" | "score" | "list";

const SHAPES: Record<TraceRecord["record"], Record<string, Shape>> = {
  begin: { version: "number", position: "string", search: "string", to_move: "string", options: "object" },
  iteration: { depth: "number", us: "number", nodes: "number", techniques: "object", tree: "list" },
  snapshot: { us: "number", playouts: "number", tree: "list" },
  end: { us: "number", nodes: "number", depth: "number", line: "list" },
};
const SEARCHED: Record<string, Shape> = {
  move: "string",
  to_move: "string",
  ply: "number",
  nodes: "number",
  visits: "list",
};
const VISIT: Record<string, Shape> = {
  us: "number",
  depth: "number",
  nodes: "number",
  bound: "string",
  ended: "string",
};
const GROWN: Record<string, Shape> = {
  move: "string",
  by: "string",
  ply: "number",
  visits: "number",
  score: "score",
};
const STATISTICS: Record<string, Shape> = { prior: "number", q: "number", u: "number", wdl: "list" };
const SCORES = ["centi", "win_in", "loss_in", "margin", "expected"];

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScore(value: unknown): boolean {
  return isObject(value) && SCORES.some((name) => typeof value[name] === "number");
}

function fits(value: unknown, shape: Shape): boolean {
  if (shape === "list") return Array.isArray(value);
  if (shape === "object") return isObject(value);
  if (shape === "score") return isScore(value);
  return shape === "number" ? Number.isFinite(value) : typeof value === shape;
}

/** Complains unless all fields are there and what they must be. */
function check(value: unknown, shapes: Record<string, Shape>, where: string): Fields {
  if (!isObject(value)) throw new TraceError(`${where} is no object.`);
  for (const [name, shape] of Object.entries(shapes)) {
    if (!fits(value[name], shape)) throw new TraceError(`${where} has no good “${name}”.`);
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
  if (kind === "end" && fields.score !== undefined && !isScore(fields.score)) {
    throw new TraceError(`${where} has no good “score”.`);
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
  if (node.statistics !== undefined) {
    const { wdl } = check(node.statistics, STATISTICS, where);
    if (!(wdl as unknown[]).every(Number.isFinite)) throw new TraceError(`${where} has no good “wdl”.`);
  }
  for (const visit of kind === "iteration" ? (node.visits as unknown[]) : []) {
    const { alpha, beta, value: worth, pruned } = check(visit, VISIT, where);
    for (const score of [alpha, beta, worth]) {
      if (score !== undefined && !isScore(score)) throw new TraceError(`${where} has a value that is none.`);
    }
    if (pruned !== undefined && !isObject(pruned)) throw new TraceError(`${where} has no good “pruned”.`);
  }
}
