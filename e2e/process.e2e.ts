import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startApp, type App } from "./app";

/** Command lines of the running processes that mention this text. Linux tells them under /proc. */
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

/** Of how many companies nothing is known yet. */
async function missingSnapshots(app: App): Promise<number> {
  const ready = await (await fetch(`${app.address}/api/health/ready`)).json();
  return ready.snapshots.missing;
}

test("every bad variable is named at once, and the process exits 1", () => {
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

test("SIGTERM ends it with 0 and takes its database along; a second one changes nothing", async () => {
  const app = await startApp();
  expect(processesMentioning(app.dataDir).length).toBeGreaterThan(0);
  const ended = app.end();
  app.process.kill("SIGTERM");
  expect(await ended).toBe(0);
  await expect.poll(() => processesMentioning(app.dataDir)).toEqual([]);
});

test("kill -9 leaves no database behind, and the next start has everything", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-kill-"));
  try {
    const first = await startApp({}, dataDir);
    await expect.poll(() => missingSnapshots(first), { timeout: 20_000 }).toBe(0);
    await first.end("SIGKILL");
    await expect.poll(() => processesMentioning(dataDir), { timeout: 5_000 }).toEqual([]);
    const second = await startApp({}, dataDir);
    // The last snapshot of before is there at once, with its age.
    expect(await missingSnapshots(second)).toBe(0);
    expect(await second.end()).toBe(0);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("a second process on the same data joins its database", async () => {
  const first = await startApp();
  const second = await startApp({}, first.dataDir);
  const answer = await fetch(`${second.address}/api/health/ready`);
  expect(answer.status).toBe(200);
  expect(await first.end()).toBe(0);
  expect((await fetch(`${second.address}/api/health/ready`)).status).toBe(200);
  expect(await second.end()).toBe(0);
});

test("the machines' addresses answer without a session and name no company", async () => {
  const app = await startApp();
  const live = await fetch(`${app.address}/api/health/live`);
  expect(live.status).toBe(200);
  const ready = await (await fetch(`${app.address}/api/health/ready`)).text();
  expect(ready).not.toContain("northgate");
  const metrics = await (await fetch(`${app.address}/metrics`)).text();
  expect(metrics).toContain("plumbline_snapshot_age_seconds");
  expect(metrics).toContain("nodejs_eventloop_lag_p99_seconds");
  const openapi = await (await fetch(`${app.address}/api/v3/openapi.json`)).json();
  expect(openapi.info).toMatchObject({ title: "API v3", version: "1.0.0" });
  await app.end();
});
