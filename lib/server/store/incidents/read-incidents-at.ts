import { groupBy } from "@/lib/domain/collections/group-by";
import { and, asc, eq, gt, inArray, isNull, lte, or, sql, type SQL } from "drizzle-orm";
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

type IncidentAt = {
  row: IncidentRow;
  acts: IncidentEventRow[];
  leftMs: ReadonlyMap<string | null, number>;
};

/**
 * Incidents of some companies that were open at an instant, as far as was known then, with what people had done by then.
 * @param atMs epoch milliseconds on the APIs' clocks
 * @returns `acts`, in order and on our clock: acknowledgements and notes that the customer was told up to then or a few
 *   seconds later, and all changes of owner, because each names the owner before it. `leftMs`: when a check last saw an
 *   endpoint leave the incident, on its API's clock, by its id. `row` is as of now
 */
export async function readIncidentsAt(
  { orm }: Pick<Database, "orm">,
  companies: readonly string[],
  atMs: number,
  limit: number,
): Promise<IncidentAt[]> {
  const at = new Date(atMs);
  const wasOpen = and(
    isIn(companies),
    lte(incidents.openedAt, at),
    or(isNull(incidents.endedAt), gt(incidents.endedAt, at), wasConfirmedAfter(companies, atMs)),
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
          inArray(incidentEvents.kind, ["owned", "left"]),
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
  return rows.map(asRow).map((row) => {
    const all = byIncident.get(`${row.company} ${row.id}`) ?? [];
    const left = all.filter(({ kind }) => kind === "left");
    return {
      row,
      acts: all.filter(({ kind }) => kind !== "left"),
      leftMs: new Map(left.map(({ endpointId, at: leftAt }) => [endpointId, leftAt.getTime()])),
    };
  });
}

/** An end is dated by what brought it about, and confirmed later: until then, the incident was open. */
function wasConfirmedAfter(companies: readonly string[], atMs: number): SQL {
  return sql`(${incidents.company}, ${incidents.id}) in (
    select ended.company, ended.incident_id from incident_events ended
    where ended.kind = 'ended' and ended.company = any (${sql.param([...companies])}::text[])
      and ended.at > ${iso(atMs)}::timestamptz)`;
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
