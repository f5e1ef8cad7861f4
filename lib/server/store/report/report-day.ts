import type { Period } from "@/lib/domain/history";
import { countedMs, dayTimes } from "@/lib/domain/report/day-times";
import type { EndpointDay } from "@/lib/domain/report/month-report";
import { mapSteps } from "@/lib/domain/steps";
import { inSlices } from "@/lib/server/slices";
import type { Database } from "@/lib/server/store/database";
import {
  observedFromMs,
  openRecordedRange,
  type HistoryRuntime,
  type RecordedRange,
} from "@/lib/server/store/history/open-record";
import { readAbsences, type RecordedEndpoint } from "@/lib/server/store/history/recorded-endpoints";
import { NO_RUNS, readRunsWithin, readSeenVerdicts, type SeenVerdicts } from "./seen-endpoints";

/** How long a day stays open after its end, for late runs to finish. Later information doesn't change it. */
export const CLOSES_AFTER_MS = 3_600_000;

/** Report row of one endpoint for one day, with its names at the time. */
export type ReportRow = EndpointDay & { id: string; endpointKey: string; partnerName: string };

/**
 * Start of the recorded verdicts of a company: the first verdict change on record or, if there is none, the
 * first sample. History dropped by retention isn't inferred.
 * @returns epoch milliseconds on the API clock; null: empty
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
 * How every endpoint's time was spent within a day or the elapsed part of it, from the record. Omits endpoints
 * that weren't listed.
 * @param endpoints all of the company's, including removed ones
 * @param recordFromMs nothing was observed before this
 * @param quietOf planned quiet times of an endpoint
 */
export async function readReportDay(
  runtime: HistoryRuntime,
  company: string,
  given: {
    within: Period;
    endpoints: readonly RecordedEndpoint[];
    recordFromMs: number;
    quietOf: (endpoint: RecordedEndpoint) => readonly Period[];
  },
): Promise<ReportRow[]> {
  const { database } = runtime;
  const { within, endpoints, recordFromMs, quietOf } = given;
  const recorded = await openRecordedRange(runtime, company, () => ({
    ...momentAt(within.fromMs),
    ...within,
  }));
  const ids = endpoints.map(({ id }) => id);
  const [seen, absences, runs] = await Promise.all([
    readSeenVerdicts(database, company, ids, within),
    readAbsences(database, company, ids, within),
    readRunsWithin(database, company, ids, within, within.untilMs + CLOSES_AFTER_MS),
  ]);
  const unobserved: Period[] = [
    ...recorded.gaps,
    { fromMs: Number.NEGATIVE_INFINITY, untilMs: recordFromMs },
  ];
  const rowOf = (endpoint: RecordedEndpoint): ReportRow | null => {
    const { id, endpointKey, partnerName } = endpoint;
    const own = seen.get(id);
    if (own === undefined) return null;
    const absent = [
      ...unlistedOf(recorded, endpoint, { own, recordFromMs }),
      ...(absences.get(id) ?? []),
    ];
    const times = dayTimes({ ...own, unobserved, absent, quiet: quietOf(endpoint) }, within);
    const wasThere = countedMs(times) + times.webhookMs + times.pausedMs > 0;
    return wasThere
      ? { id, endpointKey, partnerName, ...times, ...(runs.get(id) ?? NO_RUNS) }
      : null;
  };
  const rows = await inSlices(mapSteps(endpoints, rowOf));
  return rows.filter((row) => row !== null);
}

/**
 * When an endpoint wasn't listed yet, or no longer. Known from the changes of its verdict where they are on record: the
 * other times are on our clock, so that they shift when one of the clocks is set.
 */
function unlistedOf(
  recorded: RecordedRange,
  endpoint: RecordedEndpoint,
  { own, recordFromMs }: { own: SeenVerdicts; recordFromMs: number },
): Period[] {
  const { before, sinceMs, changes } = own;
  const [first] = changes;
  const isNew = before === null && first !== undefined;
  const listedMs = sinceMs ?? (isNew ? first.atMs : observedFromMs(recorded, endpoint));
  const unlisted: Period[] = [{ fromMs: recordFromMs, untilMs: listedMs }];
  const { removedMs } = endpoint;
  if (removedMs !== null && sinceMs === null && first === undefined)
    unlisted.push({ fromMs: removedMs + recorded.offsetMs, untilMs: Number.POSITIVE_INFINITY });
  return unlisted;
}

/** A minimal axis; only its start and end are used here. */
function momentAt(atMs: number) {
  return { fromMs: atMs, untilMs: atMs + 1, slotMs: 1, landingsMs: 1, callsMs: 1 };
}
