import { RehearsalRequest, type RehearsalView, type RehearsedDay } from "@/lib/contracts/promises";
import { deadlineDays, windowFromMs } from "@/lib/domain/deadlines/calendar";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import { ruleOf } from "@/lib/domain/deadlines/entered-rule";
import { closesFromMs } from "@/lib/domain/deadlines/outcome";
import { rehearsedWarningMs } from "@/lib/domain/deadlines/rehearsed-warning";
import { judgedFromMs, usualDurationMs } from "@/lib/domain/deadlines/risk";
import { mergePeriods, type Period } from "@/lib/domain/history";
import { concerns } from "@/lib/domain/quiet/concerns";
import { mapSteps } from "@/lib/domain/steps";
import { instantMs, isoOrNull } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { closeDays } from "@/lib/server/collector/deadlines/close-days";
import { invalid, notValid } from "@/lib/server/http/query";
import { inSlices } from "@/lib/server/slices";
import { apiNow, scopeOf } from "@/lib/server/operations/quiet/expectations";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { boundRows, MAX_ROWS, rowBudget } from "@/lib/server/store/most-rows";
import { readRunsAround } from "@/lib/server/store/deadlines/read-runs";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";
import { keptDay } from "./promise-view";
import { requireZone, type PromisesRuntime } from "./promises";
import { BEFORE_SINCE, NOT_SET, tooLong } from "./words";

const MAX_DAYS = 92;

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
  budget.take(endpoints.length * dates.length);
  const gaps = await readGaps(runtime.database, company);
  const closed = await closeDays(runtime.database, company, {
    days: dates,
    deadlines: [deadline],
    endpoints,
    gaps,
    landings: [],
    facts: [],
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
  const runs = await readRunsAround(database, company, wanted, given.mostRuns);
  if (runs === null) return opens.map((open) => (open === null ? null : undefined));
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
