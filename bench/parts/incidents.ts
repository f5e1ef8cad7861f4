import pino from "pino";
import { withDatabases } from "@/bench/database";
import { fillIncidents, recordsOf } from "@/bench/incidents";
import { median, quantile } from "@/bench/median";
import { fillRecord } from "@/bench/record";
import type { Row } from "@/bench/table";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { NO_INCIDENTS, type IncidentsState } from "@/lib/domain/incidents/incident";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import type { Verdict } from "@/lib/domain/sync";
import { completed } from "@/lib/domain/steps";
import { iso } from "@/lib/domain/time/instant";
import { createAccess } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { rowsOf, type CompanySnapshot } from "@/lib/server/collector/snapshots";
import { watchIncidents } from "@/lib/server/collector/watch-incidents";
import { createManualClock } from "@/lib/server/manual-clock";
import { getBoardAt } from "@/lib/server/operations/history/get-board-at";
import { getAllChanges, getChanges } from "@/lib/server/operations/incidents/get-changes";
import { listAllIncidents, listIncidents } from "@/lib/server/operations/incidents/list-incidents";
import { rehearseRule } from "@/lib/server/operations/rules/rehearse";
import type { Database } from "@/lib/server/store/database";
import { writeIncidents } from "@/lib/server/store/incidents/incident-records";
import type { EndpointRecord } from "@/lib/server/store/sync/records";
import { MINUTE_MS, DAY_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const WEEK_AGO = new URLSearchParams({ since: iso(NOW_MS - 7 * DAY_MS) });
/** About 300 incidents in a week, half of them open. */
const LARGE = { company: "large", endpoints: 5000, partners: 500, days: 7, cadenceMinutes: 240 };
const LARGE_EVERY_MS = 30 * MINUTE_MS;
const SMALL = { endpoints: 12, partners: 3, days: 7, cadenceMinutes: 240 };
const SMALL_EVERY_MS = 3 * DAY_MS;
const SMALL_COMPANIES = 500;
const MONTH_DAYS = 30;
const ROUNDS = 30;

export const ADMINISTRATOR: Person = {
  id: "00000000-0000-4000-8000-000000000000",
  email: "bench@example.com",
  name: "Bench",
  kind: "local",
  grants: [{ role: "administrator", company: null }],
};
const SILENT = pino({ level: "silent" });

/** Cost of incidents for a company with 5,000 endpoints, and for five hundred companies. */
export function incidents(): Promise<Row[]> {
  return withDatabases(1, async ([database]) => {
    if (database === undefined) throw new Error("there is no database");
    await fillRecord(database, LARGE, NOW_MS);
    const filled = await fillIncidents(database, LARGE, LARGE_EVERY_MS, NOW_MS);
    const small = Array.from({ length: SMALL_COMPANIES }, (_, n) => `small-${n}`);
    for (const company of small) {
      await fillRecord(database, { ...SMALL, company }, NOW_MS);
      await fillIncidents(database, { ...SMALL, company }, SMALL_EVERY_MS, NOW_MS);
    }
    await database.pool.query("vacuum analyze");
    const runtime = runtimeOf(database, filled.endpoints, [LARGE.company, ...small]);
    const given = { person: ADMINISTRATOR, query: new URLSearchParams() };
    const { company } = LARGE;
    const open = filled.state.open.length;
    const at = new URLSearchParams({ at: iso(NOW_MS - 3 * DAY_MS) });
    const [quiet, busy] = await foldedMs(database, filled);
    return [
      {
        what: `a check of 5,000 endpoints taken into ${open} open incidents, and written: median`,
        against: "no endpoint in trouble, no incident",
        floor: median(quiet),
        ours: median(busy),
        unit: "ms",
        goal: { of: "difference", most: 20 },
      },
      answer(
        "the first page of incidents of 5,000 endpoints: p95",
        await p95(async () => listIncidents(runtime, { ...given, company })),
        100,
      ),
      answer(
        "the first page of incidents of 501 companies: p95",
        await p95(async () => listAllIncidents(runtime, given)),
        100,
      ),
      answer(
        "5,000 endpoints as they were three days ago: p95",
        await p95(() => getBoardAt(runtime, { company, query: at })),
        500,
      ),
      answer(
        "what changed among 5,000 endpoints in a week: p95",
        await p95(() => getChanges(runtime, { ...given, company, query: WEEK_AGO })),
        300,
      ),
      answer(
        "what changed in 501 companies in a week: p95",
        await p95(() => getAllChanges(runtime, { ...given, query: WEEK_AGO })),
        500,
      ),
    ];
  });
}

/** Time of a rule's rehearsal on the past 30 days of a company with 5,000 endpoints. */
export function rehearsal(): Promise<Row[]> {
  return withDatabases(1, async ([database]) => {
    if (database === undefined) throw new Error("there is no database");
    const size = { ...LARGE, days: MONTH_DAYS };
    const { endpoints } = await fillIncidents(database, size, LARGE_EVERY_MS, NOW_MS);
    await database.pool.query("vacuum analyze");
    const runtime = runtimeOf(database, endpoints, [LARGE.company]);
    const days = ["mon", "tue", "wed", "thu", "fri"];
    const all = {
      ...EVERYTHING,
      remind_every_minutes: 60,
      quiet: { days, from: "20:00", until: "07:00", time_zone: "Europe/Berlin" },
      brief: { days, at: "08:00", time_zone: "Europe/Berlin" },
    };
    const { count } = await rehearseRule(runtime, { body: all });
    return [
      answer(
        "a rule tried on 30 days of 5,000 endpoints: p95",
        await p95(() => rehearseRule(runtime, { body: EVERYTHING })),
        2000,
      ),
      answer(
        `the same with reminders, quiet hours and a brief, ${count.toLocaleString("en")} messages: p95`,
        await p95(() => rehearseRule(runtime, { body: all })),
        2000,
      ),
    ];
  });
}

const answer = (what: string, ours: number, most: number): Row => ({
  what,
  against: "",
  floor: null,
  ours,
  unit: "ms",
  goal: { of: "value", most },
});

async function p95(ask: () => Promise<object>): Promise<number> {
  const took: number[] = [];
  for (let round = -3; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    JSON.stringify(await ask());
    if (round >= 0) took.push(performance.now() - startedMs);
  }
  return quantile(took, 0.95);
}

type Folded = { company: string; state: IncidentsState; endpoints: Map<string, EndpointRecord> };

/** One check after the other, alternately with nothing and with much in trouble. */
async function foldedMs(
  database: Database,
  { state, endpoints }: Omit<Folded, "company">,
): Promise<[number[], number[]]> {
  const fresh = Array.from({ length: LARGE.endpoints }, (): Verdict => "fresh");
  const all: Folded[] = [
    { company: "quiet", state: NO_INCIDENTS, endpoints: recordsOf(LARGE, fresh, NOW_MS) },
    { company: LARGE.company, state, endpoints },
  ];
  const took: [number[], number[]] = [[], []];
  for (let round = -5; round < ROUNDS; round += 1) {
    const apiNowMs = NOW_MS + (round + 6) * MINUTE_MS;
    for (const [at, one] of all.entries()) {
      const startedMs = performance.now();
      const checked = { gap: null, apiNowMs, verdictChanges: [] };
      const found = completed(
        watchIncidents(one.state, one.endpoints, checked, INCIDENT_SETTINGS, []),
      );
      await database.orm.transaction((tx) => writeIncidents(tx, one.company, found, apiNowMs));
      if (round >= 0) took[at]?.push(performance.now() - startedMs);
      one.state = found.state;
    }
  }
  return took;
}

function runtimeOf(
  database: Database,
  endpoints: ReadonlyMap<string, EndpointRecord>,
  companies: readonly string[],
) {
  const rows = rowsOf(endpoints);
  const few = rows.slice(0, SMALL.endpoints);
  const seen = new Map(
    companies.map((company): [string, CompanySnapshot] => [
      company,
      snapshotAt(NOW_MS, company, company === LARGE.company ? rows : few),
    ]),
  );
  return benchRuntime(database, seen, NOW_MS);
}

/** @param nowMs time of the check */
export function snapshotAt(
  nowMs: number,
  company: string,
  rows: CompanySnapshot["rows"],
): CompanySnapshot {
  const state = {
    version: 1,
    asOfMs: nowMs,
    lastAttemptMs: nowMs,
    reason: null,
    rhythmSeconds: 60,
    nextRefreshMs: nowMs + MINUTE_MS,
    apiClockOffsetMs: 0,
    databaseClockOffsetMs: null,
    totalPages: 50,
    rateLimit: null,
    budget: { used: 0, limit: 60 },
  };
  return { company, state, rows };
}

/** The parts of the runtime that the responses need. @param seen the current snapshot of every company */
export function benchRuntime(
  database: Database,
  seen: ReadonlyMap<string, CompanySnapshot>,
  nowMs: number,
) {
  return {
    database,
    clock: createManualClock(nowMs),
    log: SILENT,
    auth: { access: createAccess(null, []) },
    snapshots: { get: (company: string) => seen.get(company) ?? null, ageMs: () => 0 },
    recording: { stopped: () => null },
    leftCompanies: { get: () => null },
    connections: [...seen.keys()].map((company) => ({ company, name: `Company ${company}` })),
    config: { pollSeconds: 60, retentionDays: 90, reportTimeZone: "UTC", messageWaitMs: 30_000 },
    appUrl: "http://localhost:3000",
  };
}
