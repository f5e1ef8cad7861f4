import type { KeptPerPromiseView, KeptView } from "@/lib/contracts/promises";
import { countOutcomes } from "@/lib/domain/deadlines/kept";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { choice, invalid, isUuid, text } from "@/lib/server/http/query";
import { matches } from "@/lib/server/http/ready-json";
import { reportTimeZone, requestedMonth } from "@/lib/server/operations/report/get-report";
import type { Database } from "@/lib/server/store/database";
import {
  readKeptByDeadline,
  readKeptDays,
  readKeptMark,
  type KeptFilter,
} from "@/lib/server/store/deadlines/read-kept";
import { rowBudget } from "@/lib/server/store/most-rows";
import { keptDay } from "./promise-view";
import { BAD_PROMISE } from "./words";

type Runtime = Parameters<typeof reportTimeZone>[0] & {
  database: Database;
  clock: { nowMs(): number };
};
type Asked = { company: string; query: URLSearchParams; ifNoneMatch: string | null };

/**
 * How promises were kept: `GET .../promises/kept?month=2026-10&promise&endpoint&per`; default: the current month in
 * the company's reporting zone, all promises and all feeds, per feed. Dates are those of each promise's own zone. Pages ask for it all
 * the time: unchanged days aren't read again.
 * @throws Failure `invalid_request`, also when there are more days than a request may read
 */
export async function getKept(
  runtime: Runtime,
  { company, query, ifNoneMatch }: Asked,
  budget = rowBudget(),
): Promise<PlainResponse> {
  const zone = reportTimeZone(runtime, company);
  const { month, days } = requestedMonth(query, runtime.clock.nowMs(), zone);
  const deadlineId = text(query, "promise");
  if (deadlineId !== null && !isUuid(deadlineId)) throw invalid("promise", BAD_PROMISE);
  const per = choice(query, "per", ["feed", "promise"]) ?? "feed";
  const filter = {
    dates: [days[0] ?? "", days.at(-1) ?? ""] as const,
    deadlineId,
    endpointId: text(query, "endpoint"),
  };
  const { days: number, mark } = await readKeptMark(runtime.database, company, filter);
  const headers = {
    etag: `W/"${month}-${per}-${mark}"`,
    "cache-control": "private, no-cache",
    vary: "Cookie",
  };
  if (matches(ifNoneMatch, headers.etag)) return { status: 304, headers, body: null };
  if (per === "feed") budget.take(number);
  const read = per === "feed" ? keptPerFeed : keptPerPromise;
  const data = await read(runtime.database, company, filter);
  return {
    status: 200,
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ month, data }),
  };
}

async function keptPerFeed(
  database: Pick<Database, "pool">,
  company: string,
  filter: KeptFilter,
): Promise<KeptView["data"]> {
  const rows = await readKeptDays(database, company, filter);
  return rows.map((row) => ({
    promise_id: row.deadlineId,
    endpoint_id: row.endpointId,
    partner_name: row.partnerName,
    endpoint_key: row.endpointKey,
    ...countOutcomes(row.days.map(({ outcome }) => outcome)),
    days: row.days.map(keptDay),
  }));
}

/** At most a day of each promise and date, however many feeds it has. */
async function keptPerPromise(
  database: Pick<Database, "pool">,
  company: string,
  filter: KeptFilter,
): Promise<KeptPerPromiseView["data"]> {
  const rows = await readKeptByDeadline(database, company, filter);
  return rows.map(({ deadlineId, counts, days }) => ({
    promise_id: deadlineId,
    ...counts,
    days: days.map(({ date, outcome, lateSeconds, isAtMost }) => ({
      date,
      outcome,
      late_seconds: lateSeconds,
      late_at_most: isAtMost,
    })),
  }));
}
