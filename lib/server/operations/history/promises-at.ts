import type { RowPromise } from "@/lib/contracts/row-promise";
import { deadlineDay } from "@/lib/domain/deadlines/calendar";
import { currentDeadline } from "@/lib/domain/deadlines/current";
import type { DeadlineScope } from "@/lib/domain/deadlines/deadline";
import { planDeadlines, type PlannedDeadline } from "@/lib/domain/deadlines/plan";
import { dayOf } from "@/lib/domain/time/day";
import { instantMs } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { rowPromise } from "@/lib/server/collector/deadlines/watch-deadlines";
import { inSlices } from "@/lib/server/slices";
import type { Database } from "@/lib/server/store/database";
import { readChangedSince, readDeadlinesSince } from "@/lib/server/store/deadlines/read-deadlines";
import { readFacts } from "@/lib/server/store/deadlines/read-past";
import {
  readLastClosedAt,
  readRecordedDays,
  readRuled,
  type RecordedDay,
} from "@/lib/server/store/deadlines/read-kept";

/** A recorded endpoint. `landedAt`: its data received by then, ISO 8601; null: unknown. */
type EndpointThen = { id: string; partnerName: string; landedAt: string | null };

/**
 * What rows showed of promises at an instant, by id. Whether one was at risk isn't shown: earlier schedules aren't
 * recorded. Nor are earlier rules: of a promise that was changed since, those days are known that were closed before, or
 * were at risk then. Null: one was changed since, what it was then isn't known, and nothing else is known of that day.
 * @param atMs epoch milliseconds on the API's clock
 */
export async function promisesAt(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  endpoints: readonly EndpointThen[],
  atMs: number,
): Promise<Map<string, RowPromise | null>> {
  const read = await openPromisesAt(database, company, endpoints, atMs);
  return read(endpoints);
}

/**
 * Reads the promises of some endpoints at an instant, and which were changed since, without what each endpoint showed.
 * @param endpoints all that will be asked for
 * @returns reads `promisesAt` of some of them
 */
export async function openPromisesAt(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  endpoints: readonly Pick<EndpointThen, "id" | "partnerName">[],
  atMs: number,
): Promise<(some: readonly EndpointThen[]) => Promise<Map<string, RowPromise | null>>> {
  const all = await readDeadlinesSince(database, company, atMs);
  const isAmong = scopesOf(endpoints);
  const deadlines = all
    .filter(({ madeMs, ...scope }) => madeMs <= atMs && isAmong(scope))
    .map((deadline) => ({ ...deadline, endedMs: null }));
  if (deadlines.length === 0) return async () => new Map();
  const within = { fromMs: atMs, untilMs: atMs + 2 * DAY_MS };
  const plan = await inSlices(planDeadlines(deadlines, within));
  const changed = await readChangedSince(database, company, atMs);

  return async (some) => {
    const ids = some.map(({ id }) => id);
    const facts = await readFacts(database, company, ids, { fromMs: atMs, untilMs: atMs + 1 });
    const last = await readLastClosedAt(database, company, ids, atMs);
    const recorded =
      changed.size === 0
        ? new Map<string, RecordedDay[]>()
        : await readRecordedDays(database, company, ids, { atMs, changed });
    const ruled = await readRuled(database, company, ids, { atMs, changed });
    const found = new Map<string, RowPromise | null>();
    for (const { id, partnerName, landedAt } of some) {
      const known = facts.get(id)?.(atMs) ?? null;
      if (known === null) continue;
      const now = plan.of({ id, partner: partnerName });
      const planned = daysThen(now, recorded.get(id) ?? [], { atMs, changed });
      const unknown = planned.filter(
        ({ deadline, days }) =>
          changed.has(deadline.id) && days.length === 0 && !ruled.has(deadline.id),
      );
      const current = currentDeadline(
        { landedMs: instantMs(landedAt), facts: known, risk: null, quiet: [] },
        planned,
        { last: last.get(id) ?? null, before: null, nowMs: atMs },
      );
      // How an earlier day ended says nothing of one that may have been open.
      const isEarlier = (date: string) =>
        date === last.get(id)?.date &&
        unknown.some(({ deadline }) => date < dayOf(atMs, deadline.timeZone));
      if (current !== null && !isEarlier(current.date)) found.set(id, rowPromise(current));
      else if (unknown.length > 0) found.set(id, null);
    }
    return found;
  };
}

/** Those that were changed since have the days that they are known to have had, whatever their rules are now. */
function daysThen(
  planned: readonly PlannedDeadline[],
  recorded: readonly RecordedDay[],
  { atMs, changed }: { atMs: number; changed: ReadonlyMap<string, number> },
): readonly PlannedDeadline[] {
  return planned.map((one) => {
    const { deadline } = one;
    if (!changed.has(deadline.id)) return one;
    const days = recorded.flatMap(({ deadlineId, rule, date, dueMs, limitMs }) => {
      if (deadlineId !== deadline.id) return [];
      const begun = { date, dueMs, limitMs, startMs: atMs, isStartGiven: true };
      return (rule === null ? null : deadlineDay({ ...rule, holidays: [] }, date)) ?? begun;
    });
    return { deadline, days };
  });
}

/** Whether a scope includes one of the endpoints. */
function scopesOf(
  endpoints: readonly Pick<EndpointThen, "id" | "partnerName">[],
): (scope: DeadlineScope) => boolean {
  const ids = new Set(endpoints.map(({ id }) => id));
  const partners = new Set(endpoints.map(({ partnerName }) => partnerName));
  return ({ partner, endpointId }) =>
    endpointId === null ? partner === null || partners.has(partner) : ids.has(endpointId);
}
