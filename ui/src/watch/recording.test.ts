import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linesOf, readTrace, TraceError, traceText } from "./file";
import { endingWords } from "./kinds";
import { add, emptyRecording, savedRecords, techniquesUpTo } from "./recording";
import type { TraceRecord } from "./records";
import { beginRecord, endRecord, iterationRecord, snapshotRecord, visitAt } from "./sample";
import { savings } from "./savings";
import { countedGroups, GROUPS } from "./techniques";

const record = (all: TraceRecord[], most?: number) =>
  all.reduce((sum, one) => add(sum, one, most), emptyRecording());
const small = () => iterationRecord([["", null, [visitAt(0, 1)]]]);

describe("a recording", () => {
  it("keeps what is saved", () => {
    const all = [beginRecord(), small(), snapshotRecord(700, [3, 2]), endRecord()];
    expect(savedRecords(record(all))).toEqual(all);
  });

  it("goes on in time when the search made room for others", () => {
    const turn = [beginRecord(), snapshotRecord(400, [1]), endRecord(1000)];
    const { frames, turns, turnUs, end } = record([...turn, ...turn]);
    expect(frames.map((frame) => frame.us)).toEqual([400, 1400]);
    expect([turns, turnUs, end?.us]).toEqual([2, 1000, 1000]);
    expect(savedRecords(record([...turn, ...turn]))).toEqual([...turn, ...turn]);
  });

  it("drops trees that are missed least, keeps their numbers and says so", () => {
    const snapshots = Array.from({ length: 40 }, (_, index) =>
      snapshotRecord(1000 * (index + 1), [index, 1]),
    );
    const all = record([beginRecord(), ...snapshots, endRecord()], 60);
    expect(all.kept).toBeLessThanOrEqual(60);
    expect(all.forgotten).toBe(20);
    expect(all.frames).toHaveLength(40);
    expect(all.frames.slice(-8).every((frame) => frame.record)).toBe(true);
    expect(all.frames[10]!.rootMoves.get("m0")).toBe(10);
    const saved = savedRecords(all);
    expect(saved).toHaveLength(22);
    const dropped = saved.reduce((sum, one) => sum + ("dropped" in one ? one.dropped : 0), 0);
    expect(dropped).toBe(20);
  });

  it("counts records that were lost on the way", () => {
    const late = { ...small(), dropped: 3 };
    expect(record([beginRecord(), late, { ...endRecord(), dropped: 1 }]).lost).toBe(4);
  });

  it("adds up techniques", () => {
    const { frames } = record([beginRecord(), small(), small(), small()]);
    expect(techniquesUpTo(frames, 1)).toEqual({ table_cutoffs: 2 });
  });
});

describe("files", () => {
  const good = [beginRecord(), small(), snapshotRecord(5, [2]), endRecord()];
  const read = async (text: string) => {
    const records: TraceRecord[] = [];
    const cut = await readTrace(linesOf(new Blob([text])), (one) => records.push(one));
    return { records, cut };
  };
  const refused = async (text: string, words: RegExp) => {
    await expect(read(text)).rejects.toThrow(words);
    await expect(read(text)).rejects.toBeInstanceOf(TraceError);
  };

  it("reads what it writes", async () => {
    expect(await read(traceText(good))).toEqual({ records: good, cut: false });
  });

  it("reads a file in parts, wherever they end", async () => {
    const long = Array.from({ length: 3000 }, (_, index) => snapshotRecord(index, [index, 1]));
    const { records } = await read(traceText([beginRecord(), ...long]));
    expect(records).toHaveLength(3001);
  });

  it("leaves out a last line that is cut off", async () => {
    const text = traceText(good);
    expect(await read(text.slice(0, -20))).toEqual({ records: good.slice(0, -1), cut: true });
  });

  it("says what is wrong", async () => {
    const [begin, iteration, snapshot] = good.map((one) => JSON.stringify(one)) as [string, string, string];
    await refused("", /empty/);
    await refused("1. e4 e5", /Line 1 is not JSON/);
    await refused("[]", /Line 1 is no record/);
    await refused('{"record":"toString"}', /Line 1 is no record/);
    await refused(iteration, /no “begin”/);
    await refused(begin.replace('"version":1', '"version":2'), /version 2/);
    await refused(`${begin}\nnonsense\n${snapshot}`, /Line 2 is not JSON/);
    await refused(`${begin}\n${iteration.replace('"nodes":1', '"nodes":"x"')}`, /Line 2.*“nodes”/);
    await refused(`${begin}\n${iteration.replace('"centi":10', '"centi":"x"')}`, /Line 2, node 0.*“value”/);
    await refused(
      `${begin}\n${iteration.replace('"table_cutoffs":1', '"table_cutoffs":"1"')}`,
      /“techniques”/,
    );
    await refused(begin.replace('"game":"chess"', '"game":7'), /“game”/);
    await refused(`${begin}\n${snapshot.replace('"parent":0', '"parent":7')}`, /node 1, does not hang/);
    await refused(`${begin}\n${snapshot.replace('"parent":0,', "")}`, /node 1, does not hang/);
    await refused(`${begin}\n${snapshot.replace("0.4]", '"x"]')}`, /wdl/);
    await refused(`${begin}\n${snapshot.replace('{"expected":0.1}', "{}")}`, /“score”/);
  });
});

describe("techniques", () => {
  /** Names in the source of the search, so that nothing is without words here. */
  const source = (file: string) => readFileSync(`../crates/search/src/${file}`, "utf8");

  it("has words for every counter of the search", () => {
    const counts = source("alphabeta/counts.rs").split("counts! {")[1]!;
    const names = [...counts.matchAll(/^ {4}([a-z_]+),$/gm)].map((found) => found[1]!);
    expect(names.length).toBeGreaterThan(30);
    expect(GROUPS.flatMap(([, rows]) => rows.map(([counter]) => counter)).sort()).toEqual(names.sort());
  });

  it("has words for every ending of a visit", () => {
    const endings = source("trace.rs").split("pub enum NodeEnd {")[1]!.split("\n}")[0]!;
    const names = [...endings.matchAll(/^ {4}([A-Z][A-Za-z]+),$/gm)].map((found) =>
      found[1]!.replaceAll(/(?<!^)([A-Z])/g, "-$1").toLowerCase(),
    );
    expect(names).toContain("reverse-futility");
    for (const name of names)
      expect(endingWords(name)).not.toMatch(name === "searched" ? /searched/ : /-(?!cut)/);
  });

  it("shows what has counted, and what it does not know", () => {
    expect(countedGroups({ razorings: 2, table_cutoffs: 0, new_trick: 1 })).toEqual([
      ["Positions not searched", [["razorings", "Razoring", expect.any(String)]]],
      ["Other", [["new_trick", "new trick", ""]]],
    ]);
  });

  it("estimates savings by visits of the same depth that were searched in full", () => {
    const low = { bound: "at_most" } as const;
    const found = savings(
      iterationRecord([
        ["", null, [visitAt(0, 1000)]],
        ["a", 0, [visitAt(1, 900, { depth: 3 })]],
        ["b", 0, [visitAt(2, 100, { depth: 3, ...low })]],
        ["c", 0, [visitAt(3, 60, { depth: 3, ...low })]],
        ["d", 0, [visitAt(4, 5, { depth: 3, ended: "null-move" })]],
        ["e", 0, [visitAt(5, 10, { depth: 2, reduction: 1, ...low })]],
        ["f", 0, [visitAt(6, 1, { depth: 9, ended: "table" })]],
      ]),
    );
    expect(found.get("null_move_cutoffs")).toEqual({ visits: 1, spent: 5, saved: 75 });
    expect(found.get("reduced_moves")).toEqual({ visits: 1, spent: 10, saved: 70 });
    expect(found.get("table_cutoffs")).toEqual({ visits: 1, spent: 1, saved: null });
  });
});
