import type { RowPromise } from "@/lib/contracts/row-promise";
import { currentDeadline } from "@/lib/domain/deadlines/current";
import type { DeadlineScope } from "@/lib/domain/deadlines/deadline";
import { planDeadlines } from "@/lib/domain/deadlines/plan";
import { instantMs } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { rowPromise } from "@/lib/server/collector/deadlines/watch-deadlines";
import type { Database } from "@/lib/server/store/database";
import { readChangedSince, readDeadlinesSince } from "@/lib/server/store/deadlines/read-deadlines";
import { readFacts } from "@/lib/server/store/deadlines/read-past";
import { readLastClosedAt } from "@/lib/server/store/deadlines/read-kept";

/** A recorded endpoint. `landedAt`: its data received by then, ISO 8601; null: unknown. */
type EndpointThen = { id: string; partnerName: string; landedAt: string | null };

/**
 * What rows showed of promises at an instant, by id. Whether one was at risk isn't known: earlier schedules aren't
 * recorded. Nor are earlier rules: of feeds with a promise that was changed since, only closed days are known.
 * @param atMs epoch milliseconds on the API's clock
 */
export async function promisesAt(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  endpoints: readonly EndpointThen[],
  atMs: number,
): Promise<Map<string, RowPromise>> {
  const ids = endpoints.map(({ id }) => id);
  const all = await readDeadlinesSince(database, company, atMs);
  const isAmong = scopesOf(endpoints);
  const deadlines = all
    .filter(({ madeMs, ...scope }) => madeMs <= atMs && isAmong(scope))
    .map((deadline) => ({ ...deadline, endedMs: null }));
  const found = new Map<string, RowPromise>();
  if (deadlines.length === 0) return found;
  const plan = planDeadlines(deadlines, { fromMs: atMs, untilMs: atMs + 2 * DAY_MS });
  const changed = await readChangedSince(database, company, atMs);
  const facts = await readFacts(database, company, ids, { fromMs: atMs, untilMs: atMs + 1 });
  const last = await readLastClosedAt(database, company, ids, atMs);
  for (const { id, partnerName, landedAt } of endpoints) {
    const known = facts.get(id)?.(atMs) ?? null;
    if (known === null) continue;
    const planned = plan.of({ id, partner: partnerName });
    const isChanged = planned.some(({ deadline }) => changed.has(deadline.id));
    const current = currentDeadline(
      { landedMs: instantMs(landedAt), facts: known, risk: null, quiet: [] },
      isChanged ? planned.map(({ deadline }) => ({ deadline, days: [] })) : planned,
      { last: last.get(id) ?? null, before: null, nowMs: atMs },
    );
    if (current !== null) found.set(id, rowPromise(current));
  }
  return found;
}

/** Whether a scope includes one of the endpoints. */
function scopesOf(endpoints: readonly EndpointThen[]): (scope: DeadlineScope) => boolean {
  const ids = new Set(endpoints.map(({ id }) => id));
  const partners = new Set(endpoints.map(({ partnerName }) => partnerName));
  return ({ partner, endpointId }) =>
    endpointId === null ? partner === null || partners.has(partner) : ids.has(endpointId);
}
