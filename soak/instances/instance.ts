import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "@/bench/measured-server";
import { startWire, type Wire } from "./wire";

const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 20_000;

/** One instance of the built app with its own connection to the database; it gets a new process with each start. */
export type Instance = {
  name: string;
  wire: Wire;
  /** Name of its current process, such as `b3`, also set on its database connections. */
  life(): string;
  /** Origin without a trailing slash; null while it isn't ready. */
  address(): string | null;
  start(): Promise<void>;
  signal(what: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** Stops it as an operator does. @returns its exit code */
  stop(): Promise<number | null>;
  /** Whether its process was ever suspended; delays that it reports are then no fault. */
  stoodStill(): boolean;
  /** 0 without a process. */
  residentBytes(): number;
  /** Bytes written to its log in the worst minute. */
  worstLogBytes(): number;
  /** The last lines of its log. */
  lines(): readonly string[];
};

export async function createInstance(parts: {
  name: string;
  directory: string;
  /** PostgreSQL's Unix socket. */
  socketPath: string;
  env: Readonly<Record<string, string>>;
  /** The connection strings for a process, given its proxy port and name. */
  databases: (port: number, life: string) => Readonly<Record<string, string>>;
}): Promise<Instance> {
  const { name, directory, env } = parts;
  const wire = await startWire(parts.socketPath);
  let lives = 0;
  let child: ChildProcess | null = null;
  let address: string | null = null;
  let hasStood = false;
  let lines: string[] = [];
  let minute = 0;
  let bytes = 0;
  let worstBytes = 0;

  const instance: Instance = {
    name,
    wire,
    life: () => `${name}${lives}`,
    address: () => address,
    async start() {
      lives += 1;
      hasStood = false;
      const dataDir = path.join(directory, name);
      mkdirSync(dataDir, { recursive: true });
      const started = spawn(process.execPath, ["server.mjs"], {
        cwd: ROOT,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          NODE_ENV: "production",
          PORT: "0",
          DATA_DIR: dataDir,
          ...parts.databases(wire.port, instance.life()),
          ...env,
        },
      });
      child = started;
      started.once("exit", () => {
        if (child === started) address = null;
      });
      for (const stream of [started.stdout, started.stderr]) {
        createInterface(stream).on("line", (line) => {
          lines = [...lines.slice(-199), `${instance.life()} ${line}`];
          const now = Math.floor(performance.now() / 60_000);
          if (now !== minute) bytes = 0;
          minute = now;
          bytes += line.length;
          worstBytes = Math.max(worstBytes, bytes);
          const found = /^address: (\S+)$/.exec(line)?.[1];
          if (found !== undefined && child === started) address = found;
        });
      }
      const deadlineMs = performance.now() + START_LIMIT_MS;
      while (instance.address() === null) {
        if (started.exitCode !== null || performance.now() > deadlineMs) {
          throw new Error(`${instance.life()} did not start:\n${lines.slice(-20).join("\n")}`);
        }
        await sleep(50);
      }
    },
    signal(what) {
      if (what === "SIGSTOP") hasStood = true;
      if (what === "SIGKILL") address = null;
      child?.kill(what);
    },
    async stop() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return null;
      const exited = once(child, "exit");
      address = null;
      child.kill("SIGTERM");
      const limit = setTimeout(() => child?.kill("SIGKILL"), STOP_LIMIT_MS);
      const [code] = (await exited) as [number | null];
      clearTimeout(limit);
      return code;
    },
    stoodStill: () => hasStood,
    residentBytes() {
      try {
        const status = readFileSync(`/proc/${child?.pid}/status`, "utf8");
        return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      } catch {
        return 0;
      }
    },
    worstLogBytes: () => worstBytes,
    lines: () => lines,
  };
  return instance;
}
