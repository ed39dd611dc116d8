import { expect, it } from "vitest";
import { explainedDepth } from "./explained";

it("goes as deep as a tree of all moves stays small", () => {
  expect(explainedDepth(361)).toBe(1);
  expect(explainedDepth(225)).toBe(1);
  expect(explainedDepth(20)).toBe(2);
  expect(explainedDepth(7)).toBe(3);
  expect(explainedDepth(1)).toBe(3);
  expect(explainedDepth(0)).toBe(3);
});
