import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, request } from "@playwright/test";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { AMPLE_BUDGET, signInByRequest, startApp, startDemoApp, type App } from "./app";

const COMPANIES = ["northgate", "harbour", "orchard"];
/** Each file of three companies is read once. */
const MADE = { timeout: 120_000 };

/**
 * Makes the demo companies' past, which takes longer than most files take to run, once for every app that has
 * them, and starts the one of those that `demoApp` gives every file.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const past = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-past-"));
  const first = await startApp({ V3_SERVICE: "demo", ...AMPLE_BUDGET }, past);
  await everythingRead(first);
  await first.end();
  process.env["E2E_DEMO_PAST"] = past;
  // So that each screen of a wall can come from an address of its own: an address gets ten codes a minute.
  const app = await startDemoApp({ TRUST_PROXY: "1" });
  process.env["E2E_DEMO_APP"] = JSON.stringify({ address: app.address, dataDir: app.dataDir });
  return async () => {
    await app.end();
    rmSync(past, { recursive: true, force: true });
  };
}

/** Until every company has a first snapshot and a whole list of its files: a copy has no first check to wait for. */
async function everythingRead(app: App): Promise<void> {
  const context = await request.newContext();
  try {
    await signInByRequest(context, app);
    for (const company of COMPANIES) {
      const address = `${app.address}/api/companies/${company}`;
      const read = async <T>(name: string) =>
        (await (await context.get(`${address}/${name}`)).json()) as T;
      await expect
        .poll(async () => (await read<SyncStatusView>("sync-status")).as_of, MADE)
        .not.toBeNull();
      await expect
        .poll(async () => (await read<ScheduleFilesView>("schedule-files")).index.complete, MADE)
        .toBe(true);
    }
  } finally {
    await context.dispose();
  }
}
