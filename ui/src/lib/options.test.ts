import { describe, expect, it } from "vitest";
import type { OptionInfo, SearchInfo } from "../api/search";
import {
  asText,
  findOptions,
  inGroups,
  isOption,
  keptWith,
  mattering,
  takenBy,
  toTheEnd,
  withOption,
} from "./options";

const row = (name: string, help: string, more: Partial<OptionInfo> = {}): OptionInfo => ({
  name,
  kind: "int",
  default: 1,
  help,
  ...more,
});
const OPTIONS = [
  row("hash", "Mebibytes of the table.", { max: 64, attributes: [{ memory: { bytes: 2 ** 20 } }, "kept"] }),
  row("lmr_depth", "From which depth on late moves are reduced.", {
    group: "Selectivity",
    attributes: ["expert"],
  }),
  row("null_move", "Whether a side may pass, for late reductions.", {
    kind: "bool",
    default: true,
    group: "Selectivity",
    attributes: ["selective"],
  }),
  row("evaluation", "What judges.", { kind: "choice", default: "full", choices: ["full", "material"] }),
];
const SEARCH: SearchInfo = { name: "pvs", title: "", for_experts: false, summary: "", options: OPTIONS };

describe("options of a search", () => {
  it("are kept where they differ from the usual ones", () => {
    const once = withOption(SEARCH, {}, "hash", "64");
    expect(once).toEqual({ hash: "64" });
    const twice = withOption(SEARCH, once, "null_move", false);
    expect(asText(twice)).toEqual({ hash: "64", null_move: "false" });
    expect(withOption(SEARCH, twice, "hash", 1)).toEqual({ null_move: false });
  });

  it("are shown where they matter", () => {
    const marked = (name: string, attribute?: string) =>
      row(name, "", { kind: "int", default: 0, attributes: attribute ? [attribute] : [] });
    const options = [
      marked("hash"),
      marked("overhead", "clock"),
      marked("variety", "play"),
      marked("lead", "visits"),
    ];
    const names = (counts_playouts: boolean, playing: boolean) =>
      mattering({ ...SEARCH, options, counts_playouts }, playing).map(({ name }) => name);
    expect(names(false, false)).toEqual(["hash"]);
    expect(names(true, false)).toEqual(["hash", "lead"]);
    expect(names(true, true)).toEqual(["hash", "overhead", "variety", "lead"]);
  });

  it("are left out where a game does not have them", () => {
    const values = { hash: "64", discs: true, evaluation: "patterns" };
    expect(takenBy(SEARCH, values)).toEqual({ hash: "64" });
    expect(takenBy(SEARCH, { evaluation: "material" })).toEqual({ evaluation: "material" });
    expect(keptWith(SEARCH, values, {})).toEqual({ discs: true, evaluation: "patterns" });
    expect(keptWith(SEARCH, values, { evaluation: "material" })).toEqual({
      discs: true,
      evaluation: "material",
    });
  });

  it("say what they are", () => {
    const [hash, depth] = OPTIONS;
    expect(isOption(depth!, "expert")).toBe(true);
    expect(isOption(hash!, "expert")).toBe(false);
    expect(isOption(hash!, "memory")).toBe(true);
    expect(toTheEnd(OPTIONS, 2 ** 25)).toEqual({ hash: 32, null_move: false });
    expect(toTheEnd(OPTIONS, 2 ** 40)).toEqual({ hash: 64, null_move: false });
    const titles = inGroups(OPTIONS).map(([title, options]) => [title, options.length]);
    expect(titles).toEqual([
      ["", 2],
      ["Selectivity", 2],
    ]);
  });

  it("are found by words of their names, then by words of their help", () => {
    const names = (text: string) => findOptions(OPTIONS, text).map(({ name }) => name);
    expect(names("")).toEqual(["hash", "lmr_depth", "null_move", "evaluation"]);
    expect(names("move")).toEqual(["null_move", "lmr_depth"]);
    expect(names("NULL move")).toEqual(["null_move"]);
    expect(names("late reduc")).toEqual(["lmr_depth", "null_move"]);
    expect(names("nothing of this")).toEqual([]);
  });
});
