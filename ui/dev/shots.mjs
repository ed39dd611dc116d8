// Pictures of every page and its main states, in both themes and on a laptop and a phone, for a person to look at:
// node dev/shots.mjs [folder] [part of a name]
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { STATES } from "./states.mjs";

const base = (process.env.OUTPLAY_URL ?? "http://127.0.0.1:8088").replace(/\/$/, "");
const folder = process.argv[2] ?? "screenshots";
const wanted = process.argv[3] ?? "";
await mkdir(folder, { recursive: true });

const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LOOKS = {
  "desk-light": { ...DESK, colorScheme: "light" },
  "desk-dark": { ...DESK, colorScheme: "dark" },
  "phone-light": { ...PHONE, colorScheme: "light" },
  "phone-dark": { ...PHONE, colorScheme: "dark" },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [look, options] of Object.entries(LOOKS)) {
  for (const [name, [address, prepare]] of Object.entries(STATES)) {
    const file = `${name}-${look}`;
    if (!file.includes(wanted)) continue;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => console.error(file, error.message));
    try {
      const hash = typeof address === "string" ? address : await address(base);
      await page.goto(`${base}/${hash}`);
      await page.waitForSelector(".board, .card, .search-tree, .measured, .narrow pre");
      await page.waitForTimeout(300);
      await prepare?.(page);
      await page.waitForTimeout(300);
    } catch (error) {
      console.error(file, String(error).split("\n")[0]);
    }
    // What is wider than the screen has to be scrolled sideways.
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) console.error(file, `is ${over} pixels too wide`);
    await page.screenshot({ path: `${folder}/${file}.png`, fullPage: options.isMobile ?? false });
    await context.close();
  }
}
await browser.close();
