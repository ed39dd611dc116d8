import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function onPath(): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  return null;
}

/** The browser to drive: what `CHROMIUM` names, what the machine has, or Debian's, which is installed if we may. */
export function findChromium(): string {
  const found = process.env.CHROMIUM ?? onPath();
  if (found) return found;
  if (process.getuid?.() === 0) {
    console.warn("There is no Chromium: installing Debian's.");
    const install = (words: string[]) =>
      spawnSync("apt-get", words, {
        stdio: "inherit",
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    install(["update"]);
    install(["install", "-y", "--no-install-recommends", "chromium"]);
  }
  const installed = onPath();
  if (installed) return installed;
  throw new Error("The browser tests need Chromium: apt install chromium, or name one in CHROMIUM.");
}
