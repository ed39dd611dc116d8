import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { closeBrowser, newPage, state, url } from "./browser";

afterAll(closeBrowser);

/** Starts the game that is set up and gives its name on the server. */
async function begin(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(".board");
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
  // The browser keeps what was chosen.
  await page.reload();
  await page.getByRole("combobox", { name: "Search" }).waitFor();
  expect(await page.getByRole("spinbutton", { name: "Amount" }).inputValue()).toBe("2");
  const game = await state(await begin(page));
  expect(game.engines?.[1]).toMatchObject({ search: "alphabeta", limit: { depth: 2 } });
  await page.locator(".side", { hasText: "Alphabeta" }).waitFor();
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

it("reads a variant with the game's name before it, and without", async () => {
  for (const variant of ["connect:5,5,4,1,1", "5,5,4,1,1"]) {
    const page = await newPage();
    await page.goto(`${url()}#/play`);
    await choose(page, "connect", "0");
    await page.getByRole("textbox", { name: "Variant" }).fill(variant);
    const { position } = await state(await begin(page));
    expect([position.game, position.columns]).toEqual(["connect:5,5,4,1,1", 5]);
  }
});
