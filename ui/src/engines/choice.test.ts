import { expect, it } from "vitest";
import type { ProgramInfo } from "../api/programs";
import { chosenProgram, commandWords, isProgramChoice, limitFor, optionLines, programChoice } from "./choice";

const uci: ProgramInfo = {
  id: "abc",
  name: "Fish",
  protocol: "uci",
  command: "fish",
  given: false,
  plays: true,
  tells_thoughts: true,
  limits: ["seconds", "nodes", "depth"],
};
const gtp: ProgramInfo = { ...uci, id: "given:x", tells_thoughts: false, limits: ["seconds"] };

it("finds a program by the choice that stands for it, and nothing else", () => {
  expect(chosenProgram([uci, gtp], programChoice("given:x"))).toBe(gtp);
  expect(chosenProgram([uci], programChoice("given:x"))).toBeUndefined();
  expect(chosenProgram([uci], "abc")).toBeUndefined();
  expect(["program:gone", "pvs", "network:program"].map(isProgramChoice)).toEqual([true, false, false]);
});

it("takes a command line apart as people write it", () => {
  expect(commandWords('  -x "two words"  last ')).toEqual(["-x", "two words", "last"]);
  expect(commandWords('"" "a')).toEqual(["", '"a']);
  expect(commandWords("  ")).toEqual([]);
});

it("reads options line by line, and says when a line is none", () => {
  expect(optionLines("Hash = 64\n\nSyzygyPath=/a=b\nClear Hash=")).toEqual({
    Hash: "64",
    SyzygyPath: "/a=b",
    "Clear Hash": "",
  });
  expect(optionLines("")).toEqual({});
  expect(optionLines("Hash 64")).toBeNull();
  expect(optionLines("= 3")).toBeNull();
});

it("gives a program the budget of the engine where its protocol has words for it", () => {
  for (const limit of [{ seconds: 2 }, { nodes: 9 }, { depth: 3 }, { infinite: true }]) {
    expect(limitFor(uci, limit)).toBe(limit);
  }
  expect(limitFor(gtp, { seconds: 2 })).toEqual({ seconds: 2 });
  for (const limit of [{ nodes: 9 }, { depth: 3 }, { infinite: true }]) {
    expect(limitFor(gtp, limit)).toEqual({ seconds: 5 });
  }
});
