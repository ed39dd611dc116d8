import { beforeAll, expect, it, vi } from "vitest";
import type { GameInfo } from "../api/types";
import { firstGame, knownName, loadGames } from "./games";

const GAMES = [
  { name: "large", aliases: [] },
  {
    name: "small",
    aliases: ["not-so-large"],
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

it("begins with the first game", () => {
  expect(firstGame()).toBe("large");
});
