import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { lastLooks } from "@/lib/server/store/schema/last-looks";

/** Stands for the list of all companies. */
export const ALL_COMPANIES = "";

/** A person and the overview visited: a company's slug, or `ALL_COMPANIES`. */
export type Looker = { personId: string; company: string };

/** @returns the person's last visit, epoch milliseconds on our clock; null: never */
export async function readLastLook(
  { orm }: Pick<Database, "orm">,
  { personId, company }: Looker,
): Promise<number | null> {
  const [row] = await orm
    .select({ lookedAt: lastLooks.lookedAt })
    .from(lastLooks)
    .where(and(eq(lastLooks.personId, personId), eq(lastLooks.company, company)));
  return row?.lookedAt.getTime() ?? null;
}

/**
 * Records a visit; with several tabs, the last write wins.
 * @param nowMs our clock, epoch milliseconds
 */
export async function keepLastLook(
  { orm }: Pick<Database, "orm">,
  { personId, company }: Looker,
  nowMs: number,
): Promise<void> {
  await orm
    .insert(lastLooks)
    .values({ personId, company, lookedAt: new Date(nowMs) })
    .onConflictDoUpdate({
      target: [lastLooks.personId, lastLooks.company],
      set: { lookedAt: sql`excluded.looked_at` },
    });
}
