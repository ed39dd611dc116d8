import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeBrowser, newPage } from "./browser";
import { endServer, runProgram, startServer, type TestServer } from "./server";

const PGN = `[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[Result "0-1"]

1. e4 c5 0-1

[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
`;

let data = "";
let server: TestServer;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "outplay-explore-"));
  const games = join(data, "games.pgn");
  await writeFile(games, PGN);
  await runProgram("book", "build", "chess", games, "--out", join(data, "main.bin"), "--least", "1");
  await runProgram(
    "book",
    "build",
    "othello",
    "--positions",
    "1",
    "--nodes",
    "200",
    "--out",
    join(data, "o.book"),
  );
  server = await startServer(
    data,
    "127.0.0.1:0",
    "--book",
    join(data, "main.bin"),
    "--book",
    join(data, "o.book"),
  );
}, 240_000);
afterAll(async () => {
  await closeBrowser();
  await endServer(server);
  await rm(data, { recursive: true, force: true });
});

const panel = (page: Page) => page.locator(".explorer");
const row = (page: Page, move: string) =>
  panel(page).locator("tbody tr", { has: page.getByRole("button", { name: move, exact: true }) });

it("asks for nothing while it is closed, and opens by a key", async () => {
  const page = await newPage();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/explorer")) asked.push(request.url());
  });
  await page.goto(`${server.url}#/analyse?game=chess&moves=e4&at=0`);
  await page.waitForSelector('.board:not([aria-busy="true"])');
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector('.board:not([aria-busy="true"])');
  expect(asked).toEqual([]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("o");
  await row(page, "e4").waitFor();
  expect(asked.length).toBeGreaterThan(0);
  await page.keyboard.press("o");
  await expect.poll(() => panel(page).locator("table").count()).toBe(0);
});

it("counts the games of a file, walks into them, and forgets them again", async () => {
  const page = await newPage();
  await page.goto(`${server.url}#/analyse?game=chess`);
  await panel(page).locator("summary").click();
  const buffer = Buffer.from(PGN);
  await panel(page)
    .getByLabel("File of games")
    .setInputFiles({ name: "mine.pgn", mimeType: "text/plain", buffer });
  await page.getByText("mine.pgn: 3 games added.").first().waitFor();
  await expect.poll(() => row(page, "e4").locator("td").first().textContent()).toBe("2");
  const bar = row(page, "e4").getByRole("img");
  expect(await bar.getAttribute("aria-label")).toBe("2 games: White won 1, Black won 1");
  expect(await row(page, "e4").locator("td").nth(2).textContent()).toMatch(/%$/);
  expect(await row(page, "d4").getByRole("img").getAttribute("aria-label")).toBe("1 game: 1 drawn");
  const found = await new AxeBuilder({ page }).include(".explorer").analyze();
  expect(found.violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/explore.png` });
  await row(page, "e4").getByRole("button").click();
  await row(page, "c5").waitFor();
  // The games behind a position are opened where they came here.
  const behind = panel(page).locator(".behind");
  await behind.getByText("2 games from here").click();
  expect(await behind.locator("li").allTextContents()).toEqual([
    "e5 e4 e5 Nf3, White wins ",
    "c5 e4 c5, Black wins ",
  ]);
  await behind.getByRole("button", { name: /^c5/ }).click();
  await expect.poll(() => page.locator(".tree-moves .run .move").allTextContents()).toEqual(["e4", "c5"]);
  expect(await page.locator(".tree-moves .current").textContent()).toBe("e4");
  expect(await row(page, "c5").textContent()).toContain("Sicilian");
  expect(await row(page, "c5").getByRole("img").getAttribute("aria-label")).toBe("1 game: Black won 1");
  // What a file has brought goes with it.
  const remove = panel(page).getByRole("button", { name: /elete mine.pgn/ });
  await remove.click();
  await remove.click();
  await expect.poll(() => row(page, "c5").getByRole("img").count()).toBe(0);
});

it("lists moves once that are the same by symmetry, with what a book says", async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${server.url}#/analyse?game=othello`);
  await panel(page).locator("summary").click();
  const rows = panel(page).locator("tbody tr");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
  expect(await rows.first().locator("button").textContent()).toContain("+3");
  expect(await rows.first().locator("td").allTextContents()).toEqual([expect.stringMatching(/· 100%$/)]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  if (process.env.SHOTS) await panel(page).screenshot({ path: `${process.env.SHOTS}/explore-othello.png` });
});
