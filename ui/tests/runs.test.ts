import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Run, RunGame } from "../src/api/runs";
import type { Opinion } from "../src/api/search";
import { clickCell, closeBrowser, newPage } from "./browser";
import { endServer, runProgram, startServer, type TestServer } from "./server";

// A server with two small runs, one of them with ratings.
let data = "";
let server: TestServer;

const learn = (name: string, generations: number, ...settings: string[]) =>
  runProgram(
    ...["learn", "tictactoe", "--run", join(data, "runs", name), "--recipe", "plain"],
    ...["--generations", String(generations)],
    ...["blocks=1", "channels=8", "games=8", "playouts=4", "batch=32", ...settings].flatMap((setting) => [
      "--set",
      setting,
    ]),
  );

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "outplay-runs-"));
  await mkdir(join(data, "runs"));
  await learn("first", 2);
  await learn("second", 1, "seed=2");
  const rating = { opponent: "UCT, 400 rollouts", playouts: 100, games: 40, elo_error: 98 };
  const lines = [
    { ...rating, generation: 1, elo: -120, play_seconds: 2, train_seconds: 1, total_games: 8 },
    { ...rating, generation: 2, elo: 61, play_seconds: 4, train_seconds: 2, total_games: 16 },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(join(data, "runs/first/ratings.jsonl"), `${text}{"generation": 3, "opp`);
  server = await startServer(data);
}, 240_000);
afterAll(async () => {
  await closeBrowser();
  await endServer(server);
  await rm(data, { recursive: true, force: true });
});

async function open(query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(`${server.url}#/runs${query}`);
  await page.waitForSelector(".life .policy li");
  return page;
}

const get = async <T>(path: string) => (await (await fetch(server.url + path)).json()) as T;

async function ask(run: string, generation: number, moves: string[]): Promise<Opinion> {
  const body = JSON.stringify({ generation, moves });
  return (await (
    await fetch(`${server.url}api/runs/${run}/opinion`, { method: "POST", body })
  ).json()) as Opinion;
}

const slider = (page: Page) => page.getByRole("slider", { name: /^Generation/ });
/** Waits until the list of moves is the policy that a network has. */
const waitForPolicy = (page: Page, { policy }: Opinion) => {
  const expected = policy.slice(0, 8).map(({ text, probability }) => [text, Math.round(100 * probability)]);
  return page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll(".life .policy li")];
    const shown = rows.map((row) => [
      row.querySelector(".move")?.textContent,
      Math.round(Number.parseFloat(row.lastElementChild?.textContent ?? "")),
    ]);
    return JSON.stringify(shown) === wanted;
  }, JSON.stringify(expected));
};

it("shows the curves of a run over generations, seconds and games", async () => {
  const page = await open("?runs=first");
  const titles = () => page.locator(".chart-grid .curves h2").allTextContents();
  expect(await titles()).toEqual(["Rating", "Policy loss", "Value loss", "Game length", "Who wins"]);
  const rating = page.getByRole("region", { name: "Rating" });
  expect(await rating.locator("li").allTextContents()).toEqual([
    "against UCT, 400 rollouts, with 100 playouts 61 ± 98",
    "at the end",
  ]);
  expect(await rating.locator("canvas").count()).toBe(1);
  const loss = (await get<Run>("api/runs/first")).metrics.at(-1)!.policy_loss as number;
  const words = await page.getByRole("region", { name: "Policy loss" }).locator("b").textContent();
  expect(Number(words)).toBeCloseTo(loss, 2);
  for (const axis of ["seconds", "games"]) {
    await page.getByLabel("Curves over").selectOption(axis);
    await rating.locator("canvas").waitFor();
    expect((await titles()).length).toBe(5);
  }
  await page.locator("summary", { hasText: "More charts" }).click();
  await page.getByRole("region", { name: "Entropy", exact: true }).locator("canvas").waitFor();
});

it("shows what each generation says of a position that is played or typed", async () => {
  const page = await open("?runs=first");
  await waitForPolicy(page, await ask("first", 2, []));
  await slider(page).focus();
  await page.keyboard.press("Home");
  await waitForPolicy(page, await ask("first", 0, []));
  await clickCell(page, "b2");
  await waitForPolicy(page, await ask("first", 0, ["b2"]));
  const drawn = await page.locator(".life [data-share]").count();
  expect(drawn).toBe(8);
  await page.getByLabel("Moves", { exact: true }).fill("a1 b2 c3");
  await page.keyboard.press("Enter");
  await waitForPolicy(page, await ask("first", 0, ["a1", "b2", "c3"]));
  await slider(page).focus();
  await page.keyboard.press("ArrowRight");
  await waitForPolicy(page, await ask("first", 1, ["a1", "b2", "c3"]));
  // The same position at one glance: here the second player moves, and values stand in the first player's view.
  const last = await ask("first", 2, ["a1", "b2", "c3"]);
  const curve = page.getByRole("region", { name: /^Expected result for/ });
  const share = Math.round(100 * (1 - last.wdl[0] - last.wdl[1] / 2));
  await curve.locator("b", { hasText: `${share}%` }).waitFor();
  // What cannot be played is said in words, and the position stays.
  await page.getByLabel("Moves", { exact: true }).fill("a1 a1");
  await page.keyboard.press("Enter");
  await page.locator("#moves-fault", { hasText: "a1" }).waitFor();
  await page.getByRole("button", { name: "One move back" }).click();
  await waitForPolicy(page, await ask("first", 1, ["a1", "b2"]));
});

it("compares runs, and says where they differ", async () => {
  const page = await open("?runs=first");
  await page.getByRole("checkbox", { name: /^second/ }).check();
  const legend = page.getByRole("region", { name: "Policy loss" }).locator("li");
  await legend.nth(2).waitFor();
  expect((await legend.allTextContents()).map((text) => text.split(" ")[0])).toEqual([
    "first",
    "second",
    "at",
  ]);
  await page.locator("summary", { hasText: "Settings that differ" }).click();
  expect(await page.locator(".run-settings tbody th").allTextContents()).toEqual(["seed"]);
  await page.getByLabel("Board and games of").selectOption("second");
  await waitForPolicy(page, await ask("second", 1, []));
  // The address says what is compared.
  await page.reload();
  await page.waitForSelector(".life .policy li");
  await waitForPolicy(page, await ask("second", 1, []));
});

it("replays a game on the analysis board", async () => {
  const page = await open("?runs=first");
  const [game] = await get<RunGame[]>("api/runs/first/games?generation=1");
  await page.getByRole("link", { name: `Game ${game!.number + 1}`, exact: true }).click();
  await page.waitForSelector(".analysis .board");
  await page.waitForFunction(
    (count) => document.querySelectorAll(".tree-moves .move").length === count + 1,
    game!.moves.length,
  );
  await page.getByRole("button", { name: "Last position" }).click();
  const ending = game!.winner === null ? "draw" : "wins";
  await page.locator(".standing", { hasText: new RegExp(ending, "i") }).waitFor();
});

it("follows a run that goes on", async () => {
  const page = await open("?runs=second");
  expect(await slider(page).getAttribute("max")).toBe("1");
  await learn("second", 2, "seed=2");
  await page.waitForFunction(
    () => document.querySelector(".life input[type=range]")?.getAttribute("max") === "2",
  );
  // Whoever looks at the newest network sees the new one.
  await waitForPolicy(page, await ask("second", 2, []));
});

it("says how to begin where there is no run", async () => {
  const empty = await mkdtemp(join(tmpdir(), "outplay-no-runs-"));
  const other = await startServer(empty);
  try {
    const page = await newPage();
    await page.goto(`${other.url}#/runs`);
    await page.locator("pre", { hasText: "outplay learn" }).waitFor();
  } finally {
    await endServer(other);
    await rm(empty, { recursive: true, force: true });
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  it(`has no serious faults for people who hear or magnify the page, ${colorScheme}`, async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await open("?runs=first,second", { colorScheme, viewport });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
      expect(serious.map((one) => [one.id, ...one.nodes.map((node) => node.target.join(" "))])).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
      await page.context().close();
    }
  });
}
