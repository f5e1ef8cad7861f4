import { reportDayAfter, reportDayAt, type ReportDay } from "@/lib/domain/report/report-day";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import { isDoubtful } from "@/lib/server/store/history/doubtful-clock";
import {
  readRecordedEndpoints,
  readRecordedState,
} from "@/lib/server/store/history/recorded-endpoints";
import { countIncidents, isPastUnreplayed } from "@/lib/server/store/report/incidents";
import { readPlannedQuiet } from "@/lib/server/store/report/planned-quiet";
import {
  CLOSES_AFTER_MS,
  readRecordBegin,
  readReportDay,
} from "@/lib/server/store/report/report-day";
import { readRolledUpEnds, writeRolledUpDay } from "@/lib/server/store/report/rolled-up-days";
import { readRecordedCompanies } from "@/lib/server/store/sync/retention";
import { ownTime, readClocks, type ClockSource } from "./clock-agreement";
import { repeat } from "./repeat";
import { rollUpNextCalls } from "./calls/roll-up-calls";

/** Delayed so that the first snapshots come first. */
const FIRST_AFTER_MS = 20_000;
const EVERY_MS = 10 * MINUTE_MS;
/** The same while days wait for incidents to be replayed. */
const EVERY_WHILE_UNREPLAYED_MS = 20_000;
/** Pause between two days, so that a long record doesn't monopolise the database. */
const REST_MS = 20;
/** Periods of six hours per run and company: a week. An upgrade finds months of them, and days have to close meanwhile. */
const MAX_CALLS = 28;
/** A day not observed since its end is closed after this time. */
const BLIND_CLOSES_AFTER_MS = DAY_MS;

type Options = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Clock;
  log: Log;
  companies: readonly ClockSource[];
  /** Time zone of a company's days: an IANA name. */
  timeZoneOf: (company: string) => string;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
};

/**
 * Rolls up the completed days of every recorded company until `signal` aborts: each once, oldest first, with
 * all its endpoints in one transaction; likewise its readings of API calls, six hours at a time. The result doesn't
 * depend on when or how often this runs, only on the record up to the day's close.
 *
 * Days end by a clock, and rolled-up days are permanent, so nothing is rolled up unless our clock, PostgreSQL's
 * and those of the APIs agree (`readClocks`).
 */
export async function rollUpReports(options: Options): Promise<void> {
  const { database, clock, log, disk, signal } = options;
  let isAnyUnreplayed = false;
  const everyMs = () => (isAnyUnreplayed ? EVERY_WHILE_UNREPLAYED_MS : EVERY_MS);
  await repeat(options, { firstAfterMs: FIRST_AFTER_MS, everyMs }, rollUpAll);

  async function rollUpAll(): Promise<void> {
    try {
      const agreedMs = (await readClocks(options))?.agreedMs ?? null;
      if (agreedMs === null) return;
      isAnyUnreplayed = false;
      const replayed: string[] = [];
      for (const company of await readRecordedCompanies(database)) {
        if (signal.aborted || (await disk.isLow())) return;
        if (await isPastUnreplayed(database, company)) isAnyUnreplayed = true;
        else {
          await rollUp(company, agreedMs);
          replayed.push(company);
        }
      }
      for (const company of replayed) {
        if (signal.aborted || (await disk.isLow())) return;
        await rollUpCalls(company, agreedMs);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, "days could not be rolled up; retrying later");
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
      log.warn({ err, company }, "a day could not be rolled up; retrying later");
    } finally {
      if (days > 0) log.info({ event: "days_rolled_up", company, days }, "rolled up days");
    }
  }

  async function rollUpCalls(company: string, agreedMs: number): Promise<void> {
    try {
      for (let rows = 0; rows < MAX_CALLS && !signal.aborted; rows += 1) {
        if (!(await rollUpNextCalls(options, company, agreedMs))) return;
        await clock.sleep(REST_MS, signal);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err, company }, "readings of calls could not be rolled up; retrying later");
    }
  }
}

/**
 * Rolls up a company's next day.
 * @param agreedMs now, epoch milliseconds
 * @returns false when no day can be closed
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
  if (await isPastUnreplayed(database, company)) return false;
  const rows = await readReportDay({ database, clock }, company, {
    within: day,
    endpoints: await readRecordedEndpoints(database, company, {}),
    recordFromMs: beginMs ?? Number.NEGATIVE_INFINITY,
    quietOf: await readPlannedQuiet(database, company, day),
  });
  const incidents = await countIncidents(database, company, day);
  return writeRolledUpDay(writer, company, { ...day, timeZone, incidents }, rows, clock.nowMs());
}

/** Whether later information can no longer change the day. */
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
  const observedMs = state.asOfMs + state.apiClockOffsetMs;
  if (await isDoubtful(database, company, closesMs, { agreedMs, state })) return false;
  const nowMs = ownTime(agreedMs, state);
  // Time after our last observation counts as a gap, whether or not it is recorded yet.
  return (
    observedMs >= closesMs || (observedMs >= fromMs && nowMs >= untilMs + BLIND_CLOSES_AFTER_MS)
  );
}
