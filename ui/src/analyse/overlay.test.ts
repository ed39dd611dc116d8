import { expect, it } from "vitest";
import type { Report } from "../api/search";
import type { LegalMove, Position } from "../api/types";
import { reportOverlay } from "./overlay";

const move = (name: string, from: string | null = null): LegalMove => ({
  move: name,
  text: name,
  from,
  to: name,
  promotion: null,
  also: [],
});

const faults = { inaccuracy: 0.05, mistake: 0.1, blunder: 0.15, piece: null };

const position = (part: Partial<Position>) =>
  ({
    to_move: 0,
    family: "discs",
    columns: 8,
    rows: 8,
    steepness: 0.01,
    faults,
    style: { scores: { digits: 0, unit: "", full_moves: false } },
    legal: ["a1", "b1", "c1", "d1"].map((name) => move(name)),
    ...part,
  }) as Position;

const report = (centis: number[], visits?: number) =>
  ({
    depth: 14,
    lines: centis.map((centi, place) => ({ score: { centi }, moves: [`${"abcd"[place]}1`], visits })),
  }) as unknown as Report;

it("colours moves by what they give away, with the best one marked and the depth below", () => {
  const { values } = reportOverlay(position({}), report([0, -2, -900]));
  expect(values?.map(({ loss }) => loss)).toEqual(["best", "fine", "blunder"]);
  expect(values?.map(({ text, note }) => `${text} ${note}`)).toEqual(["0 d 14", "0 d 14", "−9 d 14"]);
});

it("colours them alike for the other player, whose values are shown in the same view", () => {
  const { values } = reportOverlay(position({ to_move: 1 }), report([300, 298, -600]));
  expect(values?.map(({ text, loss }) => `${text} ${loss}`)).toEqual(["−3 best", "−3 fine", "+6 blunder"]);
});

it("colours them by discs where those are counted, as reviews do, however steep the curve is", () => {
  const counted = position({ faults: { ...faults, piece: 0.025 } });
  const { values } = reportOverlay(counted, report([1000, 900, 700, 300]));
  expect(values?.map(({ loss }) => loss)).toEqual(["best", "fine", "inaccuracy", "blunder"]);
});

it("draws arrows where pieces move, and no depths on large boards", () => {
  const legal = [move("a1", "h8"), move("b1", "h8")];
  const { arrows } = reportOverlay(position({ family: "squares", legal }), report([0, -900]));
  expect(arrows?.map(({ from, to, loss }) => [from, to, loss])).toEqual([
    ["h8", "a1", "best"],
    ["h8", "b1", "blunder"],
  ]);
  const large = position({ family: "stones", columns: 19, rows: 19 });
  expect(reportOverlay(large, report([0])).values?.[0]?.note).toBeUndefined();
  expect(reportOverlay(position({}), report([0], 12_000)).values?.[0]?.note).toBe("12.0k");
});
