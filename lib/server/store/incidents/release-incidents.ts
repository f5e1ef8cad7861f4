import { and, eq, isNull, or, sql } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import { notify } from "@/lib/server/store/notifications";
import { audited } from "@/lib/server/store/audit/audited";
import type { Database, Transaction } from "@/lib/server/store/database";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { readGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { incidentCare, incidents } from "@/lib/server/store/schema/incidents";
import { people } from "@/lib/server/store/schema/people";
import {
  addEvent,
  carersIn,
  holdIncidents,
  readCare,
  type Act,
  type CareRow,
} from "./incident-acts";
import { giveBackLent, handsOf, type Hands } from "./incident-records";
import { asRow, selected, type IncidentRow } from "./read-incidents";

/** Who revoked the permission, null: a rule, or a command-line user; and when, on our clock. */
type Taking = {
  by: Act["person"] | null;
  nowMs: number;
  /** Whether a person may handle a company's incidents now. */
  mayHandle: (holder: Grantee, company: string) => boolean;
};

/**
 * Releases open incidents and company ownership from a person who may no longer handle incidents there, so that
 * no work stays assigned to a person who can't do it. Incidents handed over to them return to their owner at
 * once; the rest goes to the company's owner, or else to the administrators. Recorded in the timeline and the
 * audit log. Companies where they still have permission are unaffected.
 *
 * Call after the permission change, in the same transaction.
 */
export async function releaseIncidents(
  tx: Transaction,
  personId: string,
  taking: Taking,
): Promise<void> {
  // Concurrent assignments to them either finish first or see the changed permissions.
  await tx
    .select({ id: people.id })
    .from(people)
    .where(eq(people.id, personId))
    .for("no key update");
  // Serialised, so that of two people released concurrently, neither permanently receives the other's
  // incidents.
  await lockUntilCommit(tx, LOCKS.incidentHands);
  const [person] = await readGrantees(tx, [personId]);
  if (person === undefined) return;
  for (const company of await companiesOf(tx, personId)) {
    if (!taking.mayHandle(person, company)) await takeIn(tx, company, person, taking);
  }
}

/**
 * Releases incidents of people who lost permission without `releaseIncidents` having run: under an earlier
 * version, by changed settings at the last start, or directly in the database. One transaction per person.
 * @returns the number of people
 */
export async function takeLeftIncidents(
  { orm }: Pick<Database, "orm">,
  taking: Omit<Taking, "by">,
): Promise<number> {
  const { ownerId, lentById, acknowledgedById } = incidents;
  const open = isNull(incidents.endedAt);
  const held = await union(
    orm.select({ company: incidents.company, id: ownerId }).from(incidents).where(open),
    orm.select({ company: incidents.company, id: lentById }).from(incidents).where(open),
    orm.select({ company: incidents.company, id: acknowledgedById }).from(incidents).where(open),
    orm.select({ company: incidentCare.company, id: incidentCare.ownerId }).from(incidentCare),
    orm.select({ company: incidentCare.company, id: incidentCare.standInId }).from(incidentCare),
    orm
      .select({
        company: incidentCare.company,
        id: sql<
          string | null
        >`(jsonb_array_elements(${incidentCare.laterStandIns}) ->> 'id')::uuid`,
      })
      .from(incidentCare),
  );
  const ids = [...new Set(held.flatMap(({ id }) => id ?? []))];
  const left = (await readGrantees(orm, ids)).filter((holder) =>
    held.some(({ company, id }) => id === holder.id && !taking.mayHandle(holder, company)),
  );
  for (const { id } of left)
    await orm.transaction((tx) => releaseIncidents(tx, id, { ...taking, by: null }));
  return left.length;
}

/** Companies in which a person owns anything, in a fixed order to prevent deadlocks. */
async function companiesOf(tx: Transaction, personId: string): Promise<string[]> {
  const [cared, open] = [
    await tx
      .select({ company: incidentCare.company })
      .from(incidentCare)
      .where(
        or(
          eq(incidentCare.ownerId, personId),
          eq(incidentCare.standInId, personId),
          isLaterStandIn(personId),
        ),
      ),
    await tx
      .selectDistinct({ company: incidents.company })
      .from(incidents)
      .where(and(isNull(incidents.endedAt), isHeldBy(personId))),
  ];
  return [...new Set([...cared, ...open].map(({ company }) => company))].toSorted();
}

const isLaterStandIn = (personId: string) =>
  sql`${incidentCare.laterStandIns} @> ${JSON.stringify([{ id: personId }])}::jsonb`;

const isHeldBy = (personId: string) =>
  or(
    eq(incidents.ownerId, personId),
    eq(incidents.lentById, personId),
    eq(incidents.acknowledgedById, personId),
  );

async function takeIn(
  tx: Transaction,
  company: string,
  person: Grantee,
  { by, nowMs, mayHandle }: Taking,
): Promise<void> {
  await holdIncidents(tx, company);
  await notify(tx, "incidents", company);
  const left = await leaveCare(tx, company, person.id);
  await giveBackLent(tx, company, nowMs);
  const { care, names } = await ableCare(tx, company, mayHandle);
  const held = (
    await selected(tx)
      .where(and(eq(incidents.company, company), isNull(incidents.endedAt), isHeldBy(person.id)))
      .orderBy(incidents.id)
      .for("update", { of: incidents })
  ).map(asRow);
  const barred = { id: person.id, name: person.name };
  for (const row of held) {
    const isOn =
      row.acknowledgedById === person.id &&
      (row.acknowledgedUntil === null || row.acknowledgedUntil.getTime() > nowMs);
    const hands = handsAfter(row, person.id, care, nowMs, mayHandle);
    await tx
      .update(incidents)
      .set({
        ...hands,
        ...(row.acknowledgedById === person.id && {
          acknowledgedById: null,
          acknowledgedAt: null,
          acknowledgedUntil: null,
        }),
      })
      .where(and(eq(incidents.company, company), eq(incidents.id, row.id)));
    const system = { person: null, nowMs };
    if (isOn) await addEvent(tx, row, system, { kind: "unacknowledged", detail: { barred } });
    if (row.ownerId !== person.id) continue;
    const owner =
      hands.ownerId === null
        ? null
        : { id: hands.ownerId, name: names.get(hands.ownerId) ?? row.lender?.name ?? "" };
    await addEvent(tx, row, system, {
      kind: "owned",
      detail: {
        owner,
        previous_owner: barred,
        barred,
        until: hands.lentUntil?.toISOString() ?? null,
      },
    });
  }
  if (!left && held.length === 0) return;
  await audited(
    tx,
    { person: by, nowMs },
    {
      company,
      kind: "incident",
      action: "take-back",
      subject: person.name,
      detail: {
        because: `may not handle incidents here any more; open incidents: ${held.length}`,
      },
    },
  );
}

/** @returns whether they were the company's owner or stand-in */
async function leaveCare(tx: Transaction, company: string, personId: string): Promise<boolean> {
  const [care] = await tx
    .select()
    .from(incidentCare)
    .where(eq(incidentCare.company, company))
    .for("update");
  if (care === undefined) return false;
  const later = care.laterStandIns.filter(({ id }) => id !== personId);
  const isLater = later.length < care.laterStandIns.length;
  if (care.ownerId !== personId && care.standInId !== personId && !isLater) return false;
  await tx
    .update(incidentCare)
    .set({
      ...(care.ownerId === personId && { ownerId: null, ownerSince: null }),
      ...(care.standInId === personId && {
        standInId: null,
        standInFrom: null,
        standInUntil: null,
      }),
      laterStandIns: later,
    })
    .where(eq(incidentCare.company, company));
  return true;
}

/** Company ownership, excluding people without permission. */
async function ableCare(
  tx: Transaction,
  company: string,
  mayHandle: Taking["mayHandle"],
): Promise<{ care: CareRow; names: ReadonlyMap<string, string> }> {
  const care = await readCare(tx, company);
  const able = (await readGrantees(tx, carersIn(care))).filter((one) => mayHandle(one, company));
  const names = new Map(able.map(({ id, name }) => [id, name]));
  const isAble = (id: string | null) => id !== null && names.has(id);
  return {
    care: {
      ...care,
      ...(!isAble(care.ownerId) && { ownerId: null }),
      ...(!isAble(care.standInId) && { standInId: null }),
      laterStandIns: care.laterStandIns.filter(({ id }) => isAble(id)),
    },
    names,
  };
}

/** Owner and acknowledger after `personId` is removed. @param care without people who lack permission */
function handsAfter(
  row: IncidentRow,
  personId: string,
  care: CareRow,
  nowMs: number,
  mayHandle: Taking["mayHandle"],
): Hands {
  const { ownerId, ownerSince, lentById, lentUntil, lender } = row;
  if (ownerId === personId) {
    const isLenders = lender !== null && lender.id !== personId && mayHandle(lender, row.company);
    return isLenders
      ? { ownerId: lender.id, ownerSince: new Date(nowMs), lentById: null, lentUntil: null }
      : handsOf(care, nowMs);
  }
  if (lentById !== personId) return { ownerId, ownerSince, lentById, lentUntil };
  // The current owner keeps it until the agreed date, or permanently if it would return to them.
  return care.ownerId === ownerId
    ? { ownerId, ownerSince, lentById: null, lentUntil: null }
    : { ownerId, ownerSince, lentById: care.ownerId, lentUntil };
}
