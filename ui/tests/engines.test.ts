import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clickCell, closeBrowser, newPage } from "./browser";
import { endServer, startServer, type TestServer } from "./server";

/** A chess program made of a few lines of shell. While the file beside it is there, it breaks off. */
const SHELL = `#!/bin/sh
while read -r line; do case "$line" in
  uci) echo 'id name Shell 1.0'; echo 'option name MultiPV type spin'; echo uciok;;
  isready) echo readyok;;
  position*moves*) best=e7e5;;
  position*) best=d2d4;;
  go*) [ -e "$0.broken" ] && { echo out of order >&2; exit 3; }
    echo "info depth 7 multipv 1 score cp 31 nodes 1234 pv $best"
    echo "info depth 7 multipv 2 score cp -20 nodes 1234 pv g2g3"
    echo "bestmove $best";;
  quit) exit;;
esac; done
`;

let data = "";
let program = "";
let server: TestServer;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "outplay-engines-"));
  program = join(data, "shell chess.sh");
  await writeFile(program, SHELL);
  await chmod(program, 0o755);
  server = await startServer(data);
}, 240_000);
afterAll(async () => {
  await closeBrowser();
  await endServer(server);
  await rm(data, { recursive: true, force: true });
});

const compare = (page: Page) => page.getByRole("region", { name: "Second engine" });
const adding = (page: Page) => page.getByRole("dialog", { name: "Programs on this computer" });

async function fill(page: Page, name: string, code?: string): Promise<void> {
  const dialog = adding(page);
  await dialog.getByLabel("Program", { exact: true }).fill(name);
  if (code) await dialog.getByLabel("Code").fill(code);
  await dialog.getByRole("button", { name: "Try and add" }).click();
}

it("adds a program for whoever knows the code, and shows its verdict beside ours", async () => {
  const page = await newPage();
  await page.goto(`${server.url}#/analyse?game=chess`);
  await compare(page).getByLabel("Compare with").selectOption("manage");
  const said = adding(page).locator(".add-program [role=status]");
  await fill(page, program, "not-the-code");
  await said.getByText("that is not the code").waitFor();
  await fill(page, "/no/such/program", server.code);
  await said.getByText("cannot start").waitFor();
  await fill(page, program, server.code);
  await said.getByText("Added. Shell 1.0 answers with d4").waitFor();
  const found = await new AxeBuilder({ page }).analyze();
  expect(found.violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  await page.keyboard.press("Escape");
  // It was chosen by being added; both are asked by one button.
  await page.getByRole("button", { name: "Analyse" }).click();
  const theirs = compare(page).locator(".verdicts > div").nth(1);
  await theirs.getByText("d4").waitFor();
  await theirs.getByText("+0.31").waitFor();
  await theirs.getByText("depth 7").waitFor();
  await compare(page)
    .getByText(/Both choose d4|Outplay chooses \S+, Shell 1.0 chooses d4/)
    .waitFor();
  await expect.poll(() => compare(page).locator(".lines li").count()).toBe(2);
  // The same program on another position.
  await clickCell(page, "e2");
  await clickCell(page, "e4");
  await theirs.getByText("e5").waitFor();
  await page.screenshot({ path: process.env.SHOTS ? `${process.env.SHOTS}/compare.png` : undefined });
});

it("plays against a program, whose failure ends the game in words", async () => {
  const page = await newPage();
  await page.goto(`${server.url}#/play`);
  await page.locator('.card:has(input[value="chess"])').click();
  const opponent = page.getByLabel("Opponent");
  await opponent.locator("option", { hasText: "Shell 1.0" }).waitFor({ state: "attached" });
  await opponent.selectOption({ label: "Shell 1.0" });
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(".board:not(.still)");
  await clickCell(page, "e2");
  await clickCell(page, "e4");
  await page.locator(".move-list .move", { hasText: "e5" }).waitFor();
  await page.getByText("Shell 1.0").first().waitFor();
  await writeFile(`${program}.broken`, "");
  await clickCell(page, "d2");
  await clickCell(page, "d4");
  await page
    .getByText(/White wins: Black \(Shell 1.0\) has failed.*out of order/)
    .first()
    .waitFor();
  await rm(`${program}.broken`);
});

it("shows what is added after a restart, tries it again and removes it", async () => {
  await endServer(server);
  server = await startServer(data);
  const page = await newPage();
  await page.goto(`${server.url}#/analyse?game=chess`);
  await compare(page).getByLabel("Compare with").selectOption("manage");
  const row = adding(page).getByRole("list", { name: "Programs" }).getByRole("listitem");
  await row.getByRole("button", { name: "Test" }).click();
  await row.getByText("Shell 1.0 answers with d4").waitFor();
  // The code is another one since the server began anew.
  const remove = row.getByRole("button", { name: /elete Shell/ });
  await remove.click();
  await remove.click();
  await row.getByText("Enter the code").waitFor();
  await adding(page).getByLabel("Code").fill(server.code);
  await remove.click();
  await remove.click();
  await expect.poll(() => row.count()).toBe(0);
});
