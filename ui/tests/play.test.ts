import { afterAll, describe, expect, it } from "vitest";
import {
  clickCell,
  clickMove,
  closeBrowser,
  draw,
  makeGame,
  myTurn,
  newPage,
  PATIENCE_MS,
  seen,
  startGame,
  state,
  url,
  waitForVersion,
} from "./browser";

afterAll(closeBrowser);

const MOST_TURNS = 120;

/** A number that looks random but is the same on every run. */
function pick(count: number, seed: number): number {
  return Math.floor((Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1) * count);
}

/** The games to play, with a level strong enough to bring each to an end against moves at random. */
const GAMES: [string, number][] = process.env.OUTPLAY_GAMES
  ? process.env.OUTPLAY_GAMES.split(",").map((name) => [name, 3])
  : [
      ["tictactoe", 4],
      ["connect4", 7],
      ["othello", 7],
      ["gomoku", 7],
      ["connect6", 7],
      ["chess", 7],
      ["chess960", 7],
    ];

describe("a full game by clicks", () => {
  for (const [name, level] of GAMES) {
    it(name, async () => {
      const page = await newPage();
      const id = await startGame(page, name, "0", level);
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const game = await myTurn(id);
        if (game.result) break;
        const { legal, stones_left } = game.position;
        // The page passes by itself.
        if (legal[0]!.to === null && legal[0]!.from === null && legal.length === 1) {
          await waitForVersion(id, game.version);
          continue;
        }
        await seen(page, game);
        const first = legal[pick(legal.length, turn + 1)]!;
        await clickMove(page, first);
        const two = (stones_left ?? 1) >= 2;
        if (two) {
          expect((await state(id)).version).toBe(game.version);
          await page.waitForSelector(".provisional");
          const second = legal.filter((move) => move !== first)[pick(legal.length - 1, turn + 7)]!;
          await clickMove(page, second);
        }
        // Two stones are two moves; in between it is still the same player's turn.
        await waitForVersion(id, game.version + (two ? 1 : 0)).catch(async (error) => {
          await page.screenshot({ path: "screenshots/stuck.png" });
          throw new Error(`${error} after ${JSON.stringify(first)}`);
        });
      }
      await page.waitForSelector(".banner.result");
      expect((await state(id)).result).not.toBeNull();
      await page.context().close();
    });
  }
});

describe("playing", () => {
  it("survives a reload in mid-game and is in the list of recent games", async () => {
    const page = await newPage();
    const id = await startGame(page, "othello");
    const { position, version } = await myTurn(id);
    await clickMove(page, position.legal[0]!);
    await waitForVersion(id, version);
    await myTurn(id);
    await page.reload();
    await page.waitForSelector(".banner.mine");
    expect(await page.locator(".move-list .move").count()).toBeGreaterThanOrEqual(2);
    await page.goto(`${url()}#/play`);
    await page.locator(`.recent a[href$="${id}"]`).click();
    await page.waitForSelector(".banner.mine");
  });

  it("can be drawn on, which plays nothing, also when nothing can be played", async () => {
    const page = await newPage();
    const id = await startGame(page, "gomoku");
    await draw(page, "h8", "h8");
    await draw(page, "h8", "j10");
    await expect.poll(() => page.locator(".drawn [data-drawn]").count()).toBe(2);
    expect((await state(id)).position.moves).toHaveLength(0);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await page.waitForSelector(".banner.result");
    await draw(page, "a1", "a1");
    await expect.poll(() => page.locator(".drawn [data-drawn]").count()).toBe(3);
    await clickCell(page, "b2");
    await expect.poll(() => page.locator(".drawn [data-drawn]").count()).toBe(0);
  });

  it("makes illegal moves impossible and shows legal ones", async () => {
    const page = await newPage();
    const id = await startGame(page, "chess");
    await clickCell(page, "e2");
    await expect.poll(() => page.locator(".board .target").count()).toBe(2);
    await clickCell(page, "e5");
    await expect.poll(() => page.locator(".board .target").count()).toBe(0);
    expect((await state(id)).position.moves).toHaveLength(0);
  });

  it("drags a piece, takes back, hints and flips", async () => {
    const page = await newPage();
    const id = await startGame(page, "chess");
    const box = (await page.locator(".board svg").boundingBox())!;
    const at = (x: number, y: number): [number, number] => [
      box.x + (box.width * (x + 0.5)) / 8,
      box.y + (box.height * (y + 0.5)) / 8,
    ];
    await page.mouse.move(...at(4, 6));
    await page.mouse.down();
    await page.mouse.move(...at(4, 5));
    await page.mouse.move(...at(4, 4));
    await page.mouse.up();
    await waitForVersion(id, 1);
    expect((await state(id)).position.moves[0]!.move).toBe("e2e4");
    await seen(page, await myTurn(id));
    await page.getByRole("button", { name: "Hint" }).click();
    await page.waitForSelector(".board .hint");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForSelector("text=No moves yet.");
    await page.getByRole("button", { name: "Flip the board" }).click();
    await clickCell(page, "d2", true);
    await clickCell(page, "d4", true);
    await page.waitForSelector(".move-list .move");
  });

  it("keeps the board as it is when keys are used, and clicks hit their cells after them", async () => {
    const page = await newPage();
    const id = await startGame(page, "othello");
    const width = async () => (await page.locator(".board svg").boundingBox())!.width;
    const before = await width();
    await page.keyboard.press("b");
    await page.keyboard.press("ArrowLeft");
    expect(await width()).toBe(before);
    const { position, version } = await state(id);
    await clickCell(page, position.legal[0]!.to!);
    const after = await waitForVersion(id, version);
    expect(after.position.moves[0]!.move).toBe(position.legal[0]!.move);
  });

  it("lets the first of two stones be taken back", async () => {
    const page = await newPage();
    const id = await startGame(page, "connect6");
    await clickCell(page, "j10");
    await waitForVersion(id, 1);
    const game = await myTurn(id);
    const { version, position } = game;
    await seen(page, game);
    const free = position.legal.map((move) => move.to!);
    await clickCell(page, free[5]!);
    await page.waitForSelector(".provisional");
    expect(await page.getByRole("button", { name: "Hint" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Undo first stone" }).click();
    await page.waitForSelector(".provisional", { state: "detached" });
    await clickCell(page, free[6]!);
    await page.waitForSelector(".provisional");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForSelector(".provisional", { state: "detached" });
    expect((await state(id)).version).toBe(version);
    await clickCell(page, free[8]!);
    await page.waitForSelector(".provisional");
    await clickCell(page, free[9]!);
    const after = await waitForVersion(id, version + 1);
    expect(after.position.moves.map((move) => move.move)).toEqual(expect.arrayContaining([free[8], free[9]]));
  });

  it("takes two stones that are typed", async () => {
    const page = await newPage();
    const id = await startGame(page, "connect6");
    await page.keyboard.press("m");
    const field = page.getByLabel("Move", { exact: true });
    const type = async (text: string) => {
      await field.fill(text);
      await page.keyboard.press("Enter");
    };
    await type("J10");
    await waitForVersion(id, 1);
    const game = await myTurn(id);
    await seen(page, game);
    const [first, second] = game.position.legal.slice(5).map((move) => move.text);
    await type(first!);
    await page.waitForSelector(".provisional");
    await type(first!);
    await page.locator(".typed small", { hasText: `${first} is no legal move here.` }).waitFor();
    await type(second!);
    const after = await waitForVersion(id, game.version + 1);
    expect(after.position.moves.map((move) => move.text)).toEqual(expect.arrayContaining([first, second]));
  });

  it("hints both stones of a turn and takes both back", async () => {
    const page = await newPage();
    const id = await startGame(page, "connect6");
    await clickCell(page, "j10");
    await waitForVersion(id, 1);
    await seen(page, await myTurn(id));
    const below = async () => (await page.locator(".move-list").boundingBox())!.y;
    const before = await below();
    await page.getByRole("button", { name: "Hint" }).click();
    await expect.poll(() => page.locator(".board .hint").count(), { timeout: PATIENCE_MS }).toBe(2);
    const free = (await state(id)).position.legal.map((move) => move.to!);
    await clickCell(page, free[5]!);
    await page.waitForSelector(".provisional");
    expect(await below()).toBe(before);
    await clickCell(page, free[7]!);
    // After four moves and the first of these two stones it is still the same player's turn.
    await waitForVersion(id, 5);
    await seen(page, await myTurn(id));
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Place 2 stones").waitFor();
    expect((await state(id)).position.moves).toHaveLength(3);
  });

  it("plays again at once with sides changed", async () => {
    const page = await newPage();
    const id = await startGame(page, "tictactoe", "0", 1);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Play again" }).click();
    await page.waitForFunction((old) => !location.hash.endsWith(old), id);
    await page.waitForSelector(".board:not(.still)");
    const next = await state(new URL(page.url()).hash.split("/").at(-1)!);
    expect([next.human, next.engines?.[0]?.level, next.engines?.[1]]).toEqual([1, 1, null]);
  });

  it("plays again from the moves with which a game began", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "tictactoe", moves: ["b2", "a1"], human: 0, levels: [null, 1] });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".banner.mine");
    const { version } = await state(id);
    await clickCell(page, "c2");
    await waitForVersion(id, version);
    await seen(page, await myTurn(id));
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Play again" }).click();
    await page.waitForFunction((old) => !location.hash.endsWith(old), id);
    const next = await state(new URL(page.url()).hash.split("/").at(-1)!);
    expect([next.human, next.given]).toEqual([1, 2]);
    expect(next.position.moves.slice(0, 2).map((move) => move.move)).toEqual(["b2", "a1"]);
  });

  it("shows one game in two browsers", async () => {
    const one = await newPage();
    const two = await newPage();
    const id = await startGame(one, "tictactoe");
    await two.goto(`${url()}#/play/${id}`);
    await two.waitForSelector(".board:not(.still)");
    await clickCell(one, "b2");
    await two.waitForSelector('.board [data-cell="b2"]');
    const game = await myTurn(id);
    const { position } = game;
    await seen(two, game);
    await clickCell(two, position.legal[0]!.to!);
    await one.waitForSelector(`.board [data-cell="${position.legal[0]!.to}"]`);
  });

  it("is played with keys alone", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/play`);
    await page.waitForSelector(".card");
    await page.locator('.card input[value="chess"]').focus();
    for (let presses = 0; presses < 12; presses += 1) {
      if (await page.locator('.card input[value="tictactoe"]').isChecked()) break;
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
    await page.waitForSelector(".board:not(.still)");
    const id = new URL(page.url()).hash.split("/").at(-1)!;
    await page.keyboard.press("b");
    for (let turn = 0; turn < 6; turn += 1) {
      const game = await myTurn(id);
      if (game.result) break;
      await seen(page, game);
      const cell = game.position.legal[0]!.to!;
      for (const key of ["Home", "PageDown"]) await page.keyboard.press(key);
      for (let x = cell.charCodeAt(0) - 97; x > 0; x -= 1) await page.keyboard.press("ArrowRight");
      for (let y = Number(cell.slice(1)) - 1; y > 0; y -= 1) await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await waitForVersion(id, game.version);
    }
    await page.waitForSelector(".banner.result");
    expect(await page.locator("#live").textContent()).not.toBe("");
  });

  it("fits a phone, where a finger aims first on small cells", async () => {
    const page = await newPage({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const id = await startGame(page, "connect6");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await clickCell(page, "j10", false, true);
    await page.waitForSelector(".aim");
    expect((await state(id)).position.moves).toHaveLength(0);
    await clickCell(page, "j10", false, true);
    await waitForVersion(id, 1);
  });
});
