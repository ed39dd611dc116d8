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

  it("ends with the root and the best move in view, or a way to it", async () => {
    const page = await newPage({ reducedMotion: "reduce" });
    const inView = (name: string) =>
      page.evaluate((text) => {
        const tree = document.querySelector(".search-tree")!.getBoundingClientRect();
        // The moves of the root come first where a name stands several times.
        const labels = [...document.querySelectorAll<SVGTextElement>(".edge-name")];
        const highest = (one: Element) => one.getBoundingClientRect().top;
        const found =
          text === "root"
            ? document.querySelector('[data-node="0"]')!
            : labels.filter((one) => one.textContent === text).sort((a, b) => highest(a) - highest(b))[0]!;
        const box = found.getBoundingClientRect();
        return box.left >= tree.left && box.right <= tree.right;
      }, name);
    await page.goto(`${url()}#/learn?game=tictactoe&start=xo1/2x/o2+x+1&depth=5&search=alphabeta`);
    await page.waitForSelector(".search-tree");
    await page.keyboard.press("End");
    await page.waitForSelector('[data-step="end"]:has-text("by c1")');
    await expect.poll(() => inView("c1")).toBe(true);
    expect(await inView("root")).toBe(true);
    // Here the best move is far to the left of the root.
    await page.goto(`${url()}#/learn?game=tictactoe&start=xo1/xo1/3+x+1&depth=3&search=minimax`);
    await page.waitForSelector('[data-step="enter"]');
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Show the best move, a1" }).click();
    await expect.poll(() => inView("a1")).toBe(true);
    expect(await inView("root")).toBe(false);
    await page.getByRole("button", { name: "Show the root" }).click();
    await expect.poll(() => inView("root")).toBe(true);
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

describe("step mode of simulations", () => {
  it("shows a choice by bounds, a random game and what is backed up", async () => {
    const page = await newPage();
    // Eight moves are tried once each; the ninth simulation is the first that chooses by bounds.
    await page.goto(`${url()}#/learn?game=tictactoe&moves=a1&search=uct&simulations=20&seed=1`);
    await page.waitForSelector('[data-step="begin"]');
    for (let simulation = 1; simulation <= 9; simulation += 1) {
      await page.keyboard.press("n");
      await page.waitForSelector(`[data-step]:has-text("Simulation ${simulation}.")`);
    }
    const words = page.locator("[data-step]");
    expect(await words.getAttribute("data-step")).toBe("choose");
    const [, move, bound] = /O chooses (\S+): its bound (\S+) is the highest/.exec(
      (await words.textContent())!,
    )!;
    const chosen = page.locator(".choice-table tr.here td");
    expect(await chosen.first().textContent()).toBe(`${move} chosen`);
    expect(await chosen.last().textContent()).toBe(bound);
    const bounds = await page.locator(".choice-table tbody td:last-child").allTextContents();
    expect(Math.max(...bounds.map((text) => Number(text.replace("−", "-"))))).toBe(Number(bound));
    const nodesBefore = await page.locator(".tree-node").count();
    await page.getByRole("button", { name: "Step forward" }).click();
    await page.waitForSelector('[data-step="expand"]');
    expect(await page.locator(".tree-node").count()).toBe(nodesBefore + 1);
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector('[data-step="random"]');
    expect(await words.textContent()).toMatch(
      /^A random game from here: .* The result: (X wins|O wins|A draw)\.$/,
    );
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector('[data-step="backup"]');
    expect(await page.locator(".choice-table tbody tr").first().textContent()).toContain("1 → 2");
    await page.keyboard.press("End");
    await page.waitForSelector('[data-step="end"]');
    expect(await words.textContent()).toContain("of 20 times");
  });

  it("offers other random numbers, flat Monte Carlo and examples, all in the address", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/learn`);
    await page.waitForSelector(".search-tree");
    await page.getByRole("combobox", { name: "Position" }).selectOption("Tic-tac-toe: answer a corner (uct)");
    await page.waitForSelector('[data-step="begin"]');
    await page.waitForURL(/search=uct&simulations=50&seed=1$/);
    await page.getByRole("button", { name: "Other random numbers" }).click();
    await page.waitForURL(/seed=2$/);
    await page.getByRole("combobox", { name: "Search" }).selectOption("flat");
    await page.waitForSelector('[data-step="begin"]:has-text("Each move in turn")');
    await page.keyboard.press("End");
    await page.waitForSelector('[data-step="end"]:has-text("has the best value")');
    await page.getByRole("combobox", { name: "Search" }).selectOption("minimax");
    await page.waitForURL(/search=minimax&depth=3$/);
    expect(await page.getByLabel("Simulations").count()).toBe(0);
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
      await page.keyboard.press("m");
      await page.keyboard.type("i9");
      await page.keyboard.press("Enter");
      await page.locator(".typed small", { hasText: "i9" }).waitFor();
      expect(await seriousOn(page)).toEqual([]);
      await page.goto(`${url()}#/analyse?game=connect6&moves=j10`);
      await page.waitForSelector(".analysis .board");
      await page.getByRole("button", { name: "Analyse", exact: true }).click();
      await page.waitForSelector(".lines li");
      await page.locator("summary", { hasText: "Settings" }).click();
      await page.locator("summary", { hasText: "Options of" }).click();
      expect(await seriousOn(page)).toEqual([]);
      await page.goto(`${url()}#/learn`);
      await page.waitForSelector(".search-tree");
      await page.keyboard.press("c");
      await page.waitForSelector('[data-step="cutoff"]');
      expect(await seriousOn(page)).toEqual([]);
      await page.goto(`${url()}#/learn?game=tictactoe&moves=a1&search=uct&simulations=50`);
      await page.waitForSelector('[data-step="begin"]');
      await page.keyboard.press("End");
      for (const step of ["end", "choose", "backup"]) {
        await page.waitForSelector(`[data-step="${step}"]`);
        expect(await seriousOn(page)).toEqual([]);
        await page.keyboard.press(step === "end" ? "N" : "ArrowLeft");
      }
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      expect(await seriousOn(page)).toEqual([]);
    });
  }
});
