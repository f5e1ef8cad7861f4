import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { lastLooks } from "@/lib/server/store/schema/last-looks";

/** In place of a company: the list of all of them. */
export const ALL_COMPANIES = "";

/** Somebody, and what they look at: a company's slug, or `ALL_COMPANIES`. */
export type Looker = { personId: string; company: string };

/** @returns when somebody last looked, epoch milliseconds on our clock; null: never */
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
 * Keeps that somebody looked; of several tabs the one that was heard last counts.
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
