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
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "@/lib/server/store/database";
import { deletionItems } from "@/lib/server/store/schema/deletions";
import { scheduleFiles } from "@/lib/server/store/schema/files";
import { isItem, lockDeletion, logFiles } from "./deletion-rows";

/** So long after an outcome a sight of the file still says something about it. */
const SAYS_SOMETHING_MS = 24 * 3_600_000;
/** The API may show a list as it was a while ago: a file that such a list holds may have been deleted since. */
const LISTS_ARE_BEHIND_MS = 120_000;

/**
 * Compares the final outcomes of the last day with what the mirror says now, and appends to the log where it says
 * otherwise: a file that was still there is gone, though no other deletion of ours explains that; or one that was
 * gone is listed. The outcome itself stays as it was recorded.
 * @param tx has just brought the mirror up to date
 * @param nowMs our clock, epoch milliseconds
 */
export async function noteLaterSights(
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
        gt(deletionItems.outcomeAt, new Date(nowMs - SAYS_SOMETHING_MS)),
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
