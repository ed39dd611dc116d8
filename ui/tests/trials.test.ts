import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { serious } from "./axe";
import { closeBrowser, makeGame, newPage, startGame, state, url } from "./browser";

afterAll(closeBrowser);

/** What people stumbled over who used the page without help. */
describe("a chess player", () => {
  it("goes from a game that is over to its mistakes with one click, and sees them from the own side", async () => {
    const page = await newPage();
    const moves = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"];
    const id = await makeGame({ game: "chess", moves, human: 0, levels: [null, 1] });
    await fetch(`${url()}api/games/${id}/resign`, { method: "POST", body: "{}" });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".banner.result");
    for (const name of ["Hint", "Offer draw", "Resign"])
      expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    await page.getByRole("link", { name: "Review" }).click();
    await page.locator(".toast", { hasText: /marked\. Press n/ }).waitFor();
    await page.locator(".game-heading", { hasText: "You" }).waitFor();
    // The words of a fault, its buttons and the moves are in view together.
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Next mistake" }).click();
    const { height } = page.viewportSize()!;
    for (const part of [".fault-words p >> nth=0", ".tree-moves .current", ".review .small-buttons"]) {
      const box = (await page.locator(part).boundingBox())!;
      expect(box.y + box.height, part).toBeLessThanOrEqual(height);
    }
    await page.getByRole("button", { name: "Retry as Black" }).click();
    await page.locator(".retry").waitFor();
    // Black's first row is below.
    const [king, white] = await Promise.all(
      ["e8", "e1"].map((cell) => page.locator(`.board [data-cell="${cell}"]`).first().boundingBox()),
    );
    expect(king!.y).toBeGreaterThan(white!.y);
    // What is best is said where it was asked for, and the engine comes back at the end.
    await page.getByRole("button", { name: "Show the best move" }).click();
    await page.locator(".retry .verdict", { hasText: /^Best: / }).waitFor();
    expect(await page.locator(".engine").count()).toBe(0);
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator(".engine").waitFor();
    await page.context().close();
  });

  it("finds sounds, the view of values and the boards in one window, in which all of it is remembered", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/play`);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Sounds").uncheck();
    await page.getByLabel("Values are those of").selectOption("mover");
    await page.reload();
    await page.getByRole("button", { name: "Settings" }).click();
    expect(await page.getByLabel("Sounds").isChecked()).toBe(false);
    expect(await page.getByLabel("Values are those of").inputValue()).toBe("mover");
    await page.context().close();
  });

  it("reads what a level is in words, and no name of a search", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/play`);
    const about = page.locator("#about-first");
    const opponent = page.getByRole("combobox", { name: "Opponent" });
    for (const game of ["chess", "connect"]) {
      await page.locator(`.card:has(input[value="${game}"])`).click();
      const levels = opponent.locator('option:not([value="0"])');
      await levels.nth(3).waitFor({ state: "attached" });
      for (const value of await opponent
        .locator("option")
        .evaluateAll((all) =>
          all.map((one) => (one as HTMLOptionElement).value).filter((value) => /^[1-9]/.test(value)),
        )) {
        await opponent.selectOption(value);
        await expect.poll(() => about.textContent()).toMatch(/\.$/);
        expect(await about.textContent(), `${game} ${value}`).not.toMatch(/pvs|mcts|nodes|playouts|\b0 ±/);
      }
    }
    await page.context().close();
  });

  it("sets up a position from the usual one after the board was emptied", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=chess&moves=e2e4`);
    await page.getByRole("button", { name: "Set up…" }).click();
    const pieces = page.locator("dialog .board [data-piece]");
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => pieces.count()).toBe(0);
    await page.getByRole("button", { name: "Start position" }).click();
    await expect.poll(() => pieces.count()).toBe(32);
    await page.getByText("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").waitFor();
    await page.context().close();
  });
});

/** A file of WTHOR's database with two games of three moves each. */
function database(): Buffer {
  const games = [
    [56, 64, 33],
    [56, 46, 35],
  ].map((squares) => [0, 0, 0, 0, 0, 0, 33, 33, ...squares, ...Array(57).fill(0)]);
  return Buffer.from([20, 24, 5, 17, 2, 0, 0, 0, 0, 0, 0xe8, 0x07, 8, 0, 22, 0, ...games.flat()]);
}

describe("an Othello player", () => {
  it("opens a file of the tournament database, which is no text", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=othello`);
    await page.getByRole("button", { name: "Open…" }).click();
    const file = { name: "2024.wtb", mimeType: "application/octet-stream", buffer: database() };
    await page.locator("dialog input[type=file]").setInputFiles(file);
    await page.getByText("The file has 2 games. Choose one.").first().waitFor();
    await page.locator(".game-list button").nth(1).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.locator(".tree-moves .run .move").allTextContents()).toEqual(["f5", "f4", "e3"]);
    await page.context().close();
  });

  it("counts moves one by one in a game as in its analysis", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "othello", moves: ["f5", "d6", "c3"], human: 1, levels: [1, null] });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".move-list .current");
    expect(await page.locator(".move-list .number").allTextContents()).toEqual(["1", "3"]);
    await page.locator(".actions").getByRole("link", { name: "Analyse" }).click();
    await page.waitForSelector(".tree-moves .current");
    expect(await page.locator(".tree-moves .number").allTextContents()).toEqual(["1.", "2.", "3."]);
    await page.context().close();
  });

  it("copies the moves of a game as a line", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=othello&moves=f5,d6,c3`);
    await page.getByRole("button", { name: "Share…" }).click();
    expect(await page.getByRole("textbox", { name: "Moves to here" }).inputValue()).toBe("f5 d6 c3");
    await page.context().close();
  });

  it("sees no marks on the board that is set up", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=othello`);
    await page.getByRole("button", { name: "Set up…" }).click();
    await page.waitForSelector("dialog .board [data-cell]");
    expect(await page.locator("dialog .board .target:visible").count()).toBe(0);
    await page.context().close();
  });
});

describe("a small screen", () => {
  it("has the buttons above the board in one row, and the name of the opening in view", async () => {
    for (const viewport of [
      { width: 1366, height: 768 },
      { width: 1440, height: 900 },
    ]) {
      const page = await newPage({ viewport });
      await page.goto(`${url()}#/analyse?game=chess&moves=e2e4,e7e5`);
      const [toolbar, name] = await Promise.all(
        [".analysis .toolbar", ".standing .opening"].map((part) => page.locator(part).boundingBox()),
      );
      expect(toolbar!.height).toBeLessThan(60);
      expect(name!.y + name!.height).toBeLessThanOrEqual(viewport.height);
      await page.context().close();
    }
  });

  it("has all buttons below the board of a game in one row", async () => {
    const page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await startGame(page, "tictactoe");
    const tops = await page
      .locator(".stepper button")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(tops.length).toBe(7);
    expect(new Set(tops).size).toBe(1);
    await page.context().close();
  });
});

describe("accessibility of Analyse", () => {
  const windows: Record<string, (page: Page) => Promise<unknown>> = {
    "the explorer": (page) => page.keyboard.press("o"),
    "what the opponent would do": async (page) => {
      await page.keyboard.press("x");
      await page.getByText(/would play/).waitFor();
    },
    opening: (page) => page.getByRole("button", { name: "Open…" }).click(),
    "setting up": (page) => page.getByRole("button", { name: "Set up…" }).click(),
    sharing: (page) => page.getByRole("button", { name: "Share…" }).click(),
    programs: (page) => page.getByLabel("Compare with").selectOption({ label: "Add or remove programs…" }),
  };

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no serious violation with a review, an engine and its windows: ${colorScheme}`, async () => {
      const page = await newPage({ colorScheme });
      await page.goto(`${url()}#/analyse?game=chess&moves=e2e4,e7e5,d1h5,b8c6,f1c4,g8f6,h5f7`);
      await page.getByLabel("How thoroughly").selectOption("quick");
      await page.getByRole("button", { name: "Review the game" }).click();
      await page.locator(".toast", { hasText: /marked\. Press n/ }).waitFor();
      await page.getByRole("button", { name: "Previous mistake" }).click();
      await page.locator(".fault-words").waitFor();
      await page.getByRole("button", { name: "Analyse", exact: true }).click();
      await page.waitForSelector(".lines li");
      await page.locator(".engine summary").first().click();
      const found = await serious(page, "a review");
      for (const [name, show] of Object.entries(windows)) {
        await show(page);
        found.push(...(await serious(page, name)));
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog", { state: "detached" });
      }
      expect(found).toEqual([]);
      await page.context().close();
    });
  }
});

it("lists of recent games show long names whole", async () => {
  const page = await newPage();
  const id = await makeGame({ game: "tictactoe", human: null, levels: [1, 2] });
  await expect.poll(async () => (await state(id)).result !== null, { timeout: 30_000 }).toBe(true);
  await page.goto(`${url()}#/play`);
  const name = page.locator(`.recent a[href$="${id}"] .against`);
  await name.waitFor();
  expect(await name.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await page.context().close();
});
