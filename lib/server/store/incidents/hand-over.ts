import { and, eq, isNull, sql } from "drizzle-orm";
import { isHandable, isHandableCompany, standInAt } from "@/lib/domain/incidents/mine";
import { notify } from "@/lib/server/store/notifications";
import { audited } from "@/lib/server/store/audit/audited";
import type { Database, Orm } from "@/lib/server/store/database";
import { lockGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { incidentCare, incidents } from "@/lib/server/store/schema/incidents";
import { addEvent, holdIncidents, replacedStandIns, type Act } from "./incident-acts";
import { giveBackLent } from "./incident-records";
import { careOf, companyHandsOf, handsOf } from "./read-incidents";

/** Who hands over; `isAdministrator`: may also hand over what has no other owner. */
type Giver = { personId: string; isAdministrator: boolean };

/**
 * What a person can hand over in some companies: companies they own, and their open incidents.
 * @param nowMs our clock
 */
export async function readHandable(
  orm: Orm,
  { personId, ...rights }: Giver,
  companies: readonly string[],
  nowMs: number,
): Promise<{ companies: string[]; incidents: { company: string; id: number }[] }> {
  const slugs = sql`any (${sql.param([...companies])}::text[])`;
  const cares = await orm
    .select()
    .from(incidentCare)
    .where(sql`${incidentCare.company} = ${slugs}`);
  const careBy = new Map(cares.map((care) => [care.company, care]));
  const open = await orm
    .select()
    .from(incidents)
    .where(and(isNull(incidents.endedAt), sql`${incidents.company} = ${slugs}`));
  const rowOf = (company: string) => careBy.get(company) ?? null;
  return {
    companies: companies.filter((company) =>
      isHandableCompany(personId, companyHandsOf(rowOf(company), nowMs), rights),
    ),
    incidents: open.filter((one) =>
      isHandable(personId, handsOf({ ...one, care: rowOf(one.company) }, nowMs), rights),
    ),
  };
}

/**
 * Hands over everything a person owns in some companies, in one transaction: the companies, and their open
 * incidents. Incidents that were themselves handed over to them are passed on, with the same original owner and return
 * date; or until the given moment where they are the stand-in again afterwards.
 * @param mayTake throws to abort; called only for companies with something to hand over. The recipient's
 * permissions are locked until commit; undefined: no such person
 * @returns the companies handed over, and the number of incidents
 */
export function handOverAll(
  { orm }: Pick<Database, "orm">,
  {
    act,
    isAdministrator,
    companies,
    to,
    until,
    mayTake,
  }: {
    act: Act;
    /** Also hands over what has no other owner. */
    isAdministrator: boolean;
    companies: readonly { company: string; name: string }[];
    to: { id: string; name: string };
    until: Date;
    mayTake: (company: string, holder: Grantee | undefined) => void;
  },
): Promise<{ companies: string[]; incidents: number }> {
  const { person, nowMs } = act;
  return orm.transaction(async (tx) => {
    const holders = await lockGrantees(tx, [person.id, to.id]);
    const taker = holders.find(({ id }) => id === to.id);
    const lent: string[] = [];
    let count = 0;
    for (const { company, name } of companies.toSorted((a, b) =>
      a.company < b.company ? -1 : 1,
    )) {
      await holdIncidents(tx, company);
      await notify(tx, "incidents", company);
      await giveBackLent(tx, company, nowMs);
      const [care = null] = await tx
        .select()
        .from(incidentCare)
        .where(eq(incidentCare.company, company))
        .for("update");
      const all = await tx
        .select()
        .from(incidents)
        .where(and(eq(incidents.company, company), isNull(incidents.endedAt)))
        .orderBy(incidents.id)
        .for("update");
      const hands = companyHandsOf(care, nowMs);
      const isTheirs = isHandableCompany(person.id, hands, { isAdministrator });
      const open = all.filter((one) =>
        isHandable(person.id, handsOf({ ...one, care }, nowMs), { isAdministrator }),
      );
      if (!isTheirs && open.length === 0) continue;
      mayTake(company, taker);
      // A stand-in can't hand over for longer than their own period.
      const isStandIn = hands.standInId === person.id && hands.companyOwnerId !== person.id;
      const own = care === null || !isStandIn ? null : standInAt(careOf(care), nowMs);
      const ends = own === null ? until : earlier(new Date(own.untilMs), until);
      if (isTheirs) {
        lent.push(company);
        const standIn = {
          standInId: to.id,
          standInFrom: new Date(nowMs),
          standInUntil: ends,
          laterStandIns: care === null ? [] : replacedStandIns(care, ends.getTime()),
        };
        await tx
          .insert(incidentCare)
          .values({ company, ...standIn })
          .onConflictDoUpdate({ target: incidentCare.company, set: standIn });
      }
      for (const incident of open) {
        const { lentById, lentUntil } = incident;
        const borrowedUntil = lentUntil !== null && lentUntil.getTime() > nowMs ? lentUntil : null;
        // It comes back to them as the owner's stand-in; else only the owner can have it back.
        const comesBack = isTheirs && isStandIn && lentById === care?.ownerId;
        const lending =
          borrowedUntil === null
            ? { lentById: person.id, lentUntil: until }
            : { lentById, lentUntil: comesBack ? earlier(borrowedUntil, until) : borrowedUntil };
        await tx
          .update(incidents)
          .set({
            ownerId: to.id,
            ownerSince: new Date(nowMs),
            ...lending,
          })
          .where(and(eq(incidents.company, company), eq(incidents.id, incident.id)));
        const mine = { id: person.id, name: person.name };
        await addEvent(tx, incident, act, {
          kind: "owned",
          detail: {
            owner: to,
            previous_owner: mine,
            until: lending.lentUntil.toISOString(),
          },
        });
      }
      count += open.length;
      await audited(tx, act, {
        company,
        kind: "incident",
        action: "hand-over",
        subject: name,
        detail: {
          because: `to ${to.name} until ${until.toISOString()}; open incidents: ${open.length}`,
        },
      });
    }
    return { companies: lent, incidents: count };
  });
}

const earlier = (one: Date, other: Date) => (one < other ? one : other);
