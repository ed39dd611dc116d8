import { describe, expect, it } from "vitest";
import { toggled } from "./drawn";

const ring = { from: "e4", to: "e4" };
const arrow = { from: "e2", to: "e4" };

describe("marks of one's own", () => {
  it("are drawn once and removed by drawing them again", () => {
    const both = toggled(toggled([], ring), arrow);
    expect(both).toEqual([ring, arrow]);
    expect(toggled(both, ring)).toEqual([arrow]);
  });
  it("have a direction", () => {
    expect(toggled([arrow], { from: "e4", to: "e2" })).toHaveLength(2);
  });
});
