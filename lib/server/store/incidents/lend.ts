import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database, Orm } from "@/lib/server/store/database";
import { holdHolders, type Holder } from "@/lib/server/store/people/holder";
import { incidentCare, incidents } from "@/lib/server/store/schema/incidents";
import { addEvent, holdIncidents, type Act } from "./incident-acts";
import { ownerAt } from "./read-incidents";

/** The companies that somebody looks after, and the open incidents that are theirs. @param nowMs our clock */
export async function readOwned(
  orm: Orm,
  personId: string,
  nowMs: number,
): Promise<{ companies: string[]; incidents: { company: string; id: number }[] }> {
  const cared = await orm
    .select({ company: incidentCare.company })
    .from(incidentCare)
    .where(eq(incidentCare.ownerId, personId))
    .orderBy(incidentCare.company);
  const owned = await orm
    .select({ company: incidents.company, id: incidents.id })
    .from(incidents)
    .where(and(isNull(incidents.endedAt), sql`${ownerAt(nowMs)} = ${personId}`));
  return { companies: cared.map(({ company }) => company), incidents: owned };
}

/**
 * Lends all that is somebody's in some companies, in one transaction: what they look after, and their open incidents.
 * What was lent to them goes on, until it goes back to whom it is from.
 * @param mayTake throws to change nothing; asked of those companies alone where anything is to be handed over. The
 *   holder stays as they are until it is written; undefined: there is no such person
 * @returns the companies that were lent, and how many incidents
 */
export function lendAll(
  { orm }: Pick<Database, "orm">,
  {
    act,
    companies,
    to,
    until,
    mayTake,
  }: {
    act: Act;
    companies: readonly { company: string; name: string }[];
    to: { id: string; name: string };
    until: Date;
    mayTake: (company: string, holder: Holder | undefined) => void;
  },
): Promise<{ companies: string[]; incidents: number }> {
  const { person, nowMs } = act;
  return orm.transaction(async (tx) => {
    const holders = await holdHolders(tx, [person.id, to.id]);
    const taker = holders.find(({ id }) => id === to.id);
    const lent: string[] = [];
    let count = 0;
    for (const { company, name } of companies.toSorted((a, b) =>
      a.company < b.company ? -1 : 1,
    )) {
      await holdIncidents(tx, company);
      const care = await tx
        .select({ company: incidentCare.company })
        .from(incidentCare)
        .where(and(eq(incidentCare.company, company), eq(incidentCare.ownerId, person.id)))
        .for("update");
      const open = await tx
        .select()
        .from(incidents)
        .where(
          and(
            eq(incidents.company, company),
            isNull(incidents.endedAt),
            sql`${ownerAt(nowMs)} = ${person.id}`,
          ),
        )
        .orderBy(incidents.id)
        .for("update");
      if (care.length + open.length === 0) continue;
      mayTake(company, taker);
      if (care.length > 0) {
        lent.push(company);
        await tx
          .update(incidentCare)
          .set({ standInId: to.id, standInFrom: new Date(nowMs), standInUntil: until })
          .where(eq(incidentCare.company, company));
      }
      for (const incident of open) {
        const isBorrowed = incident.lentUntil !== null && incident.lentUntil.getTime() > nowMs;
        await tx
          .update(incidents)
          .set({
            ownerId: to.id,
            ownerSince: new Date(nowMs),
            ...(!isBorrowed && { lentById: person.id, lentUntil: until }),
          })
          .where(and(eq(incidents.company, company), eq(incidents.id, incident.id)));
        const mine = { id: person.id, name: person.name };
        await addEvent(tx, incident, act, {
          kind: "owned",
          detail: {
            owner: to,
            previous_owner: mine,
            until: ((isBorrowed ? incident.lentUntil : null) ?? until).toISOString(),
          },
        });
      }
      count += open.length;
      await appendAudit(tx, company, nowMs, [
        {
          kind: "incident",
          actionId: randomUUID(),
          event: "hand-over.asked",
          person,
          requestId: null,
          detail: {
            subject: name,
            because: `to ${to.name} until ${until.toISOString()}; open incidents: ${open.length}`,
          },
        },
      ]);
    }
    return { companies: lent, incidents: count };
  });
}
