import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "@/lib/server/store/database";
import { deletionItems } from "@/lib/server/store/schema/deletions";
import { scheduleFiles } from "@/lib/server/store/schema/files";
import { isItem, lockDeletion, logFiles } from "./deletion-rows";

/** A later read counts against an outcome for this long. */
const CONTRADICTS_WITHIN_MS = 24 * 3_600_000;
/** The API's lists may be stale by this much: a listed file may have been deleted since. */
const LISTS_ARE_BEHIND_MS = 120_000;

/**
 * SQL: whether listing one of the files now may contradict the outcome of a deletion, so that it must be noted when they
 * were listed.
 * @param given.ids a `bigint[]`
 * @param given.now our clock
 */
export function hasRecentOutcome({
  company,
  ids,
  now,
}: {
  company: SQLWrapper;
  ids: SQLWrapper;
  now: SQLWrapper;
}): SQL {
  return sql`exists (
    select from ${deletionItems}
    where ${deletionItems.company} = ${company} and ${deletionItems.fileId} = any(${ids})
      and ${deletionItems.contradictedAt} is null
      and ${deletionItems.outcome} in ('deleted', 'already_gone', 'still_there')
      and ${deletionItems.outcomeAt} > ${now}::timestamptz - ${sql.raw(String(CONTRADICTS_WITHIN_MS))} * interval '1 ms'
  )`;
}

/**
 * Compares the final outcomes of the last day with the mirror, and logs contradictions: a file that was still
 * there is gone although no later deletion of ours explains it, or a file that was gone is listed. The recorded
 * outcome stays unchanged.
 * @param tx transaction that has just updated the mirror
 * @param nowMs our clock, epoch milliseconds
 */
export async function noteLaterSightings(
  tx: Transaction,
  company: string,
  nowMs: number,
): Promise<void> {
  const ours = alias(deletionItems, "ours");
  const explained = exists(
    tx
      .select({ one: sql`1` })
      .from(ours)
      .where(
        and(
          eq(ours.company, deletionItems.company),
          eq(ours.fileId, deletionItems.fileId),
          eq(ours.outcome, "deleted"),
          gte(ours.outcomeAt, deletionItems.outcomeAt),
        ),
      ),
  );
  const behind = sql`${deletionItems.outcomeAt} + ${LISTS_ARE_BEHIND_MS} * interval '1 ms'`;
  const found = await tx
    .select({ item: deletionItems, goneAt: scheduleFiles.goneAt })
    .from(deletionItems)
    .innerJoin(
      scheduleFiles,
      and(
        eq(scheduleFiles.company, deletionItems.company),
        eq(scheduleFiles.id, deletionItems.fileId),
      ),
    )
    .where(
      and(
        eq(deletionItems.company, company),
        isNull(deletionItems.contradictedAt),
        inArray(deletionItems.outcome, ["deleted", "already_gone", "still_there"]),
        gt(deletionItems.outcomeAt, new Date(nowMs - CONTRADICTS_WITHIN_MS)),
        lte(deletionItems.outcomeAt, new Date(nowMs)),
        or(
          and(
            eq(deletionItems.outcome, "still_there"),
            isNotNull(scheduleFiles.goneAt),
            not(explained),
          ),
          and(
            inArray(deletionItems.outcome, ["deleted", "already_gone"]),
            isNull(scheduleFiles.goneAt),
            gt(scheduleFiles.lastSeenAt, behind),
          ),
        ),
      ),
    )
    .orderBy(asc(deletionItems.deletionId), asc(deletionItems.position));
  for (const { item, goneAt } of found) {
    const seen = goneAt === null ? "there" : "gone";
    const deletion = await lockDeletion(tx, company, item.deletionId);
    if (deletion === null) continue;
    await tx
      .update(deletionItems)
      .set({ contradictedAt: new Date(nowMs), contradictedBy: seen })
      .where(isItem(item));
    await logFiles(tx, deletion, [item.position], "delete.seen-later", { seen }, nowMs);
  }
}
