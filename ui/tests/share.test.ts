import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, makeGame, newPage, url } from "./browser";

afterAll(closeBrowser);

async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent("download");
  await page.locator("dialog").getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** The pieces that an animation shows at a moment, by where they stand. */
function seenAt(page: Page, seconds: number): Promise<string[]> {
  return page.evaluate((at) => {
    const svg = document.querySelector("svg")!;
    svg.pauseAnimations();
    svg.setCurrentTime(at);
    return [...svg.querySelectorAll("g[transform]")]
      .filter((one) => one.querySelector("use, circle, path") && !one.querySelector("g[transform]"))
      .filter((one) => getComputedStyle(one).visibility === "visible")
      .map((one) => one.getAttribute("transform")!)
      .sort();
  }, seconds);
}

describe("sharing", () => {
  it("a game offers a link to its moves, says what is not in it, and has a file with the names", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "chess", moves: ["e2e4", "e7e5"], human: 0, levels: [null, 1] });
    await page.goto(`${url()}#/play/${id}`);
    await page.getByRole("button", { name: "Share…" }).click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    expect(link).toBe(`${url()}#/analyse?game=chess&moves=e2e4,e7e5`);
    await page.getByText("Not in the link: who played. The file has all of it.").waitFor();
    const { name, bytes } = await saved(page, "Save as .pgn file");
    expect(name).toBe("chess.pgn");
    expect(bytes.toString()).toContain('[White "You"]');
    await page.context().close();
  });

  it("an analysis counts what its link lacks", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=chess`);
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByLabel("Text").fill("1. e4 {Best.} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 $1 *");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForSelector("dialog", { state: "detached" });
    await page.getByRole("button", { name: "Share…" }).click();
    await page.getByText("Not in the link: 2 variations, 1 comment and 1 mark.").waitFor();
    await page.context().close();
  });

  it("gives the board as a PNG", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=othello&moves=f5,d6`);
    await page.getByRole("button", { name: "Share…" }).click();
    const { name, bytes } = await saved(page, "Board as PNG");
    expect(name).toBe("othello.png");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.readUInt32BE(16)).toBe(1200);
    // A picture of one colour would be smaller.
    expect(bytes.length).toBeGreaterThan(8000);
    await page.context().close();
  });

  it("gives a whole game as an animation that needs nothing else and shows each position in its time", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=chess&moves=e2e4,d7d5,e4d5`);
    await page.getByRole("button", { name: "Share…" }).click();
    const { name, bytes } = await saved(page, "Whole game as animation");
    expect(name).toBe("chess-game.svg");
    expect(bytes.length).toBeLessThan(60_000);
    const text = bytes.toString();
    expect(text).not.toMatch(/class=|https?:(?!\/\/www\.w3\.org)/);
    const bare = await page.context().newPage();
    await bare.setContent(text);
    const start = await seenAt(bare, 0.1);
    expect(start).toHaveLength(32);
    const square = (file: number, rank: number) => `translate(${100 * file} ${100 * (8 - rank)})`;
    expect(start).toContain(square(4, 2));
    const first = await seenAt(bare, 1);
    expect([first.includes(square(4, 4)), first.includes(square(4, 2))]).toEqual([true, false]);
    const last = await seenAt(bare, 3);
    expect(last).toHaveLength(31);
    expect([last.includes(square(3, 5)), last.includes(square(4, 4))]).toEqual([true, false]);
    await page.context().close();
  });
});

describe("a link", () => {
  it("opens what it says in a new tab, and what was open there is open still and can be taken up", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=chess&moves=e2e4`);
    await page.waitForSelector(".analysis .board");
    await page.getByPlaceholder("Comment on this position").fill("My own words");
    const other = await page.context().newPage();
    await other.goto(`${url()}#/analyse?game=othello&moves=f5,d6`);
    await other.locator(".tree-moves .move", { hasText: "d6" }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Move tree" }).getByText("My own words").waitFor();
    await page.close();
    await other.getByText("Saved analyses").click();
    await other.getByRole("button", { name: /^Chess: e4/ }).click();
    await other.getByRole("region", { name: "Move tree" }).getByText("My own words").waitFor();
    // Now the other one is among those that were open.
    await other.getByRole("button", { name: /^Othello: f5 d6/ }).waitFor();
    expect(await other.getByRole("button", { name: /^Chess: e4/ }).count()).toBe(0);
    await other.context().close();
  });

  it("in the same tab leaves what was open in the list", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=chess&moves=d2d4`);
    await page.waitForSelector(".analysis .board");
    await page.goto(`${url()}#/analyse?game=chess&moves=c2c4`);
    await page.locator(".tree-moves .move", { hasText: "c4" }).waitFor();
    await page.getByText("Saved analyses").click();
    await page.getByRole("button", { name: /^Chess: d4/ }).click();
    await page.locator(".tree-moves .move", { hasText: "d4" }).waitFor();
    await page.context().close();
  });
});
