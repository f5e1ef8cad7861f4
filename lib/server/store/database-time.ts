import { sql } from "drizzle-orm";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "./database";
import { iso } from "@/lib/domain/time/instant";

/** The one clock that all instances share: epoch milliseconds, returned as a string. */
export const DATABASE_NOW_MS = sql<string>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Tolerance, milliseconds: between our clock and the database's, and of the database clock's progress over
 * elapsed time before it counts as a jump.
 */
export const TOLERATED_MS = 5 * 60_000;
/** A jump forward is accepted after it has lasted this long. */
export const BELIEVED_AFTER_MS = 24 * 3_600_000;

/** For this long, a reading is extrapolated with the monotonic clock. */
const REMEMBERED_MS = 60_000;

/** A reading of the database clock, epoch milliseconds. */
export type DatabaseMoment = {
  /** What the database clock reported. */
  ms: number;
  /** The same without a jump forward that isn't accepted yet: never later than `ms`. */
  judgedMs: number;
};

/**
 * Time for the expiry of sessions, displays, codes and lockouts: PostgreSQL's clock, which all instances share,
 * rather than ours. The embedded PostgreSQL uses this machine's clock, so a jump forward counts only after it
 * has lasted a day: expiry may come late, never early.
 */
export type DatabaseTime = {
  /** Records a database time that was read along with another query: the value of `DATABASE_NOW_MS`. */
  observe(databaseMs: number | string): DatabaseMoment;
  /** Queries the database. Rejects when it doesn't answer. */
  read(): Promise<DatabaseMoment>;
  /** Same, but extrapolated from memory for a minute after the last reading. */
  now(): Promise<DatabaseMoment>;
  /** Whether our clock and the database's differed by more than minutes at the last reading. */
  differs(): boolean;
};

/** @param nowMs replaces the database clock in tests, epoch milliseconds; null uses the real one */
export function createDatabaseTime({
  database,
  clock,
  log,
  nowMs = null,
}: {
  database: Pick<Database, "orm">;
  clock: Clock;
  log: Log;
  nowMs?: (() => number) | null;
}): DatabaseTime {
  /** How far the accepted database clock is ahead of our monotonic clock. */
  let aheadMs: number | null = null;
  /** Monotonic time at which the jump that isn't accepted yet was first read. */
  let jumpedMs: number | null = null;
  let isOff = false;
  let last: (DatabaseMoment & { steadyMs: number }) | null = null;

  function observe(said: number | string): DatabaseMoment {
    const ms = nowMs?.() ?? Number(said);
    const steadyMs = clock.monotonicMs();
    const moment = { ms, judgedMs: judge(ms, steadyMs) };
    tellDifference(ms);
    last = { ...moment, steadyMs };
    return moment;
  }

  function judge(ms: number, steadyMs: number): number {
    const expectedMs = aheadMs === null ? ms : aheadMs + steadyMs;
    // A jump backward is accepted at once: expiry only comes later.
    if (ms - expectedMs > TOLERATED_MS) {
      if (jumpedMs === null) {
        const seconds = Math.round((ms - expectedMs) / 1000);
        log.warn(
          { event: "clock_jumped", seconds },
          "PostgreSQL's clock jumped forward: sessions don't follow for a day",
        );
      }
      jumpedMs ??= steadyMs;
      if (steadyMs - jumpedMs < BELIEVED_AFTER_MS) return expectedMs;
    }
    jumpedMs = null;
    aheadMs = ms - steadyMs;
    return ms;
  }

  function tellDifference(databaseMs: number): void {
    const oursMs = clock.nowMs();
    const wasOff = isOff;
    isOff = Math.abs(oursMs - databaseMs) > TOLERATED_MS;
    if (isOff === wasOff) return;
    const facts = { event: "clock_differs", ours: iso(oursMs), database: iso(databaseMs) };
    if (isOff) log.warn(facts, "our clock and PostgreSQL's differ by more than five minutes");
    else log.info({ ...facts, event: "clock_agrees" }, "our clock and PostgreSQL's agree again");
  }

  async function read(): Promise<DatabaseMoment> {
    const { rows } = await database.orm.execute<{ now_ms: string }>(
      sql`select ${DATABASE_NOW_MS} as now_ms`,
    );
    return observe(rows[0]?.now_ms ?? Number.NaN);
  }

  return {
    observe,
    read,
    async now() {
      const sinceMs =
        last === null ? Number.POSITIVE_INFINITY : clock.monotonicMs() - last.steadyMs;
      if (last === null || sinceMs > REMEMBERED_MS) return read();
      return { ms: last.ms + sinceMs, judgedMs: last.judgedMs + sinceMs };
    },
    differs: () => isOff,
  };
}
