import { randomUUID } from "node:crypto";
import pino from "pino";
import { startMisbehavingUpstream } from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import type { RowPromise } from "@/lib/contracts/row-promise";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { createPollSchedule } from "@/lib/server/collector/poll-schedule";
import { createCheck } from "@/lib/server/collector/poll-company";
import { openWatchedCompany } from "@/lib/server/collector/watched-company";
import { createManualClock } from "@/lib/server/manual-clock";
import {
  changeDeadlines,
  type DeadlineChange,
} from "@/lib/server/store/deadlines/change-deadlines";
import { fenced } from "@/lib/server/store/fence";
import { leads } from "@/lib/server/store/schema/leads";
import { saveCompanies } from "@/lib/server/store/sync/write-snapshot";
import { createTestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "@/lib/server/upstream/client";

export const COMPANY = "main";
const POLL_SECONDS = 600;
const log = pino({ level: "silent" });

/** The leader's checks of one company, over real HTTP and PostgreSQL, at times that a test chooses. */
export async function startChecks(startMs: number, feeds: number) {
  const clock = createManualClock(startMs);
  const db = await createTestDatabase();
  const { database } = db;
  let rows: ServedSyncStatus[] = sampleRows(feeds, startMs).map((row) => ({
    ...row,
    attributes: { ...row.attributes, status: "active", frequency_minutes: 60 },
  }));
  const api = await startMisbehavingUpstream({ rows, nowMs: clock.nowMs });
  const connection = {
    company: COMPANY,
    name: "Main",
    baseUrl: api.baseUrl,
    clientId: api.clientId,
    clientSecret: api.clientSecret,
  };
  const upstream = createUpstream({
    connection,
    clock,
    random: () => 0.5,
    log,
    database,
    requestsPerMinute: 6_000,
    tokenRequestsPerMinute: 100,
    pollSeconds: POLL_SECONDS,
    databaseNowMs: clock.nowMs,
  });
  await saveCompanies(database, [{ slug: COMPANY, name: "Main" }], startMs);
  const { rows: people } = await database.pool.query<{ id: string }>(
    "insert into people (email, name) values ('ana@example.com', 'Ana') returning id",
  );
  const person = { id: people[0]?.id ?? "", name: "Ana", email: "ana@example.com" };
  const schedule = createPollSchedule({ clock, pollSeconds: POLL_SECONDS, pollsPerWindow: 3_998 });
  const [of, term] = ["collector", randomUUID()] as const;
  await database.orm.insert(leads).values({ of, term, since: new Date(startMs) });
  const shown = new Map<string, RowPromise | null>();
  const options = {
    database,
    writer: fenced(database, { of, term, onDeposed: () => undefined }),
    clock,
    log,
    schedule,
    incidents: INCIDENT_SETTINGS,
    disk: { isLow: () => Promise.resolve(false) },
    pollSeconds: POLL_SECONDS,
  };
  const check = createCheck({
    ...options,
    onPublish: (snapshot) => {
      for (const { id, promise } of snapshot.rows) shown.set(id, promise ?? null);
    },
  });
  let company = await openWatchedCompany(options, { connection, upstream });

  return {
    database,
    clock,
    ids: rows.map(({ id }) => id),
    /** What is remembered of the company's deadlines. */
    watched: () => company.deadlines,
    /** What the row shows after the last check. */
    shown: (id: string) => shown.get(id) ?? null,
    set(id: string, attributes: Partial<ServedSyncStatus["attributes"]>): void {
      rows = rows.map((row) =>
        row.id === id ? { ...row, attributes: { ...row.attributes, ...attributes } } : row,
      );
      api.setRows(rows);
    },
    remove(id: string): void {
      rows = rows.filter((row) => row.id !== id);
      api.setRows(rows);
    },
    /** Makes the API's clock wrong; 0: right again. */
    skewClock: (skewMs: number) =>
      api.setFault(skewMs === 0 ? null : { kind: "clock_skew", skewMs }),
    async checkAt(ms: number): Promise<void> {
      await clock.advance(ms - clock.nowMs());
      await check(company, [company], new AbortController().signal);
    },
    /** As after a restart: nothing is remembered. */
    async restart(): Promise<void> {
      company = await openWatchedCompany(options, { connection, upstream });
    },
    change(...changes: DeadlineChange[]) {
      return this.changeAt(clock.nowMs(), ...changes);
    },
    /** As if it had been done then. */
    changeAt(atMs: number, ...changes: DeadlineChange[]) {
      return changeDeadlines(database, COMPANY, () => changes, {
        change: { person, nowMs: clock.nowMs() },
        atMs,
        most: 2_000,
      });
    },
    person,
    async stop(): Promise<void> {
      await api.close();
      await db.drop();
    },
  };
}

export type Checks = Awaited<ReturnType<typeof startChecks>>;
