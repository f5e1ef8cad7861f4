import { and, count, eq, min, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { lockUntilCommit, LOCKS } from "@/lib/server/store/locks";
import { connectionChecks } from "@/lib/server/store/schema/connections";

const WINDOW_MS = 60_000;

/**
 * Takes one of a person's checks within any minute, counted over all instances.
 * @param nowMs PostgreSQL's clock, epoch milliseconds
 * @returns milliseconds until another is free; 0: it was taken
 */
export function takeCheck(
  { orm }: Pick<Database, "orm">,
  { personId, nowMs, most }: { personId: string; nowMs: number; most: number },
): Promise<number> {
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.connectionChecks, personId);
    const own = eq(connectionChecks.personId, personId);
    await tx.delete(connectionChecks).where(
      and(
        own,
        // Also those that a clock set back has left in the future.
        sql`abs(extract(epoch from ${connectionChecks.at} - ${new Date(nowMs)}) * 1000) >= ${WINDOW_MS}`,
      ),
    );
    const [used] = await tx
      .select({ checks: count(), firstAt: min(connectionChecks.at) })
      .from(connectionChecks)
      .where(own);
    if (used !== undefined && used.checks >= most && used.firstAt !== null) {
      return Math.max(1, used.firstAt.getTime() + WINDOW_MS - nowMs);
    }
    await tx.insert(connectionChecks).values({ personId, at: new Date(nowMs) });
    return 0;
  });
}
