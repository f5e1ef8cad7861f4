import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

/** Project root. */
export const ROOT = path.resolve(import.meta.dirname, "..");
const START_LIMIT_MS = 60_000;

export type Usage = {
  /** CPU time of all threads since startup, user and system; excludes the database. */
  cpuMs: number;
  residentBytes: number;
  /** Part of it used by scripts: on the heap and outside. */
  heapBytes: number;
  externalBytes: number;
  /** Maximum since the last reading; needs `watchClosely`. */
  worst: {
    residentBytes: number;
    /**
     * CPU time between two samples, which are 5 ms apart unless the event loop is blocked. Unlike wall time, it doesn't
     * depend on other activity of the machine.
     */
    turnCpuMs: number;
  };
  /** 99th percentile of the event loop's delay since the last reading; sampled every 10 ms. */
  loopDelayP99Ms: number;
};

/** A server in a separate process whose resource usage can be read. */
export type MeasuredServer = {
  /** Origin without a trailing slash. */
  address: string;
  usage(): Promise<Usage>;
  watchClosely(): void;
  /** Distinguishes retained memory from garbage. */
  collectGarbage(): void;
  stop(): Promise<void>;
};

/**
 * Starts a server that prints `address: URL` when it is ready.
 * @param script relative to the project's root
 * @param env added to an environment without the caller's configuration
 * @throws Error with its complete output if it exits or takes longer than a minute
 */
export async function startMeasured(
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const probe = path.join(ROOT, "bench/probe.mjs");
  const child = spawn(process.execPath, ["--import", probe, script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
  });
  const exited = once(child, "exit");
  const lines: string[] = [];
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${script} ${why}:\n${lines.join("\n")}`));
    const timer = setTimeout(fail, START_LIMIT_MS, "is not ready after a minute");
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream as NodeJS.ReadableStream).on("line", (line) => {
        lines.push(line);
        const found = /^address: (\S+)$/.exec(line)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
  return {
    address,
    async usage() {
      const answer = once(child, "message");
      child.send("usage");
      const [usage] = (await answer) as [Usage];
      return usage;
    },
    watchClosely() {
      child.send("watch closely");
    },
    collectGarbage() {
      child.send("collect garbage");
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
