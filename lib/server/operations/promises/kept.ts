import type { KeptView } from "@/lib/contracts/promises";
import { countOutcomes } from "@/lib/domain/deadlines/kept";
import { daysOfMonth } from "@/lib/domain/report/month-report";
import { dayOf } from "@/lib/domain/time/day";
import { invalid, text } from "@/lib/server/http/query";
import { reportTimeZone } from "@/lib/server/operations/report/get-report";
import { readKeptDays } from "@/lib/server/store/deadlines/read-kept";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { keptDay } from "./promise-view";
import { BAD_MONTH } from "./words";

type Runtime = Parameters<typeof reportTimeZone>[0] &
  Parameters<typeof boundRows>[0] & {
    clock: { nowMs(): number };
  };

/**
 * How promises were kept: `GET .../promises/kept?month=2026-10`; default: the current month in the company's reporting
 * zone. Dates are those of each promise's own zone.
 * @throws Failure `invalid_request`
 */
export async function getKept(
  runtime: Runtime,
  { company, query }: { company: string; query: URLSearchParams },
): Promise<KeptView> {
  const zone = reportTimeZone(runtime, company);
  const month = text(query, "month") ?? dayOf(runtime.clock.nowMs(), zone).slice(0, 7);
  const days = daysOfMonth(month);
  const [first, last] = [days?.[0], days?.at(-1)];
  if (first === undefined || last === undefined) throw invalid("month", BAD_MONTH);
  const { database } = boundRows(runtime, rowBudget());
  const rows = await readKeptDays(database, company, [first, last]);
  return {
    month,
    data: rows.map((row) => ({
      promise_id: row.deadlineId,
      endpoint_id: row.endpointId,
      partner_name: row.partnerName,
      endpoint_key: row.endpointKey,
      ...countOutcomes(row.days.map(({ outcome }) => outcome)),
      days: row.days.map(keptDay),
    })),
  };
}
