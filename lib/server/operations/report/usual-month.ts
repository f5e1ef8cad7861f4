import { isLastMonthReady } from "@/lib/domain/report/month-report";
import { addDays, dayOf } from "@/lib/domain/time/day";
import type { Database } from "@/lib/server/store/database";
import { readRolledUpEnds } from "@/lib/server/store/report/rolled-up-days";
import { reportTimeZone, type ReportRuntime } from "./get-report";

/**
 * The month with which a company's report opens, "2026-10": the previous one if it's closed or about to be, else this
 * one. A new record has nothing, or not everything, about the previous month.
 */
export async function usualMonth(
  runtime: Pick<ReportRuntime, "clock" | "config" | "connections"> & {
    database: Pick<Database, "pool">;
  },
  company: string,
): Promise<string> {
  const today = dayOf(runtime.clock.nowMs(), reportTimeZone(runtime, company));
  const thisMonth = today.slice(0, 7);
  const lastDay = addDays(`${thisMonth}-01`, -1);
  const ends = await readRolledUpEnds(runtime.database, company);
  const closed = ends !== null && ends.first.day <= lastDay && ends.last.day >= lastDay;
  const recordedFrom = ends?.first.day ?? null;
  return isLastMonthReady({ closed, recordedFrom, today }) ? lastDay.slice(0, 7) : thisMonth;
}
