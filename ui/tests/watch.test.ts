import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, newPage, url } from "./browser";

afterAll(closeBrowser);

const open = async (query: string, options: BrowserContextOptions = {}) => {
  const page = await newPage(options);
  await page.goto(`${url()}#/watch?${query}`);
  await page.waitForSelector(".watch .board");
  return page;
};
const start = (page: Page) => page.getByRole("button", { name: "Start", exact: true }).click();
const ended = (page: Page) => page.waitForSelector("[data-state=stopped]", { timeout: 60_000 });
const limit = async (page: Page, amount: string, name: string) => {
  await page.getByLabel("Unit of the limit").selectOption(name);
  await page.getByLabel("For", { exact: true }).fill(amount);
  await page.getByLabel("For", { exact: true }).blur();
};
const numberOf = async (page: Page, selector: string, name: string) =>
  Number(await page.locator(selector).getAttribute(name));
const nodes = (page: Page) => numberOf(page, ".icicle", "data-nodes");
const frame = (page: Page) => numberOf(page, "[data-frame]", "data-frame");
const picture = (page: Page) =>
  page.locator(".icicle canvas").evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
const selected = (page: Page) => page.locator("[data-node-move]").getAttribute("data-node-move");

describe("examples", () => {
  it("begins with a sentence and three of them, and each sets its search", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/watch`);
    await page.waitForSelector(".watch .board");
    expect(await page.locator(".featured > p").textContent()).toMatch(/^Watch a search/);
    const cards = page.locator(".featured-cards button");
    expect(await cards.count()).toBe(3);
    const search = page.getByRole("combobox", { name: "Search" });
    await cards.filter({ hasText: "Othello" }).click();
    await expect.poll(() => search.inputValue()).toBe("mcts");
    await page.waitForURL(/game=othello&moves=f5&search=mcts/);
    await cards.filter({ hasText: "a queen for a mate" }).click();
    await expect.poll(() => search.inputValue()).toBe("pvs");
    expect(await cards.filter({ hasText: "a queen for a mate" }).getAttribute("aria-pressed")).toBe("true");
  });
});

describe("alpha-beta", () => {
  it("shows the tree while the search runs, follows it, and stops on demand", async () => {
    const page = await open("game=chess&search=pvs");
    await limit(page, "60", "seconds");
    await start(page);
    await page.waitForSelector('[data-state="running"]');
    await expect.poll(() => nodes(page)).toBeGreaterThan(20);
    const before = await frame(page);
    await expect.poll(() => frame(page), { timeout: 30_000 }).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await ended(page);
    expect(await page.locator("[data-stopped]").getAttribute("data-stopped")).toBe("stopped");
    expect(await page.locator('[data-technique="null_moves"] td').first().textContent()).toMatch(/\d/);
    expect(await page.locator(".legend button").count()).toBeGreaterThan(3);
  });

  it("goes back in time, over iterations and within one", async () => {
    const page = await open("game=chess&search=pvs");
    await limit(page, "7", "depth");
    await start(page);
    await ended(page);
    await expect.poll(() => frame(page)).toBe(6);
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector('[data-frame="5"]:has-text("Depth 6")');
    await page.keyboard.press("Home");
    await page.waitForSelector('[data-frame="0"]:has-text("Depth 1")');
    await page.keyboard.press("End");
    await page.waitForSelector('[data-frame="6"]');
    const whole = await picture(page);
    await page.getByLabel("Visits of the iteration").fill("3");
    await page.waitForSelector('[data-visits="3"]');
    expect(await picture(page)).not.toBe(whole);
    await page.waitForSelector('.legend button:has-text("Under way")');
    await page.getByRole("button", { name: "Play the visits of this iteration" }).click();
    await expect.poll(() => page.locator('[data-visits="3"]').count()).toBe(0);
  });

  it("takes options: where null moves are off, none are made", async () => {
    const page = await open("game=chess&search=pvs");
    await limit(page, "8", "depth");
    const made = async () => {
      await start(page);
      await ended(page);
      const row = page.locator('[data-technique="null_moves"] td');
      return (await row.count()) > 0 ? row.nth(1).textContent() : "0";
    };
    expect(await made()).not.toBe("0");
    await page.getByText("Options of Strong and fast").click();
    await page.getByLabel("Find an option").fill("null move");
    await page.getByLabel("Null move", { exact: true }).uncheck();
    await page.getByText("1 changed").waitFor();
    expect(await made()).toBe("0");
    await page.getByRole("button", { name: "Reset all" }).click();
    expect(await page.getByLabel("Null move", { exact: true }).isChecked()).toBe(true);
  });

  it("walks and zooms by keys, and shows the position of the node", async () => {
    const page = await open("game=chess&search=pvs");
    await limit(page, "6", "depth");
    await start(page);
    await ended(page);
    await page.locator(".icicle").focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => selected(page)).not.toBe("");
    const first = await selected(page);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => selected(page)).not.toBe(first);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.locator("[data-line]").getAttribute("data-line")).toMatch(/^\S+ \S+$/);
    expect(await page.locator("#live").textContent()).toMatch(/^Black plays .*nodes/);
    expect(await page.locator(".visits tbody tr").count()).toBeGreaterThan(0);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".breadcrumb button").count()).toBe(3);
    await page.keyboard.press("Backspace");
    await expect.poll(() => page.locator(".breadcrumb button").count()).toBe(2);
    await page.getByRole("button", { name: "Whole tree" }).click();
    await expect.poll(() => selected(page)).toBe("");
  });

  it("selects by clicks, lights up a colour and lists what was tried", async () => {
    const page = await open("game=chess&search=pvs");
    await limit(page, "6", "depth");
    await start(page);
    await ended(page);
    const box = (await page.locator(".icicle canvas").boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 60);
    await page.waitForSelector(".icicle-tip:has-text('White plays')");
    await page.mouse.click(box.x + 20, box.y + 60);
    await expect.poll(() => selected(page)).not.toBe("");
    await page.mouse.click(box.x + 20, box.y + 60);
    await expect.poll(() => page.locator(".breadcrumb button").count()).toBe(2);
    await page.getByRole("button", { name: "Whole tree" }).click();
    const plain = await picture(page);
    await page.locator(".legend button", { hasText: "Cutoff" }).click();
    await page.waitForSelector(".legend-words:has-text('Cutoff:')");
    expect(await picture(page)).not.toBe(plain);
    await page.locator(".detail .move").nth(1).click();
    await expect.poll(() => selected(page)).not.toBe("");
  });
});

describe("Monte Carlo", () => {
  it("grows, has a table and a chart of the root's moves, and says why it stopped", async () => {
    const page = await open("game=othello&moves=f5&search=mcts");
    await limit(page, "40000", "nodes");
    await start(page);
    await ended(page);
    expect(await page.locator("[data-state=stopped]").textContent()).toMatch(/^Stopped: \S+/);
    await page.waitForSelector(".visits-chart .uplot");
    expect(await page.locator(".root-moves tbody tr").count()).toBe(3);
    const visitsAt = async () => (await page.locator(".facts dd").first().textContent())!;
    const late = await visitsAt();
    await page.keyboard.press("Home");
    await page.waitForSelector('[data-frame="0"]');
    expect(await visitsAt()).not.toBe(late);
    await page.getByRole("button", { name: "Play the recording" }).click();
    await expect.poll(() => visitsAt(), { timeout: 20_000 }).toBe(late);
  });
});

describe("files", () => {
  it("saves a trace, and opening it gives the same tree", async () => {
    const page = await open("game=connect4&search=pvs");
    await limit(page, "6", "depth");
    await start(page);
    await ended(page);
    const [before, seen] = [await nodes(page), await picture(page)];
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("connect4-pvs.trace");
    const file = join(tmpdir(), `outplay-page-${process.pid}.trace`);
    await download.saveAs(file);
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).record)).toEqual([
      "begin",
      ...Array.from({ length: 6 }, () => "iteration"),
      "end",
    ]);
    const other = await open("game=chess");
    await other.getByLabel("Open a trace").setInputFiles(file);
    await expect.poll(() => nodes(other)).toBe(before);
    await other.waitForSelector(".board.drop");
    await expect.poll(() => picture(other)).toBe(seen);
    expect(await other.locator("[data-state=stopped]").textContent()).toContain("depth limit");
  });

  it("says what is wrong with a file that is no trace, and keeps what it has", async () => {
    const page = await open("game=chess");
    const file = join(tmpdir(), `outplay-page-${process.pid}.txt`);
    await writeFile(file, "1. e4 e5 2. Nf3\n");
    await page.getByLabel("Open a trace").setInputFiles(file);
    await page.waitForSelector(".toast.error:has-text('Line 1 is not JSON')");
    await page.waitForSelector(".watch .board.squares");
  });

  it("opens a file that is dropped on the page", async () => {
    const page = await open("game=chess");
    const begin = {
      record: "begin",
      version: 1,
      game: "tictactoe",
      position: "3/3/3 x 1",
      to_move: "Black",
      search: "mcts",
      settings: {},
      options: { plies: 1, most_nodes: 9, least_visits: 1 },
    };
    const end = {
      record: "end",
      us: 5,
      nodes: 0,
      depth: 0,
      stopped: "book",
      reason: "book",
      line: [],
      dropped: 0,
    };
    await page.evaluate(
      (text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "small.trace"));
        document
          .querySelector("main")!
          .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
      },
      [begin, end].map((record) => JSON.stringify(record)).join("\n"),
    );
    await page.waitForSelector(".icicle-empty:has-text('There is no tree')");
    await page.waitForSelector(".board.stones");
  });
});

describe("ways there and looks", () => {
  it("comes from the analysis with the position on the board", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=othello&moves=f5,d6`);
    await page.waitForSelector(".analysis .board");
    await page.getByRole("link", { name: "Watch the search" }).click();
    await page.waitForSelector(".watch .board.discs");
    expect(page.url()).toContain("moves=f5,d6");
    await page.waitForSelector('.watch [data-cell="d6"]', { state: "attached" });
  });

  it("fits a phone", async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const page = await open("game=chess&search=pvs", phone);
    await limit(page, "5", "depth");
    await start(page);
    await ended(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.locator(".icicle canvas").scrollIntoViewIfNeeded();
    const box = (await page.locator(".icicle canvas").boundingBox())!;
    await page.touchscreen.tap(box.x + 20, box.y + 60);
    await expect.poll(() => selected(page)).not.toBe("");
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no serious violation, ${colorScheme}`, async () => {
      for (const query of ["game=chess&search=pvs", "game=othello&moves=f5&search=mcts"]) {
        const page = await open(query, { colorScheme, reducedMotion: "reduce" });
        await limit(page, "20000", "nodes");
        await start(page);
        await ended(page);
        await page.locator(".legend button").first().click();
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
        expect(serious.map((one) => [one.id, ...one.nodes.map((node) => node.target.join(" "))])).toEqual([]);
      }
    });
  }
});
