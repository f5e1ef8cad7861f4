import { and, desc, eq, isNull } from "drizzle-orm";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database } from "@/lib/server/store/database";
import { insertUpTo } from "@/lib/server/store/insert-up-to";
import { notify } from "@/lib/server/store/notifications";
import { isPaused } from "@/lib/server/store/pauses/pauses";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { calendars } from "@/lib/server/store/schema/calendars";
import { people } from "@/lib/server/store/schema/people";

/** Links to calendars. Changes are written to the company's audit log in the same transaction. */

export type ListedCalendar = Pick<typeof calendars.$inferSelect, "id" | "company" | "createdAt"> & {
  /** Creator, with current permissions. */
  maker: Grantee;
};

const SUBJECT = "Calendar";

/**
 * Finds a calendar that isn't revoked by its token.
 * @returns null: none, or all links are paused
 */
export async function readCalendar(
  { orm }: Pick<Database, "orm">,
  tokenHash: string,
): Promise<ListedCalendar | null> {
  const [found] = await orm
    .select({ ...listed, maker: holderOf(orm), isPaused: isPaused("links") })
    .from(calendars)
    .innerJoin(people, eq(people.id, calendars.madeBy))
    .where(and(eq(calendars.tokenHash, tokenHash), isNull(calendars.revokedAt)));
  if (found === undefined || found.isPaused) return null;
  const { isPaused: _, ...calendar } = found;
  return calendar;
}

const listed = { id: calendars.id, company: calendars.company, createdAt: calendars.createdAt };

/** A company's calendars that aren't revoked, newest first. @param whose their creator; null: any */
export function listCalendars(
  { orm }: Pick<Database, "orm">,
  { company, whose }: { company: string; whose: string | null },
): Promise<ListedCalendar[]> {
  return orm
    .select({ ...listed, maker: holderOf(orm) })
    .from(calendars)
    .innerJoin(people, eq(people.id, calendars.madeBy))
    .where(
      and(
        eq(calendars.company, company),
        isNull(calendars.revokedAt),
        whose === null ? undefined : eq(calendars.madeBy, whose),
      ),
    )
    .orderBy(desc(calendars.createdAt), desc(calendars.id));
}

/**
 * Inserts a calendar.
 * @param most limit of the person's calendars of the company that aren't revoked
 * @returns its id; null: the limit is reached
 */
export function insertCalendar(
  { orm }: Pick<Database, "orm">,
  values: typeof calendars.$inferInsert,
  { change, most }: { change: Change; most: number },
): Promise<string | null> {
  const among = and(
    eq(calendars.company, values.company),
    eq(calendars.madeBy, values.madeBy),
    isNull(calendars.revokedAt),
  );
  return orm.transaction(async (tx) => {
    const row = await insertUpTo(tx, calendars, values, { most, among });
    if (row === null) return null;
    await audited(tx, change, eventOf(row, "make-calendar"));
    return row.id;
  });
}

/**
 * Revokes a calendar; one that is revoked stays as it is.
 * @param whose only if created by this person; null: any creator
 * @returns whether there is one, and whether it was revoked now
 */
export function revokeCalendar(
  { orm }: Pick<Database, "orm">,
  { company, id, whose }: { company: string; id: string; whose: string | null },
  { change, at }: { change: Change; at: Date },
): Promise<"revoked" | "unchanged" | "missing"> {
  return orm.transaction(async (tx) => {
    const found = and(
      eq(calendars.company, company),
      eq(calendars.id, id),
      whose === null ? undefined : eq(calendars.madeBy, whose),
    );
    const [before] = await tx.select().from(calendars).where(found).for("update");
    if (before === undefined) return "missing";
    if (before.revokedAt !== null) return "unchanged";
    await tx.update(calendars).set({ revokedAt: at }).where(found);
    await audited(tx, change, eventOf(before, "revoke-calendar"));
    await notify(tx, "links", before.tokenHash);
    return "revoked";
  });
}

/** For the audit log, never with the URL. */
function eventOf({ id, company }: { id: string; company: string }, action: string) {
  return { company, kind: "share-link", action, subject: SUBJECT, detail: { calendar_id: id } };
}
