import { beforeAll, expect, it, vi } from "vitest";
import type { GameInfo, Lesson } from "../api/types";
import { firstGame, knownName, lessons, loadGames } from "./games";

const lesson = (name: string, cells: number, simulations: number | null = null) =>
  ({ name, cells, simulations }) as Lesson;

const GAMES = [
  { name: "large", aliases: [], lessons: [lesson("large", 64)] },
  {
    name: "small",
    aliases: ["not-so-large"],
    lessons: [lesson("simulated", 9, 20), lesson("small", 9)],
  },
] as unknown as GameInfo[];

beforeAll(async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(GAMES)));
  await loadGames();
});

it("knows games by their other names, however they are written, and leaves rules as they are", () => {
  expect(["small", "Not so large", "not_so_large:5x4", "SMALL:a:b"].map(knownName)).toEqual([
    "small",
    "small",
    "small:5x4",
    "small:a:b",
  ]);
  expect(knownName("nobody:3")).toBe("nobody:3");
});

it("begins with the first game, and with the lessons that are the easiest", () => {
  expect(firstGame()).toBe("large");
  expect(lessons().map(({ name }) => name)).toEqual(["small", "large", "simulated"]);
});
