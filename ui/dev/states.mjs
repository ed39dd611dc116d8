// What `shots.mjs` takes pictures of: for each name an address, or what makes one, and how to get from there to the state.

const ITALIAN = "e2e4,e7e5,g1f3,b8c6,f1c4,g8f6,f3g5,d7d5,e4d5,f6d5,g5f7,e8f7,d1f3,f7e6";
const OPERA =
  "e4,e5,Nf3,d6,d4,Bg4,dxe5,Bxf3,Qxf3,dxe5,Bc4,Nf6,Qb3,Qe7,Nc3,c6,Bg5,b5,Nxb5,cxb5,Bxb5,Nbd7,O-O-O,Rd8,Rxd7,Rxd7,Rd1,Qe6,Bxd7,Nxd7,Qb8,Nxb8,Rd8";
const OTHELLO = "f5,d6,c3,d3,c4,f4,c5,b3,c2,e6,c6,b4,b5,d2,e3,a6,c1,b6,f3,f6,f7,e2,e7,g4";

async function send(base, path, body) {
  const headers = { "content-type": "application/json" };
  return (await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** A game with some moves, in which the person is to move; the address of its page. */
const game =
  (name, count, more = {}) =>
  async (base) => {
    const human = more.human === undefined ? 0 : more.human;
    const levels = human === 0 ? [null, 2] : human === 1 ? [2, null] : [2, 3];
    let state = await send(base, "/api/games", { game: name, human, levels, ...more });
    for (let made = 0; made < count && human !== null; made += 1) {
      const { legal } = state.position;
      const { move } = legal[(made * 7 + 3) % legal.length];
      await send(base, `/api/games/${state.id}/moves`, { move, version: state.version });
      for (let tries = 0; tries < 200; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        state = await (await fetch(`${base}/api/games/${state.id}`)).json();
        if (state.result || state.position.to_move === human) break;
      }
      if (state.result) break;
    }
    return `#/play/${state.id}`;
  };

const button = (page, name) => page.getByRole("button", { name, exact: true }).click();

async function analyse(page) {
  await button(page, "Analyse");
  await page.waitForSelector(".lines li");
  await page.waitForTimeout(1500);
}

async function review(page) {
  await page.getByLabel("How thoroughly").selectOption("quick");
  await button(page, "Review the game");
  await page.waitForSelector(".review progress");
  await page.waitForSelector(".review progress", { state: "detached", timeout: 60_000 });
}

async function watch(page) {
  await button(page, "Start");
  await page.waitForSelector("[data-state=stopped]", { timeout: 60_000 });
}

const choose = (name) => (page) => page.locator(`.card:has(input[value="${name}"])`).click();

const lesson = (name) => [
  `#/learn?lesson=${name}`,
  (page) => page.waitForSelector(".measured table, .case table", { timeout: 60_000 }),
];

export const STATES = {
  "play-new": ["#/play", null],
  "play-new-960": ["#/play", choose("chess960")],
  "play-new-connect": ["#/play", choose("connect")],
  "play-new-custom": [
    "#/play",
    async (page) => {
      await choose("othello")(page);
      await page.getByRole("combobox", { name: "Opponent" }).selectOption({ label: "Custom…" });
    },
  ],
  "play-chess": [game("chess", 4, { clock: { seconds: 300, increment: 3 } }), null],
  "play-chess-hint": [
    game("chess", 2),
    async (page) => {
      await page.getByRole("button", { name: "Hint" }).click();
      await page.waitForTimeout(2500);
    },
  ],
  "play-promotion": [
    game("chess", 0, { start: "7k/P7/8/8/8/8/8/7K w - - 0 1" }),
    async (page) => {
      await page.locator(".board").focus();
      await button(page, "Type a move");
      await page.keyboard.type("a8");
    },
  ],
  "play-othello": [game("othello", 9), null],
  "play-connect6": [game("connect6", 5), null],
  "play-connect4": [game("connect4", 4), null],
  "play-finished": [
    game("chess", 3),
    async (page) => {
      await button(page, "Resign");
      await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
      await page.waitForSelector(".banner.result");
    },
  ],
  "play-won": [game("tictactoe", 9), null],
  "play-engines": [game("connect4", 0, { human: null }), (page) => page.waitForTimeout(3000)],
  "play-draw": [game("chess", 2), (page) => button(page, "Offer draw")],
  "play-share": [game("chess", 2), (page) => button(page, "Share…")],
  "analyse-chess": [`#/analyse?game=chess&moves=${ITALIAN}`, analyse],
  "analyse-settings": [
    `#/analyse?game=chess&moves=${ITALIAN}`,
    async (page) => {
      await analyse(page);
      await button(page, "Stop");
      await page.locator(".engine summary").first().click();
    },
  ],
  "analyse-review": [
    `#/analyse?game=chess&moves=${OPERA}`,
    async (page) => {
      await review(page);
      await button(page, "Next mistake");
    },
  ],
  "analyse-retry": [
    "#/analyse?game=chess&moves=e2e4,e7e5,d1h5,b8c6,f1c4,g8f6,h5f7",
    async (page) => {
      await review(page);
      await button(page, "Retry as Black");
    },
  ],
  "analyse-over": ["#/analyse?game=chess&moves=f2f3,e7e5,g2g4,d8h4", null],
  "analyse-explorer": [
    "#/analyse?game=chess&moves=e2e4,e7e5",
    async (page) => {
      await page.keyboard.press("o");
      await page.waitForTimeout(800);
    },
  ],
  "analyse-threat": [
    `#/analyse?game=chess&moves=${ITALIAN}`,
    async (page) => {
      await page.keyboard.press("x");
      await page.waitForTimeout(2000);
    },
  ],
  "analyse-othello": [`#/analyse?game=othello&moves=${OTHELLO}`, analyse],
  "analyse-othello-review": [`#/analyse?game=othello&moves=${OTHELLO}`, review],
  "analyse-connect6": ["#/analyse?game=connect6&moves=j10,i11,k11,j11,j12,a1,s1,j13", analyse],
  // With whatever networks the server has.
  "analyse-network": [
    "#/analyse?game=othello&moves=f5,d6,c3",
    async (page) => {
      const choice = page.getByRole("combobox", { name: "Engine" });
      const network = choice.locator('option[value^="network:"]').first();
      if ((await network.count()) === 0) return;
      await choice.selectOption(await network.getAttribute("value"));
      await page.waitForSelector(".network .policy li");
      await page.getByLabel("On the board").selectOption("policy");
    },
  ],
  "analyse-open": ["#/analyse?game=chess", (page) => button(page, "Open…")],
  "analyse-editor": ["#/analyse?game=chess", (page) => button(page, "Set up…")],
  "analyse-editor-othello": ["#/analyse?game=othello", (page) => button(page, "Set up…")],
  "analyse-share": [`#/analyse?game=chess&moves=${ITALIAN}`, (page) => button(page, "Share…")],
  "analyse-programs": [
    "#/analyse?game=chess",
    async (page) => {
      await page.getByLabel("Compare with").selectOption({ label: "Add or remove programs…" });
    },
  ],
  learn: ["#/learn", (page) => page.waitForTimeout(700)],
  "learn-alphabeta": [
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
    ["growth", "zobrist", "null-move", "puct", "noise", "self-play"].map((name) => [
      `learn-${name}`,
      lesson(name),
    ]),
  ),
  watch: ["#/watch", (page) => page.waitForTimeout(700)],
  "watch-chess": [
    "#/watch?game=chess&search=pvs",
    async (page) => {
      await watch(page);
      await page.locator(".icicle").focus();
      for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    },
  ],
  "watch-othello": ["#/watch?game=othello&moves=f5&search=mcts", watch],
  // With whatever runs the server has.
  runs: ["#/runs", (page) => page.waitForTimeout(1500)],
  settings: ["#/play", (page) => button(page, "Settings")],
  keys: ["#/play", (page) => page.keyboard.press("?")],
};
