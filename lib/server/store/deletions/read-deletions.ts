import { and, asc, desc, eq, gte, inArray, or, sql } from "drizzle-orm";
import type { Orm } from "@/lib/server/store/database";
import { deletionItems, deletions } from "@/lib/server/store/schema/deletions";
import {
  type Deletion,
  type DeletionFile,
  OPEN_STATES,
  epochMs,
  isDeletion,
  isItemOf,
  withItsDeletion,
  IS_FINAL,
  IS_PENDING,
} from "./deletion-rows";

/** A company's deletion with its files in order; null when there is none of that id. */
export async function readDeletion(
  orm: Orm,
  company: string,
  id: string,
): Promise<{ deletion: Deletion; files: DeletionFile[] } | null> {
  const [deletion] = await orm.select().from(deletions).where(isDeletion(company, id));
  if (deletion === undefined) return null;
  const files = await orm
    .select()
    .from(deletionItems)
    .where(isItemOf(company, id))
    .orderBy(asc(deletionItems.position));
  return { deletion, files };
}

/** A deletion without its files, but with how far they are; instants of outcomes are null before the first. */
export type DeletionSummary = Deletion & {
  files: number;
  /** Files with their last outcome. */
  settled: number;
  /** Files that nothing was sent for yet. */
  pending: number;
  firstOutcomeMs: number | null;
  lastOutcomeMs: number | null;
  /** Of the first file. */
  name: string;
};

/** Those that are under way, and one person's since an instant; newest first. */
export async function listDeletions(
  orm: Orm,
  company: string,
  given: { personId: string; sinceMs: number; limit: number },
): Promise<DeletionSummary[]> {
  const rows = await orm
    .select({
      deletion: deletions,
      files: sql<number>`count(*)::int`,
      settled: sql<number>`count(*) filter (where ${IS_FINAL})::int`,
      pending: sql<number>`count(*) filter (where ${IS_PENDING})::int`,
      firstOutcomeMs: epochMs(sql`min(${deletionItems.outcomeAt})`),
      lastOutcomeMs: epochMs(sql`max(${deletionItems.outcomeAt})`),
      name: sql<string>`min(${deletionItems.confirmed} ->> 'name') filter (where ${deletionItems.position} = 0)`,
    })
    .from(deletions)
    .innerJoin(deletionItems, withItsDeletion)
    .where(
      and(
        eq(deletions.company, company),
        or(
          inArray(deletions.state, [...OPEN_STATES]),
          and(
            eq(deletions.personId, given.personId),
            gte(deletions.requestedAt, new Date(given.sinceMs)),
          ),
        ),
      ),
    )
    .groupBy(deletions.company, deletions.id)
    .orderBy(desc(deletions.requestedAt), desc(deletions.id))
    .limit(given.limit);
  return rows.map(({ deletion, ...progress }) => ({ ...deletion, ...progress }));
}
