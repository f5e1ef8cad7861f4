import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { median, quantile } from "@/bench/median";
import { fillRecord } from "@/bench/record";
import type { Row } from "@/bench/table";
import { createManualClock } from "@/lib/server/manual-clock";
import { getPartnerHistory } from "@/lib/server/operations/history/get-partner-history";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { runOnServer, withDatabase } from "@/lib/server/store/test-database";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const COMPANY = "main";
const ENDPOINTS = 500;
const PARTNERS = 50;
const CADENCE_MINUTES = 15;
/** Every partner once is a warm-up; then each database in turn, so that both meet the same noise. */
const ROUNDS = 200;

/** A partner's 7 days, read from the record of 10 and of 90 days. */
export async function history(): Promise<Row[]> {
  const log = pino({ level: "warn" });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "plumbline-bench-"));
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    // 15 million rows are written first; only reading is measured.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  const databases: Database[] = [];
  try {
    for (const days of [10, 90]) {
      const name = `days_${days}`;
      await runOnServer(server.connectionString, `create database ${name}`);
      const database = await openDatabase(withDatabase(server.connectionString, name), { log });
      databases.push(database);
      await migrate(database, { log });
      const size = { endpoints: ENDPOINTS, partners: PARTNERS, cadenceMinutes: CADENCE_MINUTES };
      await fillRecord(database, { company: COMPANY, days, ...size }, NOW_MS);
      await runOnServer(withDatabase(server.connectionString, name), "vacuum analyze");
    }
    const milliseconds: number[][] = databases.map(() => []);
    for (let round = -PARTNERS; round < ROUNDS; round += 1) {
      for (const [at, database] of databases.entries()) {
        const ms = await timed(database, `Partner ${(round + PARTNERS) % PARTNERS}`);
        if (round >= 0) milliseconds[at]?.push(ms);
      }
    }
    const [ten = [], ninety = []] = milliseconds;
    return [
      {
        what: "a partner's 7 days of history, 4.3 million runs on record: p95",
        against: "",
        floor: null,
        ours: quantile(ninety, 0.95),
        unit: "ms",
        goal: { of: "value", most: 100 },
      },
      {
        what: "a partner's 7 days of history, 90 days on record: median",
        against: "10 days on record",
        floor: median(ten),
        ours: median(ninety),
        unit: "ms",
        goal: { of: "ratio", most: 1.5 },
      },
    ];
  } finally {
    for (const database of databases) await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timed(database: Database, partnerName: string): Promise<number> {
  const query = new URLSearchParams({ range: "7d" });
  const startedMs = performance.now();
  const clock = createManualClock(NOW_MS);
  const answer = await getPartnerHistory(
    { database, clock },
    { company: COMPANY, partnerName, query },
  );
  JSON.stringify(answer);
  return performance.now() - startedMs;
}
