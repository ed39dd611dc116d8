import { afterAll, describe, expect, it } from "vitest";
import { clickCell, closeBrowser, newPage, PATIENCE_MS, url } from "./browser";

afterAll(closeBrowser);

const open = async (query: string, size = { width: 1440, height: 900 }) => {
  const page = await newPage({ viewport: size });
  await page.goto(`${url()}#/analyse?${query}`);
  await page.waitForSelector(".analysis .board");
  return page;
};

type Page = Awaited<ReturnType<typeof open>>;

const start = (page: Page) => page.getByRole("button", { name: "Analyse", exact: true }).click();

const ended = (page: Page) =>
  expect
    .poll(() => page.locator("[data-reason]").textContent(), { timeout: PATIENCE_MS })
    .not.toMatch(/searching|in line/);

/** A budget that gives the same values each time. */
const nodes = async (page: Page, amount: number) => {
  await page.locator(".engine summary", { hasText: "Settings" }).click();
  await page.getByRole("combobox", { name: "Budget" }).selectOption("nodes");
  await page.getByRole("spinbutton", { name: "Amount" }).fill(String(amount));
  await page.getByRole("spinbutton", { name: "Amount" }).blur();
};

const negative = (texts: string[]) => texts.map((text) => text.startsWith("−"));

describe("the engine", () => {
  it("is chosen in plain words, with what is for experts below", async () => {
    const page = await open("game=chess");
    const engine = page.getByRole("combobox", { name: "Engine" });
    await engine.locator("option").first().waitFor({ state: "attached" });
    expect(await engine.locator("option:checked").textContent()).toBe("Strong and fast");
    expect(await engine.locator("> option").allTextContents()).toContain("Monte Carlo");
    const experts = engine.locator('optgroup[label="For experts"] option');
    expect(await experts.allTextContents()).toContain("Alpha-beta");
    // No list of options before somebody asks for one.
    expect(await page.locator(".option:visible").count()).toBe(0);
    expect(await page.getByLabel("Lines", { exact: true }).isVisible()).toBe(false);
  });

  it("has board, verdict and moves in view at once, on a laptop and on a phone", async () => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      for (const query of ["game=chess&moves=e2e4,e7e5,g1f3,b8c6", "game=othello&moves=f5,d6,c3"]) {
        const page = await open(query, size);
        await start(page);
        await page.waitForSelector(".lines li:nth-child(3)");
        for (const part of [
          ".analysis .board",
          ".verdict",
          ".lines li:first-child",
          ".tree-moves .current",
        ]) {
          const box = (await page.locator(part).boundingBox())!;
          const what = `${part} in ${query} at ${size.width}×${size.height}`;
          expect(box.y, what).toBeGreaterThanOrEqual(0);
          expect(box.y + box.height, what).toBeLessThanOrEqual(size.height);
          expect(box.x + box.width, what).toBeLessThanOrEqual(size.width);
        }
        expect(await page.evaluate(() => [scrollY, document.documentElement.scrollWidth])).toEqual([
          0,
          size.width,
        ]);
        await page.context().close();
      }
    }
  });

  it("leaves the board to where a line led while the mouse rests where the move was", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5");
    await page.locator(".engine summary", { hasText: "Settings" }).click();
    await page.getByRole("combobox", { name: "Budget" }).selectOption("infinite");
    await start(page);
    const fourth = page.locator(".lines li").first().locator(".move").nth(3);
    await fourth.hover();
    await page.waitForSelector(".board:not(.playable)");
    // It may have become the second line on the mouse's way.
    const wanted = (await page.locator(".lines li:hover .move").allTextContents()).slice(0, 4);
    await page.mouse.down();
    await page.mouse.up();
    const moves = page.locator(".tree-moves .run .move");
    await expect.poll(() => moves.count()).toBe(6);
    expect((await moves.allTextContents()).slice(2)).toEqual(wanted);
    const squares = () =>
      page
        .locator(".board [data-piece]")
        .evaluateAll((all) =>
          all.map((one) => `${one.getAttribute("data-piece")}${one.getAttribute("data-cell")}`),
        );
    await page.waitForSelector(".lines li:nth-child(2)");
    await page.waitForSelector(".board.playable");
    const there = (await squares()).sort();
    // New lines come to lie under the mouse, and none of them is shown before it moves.
    for (let look = 0; look < 15; look += 1) {
      await page.waitForTimeout(100);
      expect((await squares()).sort()).toEqual(there);
      expect(await page.locator(".board.playable").count()).toBe(1);
    }
    // Then the board shows the line that is pointed at, as it stands in the list.
    await page.locator(".lines li").first().locator(".move").nth(1).hover();
    await page.waitForSelector(".board:not(.playable)");
    const shown = (await squares()).sort();
    const [first, second] = await page.locator(".lines li").first().locator(".move").allTextContents();
    await page.locator(".lines li").first().locator(".move").nth(1).click();
    await page.waitForSelector(".board.playable");
    await expect.poll(() => moves.count()).toBe(8);
    expect((await moves.allTextContents()).slice(6)).toEqual([first, second]);
    expect((await squares()).sort()).toEqual(shown);
  });

  it("shows all values in one view, which can be changed and is remembered", async () => {
    const page = await open("game=othello&moves=f5,d6,c3,d3,c4");
    await nodes(page, 30_000);
    await start(page);
    await ended(page);
    await page.waitForSelector(".board .value.best");
    const seen = async () => {
      const list = (await page.locator(".lines .score").allTextContents()).map((text) =>
        text.replace(/[≤≥]/, ""),
      );
      const best = await page.locator(".board .value.best text").first().textContent();
      const bar = await page.locator(".eval-bar span").textContent();
      const verdict = await page.locator(".verdict strong").textContent();
      // A bar has room for one digit.
      expect([best, verdict]).toEqual([list[0], list[0]]);
      expect(list[0]).toContain(bar);
      return list;
    };
    const first = await seen();
    await page.getByLabel("Values are those of").selectOption("mover");
    const mover = await seen();
    // White moves: all signs turn.
    expect(negative(mover)).toEqual(negative(first).map((minus) => !minus));
    await page.reload();
    await start(page);
    await page.waitForSelector(".lines li");
    await ended(page);
    expect(await seen()).toEqual(mover);
    await page.goto(`${url()}#/watch?game=othello`);
    expect(await page.getByLabel("Values are those of").inputValue()).toBe("mover");
  });

  it("has the value of every move on small boards, coloured by what it gives away", async () => {
    const page = await open("game=othello&moves=f5,d6,c3,d3,c4");
    await nodes(page, 60_000);
    await start(page);
    await ended(page);
    const legal = await page.locator(".board .target").count();
    expect(await page.locator(".board .value").count()).toBe(legal);
    expect(await page.locator(".board .value.best").count()).toBe(1);
    expect(await page.locator(".board .value .note").first().textContent()).toMatch(/^d \d+$/);
    // Only so many are listed as were asked for.
    expect(await page.locator(".lines li").count()).toBe(3);
    // A column that lets the opponent win at once is no fine move.
    await page.goto(`${url()}#/analyse?game=connect4&moves=a,d,a,d,a`);
    await page.waitForSelector(".board.drop");
    await ended(page);
    await page.waitForSelector('.board [data-value="a4"].best');
    await expect.poll(() => page.locator(".board .value.blunder").count()).toBe(6);
  });

  it("colours the arrows of chess by what they give away", async () => {
    const page = await open(`game=chess&start=${encodeURIComponent("7k/8/8/8/8/8/q6P/R6K w - - 0 1")}`);
    await nodes(page, 20_000);
    await start(page);
    await ended(page);
    await page.waitForSelector('.board [data-arrow="a1 a2"].best');
    expect(await page.locator(".board .arrow.blunder").count()).toBeGreaterThan(0);
    expect(await page.locator(".lines li.best").count()).toBe(1);
    expect(await page.locator(".lines li.blunder .score").first().getAttribute("title")).toMatch(
      /−\d+ % winning chance/,
    );
  });
});

describe("what the opponent would do", () => {
  it("is shown by a key and a button, in every game", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5,d1h5,a7a6");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(".tree-moves .current:has-text('Qh5')");
    await page.keyboard.press("x");
    // White would take on e5, with check.
    await page.waitForSelector('.board [data-threat="h5 e5"], .board [data-threat="h5 f7"]');
    await page.getByText(/White would play Q/).waitFor();
    await expect
      .poll(() => page.locator("#live").textContent(), { timeout: PATIENCE_MS })
      .toMatch(/White would play Q/);
    for (const [query, count] of [
      ["game=othello&moves=f5", 1],
      ["game=connect6&moves=j10,k10", 2],
      ["game=connect4&moves=d,d", 1],
      ["game=tictactoe&moves=b2,a1", 1],
    ] as const) {
      await page.goto(`${url()}#/analyse?${query}`);
      await expect
        .poll(() => page.locator(".board [data-threat]").count(), { timeout: PATIENCE_MS })
        .toBe(count);
    }
    await page.getByRole("button", { name: /^What does .* threaten/ }).click();
    await expect.poll(() => page.locator(".board [data-threat]").count()).toBe(0);
  });

  it("cannot be shown in check, and that is said", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5,d1h5,b8c6,h5f7");
    await page.keyboard.press("x");
    await page
      .locator(".threats", { hasText: "Black is in check: what White threatens cannot be shown" })
      .waitFor();
    expect(await page.locator("#live").textContent()).toContain("cannot be shown");
    await clickCell(page, "e8");
    await clickCell(page, "f7");
    await page.waitForSelector(".board [data-threat]");
  });
});

it("says moves and verdicts to people who hear the page", async () => {
  const page = await open("game=chess&moves=e2e4");
  const live = () => page.locator("#live").textContent();
  await page.keyboard.press("b");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await clickCell(page, "e7");
  await clickCell(page, "e5");
  await expect.poll(live).toBe("e5");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(live).toBe("After e4");
  await nodes(page, 5000);
  await start(page);
  await ended(page);
  await expect.poll(live).toMatch(/^(Even|White is|Black is).*\. Best move \S+: .*, depth \d+/);
});

it("lets keys go on from the move that a line was followed to", async () => {
  const page = await open("game=chess&moves=e2e4");
  await nodes(page, 5000);
  await start(page);
  await ended(page);
  await page.locator(".lines li").first().locator(".move").nth(1).focus();
  await page.waitForSelector(".board:not(.playable)");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".tree-moves .run .move").count()).toBe(3);
  await page.waitForSelector(".tree-moves .current:focus");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => page.locator(".tree-moves .current").textContent()).not.toBe("e4");
});
