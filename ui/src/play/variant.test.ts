import { describe, expect, it } from "vitest";
import type { Variants } from "../api/types";
import { dialled } from "./variant";

const SIZES: Variants = {
  help: "COLUMNSxROWS",
  usual: "",
  lots: null,
  dials: [
    { name: "Columns", least: 4, most: 9, usual: 7 },
    { name: "Rows", least: 3, most: 6, usual: 6 },
  ],
  joined_by: "x",
};

describe("the numbers of a variant", () => {
  it("are read from its text", () => {
    expect(dialled(SIZES, "5x4")).toEqual([5, 4]);
  });

  it("are the usual ones for any text that has none within their bounds", () => {
    for (const text of ["", "5", "5x4x3", "5x", "axb", "3x4", "5x7", "5.5x4"]) {
      expect(dialled(SIZES, text), text).toEqual([7, 6]);
    }
  });
});
