import { sql } from "drizzle-orm";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "./database";

/** The only clock that all instances share, epoch milliseconds, as a text. */
export const DATABASE_NOW_MS = sql<string>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Clocks that differ by more do not agree, and a clock that went on by so much more than time did has jumped. */
export const TOLERATED_MS = 5 * 60_000;
/** A jump forward that lasts for so long is believed. */
export const BELIEVED_AFTER_MS = 24 * 3_600_000;

/** For so long what was heard goes on with the steady clock. */
const REMEMBERED_MS = 60_000;

/** A moment on the database's clock; epoch milliseconds. */
export type DatabaseMoment = {
  /** What its clock said. */
  ms: number;
  /** The same without a jump forward that is not believed yet: never later than `ms`. */
  judgedMs: number;
};

/**
 * What the ends of sessions, displays, codes and lock-outs are judged by: PostgreSQL's clock, which all
 * instances share, and not ours. The embedded PostgreSQL has the clock of our machine, though: so a jump
 * forward of that one counts only once it has lasted for a day. What is judged ends later then, never sooner.
 */
export type DatabaseTime = {
  /** What a clock says that was read with something else: the value of `DATABASE_NOW_MS`. */
  heard(databaseMs: number | string): DatabaseMoment;
  /** Asks the database. Rejects when it does not answer. */
  read(): Promise<DatabaseMoment>;
  /** The same, from memory for a minute after it was last heard. */
  now(): Promise<DatabaseMoment>;
  /** Whether our clock and the database's differed by more than minutes when it was last heard. */
  differs(): boolean;
};

/**
 * @param nowMs the database's clock, epoch milliseconds; null (as everywhere but in tests) takes the real one
 */
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
  /** What the database's clock is ahead of our steady one, as far as that is believed. */
  let aheadMs: number | null = null;
  /** When the jump was first heard that is not believed yet, on the steady clock. */
  let jumpedMs: number | null = null;
  let isOff = false;
  let last: (DatabaseMoment & { steadyMs: number }) | null = null;

  function heard(said: number | string): DatabaseMoment {
    const ms = nowMs?.() ?? Number(said);
    const steadyMs = clock.monotonicMs();
    const moment = { ms, judgedMs: judge(ms, steadyMs) };
    tellDifference(ms);
    last = { ...moment, steadyMs };
    return moment;
  }

  function judge(ms: number, steadyMs: number): number {
    const expectedMs = aheadMs === null ? ms : aheadMs + steadyMs;
    // Back is believed at once: what is judged by it ends later.
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
    const facts = { event: "clock_differs", ours: instant(oursMs), database: instant(databaseMs) };
    if (isOff) log.warn(facts, "our clock and PostgreSQL's differ by more than five minutes");
    else log.info({ ...facts, event: "clock_agrees" }, "our clock and PostgreSQL's agree again");
  }

  async function read(): Promise<DatabaseMoment> {
    const { rows } = await database.orm.execute<{ now_ms: string }>(
      sql`select ${DATABASE_NOW_MS} as now_ms`,
    );
    return heard(rows[0]?.now_ms ?? Number.NaN);
  }

  return {
    heard,
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

function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
