import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { LateIncident } from "@/lib/domain/delivery/spreading";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import { groupOf } from "@/lib/domain/delivery/cause";
import type { RecordedFleet } from "@/lib/domain/delivery/plan-fleet";
import { hostOfCause } from "@/lib/domain/delivery/plan-host";
import { LIMITED_WITHIN_MS } from "@/lib/domain/delivery/plan-limited";
import type { Written } from "@/lib/domain/delivery/plan-group";
import type { Orm } from "@/lib/server/store/database";
import type { RowBudget } from "@/lib/server/store/most-rows";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { deliveries } from "@/lib/server/store/schema/delivery";
import { fleetIncidents, fleetMembers } from "@/lib/server/store/schema/fleet-incidents";
import { incidents } from "@/lib/server/store/schema/incidents";
import { companyState, runs } from "@/lib/server/store/schema/record";
import { DAY_MS } from "@/lib/domain/time/units";

/** What messages about several are derived from, beyond the facts of each company. Instants are epoch milliseconds. */

/** An ending is found up to a day after it: messages about incidents of some days need older fleet incidents. */
const BEFORE_MS = 2 * DAY_MS;

/**
 * Fleet incidents that are open, or that ended since a given time or shortly before.
 * @throws Failure `invalid_request` when it needs more rows than are left in the budget
 */
export async function readRecordedFleets(
  orm: Orm,
  sinceMs: number,
  budget: Pick<RowBudget, "read">,
): Promise<RecordedFleet[]> {
  const since = new Date(sinceMs - BEFORE_MS);
  const rows = await budget.read((limit) =>
    orm
      .select({ fleet: fleetIncidents, member: fleetMembers })
      .from(fleetIncidents)
      .innerJoin(fleetMembers, eq(fleetMembers.fleetId, fleetIncidents.id))
      .where(or(isNull(fleetIncidents.closedAt), gt(fleetIncidents.closedAt, since)))
      .orderBy(fleetIncidents.openedAt, fleetIncidents.id, fleetMembers.joinedAt)
      .limit(limit),
  );
  const byId = new Map<string, RecordedFleet & { members: RecordedFleet["members"][number][] }>();
  for (const { fleet, member } of rows) {
    const one = byId.get(fleet.id) ?? {
      id: fleet.id,
      openedMs: fleet.openedAt.getTime(),
      closedMs: fleet.closedAt?.getTime() ?? null,
      members: [],
    };
    byId.set(fleet.id, one);
    one.members.push({
      company: member.company,
      id: member.incidentId,
      joinedMs: member.joinedAt.getTime(),
      leftMs: member.leftAt?.getTime() ?? null,
    });
  }
  return [...byId.values()];
}

/** Open incidents of all companies that were opened since a given time on our clock. */
export async function readLateIncidents(orm: Orm, sinceMs: number): Promise<LateIncident[]> {
  const rows = await orm
    .select({
      company: incidents.company,
      id: incidents.id,
      partner: incidents.partnerName,
      openedAt: incidents.openedAt,
      offsetMs: companyState.apiClockOffsetMs,
    })
    .from(incidents)
    .leftJoin(companyState, eq(companyState.company, incidents.company))
    .where(
      and(
        isNull(incidents.endedAt),
        sql`${incidents.openedAt} - make_interval(secs => coalesce(${companyState.apiClockOffsetMs}, 0) / 1000)
          > ${new Date(sinceMs).toISOString()}::timestamptz`,
      ),
    );
  return rows.map(({ openedAt, offsetMs, ...row }) => ({
    ...row,
    openedMs: openedAt.getTime() - sharedShiftMs(offsetMs ?? 0),
  }));
}

/** Changes whenever a fleet incident does. */
export async function readFleetsVersion(orm: Orm): Promise<string> {
  const [row] = await orm
    .select({
      version: sql<string>`concat_ws(' ', count(*), count(${fleetIncidents.closedAt}),
        max(${fleetIncidents.changedAt}), max(${fleetIncidents.closedAt}))`,
    })
    .from(fleetIncidents)
    .prepare("read_fleets_version")
    .execute();
  return row?.version ?? "";
}

/** Types of the last message of a group. */
const LAST = ["partner.ended", "company.limited_ended", "host.seen_again"] as const;
const GROUPED = [
  ...LAST,
  "partner.opened",
  "partner.changed",
  "company.limited",
  "host.blind",
] as const;

/** Messages about several that were written, by destination, by company and cause (`groupKey`), and by their opening. */
export type WrittenGroups = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<number, Written>>>;

/** @param company null: of several */
export function groupKey(company: string | null, cause: string): string {
  return `${company ?? ""} ${cause}`;
}

/** The cause that a key names; companies' slugs have no spaces. */
function causeOf(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}

/** The thread of a group's messages, without the company. */
function groupThread({ company, thread }: { company: string | null; thread: string }): string {
  return company === null ? thread : thread.slice(company.length + 1);
}

/** Hosts whose companies a message said can't be seen, and that none said can be again. */
export function hostsTold(written: WrittenGroups): ReadonlySet<string> {
  const open = [...written.values()].flatMap((groups) =>
    [...groups].filter(([, openings]) => [...openings.values()].some(({ isOver }) => !isOver)),
  );
  return new Set(open.flatMap(([key]) => hostOfCause(causeOf(key))?.host ?? []));
}

/** Those that aren't over, or have ended since a given time or shortly before. */
export async function readWrittenGroups(orm: Orm, sinceMs: number): Promise<WrittenGroups> {
  const isOver = sql<boolean>`bool_or(${inArray(deliveries.type, [...LAST])})`;
  const last = sql<Date>`max(${deliveries.dueAt})`;
  const since = new Date(sinceMs - BEFORE_MS).toISOString();
  const rows = await orm
    .select({
      destination: deliveries.destination,
      company: deliveries.company,
      thread: deliveries.thread,
      isOver,
      isChangeTold: sql<boolean>`bool_or(${deliveries.type} = 'partner.changed')`,
      last,
    })
    .from(deliveries)
    .where(inArray(deliveries.type, [...GROUPED]))
    .groupBy(deliveries.destination, deliveries.company, deliveries.thread)
    .having(sql`not ${isOver} or ${last} > ${since}::timestamptz`);
  const byDestination = new Map<string, Map<string, Map<number, Written>>>();
  for (const row of rows) {
    const group = groupOf(groupThread(row));
    if (group === null) continue;
    const own = byDestination.get(row.destination) ?? new Map<string, Map<number, Written>>();
    byDestination.set(row.destination, own);
    const key = groupKey(row.company, group.cause);
    const groups = own.get(key) ?? new Map<number, Written>();
    own.set(key, groups);
    groups.set(group.openedMs, {
      lastMs: new Date(row.last).getTime(),
      isChangeTold: row.isChangeTold,
      isOver: row.isOver,
    });
  }
  return byDestination;
}

/**
 * When those incidents began whose endpoints' last runs were all rate limited when they were opened, by id; only of
 * incidents near which another one began.
 * @param recorded of one company
 */
export async function readLimitedIncidents(
  orm: Orm,
  company: string,
  recorded: readonly Pick<IncidentRow, "id" | "beganAt" | "openedAt" | "members">[],
): Promise<ReadonlyMap<number, number>> {
  const inOrder = recorded.toSorted((a, b) => a.beganAt.getTime() - b.beganAt.getTime());
  const isNear = (a?: Pick<IncidentRow, "beganAt">, b?: Pick<IncidentRow, "beganAt">) =>
    a !== undefined &&
    b !== undefined &&
    b.beganAt.getTime() - a.beganAt.getTime() <= LIMITED_WITHIN_MS;
  // Others may follow while those last.
  const firstNear = inOrder.findIndex((one, index) => isNear(one, inOrder[index + 1]));
  if (firstNear < 0) return new Map();
  const asked = inOrder
    .slice(firstNear)
    .flatMap(({ id, openedAt, members }) =>
      members.flatMap(({ endpointId, joinedMs }) =>
        joinedMs <= openedAt.getTime()
          ? [{ id, endpointId, openedAt: openedAt.toISOString() }]
          : [],
      ),
    );
  const { rows } = await orm.execute<{ id: number }>(sql`
    select asked.id from unnest(
      ${sql.param(asked.map(({ id }) => id))}::int[],
      ${sql.param(asked.map(({ endpointId }) => endpointId))}::text[],
      ${sql.param(asked.map(({ openedAt }) => openedAt))}::timestamptz[]
    ) as asked(id, endpoint_id, opened_at)
    left join lateral (
      select ${runs.status} as status from ${runs}
      where ${runs.company} = ${company} and ${runs.endpointId} = asked.endpoint_id
        and ${runs.startedAt} <= asked.opened_at and ${runs.finishedAt} <= asked.opened_at
      order by ${runs.startedAt} desc limit 1
    ) last on true
    group by asked.id
    having bool_and(coalesce(last.status = 'rate_limited', false))`);
  const limited = new Set(rows.map(({ id }) => id));
  return new Map(
    inOrder.flatMap(({ id, beganAt }) => (limited.has(id) ? [[id, beganAt.getTime()]] : [])),
  );
}
