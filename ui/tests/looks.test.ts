import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, makeGame, newPage, url } from "./browser";

afterAll(closeBrowser);

/** What has to be told apart on a board: one fill or edge against another, and how much contrast that takes. */
const PAIRS: Record<string, [string, string, number][]> = {
  squares: [
    [".piece.white", ".light", 3],
    [".piece.white", ".dark", 3],
    [".piece.black", ".light", 3],
    [".piece.black", ".dark", 3],
    [".on-light", ".light", 4.5],
    [".on-dark", ".dark", 3],
  ],
  discs: [
    [".disc.p0", ".felt", 3],
    [".disc.p1", ".felt", 3],
    [".disc.p0", ".disc.p1", 3],
  ],
  stones: [
    [".stone.p0", ".ground", 3],
    [".stone.p1", ".ground", 3],
    [".lines path", ".ground", 3],
  ],
  drop: [
    [".counter.p0", ".hole", 3],
    [".counter.p1", ".hole", 3],
    [".counter.p0", ".counter.p1", 3],
  ],
};

/** Every pair that is too close on the boards to choose from, with its contrast. */
function faint(page: Page, pairs: typeof PAIRS): Promise<{ boards: number; faint: string[] }> {
  return page.evaluate((all) => {
    const part = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const light = (colour: string) => {
      const [r, g, b] = colour.match(/\d+/g)!.map((one) => part(Number(one) / 255)) as [
        number,
        number,
        number,
      ];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    // A gradient counts as its middle; an edge tells a piece from its ground as well as its fill does.
    const coloursOf = (element: Element) => {
      const { fill, stroke } = getComputedStyle(element);
      const id = /url\("?#([^")]*)/.exec(fill)?.[1];
      const stop = id && document.querySelector(`#${id} stop:nth-child(2)`);
      const plain = stop ? getComputedStyle(stop).stopColor : fill;
      return [plain, stroke].filter((one) => one.startsWith("rgb("));
    };
    let boards = 0;
    const found: string[] = [];
    for (const [family, rows] of Object.entries(all)) {
      for (const look of document.querySelectorAll(`.looks label[data-${family}]`)) {
        boards += 1;
        for (const [a, b, least] of rows) {
          const ground = coloursOf(look.querySelector(`svg ${b}`)!)[0]!;
          const best = Math.max(
            ...coloursOf(look.querySelector(`svg ${a}`)!).map((colour) => {
              const [dark, bright] = [light(colour), light(ground)].sort((x, y) => x - y) as [number, number];
              return (bright + 0.05) / (dark + 0.05);
            }),
          );
          if (!(best >= least)) found.push(`${look.textContent} ${family}: ${a} on ${b}: ${best.toFixed(2)}`);
        }
      }
    }
    return { boards, faint: found };
  }, pairs);
}

describe("the looks of boards", () => {
  it("keep pieces, lines and names apart from their grounds, in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await newPage({ colorScheme });
      await page.goto(`${url()}#/play`);
      await page.getByRole("button", { name: "Settings" }).click();
      await page.waitForSelector(".looks label[data-drop] svg");
      expect(await faint(page, PAIRS)).toEqual({ boards: 16, faint: [] });
      await page.context().close();
    }
  });

  it("are chosen for each family, seen at once and remembered", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "chess", human: 0, levels: [null, 1] });
    await page.goto(`${url()}#/play/${id}`);
    await page.waitForSelector(".board:not(.still)");
    const look = () =>
      page.evaluate(() => {
        const board = document.querySelector(".board:not(.still)")!;
        const dark = getComputedStyle(board.querySelector(".dark")!).fill;
        return [dark, board.querySelector('[data-cell="b1"] path')!.getAttribute("d")!];
      });
    const before = await look();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("radio", { name: "Green" }).check({ force: true });
    await page.getByRole("radio", { name: "Modern" }).check({ force: true });
    const after = await look();
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, false]);
    await page.reload();
    await page.waitForSelector(".board:not(.still)");
    expect(await look()).toEqual(after);
    // Other families keep theirs.
    expect(await page.evaluate(() => document.documentElement.dataset.discs)).toBe("felt");
    await page.context().close();
  });

  it("and the colours of the page are chosen in one window", async () => {
    const page = await newPage({ colorScheme: "light" });
    await page.goto(`${url()}#/play`);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("radio", { name: "Dark", exact: true }).check({ force: true });
    const after = await ground();
    expect(after).not.toBe(before);
    await page.reload();
    await page.waitForSelector(".card");
    expect(await ground()).toBe(after);
    await page.context().close();
  });
});
