import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { clickCell, closeBrowser, newPage, state, url, waitForVersion } from "./browser";

afterAll(closeBrowser);

/** Starts the game that is set up and gives its name on the server. */
async function begin(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(".board:not(.still)");
  return new URL(page.url()).hash.split("/").at(-1)!;
}

const choose = async (page: Page, game: string, side: string) => {
  await page.locator(`.card:has(input[value="${game}"])`).click();
  await page.locator(`.segments label:has(input[value="${side}"])`).click();
};

it("says what a level is, and plays against a search with a budget of one's own", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/play`);
  await choose(page, "chess", "0");
  const opponent = page.getByRole("combobox", { name: "Opponent" });
  await opponent.selectOption("2");
  await page.getByText(/^mcts, \d+ playouts$/).waitFor();
  await opponent.selectOption({ label: "Custom…" });
  await page.getByRole("combobox", { name: "Search" }).selectOption("alphabeta");
  await page.getByRole("combobox", { name: "Budget for a move" }).selectOption("depth");
  await page.getByRole("spinbutton", { name: "Amount" }).fill("2");
  await page.getByRole("spinbutton", { name: "Amount" }).blur();
  await page.getByText("Options of Alpha-beta").click();
  await page.getByLabel("Find an option").fill("overhead");
  await page.getByLabel("Move overhead").fill("25");
  await page.getByLabel("Move overhead").blur();
  // The browser keeps what was chosen.
  await page.reload();
  await page.getByRole("combobox", { name: "Search" }).waitFor();
  expect(await page.getByRole("spinbutton", { name: "Amount" }).inputValue()).toBe("2");
  const game = await state(await begin(page));
  expect(game.engines?.[1]).toMatchObject({
    search: "alphabeta",
    limit: { depth: 2 },
    options: { move_overhead: "25" },
  });
  await page.locator(".side", { hasText: "Alphabeta" }).waitFor();
});

it("goes on from a position of Chess960 and not from another array", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess960&moves=e2e4,e7e5`);
  await page.waitForSelector(".analysis .board");
  const body = JSON.stringify({ game: "chess960", moves: ["e2e4", "e7e5"] });
  const headers = { "content-type": "application/json" };
  const shown = await (await fetch(`${url()}api/position`, { method: "POST", headers, body })).json();
  await page.getByRole("link", { name: "Play from here" }).click();
  const { position } = await state(await begin(page));
  expect(position.position).toBe(shown.position);
});

it("ends a review when another game is opened", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess&moves=f2f3,e7e5,g2g4,d8h4`);
  await page.waitForSelector(".analysis .board");
  await page.getByLabel("Time for each position").selectOption("3");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.waitForSelector(".review progress");
  await page.getByRole("combobox", { name: "Game" }).selectOption("othello");
  await page.waitForSelector(".board.discs");
  await page.getByRole("combobox", { name: "Game" }).selectOption("chess");
  await page.getByRole("button", { name: "Review the game" }).waitFor();
  expect(await page.getByText("No mistakes found.").count()).toBe(0);
});

it("keeps a longer look than its own, even one that was stopped", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess&moves=f2f3,e7e5`);
  await page.waitForSelector(".analysis .board");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  // A review with its shortest time takes less for each position.
  await page.locator(".engine-status span", { hasText: /^[1-9]\.\d s$/ }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Analyse", exact: true }).waitFor();
  const facts = () => page.locator(".engine-status").textContent();
  const before = /[\d.]+\w* nodes/.exec((await facts()) ?? "")?.[0];
  expect(before).toBeDefined();
  await page.getByLabel("Time for each position").selectOption({ index: 0 });
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".toast", { hasText: /marked\. Keys|No mistakes found/ }).waitFor();
  expect(await facts()).toContain(before);
});

it("watches a search of one's own against a level", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/play`);
  await choose(page, "tictactoe", "watch");
  const selects = page.locator(".fields select[aria-describedby]");
  await selects.nth(0).selectOption("1");
  await selects.nth(1).selectOption({ label: "Custom…" });
  await page.getByRole("combobox", { name: "Search" }).selectOption("minimax");
  const game = await state(await begin(page));
  expect(game.engines?.[0]).toMatchObject({ level: 1 });
  expect(game.engines?.[1]).toMatchObject({ search: "minimax", limit: { nodes: 1000 } });
});

it("sets every number of a family of games by its slider", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/play`);
  await choose(page, "connect", "0");
  const numbers = [
    ["Columns", "5"],
    ["Rows", "5"],
    ["In a row to win", "4"],
    ["Stones per turn", "1"],
  ] as const;
  for (const [name, number] of numbers) await page.getByLabel(name).fill(number);
  const { position } = await state(await begin(page));
  expect([position.game, position.columns]).toEqual(["connect:5,5,4,1,1", 5]);
});

it("sets up a position without losing castling, and drops what the pieces no longer allow", async () => {
  const page = await newPage();
  const moves = "e2e4,e7e5,e1e2,a7a6,e2e1,a6a5";
  await page.goto(`${url()}#/analyse?game=chess&moves=${moves}&at=6`);
  await page.waitForSelector('.board [data-cell="a5"]');
  await page.getByRole("button", { name: "Set up…" }).click();
  const editor = page.getByRole("dialog");
  const text = editor.locator(".setup-text");
  const box = (name: string) => editor.getByRole("checkbox", { name });
  const fen = () => text.textContent();
  // White's king has moved and come back: nothing here says that White could castle.
  await expect.poll(fen).toBe("rnbqkbnr/1ppp1ppp/8/p3p3/4P3/8/PPPP1PPP/RNBQKBNR w kq - 0 4");
  await box("White, king side").check();
  await expect.poll(fen).toContain(" w Kkq - 0 4");
  await editor.getByRole("button", { name: "Erase" }).click();
  await editor.getByRole("application", { name: "Board to set up" }).focus();
  for (const key of ["End", "PageUp", "Enter"]) await page.keyboard.press(key);
  await expect.poll(fen).toContain(" w Kq - 0 4");
  await expect.poll(() => box("Black, king side").isDisabled()).toBe(true);
  await editor.getByRole("button", { name: "Use this position" }).click();
  await editor.waitFor({ state: "detached" });
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("w+Kq+-+0+4"));
});

it("shows and says what is wrong in the window in which it was done", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess`);
  await page.waitForSelector('.board [data-cell="e2"]');
  await page.getByRole("button", { name: "Set up…" }).click();
  const editor = page.getByRole("dialog");
  await editor.getByRole("button", { name: "Clear" }).click();
  await editor.getByRole("button", { name: "Use this position" }).click();
  await editor.locator(".toast.error", { hasText: "no king" }).waitFor();
  await editor.getByRole("status").filter({ hasText: "no king" }).waitFor();
  expect(await page.locator(".toast").count()).toBe(1);
});

it("keeps long names within the page", async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } });
  const long = "Longest".repeat(40);
  const pgn = `[White "${long}"]\n[Black "${long}"]\n\n1. e4 {${long}} e5 *`;
  await page.goto(`${url()}#/analyse?game=chess`);
  await page.getByRole("button", { name: "Open…" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill(pgn);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".game-heading").waitFor();
  await page.locator("summary", { hasText: "Saved analyses" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.pressSequentially(long);
  const cut = long.slice(0, 120);
  expect(await title.inputValue()).toBe(cut);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: cut, exact: true }).first().waitFor();
  const wide = await page.evaluate(() => [
    document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll(".tree, .tree-moves, .options")].map(
      (box) => box.scrollWidth - box.clientWidth,
    ),
  ]);
  expect(Math.max(...wide)).toBeLessThanOrEqual(0);
});

it("asks before a game is deleted", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/play`);
  await choose(page, "tictactoe", "0");
  const id = await begin(page);
  await page.waitForSelector(".banner.mine");
  await clickCell(page, "b2");
  await waitForVersion(id, 1);
  await page.goto(`${url()}#/play`);
  const entry = page.locator(".recent li", { has: page.locator(`a[href$="${id}"]`) });
  await entry.getByRole("button", { name: "Delete this game of Tic-tac-toe" }).click();
  const sure = entry.getByRole("button", { name: "Really delete" });
  await sure.waitFor();
  // Whoever does something else has not meant it.
  await page.getByRole("combobox", { name: "Opponent" }).focus();
  await sure.waitFor({ state: "detached" });
  expect((await state(id)).id).toBe(id);
  await entry.getByRole("button", { name: "Delete this game of Tic-tac-toe" }).click();
  await sure.click();
  await entry.waitFor({ state: "detached" });
});
