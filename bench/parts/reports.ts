import { withDatabases } from "@/bench/database";
import pino from "pino";
import { median } from "@/bench/median";
import type { Row } from "@/bench/table";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { createManualClock } from "@/lib/server/manual-clock";
import { getReport } from "@/lib/server/operations/report/get-report";
import { getReportDays } from "@/lib/server/operations/report/get-report-days";
import type { Database } from "@/lib/server/store/database";
import type { ReportRow } from "@/lib/server/store/report/report-day";
import { writeRolledUpDay } from "@/lib/server/store/report/rolled-up-days";
import { DAY_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const TODAY_MS = NOW_MS - (NOW_MS % DAY_MS);
const DAYS = 365;
const PARTNERS = 50;
const SMALL = { company: "small", endpoints: 50 };
const LARGE = { company: "large", endpoints: 500 };
const ROUNDS = 30;

/** The days of a year, and a month's report, for a company with 500 endpoints and for one with 50. */
export function reports(): Promise<Row[]> {
  return withDatabases(1, async ([database]) => {
    if (database === undefined) throw new Error("there is no database");
    for (const size of [SMALL, LARGE]) await fill(database, size);
    await database.pool.query("vacuum analyze report_days, report_endpoint_days");
    const firstMs = await timed(database, LARGE.company, days);
    const [small, large, month] = [[], [], []] as [number[], number[], number[]];
    for (let round = -5; round < ROUNDS; round += 1) {
      // Alternately, so that noise affects both.
      const took = [
        await timed(database, SMALL.company, days),
        await timed(database, LARGE.company, days),
        await timed(database, LARGE.company, wholeMonth),
      ] as const;
      if (round < 0) continue;
      for (const [at, all] of [small, large, month].entries()) all.push(took[at] ?? 0);
    }
    return [
      {
        what: "the days of a year of 500 endpoints, the first time",
        against: "",
        floor: null,
        ours: firstMs,
        unit: "ms",
        goal: { of: "value", most: 300 },
      },
      {
        what: "the days of a year, 500 endpoints of 50 partners: median",
        against: "50 endpoints of 50 partners",
        floor: median(small),
        ours: median(large),
        unit: "ms",
        goal: { of: "ratio", most: 1.5 },
      },
      {
        what: "a closed month's report of 500 endpoints: median",
        against: "",
        floor: null,
        ours: median(month),
        unit: "ms",
        goal: { of: "value", most: 300 },
      },
    ];
  });
}

async function fill(
  database: Database,
  { company, endpoints }: { company: string; endpoints: number },
): Promise<void> {
  for (let ago = DAYS; ago > 0; ago -= 1) {
    const fromMs = TODAY_MS - ago * DAY_MS;
    await writeRolledUpDay(
      database,
      company,
      {
        day: new Date(fromMs).toISOString().slice(0, 10),
        timeZone: "UTC",
        fromMs,
        untilMs: fromMs + DAY_MS,
        incidents: {},
      },
      Array.from({ length: endpoints }, (_, at) => rowOf(at, ago)),
      NOW_MS,
    );
  }
}

/** One day in nineteen has an hour overdue. */
function rowOf(at: number, ago: number): ReportRow {
  const overdueMs = (at * 7 + ago) % 19 === 0 ? 3_600_000 : 0;
  return {
    id: `endpoint-${at}`,
    endpointKey: `key_${at}`,
    partnerName: `Partner ${at % PARTNERS}`,
    onTimeMs: DAY_MS - overdueMs,
    overdueMs,
    plannedQuietMs: 0,
    notObservedMs: 0,
    webhookMs: 0,
    pausedMs: 0,
    worst: overdueMs > 0 ? "late" : null,
    overdue: { leadMs: 0, longestMs: overdueMs, tailMs: 0 },
    completed: 96,
    failed: 0,
    timedOut: 0,
    rateLimited: 0,
  };
}

type Ask = (runtime: ReturnType<typeof runtimeOf>, company: string) => Promise<object>;
const days: Ask = (runtime, company) =>
  getReportDays(runtime, { company, query: new URLSearchParams({ range: "1y" }) });
const wholeMonth: Ask = (runtime, company) =>
  getReport(runtime, {
    person: { grants: [] },
    company,
    query: new URLSearchParams({ month: "2026-01" }),
  });

/** Responses are cached by the objects they are read from, so each call gets a new one. */
function runtimeOf(database: Database) {
  const clock = createManualClock(NOW_MS);
  const unseen: Database = Object.create(database);
  return {
    database: unseen,
    clock,
    snapshots: createSnapshots({ database, clock, log: pino({ level: "silent" }) }),
    config: { reportTimeZone: "UTC" },
    connections: [],
  };
}

async function timed(database: Database, company: string, ask: Ask): Promise<number> {
  const runtime = runtimeOf(database);
  const startedMs = performance.now();
  JSON.stringify(await ask(runtime, company));
  return performance.now() - startedMs;
}
