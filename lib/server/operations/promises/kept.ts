import type { KeptView } from "@/lib/contracts/promises";
import { countOutcomes } from "@/lib/domain/deadlines/kept";
import { daysOfMonth } from "@/lib/domain/report/month-report";
import { dayOf } from "@/lib/domain/time/day";
import type { PlainAnswer } from "@/lib/server/http/answer";
import { invalid, isUuid, text } from "@/lib/server/http/query";
import { matches } from "@/lib/server/http/ready-json";
import { reportTimeZone } from "@/lib/server/operations/report/get-report";
import type { Database } from "@/lib/server/store/database";
import { readKeptDays, readKeptMark } from "@/lib/server/store/deadlines/read-kept";
import { rowBudget } from "@/lib/server/store/most-rows";
import { keptDay } from "./promise-view";
import { BAD_MONTH, BAD_PROMISE } from "./words";

type Runtime = Parameters<typeof reportTimeZone>[0] & {
  database: Database;
  clock: { nowMs(): number };
};
type Asked = { company: string; query: URLSearchParams; ifNoneMatch: string | null };

/**
 * How promises were kept: `GET .../promises/kept?month=2026-10&promise&endpoint`; default: the current month in the
 * company's reporting zone, all promises and all feeds. Dates are those of each promise's own zone. Pages ask for it all
 * the time: unchanged days aren't read again.
 * @throws Failure `invalid_request`, also when there are more days than a request may read
 */
export async function getKept(
  runtime: Runtime,
  { company, query, ifNoneMatch }: Asked,
  budget = rowBudget(),
): Promise<PlainAnswer> {
  const zone = reportTimeZone(runtime, company);
  const month = text(query, "month") ?? dayOf(runtime.clock.nowMs(), zone).slice(0, 7);
  const days = daysOfMonth(month);
  const [first, last] = [days?.[0], days?.at(-1)];
  if (first === undefined || last === undefined) throw invalid("month", BAD_MONTH);
  const deadlineId = text(query, "promise");
  if (deadlineId !== null && !isUuid(deadlineId)) throw invalid("promise", BAD_PROMISE);
  const filter = {
    dates: [first, last] as const,
    deadlineId,
    endpointId: text(query, "endpoint"),
  };
  const { days: number, mark } = await readKeptMark(runtime.database, company, filter);
  const headers = {
    etag: `W/"${month}-${mark}"`,
    "cache-control": "private, no-cache",
    vary: "Cookie",
  };
  if (matches(ifNoneMatch, headers.etag)) return { status: 304, headers, body: null };
  budget.take(number);
  const rows = await readKeptDays(runtime.database, company, filter);
  const view: KeptView = {
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
  return {
    status: 200,
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(view),
  };
}
