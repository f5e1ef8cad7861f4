import type { RowPromise } from "@/lib/contracts/row-promise";
import { currentDeadline } from "@/lib/domain/deadlines/current";
import { planDeadlines } from "@/lib/domain/deadlines/plan";
import { instantMs } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { rowPromise } from "@/lib/server/collector/deadlines/watch-deadlines";
import type { Database } from "@/lib/server/store/database";
import { readDeadlinesSince } from "@/lib/server/store/deadlines/read-deadlines";
import { readFacts } from "@/lib/server/store/deadlines/read-past";
import { readLastClosedAt } from "@/lib/server/store/deadlines/read-kept";

/** A recorded endpoint. `landedAt`: its data received by then, ISO 8601; null: unknown. */
type EndpointThen = { id: string; partnerName: string; landedAt: string | null };

/**
 * What rows showed of promises at an instant, by id. Whether one was at risk isn't known: earlier schedules aren't
 * recorded.
 * @param atMs epoch milliseconds on the API's clock
 */
export async function promisesAt(
  database: Pick<Database, "orm" | "pool">,
  company: string,
  endpoints: readonly EndpointThen[],
  atMs: number,
): Promise<Map<string, RowPromise>> {
  const all = await readDeadlinesSince(database, company, atMs);
  const deadlines = all
    .filter(({ madeMs }) => madeMs <= atMs)
    .map((deadline) => ({ ...deadline, endedMs: null }));
  const found = new Map<string, RowPromise>();
  if (deadlines.length === 0) return found;
  const plan = planDeadlines(deadlines, { fromMs: atMs - 2 * DAY_MS, untilMs: atMs + 2 * DAY_MS });
  const ids = endpoints.map(({ id }) => id);
  const facts = await readFacts(database, company, ids, { fromMs: atMs, untilMs: atMs + 1 });
  const last = await readLastClosedAt(database, company, ids, atMs);
  for (const { id, partnerName, landedAt } of endpoints) {
    const known = facts.get(id)?.(atMs) ?? null;
    if (known === null) continue;
    const current = currentDeadline(
      { landedMs: instantMs(landedAt), facts: known, risk: null, quiet: [] },
      plan.of({ id, partner: partnerName }),
      { last: last.get(id) ?? null, before: null, nowMs: atMs },
    );
    if (current !== null) found.set(id, rowPromise(current));
  }
  return found;
}
