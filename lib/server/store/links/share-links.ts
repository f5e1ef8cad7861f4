import { and, desc, eq, getTableColumns, gt, isNull, sql, type SQL } from "drizzle-orm";
import { audited } from "@/lib/server/store/audit/audited";
import { totalOf, type Part } from "@/lib/server/store/counted-page";
import type { Database, Transaction } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { insertUpTo } from "@/lib/server/store/insert-up-to";
import { notify } from "@/lib/server/store/notifications";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { isPaused } from "@/lib/server/store/pauses/pauses";
import { people } from "@/lib/server/store/schema/people";
import { shareLinks } from "@/lib/server/store/schema/share-links";
import { toStorable } from "@/lib/server/store/storable";

/** Share links. User changes are written to the company's audit log in the same transaction. */

type Row = typeof shareLinks.$inferSelect;

export type ShareLinkRow = Row & {
  /** Creator, with current permissions. */
  maker: Grantee;
};
/** Without the stored snapshot and secrets. */
export type ListedLink = Omit<ShareLinkRow, "stored" | "tokenHash" | "previewId">;

/** A user action with its audit context; `nowMs`: our clock, epoch milliseconds. */
export type LinkAction = {
  person: { id: string; name: string; email: string };
  requestId: string;
  nowMs: number;
};

const { stored: _, tokenHash: __, previewId: ___, ...LISTED } = getTableColumns(shareLinks);

/**
 * Finds a link by its token, or by its preview image; null: none.
 * @returns also the database time of the read, see `DatabaseTime.observe`, and whether all links are paused
 */
export async function readShareLink(
  { orm }: Pick<Database, "orm">,
  by: { tokenHash: string } | { previewId: string },
): Promise<{ row: ShareLinkRow; databaseMs: string; isPaused: boolean } | null> {
  const [found] = await orm
    .select({
      link: shareLinks,
      maker: holderOf(orm),
      databaseMs: DATABASE_NOW_MS,
      isPaused: isPaused("links"),
    })
    .from(shareLinks)
    .innerJoin(people, eq(people.id, shareLinks.madeBy))
    .where(
      "tokenHash" in by
        ? eq(shareLinks.tokenHash, by.tokenHash)
        : eq(shareLinks.previewId, by.previewId),
    );
  if (found === undefined) return null;
  const { link, maker, ...rest } = found;
  return { row: { ...link, maker }, ...rest };
}

/**
 * Inserts a new link.
 * @param options.most limit of the person's links of the company that are neither revoked nor expired at
 * `options.nowMs`, on the database clock
 * @returns null: the limit is reached
 */
export function insertShareLink(
  { orm }: Pick<Database, "orm">,
  values: typeof shareLinks.$inferInsert,
  { action, most, nowMs }: { action: LinkAction; most: number; nowMs: number },
): Promise<{ id: string; expiresAt: Date } | null> {
  const isOpen = and(
    eq(shareLinks.company, values.company),
    eq(shareLinks.madeBy, values.madeBy),
    isNull(shareLinks.revokedAt),
    gt(shareLinks.expiresAt, new Date(nowMs)),
  );
  return orm.transaction(async (tx) => {
    const row = await insertUpTo(tx, shareLinks, toStorableLink(values), { most, among: isOpen });
    if (row === null) return null;
    await log(tx, "make", row, action);
    return row;
  });
}

/** Companies to list, and the creator; null: any creator. */
export type LinkScope = { companies: readonly string[]; madeBy: string | null };

/** Links, newest first. */
export async function listShareLinks(
  { orm }: Pick<Database, "orm">,
  { companies, madeBy }: LinkScope,
  { offset, limit }: Part,
): Promise<{ links: ListedLink[]; total: number }> {
  const where = and(
    sql`${shareLinks.company} = any (${sql.param([...companies])}::text[])`,
    madeBy === null ? undefined : eq(shareLinks.madeBy, madeBy),
  );
  const rows = await orm
    .select({ link: LISTED, maker: holderOf(orm) })
    .from(shareLinks)
    .innerJoin(people, eq(people.id, shareLinks.madeBy))
    .where(where)
    .orderBy(desc(shareLinks.createdAt), desc(shareLinks.id))
    .limit(limit)
    .offset(offset);
  return {
    links: rows.map(({ link, maker }) => ({ ...link, maker })),
    total: await totalOf({ offset, limit }, rows, () => orm.$count(shareLinks, where)),
  };
}

/**
 * Changes a link of a company.
 * @param whose only if created by this person; null: any creator
 * @param valuesFor returns null to change and log nothing; throws to abort
 * @returns null: no such link
 */
export function changeShareLink(
  { orm }: Pick<Database, "orm">,
  { company, id, whose }: { company: string; id: string; whose: string | null },
  verb: "extend" | "revoke",
  valuesFor: (
    before: Row,
  ) => Partial<Pick<Row, "expiresAt" | "revokedAt" | "revokedByName">> | null,
  action: LinkAction,
): Promise<ListedLink | null> {
  return orm.transaction(async (tx) => {
    const found: SQL | undefined = and(
      eq(shareLinks.company, company),
      eq(shareLinks.id, id),
      whose === null ? undefined : eq(shareLinks.madeBy, whose),
    );
    const [before] = await tx.select().from(shareLinks).where(found).for("update");
    if (before === undefined) return null;
    const values = valuesFor(before);
    if (values !== null) {
      await tx.update(shareLinks).set(values).where(found);
      await log(tx, verb, before, action);
      await notify(tx, "links", `${before.tokenHash} ${before.previewId}`);
    }
    const [after] = await tx
      .select({ link: LISTED, maker: holderOf(tx) })
      .from(shareLinks)
      .innerJoin(people, eq(people.id, shareLinks.madeBy))
      .where(found);
    return after === undefined ? null : { ...after.link, maker: after.maker };
  });
}

/** Counts a page view of a link. */
export async function countOpened({ orm }: Pick<Database, "orm">, id: string): Promise<void> {
  await orm
    .update(shareLinks)
    .set({
      openedCount: sql`least(${shareLinks.openedCount}::bigint + 1, 2147483647)::int`,
      lastOpenedAt: sql`clock_timestamp()`,
    })
    .where(eq(shareLinks.id, id));
}

function toStorableLink(values: typeof shareLinks.$inferInsert): typeof shareLinks.$inferInsert {
  const { partnerName, stored, forWhom } = values;
  return { ...values, ...toStorable({ partnerName, stored, forWhom }) };
}

/** Logs what is shared and with whom, never the URL. */
function log(
  tx: Transaction,
  verb: string,
  {
    id,
    company,
    partnerName,
    incidentId,
    forWhom,
  }: Pick<Row, "id" | "company" | "partnerName" | "incidentId" | "forWhom">,
  action: LinkAction,
): Promise<void> {
  const shared = incidentId === null ? partnerName : `${partnerName}, incident ${incidentId}`;
  const subject = forWhom === null ? shared : `${shared}, for ${forWhom}`;
  const detail = { link_id: id };
  return audited(tx, action, { company, kind: "share-link", action: verb, subject, detail });
}
