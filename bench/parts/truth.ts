import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { quantile } from "@/bench/median";
import type { Row } from "@/bench/table";
import { CACHE_MS, playTruth, type TruthRun } from "@/bench/truth-run";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { runOnServer, withDatabase } from "@/lib/server/store/test-database";

const ENDPOINTS = 200;
const MINUTES = 120;
const SEED = 1;
const GOALS_S = { p95: 78, worst: 82 };
const CACHES = [
  { cache: "requested", is: "keeps pages for a minute from our asking" },
  { cache: "made", is: "makes pages anew each minute" },
] as const;

/** Time from a landing at the API to an open screen, in two hours of compressed time. */
export async function truth(): Promise<Row[]> {
  const log = pino({ level: "warn" });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "plumbline-bench-"));
  const server = await startEmbeddedPostgres({ dataDir, log });
  try {
    const rows: Row[] = [];
    for (const { cache, is } of CACHES) {
      const shownAfterMs = await played(server.connectionString, cache);
      const common = { against: "the API's own cache", floor: CACHE_MS / 1000, unit: "s" } as const;
      const what = `from landing to an open screen, when the API ${is}`;
      rows.push(
        {
          ...common,
          what: `${what}: p95`,
          ours: quantile(shownAfterMs, 0.95) / 1000,
          goal: { of: "value", most: GOALS_S.p95 },
        },
        {
          ...common,
          what: `${what}: worst of ${shownAfterMs.length}`,
          ours: Math.max(...shownAfterMs) / 1000,
          goal: { of: "value", most: GOALS_S.worst },
        },
      );
    }
    return rows;
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function played(serverUrl: string, cache: TruthRun["cache"]): Promise<number[]> {
  const log = pino({ level: "warn" });
  await runOnServer(serverUrl, `create database ${cache}`);
  const database = await openDatabase(withDatabase(serverUrl, cache), { log });
  try {
    await migrate(database, { log });
    return await playTruth({
      database,
      cache,
      minutes: MINUTES,
      endpoints: ENDPOINTS,
      seed: SEED,
    });
  } finally {
    await database.close();
  }
}
