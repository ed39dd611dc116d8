import { type ChildProcess, spawn } from "node:child_process";

const PORT = "8097";

/** Starts the mock unless a server is named, and waits until it answers. */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env.OUTPLAY_URL) return undefined;
  const mock: ChildProcess = spawn(process.execPath, ["dev/mock.mjs"], {
    env: { ...process.env, PORT },
    stdio: "ignore",
  });
  process.env.OUTPLAY_URL = `http://127.0.0.1:${PORT}/`;
  for (let tries = 0; tries < 50; tries += 1) {
    const answer = await fetch(`${process.env.OUTPLAY_URL}api/health`).catch(() => null);
    if (answer?.ok) return () => mock.kill();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  mock.kill();
  throw new Error("the mock does not answer");
}
