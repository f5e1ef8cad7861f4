import { eq, lt, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { signInAttempts } from "@/lib/server/store/schema/people";

/**
 * Counts one attempt in a bucket, in one statement, so that attempts made at once all count.
 * A window begins with its first attempt; attempts beyond `limit` neither prolong nor enlarge it.
 * @returns the count with this one (at most `limit + 1`), and when the window began (epoch milliseconds)
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

/** Takes one counted attempt back: it was not a wrong guess. */
export async function uncountAttempt({ orm }: Database, bucket: string): Promise<void> {
  await orm
    .update(signInAttempts)
    .set({ count: sql`greatest(${signInAttempts.count} - 1, 0)` })
    .where(eq(signInAttempts.bucket, bucket));
}

/** Forgets a bucket. */
export async function clearAttempts({ orm }: Database, bucket: string): Promise<void> {
  await orm.delete(signInAttempts).where(eq(signInAttempts.bucket, bucket));
}

/** Forgets windows that began before `beforeMs`. */
export async function pruneAttempts({ orm }: Database, beforeMs: number): Promise<void> {
  await orm.delete(signInAttempts).where(lt(signInAttempts.windowStartedAt, new Date(beforeMs)));
}
