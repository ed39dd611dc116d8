import AxeBuilder from "@axe-core/playwright";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, newPage, startGame, url } from "./browser";

afterAll(closeBrowser);

describe("step mode", () => {
  it("shows a cutoff where the textbook has one", async () => {
    const page = await newPage();
    // X wins at once with a1, the first move that is tried: every other move is cut off after one reply.
    await page.goto(`${url()}#/learn?game=tictactoe&start=xo1/xo1/3+x+1&depth=3&search=alphabeta`);
    await page.waitForSelector(".search-tree");
    await page.waitForSelector('[data-step="enter"]');
    await page.getByRole("button", { name: "Step forward" }).click();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("c");
    await page.waitForSelector('[data-step="cutoff"]');
    expect(await page.locator("[data-step]").textContent()).toMatch(/^Cutoff!/);
    expect(await page.locator(".stubs .snip").count()).toBeGreaterThan(0);
    await page.keyboard.press("End");
    await page.waitForSelector('[data-step="end"]');
    expect(await page.locator("[data-step]").textContent()).toContain("by a1");
  });

  it("has no cutoffs in minimax", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/learn?game=tictactoe&start=xo1/xo1/3+x+1&depth=2&search=minimax`);
    await page.waitForSelector(".search-tree");
    await page.keyboard.press("End");
    await page.waitForSelector('[data-step="end"]');
    expect(await page.locator(".stubs").count()).toBe(0);
  });
});

describe("accessibility", () => {
  const seriousOn = async (page: Awaited<ReturnType<typeof newPage>>) => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations
      .filter((one) => one.impact === "serious" || one.impact === "critical")
      .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
  };
  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no serious violation, ${colorScheme}`, async () => {
      const page = await newPage({ colorScheme, reducedMotion: "reduce" });
      await page.goto(`${url()}#/play`);
      await page.waitForSelector(".card");
      expect(await seriousOn(page)).toEqual([]);
      await startGame(page, "othello");
      await page.waitForSelector(".banner.mine");
      expect(await seriousOn(page)).toEqual([]);
      await page.goto(`${url()}#/analyse?game=connect6&moves=j10`);
      await page.waitForSelector(".analysis .board");
      await page.getByRole("button", { name: "Analyse", exact: true }).click();
      await page.waitForSelector(".lines li");
      await page.locator("summary", { hasText: "Options of" }).click();
      expect(await seriousOn(page)).toEqual([]);
      await page.goto(`${url()}#/learn`);
      await page.waitForSelector(".search-tree");
      await page.keyboard.press("c");
      await page.waitForSelector('[data-step="cutoff"]');
      expect(await seriousOn(page)).toEqual([]);
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      expect(await seriousOn(page)).toEqual([]);
    });
  }
});
