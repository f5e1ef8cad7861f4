import type { Stretch } from "@/lib/domain/history";
import { dayEndMs, dayOf, dayStartMs } from "@/lib/domain/time/day";

/** How far back the days of a company, a partner or an endpoint can be drawn. */
export const REPORT_RANGES = ["90d", "1y"] as const;
export type ReportRange = (typeof REPORT_RANGES)[number];

/** A day of a report, "2026-10-14", from its begin to its end: epoch milliseconds. */
export type ReportDay = Stretch & { day: string };

/** The day in a time zone that an instant falls on. @throws for no zone */
export function reportDayAt(atMs: number, timeZone: string): ReportDay {
  return reportDayIn(dayOf(atMs, timeZone), timeZone);
}

/**
 * The day after another. It begins where that one ended, so that no time is counted twice or left out when the
 * time zone was changed between them: it is shorter or longer then.
 */
export function reportDayAfter(last: ReportDay, timeZone: string): ReportDay {
  const next = dayOf((dayStartMs(last.day, "UTC") ?? 0) + 86_400_000, "UTC");
  const onIt = dayOf(last.untilMs, timeZone);
  return { ...reportDayIn(onIt > next ? onIt : next, timeZone), fromMs: last.untilMs };
}

/** A day as a time zone has it. @param day "2026-10-14" @throws for no day, or no zone */
export function reportDayIn(day: string, timeZone: string): ReportDay {
  const [fromMs, untilMs] = [dayStartMs(day, timeZone), dayEndMs(day, timeZone)];
  if (fromMs === null || untilMs === null) throw new Error(`${day} is no day`);
  return { day, fromMs, untilMs };
}
