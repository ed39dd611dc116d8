import { afterAll, describe, expect, it } from "vitest";
import { clickCell, closeBrowser, makeGame, newPage, startGame, state, url, waitForVersion } from "./browser";

afterAll(closeBrowser);

describe("what surrounds a game", () => {
  it("asks at the square what a pawn becomes, and Escape chooses nothing", async () => {
    const page = await newPage();
    const id = await makeGame({
      game: "chess",
      start: "7k/P7/8/8/8/8/8/K7 w - - 0 1",
      human: 0,
      levels: [null, 1],
    });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".banner.mine");
    await clickCell(page, "a7");
    await clickCell(page, "a8");
    const queen = page.locator(".choice button").first();
    await queen.waitFor();
    const board = (await page.locator(".board svg").first().boundingBox())!;
    const at = (await queen.boundingBox())!;
    expect(Math.abs(at.x - board.x)).toBeLessThan(3);
    expect(Math.abs(at.y - board.y)).toBeLessThan(3);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".choice", { state: "detached" });
    expect((await state(id)).position.moves).toHaveLength(0);
    await clickCell(page, "a7");
    await clickCell(page, "a8");
    await page.waitForSelector(".choice button:focus");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect((await waitForVersion(id, 1)).position.moves[0]!.move).toBe("a7a8r");
  });

  it("offers a draw only after a question, and the engine that is winning declines", async () => {
    const page = await newPage();
    const start = "7k/8/8/8/8/8/qq6/7K w - - 0 1";
    const id = await makeGame({ game: "chess", start, human: 0, levels: [null, 1] });
    await page.goto(`${url()}#/play/${id}`);
    await page.getByRole("button", { name: "Offer draw" }).click();
    await page.locator("dialog").getByRole("button", { name: "Play on" }).click();
    expect((await state(id)).version).toBe(1);
    await page.getByRole("button", { name: "Offer draw" }).click();
    await page.locator("dialog").getByRole("button", { name: "Offer a draw" }).click();
    await page
      .getByText(/The engine declines the draw/)
      .first()
      .waitFor();
    expect((await state(id)).result).toBeNull();
  });

  it("sets the rules by sliders and a start position by its number", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/play`);
    await page.locator('.card:has(input[value="connect4"])').click();
    await page.getByLabel("Columns").fill("5");
    await page.getByLabel("Rows").fill("4");
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForSelector(".board:not(.still)");
    const { position } = await state(new URL(page.url()).hash.split("/").at(-1)!);
    expect([position.columns, position.rows]).toEqual([5, 4]);
    await page.goto(`${url()}#/play`);
    await page.locator('.card:has(input[value="chess960"])').click();
    await page.getByLabel("Number of the start position").fill("518");
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForSelector(".board:not(.still)");
    const id = new URL(page.url()).hash.split("/").at(-1)!;
    expect((await state(id)).position.game).toBe("chess960:518");
  });

  it("lists a game with its opponent and a small board once the person has moved", async () => {
    const page = await newPage();
    const id = await startGame(page, "tictactoe");
    await page.goto(`${url()}#/play`);
    await page.waitForSelector(".card");
    expect(await page.locator(`.recent a[href$="${id}"]`).count()).toBe(0);
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".banner.mine");
    await clickCell(page, "b2");
    await waitForVersion(id, 1);
    await page.goto(`${url()}#/play`);
    const row = page.locator(`.recent a[href$="${id}"]`);
    await row.getByText("Against newcomer, level 1").waitFor();
    await row.locator('.still [data-cell="b2"]').waitFor();
  });

  it("opens a field for typed moves by a button, without a key that one has to know", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "chess", human: 0, levels: [null, 1] });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".banner.mine");
    await page.getByRole("button", { name: "Type a move" }).click();
    await page.waitForSelector(".typed input:focus");
    await page.keyboard.type("Nf3");
    await page.keyboard.press("Enter");
    expect((await waitForVersion(id, 1)).position.moves[0]!.text).toBe("Nf3");
  });

  it("offers undo only when there is something of one's own to take back", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "chess", human: 1, levels: [1, null] });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".banner.mine");
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    expect(await undo.isDisabled()).toBe(true);
    const { position, version } = await state(id);
    await clickCell(page, position.legal[0]!.from!, true);
    await clickCell(page, position.legal[0]!.to!, true);
    await waitForVersion(id, version);
    await undo.click();
    await expect.poll(async () => (await state(id)).position.moves.length).toBe(1);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await page.waitForSelector(".banner.result");
    expect(await undo.getAttribute("title")).toContain("resignation");
    await undo.click();
    await expect.poll(async () => (await state(id)).result).toBeNull();
    expect((await state(id)).position.moves).toHaveLength(1);
  });

  it("remembers that sounds are turned off", async () => {
    const page = await newPage();
    await startGame(page, "tictactoe");
    const sounds = page.getByRole("button", { name: "Sounds" });
    expect(await sounds.getAttribute("aria-pressed")).toBe("true");
    await sounds.click();
    await page.reload();
    await expect.poll(() => sounds.getAttribute("aria-pressed")).toBe("false");
  });
});
