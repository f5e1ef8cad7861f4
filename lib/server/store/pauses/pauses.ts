import { eq, inArray, sql, type SQL } from "drizzle-orm";
import { PAUSABLE, UNLOGGED_RESTORE, type Pausable } from "@/lib/domain/pause";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import { appendInstallationEvents } from "@/lib/server/store/audit/installation-log";
import type { Database, Orm } from "@/lib/server/store/database";
import { pauses } from "@/lib/server/store/schema/pauses";

/** Since when and why something waits for an administrator. */
export type Pause = typeof pauses.$inferSelect;

/** @returns null: not paused */
export async function readPause(orm: Orm, what: Pausable): Promise<Pause | null> {
  const [row] = await orm
    .select()
    .from(pauses)
    .where(eq(pauses.what, what))
    .prepare("read_pause")
    .execute();
  return row ?? null;
}

/** SQL condition for use in other queries. */
export const isPaused = (what: Pausable): SQL<boolean> =>
  sql<boolean>`exists (select from ${pauses} where ${pauses.what} = ${what})`;

/** Everything that is paused. */
export async function readPauses(orm: Orm): Promise<(Pause & { what: Pausable })[]> {
  const rows = await orm
    .select()
    .from(pauses)
    .where(inArray(pauses.what, [...PAUSABLE]));
  return rows as (Pause & { what: Pausable })[];
}

/**
 * Writes a restore to the installation-wide audit log, once. The restoring program has only the database,
 * perhaps without the signing keys.
 * @param nowMs our clock, epoch milliseconds
 * @returns how it was restored; null: no restore is left to log
 */
export function logRestore({ orm }: Pick<Database, "orm">, nowMs: number): Promise<Pause | null> {
  return orm.transaction(async (tx) => {
    const [restored] = await tx.delete(pauses).where(eq(pauses.what, UNLOGGED_RESTORE)).returning();
    if (restored === undefined) return null;
    const backupAt = restored.backupAt?.toISOString() ?? null;
    await appendInstallationEvents(tx, nowMs, [
      {
        kind: "pause",
        action: "restore",
        person: null,
        subject: `backup of ${backupAt ?? "an unknown time"}`,
        detail: {
          since: restored.since.toISOString(),
          backup_at: backupAt,
          paused: PAUSABLE,
          because: "sessions, invitations and password links ended",
        },
      },
    ]);
    return restored;
  });
}

/**
 * Resumes something. Logged for every company, since it affects all of them.
 * @param by `nowMs` is our clock, epoch milliseconds
 * @returns the ended pause; null: it wasn't paused
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
    // A fixed order prevents deadlocks between transactions that append to several logs.
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
