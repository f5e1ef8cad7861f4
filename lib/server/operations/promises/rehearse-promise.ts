import { RehearsalRequest, type RehearsalView, type RehearsedDay } from "@/lib/contracts/promises";
import { deadlineDays, windowFromMs } from "@/lib/domain/deadlines/calendar";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import { includes } from "@/lib/domain/deadlines/holding";
import { closesFromMs } from "@/lib/domain/deadlines/outcome";
import { rehearsedWarningMs } from "@/lib/domain/deadlines/rehearsed-warning";
import { judgedFromMs, usualDurationMs } from "@/lib/domain/deadlines/risk";
import type { Stretch } from "@/lib/domain/history";
import { instantMs, isoOrNull } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { closeDays } from "@/lib/server/collector/deadlines/close-days";
import { invalid, notValid } from "@/lib/server/http/query";
import { apiNow, scopeOf } from "@/lib/server/operations/quiet/expectations";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { boundRows, MOST_ROWS, rowBudget } from "@/lib/server/store/most-rows";
import { readRunsAround } from "@/lib/server/store/deadlines/read-runs";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";
import { keptDay, ruleOf } from "./promise-view";
import { requireZone, type PromisesRuntime } from "./promises";
import { NOT_SET, tooLong } from "./words";

const MOST_DAYS = 92;

/**
 * How a promise would have been kept, by the record: `POST .../promises/rehearsal`. Only days that a snapshot has closed
 * are judged, and the promise alone, whatever others hold.
 * @throws Failure `invalid_request`, also when there are more days, over all feeds, and rows than a request may read
 */
export async function rehearsePromise(
  unbound: PromisesRuntime,
  { company, body }: { company: string; body: unknown },
  budget = rowBudget(),
): Promise<RehearsalView> {
  const parsed = RehearsalRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_SET);
  const { since, ...given } = parsed.data;
  requireZone(given.time_zone);
  const days = (Date.parse(given.until) - Date.parse(since)) / DAY_MS + 1;
  if (days > MOST_DAYS) throw invalid("until", tooLong(MOST_DAYS));
  const runtime = boundRows(unbound, budget);
  const { offsetMs, rows } = apiNow(runtime, company);
  const { partnerName, endpointId } = scopeOf(rows, given);
  const deadline: Deadline = {
    ...ruleOf({ ...given, from: since }),
    id: "",
    partner: endpointId === null ? partnerName : null,
    endpointId,
    madeMs: -Infinity,
    endedMs: null,
  };
  const endpoints = rows
    .map((row) => ({ id: row.id, partner: row.partner_name, key: row.endpoint_key }))
    .filter((endpoint) => includes(deadline, endpoint));
  const asOfMs = instantMs(syncStatusView(runtime, company).as_of);
  const checkedMs = asOfMs === null ? -Infinity : asOfMs + offsetMs;
  const dates = daysUntil(deadline, { since, until: given.until, checkedMs });
  budget.take(endpoints.length * dates.length);
  const gaps = await readGaps(runtime.database, company);
  const closed = await closeDays(runtime.database, company, {
    days: dates,
    deadlines: [deadline],
    endpoints,
    gaps,
    landings: [],
    facts: [],
    mostRows: MOST_ROWS + 1,
    isPast: true,
  });
  const warnings = await warningsOf(runtime.database, company, { closed, rows, gaps });
  const byEndpoint = new Map<string, RehearsedDay[]>(endpoints.map(({ id }) => [id, []]));
  for (const [at, { day, endpointId: id, ...judged }] of closed.entries()) {
    const warnedMs = warnings[at];
    byEndpoint.get(id)?.push({
      ...keptDay({ ...judged, date: day.date, dueMs: day.dueMs }),
      warned_at: isoOrNull(warnedMs ?? null),
      is_warning_known: warnedMs !== undefined,
    });
  }
  return {
    endpoints: endpoints.map(({ id, partner, key }) => ({
      endpoint_id: id,
      partner_name: partner,
      endpoint_key: key,
      days: byEndpoint.get(id) ?? [],
    })),
  };
}

/** When each day would have been warned of; see `rehearsedWarningMs`. Days that weren't judged have no warning. */
async function warningsOf(
  database: PromisesRuntime["database"],
  company: string,
  given: {
    closed: readonly ClosedDay[];
    rows: ReturnType<typeof apiNow>["rows"];
    gaps: readonly Stretch[];
  },
): Promise<(number | null | undefined)[]> {
  const isJudged = ({ outcome }: ClosedDay) => outcome === "met" || outcome === "missed";
  const opens = given.closed.map(({ day, cadenceMs }) => ({
    ...day,
    fromMs: windowFromMs(day, cadenceMs),
  }));
  const wanted = given.closed.flatMap((one, at) => {
    const open = opens[at];
    return open !== undefined && isJudged(one)
      ? { at, id: one.endpointId, fromMs: judgedFromMs(open), untilMs: open.limitMs }
      : [];
  });
  const runs = await readRunsAround(database, company, wanted);
  const rowOf = new Map(given.rows.map((row) => [row.id, row]));
  return given.closed.map((one, at) => {
    const [open, row] = [opens[at], rowOf.get(one.endpointId)];
    if (open === undefined || row === undefined || !isJudged(one)) return null;
    const overMs = one.outcome === "met" ? (one.receivedMs ?? open.limitMs) : open.limitMs;
    return rehearsedWarningMs(open, overMs, {
      status: row.status,
      cadenceMs: one.cadenceMs,
      usualMs: usualDurationMs(row, row.known),
      runs: runs.get(at) ?? [],
      gaps: given.gaps,
    });
  });
}

/** The rule's days in the period that a snapshot has closed. */
function daysUntil(
  deadline: Deadline,
  { since, until, checkedMs }: { since: string; until: string; checkedMs: number },
) {
  const [fromMs, untilMs] = [Date.parse(since) - 2 * DAY_MS, Date.parse(until) + 3 * DAY_MS];
  return deadlineDays(deadline, { fromMs, untilMs })
    .filter((day) => closesFromMs(day) <= checkedMs)
    .map((day) => ({ deadline, day }));
}
