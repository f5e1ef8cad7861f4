import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "@playwright/test";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { AMPLE_BUDGET, startApp, type App } from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

const AGES: Readonly<Record<"failing" | "stale" | "late" | "due", number>> = {
  failing: 190,
  stale: 400,
  late: 100,
  due: 62,
};

/**
 * Endpoints, the first of which have the given verdicts; the others are on time.
 * @param partner of all of them; absent: several
 * @param ages minutes since data was received, by verdict, instead of the usual ones
 */
export function rowsWith(
  count: number,
  verdicts: readonly ("failing" | "stale" | "late" | "due")[],
  partner?: string,
  ages: Partial<typeof AGES> = {},
) {
  const nowMs = Date.now();
  const at = (minutes: number) => new Date(nowMs + minutes * MINUTE_MS).toISOString();
  return sampleRows(count, nowMs).map(({ attributes: sample, ...row }, index): ServedSyncStatus => {
    const attributes = { ...sample, ...(partner !== undefined && { partner_name: partner }) };
    const verdict = verdicts[index];
    if (verdict === undefined) return { ...row, attributes };
    const status = verdict === "failing" ? "failed" : "completed";
    const age = { ...AGES, ...ages }[verdict];
    return {
      ...row,
      attributes: {
        ...attributes,
        last_updated_at: at(-age),
        next_sync_at: at(20),
        last_sync_status: status,
        last_sync_started_at: at(verdict === "failing" ? -12 : -age - 2),
        last_sync_finished_at: at(verdict === "failing" ? -10 : -age),
      },
    };
  });
}

/** A company, and what answers as its API; null: nothing does. */
export type Entry = { slug: string; name: string; api: MisbehavingUpstream | null };

/** @param entries `api` null: nothing listens there */
/** Starts the app with these companies. */
export async function startFleet(entries: readonly Entry[], env: Record<string, string>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-companies-"));
  const file = path.join(folder, "connections.json");
  const connections = entries.map(({ slug, name, api }) => ({
    slug,
    name,
    base_url: api?.baseUrl ?? "http://127.0.0.1:9/api/v3",
    client_id: api?.clientId ?? "nobody",
    client_secret: api?.clientSecret ?? "nobody",
  }));
  writeFileSync(file, JSON.stringify(connections));
  const app = await startApp({ ...AMPLE_BUDGET, CONNECTIONS_FILE: file, ...env });
  return { app, folder };
}

/** A company of `fleetOfTests`: its API serves these rows. */
type Served = { slug: string; name: string; rows: () => ServedSyncStatus[] };

/**
 * The app with some companies, for all tests of a file: started before them, and ended after them. Checked every two
 * seconds; incidents open at once.
 * @returns filled before the first test
 */
export function fleetOfTests(companies: readonly Served[], env: Record<string, string> = {}) {
  const fleet = {} as { app: App; apiOf: (slug: string) => MisbehavingUpstream };
  let folder: string;
  let apis: ReadonlyMap<string, MisbehavingUpstream>;
  test.beforeAll(async () => {
    apis = new Map(
      await Promise.all(
        companies.map(
          async ({ slug, rows }) =>
            [slug, await startMisbehavingUpstream({ rows: rows() })] as const,
        ),
      ),
    );
    fleet.apiOf = (slug) => {
      const api = apis.get(slug);
      if (api === undefined) throw new Error(`no company ${slug}`);
      return api;
    };
    const entries = companies.map(({ slug, name }) => ({ slug, name, api: fleet.apiOf(slug) }));
    const fast = { V3_POLL_SECONDS: "2", INCIDENT_OPEN_MINUTES: "0" };
    const started = await startFleet(entries, { ...fast, ...env });
    folder = started.folder;
    fleet.app = started.app;
  });
  test.afterAll(async () => {
    await fleet.app.end();
    await Promise.all([...apis.values()].map((api) => api.close()));
    rmSync(folder, { recursive: true, force: true });
  });
  return fleet;
}
