import type { Stretch } from "@/lib/domain/history";
import { countedMs, dayTimes } from "@/lib/domain/report/day-times";
import type { EndpointDay } from "@/lib/domain/report/month-report";
import type { Database } from "@/lib/server/store/database";
import {
  observedFromMs,
  openRecordedRange,
  type HistoryRuntime,
} from "@/lib/server/store/history/open-record";
import {
  readAbsences,
  readRecordedEndpoints,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";
import { NO_RUNS, readRunsWithin, readSeenVerdicts } from "./seen-endpoints";

/**
 * How long a day stays open after it has ended: runs that began late on it may still end. What is known later
 * changes it no more.
 */
export const CLOSES_AFTER_MS = 3_600_000;

/** What a day left of one endpoint, with the names that it had. */
export type ReportRow = EndpointDay & { id: string; endpointKey: string; partnerName: string };

/**
 * Since when the record of a company tells what its endpoints' verdicts were: the first one that is still on record,
 * or, where none ever changed, the first reading. What retention has dropped is not guessed.
 * @returns epoch milliseconds on the API's clock; null: it is empty
 */
export async function readRecordBegin(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<number | null> {
  const { rows } = await pool.query<{ change: Date | null; sample: Date | null }>(
    `select min(change.at) as change, min(sample.at) as sample
     from endpoints e
     left join lateral (
       select changed_at as at from verdict_changes
       where company = e.company and endpoint_id = e.endpoint_id
       order by changed_at limit 1
     ) change on true
     left join lateral (
       select sampled_at as at from call_samples
       where company = e.company and endpoint_id = e.endpoint_id
       order by sampled_at limit 1
     ) sample on true
     where e.company = $1`,
    [company],
  );
  return (rows[0]?.change ?? rows[0]?.sample)?.getTime() ?? null;
}

/**
 * What became of every endpoint's time within a day, or within what has passed of it, by the record. Endpoints that
 * were not there are left out.
 * @param recordFromMs before it nothing was observed
 * @param quietOf planned quiet times of an endpoint
 */
export async function readReportDay(
  runtime: HistoryRuntime,
  company: string,
  given: {
    within: Stretch;
    recordFromMs: number;
    quietOf: (endpoint: RecordedEndpoint) => readonly Stretch[];
  },
): Promise<ReportRow[]> {
  const { database } = runtime;
  const { within, recordFromMs, quietOf } = given;
  const recorded = await openRecordedRange(runtime, company, () => ({
    ...momentAt(within.fromMs),
    ...within,
  }));
  const endpoints = await readRecordedEndpoints(database, company, {});
  const ids = endpoints.map(({ id }) => id);
  const [seen, absences, runs] = await Promise.all([
    readSeenVerdicts(database, company, ids, within),
    readAbsences(database, company, ids, within),
    readRunsWithin(database, company, ids, within, within.untilMs + CLOSES_AFTER_MS),
  ]);
  const unobserved: Stretch[] = [
    ...recorded.gaps,
    { fromMs: Number.NEGATIVE_INFINITY, untilMs: recordFromMs },
  ];
  return endpoints.flatMap((endpoint) => {
    const { id, endpointKey, partnerName, removedMs } = endpoint;
    const own = seen.get(id);
    if (own === undefined) return [];
    const absent: Stretch[] = [
      { fromMs: recordFromMs, untilMs: observedFromMs(recorded, endpoint) },
      ...(absences.get(id) ?? []),
    ];
    if (removedMs !== null)
      absent.push({ fromMs: removedMs + recorded.offsetMs, untilMs: Number.POSITIVE_INFINITY });
    const times = dayTimes({ ...own, unobserved, absent, quiet: quietOf(endpoint) }, within);
    const wasThere = countedMs(times) + times.webhookMs + times.pausedMs > 0;
    return wasThere
      ? [{ id, endpointKey, partnerName, ...times, ...(runs.get(id) ?? NO_RUNS) }]
      : [];
  });
}

/** An axis as short as can be; only its begin and end are used here. */
function momentAt(atMs: number) {
  return { fromMs: atMs, untilMs: atMs + 1, slotMs: 1, landingsMs: 1, callsMs: 1 };
}
