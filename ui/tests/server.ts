import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** A server of the tests' own. */
export interface TestServer {
  url: string;
  /** What the server's owner has to know who adds a program. */
  code: string;
  process: ChildProcess;
}

/** The program that `OUTPLAY_PROGRAM` names, or the one that cargo builds. */
function program(): [string, ...string[]] {
  const given = process.env.OUTPLAY_PROGRAM;
  return given ? [given] : ["cargo", "run", "--quiet", "--"];
}

/** Runs the program to its end. */
export async function runProgram(...words: string[]): Promise<void> {
  const [name, ...first] = program();
  await promisify(execFile)(name, [...first, ...words]);
}

/** Starts the program as a server and waits until it tells its address. */
export async function startServer(
  data: string,
  address = "127.0.0.1:0",
  ...more: string[]
): Promise<TestServer> {
  const [name, ...words] = program();
  const server = spawn(
    name,
    [...words, "serve", "--no-pauses", "--address", address, "--data", data, ...more],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: server.stdout! }).on("line", (line) => {
      lines.push(line);
      if (/ code \w+$/.test(line)) resolve();
    });
  });
  const said = (pattern: RegExp) => pattern.exec(lines.join("\n"))?.[1] ?? "";
  return { url: `${said(/(http:\/\/[^\s/]+)/)}/`, code: said(/ code (\w+)/), process: server };
}

/** Ends a server, with `SIGKILL` as a power cut would, and waits until it is gone. */
export async function endServer(server: TestServer, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (server.process.exitCode !== null || server.process.signalCode !== null) return;
  const gone = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill(signal);
  await gone;
}
