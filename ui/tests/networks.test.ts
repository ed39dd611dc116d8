import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Opinion } from "../src/api/search";
import { clickCell, closeBrowser, newPage } from "./browser";
import { endServer, runProgram, startServer, type TestServer } from "./server";

// A server with networks of chance in its data folder, one of them damaged.
let data = "";
let server: TestServer;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "outplay-networks-"));
  const nets = join(data, "nets");
  await mkdir(nets);
  const small = ["--blocks", "1", "--channels", "8"];
  const file = (name: string) => join(nets, `${name}.safetensors`);
  await runProgram(
    ...["net", "new", "othello", file("disc"), ...small, "--ownership", "--margin", "--moves-left"],
  );
  await runProgram("net", "new", "connect4", file("four"), ...small);
  await runProgram("net", "new", "chess", file("king"), ...small);
  await writeFile(file("torn"), (await readFile(file("disc"))).subarray(0, 4000));
  server = await startServer(data);
}, 240_000);
afterAll(async () => {
  await closeBrowser();
  await endServer(server);
  await rm(data, { recursive: true, force: true });
});

async function choose(page: Page, network: string): Promise<void> {
  const choice = page.getByRole("combobox", { name: /^(Engine|Search)$/ });
  await choice.locator(`option[value="network:${network}"]`).waitFor({ state: "attached" });
  await choice.selectOption(`network:${network}`);
}

async function analyse(game: string, moves: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(`${server.url}#/analyse?game=${game}&moves=${moves}`);
  return page;
}

async function ask(game: string, moves: string[], network: string): Promise<Opinion> {
  const answer = await fetch(`${server.url}api/opinion`, {
    method: "POST",
    body: JSON.stringify({ game, moves, network }),
  });
  return (await answer.json()) as Opinion;
}

const box = (page: Page) => page.getByRole("region", { name: "Network" });
const answered = (page: Page) => page.waitForSelector('.network[aria-busy="false"] .policy li');
/** The cells that are drawn on, by an attribute. */
const drawnOn = (page: Page, attribute: string) =>
  page
    .locator(`.board [${attribute}]`)
    .evaluateAll((all, name) => all.map((one) => one.getAttribute(name)!).sort(), attribute);

it("shows what the network says of each position, as a list and on the board", async () => {
  const page = await analyse("othello", "f5");
  await choose(page, "disc");
  await answered(page);
  const said = await ask("othello", ["f5"], "disc");
  const moves = await box(page).locator(".policy .move").allTextContents();
  expect(moves).toEqual(said.policy.map(({ text }) => text));
  const chances = await box(page).getByRole("img").getAttribute("aria-label");
  expect(chances).toMatch(/^Black: win \d+(\.\d)?%, draw \d+(\.\d)?%, loss \d+(\.\d)?%$/);
  expect(await box(page).textContent()).toMatch(/Expected margin.*discs.*Moves left.*about/);

  const board = page.getByLabel("On the board");
  expect(await drawnOn(page, "data-share")).toEqual([]);
  await board.selectOption("policy");
  expect(await drawnOn(page, "data-share")).toEqual(said.policy.map(({ to }) => to!).sort());
  await board.selectOption("owners");
  expect((await drawnOn(page, "data-owner")).length).toBe(64);

  // A move on the board, and one from the list.
  await clickCell(page, said.policy[0]!.to!);
  const next = await ask("othello", ["f5", said.policy[0]!.move], "disc");
  await box(page)
    .getByRole("button", { name: `Play ${next.policy[0]!.text}`, exact: true })
    .click();
  await page.waitForFunction(() => document.querySelectorAll(".tree-moves .move").length === 4);
});

it("searches with the network, and says so in what it asks for", async () => {
  const page = await analyse("chess", "e2e4");
  const sent: string[] = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
  await page.reload();
  await choose(page, "king");
  await answered(page);
  await page.getByLabel("On the board").selectOption("policy");
  expect(await page.locator(".board .arrow").count()).toBe(5);
  await page.getByLabel("On the board").selectOption("lines");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.waitForSelector(".lines li");
  const asked = sent.map((text) => JSON.parse(text)).find(({ type }) => type === "analyse");
  expect([asked.search, asked.options]).toEqual(["mcts", { evaluation: "net", network: "king" }]);
  // The evaluation is settled by the network, and the other options are still there.
  await page.locator("summary", { hasText: "Settings" }).click();
  await page.locator("summary", { hasText: "Options of Monte Carlo" }).click();
  await page.getByPlaceholder(/^Find one of/).fill("evaluation");
  await page.waitForSelector(".option-list");
  expect(await page.locator(".option > label", { hasText: /^Evaluation$/ }).count()).toBe(0);
  // A network belongs to its game.
  await page.getByRole("combobox", { name: "Game" }).selectOption("connect4");
  await page.waitForSelector(".board.drop");
  expect(await box(page).count()).toBe(0);
});

it("says in words what is wrong with a network, and goes on", async () => {
  const page = await analyse("othello", "f5");
  await choose(page, "torn");
  const words = await box(page).getByRole("alert").textContent();
  expect(words).toMatch(/torn.*not a network file/);
  expect(words).not.toContain(data);
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page
    .locator(".toast, [role=status], [role=alert]", { hasText: "not a network file" })
    .first()
    .waitFor();
  await choose(page, "disc");
  await answered(page);
});

it("plays against a network", async () => {
  const page = await newPage();
  await page.goto(`${server.url}#/play`);
  await page.locator('.card:has(input[value="connect4"])').click();
  await page.locator('.segments label:has(input[value="1"])').click();
  await page.getByLabel("Opponent").selectOption("0");
  await choose(page, "four");
  await page.getByRole("spinbutton", { name: "Amount" }).fill("20");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".move-list .move").length === 1);
  const id = new URL(page.url()).hash.split("/").at(-1)!;
  const game = (await (await fetch(`${server.url}api/games/${id}`)).json()) as {
    engines: { options: unknown }[];
  };
  expect(game.engines[0]!.options).toEqual({ evaluation: "net", network: "four" });
});

for (const colorScheme of ["light", "dark"] as const) {
  it(`has no serious faults for people who hear or magnify the page, ${colorScheme}`, async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await analyse("othello", "f5,d6", { colorScheme, viewport });
      await choose(page, "disc");
      await answered(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
      expect(serious.map((one) => [one.id, ...one.nodes.map((node) => node.target.join(" "))])).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
      await page.context().close();
    }
  });
}
