import { eq, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { apiTokenTurns } from "@/lib/server/store/schema/tokens";

/** Limits of a token over all instances. */
export type TokenLimits = { perMinute: number; atOnce: number };

const WINDOW_MS = 60_000;
/** Requests are counted in tenths: a 304 response costs one tenth. */
const WHOLE = 10;
const UNCHANGED = 1;
/** After this time a request doesn't count as in work any more: its instance may have been killed. */
const LEASE_MS = 60_000;

export type TokenTurn = {
  isTaken: boolean;
  /** Whole requests left in the window. */
  remaining: number;
  /** End of the window, on the clock of `nowMs`. */
  windowEndsMs: number;
};

/**
 * Counts a request of a token and takes one of its turns, if the limits permit; otherwise changes nothing.
 * @param given.turn unique id of the request
 * @param given.nowMs PostgreSQL's clock, as all instances know it
 * @returns null: no such token
 */
export async function takeTokenTurn(
  { orm }: Pick<Database, "orm">,
  { tokenId, turn, nowMs }: { tokenId: string; turn: string; nowMs: number },
  { perMinute, atOnce }: TokenLimits,
): Promise<TokenTurn | null> {
  const now = new Date(Math.round(nowMs));
  const { windowStartedAt, used, inWork } = apiTokenTurns;
  // Also if the clock was set back.
  const isOver = sql`abs(extract(epoch from ${windowStartedAt} - ${now}) * 1000) >= ${WINDOW_MS}`;
  const usedNow = sql`(case when ${isOver} then 0 else ${used} end)`;
  const live = sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${inWork})
    where value::bigint between ${now.getTime()} and ${now.getTime() + LEASE_MS})`;
  const isFree = sql`(${usedNow} + ${WHOLE} <= ${perMinute * WHOLE}
    and (select count(*) from jsonb_object_keys(${live})) < ${atOnce})`;
  const own = sql`jsonb_build_object(${turn}::text, ${now.getTime() + LEASE_MS}::bigint)`;
  const [row] = await orm
    .update(apiTokenTurns)
    .set({
      windowStartedAt: sql`case when ${isOver} then ${now} else ${windowStartedAt} end`,
      used: sql`${usedNow} + case when ${isFree} then ${WHOLE} else 0 end`,
      inWork: sql`${live} || case when ${isFree} then ${own} else '{}' end`,
    })
    .where(eq(apiTokenTurns.tokenId, tokenId))
    .returning();
  if (row === undefined) return null;
  return {
    isTaken: Object.hasOwn(row.inWork, turn),
    remaining: Math.floor((perMinute * WHOLE - row.used) / WHOLE),
    windowEndsMs: row.windowStartedAt.getTime() + WINDOW_MS,
  };
}

/** Ends a turn. @param given.isUnchanged the response was a 304 */
export async function endTokenTurn(
  { orm }: Pick<Database, "orm">,
  given: { tokenId: string; turn: string; isUnchanged: boolean },
): Promise<void> {
  const { used, inWork } = apiTokenTurns;
  const saved = given.isUnchanged ? WHOLE - UNCHANGED : 0;
  await orm
    .update(apiTokenTurns)
    .set({
      inWork: sql`${inWork} - ${given.turn}::text`,
      // A new window may have begun since.
      used: sql`greatest(${used} - ${saved}, 0)`,
    })
    .where(eq(apiTokenTurns.tokenId, given.tokenId));
}
