import { eq, isNull, sql } from "drizzle-orm";
import {
  keyOf,
  type EndedFleetIncident,
  type OpenFleetIncident,
} from "@/lib/domain/fleet-incidents/fleet-incident";
import { batches } from "@/lib/server/store/batches";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { notify } from "@/lib/server/store/notifications";
import {
  fleetIncidents,
  fleetMembers,
  fleetProgress,
} from "@/lib/server/store/schema/fleet-incidents";

/** Where the fold continues. Instants are epoch milliseconds. */
export type FleetState = {
  /** Everything up to and including this has been applied; null: nothing yet. */
  untilMs: number | null;
  /** Open fleet incidents by partner. */
  open: ReadonlyMap<string, OpenFleetIncident>;
};

/** Reads both as of one moment. */
export async function readFleetState({ orm }: Pick<Database, "orm">): Promise<FleetState> {
  return orm.transaction(
    async (tx) => {
      const [progress] = await tx.select().from(fleetProgress);
      return { untilMs: progress?.untilAt.getTime() ?? null, open: await readOpen(tx) };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function readOpen(orm: Orm): Promise<Map<string, OpenFleetIncident>> {
  const rows = await orm.select().from(fleetIncidents).where(isNull(fleetIncidents.closedAt));
  if (rows.length === 0) return new Map();
  const members = await orm
    .select({ member: fleetMembers })
    .from(fleetMembers)
    .innerJoin(fleetIncidents, eq(fleetIncidents.id, fleetMembers.fleetId))
    .where(isNull(fleetIncidents.closedAt))
    .orderBy(fleetMembers.joinedAt, fleetMembers.company, fleetMembers.incidentId);
  return new Map(
    rows.map(({ id, partner, fromAt, openedAt, changedAt }) => [
      partner,
      {
        id,
        fromMs: fromAt.getTime(),
        openedMs: openedAt.getTime(),
        changedMs: changedAt.getTime(),
        members: members.flatMap(({ member }) =>
          member.fleetId === id
            ? {
                company: member.company,
                id: member.incidentId,
                joinedMs: member.joinedAt.getTime(),
                leftMs: member.leftAt?.getTime() ?? null,
                ...(member.shiftMs !== null && { shiftMs: member.shiftMs }),
              }
            : [],
        ),
      },
    ]),
  );
}

/** A fleet incident that changed, and its partner. */
export type ChangedFleetIncident = {
  partner: string;
  /** As it was; null: it is new. */
  before: OpenFleetIncident | null;
  fleet: OpenFleetIncident | EndedFleetIncident;
};

/**
 * Writes fleet incidents and the progress of the fold; call in one transaction of its leader.
 * @param changed in the order of their partners' folds: those that ended come before the one that opened next
 */
export async function writeFleetIncidents(
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
