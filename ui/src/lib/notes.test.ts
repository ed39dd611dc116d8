import { describe, expect, it } from "vitest";
import { drawnIn, factsIn, withDrawn, withWords, wordsOf } from "./notes";

const FILE = "A mistake. [%eval -1.20] [%clk 0:04:59] [%csl Re5] [%cal Gg8f6,Bb8c6]";

describe("comments of files", () => {
  it("say their words to people, and their numbers in words", () => {
    expect(wordsOf(FILE).trim()).toBe("A mistake.");
    expect(wordsOf("[%clk 0:00:01]")).toBe("");
    expect(factsIn("[%toString 1] [%constructor 2]")).toEqual([]);
    expect(factsIn(FILE)).toEqual(["valued at -1.20 in the file", "0:04:59 left on the clock"]);
    expect(wordsOf("as [1] says, 50% of all")).toBe("as [1] says, 50% of all");
  });

  it("hold what is drawn, with colours, whatever else they hold", () => {
    expect(drawnIn(FILE)).toEqual([
      { from: "e5", to: "e5", colour: "R" },
      { from: "g8", to: "f6", colour: "G" },
      { from: "b8", to: "c6", colour: "B" },
    ]);
    expect(drawnIn("[%csl nonsense,,Gz99x,G] [%cal e2e4]")).toEqual([]);
    expect(drawnIn("[%cal Gk10s19]")).toEqual([{ from: "k10", to: "s19", colour: "G" }]);
  });

  it("keep their commands when their words change, and their words when something is drawn", () => {
    const changed = withWords(FILE, "A blunder! ");
    expect(wordsOf(changed)).toBe("A blunder! ");
    expect(drawnIn(changed)).toEqual(drawnIn(FILE));
    expect(factsIn(changed)).toEqual(factsIn(FILE));
    expect(withWords("", " as typed")).toBe(" as typed");

    const drawn = withDrawn("Look! [%clk 0:01:00]", [
      { from: "e4", to: "e4" },
      { from: "e2", to: "e4", colour: "Y" },
    ]);
    expect(drawn).toBe("[%clk 0:01:00] [%csl Ge4] [%cal Ye2e4] Look! ");
    expect(withDrawn(drawn, [])).toBe("[%clk 0:01:00] Look! ");
  });
});
