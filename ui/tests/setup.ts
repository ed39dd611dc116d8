import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "./chromium";
import { endServer, startServer } from "./server";

/** Finds a browser and starts a server that all tests share, unless one is named. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  process.env.CHROMIUM = findChromium();
  if (process.env.OUTPLAY_URL) return undefined;
  const data = await mkdtemp(join(tmpdir(), "outplay-browser-"));
  const server = await startServer(data);
  process.env.OUTPLAY_URL = server.url;
  return async () => {
    await endServer(server);
    await rm(data, { recursive: true, force: true });
  };
}
