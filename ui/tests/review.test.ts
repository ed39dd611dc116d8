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
  await page.getByText(/^Rated \d+ ± \d+ Elo against/).waitFor();
  await opponent.getByText(/^2\. Beginner · \d+ Elo$/).waitFor({ state: "attached" });
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

/** Morphy's game in the box of the opera: Black is mated in the 17th move. */
const OPERA =
  "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 " +
  "11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";

const counts = async (page: Page, row: string) =>
  (await page.locator(".review tr", { hasText: row }).locator("td").allTextContents()).map((text) =>
    Number.parseInt(text, 10),
  );

it("finds who lost the Opera Game, keeps it, and writes it into files", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess`);
  await page.getByRole("button", { name: "Open…" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill(OPERA);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByLabel("How thoroughly").selectOption("standard");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".toast", { hasText: /marked\. Press n/ }).waitFor();
  const kinds = ["Inaccuracies", "Mistakes", "Blunders"];
  const marks = await Promise.all(kinds.map((kind) => counts(page, kind)));
  const [white, black] = [0, 1].map((player) => marks.reduce((sum, row) => sum + row[player]!, 0)) as [
    number,
    number,
  ];
  expect(black).toBeGreaterThanOrEqual(3);
  expect(black).toBeGreaterThan(white);
  const [ofWhite, ofBlack] = (await counts(page, "Accuracy")) as [number, number];
  expect(ofWhite).toBeGreaterThan(ofBlack);
  expect(await page.locator(".review tr.phase").count()).toBeGreaterThanOrEqual(2);
  // Everything is there again after a reload.
  const before = await page.locator(".review table").textContent();
  const signs = await page.locator(".tree-moves .fault").allTextContents();
  expect(signs.length).toBe(white + black);
  await page.reload();
  await page.locator(".review table").waitFor();
  expect(await page.locator(".review table").textContent()).toBe(before);
  expect(await page.locator(".tree-moves .fault").allTextContents()).toEqual(signs);
  await page.waitForSelector(".graph .u-over");
  // A fault says what it cost, what was better, and how it is answered.
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Next mistake" }).click();
  const words = page.locator(".fault-words");
  await words.getByText(/^(Inaccuracy|Mistake|Blunder): (−\d+ % winning chance|allows|misses)/).waitFor();
  await words.getByText(/Best: \S+\./).waitFor();
  expect(await words.locator(".fault-line").count()).toBe(2);
  await page.getByRole("button", { name: "Share…" }).click();
  const file = page.getByLabel("Game", { exact: true }).last();
  await expect.poll(() => file.inputValue()).toMatch(/\$[246].*\[%eval -?\d/s);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the review as a table" }).click();
  expect((await download).suggestedFilename()).toBe("chess.csv");
});

it("lets mistakes be tried again on the board", async () => {
  const page = await newPage();
  // Black does not see the mate.
  await page.goto(`${url()}#/analyse?game=chess&moves=e2e4,e7e5,d1h5,b8c6,f1c4,g8f6,h5f7`);
  await page.waitForSelector(".analysis .board");
  await page.getByLabel("How thoroughly").selectOption("quick");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".toast", { hasText: /marked\. Press n/ }).waitFor();
  await page.getByRole("button", { name: "Retry as Black" }).click();
  await page.locator(".retry").waitFor();
  while (!(await page.getByText("Black played 3… Nf6.").isVisible())) {
    await page.getByRole("button", { name: "Skip" }).click();
  }
  // Nothing gives the move away.
  expect(await page.locator(".engine").count()).toBe(0);
  const verdict = page.locator(".verdict");
  const before = page.locator('.board:not([aria-busy="true"]) [data-cell="g8"]');
  await before.waitFor();
  for (const [from, to, said] of [
    ["g8", "f6", "Nf6 was played in the game. Find a better move."],
    ["d7", "d6", "d6 — Blunder: allows a win in 1. Try again."],
    ["g7", "g6", /^g6 is/],
  ] as const) {
    // The board is turned to whoever tries again.
    await clickCell(page, from, true);
    await clickCell(page, to, true);
    await verdict.getByText(said).waitFor();
    await before.waitFor();
  }
  await page.getByRole("button", { name: "Done" }).click();
  // Tries are not kept.
  expect(await page.locator(".tree-moves .variation").count()).toBe(0);
  await page.getByRole("button", { name: "Retry as Black" }).click();
  await page.locator(".retry").waitFor();
  // Whoever opens another game has had enough.
  await page.goto(`${url()}#/analyse?game=chess&moves=d2d4`);
  await page.locator(".retry").waitFor({ state: "detached" });
  await page.locator(".engine").waitFor();
});

it("ends a review when another game is opened", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess&moves=f2f3,e7e5,g2g4,d8h4`);
  await page.waitForSelector(".analysis .board");
  await page.getByLabel("How thoroughly").selectOption("deep");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.waitForSelector(".review progress");
  await page.getByRole("combobox", { name: "Game" }).selectOption("othello");
  await page.waitForSelector(".board.discs");
  await page.getByRole("combobox", { name: "Game" }).selectOption("chess");
  await page.getByRole("button", { name: "Review the game" }).waitFor();
  expect(await page.getByText("No mistakes found.").count()).toBe(0);
});

it("leaves alone what an analysis has found", async () => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?game=chess&moves=f2f3,e7e5`);
  await page.waitForSelector(".analysis .board");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".engine-status span", { hasText: /^[1-9]\.\d s$/ }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Analyse", exact: true }).waitFor();
  const facts = () => page.locator(".engine-status").textContent();
  const before = /[\d.]+\w* nodes/.exec((await facts()) ?? "")?.[0];
  expect(before).toBeDefined();
  await page.getByLabel("How thoroughly").selectOption({ index: 0 });
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".toast", { hasText: /marked\. Press n|No mistakes found/ }).waitFor();
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
