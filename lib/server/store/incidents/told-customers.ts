import { and, eq, lte, max, sql } from "drizzle-orm";
import type { Orm } from "@/lib/server/store/database";
import { areEventsOf } from "./read-incidents";
import { incidentEvents } from "@/lib/server/store/schema/incidents";

/** A note that the customer was told. `by`: the person's name then; `atMs`: epoch milliseconds on our clock. */
export type Told = { by: string | null; atMs: number };

/**
 * The last note of each incident that says that the customer was told.
 * @param incidents at most one per company
 * @param untilMs leaves out later ones; null: none
 * @returns by company; without those that no one told
 */
export async function readTold(
  orm: Orm,
  incidents: readonly { company: string; id: number }[],
  untilMs: number | null,
): Promise<Map<string, Told>> {
  if (incidents.length === 0) return new Map();
  const rows = await orm
    .select({
      company: incidentEvents.company,
      by: sql<
        string | null
      >`(array_agg(${incidentEvents.byName} order by ${incidentEvents.at} desc))[1]`,
      at: max(incidentEvents.at),
    })
    .from(incidentEvents)
    .where(
      and(
        areEventsOf(incidents),
        eq(incidentEvents.kind, "noted"),
        sql`${incidentEvents.detail} @> '{"told_customer": true}'`,
        untilMs === null ? undefined : lte(incidentEvents.at, new Date(untilMs)),
      ),
    )
    .groupBy(incidentEvents.company);
  return new Map(
    rows.flatMap(({ company, by, at }) =>
      at === null ? [] : [[company, { by, atMs: at.getTime() }] as const],
    ),
  );
}
