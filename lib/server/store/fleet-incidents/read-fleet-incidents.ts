import { isWhollyResting } from "@/lib/domain/incidents/incident";
import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import {
  MIN_VISIBLE,
  type FleetTruth,
  type MemberIncident,
} from "@/lib/domain/fleet-incidents/visible";
import { totalOf, type Part } from "@/lib/server/store/counted-page";
import type { Orm } from "@/lib/server/store/database";
import { areEventsOf, type IncidentEventRow } from "@/lib/server/store/incidents/read-incidents";
import { fleetIncidents, fleetMembers } from "@/lib/server/store/schema/fleet-incidents";
import { incidentEvents, incidents } from "@/lib/server/store/schema/incidents";

/** A fleet incident with the incidents of visible companies. */
export type FleetRow = { id: string; truth: FleetTruth; members: MemberIncident[] };

/** SQL: whether a member is of one of these companies. */
const isOf = (companies: readonly string[]) =>
  sql`${fleetMembers.company} = any (${sql.param([...companies])}::text[])`;

const membersOf = (orm: Orm) =>
  orm
    .select({ fleet: fleetIncidents, member: fleetMembers, incident: incidents })
    .from(fleetIncidents)
    .innerJoin(fleetMembers, eq(fleetMembers.fleetId, fleetIncidents.id))
    .innerJoin(
      incidents,
      and(eq(incidents.company, fleetMembers.company), eq(incidents.id, fleetMembers.incidentId)),
    );

/**
 * A fleet incident.
 * @param companies those that are visible; nothing of others is read
 * @returns null: unknown, or none of its companies is visible
 */
export async function readFleetIncident(
  orm: Orm,
  id: string,
  companies: readonly string[],
): Promise<FleetRow | null> {
  const rows = await membersOf(orm)
    .where(and(eq(fleetIncidents.id, id), isOf(companies)))
    .orderBy(asc(fleetMembers.company), asc(fleetMembers.incidentId));
  return grouped(rows)[0] ?? null;
}

/**
 * The fleet incident of a partner that was open at an instant.
 * @param partner see `partnerKey`
 * @param atMs epoch milliseconds; null: now
 */
export async function readPartnerFleet(
  orm: Orm,
  partner: string,
  companies: readonly string[],
  atMs: number | null,
): Promise<FleetRow | null> {
  const at = atMs === null ? null : sql`${new Date(atMs).toISOString()}::timestamptz`;
  const wasOpen =
    at === null
      ? sql`${fleetIncidents.closedAt} is null`
      : sql`${fleetIncidents.openedAt} <= ${at} and (${fleetIncidents.closedAt} is null or ${fleetIncidents.closedAt} > ${at})`;
  const rows = await membersOf(orm)
    .where(and(eq(fleetIncidents.partner, partner), wasOpen, isOf(companies)))
    .orderBy(asc(fleetMembers.company), asc(fleetMembers.incidentId));
  return grouped(rows)[0] ?? null;
}

/**
 * The open fleet incidents that incidents of some companies are in, by company and incident.
 * @param atMs as of then, epoch milliseconds; null: now
 */
export async function readFleetsOf(
  orm: Orm,
  companies: readonly string[],
  atMs: number | null = null,
): Promise<Map<string, Record<number, string>>> {
  const at = atMs === null ? null : new Date(atMs);
  const rows = await orm
    .select({
      company: fleetMembers.company,
      incidentId: fleetMembers.incidentId,
      fleetId: fleetMembers.fleetId,
    })
    .from(fleetIncidents)
    .innerJoin(fleetMembers, eq(fleetMembers.fleetId, fleetIncidents.id))
    .where(
      and(
        isOf(companies),
        at === null
          ? and(isNull(fleetIncidents.closedAt), isNull(fleetMembers.leftAt))
          : and(
              lte(fleetMembers.joinedAt, at),
              or(isNull(fleetIncidents.closedAt), gt(fleetIncidents.closedAt, at)),
              or(isNull(fleetMembers.leftAt), gt(fleetMembers.leftAt, at)),
            ),
      ),
    );
  const byCompany = new Map<string, Record<number, string>>();
  for (const { company, incidentId, fleetId } of rows)
    byCompany.set(company, { ...byCompany.get(company), [incidentId]: fleetId });
  return byCompany;
}

/**
 * Fleet incidents with at least two visible companies, latest first. One in which all visible companies have left has
 * ended, for those who see no others.
 */
export async function listFleetIncidents(
  orm: Orm,
  { companies, state, ...part }: { companies: readonly string[]; state: "open" | "ended" } & Part,
): Promise<{ rows: FleetRow[]; total: number }> {
  const isOpen = sql`${fleetIncidents.closedAt} is null and bool_or(${fleetMembers.leftAt} is null)`;
  const latest =
    state === "open"
      ? sql`min(${fleetMembers.joinedAt})`
      : sql`max(coalesce(${fleetMembers.leftAt}, ${fleetMembers.joinedAt}))`;
  const found = () =>
    orm
      .select({ id: fleetIncidents.id })
      .from(fleetIncidents)
      .innerJoin(fleetMembers, eq(fleetMembers.fleetId, fleetIncidents.id))
      .where(isOf(companies))
      .groupBy(fleetIncidents.id)
      .having(
        and(
          sql`count(distinct ${fleetMembers.company}) >= ${MIN_VISIBLE}`,
          state === "open" ? isOpen : sql`not (${isOpen})`,
        ),
      );
  const page = await found()
    .orderBy(sql`${latest} desc`, asc(fleetIncidents.id))
    .limit(part.limit)
    .offset(part.offset);
  const total = await totalOf(part, page, () => orm.$count(found().as("found")));
  const ids = page.map(({ id }) => id);
  const rows = grouped(
    await membersOf(orm)
      .where(and(inArray(fleetIncidents.id, ids), isOf(companies)))
      .orderBy(asc(fleetMembers.company), asc(fleetMembers.incidentId)),
  );
  return { rows: ids.flatMap((id) => rows.find((row) => row.id === id) ?? []), total };
}

/** What people did about incidents, and when their companies weren't seen, in the order of each incident. */
export function readMemberEvents(
  orm: Orm,
  members: readonly Pick<MemberIncident, "company" | "id">[],
): Promise<IncidentEventRow[]> {
  return orm
    .select()
    .from(incidentEvents)
    .where(and(areEventsOf(members), inArray(incidentEvents.kind, [...EVENTS_SHOWN])))
    .orderBy(asc(incidentEvents.company), asc(incidentEvents.incidentId), asc(incidentEvents.seq));
}

/** Kinds of events of an incident that are also events of its fleet incident. */
const EVENTS_SHOWN = [
  "blind",
  "seen_again",
  "acknowledged",
  "unacknowledged",
  "owned",
  "noted",
] as const;

function grouped(rows: Awaited<ReturnType<typeof membersOf>>): FleetRow[] {
  const byId = new Map<string, FleetRow>();
  for (const { fleet, member, incident } of rows) {
    const row = byId.get(fleet.id) ?? {
      id: fleet.id,
      truth: { openedMs: fleet.openedAt.getTime(), closedMs: fleet.closedAt?.getTime() ?? null },
      members: [],
    };
    byId.set(fleet.id, row);
    row.members.push({
      company: member.company,
      id: incident.id,
      partner: incident.partnerName,
      beganMs: incident.beganAt.getTime(),
      openedMs: incident.openedAt.getTime(),
      endedMs: incident.endedAt?.getTime() ?? null,
      ending: incident.ending,
      ...(isWhollyResting(incident.members) && { isResting: true }),
      joinedMs: member.joinedAt.getTime(),
      leftMs: member.leftAt?.getTime() ?? null,
    });
  }
  return [...byId.values()];
}
