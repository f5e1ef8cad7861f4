import { withDatabases } from "@/bench/database";
import { median, quantile } from "@/bench/median";
import { fillRecord } from "@/bench/record";
import type { Row } from "@/bench/table";
import { createManualClock } from "@/lib/server/manual-clock";
import { getPartnerHistory } from "@/lib/server/operations/history/get-partner-history";
import type { Database } from "@/lib/server/store/database";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const COMPANY = "main";
const ENDPOINTS = 500;
const PARTNERS = 50;
const CADENCE_MINUTES = 15;
/** One warm-up round over all partners; then the databases alternate, so that noise affects both. */
const ROUNDS = 200;

/** A partner's 7 days, read from the record of 10 and of 90 days. */
export function history(): Promise<Row[]> {
  return withDatabases(2, async (databases) => {
    for (const [at, database] of databases.entries()) {
      const size = { endpoints: ENDPOINTS, partners: PARTNERS, cadenceMinutes: CADENCE_MINUTES };
      await fillRecord(database, { company: COMPANY, days: at === 0 ? 10 : 90, ...size }, NOW_MS);
      await database.pool.query("vacuum analyze");
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
  });
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
