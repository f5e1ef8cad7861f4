import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import pino from "pino";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { connectedTo, demoApp, startApp, type App } from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

/** Command lines of running processes that contain this text, from /proc on Linux. */
function processesMentioning(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.includes(text) ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** Notifies the parent process when it installs a SIGTERM handler. */
const TELLS_OF_SIGNALS = `process.on("newListener", (name) => {
  if (name === "SIGTERM") setImmediate(() => process.send?.("listens"));
});`;

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** For commands that wait for a startup. */
const STARTS = { timeout: 30_000 };

/** Number of companies without a snapshot. */
async function missingSnapshots(app: App): Promise<number> {
  const ready = await (await fetch(`${app.address}/api/health/ready`)).json();
  return ready.snapshots.missing;
}

/** Most tests need no demo companies, whose creation dominates a startup. */
let upstream: MisbehavingUpstream;
test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream({ rows: sampleRows(3, Date.now()) });
});
test.afterAll(() => upstream.close());

test("reports every invalid variable at once, and exits with 1", () => {
  const done = spawnSync(process.execPath, ["server.mjs"], {
    cwd: path.resolve(import.meta.dirname, ".."),
    encoding: "utf8",
    env: { PATH: process.env.PATH, PORT: "x", TRUST_PROXY: "-1", V3_BASE_URL: "nowhere" } as never,
  });
  expect(done.status).toBe(1);
  for (const name of ["PORT", "TRUST_PROXY", "V3_BASE_URL", "V3_CLIENT_ID", "V3_CLIENT_SECRET"]) {
    expect(done.stderr).toContain(`${name}:`);
  }
});

test("lists the problems of a seed file, each on a line of its own", ({}, testInfo) => {
  const seed = testInfo.outputPath("seed.json");
  writeFileSync(seed, JSON.stringify({ companies: [{}] }));
  const done = spawnSync(process.execPath, ["server.mjs"], {
    cwd: path.resolve(import.meta.dirname, ".."),
    encoding: "utf8",
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIR: testInfo.outputPath("data"),
      V3_SERVICE: "on",
      V3_SERVICE_SEED: seed,
    } as never,
  });
  expect(done.status).toBe(1);
  expect(done.stderr).not.toContain("\\u{A}");
  expect(done.stderr.match(/^ {2}V3_SERVICE_SEED: /gm)?.length).toBeGreaterThan(1);
});

/** A file where a folder is required. */
const FILE = path.resolve(import.meta.dirname, "../package.json");

for (const [dataDir, why] of [
  ["/proc/x", "it doesn't exist, or can't be created there"],
  [FILE, "something else is in its place"],
  [`${FILE}/x`, "part of the path is a file, not a folder"],
] as const) {
  test(`exits with a sentence and 1 for DATA_DIR=${path.relative(path.dirname(FILE), dataDir)}`, () => {
    const done = spawnSync(process.execPath, ["server.mjs"], {
      cwd: path.dirname(FILE),
      encoding: "utf8",
      timeout: 60_000,
      env: { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: dataDir } as never,
    });
    expect(done.status).toBe(1);
    expect(done.stderr).toContain(`Plumbline can't start: DATA_DIR: ${dataDir}: ${why}`);
    expect(done.stderr + done.stdout).not.toMatch(/\bE(EXIST|NOENT|NOTDIR|ACCES)\b/);
  });
}
test("exits with 0 and stops its database on SIGTERM, despite a second one or open client connections", async () => {
  const app = await startApp(connectedTo(upstream));
  expect(processesMentioning(app.dataDir).length).toBeGreaterThan(0);
  const { hostname, port } = new URL(app.address);
  const sockets = [
    "GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n",
    "POST /api/v3/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ngrant",
  ].map((words) => {
    const socket = connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
    socket.on("error", () => {});
    socket.write(words);
    return socket;
  });
  await once(sockets[0]!, "data");
  const ended = app.end();
  app.process.kill("SIGTERM");
  expect(await ended).toBe(0);
  await expect.poll(() => processesMentioning(app.dataDir)).toEqual([]);
  for (const socket of sockets) socket.destroy();
});

test("exits with 0 at once on a signal while loading", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-early-"));
  const watch = `data:text/javascript,${encodeURIComponent(TELLS_OF_SIGNALS)}`;
  const child = spawn(process.execPath, ["--import", watch, "server.mjs"], {
    cwd: path.resolve(import.meta.dirname, ".."),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: "0", DATA_DIR: dataDir } as never,
  });
  const ended = once(child, "exit");
  // Before that, the default action ends the process.
  await once(child, "message");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => processesMentioning(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});

test("waits visibly for an unavailable database, and uses it as soon as it responds", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-away-"));
  const log = pino({ level: "silent" });
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  const socket = new URL(embedded.connectionString).searchParams.get("host") ?? "";
  // The database's host is up, but its PostgreSQL isn't yet.
  const machine = createServer((client) => {
    const database = connect(path.join(socket, ".s.PGSQL.5432"));
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.pipe(to).on("error", () => {});
      from.on("error", () => {});
    }
  });
  const [port, own] = [await freePort(), await freePort()];
  const starting = startApp({
    ...connectedTo(upstream),
    PORT: String(own),
    AUTH_SECRET: "a secret of the test, long enough",
    DATABASE_URL: `postgres://plumbline:${new URL(embedded.connectionString).password}@127.0.0.1:${port}/postgres`,
  });
  try {
    const address = `http://127.0.0.1:${own}`;
    const ask = (where: string) => fetch(`${address}${where}`).catch(() => null);
    await expect.poll(async () => (await ask("/api/health/live"))?.status, STARTS).toBe(200);
    await expect
      .poll(async () => (await (await ask("/api/health/ready"))?.json())?.error_description)
      .toBe("Plumbline is waiting for its database.");
    const page = await ask("/");
    expect(page?.status).toBe(503);
    expect(await page?.text()).toContain("Plumbline is waiting for its database. This page");
    machine.listen(port, "127.0.0.1");
    const app = await starting;
    expect(app.output()).toContain('"event":"database_awaited"');
    expect((await fetch(`${app.address}/signin`)).status).toBe(200);
    expect(await app.end()).toBe(0);
  } finally {
    machine.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("exits with 0 when stopped while waiting for its database", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-waiting-"));
  const child = spawn(process.execPath, ["server.mjs"], {
    cwd: path.resolve(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIR: dataDir,
      AUTH_SECRET: "a secret of the test, long enough",
      DATABASE_URL: "postgres://missing@127.0.0.1:9/nothing",
    } as never,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, STARTS).toContain("database_awaited");
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  rmSync(dataDir, { recursive: true, force: true });
});

test("passes a signal on from npm, and waits for the exit", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-npm-"));
  const npm = spawn("npm", ["start"], {
    cwd: path.resolve(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      DATA_DIR: dataDir,
      ...connectedTo(upstream),
    } as never,
  });
  let output = "";
  npm.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, { timeout: 60_000 }).toContain("address: ");
  const ended = once(npm, "exit");
  npm.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => processesMentioning(dataDir), { timeout: 15_000 }).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});

test("leaves no database process behind after kill -9, and loses nothing", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-kill-"));
  try {
    const first = await startApp(connectedTo(upstream), dataDir);
    await expect.poll(() => missingSnapshots(first), { timeout: 20_000 }).toBe(0);
    await first.end("SIGKILL");
    await expect.poll(() => processesMentioning(dataDir), { timeout: 5_000 }).toEqual([]);
    const second = await startApp(connectedTo(upstream), dataDir);
    // The last snapshot from before is available at once, with its age.
    expect(await missingSnapshots(second)).toBe(0);
    expect(await second.end()).toBe(0);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("shares the database with a second process on the same data, and exits with a sentence and 1 when its port is taken", async () => {
  // Not the first process's own, which is removed when that ends.
  const sharedDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-shared-"));
  const first = await startApp(connectedTo(upstream), sharedDir);
  const second = await startApp(connectedTo(upstream), sharedDir);
  // On a busy machine the database may take more than a second just after a start, and after an end.
  const readiness = async () => (await fetch(`${second.address}/api/health/ready`)).status;
  await expect.poll(readiness).toBe(200);
  expect(await first.end()).toBe(0);
  await expect.poll(readiness).toBe(200);

  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-port-"));
  const { port } = new URL(second.address);
  await expect(startApp({ ...connectedTo(upstream), PORT: port }, dataDir)).rejects.toThrow(
    /ended with 1:[^]*Plumbline can't listen on [^ ]+\. Another program already uses this port; set PORT to another one\./,
  );
  await expect.poll(() => processesMentioning(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
  expect(await second.end()).toBe(0);
  rmSync(sharedDir, { recursive: true, force: true });
});

test.describe("with its own service", () => {
  const app = demoApp();

  test("returns 404 for a path that can't be decoded", async () => {
    for (const [address, status] of [
      ["/%E0%A4%A", 307],
      ["/api/v3/%E0%A4%A", 404],
      ["/api/v3/sync_status/", 401],
    ] as const) {
      const answer = await fetch(`${app.address}${address}`, { redirect: "manual" });
      expect(answer.status).toBe(status);
      expect(answer.headers.has("x-ratelimit-limit")).toBe(address.startsWith("/api/v3"));
    }
  });

  test("refuses and counts an oversized API body like other errors", async () => {
    // Only announced: sending it could break the connection.
    const post = async (address: string) => {
      const socket = connect(Number(new URL(app.address).port), "127.0.0.1");
      socket.write(`POST ${address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n`);
      let answer = "";
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      return answer;
    };
    const refused = async () => {
      const answer = await post("/api/v3/oauth/token");
      expect(answer).toContain('"request_too_large"');
      return Number(/x-ratelimit-remaining: (\d+)/i.exec(answer)?.[1]);
    };
    const before = await refused();
    expect(await refused()).toBe(before - 1);
    const elsewhere = await post("/api/pair");
    expect(elsewhere).toContain('"payload_too_large"');
    expect(elsewhere).not.toMatch(/x-ratelimit/i);
  });

  test("answers health and metrics without a session, and names no company", async () => {
    const live = await fetch(`${app.address}/api/health/live`);
    expect(live.status).toBe(200);
    const ready = await (await fetch(`${app.address}/api/health/ready`)).text();
    expect(ready).not.toContain("northgate");
    const metrics = await (await fetch(`${app.address}/metrics`)).text();
    expect(metrics).toContain("plumbline_snapshot_age_seconds");
    expect(metrics).toContain("nodejs_eventloop_lag_p99_seconds");
    const openapi = await (await fetch(`${app.address}/api/v3/openapi.json`)).json();
    expect(openapi.info).toMatchObject({ title: "API v3", version: "1.0.0" });
  });
});
