import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { EngineSetup, NewGame } from "../src/api/types";
import { clickCell, closeBrowser, makeGame, newPage, state, url, waitForVersion } from "./browser";

afterAll(closeBrowser);

/** Thinks long enough for a person to choose a move meanwhile. */
const SLOW: EngineSetup = { search: "deepening", limit: { seconds: 3 } };

/** A game in which the engine thinks at once. */
async function waiting(page: Page, game: Partial<NewGame>): Promise<string> {
  const id = await makeGame({ human: 1, engines: [SLOW, null], ...game });
  await page.goto(`${url()}#/play/${id}`);
  await page.waitForSelector(".board:not(.still)");
  await page.getByText("is thinking").waitFor();
  return id;
}

const marked = (page: Page) =>
  page.locator("[data-premove]").evaluateAll((all) => all.map((one) => one.getAttribute("data-premove")));

/** Bare kings and a pawn each, so that a premove is legal whatever the engine does. */
const QUIET = "4k3/7p/8/8/8/8/P7/4K3 w - - 0 1";

describe("premoves", () => {
  it("are marked, can be cancelled by a click or Escape, and change nothing until they are played", async () => {
    const page = await newPage();
    const id = await waiting(page, { game: "chess", start: QUIET });
    await clickCell(page, "h7", true);
    await clickCell(page, "h5", true);
    expect(await marked(page)).toEqual(["h7", "h5"]);
    await page.locator(".banner", { hasText: "Premove: h7–h5" }).waitFor();
    await clickCell(page, "d4", true);
    expect(await marked(page)).toEqual([]);
    await clickCell(page, "h7", true);
    await clickCell(page, "h6", true);
    await page.keyboard.press("Escape");
    expect(await marked(page)).toEqual([]);
    const { position } = await waitForVersion(id, 1);
    expect(position.moves).toHaveLength(1);
    await page.waitForSelector(".banner.mine");
    await page.context().close();
  });

  it("are played as soon as it is the person's turn", async () => {
    const page = await newPage();
    const id = await waiting(page, { game: "chess", start: QUIET });
    await clickCell(page, "h7", true);
    await clickCell(page, "h5", true);
    const { position } = await waitForVersion(id, 2);
    expect(position.moves[1]!.move).toBe("h7h5");
    expect(await marked(page)).toEqual([]);
    await page.context().close();
  });

  it("that are not legal then are dropped with a word", async () => {
    const page = await newPage();
    const id = await waiting(page, { game: "chess", start: QUIET });
    await clickCell(page, "h7", true);
    await clickCell(page, "a7", true);
    await page.getByText("Your premove h7–a7 is not legal now.").first().waitFor();
    expect((await state(id)).position.moves).toHaveLength(1);
    expect(await marked(page)).toEqual([]);
    await page.waitForSelector(".banner.mine");
    await page.context().close();
  });

  it("are two stones where a turn has two", async () => {
    const page = await newPage();
    const id = await waiting(page, { game: "connect6", moves: ["j10"], human: 0, engines: [null, SLOW] });
    for (const cell of ["a1", "s19", "a19"]) await clickCell(page, cell);
    expect(await marked(page)).toEqual(["s19", "a19"]);
    const { position } = await waitForVersion(id, 4);
    expect(position.moves.slice(3, 5).map((move) => move.move)).toEqual(["s19", "a19"]);
    await page.context().close();
  });

  it("are a column where discs fall, and undo cancels them", async () => {
    const page = await newPage();
    const id = await waiting(page, { game: "connect4" });
    await clickCell(page, "d4");
    expect(await marked(page)).toEqual(["d1"]);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    expect(await marked(page)).toEqual([]);
    await clickCell(page, "e6");
    const { position } = await waitForVersion(id, 2);
    expect(position.moves[1]!.move).toMatch(/^e/);
    await page.context().close();
  });

  it("can be dragged onto a piece of one's own, for taking back there", async () => {
    const page = await newPage();
    await waiting(page, { game: "chess" });
    const box = (await page.locator(".board svg").boundingBox())!;
    const at = (x: number, y: number): [number, number] => [
      box.x + (box.width * (x + 0.5)) / 8,
      box.y + (box.height * (y + 0.5)) / 8,
    ];
    // Black sits below: the knight of b8 goes to d7.
    await page.mouse.move(...at(6, 7));
    await page.mouse.down();
    await page.mouse.move(...at(5, 7));
    await page.mouse.move(...at(4, 6));
    await page.mouse.up();
    expect(await marked(page)).toEqual(["b8", "d7"]);
    await page.context().close();
  });
});
