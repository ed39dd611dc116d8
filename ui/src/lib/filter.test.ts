import { describe, expect, it } from "vitest";
import { placesWith } from "./filter";

describe("a filter by words", () => {
  const titles = ["Ada – Bob, 1-0", "Bob – Cleo, Paris", "Cleo – Ada, Rome"];
  it("finds the texts that have all words, in any order and case", () => {
    expect(placesWith(titles, "bob")).toEqual([0, 1]);
    expect(placesWith(titles, " rome ADA ")).toEqual([2]);
    expect(placesWith(titles, "bob rome")).toEqual([]);
  });
  it("leaves out nothing when there are no words", () => {
    expect(placesWith(titles, "  ")).toEqual([0, 1, 2]);
  });
});
