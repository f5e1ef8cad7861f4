import type { Period } from "@/lib/domain/history";
import { addDays, dayEndMs, dayOf, dayStartMs } from "@/lib/domain/time/day";

/** How far back daily charts of a company, a partner or an endpoint go. */
export const REPORT_RANGES = ["90d", "1y"] as const;
export type ReportRange = (typeof REPORT_RANGES)[number];

/** A day of a report, "2026-10-14", from its start to its end: epoch milliseconds. */
export type ReportDay = Period & { day: string };

/** The day that an instant falls on in a time zone. @throws for an unknown zone */
export function reportDayAt(atMs: number, timeZone: string): ReportDay {
  return reportDayIn(dayOf(atMs, timeZone), timeZone);
}

/**
 * The next day. It starts where the last one ended, so that no time is repeated or skipped if the time zone was changed
 * between them; its length then differs.
 */
export function reportDayAfter(last: ReportDay, timeZone: string): ReportDay {
  const next = addDays(last.day, 1);
  const onIt = dayOf(last.untilMs, timeZone);
  return { ...reportDayIn(onIt > next ? onIt : next, timeZone), fromMs: last.untilMs };
}

/** A day in a time zone. @param day "2026-10-14" @throws for an invalid day or an unknown zone */
export function reportDayIn(day: string, timeZone: string): ReportDay {
  const [fromMs, untilMs] = [dayStartMs(day, timeZone), dayEndMs(day, timeZone)];
  if (fromMs === null || untilMs === null) throw new Error(`${day} is no day`);
  return { day, fromMs, untilMs };
}
