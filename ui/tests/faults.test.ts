import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import type { Game } from "../src/api/types";
import { clickMove, closeBrowser, newPage, PATIENCE_MS, seen } from "./browser";
import { endServer, startServer, type TestServer } from "./server";

// The server is killed the way a power cut would, again and again, and comes back at the same address.
let data = "";
let server: TestServer;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "outplay-faults-"));
  server = await startServer(data);
});
afterEach(async () => {
  await endServer(server);
  await rm(data, { recursive: true, force: true });
});
afterAll(closeBrowser);

async function killAndRestart(): Promise<void> {
  await endServer(server, "SIGKILL");
  server = await startServer(data, new URL(server.url).host);
}

it("loses no move when the server is killed in mid-game, and the page goes on by itself", async () => {
  const page = await newPage();
  const made = await fetch(`${server.url}api/games`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ game: "othello", human: 0, levels: [null, 1] }),
  });
  const { id } = (await made.json()) as Game;
  const state = async () => (await (await fetch(`${server.url}api/games/${id}`)).json()) as Game;
  await page.goto(`${server.url}#/play/${id}`);
  for (let round = 0; round < 4; round += 1) {
    let game = await state();
    while (game.position.to_move !== 0) game = await state();
    await seen(page, game);
    const move = game.position.legal[round % game.position.legal.length]!;
    await clickMove(page, move);
    // As soon as the page shows the move, the server has promised to keep it.
    await page.waitForFunction(
      (count) => document.querySelectorAll(".move-list .move").length > count,
      game.position.moves.length,
    );
    await killAndRestart();
    const kept = (await state()).position.moves.map((played) => played.move);
    const played = [...game.position.moves.map((played) => played.move), move.move];
    expect(kept.slice(0, played.length)).toEqual(played);
  }
});

it("goes on with an analysis when the server is killed in the middle of it", async () => {
  const page = await newPage();
  await page.goto(`${server.url}#/analyse?game=chess&moves=e2e4,e7e5`);
  await page.locator("summary", { hasText: "Settings" }).click();
  await page.getByRole("combobox", { name: "Budget" }).selectOption("infinite");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.waitForSelector(".lines li");
  await killAndRestart();
  const searching = async () => {
    const answer = await fetch(`${server.url}api/health`);
    return ((await answer.json()) as { searches: { running: number } }).searches.running;
  };
  await expect.poll(searching, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  expect(await page.locator(".lines li").count()).toBeGreaterThan(0);
  await page.reload();
  await page.waitForFunction(() => document.body.textContent?.includes("e5"));
});
