import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A server of the tests' own. */
export interface TestServer {
  url: string;
  process: ChildProcess;
}

/** Starts the program that `OUTPLAY_PROGRAM` names, or the one that cargo builds, and waits until it tells its address. */
export async function startServer(data: string, address = "127.0.0.1:0"): Promise<TestServer> {
  const given = process.env.OUTPLAY_PROGRAM;
  const [program, ...words] = given ? [given] : ["cargo", "run", "--quiet", "--"];
  const server = spawn(program!, [...words, "serve", "--address", address, "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: server.stdout! }).on("line", (line) => {
      const found = /http:\/\/[^\s/]+/.exec(line);
      if (found) resolve(`${found[0]}/`);
    });
  });
  return { url, process: server };
}

/** Ends a server, with `SIGKILL` as a power cut would, and waits until it is gone. */
export async function endServer(server: TestServer, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (server.process.exitCode !== null || server.process.signalCode !== null) return;
  const gone = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill(signal);
  await gone;
}
