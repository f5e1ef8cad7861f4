import { reportDayAfter, reportDayAt, type ReportDay } from "@/lib/domain/report/report-day";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";
import type { RecordedEndpoint } from "@/lib/server/store/history/recorded-endpoints";
import { readPlannedQuiet } from "@/lib/server/store/report/planned-quiet";
import { readReportDay, type ReportRow } from "@/lib/server/store/report/report-day";

/** Where the rolled-up days end. */
export type RolledUpPast = {
  /** Null when no day was rolled up. */
  last: ReportDay | null;
  /**
   * Start of the record when no day was rolled up; null without a record. Epoch milliseconds on the
   * API's clock.
   */
  beginMs: number | null;
  /** How far the API's clock is ahead of ours. */
  offsetMs: number;
};

/**
 * Days up to now that aren't rolled up yet; today covers the time so far.
 * @param range.lastDay the last requested day
 */
export function openDaysUntil(
  { clock }: Pick<HistoryRuntime, "clock">,
  { last, beginMs, offsetMs }: RolledUpPast,
  { lastDay, timeZone }: { lastDay: string; timeZone: string },
): ReportDay[] {
  const nowMs = clock.nowMs() + offsetMs;
  const open: ReportDay[] = [];
  let day =
    last !== null
      ? reportDayAfter(last, timeZone)
      : beginMs === null
        ? null
        : reportDayAt(beginMs, timeZone);
  while (day !== null && day.fromMs < nowMs && day.day <= lastDay) {
    open.push({ ...day, untilMs: Math.min(day.untilMs, nowMs) });
    day = reportDayAfter(day, timeZone);
  }
  return open;
}

/**
 * Reads open days one after the other. A new record has months of them, whose statements together would wait for a
 * connection until they fail.
 * @returns the results, in the order of the days
 */
export async function readDayByDay<T>(
  days: readonly ReportDay[],
  read: (day: ReportDay) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const day of days) results.push(await read(day));
  return results;
}

/** Every endpoint's time on an open day, computed from the record as the roll-up will. */
export async function readOpenDay(
  { database, clock }: HistoryRuntime,
  company: string,
  { beginMs }: RolledUpPast,
  { endpoints, ...day }: ReportDay & { endpoints: readonly RecordedEndpoint[] },
): Promise<ReportRow[]> {
  return readReportDay({ database, clock }, company, {
    within: day,
    endpoints,
    recordFromMs: beginMs ?? Number.NEGATIVE_INFINITY,
    quietOf: await readPlannedQuiet(database, company, day),
  });
}
