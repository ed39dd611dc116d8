import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Game, LegalMove, NewGame } from "../src/api/types";

export const url = () => `${(process.env.OUTPLAY_URL ?? "").replace(/\/$/, "")}/`;
let browser: Browser | null = null;
/** How long anything may take on a machine that has other work as well. */
export const PATIENCE_MS = 60_000;

/** A page of its own, with its own storage. Errors in the page fail the test that opened it. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM!,
    args: ["--no-sandbox"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("pageerror", (error) => {
    throw error;
  });
  return page;
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = null;
}

/** Chooses a game on the setup page and starts it; the answer is the game's name on the server. */
export async function startGame(page: Page, game: string, side = "0", level = 1): Promise<string> {
  await page.goto(`${url()}#/play`);
  await page.reload();
  await page.locator(`.card:has(input[value="${game}"])`).click();
  await page.locator(`.segments label:has(input[value="${side}"])`).click();
  const opponent = page.getByLabel("Opponent");
  await opponent.locator(`option[value="${level}"]`).waitFor({ state: "attached" });
  await opponent.selectOption(String(level));
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(".board:not(.still)");
  return new URL(page.url()).hash.split("/").at(-1)!;
}

/** Makes a game by itself, without the setup page; the answer is its name. */
export async function makeGame(game: Partial<NewGame>): Promise<string> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url()}api/games`, { method: "POST", headers, body: JSON.stringify(game) });
  return ((await answer.json()) as Game).id;
}

export async function state(id: string): Promise<Game> {
  return (await (await fetch(`${url()}api/games/${id}`)).json()) as Game;
}

/** Asks for the state of a game until it is as wanted. */
async function stateOnce(id: string, wanted: (game: Game) => boolean, otherwise: string): Promise<Game> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const game = await state(id);
    if (game.result || wanted(game)) return game;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(otherwise);
}

/** Waits until it is the human's turn or the game is over. */
export function myTurn(id: string): Promise<Game> {
  return stateOnce(id, (game) => game.position.to_move === game.human, "the engine does not move");
}

/** Waits until the server knows a move that was made in the page. */
export function waitForVersion(id: string, version: number): Promise<Game> {
  return stateOnce(id, (game) => game.version > version, "the move did not arrive");
}

/** Waits until the page shows a state of the game in which the human is to move: the server is often quicker than the page. */
export async function seen(page: Page, game: Game): Promise<void> {
  await page.waitForFunction(
    (count) => document.querySelectorAll(".move-list .move").length === count,
    game.position.moves.length,
  );
  await page.waitForSelector(".banner.mine, .banner.result");
}

/** The middle of a cell, found from the picture's own measures. */
function middleOf(page: Page, cell: string, flipped = false): Promise<readonly [number, number]> {
  return page.evaluate(
    ([name, turned]) => {
      const board = document.querySelector(".board")!;
      const svg = board.querySelector("svg")!;
      const box = svg.getBoundingClientRect();
      const view = svg.viewBox.baseVal;
      const scale = box.width / view.width;
      const [left, top] = svg.dataset.margins!.split(",").map(Number) as [number, number];
      const columns = Math.floor((view.width - left) / 100);
      const rows = Math.floor((view.height - top) / 100);
      let x = (name as string).charCodeAt(0) - 97;
      let y = Number((name as string).slice(1)) - 1;
      if (svg.dataset.topDown !== "true") y = rows - 1 - y;
      if (turned) [x, y] = [columns - 1 - x, rows - 1 - y];
      return [box.left + scale * (left + 100 * x + 50), box.top + scale * (top + 100 * y + 50)] as const;
    },
    [cell, flipped] as const,
  );
}

/** Waits until the board shows what was asked for: a person clicks on what is there to be seen. */
async function boardIsThere(page: Page): Promise<void> {
  await page.waitForSelector('.board:not([aria-busy="true"])');
}

export async function clickCell(page: Page, cell: string, flipped = false, tap = false): Promise<void> {
  await boardIsThere(page);
  await clickHastily(page, cell, flipped, tap);
}

/** Clicks on a cell of whatever board is there. */
export async function clickHastily(page: Page, cell: string, flipped = false, tap = false): Promise<void> {
  const point = await middleOf(page, cell, flipped);
  if (tap) await page.touchscreen.tap(point[0], point[1]);
  else await page.mouse.click(point[0], point[1]);
}

/** Draws an arrow with the right button, or a ring if both cells are the same. */
export async function draw(page: Page, from: string, to: string): Promise<void> {
  await boardIsThere(page);
  await page.mouse.move(...(await middleOf(page, from)));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await middleOf(page, to)));
  await page.mouse.up({ button: "right" });
}

/** Makes a move by clicks, with the choice of a promotion where one is asked for. */
export async function clickMove(page: Page, move: LegalMove, flipped = false): Promise<void> {
  if (move.from) await clickCell(page, move.from, flipped);
  if (move.to) await clickCell(page, move.to, flipped);
  if (move.promotion) await page.locator(".choice button").first().click();
}
