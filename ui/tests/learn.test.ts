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
    // Here the best move is far to the left of the root, at a size at which boards can be read.
    await page.goto(`${url()}#/learn?game=tictactoe&start=xo1/xo1/3+x+1&depth=3&search=minimax`);
    await page.waitForSelector('[data-step="enter"]');
    await page.keyboard.press("End");
    for (let times = 0; times < 4; times += 1) await page.getByRole("button", { name: "Zoom in" }).click();
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

  it("offers other random numbers, flat Monte Carlo and lessons, all in the address", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/learn`);
    await page.waitForSelector(".search-tree");
    await page.getByRole("combobox", { name: "Lesson" }).selectOption("UCT: answer a corner");
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

describe("the course", () => {
  const lesson = async (name: string, shown: string) => {
    const page = await newPage({ reducedMotion: "reduce" });
    await page.goto(`${url()}#/learn?lesson=${name}`);
    await page.waitForSelector(shown);
    return page;
  };
  const numbers = (page: Awaited<ReturnType<typeof newPage>>, row: string) =>
    page
      .locator(row)
      .evaluateAll((rows) => rows.map((one) => [...one.children].map((cell) => cell.textContent!)));

  it("begins with a sentence and three lessons, and goes through all of them", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/learn`);
    await page.waitForSelector(".search-tree");
    expect(await page.locator(".featured > p").textContent()).toMatch(/^Learn how programs search/);
    const cards = page.locator(".featured-cards button");
    expect(await cards.count()).toBe(3);
    await cards.nth(2).click();
    await page.waitForSelector('[data-lesson="puct"]');
    expect(await cards.nth(2).getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Next lesson" }).click();
    await page.waitForURL(/lesson=temperature/);
    const choice = page.getByRole("combobox", { name: "Lesson", exact: true });
    const names = await choice.locator("option").allTextContents();
    expect(names.length).toBeGreaterThanOrEqual(20);
    for (const name of names) {
      await choice.selectOption(name);
      await page.waitForSelector(`.learn-lesson h2:text-is("${name}")`);
      await page.waitForSelector(".search-tree, [data-lesson]", { timeout: 60_000 });
      expect(await page.locator(".learn-lesson .try").textContent()).toMatch(/^Try: .+/);
    }
  }, 180_000);

  it("draws the plot again with other b and d", async () => {
    const page = await lesson("growth", "[data-lesson=growth] canvas");
    await page.getByLabel("Moves (b)").fill("3");
    await page.getByLabel("Moves (b)").blur();
    await expect.poll(() => page.url(), { timeout: 60_000 }).toMatch(/branching=3/);
    await expect.poll(() => page.locator("tbody tr").count(), { timeout: 60_000 }).toBeGreaterThan(0);
    await page.getByLabel("Plies (d)").fill("4");
    await page.getByLabel("Plies (d)").blur();
    await expect.poll(() => page.url(), { timeout: 60_000 }).toMatch(/depth=4/);
    await page.waitForSelector("tbody tr:nth-child(4)");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(4);
    const [depth, all, worst, , , best, formula] = (await numbers(page, "tbody tr")).at(-1)!;
    // 3^4, and 3² + 3² − 1.
    expect([depth, all, worst, best, formula]).toEqual(["4", "81", "81", "17", "17"]);
  });

  it("shows that two orders of moves lead to one key", async () => {
    const page = await lesson("zobrist", "[data-lesson=keys]");
    const keys = await page.locator("tr.here code:last-child").allTextContents();
    expect(keys).toHaveLength(4);
    expect(keys[1]).toBe(keys[3]);
    expect(keys[1]).toMatch(/^[0-9a-f]{16}$/);
  });

  it("compares a technique where it saves work and where it errs", async () => {
    const page = await lesson("futility", "[data-lesson=technique] .case:nth-child(2) tbody tr:nth-child(6)");
    const cells = (nth: number) => numbers(page, `.case:nth-child(${nth}) tbody tr:nth-child(6)`);
    const [[, saved, , , all]] = (await cells(1)) as [string[]];
    expect(Number(saved!.replace(/\D/g, ""))).toBeLessThan(Number(all!.replace(/\D/g, "")) / 2);
    const [[, , , withIt, , , without]] = (await cells(2)) as [string[]];
    expect([withIt === without, without]).toEqual([false, "Rxh7+"]);
  });

  it("steps through PUCT: each simulation goes where Q + U was the highest", async () => {
    const page = await lesson("puct", "[data-lesson=puct] tbody tr.here");
    for (let simulation = 1; simulation <= 6; simulation += 1) {
      const next = await page.locator(".walk .lesson-table tr.here td").first().textContent();
      await page.getByRole("button", { name: "Step forward" }).click();
      await page.waitForSelector(`[data-step]:has-text("Simulation ${simulation} tried ${next}.")`);
      const visits = (await numbers(page, ".walk .lesson-table:not([data-table]) tbody tr")).map((row) =>
        Number(row[1]),
      );
      expect(visits.reduce((sum, one) => sum + one)).toBe(simulation);
    }
    const temperature = page.getByRole("spinbutton", { name: "Temperature" });
    await temperature.fill("0.1");
    await temperature.blur();
    await page.waitForSelector('[data-table="temperature"] td:text-is("0.1")');
  });

  it("fits the tree into its panel, zooms and drags it, and no edge crosses a word", async () => {
    const page = await lesson("alphabeta", ".search-tree");
    await page.keyboard.press("End");
    await page.waitForSelector('[data-step="end"]');
    const sizes = () =>
      page.locator(".search-tree").evaluate((box) => {
        const { width } = box.querySelector("svg")!.getBoundingClientRect();
        return { width, room: box.clientWidth };
      });
    await page.getByRole("button", { name: "Fit the tree" }).click();
    const fitting = await sizes();
    expect(fitting.width).toBeLessThanOrEqual(fitting.room + 1);
    const crossings = await page.locator(".search-tree").evaluate((box) => {
      const words = [...box.querySelectorAll("text")].map((one) => one.getBoundingClientRect());
      const inside = ({ x, y }: DOMPoint) =>
        words.some(
          (word) => x > word.left + 1 && x < word.right - 1 && y > word.top + 1 && y < word.bottom - 1,
        );
      return [...box.querySelectorAll<SVGPathElement>("path.edge")].filter((edge) => {
        const [length, matrix] = [edge.getTotalLength(), edge.getScreenCTM()!];
        return [...Array(41).keys()].some((part) =>
          inside(DOMPoint.fromPoint(edge.getPointAtLength((length * part) / 40)).matrixTransform(matrix)),
        );
      }).length;
    });
    expect(crossings).toBe(0);
    for (let times = 0; times < 4; times += 1) await page.getByRole("button", { name: "Zoom in" }).click();
    expect((await sizes()).width).toBeGreaterThan(1.5 * fitting.width);
    await page.locator(".search-tree").scrollIntoViewIfNeeded();
    const tree = (await page.locator(".search-tree").boundingBox())!;
    const left = () => page.locator(".search-tree").evaluate((box) => box.scrollLeft);
    const before = await left();
    const [x, y] = [tree.x + tree.width / 2, tree.y + tree.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    const by = before > 60 ? 60 : -60;
    await page.mouse.move(x + by / 2, y, { steps: 3 });
    await page.mouse.move(x + by, y, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => Math.abs((await left()) - before + by)).toBeLessThan(8);
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
      for (const name of ["null-move", "puct", "growth"]) {
        await page.goto(`${url()}#/learn?lesson=${name}`);
        await page.waitForSelector("[data-lesson] table", { timeout: 60_000 });
        expect(await seriousOn(page)).toEqual([]);
      }
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
