import { expect, it } from "vitest";
import { lostBy } from "./endgame";

it("counts what a move of a solved endgame gives away by the result, and by discs where that stays", () => {
  expect(lostBy(2, 2, 0.025)).toBe(0);
  expect(lostBy(2, 0, 0.025)).toBe(0.5);
  expect(lostBy(2, -2, 0.025)).toBe(1);
  expect(lostBy(12, 2, 0.025)).toBeCloseTo(0.25);
  expect(lostBy(-2, -12, 0.025)).toBeCloseTo(0.25);
  expect(lostBy(12, 10, 0.025)).toBeCloseTo(0.05);
});
