import { eq, isNull, sql } from "drizzle-orm";
import {
  keyOf,
  type EndedFleetIncident,
  type FleetMember,
  type OpenFleetIncident,
} from "@/lib/domain/fleet-incidents/fleet-incident";
import { batches } from "@/lib/server/store/batches";
import type { Database, TermValues, Transaction, Writer } from "@/lib/server/store/database";
import { HELD_TERM } from "@/lib/server/store/fence";
import { notify } from "@/lib/server/store/notifications";
import {
  fleetIncidents,
  fleetMembers,
  fleetProgress,
} from "@/lib/server/store/schema/fleet-incidents";
import { prepared, type Prepared } from "@/lib/server/store/statements/prepared";

/** Where the fold continues. Instants are epoch milliseconds. */
export type FleetState = {
  /** Everything up to and including this has been applied; null: nothing yet. */
  untilMs: number | null;
  /** Open fleet incidents by partner. */
  open: ReadonlyMap<string, OpenFleetIncident>;
};

/** Reads both as of one moment. */
export async function readFleetState({ orm }: Pick<Database, "orm">): Promise<FleetState> {
  const rows = await orm
    .select({ untilAt: fleetProgress.untilAt, fleet: fleetIncidents, member: fleetMembers })
    .from(sql`(select) one`)
    .leftJoin(fleetProgress, sql`true`)
    .leftJoin(fleetIncidents, isNull(fleetIncidents.closedAt))
    .leftJoin(fleetMembers, eq(fleetMembers.fleetId, fleetIncidents.id))
    .orderBy(fleetMembers.joinedAt, fleetMembers.company, fleetMembers.incidentId)
    .prepare("read_fleet_state")
    .execute();
  const open = new Map<string, OpenFleetIncident & { members: FleetMember[] }>();
  for (const { fleet, member } of rows) {
    if (fleet === null || member === null) continue;
    const one = open.get(fleet.partner) ?? {
      id: fleet.id,
      fromMs: fleet.fromAt.getTime(),
      openedMs: fleet.openedAt.getTime(),
      changedMs: fleet.changedAt.getTime(),
      members: [],
    };
    open.set(fleet.partner, one);
    one.members.push({
      company: member.company,
      id: member.incidentId,
      joinedMs: member.joinedAt.getTime(),
      leftMs: member.leftAt?.getTime() ?? null,
      ...(member.shiftMs !== null && { shiftMs: member.shiftMs }),
    });
  }
  return { untilMs: rows[0]?.untilAt?.getTime() ?? null, open };
}

/** A fleet incident that changed, and its partner. */
export type ChangedFleetIncident = {
  partner: string;
  /** As it was; null: it is new. */
  before: OpenFleetIncident | null;
  fleet: OpenFleetIncident | EndedFleetIncident;
};

const WRITE_PROGRESS: Prepared<{ untilAt: Date } & TermValues> = prepared(
  "write_fleet_progress",
  sql`with term as (${HELD_TERM}),
    written as (
      insert into ${fleetProgress} (until_at)
      select ${sql.placeholder("untilAt")}::timestamptz from term
      on conflict (id) do update set until_at = excluded.until_at
    )
    select count(*)::int as held from term`,
);

/**
 * Writes fleet incidents and the progress of the fold in one transaction of its leader, or in one statement if nothing
 * changed.
 * @param changed in the order of their partners' folds: those that ended come before the one that opened next
 */
export async function writeFleetIncidents(
  writer: Writer,
  changed: readonly ChangedFleetIncident[],
  untilMs: number,
): Promise<void> {
  if (changed.length === 0 && writer.once !== undefined)
    await writer.once(WRITE_PROGRESS, { untilAt: new Date(untilMs) });
  else await writer.orm.transaction((tx) => writeChanged(tx, changed, untilMs));
}

async function writeChanged(
  tx: Transaction,
  changed: readonly ChangedFleetIncident[],
  untilMs: number,
): Promise<void> {
  const companies = new Set(changed.flatMap(companiesChanged));
  for (const { partner, fleet } of changed) {
    const closedAt = "closedMs" in fleet ? new Date(fleet.closedMs) : null;
    const [changedAt, openedAt] = [new Date(fleet.changedMs), new Date(fleet.openedMs)];
    await tx
      .insert(fleetIncidents)
      .values({
        id: fleet.id,
        partner,
        fromAt: new Date(fleet.fromMs),
        openedAt,
        changedAt,
        closedAt,
      })
      .onConflictDoUpdate({ target: fleetIncidents.id, set: { changedAt, closedAt } });
    for (const batch of batches(fleet.members))
      await tx
        .insert(fleetMembers)
        .values(
          batch.map(({ company, id, joinedMs, leftMs, shiftMs = null }) => ({
            company,
            incidentId: id,
            fleetId: fleet.id,
            joinedAt: new Date(joinedMs),
            leftAt: leftMs === null ? null : new Date(leftMs),
            shiftMs,
          })),
        )
        .onConflictDoUpdate({
          target: [fleetMembers.company, fleetMembers.incidentId],
          set: { leftAt: sql`excluded.left_at`, shiftMs: sql`excluded.shift_ms` },
          setWhere: sql`(${fleetMembers.leftAt}, ${fleetMembers.shiftMs}) is distinct from (excluded.left_at, excluded.shift_ms)`,
        });
  }
  const untilAt = new Date(untilMs);
  await tx
    .insert(fleetProgress)
    .values({ untilAt })
    .onConflictDoUpdate({ target: fleetProgress.id, set: { untilAt } });
  for (const company of companies) await notify(tx, "incidents", company);
}

/** Companies that joined, left or went on alone. */
function companiesChanged({ before, fleet }: ChangedFleetIncident): string[] {
  const was = new Map(before?.members.map((member) => [keyOf(member), member.leftMs]));
  return fleet.members.flatMap((member) => {
    const leftMs = was.get(keyOf(member));
    const isAlone = "closedMs" in fleet && member.leftMs === null;
    return isAlone || leftMs === undefined || leftMs !== member.leftMs ? member.company : [];
  });
}
