import type { ReportDaysView } from "@/lib/contracts/report";
import { REPORT_RANGES } from "@/lib/domain/report/report-day";
import { percentShares } from "@/lib/domain/shares";
import { dayOf } from "@/lib/domain/time/day";
import { choice, text } from "@/lib/server/http/query";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";
import { readDaySums } from "@/lib/server/store/report/rolled-up-days";
import { reportTimeZone } from "./get-report";

const DAY_MS = 86_400_000;
const DAYS = { "90d": 90, "1y": 365 } as const;

type Runtime = HistoryRuntime & Parameters<typeof reportTimeZone>[0];

/**
 * The days of a company, of a partner or of an endpoint: `GET .../report/days?range&partner&endpoint`. They are kept
 * for good, so a year of them is there whatever the retention.
 * @throws Failure `invalid_request`
 */
export async function getReportDays(
  runtime: Runtime,
  { company, query }: { company: string; query: URLSearchParams },
): Promise<ReportDaysView> {
  const range = choice(query, "range", REPORT_RANGES) ?? "90d";
  const timeZone = reportTimeZone(runtime, company);
  const until = dayOf(runtime.clock.nowMs(), timeZone);
  const from = new Date(Date.parse(`${until}T00:00:00Z`) - (DAYS[range] - 1) * DAY_MS)
    .toISOString()
    .slice(0, 10);
  const wanted = { partnerName: text(query, "partner"), endpointId: text(query, "endpoint") };
  const sums = await readDaySums(runtime.database, company, wanted, [from, until]);
  return {
    range,
    from,
    until,
    days: sums.flatMap((sum): ReportDaysView["days"] => {
      const [onTime, overdue, plannedQuiet, notObserved] =
        percentShares([sum.onTimeMs, sum.overdueMs, sum.plannedQuietMs, sum.notObservedMs]) ?? [];
      return onTime === undefined
        ? []
        : [[sum.day, onTime, overdue ?? 0, plannedQuiet ?? 0, notObserved ?? 0, sum.worst]];
    }),
  };
}
