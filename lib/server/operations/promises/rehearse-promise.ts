import { Failure } from "@/lib/contracts/failure";
import { RehearsalRequest, type RehearsalView, type RehearsedDay } from "@/lib/contracts/promises";
import { deadlineDays, windowFromMs } from "@/lib/domain/deadlines/calendar";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import { ruleOf } from "@/lib/domain/deadlines/entered-rule";
import { closesFromMs } from "@/lib/domain/deadlines/outcome";
import { rehearsedWarningMs, type PastRun } from "@/lib/domain/deadlines/rehearsed-warning";
import { judgedFromMs, usualDurationMs } from "@/lib/domain/deadlines/risk";
import { mergePeriods, type Period } from "@/lib/domain/history";
import { concerns } from "@/lib/domain/quiet/concerns";
import { eachStep, mapSteps } from "@/lib/domain/steps";
import { instantMs, isoOrNull } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { closeDays, type DayToClose } from "@/lib/server/collector/deadlines/close-days";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { longJsonResponse } from "@/lib/server/http/long-json";
import { invalid, notValid } from "@/lib/server/http/query";
import { inSlices } from "@/lib/server/slices";
import { apiNow, scopeOf } from "@/lib/server/operations/quiet/expectations";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { batches } from "@/lib/server/store/batches";
import { boundRows, MAX_ROWS, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { countLandings } from "@/lib/server/store/deadlines/read-past";
import { readRunsAround } from "@/lib/server/store/deadlines/read-runs";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";
import { keptDay } from "./promise-view";
import { requireZone, type PromisesRuntime } from "./promises";
import { BEFORE_SINCE, tooLong, tooMuchHistory } from "./words";

const MAX_DAYS = 92;

/**
 * How a promise would have been kept, by the record: `POST .../promises/rehearsal`. Only days that a snapshot has closed
 * are judged, and the promise alone, whatever others hold.
 * @throws Failure `invalid_request`, also when there are more days, over all feeds, and rows than a request may read; it
 * says how many days may be
 */
export async function rehearsePromise(
  unbound: PromisesRuntime,
  { company, body }: { company: string; body: unknown },
  budget = rowBudget(),
): Promise<RehearsalView> {
  const parsed = RehearsalRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { since, ...given } = parsed.data;
  requireZone(given.time_zone);
  const days = daysOf(since, given.until);
  if (days < 1) throw invalid("until", BEFORE_SINCE);
  if (days > MAX_DAYS) throw invalid("until", tooLong(MAX_DAYS));
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
    .filter((endpoint) => concerns(deadline, endpoint));
  const asOfMs = instantMs(syncStatusView(runtime, company).as_of);
  const checkedMs = asOfMs === null ? -Infinity : asOfMs + offsetMs;
  const dates = daysUntil(deadline, { since, until: given.until, checkedMs });
  const gaps = await readGaps(runtime.database, company);
  await requireFew(unbound.database, company, { endpoints, dates, until: given.until, budget });
  budget.take(endpoints.length * dates.length);
  const closed = await closeDays(runtime.database, company, {
    days: dates,
    deadlines: [deadline],
    endpoints,
    gaps,
    snapshot: null,
    mostRows: MAX_ROWS + 1,
    isPast: true,
  });
  // Not bound: a rehearsal whose runs are too many is worth having without warnings.
  const warnings = await warningsOf(unbound.database, company, {
    closed,
    rows,
    gaps,
    mostRuns: budget.left,
  });
  const byEndpoint = new Map<string, RehearsedDay[]>(endpoints.map(({ id }) => [id, []]));
  await inSlices(
    eachStep(closed.entries(), ([at, { day, endpointId: id, ...judged }]) => {
      const warnedMs = warnings[at];
      byEndpoint.get(id)?.push({
        ...keptDay({ ...judged, date: day.date, dueMs: day.dueMs }),
        warned_at: isoOrNull(warnedMs ?? null),
        is_warning_known: warnedMs !== undefined,
      });
    }),
  );
  return {
    endpoints: endpoints.map(({ id, partner, key }) => ({
      endpoint_id: id,
      partner_name: partner,
      endpoint_key: key,
      days: byEndpoint.get(id) ?? [],
    })),
  };
}

/** The same as a response. @throws Failure as `rehearsePromise` */
export async function answerRehearsal(
  runtime: PromisesRuntime,
  given: { company: string; body: unknown },
): Promise<PlainResponse> {
  return longJsonResponse(await rehearsePromise(runtime, given), "endpoints", "days");
}

/** For each feed, beside its days and what arrived in between: its facts, and data before and after the days. */
const ROWS_PER_FEED = 3;

/**
 * Refuses days that can't be read, before anything is.
 * @param given.dates ascending; `until`: the last day that was asked for
 * @throws Failure `invalid_request` saying how many days up to the last can be
 */
async function requireFew(
  database: PromisesRuntime["database"],
  company: string,
  {
    endpoints,
    dates,
    until,
    budget,
  }: {
    endpoints: readonly { id: string }[];
    dates: readonly DayToClose[];
    until: string;
    budget: Pick<RowBudget, "left">;
  },
): Promise<void> {
  const ids = endpoints.map(({ id }) => id);
  const most = budget.left;
  const [first, last] = [dates[0]?.day, dates.at(-1)?.day];
  if (first === undefined || last === undefined) return;
  const landingsFrom = (fromMs: number) =>
    countLandings(database, company, ids, { fromMs, untilMs: closesFromMs(last) }, most + 1);
  const days = ids.length * dates.length;
  // Windows may begin as late as the data is due.
  if (days <= most && days + (await landingsFrom(first.dueMs)) <= most) return;
  let [possible, tooMany] = [0, dates.length];
  while (tooMany - possible > 1) {
    const amount = Math.floor((possible + tooMany) / 2);
    const from = dates.at(-amount)?.day.startMs ?? first.startMs;
    const known = ids.length * (amount + ROWS_PER_FEED);
    if (known <= most && known + (await landingsFrom(from)) <= most) possible = amount;
    else tooMany = amount;
  }
  const since = possible === 0 ? undefined : dates.at(-possible)?.day.date;
  throw new Failure(
    "invalid_request",
    tooMuchHistory({ feeds: ids.length, days: since === undefined ? 0 : daysOf(since, until) }),
  );
}

/** The number of days from one date to another, with both. */
const daysOf = (since: string, until: string) =>
  (Date.parse(until) - Date.parse(since)) / DAY_MS + 1;

/** Days whose runs are read at once: more would keep other requests waiting. */
const RUNS_AT_ONCE = 1_000;

/**
 * When each day would have been warned of; see `rehearsedWarningMs`. Days that weren't judged have no warning.
 * @param given.mostRuns with more than this, none is known
 */
async function warningsOf(
  database: PromisesRuntime["database"],
  company: string,
  given: {
    closed: readonly ClosedDay[];
    rows: ReturnType<typeof apiNow>["rows"];
    gaps: readonly Period[];
    mostRuns: number;
  },
): Promise<(number | null | undefined)[]> {
  const opens = await inSlices(
    mapSteps(given.closed, ({ day, outcome, ...pace }) =>
      outcome === "met" || outcome === "missed"
        ? { ...day, fromMs: windowFromMs(day, pace) }
        : null,
    ),
  );
  const wanted = given.closed.flatMap(({ endpointId: id }, at) => {
    const open = opens[at] ?? null;
    return open === null ? [] : [{ at, id, fromMs: judgedFromMs(open), untilMs: open.dueMs }];
  });
  const [first] = wanted;
  if (first === undefined) return opens.map(() => null);
  const runs = new Map<number, PastRun[]>();
  let left = given.mostRuns;
  for (const some of batches(wanted, RUNS_AT_ONCE)) {
    const read = await readRunsAround(database, company, some, left);
    if (read === null) return opens.map((open) => (open === null ? null : undefined));
    for (const [at, ofDay] of read) {
      runs.set(at, ofDay);
      left -= ofDay.length;
    }
  }
  const usual = new Map(given.rows.map((row) => [row.id, usualDurationMs(row, row.known)]));
  const within = wanted.reduce<Period>(
    (all, { fromMs, untilMs }) => ({
      fromMs: Math.min(all.fromMs, fromMs),
      untilMs: Math.max(all.untilMs, untilMs),
    }),
    first,
  );
  const gaps = mergePeriods(given.gaps, within);
  return inSlices(
    mapSteps(
      given.closed.entries(),
      ([at, { endpointId, receivedMs, status, cadenceMs, outcome }]) => {
        const open = opens[at] ?? null;
        if (open === null) return null;
        const fromMs = judgedFromMs(open);
        return rehearsedWarningMs(open, outcome === "met" ? (receivedMs ?? Infinity) : Infinity, {
          status,
          cadenceMs,
          usualMs: usual.get(endpointId) ?? null,
          runs: runs.get(at) ?? [],
          gaps: gaps.filter((gap) => gap.fromMs < open.dueMs && gap.untilMs > fromMs),
        });
      },
    ),
  );
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
