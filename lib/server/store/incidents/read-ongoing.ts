import { groupBy } from "@/lib/domain/collections/group-by";
import { and, asc, gt, isNull, sql } from "drizzle-orm";
import type { Suspect } from "@/lib/domain/incidents/incident";
import type { Database } from "@/lib/server/store/database";
import { readFleetsOf } from "@/lib/server/store/fleet-incidents/read-fleet-incidents";
import { readGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { readOpenExpectations, type ExpectationRow } from "@/lib/server/store/quiet/planned-quiet";
import { incidents, incidentStates } from "@/lib/server/store/schema/incidents";
import { DAY_MS } from "@/lib/domain/time/units";
import { carersIn, readCareOf, type CareRow } from "./incident-acts";
import { asRow, isIn, selected, WORST_FIRST, type IncidentRow } from "./read-incidents";

/** What is going on at a company, besides its snapshot: plain JSON values and dates. */
export type Ongoing = {
  /** Open incidents, worst first. */
  incidents: readonly IncidentRow[];
  /** Open fleet incidents that they are in, by the incident's number. */
  fleets: Readonly<Record<number, string>>;
  /** Number of incidents that ended in the seven days before it was read. */
  endedLately: number;
  /** Endpoints in trouble that aren't members of an incident yet, by id. */
  suspects: Readonly<Record<string, Suspect>>;
  /** Quiet times that aren't over, by start; some that have just ended. */
  quiet: readonly ExpectationRow[];
  /** Null: none set. */
  care: CareRow | null;
  /** Its owner and stand-ins, with their permissions. */
  people: readonly Grantee[];
};

/**
 * Reads what is going on at some companies, in a few statements for any number of them.
 * @param quietFromMs omits quiet times that were over then, epoch milliseconds on the APIs' clocks
 * @param nowMs our clock, epoch milliseconds
 * @returns an entry for every company
 */
export async function readOngoing(
  { orm }: Pick<Database, "orm">,
  companies: readonly string[],
  { quietFromMs, nowMs }: { quietFromMs: number; nowMs: number },
): Promise<Map<string, Ongoing>> {
  const [open, ended, states, quiet, cares, fleets] = await Promise.all([
    selected(orm)
      .where(and(isIn(companies), isNull(incidents.endedAt)))
      .orderBy(...WORST_FIRST),
    orm
      .select({ company: incidents.company, amount: sql<number>`count(*)::int` })
      .from(incidents)
      .where(and(isIn(companies), gt(incidents.endedAt, new Date(nowMs - 7 * DAY_MS))))
      .groupBy(incidents.company),
    orm
      .select({ company: incidentStates.company, suspects: incidentStates.suspects })
      .from(incidentStates)
      .where(sql`${incidentStates.company} = any (${sql.param([...companies])}::text[])`)
      .orderBy(asc(incidentStates.company)),
    readOpenExpectations(orm, companies, quietFromMs),
    readCareOf(orm, companies),
    readFleetsOf(orm, companies),
  ]);
  const ids = cares.flatMap(carersIn);
  const people = ids.length === 0 ? [] : await readGrantees(orm, [...new Set(ids)]);
  const openBy = byCompany(open.map(asRow));
  const endedBy = new Map(ended.map(({ company, amount }) => [company, amount]));
  const suspectsBy = new Map(states.map(({ company, suspects }) => [company, suspects]));
  const quietBy = byCompany(quiet);
  const careBy = new Map(cares.map(({ company, ...care }) => [company, care]));
  return new Map(
    companies.map((company) => {
      const care = careBy.get(company) ?? null;
      return [
        company,
        {
          incidents: openBy.get(company) ?? [],
          fleets: fleets.get(company) ?? {},
          endedLately: endedBy.get(company) ?? 0,
          suspects: suspectsBy.get(company) ?? {},
          quiet: quietBy.get(company) ?? [],
          care,
          people: people.filter(({ id }) => care !== null && carersIn(care).includes(id)),
        },
      ];
    }),
  );
}

function byCompany<R extends { company: string }>(rows: readonly R[]): Map<string, R[]> {
  return groupBy(rows, ({ company }) => company);
}
