import { reportDayAfter, reportDayAt, type ReportDay } from "@/lib/domain/report/report-day";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import { readRecordedState } from "@/lib/server/store/history/recorded-endpoints";
import { countIncidents, isPastUntold } from "@/lib/server/store/report/incidents";
import { readPlannedQuiet } from "@/lib/server/store/report/planned-quiet";
import {
  CLOSES_AFTER_MS,
  readRecordBegin,
  readReportDay,
} from "@/lib/server/store/report/report-day";
import { readRolledUpEnds, writeRolledUpDay } from "@/lib/server/store/report/rolled-up-days";
import { readRecordedCompanies } from "@/lib/server/store/sync/retention";
import { readClocks } from "./clock-agreement";
import { repeat } from "./repeat";

/** The first snapshots go first. */
const FIRST_AFTER_MS = 20_000;
const EVERY_MS = 10 * 60_000;
/** Between two days, so that a record of months never has the database to itself. */
const REST_MS = 20;
/** A day that we have not looked since is closed without us after so long. */
const BLIND_CLOSES_AFTER_MS = 24 * 3_600_000;

type Options = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Clock;
  log: Log;
  companies: readonly {
    /** See `WatchedCompany`. */
    apiClock: { aheadMs: number; heardMs: number } | null;
  }[];
  /** The time zone that a company's days are counted in: an IANA name. */
  timeZoneOf: (company: string) => string;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
};

/**
 * Rolls up the days that are over, of every company that has a record, until `signal` aborts: each once, the oldest
 * first, with all its endpoints in one transaction. Whenever that happens, and however often it is begun, the result
 * is the same: it depends on the record up to the day's close alone.
 *
 * Days end by a clock, and what is rolled up stays: nothing is while our clock, PostgreSQL's and that of an API,
 * heard within the hour, do not agree.
 */
export async function keepReports(options: Options): Promise<void> {
  const { database, clock, log, disk, signal } = options;
  await repeat(options, { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS }, rollUpAll);

  async function rollUpAll(): Promise<void> {
    try {
      const agreedMs = (await readClocks(options))?.agreedMs ?? null;
      if (agreedMs === null) return;
      for (const company of await readRecordedCompanies(database)) {
        if (signal.aborted || (await disk.isLow())) return;
        await rollUp(company, agreedMs);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, "days could not be rolled up; tried again in ten minutes");
    }
  }

  async function rollUp(company: string, agreedMs: number): Promise<void> {
    let days = 0;
    try {
      while (!signal.aborted && (await rollUpNextDay(options, company, agreedMs))) {
        days += 1;
        await clock.sleep(REST_MS, signal);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err, company }, "a day could not be rolled up; tried again in ten minutes");
    } finally {
      if (days > 0) log.info({ event: "days_rolled_up", company, days }, "rolled up days");
    }
  }
}

/**
 * Rolls up a company's next day.
 * @param agreedMs now, epoch milliseconds
 * @returns false where there is none that could be closed
 */
export async function rollUpNextDay(
  {
    database,
    writer,
    clock,
    timeZoneOf,
  }: Pick<Options, "database" | "writer" | "clock" | "timeZoneOf">,
  company: string,
  agreedMs: number,
): Promise<boolean> {
  const timeZone = timeZoneOf(company);
  const ends = await readRolledUpEnds(database, company);
  const beginMs = ends === null ? await readRecordBegin(database, company) : null;
  if (ends === null && beginMs === null) return false;
  const day =
    ends === null ? reportDayAt(beginMs ?? 0, timeZone) : reportDayAfter(ends.last, timeZone);
  if (!(await isClosed(database, company, day, agreedMs))) return false;
  if (await isPastUntold(database, company)) return false;
  const rows = await readReportDay({ database, clock }, company, {
    within: day,
    recordFromMs: beginMs ?? Number.NEGATIVE_INFINITY,
    quietOf: await readPlannedQuiet(database, company, day),
  });
  const incidents = await countIncidents(database, company, day);
  return writeRolledUpDay(writer, company, { ...day, timeZone, incidents }, rows, clock.nowMs());
}

/** Nothing that is known of a day changes it once it is closed. */
async function isClosed(
  database: Database,
  company: string,
  { fromMs, untilMs }: ReportDay,
  agreedMs: number,
): Promise<boolean> {
  const closesMs = untilMs + CLOSES_AFTER_MS;
  if (agreedMs < closesMs) return false;
  const state = await readRecordedState(database, company);
  if (state === null || state.asOfMs === null) return false;
  const lookedMs = state.asOfMs + state.apiClockOffsetMs;
  // What we didn't see after our last look is a gap, told when we look again or not.
  return (
    lookedMs >= closesMs || (lookedMs >= fromMs && agreedMs >= untilMs + BLIND_CLOSES_AFTER_MS)
  );
}
