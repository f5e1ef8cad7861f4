import { eq } from "drizzle-orm";
import type { Pausable } from "@/lib/domain/pause";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database, Orm } from "@/lib/server/store/database";
import { pauses } from "@/lib/server/store/schema/pauses";

/** Since when and why something waits for an administrator. */
export type Pause = typeof pauses.$inferSelect;

/** Null: it goes on. */
export async function readPause(orm: Orm, what: Pausable): Promise<Pause | null> {
  const [row] = await orm.select().from(pauses).where(eq(pauses.what, what));
  return row ?? null;
}

/**
 * Lets something go on. It stands in the log of every company, since it is about all of them.
 * @param by `nowMs` is our clock, epoch milliseconds
 * @returns how it was paused; null: it was not
 */
export function endPause(
  { orm }: Pick<Database, "orm">,
  what: Pausable,
  by: {
    person: { id: string; name: string; email: string };
    requestId: string;
    nowMs: number;
    companies: readonly string[];
  },
): Promise<Pause | null> {
  const { person, requestId, nowMs, companies } = by;
  return orm.transaction(async (tx) => {
    const [ended] = await tx.delete(pauses).where(eq(pauses.what, what)).returning();
    if (ended === undefined) return null;
    // In one order, whoever adds to several logs at once.
    for (const company of companies.toSorted()) {
      await appendAudit(tx, company, nowMs, [
        {
          kind: "pause",
          actionId: `resume/${requestId}`,
          event: "resume.asked",
          person,
          requestId,
          detail: {
            subject: what,
            since: ended.since.toISOString(),
            reason: ended.reason,
            backup_at: ended.backupAt?.toISOString() ?? null,
          },
        },
      ]);
    }
    return ended;
  });
}
