import { inArray, isNull } from "drizzle-orm";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Orm } from "@/lib/server/store/database";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { notify } from "@/lib/server/store/notifications";
import { demoRemoval } from "@/lib/server/store/schema/demo";
import { companies } from "@/lib/server/store/schema/record";
import { deleteRecordOf } from "@/lib/server/store/sync/forget-company";

/** Progress of the demo's removal; "none": it wasn't requested. */
export type DemoRemovalState = "none" | "removing" | "removed";

export async function readDemoRemoval(orm: Pick<Orm, "select">): Promise<DemoRemovalState> {
  const [row] = await orm.select({ finishedAt: demoRemoval.finishedAt }).from(demoRemoval);
  if (row === undefined) return "none";
  return row.finishedAt === null ? "removing" : "removed";
}

/**
 * Requests the removal of the demo, which every instance is told of on commit. Does nothing if it was requested before.
 * @param change who requested it, and when
 */
export function requestDemoRemoval({ orm }: Pick<Database, "orm">, change: Change): Promise<void> {
  return orm.transaction(async (tx) => {
    // A starting instance either creates the demo's accounts before this, or not at all.
    await lockUntilCommit(tx, LOCKS.firstAdministrator);
    const added = await tx
      .insert(demoRemoval)
      .values({ requestedAt: new Date(change.nowMs) })
      .onConflictDoNothing()
      .returning();
    if (added.length === 0) return;
    await notify(tx, "demo", "");
    await audited(tx, change, {
      company: null,
      kind: "company",
      action: "remove-demo",
      subject: "Demo",
    });
  });
}

/** Whether an instance may still be reading one of these companies. @param slugs of companies that have to be disconnected */
export async function areStillConnected(
  { orm }: Pick<Database, "orm">,
  slugs: readonly string[],
): Promise<boolean> {
  const rows = await orm
    .select({ leftAt: companies.leftAt })
    .from(companies)
    .where(inArray(companies.slug, [...slugs]));
  return rows.some(({ leftAt }) => leftAt === null);
}

/**
 * Deletes the record of the demo companies, and notes that the removal is complete. Safe to repeat after an
 * interruption: until the end their slugs are taken, so that no other company's record can be deleted.
 * @param nowMs our clock, epoch milliseconds
 * @param afterRecord deletes what the record referred to
 */
export async function deleteDemoRecord(
  database: Pick<Database, "orm" | "pool">,
  slugs: readonly string[],
  nowMs: number,
  afterRecord: () => Promise<void>,
): Promise<void> {
  // Once more for rows that were written meanwhile by work in progress.
  let deleted: number;
  do {
    deleted = 0;
    for (const slug of slugs) deleted += await deleteRecordOf(database, slug);
  } while (deleted > 0);
  await afterRecord();
  await database.orm.transaction(async (tx) => {
    await tx.delete(companies).where(inArray(companies.slug, [...slugs]));
    await tx
      .update(demoRemoval)
      .set({ finishedAt: new Date(nowMs) })
      .where(isNull(demoRemoval.finishedAt));
  });
}
