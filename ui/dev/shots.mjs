// Pictures of every page in light, dark and phone size, for a person to look at: node dev/shots.mjs [folder]
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";

const base = (process.env.OUTPLAY_URL ?? "http://127.0.0.1:8088").replace(/\/$/, "");
const folder = process.argv[2] ?? "screenshots";
await mkdir(folder, { recursive: true });

const LOOKS = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true, isMobile: true },
};

const ITALIAN = "e2e4,e7e5,g1f3,b8c6,f1c4,g8f6,f3g5,d7d5,e4d5,f6d5,g5f7,e8f7,d1f3,f7e6";

async function newGame(game, human, moves, clock = null) {
  const levels = human === 0 ? [null, 2] : [2, null];
  const send = (path, body) =>
    fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((answer) => answer.json());
  let state = await send("/api/games", { game, human, levels, clock });
  for (let count = 0; count < moves; count += 1) {
    const { legal } = state.position;
    const move = legal[(count * 7 + 3) % legal.length];
    await send(`/api/games/${state.id}/moves`, { move: move.move, version: state.version });
    for (let tries = 0; tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      state = await (await fetch(`${base}/api/games/${state.id}`)).json();
      if (state.result || state.position.to_move === human) break;
    }
    if (state.result) break;
  }
  return state.id;
}

const ids = {
  chess: await newGame("chess", 0, 4, { seconds: 300, increment: 3 }),
  othello: await newGame("othello", 0, 9),
  connect6: await newGame("connect6", 0, 5),
  connect4: await newGame("connect4", 0, 5),
  tictactoe: await newGame("tictactoe", 0, 9),
};

const analyse = async (page) => {
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.waitForSelector(".lines li");
  await page.waitForTimeout(900);
};

const watch = async (page) => {
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForSelector("[data-state=stopped]", { timeout: 60_000 });
};

const PAGES = {
  setup: ["#/play", null],
  ...Object.fromEntries(Object.entries(ids).map(([game, id]) => [`play-${game}`, [`#/play/${id}`, null]])),
  "analyse-chess": [
    `#/analyse?game=chess&moves=${ITALIAN}`,
    async (page) => {
      await page.getByLabel("Time for each position").selectOption("0.1");
      await page.getByRole("button", { name: "Review the game" }).click();
      await page.waitForSelector(".review progress");
      await page.waitForSelector(".review progress", { state: "detached", timeout: 60_000 });
      await analyse(page);
    },
  ],
  "analyse-othello": ["#/analyse?game=othello&moves=f5,d6,c3,d3,c4", analyse],
  "analyse-connect6": ["#/analyse?game=connect6&moves=j10,i11,k11,j11,j12,a1,s1,j13", analyse],
  editor: [
    "#/analyse?game=chess",
    async (page) => {
      await page.getByRole("button", { name: "Set up…" }).click();
    },
  ],
  learn: [
    "#/learn?game=tictactoe&start=xo1/2x/o2+x+1&depth=5",
    async (page) => {
      await page.waitForSelector(".search-tree");
      for (const key of ["c", "c", "c"]) await page.keyboard.press(key);
      await page.waitForTimeout(600);
    },
  ],
  "learn-uct": [
    "#/learn?game=tictactoe&moves=a1&search=uct&simulations=50",
    async (page) => {
      for (const key of ["End", "N"]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(600);
      }
    },
  ],
  ...Object.fromEntries(
    ["growth", "null-move", "puct", "self-play"].map((lesson) => [
      `learn-${lesson}`,
      [
        `#/learn?lesson=${lesson}`,
        (page) => page.waitForSelector("[data-lesson] table", { timeout: 60_000 }),
      ],
    ]),
  ),
  "watch-chess": [
    "#/watch?game=chess&search=pvs",
    async (page) => {
      await watch(page);
      await page.locator(".icicle").focus();
      for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    },
  ],
  "watch-othello": ["#/watch?game=othello&moves=f5&search=mcts", (page) => watch(page)],
  // With whatever runs and networks the server has.
  runs: ["#/runs", (page) => page.waitForTimeout(1500)],
  "analyse-network": [
    "#/analyse?game=othello&moves=f5,d6,c3",
    async (page) => {
      const choice = page.getByRole("combobox", { name: "Search" });
      const network = choice.locator('option[value^="network:"]').first();
      if ((await network.count()) === 0) return;
      await choice.selectOption(await network.getAttribute("value"));
      await page.waitForSelector(".network .policy li");
      await page.getByLabel("On the board").selectOption("policy");
    },
  ],
  appearance: ["#/play", (page) => page.getByRole("button", { name: "Appearance" }).click()],
  keys: ["#/play", (page) => page.keyboard.press("?")],
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [look, options] of Object.entries(LOOKS)) {
  for (const [name, [hash, prepare]] of Object.entries(PAGES)) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(name, look, error.message));
    await page.goto(`${base}/${hash}`);
    await page.waitForSelector(".board, .card, .search-tree, .narrow pre");
    await page.waitForTimeout(300);
    await prepare?.(page);
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: look === "phone" });
    await context.close();
  }
}
await browser.close();
