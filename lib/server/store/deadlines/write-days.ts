import { and, eq } from "drizzle-orm";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import { batches } from "@/lib/server/store/batches";
import type { Transaction } from "@/lib/server/store/database";
import { deadlineDays, deadlineFolds } from "@/lib/server/store/schema/deadlines";
import type { AwaitedDay, DeadlineFold } from "./read-deadlines";

/** What a snapshot adds to a company's closed days. Epoch milliseconds on the API's clock. */
export type DeadlineChanges = {
  /** Progress before; null: the company never had a deadline, and nothing else is set. */
  fold: DeadlineFold | null;
  /** Progress after. */
  closedUntilMs: number | null;
  closed: readonly (ClosedDay & { endpointKey: string })[];
  /** Missed days whose data has arrived. */
  received: readonly (AwaitedDay & { receivedMs: number })[];
};

export const NO_DEADLINE_CHANGES: DeadlineChanges = {
  fold: null,
  closedUntilMs: null,
  closed: [],
  received: [],
};

/**
 * Closes days. A day that is closed already stays as it is; of a missed one only the time of its data is added.
 * @param atMs the snapshot's time, epoch milliseconds on the API's clock
 */
export async function writeDeadlineDays(
  tx: Transaction,
  company: string,
  { fold, closedUntilMs, closed, received }: DeadlineChanges,
  atMs: number,
): Promise<void> {
  if (fold === null) return;
  for (const batch of batches(closed))
    await tx
      .insert(deadlineDays)
      .values(batch.map((one) => valuesOf(company, one, atMs)))
      .onConflictDoNothing();
  for (const { endpointId, deadlineId, date, receivedMs, isAtMost } of received)
    await tx
      .update(deadlineDays)
      .set({ receivedAt: new Date(receivedMs), isAtMost })
      .where(
        and(
          eq(deadlineDays.company, company),
          eq(deadlineDays.endpointId, endpointId),
          eq(deadlineDays.deadlineId, deadlineId),
          eq(deadlineDays.date, date),
        ),
      );
  if (closedUntilMs === null || closedUntilMs === fold.closedUntilMs) return;
  // A deadline changed since: the next snapshot goes through its days again.
  await tx
    .update(deadlineFolds)
    .set({ closedUntil: new Date(closedUntilMs) })
    .where(and(eq(deadlineFolds.company, company), eq(deadlineFolds.version, fold.version)));
}

function valuesOf(
  company: string,
  { deadline, day, ...closed }: DeadlineChanges["closed"][number],
  atMs: number,
): typeof deadlineDays.$inferInsert {
  const { by, days, monthDays, timeZone, dataFrom, allowanceMinutes, from, until } = deadline;
  return {
    company,
    endpointId: closed.endpointId,
    deadlineId: deadline.id,
    date: day.date,
    partnerName: closed.partner,
    endpointKey: closed.endpointKey,
    dueAt: new Date(day.dueMs),
    limitAt: new Date(day.limitMs),
    outcome: closed.outcome,
    receivedAt: closed.receivedMs === null ? null : new Date(closed.receivedMs),
    isAtMost: closed.isAtMost,
    excuse: closed.excuse,
    rule: { by, days, monthDays, timeZone, dataFrom, allowanceMinutes, from, until },
    closedAt: new Date(atMs),
  };
}
