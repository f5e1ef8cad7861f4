import { and, eq, isNull, lte, or, sql, type Placeholder } from "drizzle-orm";
import { batches } from "@/lib/server/store/batches";
import { notify, notifyAll } from "@/lib/server/store/notifications";
import { audited, auditedAll } from "@/lib/server/store/audit/audited";
import type { EventDetail } from "@/lib/domain/incidents/event-detail";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import {
  incidentCare,
  incidentEvents,
  incidents,
  incidentStates,
  type LaterStandIn,
} from "@/lib/server/store/schema/incidents";
import { lockGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { toStorable } from "@/lib/server/store/storable";
import { areThese, readIncident, type IncidentEventRow, type IncidentRow } from "./read-incidents";

/** The person acting and the time; `nowMs`: our clock, epoch milliseconds. */
export type Act = { person: { id: string; name: string; email: string }; nowMs: number };

/** The effect of a user action, recorded in the timeline and in the company's audit log. */
export type IncidentAct = {
  set?: Partial<
    Pick<
      typeof incidents.$inferInsert,
      | "ownerId"
      | "ownerSince"
      | "lentById"
      | "lentUntil"
      | "acknowledgedById"
      | "acknowledgedAt"
      | "acknowledgedUntil"
    >
  >;
  kind: "acknowledged" | "unacknowledged" | "owned" | "noted";
  text?: string | null;
  detail?: EventDetail;
  /** For the audit log: the action's name and a short reason. */
  action: "acknowledge" | "unacknowledge" | "own" | "note";
  because?: string;
};

/**
 * Applies a user action to an incident. Serialised with other actions and with checks, so that of two
 * concurrent users the second sees the first one's change.
 * @param given.others people it may be assigned to
 * @param decide returns null if nothing would change; throws to abort. `holders` are the person acting and the
 * others, locked until commit
 * @returns the incident afterwards and the event, if any; null: no such incident
 */
export function actOnIncident(
  { orm }: Pick<Database, "orm">,
  {
    company,
    id,
    act,
    others = [],
  }: { company: string; id: number; act: Act; others?: readonly string[] },
  decide: (before: IncidentRow, holders: readonly Grantee[]) => IncidentAct | null,
): Promise<{ incident: IncidentRow; event: IncidentEventRow | null } | null> {
  return orm.transaction(async (tx) => {
    const holders = await lockGrantees(tx, [act.person.id, ...others]);
    const found = and(eq(incidents.company, company), eq(incidents.id, id));
    await tx.select({ id: incidents.id }).from(incidents).where(found).for("update");
    const before = await readIncident(tx, company, id);
    if (before === null) return null;
    const done = decide(before, holders);
    if (done === null) return { incident: before, event: null };
    const event = await applyAct(tx, before, act, done);
    const after = await readIncident(tx, company, id);
    return after === null ? null : { incident: after, event };
  });
}

/** Applies a user action to an incident that this transaction has locked, with its entry in the audit log. */
export async function applyAct(
  tx: Transaction,
  before: IncidentRow,
  act: Act,
  done: IncidentAct,
): Promise<IncidentEventRow> {
  const [event] = await applyActs(tx, [{ before, done }], act);
  if (event === undefined) throw new Error("the event was not written");
  return event;
}

/** Incidents for which an action sets the same. */
type Alike = { set: NonNullable<IncidentAct["set"]>; incidents: IncidentRow[] };

/** The same for several incidents, also of different companies, in a few statements. @returns the events in order */
export async function applyActs(
  tx: Transaction,
  all: readonly { before: IncidentRow; done: IncidentAct }[],
  act: Act,
): Promise<IncidentEventRow[]> {
  if (all.length === 0) return [];
  const alike = new Map<string, Alike>();
  for (const { before, done } of all) {
    if (done.set === undefined) continue;
    const key = JSON.stringify(done.set);
    const own = alike.get(key);
    if (own === undefined) alike.set(key, { set: done.set, incidents: [before] });
    else own.incidents.push(before);
  }
  for (const { set, incidents: same } of alike.values())
    await tx.update(incidents).set(set).where(areThese(same));
  const events: IncidentEventRow[] = [];
  for (const batch of batches(all))
    events.push(
      ...(await tx
        .insert(incidentEvents)
        .values(batch.map(({ before, done }) => eventOf(before, act, done)))
        .returning()),
    );
  await notifyAll(tx, "incidents", [...new Set(all.map(({ before }) => before.company))]);
  await auditedAll(
    tx,
    act,
    all.map(({ before: { company, id, partnerName }, done }) => ({
      company,
      kind: "incident",
      action: done.action,
      subject: `${partnerName}, incident ${id}`,
      detail: { incident: id, ...(done.because !== undefined && { because: done.because }) },
    })),
  );
  return events;
}

/**
 * Locks a company's incidents until the transaction ends. Checks start with this lock, so every transaction
 * that locks several incidents must take it first to avoid deadlocks.
 */
export function holdIncidents(tx: Transaction, company: string): Promise<void> {
  return holdIncidentsOf(tx, [company]);
}

/** The same for several companies, in the order in which every transaction locks them. */
export async function holdIncidentsOf(
  tx: Transaction,
  companies: readonly string[],
): Promise<void> {
  await tx
    .select({ company: incidentStates.company })
    .from(incidentStates)
    .where(sql`${incidentStates.company} = any (${sql.param([...companies])}::text[])`)
    .orderBy(incidentStates.company)
    .for("update");
}

/**
 * Appends a user action to the timeline of an incident that this transaction has locked.
 * @param act.person null: not a user action but a scheduled change
 */
export async function addEvent(
  tx: Transaction,
  incident: Pick<IncidentRow, "company" | "id">,
  act: EventAuthor,
  event: Pick<IncidentAct, "kind" | "text" | "detail">,
): Promise<IncidentEventRow> {
  const [row] = await tx
    .insert(incidentEvents)
    .values(eventOf(incident, act, event))
    .returning();
  if (row === undefined) throw new Error("the event was not written");
  return row;
}

type EventAuthor = { person: Act["person"] | null; nowMs: number };

function eventOf(
  { company, id }: Pick<IncidentRow, "company" | "id">,
  { person, nowMs }: EventAuthor,
  { kind, text = null, detail = {} }: Pick<IncidentAct, "kind" | "text" | "detail">,
) {
  return {
    company,
    incidentId: id,
    seq: sql`(select coalesce(max(seq), 0) + 1 from incident_events
      where company = ${company} and incident_id = ${id})`,
    // An act may be dated before it waits for another one's lock, and our clock may be set back.
    at: sql`greatest(${new Date(nowMs).toISOString()}::timestamptz, (select max(at) from incident_events
      where company = ${company} and incident_id = ${id} and kind = any (${sql.param(sameAs(kind))}::text[])))`,
    kind,
    byId: person?.id ?? null,
    byName: person === null ? null : toStorable(person.name),
    text: text === null ? null : toStorable(text),
    detail: toStorable(detail),
  };
}

/** The kinds of events that change the same as one of a kind. */
function sameAs(kind: IncidentAct["kind"]): IncidentAct["kind"][] {
  return kind === "acknowledged" || kind === "unacknowledged"
    ? ["acknowledged", "unacknowledged"]
    : [kind];
}

export type CareRow = Omit<typeof incidentCare.$inferSelect, "company">;
const UNOWNED: CareRow = {
  ownerId: null,
  ownerSince: null,
  standInId: null,
  standInFrom: null,
  standInUntil: null,
  laterStandIns: [],
};

/**
 * Stand-in periods that a hand-over replaces and that go on afterwards, also those of the new stand-in.
 * @param untilMs end of the hand-over, epoch milliseconds
 */
export function replacedStandIns(
  { standInId: id, standInFrom: from, standInUntil: until, laterStandIns }: CareRow,
  untilMs: number,
): LaterStandIn[] {
  const isSet = id !== null && from !== null && until !== null;
  const present = isSet ? [{ id, from: from.toISOString(), until: until.toISOString() }] : [];
  return [...present, ...laterStandIns].filter((one) => Date.parse(one.until) > untilMs);
}

/**
 * Makes those the stand-in again whom a hand-over had replaced, once it is over.
 * @param nowMs our clock
 * @returns the owner and stand-in of the company from now on
 */
export async function resumeStandIn(
  tx: Transaction,
  company: string,
  nowMs: number,
): Promise<CareRow> {
  const care = await readCare(tx, company);
  const isOver = care.standInUntil === null || care.standInUntil.getTime() <= nowMs;
  if (care.laterStandIns.length === 0 || !isOver) return care;
  const left = care.laterStandIns.filter(({ until }) => Date.parse(until) > nowMs);
  const next = left.find(({ from }) => Date.parse(from) <= nowMs) ?? left[0];
  const set = {
    ...(next !== undefined && {
      standInId: next.id,
      standInFrom: new Date(next.from),
      standInUntil: new Date(next.until),
    }),
    laterStandIns: left.filter((one) => one !== next),
  };
  const unchanged = sql`${incidentCare.laterStandIns} = ${JSON.stringify(care.laterStandIns)}::jsonb`;
  const resumed = await tx
    .update(incidentCare)
    .set(set)
    .where(and(eq(incidentCare.company, company), unchanged))
    .returning({ company: incidentCare.company });
  // It was changed meanwhile.
  if (resumed.length === 0) return readCare(tx, company);
  await notify(tx, "incidents", company);
  return { ...care, ...set };
}

/** SQL: whether a person replaced by a hand-over is to be the stand-in again, on our clock. */
export const isStandInDue = (company: string | Placeholder, now: Date | Placeholder) =>
  and(
    eq(incidentCare.company, company),
    sql`${incidentCare.laterStandIns} <> '[]'::jsonb`,
    or(isNull(incidentCare.standInUntil), lte(incidentCare.standInUntil, now)),
  );

/** The owner and stand-in of a company. */
export async function readCare(orm: Orm, company: string): Promise<CareRow> {
  const [row] = await orm.select().from(incidentCare).where(eq(incidentCare.company, company));
  if (row === undefined) return UNOWNED;
  const { company: _, ...care } = row;
  return care;
}

/** The ids of a company's owner and stand-ins, present and later ones. */
export function carersIn({
  ownerId,
  standInId,
  laterStandIns,
}: Pick<CareRow, "ownerId" | "standInId" | "laterStandIns">): string[] {
  return [ownerId, standInId, ...laterStandIns.map(({ id }) => id)].flatMap((id) => id ?? []);
}

/** Owners and stand-ins of some companies; omits companies without any. */
export function readCareOf(
  orm: Database["orm"],
  companies: readonly string[],
): Promise<(typeof incidentCare.$inferSelect)[]> {
  return orm
    .select()
    .from(incidentCare)
    .where(sql`${incidentCare.company} = any (${sql.param([...companies])}::text[])`);
}

/**
 * Changes a company's incident owner or stand-in; new incidents are assigned accordingly. `ownerSince` changes only with the owner.
 * @param because for the audit log, a few words on the result
 * @param mayTake throws to abort; `holders` are the assignees, locked until commit
 */
export function changeCare(
  { orm }: Pick<Database, "orm">,
  { company, name, act }: { company: string; name: string; act: Act },
  change: Partial<Omit<CareRow, "ownerSince">>,
  because: string,
  mayTake: (holders: readonly Grantee[]) => void,
): Promise<void> {
  return orm.transaction(async (tx) => {
    const named = [change.ownerId, change.standInId].flatMap((id) => id ?? []);
    mayTake(await lockGrantees(tx, named));
    const now = new Date(act.nowMs);
    await tx
      .insert(incidentCare)
      .values({ company, ...UNOWNED, ...change, ownerSince: change.ownerId ? now : null })
      .onConflictDoUpdate({
        target: incidentCare.company,
        set: {
          ...change,
          ...(change.ownerId !== undefined && {
            ownerSince: sql`case when ${incidentCare.ownerId} is not distinct from excluded.owner_id
              then ${incidentCare.ownerSince} else excluded.owner_since end`,
          }),
        },
      });
    await notify(tx, "incidents", company);
    await audited(tx, act, {
      company,
      kind: "incident",
      action: "look-after",
      subject: name,
      detail: { because },
    });
  });
}
