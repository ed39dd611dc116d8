import { afterAll, describe, expect, it } from "vitest";
import { clickCell, clickHastily, closeBrowser, draw, makeGame, newPage, PATIENCE_MS, url } from "./browser";

afterAll(closeBrowser);

const open = async (query: string) => {
  const page = await newPage();
  await page.goto(`${url()}#/analyse?${query}`);
  await page.waitForSelector(".analysis .board");
  return page;
};

describe("analysis", () => {
  it("imports a game, walks through it and exports it", async () => {
    const page = await open("game=chess");
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByLabel("Text").fill("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForSelector('.tree-moves .move.current:has-text("a6")');
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector('.tree-moves .move.current:has-text("e4")');
    await page.waitForSelector('.board [data-cell="e4"]');
    await page.getByRole("button", { name: "Share…" }).click();
    await expect.poll(() => page.getByLabel("Game", { exact: true }).last().inputValue()).toContain("Bb5");
    expect(await page.getByLabel("Link", { exact: true }).inputValue()).toContain("moves=e2e4");
  });

  it("plays moves in the position that they are made for, however late it comes", async () => {
    const page = await open("game=connect6");
    // Answers come late, in turn.
    await page.route("**/api/position", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    for (const cell of ["j10", "k10", "k10"]) await clickHastily(page, cell);
    await page.waitForSelector('.board [data-cell="k10"]');
    expect(await page.locator(".tree-moves .move").allTextContents()).toEqual(["Start", "j10", "k10"]);
    await page.keyboard.press("ArrowLeft");
    // The board does not show yet that this stone is gone.
    await clickHastily(page, "l10");
    await page.waitForSelector('.board [data-cell="l10"]');
    expect(await page.locator(".toast.error").count()).toBe(0);
    expect(await page.locator('.board [data-cell="k10"]').count()).toBe(0);
  });

  it("asks again for a position that did not come", async () => {
    const page = await open("game=connect6&moves=j10");
    await page.route("**/api/position", (route) => route.abort());
    await clickHastily(page, "k10");
    await page.waitForSelector(".toast.error");
    await page.unroute("**/api/position");
    await clickHastily(page, "l10");
    await page.waitForSelector('.board [data-cell="l10"]');
    expect(await page.locator(".tree-moves .move").allTextContents()).toEqual(["Start", "j10", "k10", "l10"]);
  });

  it("says what is wrong with a bad import and keeps the board", async () => {
    const page = await open("game=chess&moves=e2e4");
    await page.getByRole("button", { name: "Open…" }).click();
    await page.getByLabel("Text").fill("1. e9 xx");
    await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForSelector(".toast.error");
    await page.keyboard.press("Escape");
    await page.waitForSelector('.board [data-cell="e4"]');
  });

  it("shows lines that preview and can be inserted, and arrows", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5");
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.waitForSelector(".lines li:nth-child(3)");
    // Lines of the first iteration have one move.
    await page.waitForSelector(".lines li:first-child .move:nth-child(2)");
    await page.waitForSelector(".board .arrow");
    expect(await page.locator(".engine-status").textContent()).toMatch(/depth \d+.*nodes/);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    const second = page.locator(".lines li").first().locator(".move").nth(1);
    await second.hover();
    await expect.poll(() => page.locator(".board .arrow").count()).toBe(0);
    await second.click();
    await expect.poll(() => page.locator(".tree-moves .move").count()).toBe(5);
    await page.waitForSelector(".tree-moves .move.current");
  });

  it("keeps the lines still under the pointer while the search goes on", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5");
    await page.locator(".engine summary", { hasText: "Settings" }).click();
    await page.getByRole("combobox", { name: "Budget" }).selectOption("infinite");
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    const lines = page.locator(".lines");
    await lines.locator("li").first().locator(".move").nth(3).hover();
    await page.waitForSelector(".board:not(.playable)");
    const texts = await lines.textContent();
    const status = await page.locator(".engine-status").textContent();
    // The search goes on: its figures change, the lines do not.
    await expect.poll(() => page.locator(".engine-status").textContent()).not.toBe(status);
    await page.waitForTimeout(1500);
    expect(await lines.textContent()).toBe(texts);
    const wanted = await lines.locator("li").first().locator(".move").allTextContents();
    await lines.locator("li").first().locator(".move").nth(3).click();
    await expect.poll(() => page.locator(".tree-moves .run .move").count()).toBe(6);
    expect((await page.locator(".tree-moves .run .move").allTextContents()).slice(2)).toEqual(
      wanted.slice(0, 4),
    );
  });

  it("says that a finished game is over, and shows no options of clocks", async () => {
    const page = await open("game=chess&moves=f2f3,e7e5,g2g4,d8h4");
    await expect
      .poll(() => page.locator(".engine").textContent())
      .toMatch(/The game is over. .*\. Step back/);
    await page.locator(".engine summary", { hasText: "Settings" }).click();
    const options = page.locator(".engine .options .options");
    await options.locator("summary").click();
    await options.getByLabel("Find an option").fill("clock");
    expect(await options.locator(".option").count()).toBe(0);
    await options.getByLabel("Find an option").fill("null");
    expect(await options.locator(".option").count()).toBeGreaterThan(0);
  });

  it("forgets a preview when the board goes on without it", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5,g1f3");
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.locator(".lines .move").nth(2).hover();
    await page.waitForSelector(".board:not(.playable)");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(".tree-moves .current:has-text('e4')");
    await page.mouse.move(5, 5);
    await page.waitForSelector(".board.playable");
    await clickCell(page, "c7");
    await clickCell(page, "c5");
    await page.waitForSelector(".variation");
    expect(await page.locator(".toast.error").count()).toBe(0);
  });

  it("keeps marks of one's own with their position", async () => {
    const page = await open("game=chess&moves=e2e4");
    const drawn = () =>
      page.locator("[data-drawn]").evaluateAll((all) => all.map((one) => one.getAttribute("data-drawn")));
    await page.evaluate(() => {
      addEventListener("contextmenu", (event) => {
        document.title = event.defaultPrevented ? "no menu" : "a menu";
      });
    });
    await draw(page, "g8", "f6");
    await draw(page, "e5", "e5");
    await expect.poll(drawn).toEqual(["e5 e5", "g8 f6"]);
    expect(await page.title()).toBe("no menu");
    await draw(page, "g8", "f6");
    await expect.poll(drawn).toEqual(["e5 e5"]);
    // The board is turned, and the mark with it.
    await page.keyboard.press("f");
    expect(await drawn()).toEqual(["e5 e5"]);
    await page.keyboard.press("f");
    await clickCell(page, "a3");
    await draw(page, "b8", "c6");
    await expect.poll(drawn).toEqual(["e5 e5", "b8 c6"]);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(drawn).toEqual([]);
    await page.reload();
    await page.waitForSelector(".board");
    await page.keyboard.press("ArrowRight");
    await expect.poll(drawn).toEqual(["e5 e5", "b8 c6"]);
    // They are in the comment, which has no words.
    expect(await page.getByLabel("Comment on this position").inputValue()).toBe("");
    await page.getByRole("button", { name: "Erase arrows and rings" }).click();
    await expect.poll(drawn).toEqual([]);
    expect(await page.locator(".tree-moves .run .move").count()).toBe(1);
  });

  it("takes moves that are typed, and says what is wrong with others", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5");
    await page.keyboard.press("m");
    const field = page.getByLabel("Move", { exact: true });
    // Nobody who types waits for the board.
    for (const typed of ["nf3", "b8c6", "Bb5"]) {
      await field.fill(typed);
      await page.keyboard.press("Enter");
      await expect.poll(() => field.inputValue()).toBe("");
    }
    await page.waitForSelector(".tree-moves .current:has-text('Bb5')");
    await page.waitForSelector("text=Black to move");
    await page.keyboard.press("Escape");
    // Not a key of these is lost or taken for another.
    await page.keyboard.type("mQe5");
    await page.keyboard.press("Enter");
    const words = page.locator(".typed small");
    await expect.poll(() => words.textContent()).toMatch(/^Qe5 is no legal move here/);
    expect(await page.locator("#live").textContent()).toBe(await words.textContent());
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    // The keys belong to the page again.
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector('.tree-moves .current:has-text("Nc6")');
  });

  it("castles by the king onto its rook", async () => {
    const page = await open("game=chess&start=r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // The list of moves and the address are quicker than the board.
    await expect.poll(() => page.locator("[data-piece]").count()).toBe(6);
    await clickCell(page, "e1");
    await clickCell(page, "h1");
    await page.waitForSelector(".tree-moves .current:has-text('O-O')");
    await page.waitForSelector("text=Black to move");
    await clickCell(page, "e8");
    await clickCell(page, "a8");
    await page.waitForSelector(".tree-moves .current:has-text('O-O-O')");
  });

  it("brings back what was removed or replaced", async () => {
    const page = await open("game=tictactoe&moves=b2,a1,c3");
    const moves = page.locator(".tree-moves .run .move");
    await page.getByPlaceholder("Comment on this position").fill("mine");
    await page.getByPlaceholder("Comment on this position").blur();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Delete");
    await expect.poll(() => moves.count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => moves.count()).toBe(3);
    await page.goto(`${url()}#/analyse?game=tictactoe&moves=a1`);
    await expect.poll(() => moves.count()).toBe(1);
    await page.keyboard.press("Control+z");
    await expect.poll(() => moves.count()).toBe(3);
    expect(await page.locator(".comment").textContent()).toBe("mine");
  });

  it("stays where it is while the engine thinks", async () => {
    const page = await open("game=chess&moves=e2e4");
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.waitForSelector(".lines li:nth-child(3)");
    const top = async () => (await page.locator(".tree").boundingBox())!.y;
    const first = await top();
    for (let look = 0; look < 20; look += 1) {
      expect(await top()).toBe(first);
      await page.waitForTimeout(60);
    }
  });

  it("puts values on the cells of Othello and remembers a budget", async () => {
    const page = await open("game=othello&moves=f5");
    await page.locator("summary", { hasText: "Settings" }).click();
    await page.locator(".budget select").selectOption("nodes");
    await page.locator(".budget input").fill("20000");
    await page.locator(".budget input").blur();
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.waitForSelector(".board .value");
    await expect.poll(() => page.locator("[data-reason]").textContent()).not.toBe("searching");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("text=Black to move");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("text=White to move");
    await page.waitForSelector(".board .value");
  });

  it("follows a link to another place in the line that is open, and arrows after a click", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/analyse?game=chess&moves=e2e4,e7e5,g1f3,b8c6`);
    await page.waitForSelector(".tree-moves .current:has-text('Nc6')");
    await page.goto(`${url()}#/analyse?game=chess&moves=e2e4`);
    await page.waitForSelector(".tree-moves .current:has-text('e4')");
    expect(await page.locator(".tree-moves .move").count()).toBe(5);
    await clickCell(page, "d7");
    await clickCell(page, "d5");
    await page.waitForSelector(".tree-moves .current:has-text('d5')");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(".tree-moves .current:has-text('e4')");
  });

  it("changes an option, says so and sends it", async () => {
    const page = await newPage();
    // What goes through the socket is kept, to be looked at below.
    await page.addInitScript(() => {
      const kept: string[] = [];
      Object.assign(globalThis, { kept });
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        kept.push(String(data));
        send.call(this, data);
      };
      localStorage.setItem("outplay.engine", JSON.stringify({ budget: "depth", amount: 4 }));
    });
    await page.goto(`${url()}#/analyse?game=chess`);
    await page.waitForSelector(".analysis .board");
    await page.locator("summary", { hasText: "Settings" }).click();
    await page.locator("summary", { hasText: "Options of" }).click();
    const field = page.locator(".option input[type=number]").first();
    const label = page.locator(".option:has(input[type=number]) label").first();
    const name = await label.getAttribute("title");
    const before = Number(await field.inputValue());
    const most = Number((await field.getAttribute("max")) ?? "1e9");
    const next = String(before < most ? before + 1 : before - 1);
    await field.fill(next);
    await field.blur();
    await page.waitForSelector(".option.changed");
    expect(await page.locator(".option.changed label").getAttribute("title")).toBe(name);
    expect(await page.locator("summary", { hasText: "Options of" }).textContent()).toContain("1 changed");
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.waitForSelector(".lines li");
    const requests = async () => {
      const kept = await page.evaluate(() => (globalThis as unknown as { kept: string[] }).kept);
      return kept.map((text) => JSON.parse(text)).filter((message) => message.type === "analyse");
    };
    expect((await requests())[0].options[name!]).toBe(next);
    // What is known with other options is not taken for an answer.
    await page.waitForSelector(".engine-status [data-reason].faint");
    await field.fill(String(before));
    await field.blur();
    await expect.poll(async () => (await requests()).length, { timeout: PATIENCE_MS }).toBe(2);
    expect((await requests())[1].options).toEqual({});
  });

  it("reviews a game, draws its graph and jumps between mistakes", async () => {
    const page = await open("game=chess&moves=e2e4,e7e5,d1h5,e8e7,h5e5");
    await page.getByLabel("How thoroughly").selectOption("quick");
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.waitForSelector(".review table");
    await page.waitForSelector(".graph .uplot");
    await expect
      .poll(() => page.getByRole("button", { name: "Review the game" }).count(), { timeout: PATIENCE_MS })
      .toBe(1);
    await page.keyboard.press("Home");
    await page.keyboard.press("n");
    await page.waitForSelector(".tree-moves .move.current .fault");
  });

  it("grows variations with comments that survive a reload", async () => {
    const page = await open("game=tictactoe&moves=b2,a1");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("text=O to move");
    await clickCell(page, "c3");
    await page.waitForSelector(".variation");
    await page.getByLabel("Comment on this position").fill("the other corner");
    await page.reload();
    await page.waitForSelector(".variation");
    await page.waitForSelector(".tree-moves .comment");
  });

  it("shows threats and a proof in Connect6", async () => {
    const page = await open("game=connect6&moves=j10,a1,a19,j11,j12,s1,s19,j13,d4");
    await page.waitForSelector(".threats");
    await page.waitForSelector(".board .window, .board .block", { state: "attached" });
    await page.keyboard.press("t");
    await expect.poll(() => page.locator(".board .window").count()).toBe(0);
    await page.getByRole("button", { name: "Find a win by threats" }).click();
    await page.waitForSelector(".threats span:has-text('nodes')");
  });

  it("sets up a position by hand", async () => {
    const page = await open("game=tictactoe");
    await page.getByRole("button", { name: "Set up…" }).click();
    const board = page.getByRole("application", { name: "Board to set up" });
    await board.focus();
    for (const key of ["Home", "PageDown", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "O stone" }).click();
    await board.focus();
    for (const key of ["ArrowRight", "Enter"]) await page.keyboard.press(key);
    await expect.poll(() => page.locator(".setup-text").textContent()).toBe("3/3/xo1 x 1");
    await page.getByRole("button", { name: "Use this position" }).click();
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector('.board [data-cell="b1"]');
    expect(page.url()).toContain("start=3/3/xo1");
  });

  it("asks what a pawn becomes", async () => {
    const page = await open(`game=chess&start=${encodeURIComponent("8/P6k/8/8/8/8/8/K7 w - - 0 1")}`);
    await clickCell(page, "a7");
    await clickCell(page, "a8");
    await page.waitForSelector(".choice");
    expect(await page.locator(".choice button").count()).toBe(4);
    await page.locator(".choice").getByRole("button", { name: "knight" }).click();
    await page.waitForSelector('.tree-moves .move.current:has-text("a8=N")');
  });

  it("plays on from a position", async () => {
    const page = await open("game=tictactoe&moves=b2,a1");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("text=O to move");
    await page.getByRole("link", { name: "Play from here" }).click();
    await page.getByText("From this position").waitFor();
    await page.locator('.segments label:has-text("O, first")').click();
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForSelector('.board [data-cell="b2"]');
    await page.waitForSelector(".banner.mine");
  });

  it("lets a player pass in Othello", async () => {
    const start = `${"-".repeat(40)}XO${"-".repeat(22)} O`;
    const page = await open(`game=othello&start=${encodeURIComponent(start)}`);
    await page.getByRole("button", { name: /has no move: pass/ }).click();
    await page.waitForSelector("text=Black to move");
  });
});

describe("engine against engine", () => {
  it("plays by itself and can be paused", async () => {
    const page = await newPage();
    await page.goto(`${url()}#/play`);
    // Beginners at chess need so many moves that there is time to pause them.
    await page.locator('.card:has(input[value="chess"])').click();
    await page.locator('.segments label:has(input[value="watch"])').click();
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForSelector(".move-list .move");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForSelector("text=Paused");
  });

  it("is called paused among the recent games while it is", async () => {
    const page = await newPage();
    const id = await makeGame({ game: "gomoku", human: null, levels: [7, 7] });
    await page.goto(`${url()}#/play/${id}`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.goto(`${url()}#/play`);
    await page.locator(`.recent a[href$="${id}"]`, { hasText: "paused" }).waitFor();
  });
});
