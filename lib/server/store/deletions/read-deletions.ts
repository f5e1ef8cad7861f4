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

/** A company's deletion with its files in order; null: no such deletion. */
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

/** A deletion with its progress instead of its files; outcome times are null before the first one. */
export type DeletionSummary = Deletion & {
  files: number;
  /** Files with a final outcome. */
  settled: number;
  /** Files for which nothing was sent yet. */
  pending: number;
  firstOutcomeMs: number | null;
  lastOutcomeMs: number | null;
  /** Name of the first file. */
  name: string;
};

/** Open deletions, and one person's deletions since a given time; newest first. */
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
