import { and, eq, lt, notLike, or, sql } from "drizzle-orm";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { signInAttempts } from "@/lib/server/store/schema/people";

/** End of the key of each bucket whose window is a day. */
export const DAILY = " per day";
/** Of the other buckets. */
const LONGEST_WINDOW_MS = 15 * MINUTE_MS;

/**
 * Counts one attempt in a bucket with a single statement, so that concurrent attempts all count. A window
 * starts with its first attempt; attempts beyond `limit` neither extend the window nor raise the count further.
 * @returns the count including this attempt (at most `limit + 1`), and the start of the window (epoch
 * milliseconds)
 */
export async function countAttempt(
  { orm }: Database,
  bucket: string,
  window: { nowMs: number; lengthMs: number; limit: number },
): Promise<{ count: number; windowStartedAtMs: number }> {
  const now = new Date(window.nowMs);
  const windowOver = sql`(${signInAttempts.windowStartedAt} <= ${new Date(window.nowMs - window.lengthMs)} or ${signInAttempts.windowStartedAt} > ${now})`;
  const [row] = await orm
    .insert(signInAttempts)
    .values({ bucket, windowStartedAt: now, count: 1 })
    .onConflictDoUpdate({
      target: signInAttempts.bucket,
      set: {
        count: sql`case when ${windowOver} then 1 else least(${signInAttempts.count} + 1, ${window.limit + 1}::int) end`,
        windowStartedAt: sql`case when ${windowOver} then ${now} else ${signInAttempts.windowStartedAt} end`,
      },
    })
    .returning({ count: signInAttempts.count, startedAt: signInAttempts.windowStartedAt });
  if (!row) throw new Error("the attempt was not counted");
  return { count: row.count, windowStartedAtMs: row.startedAt.getTime() };
}

/** Removes one counted attempt that turned out not to be a wrong guess. */
export async function uncountAttempt({ orm }: Database, bucket: string): Promise<void> {
  await orm
    .update(signInAttempts)
    .set({ count: sql`greatest(${signInAttempts.count} - 1, 0)` })
    .where(eq(signInAttempts.bucket, bucket));
}

/** Deletes a bucket. */
export async function clearAttempts({ orm }: Database, bucket: string): Promise<void> {
  await orm.delete(signInAttempts).where(eq(signInAttempts.bucket, bucket));
}

/** Deletes windows that are over. @param nowMs on the database clock, epoch milliseconds */
export async function pruneAttempts({ orm }: Database, nowMs: number): Promise<void> {
  const isOlderThan = (ms: number) => lt(signInAttempts.windowStartedAt, new Date(nowMs - ms));
  await orm
    .delete(signInAttempts)
    .where(
      or(
        and(isOlderThan(LONGEST_WINDOW_MS), notLike(signInAttempts.bucket, `%${DAILY}`)),
        isOlderThan(DAY_MS),
      ),
    );
}
