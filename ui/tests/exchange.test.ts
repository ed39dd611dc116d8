import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { Position } from "../src/api/types";
import { closeBrowser, draw, newPage, url } from "./browser";

afterAll(closeBrowser);

const PGN = `[Event "Test"]
[White "Ada"]
[Black "Bob"]

{A model game.} 1. e4 $1 e5 (1... c5 {The sharp answer.} 2. Nf3 (2. c3 $5 d5) 2... d6) 2. Nf3 Nc6 3. Bc4 1-0
`;

/** Twelve empty squares, White to move. */
const ENDGAME =
  "f5,f6,f7,c5,e6,f3,c4,d6,e3,f2,b5,f4,c6,b6,d3,a5,b4,a4,b3,c3,a3,a2,d2,e2,a6,a7,e1,f1,c2,d1,b1,e7,d8,d7,c8,e8,f8,c7,g4,g3,h3,g2,b2,a1,c1,g6,h5,h6";

async function analyse(page: Page, query: string): Promise<void> {
  await page.goto(`${url()}#/analyse?${query}`);
  await page.waitForSelector(".board");
}

async function importText(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Open…" }).click();
  await page.getByLabel("Text").fill(text);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForSelector("dialog", { state: "detached" });
}

async function exportText(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share…" }).click();
  const field = page.getByRole("textbox", { name: "Game", exact: true });
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLTextAreaElement>("dialog textarea")].every((one) => one.value !== ""),
  );
  const text = await field.inputValue();
  await page.getByRole("button", { name: "Close" }).click();
  return text;
}

async function position(game: string, moves: string): Promise<Position> {
  const body = JSON.stringify({ game, moves: moves.split(",") });
  const headers = { "content-type": "application/json" };
  return (await (await fetch(`${url()}api/position`, { method: "POST", headers, body })).json()) as Position;
}

describe("files", () => {
  it("bring variations, comments and signs, and take them away again", async () => {
    const page = await newPage();
    await analyse(page, "game=chess");
    await importText(page, PGN);
    const tree = page.getByRole("region", { name: "Move tree" });
    await tree.getByText("The sharp answer.").waitFor();
    expect(await tree.textContent()).toContain("A model game.");
    expect(await tree.getByRole("button", { name: /^e4 ?!$/ }).count()).toBe(1);
    expect(await tree.locator(".variation").count()).toBe(2);
    await tree.getByRole("button", { name: /^c3 ?!\?$/ }).click();
    await page.getByRole("button", { name: "excellent move" }).click();
    await page.getByPlaceholder("Comment on this position").fill("My own words");
    const text = await exportText(page);
    for (const part of ['[White "Ada"]', "{A model game.}", "1. e4 $1", "{The sharp answer.}", "1-0"])
      expect(text).toContain(part);
    expect(text.replaceAll(/\s+/g, " ")).toContain("(2. c3 $3 {My own words} 2... d5)");
    // Opened again, it is the same.
    await analyse(page, "game=chess&moves=d2d4");
    await importText(page, text);
    await tree.getByText("My own words").waitFor();
    expect(await exportText(page)).toBe(text);
    await page.context().close();
  });

  it("of other programs bring clocks, values and what is drawn, and show people their words alone", async () => {
    const page = await newPage();
    await analyse(page, "game=chess");
    const notes = "[%eval 0.17] [%clk 0:04:59] [%csl Re4] [%cal Bg1f3]";
    await importText(page, `1. e4 {${notes} Best by test.} e5 { [%clk 0:04:58] } 2. Nf3 *`);
    const tree = page.getByRole("region", { name: "Move tree" });
    await tree.getByText("Best by test.").waitFor();
    expect(await tree.textContent()).not.toContain("%");
    expect(await tree.locator(".comment").count()).toBe(1);
    await tree.getByRole("button", { name: "e4", exact: true }).click();
    await page.getByText("0:04:59 left on the clock").waitFor();
    await page.waitForSelector('.drawn circle.R[data-drawn="e4 e4"]');
    await draw(page, "b1", "c3");
    await page.waitForSelector('[data-drawn="b1 c3"]');
    await page.getByPlaceholder("Comment on this position").fill("Best of all.");
    const text = (await exportText(page)).replaceAll(/\s+/g, " ");
    expect(text).toContain(`{${notes.replace("f3]", "f3,Gb1c3]")} Best of all.}`);
    expect(text).toContain("{[%clk 0:04:58]}");
    await page.context().close();
  });

  it("of stones hold what is drawn, brackets and all", async () => {
    const page = await newPage();
    await analyse(page, "game=connect6&moves=j10");
    await draw(page, "k11", "m13");
    await page.waitForSelector('[data-drawn="k11 m13"]');
    const text = await exportText(page);
    await analyse(page, "game=connect6&moves=a1");
    await importText(page, text);
    await page.waitForSelector('[data-drawn="k11 m13"]');
    await page.context().close();
  });

  it("of stones have variations too, and a line can be exported alone", async () => {
    const page = await newPage();
    await analyse(page, "game=connect6");
    await importText(page, "(;GM[4]SZ[19];B[jj]C[the middle](;W[kk];W[ki])(;W[aa]C[far away];W[ss]))");
    await page.getByRole("region", { name: "Move tree" }).getByText("far away").waitFor();
    const text = await exportText(page);
    expect(text).toContain("C[far away]");
    await page.getByRole("button", { name: "Share…" }).click();
    await page.getByLabel("With variations and comments").uncheck();
    const field = page.getByRole("textbox", { name: "Game", exact: true });
    await page.waitForFunction((long) => {
      const all = [...document.querySelectorAll<HTMLTextAreaElement>("dialog textarea")];
      return !all.some((one) => one.value === long);
    }, text);
    expect(await field.inputValue()).not.toContain("far away");
    await page.context().close();
  });

  it("of several games show a list, and what is chosen there is opened", async () => {
    const page = await newPage();
    await analyse(page, "game=chess&moves=d2d4");
    const game = (number: number) =>
      `[White "Ada ${number}"]\n[Black "Bob"]\n\n1. ${number === 12 ? "c4" : "e4"} e5 *\n`;
    const file = Array.from({ length: 12 }, (_, place) => game(place + 1)).join("\n");
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByLabel("Text").fill(file);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const rows = page.locator(".game-list button");
    await expect.poll(() => rows.count()).toBe(12);
    // Nothing is opened yet.
    expect(page.url()).toContain("moves=d2d4");
    await page.getByRole("button", { name: "Back to the text" }).click();
    expect(await page.getByLabel("Text").inputValue()).toBe(file);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await expect.poll(() => rows.count()).toBe(12);
    const { violations } = await new AxeBuilder({ page }).include("dialog").analyze();
    expect(violations.map((one) => one.id)).toEqual([]);
    await page.keyboard.type("12 ADA");
    await expect.poll(() => rows.count()).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector('.tree-moves .move:has-text("c4")');
    expect(await page.locator(".game-heading").textContent()).toContain("Ada 12");
    await page.context().close();
  });

  it("can be pictures of the board that need no page around them", async () => {
    const page = await newPage();
    await analyse(page, "game=chess&moves=e2e4,e7e5");
    await draw(page, "g1", "f3");
    await page.getByRole("button", { name: "Share…" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Board as SVG" }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe("chess.svg");
    const text = await readFile(await saved.path(), "utf8");
    const bare = await page.context().newPage();
    await bare.setContent(text);
    const shown = await bare.evaluate((source) => {
      const { documentElement: svg } = new DOMParser().parseFromString(source, "image/svg+xml");
      const fills = [...document.querySelectorAll("rect")].map((one) => getComputedStyle(one).fill);
      return {
        root: svg.nodeName,
        classes: svg.querySelectorAll("[class], [style], .cursor").length,
        addresses: [...source.matchAll(/url\(#([^)]*)\)/g)].every(([, id]) => svg.querySelector(`#${id}`)),
        pieces: svg.querySelectorAll('[fill="rgb(253, 250, 242)"], [fill="rgb(59, 56, 53)"]').length,
        squares: fills.filter((fill) => fill === "rgb(171, 133, 98)").length,
      };
    }, text);
    expect(shown).toEqual({ root: "svg", classes: 0, addresses: true, pieces: 32, squares: 32 });
    expect(text).toContain("rgb(181, 18, 127)");
    await page.context().close();
  });

  it("with an illegal move in a variation are refused with its place", async () => {
    const page = await newPage();
    await analyse(page, "game=chess");
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByLabel("Text").fill("1. e4 e5 (1... c5\n2. Ke4) *");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByText("line 2, column 4").first().waitFor();
    await page.context().close();
  });
});

describe("endgames of Othello", () => {
  it("are solved: the values of the moves agree with those of the positions after them", async () => {
    const page = await newPage();
    await analyse(page, `game=othello&moves=${ENDGAME}`);
    await page.getByRole("button", { name: "Solve the endgame" }).click();
    await page.locator(".solver button[disabled]").waitFor({ timeout: 60_000 });
    const here = await position("othello", ENDGAME);
    const values = await readValues(page);
    expect(Object.keys(values).sort()).toEqual(here.legal.map((move) => move.to!).sort());
    // Values are those of the first player, whoever moves.
    const bestFor = (player: number, of: Record<string, number>) =>
      (player === 0 ? Math.max : Math.min)(...Object.values(of));
    const best = bestFor(here.to_move, values);
    expect(await page.locator(".solver strong").textContent()).toContain(
      best === 0 ? "a draw" : `wins by ${Math.abs(best)}`,
    );
    // After the best move the best answer leads to the same.
    const move = Object.keys(values).find((cell) => values[cell] === best)!;
    const after = await position("othello", `${ENDGAME},${move}`);
    await analyse(page, `game=othello&moves=${ENDGAME},${move}`);
    await page.reload();
    await page.getByRole("button", { name: "Solve the endgame" }).click();
    await page.locator(".solver button[disabled]").waitFor({ timeout: 60_000 });
    expect(bestFor(after.to_move, await readValues(page))).toBe(best);
    expect(await page.locator("[data-value].best").count()).toBeGreaterThan(0);
    await page.context().close();
  });

  it("are not offered while the board is empty", async () => {
    const page = await newPage();
    await analyse(page, "game=othello&moves=f5,d6");
    expect(await page.getByRole("button", { name: "Solve the endgame" }).count()).toBe(0);
    await page.context().close();
  });
});

async function readValues(page: Page): Promise<Record<string, number>> {
  const values = page.locator("[data-value]");
  await values.first().waitFor();
  return values.evaluateAll((all) =>
    Object.fromEntries(
      all.map((one) => [one.getAttribute("data-value"), Number(one.textContent!.replace("−", "-"))]),
    ),
  );
}

describe("openings", () => {
  it("have their names under the board, the last one on the way", async () => {
    const page = await newPage();
    await analyse(page, "game=chess&moves=e2e4,e7e5,g1f3,b8c6,f1c4,a7a6");
    await page.locator(".opening", { hasText: "Italian Game" }).waitFor();
    expect(await page.locator(".opening").textContent()).toContain("C50");
    await analyse(page, "game=othello&moves=f5,d6,c3,d3,c4");
    await page.locator(".opening", { hasText: "Tiger" }).waitFor();
    await page.context().close();
  });
});

describe("finished games", () => {
  it("have their winning row marked", async () => {
    const page = await newPage();
    for (const [game, moves, row] of [
      ["tictactoe", "a1,a2,b1,b2,c1", "a1 b1 c1"],
      ["connect4", "d,c,d,c,d,c,d", "d1 d2 d3 d4"],
      ["gomoku", "a1,b1,a2,b2,a3,b3,a4,b4,a5", "a1 a2 a3 a4 a5"],
    ] as const) {
      await analyse(page, `game=${game}&moves=${moves}`);
      await page.locator(`[data-winning="${row}"]`).waitFor({ state: "attached" });
    }
    await page.context().close();
  });

  it("take the names and the result along into the analysis", async () => {
    const page = await newPage();
    const headers = { "content-type": "application/json" };
    const post = async (path: string, body: unknown) =>
      (await (await fetch(url() + path, { method: "POST", headers, body: JSON.stringify(body) })).json()) as {
        id: string;
        version: number;
      };
    const clock = { seconds: 300, increment: 3 };
    const game = await post("api/games", { game: "chess", human: 0, levels: [null, 1], clock });
    await post(`api/games/${game.id}/resign`, { version: game.version });
    await page.goto(`${url()}#/play/${game.id}`);
    await page.locator(".actions").getByRole("link", { name: "Analyse" }).click();
    await page.waitForSelector(".analysis .board");
    await page.waitForFunction(() =>
      (localStorage.getItem("outplay.analysis") ?? "").includes("TimeControl"),
    );
    const text = await exportText(page);
    for (const part of ['[White "You"]', '[TimeControl "300+3"]', '[Result "0-1"]'])
      expect(text).toContain(part);
    await page.context().close();
  });
});

describe("accessibility", () => {
  it("has no serious violation with a tree, signs and a solver", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await newPage({ colorScheme });
      await analyse(page, "game=chess");
      await importText(page, PGN);
      await page.locator(".opening").waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
      expect(serious.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
      await page.context().close();
    }
  });
});
