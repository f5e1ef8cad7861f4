import { groupBy } from "@/lib/domain/collections/group-by";
import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";
import { incidentEvents, incidents } from "@/lib/server/store/schema/incidents";
import { companyState } from "@/lib/server/store/schema/record";
import {
  asRow,
  isIn,
  selected,
  TOLD,
  type IncidentEventRow,
  type IncidentRow,
} from "./read-incidents";

/**
 * Incidents of some companies that were open at an instant, with what people had done by then.
 * @param atMs epoch milliseconds on the APIs' clocks
 * @returns `acts`, in order and on our clock: acknowledgements and notes that the customer was told up to then or a few
 *   seconds later, and all changes of owner, because each names the owner before it. `row` is as of now
 */
export async function readIncidentsAt(
  { orm }: Pick<Database, "orm">,
  companies: readonly string[],
  atMs: number,
  limit: number,
): Promise<{ row: IncidentRow; acts: IncidentEventRow[] }[]> {
  const at = new Date(atMs);
  const wasOpen = and(
    isIn(companies),
    lte(incidents.openedAt, at),
    or(isNull(incidents.endedAt), gt(incidents.endedAt, at)),
  );
  const rows = await selected(orm)
    .where(wasOpen)
    .orderBy(incidents.company, incidents.id)
    .limit(limit);
  const acts = await orm
    .select({ event: incidentEvents })
    .from(incidentEvents)
    .innerJoin(
      incidents,
      and(
        eq(incidents.company, incidentEvents.company),
        eq(incidents.id, incidentEvents.incidentId),
      ),
    )
    .leftJoin(companyState, eq(companyState.company, incidentEvents.company))
    .where(
      and(
        wasOpen,
        sql`${incidentEvents.company} = any (${sql.param([...companies])}::text[])`,
        or(
          eq(incidentEvents.kind, "owned"),
          and(
            or(inArray(incidentEvents.kind, ["acknowledged", "unacknowledged"]), TOLD),
            sql`${incidentEvents.at} <= ${iso(atMs)}::timestamptz
              - make_interval(secs => coalesce(${companyState.apiClockOffsetMs}, 0) / 1000 - 10)`,
          ),
        ),
      ),
    )
    .orderBy(asc(incidentEvents.company), asc(incidentEvents.incidentId), asc(incidentEvents.seq))
    .limit(limit);
  const events = acts.map(({ event }) => event);
  const byIncident = groupBy(events, ({ company, incidentId }) => `${company} ${incidentId}`);
  return rows.map(asRow).map((row) => ({
    row,
    acts: byIncident.get(`${row.company} ${row.id}`) ?? [],
  }));
}

/**
 * Incidents of some companies that opened after an instant, although their trouble had begun by then. As of now.
 * @param atMs epoch milliseconds on the APIs' clocks
 */
export async function readIncidentsBegunBy(
  { orm }: Pick<Database, "orm">,
  companies: readonly string[],
  atMs: number,
  limit: number,
): Promise<IncidentRow[]> {
  const at = new Date(atMs);
  const rows = await selected(orm)
    .where(and(isIn(companies), lte(incidents.beganAt, at), gt(incidents.openedAt, at)))
    .orderBy(incidents.company, incidents.id)
    .limit(limit);
  return rows.map(asRow);
}
