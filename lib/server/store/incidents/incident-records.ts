import { and, eq, isNull, lte, sql, type Placeholder } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  NO_INCIDENTS,
  type EndedIncident,
  type IncidentsState,
  type OpenIncident,
} from "@/lib/domain/incidents/incident";
import { goesToStandIn, standInAt } from "@/lib/domain/incidents/mine";
import type { IncidentEvent } from "@/lib/domain/incidents/step";
import type { EventDetail } from "@/lib/domain/incidents/event-detail";
import { batches } from "@/lib/server/store/batches";
import type { Database, Transaction } from "@/lib/server/store/database";
import {
  incidentCare,
  incidentEvents,
  incidents,
  incidentStates,
} from "@/lib/server/store/schema/incidents";
import { people } from "@/lib/server/store/schema/people";
import {
  constantRows,
  insertRows,
  type GivenRows,
  type RowOf,
} from "@/lib/server/store/statements/insert-rows";
import { addEvent, resumeStandIn, type CareRow } from "./incident-acts";
import { careOf } from "./read-incidents";

const borrower = alias(people, "borrower");
const lender = alias(people, "lender");
const standIn = alias(people, "stand_in");

/** Changes to a company's incidents from one snapshot. */
export type IncidentChanges = {
  state: IncidentsState;
  /** Open incidents that are new or changed. */
  changed: readonly OpenIncident[];
  ended: readonly EndedIncident[];
  events: readonly IncidentEvent[];
};

/** State of incident detection in a company as of its last recorded snapshot. */
export async function readIncidentsState(
  { orm }: Pick<Database, "orm">,
  company: string,
): Promise<IncidentsState> {
  return orm.transaction(
    async (tx) => {
      const [state] = await tx
        .select()
        .from(incidentStates)
        .where(eq(incidentStates.company, company));
      if (state === undefined) return NO_INCIDENTS;
      const open = await tx
        .select()
        .from(incidents)
        .where(and(eq(incidents.company, company), isNull(incidents.endedAt)))
        .orderBy(incidents.id);
      return {
        observedAtMs: state.observedAt.getTime(),
        lastId: state.lastId,
        open: open.map(openIncidentOf),
        suspects: state.suspects,
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/**
 * Writes a snapshot's incident changes; call within the snapshot's transaction.
 * @param nowMs our clock, epoch milliseconds, which company ownership is on
 * @param isEventful whether the snapshot has events, so that messages may follow from it
 */
export async function writeIncidents(
  tx: Transaction,
  company: string,
  { state, changed, ended, events }: IncidentChanges,
  nowMs: number,
  isEventful = true,
): Promise<void> {
  if (state.observedAtMs === null) return;
  const stands = {
    observedAt: new Date(state.observedAtMs),
    lastId: state.lastId,
    suspects: state.suspects,
  };
  const at = sql`${stands.observedAt.toISOString()}::timestamptz`;
  await tx
    .insert(incidentStates)
    .values({
      company,
      ...stands,
      firstObservedAt: stands.observedAt,
      eventfulAt: stands.observedAt,
      // If the record starts here, there is nothing earlier to derive.
      recordedSince: sql`case when not exists (
          select from verdict_changes where company = ${company} and changed_at < ${at}
        ) then ${at} end`,
    })
    .onConflictDoUpdate({
      target: incidentStates.company,
      set: { ...stands, ...(isEventful && { eventfulAt: stands.observedAt }) },
    });
  const hands = await newHands(tx, company, nowMs, [...changed, ...ended].length > 0);
  for (const batch of batches([...changed, ...ended])) {
    // Ownership is set for new incidents only; updates keep later user changes.
    const rows = batch.map((incident) => ({ ...incidentRow(incident), ...hands }));
    await tx.execute(insertIncidentRows(constantRows(company, rows)));
  }
  await writeEvents(tx, company, events);
}

/** SQL: writes incidents. @param given.rows as of `incidentRow` */
export const insertIncidentRows = (given: GivenRows) =>
  insertRows(incidents, given, [
    "endedAt",
    "ending",
    "verdict",
    "worstVerdict",
    "flaps",
    "calmMs",
    "members",
  ]);

/** Inserts incidents that ended before incidents were recorded; they have no owner. */
export async function insertPastIncidents(
  tx: Transaction,
  company: string,
  past: readonly { incident: EndedIncident; events: readonly IncidentEvent[] }[],
): Promise<void> {
  for (const batch of batches(past))
    await tx
      .insert(incidents)
      .values(batch.map(({ incident }) => ({ company, ...incidentRow(incident) })));
  await writeEvents(
    tx,
    company,
    past.flatMap(({ events }) => events),
  );
}

export type Hands = Pick<
  typeof incidents.$inferSelect,
  "ownerId" | "ownerSince" | "lentById" | "lentUntil"
>;
/** Administrators own it. */
const NO_HANDS: Hands = { ownerId: null, ownerSince: null, lentById: null, lentUntil: null };

/**
 * Ownership of a new incident: the company's current owner or, during a stand-in period, the stand-in until its
 * end.
 */
async function newHands(
  tx: Transaction,
  company: string,
  nowMs: number,
  isWanted: boolean,
): Promise<Hands> {
  if (!isWanted) return NO_HANDS;
  await resumeStandIn(tx, company, nowMs);
  // Blocks changes of ownership until commit, so that a release sees the new incident.
  const [care] = await tx
    .select()
    .from(incidentCare)
    .where(eq(incidentCare.company, company))
    .for("share");
  return care === undefined ? NO_HANDS : handsOf(care, nowMs);
}

/** Owner of an incident assigned according to company ownership. @param nowMs our clock */
export function handsOf(care: CareRow, nowMs: number): Hands {
  const present = standInAt(careOf(care), nowMs);
  const id = present?.id ?? care.ownerId;
  if (id === null) return NO_HANDS;
  return {
    ownerId: id,
    ownerSince: new Date(nowMs),
    lentById: present === null ? null : care.ownerId,
    lentUntil: present === null ? null : new Date(present.untilMs),
  };
}

/** SQL: whether an open incident of a company was handed over until a time that has passed, on our clock. */
export const isDueBack = (company: string | Placeholder, now: Date | Placeholder) =>
  and(eq(incidents.company, company), isNull(incidents.endedAt), lte(incidents.lentUntil, now));

/**
 * Returns open incidents whose hand-over has expired, with a timeline event: to the owner, or to the stand-in of a
 * company's owner. Before that, those are the stand-in again whom a hand-over had replaced. Call within the snapshot's
 * transaction.
 * @param nowMs our clock, which hand-overs are on
 */
export async function giveBackLent(tx: Transaction, company: string, nowMs: number): Promise<void> {
  const care = await resumeStandIn(tx, company, nowMs);
  const present = standInAt(careOf(care), nowMs);
  const due = await tx
    .select({
      id: incidents.id,
      lentUntil: incidents.lentUntil,
      ownerId: incidents.ownerId,
      ownerName: borrower.name,
      lentById: incidents.lentById,
      lenderName: lender.name,
      standInName: standIn.name,
    })
    .from(incidents)
    .leftJoin(borrower, eq(borrower.id, incidents.ownerId))
    .leftJoin(lender, eq(lender.id, incidents.lentById))
    .leftJoin(standIn, eq(standIn.id, sql`${present?.id ?? null}::uuid`))
    .where(isDueBack(company, new Date(nowMs)))
    .orderBy(incidents.id)
    .for("update", { of: incidents });
  for (const { id, lentUntil, ownerId, lentById, ...named } of due) {
    const called = (personId: string | null, name: string | null) =>
      personId === null ? null : { id: personId, name: name ?? "" };
    const isToStandIn = goesToStandIn(lentById, {
      companyOwnerId: care.ownerId,
      standInId: present?.id ?? null,
    });
    const hands = isToStandIn
      ? { ...handsOf(care, nowMs), ownerSince: lentUntil }
      : { ...NO_HANDS, ownerId: lentById, ownerSince: lentUntil };
    await tx
      .update(incidents)
      .set(hands)
      .where(and(eq(incidents.company, company), eq(incidents.id, id)));
    if (hands.ownerId === ownerId) continue;
    const act = { person: null, nowMs: lentUntil?.getTime() ?? nowMs };
    await addEvent(tx, { company, id }, act, {
      kind: "owned",
      detail: {
        owner: called(hands.ownerId, isToStandIn ? named.standInName : named.lenderName),
        previous_owner: called(ownerId, named.ownerName),
      },
    });
  }
}

async function writeEvents(
  tx: Transaction,
  company: string,
  events: readonly IncidentEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const ids = [...new Set(events.map(({ incidentId }) => incidentId))];
  // Locks the incidents, because user actions append to the same timeline and number its events.
  await tx.execute(
    sql`select from incidents where company = ${company} and id = any (${sql.param(ids)}::int[])
        order by id for update`,
  );
  const { rows } = await tx.execute<{ id: number; seq: number }>(
    sql`select incident_id as id, max(seq)::int as seq from incident_events
        where company = ${company} and incident_id = any (${sql.param(ids)}::int[]) group by 1`,
  );
  const lastSeq = new Map(rows.map(({ id, seq }) => [id, seq]));
  const values = events.map((event) => {
    const { incidentId, partner: _, atMs, kind, ...rest } = event;
    const { endpointId = null, ...detail } = rest as { endpointId?: string } & EventDetail;
    const seq = (lastSeq.get(incidentId) ?? 0) + 1;
    lastSeq.set(incidentId, seq);
    return { company, incidentId, seq, at: new Date(atMs), kind, endpointId, detail };
  });
  for (const batch of batches(values)) await tx.insert(incidentEvents).values(batch);
}

/** What people set. */
type HandlingColumn = keyof Hands | "acknowledgedById" | "acknowledgedAt" | "acknowledgedUntil";

/** An incident's columns, without those that people set: in a new incident they are null. */
export function incidentRow(
  incident: OpenIncident | EndedIncident,
): Omit<RowOf<typeof incidents>, HandlingColumn> {
  const isEnded = "ending" in incident;
  return {
    id: incident.id,
    partnerName: incident.partner,
    beganAt: new Date(incident.beganMs),
    openedAt: new Date(incident.openedMs),
    endedAt: isEnded ? new Date(incident.endedMs) : null,
    ending: isEnded ? incident.ending : null,
    verdict: incident.verdict,
    worstVerdict: incident.worstVerdict,
    flaps: incident.flaps,
    calmMs: incident.calmMs,
    members: [...incident.members],
  };
}

function openIncidentOf(row: typeof incidents.$inferSelect): OpenIncident {
  return {
    id: row.id,
    partner: row.partnerName,
    beganMs: row.beganAt.getTime(),
    openedMs: row.openedAt.getTime(),
    verdict: row.verdict,
    worstVerdict: row.worstVerdict,
    flaps: row.flaps,
    calmMs: row.calmMs,
    // Rows from versions that stored fewer fields.
    members: row.members.map((member) => ({
      ...member,
      landedBeforeMs: member.landedBeforeMs ?? member.landedMs,
      receivedMs: member.receivedMs ?? null,
    })),
  };
}
