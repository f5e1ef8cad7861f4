import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { RESTS_AFTER_MS, TOLD_BEFORE_MS } from "@/lib/domain/tokens/token-rest";
import type { Database } from "@/lib/server/store/database";
import { isPaused } from "@/lib/server/store/pauses/pauses";
import { people, sessions } from "@/lib/server/store/schema/people";
import { apiTokens } from "@/lib/server/store/schema/tokens";

/** A token that is about to rest, with the person to tell. */
export type RestingSoon = {
  id: string;
  name: string;
  restsAt: Date;
  person: { id: string; name: string; email: string };
};

/**
 * Claims the tokens that rest within a week, each once until its person signs in: concurrent callers get different
 * ones. None while messages or tokens are paused.
 * @param nowMs PostgreSQL's clock, epoch milliseconds
 */
export function claimRestingSoon(
  { orm }: Pick<Database, "orm">,
  nowMs: number,
): Promise<RestingSoon[]> {
  const signedIn = orm
    .select({ at: sql`max(${sessions.createdAt})` })
    .from(sessions)
    .where(eq(sessions.personId, apiTokens.personId));
  // `greatest` ignores nulls.
  const restsAt = sql`(greatest(${apiTokens.createdAt}, (${signedIn})) + make_interval(secs => ${RESTS_AFTER_MS / 1000}))`;
  const now = new Date(nowMs);
  return orm.transaction(async (tx) => {
    const found = await tx
      .select({
        id: apiTokens.id,
        name: apiTokens.name,
        restsMs: sql<string>`floor(extract(epoch from ${restsAt}) * 1000)::bigint`,
        person: { id: people.id, name: people.name, email: people.email },
      })
      .from(apiTokens)
      .innerJoin(people, eq(people.id, apiTokens.personId))
      .where(
        and(
          isNotNull(people.issuer),
          isNull(people.disabledAt),
          isNull(apiTokens.revokedAt),
          gt(apiTokens.expiresAt, restsAt),
          sql`${restsAt} > ${now} and ${restsAt} <= ${new Date(nowMs + TOLD_BEFORE_MS)}`,
          sql`${apiTokens.restAnnouncedFor} is distinct from ${restsAt}::timestamptz(3)`,
          sql`not ${isPaused("tokens")} and not ${isPaused("deliveries")}`,
        ),
      )
      .for("update", { of: apiTokens, skipLocked: true });
    const claimed = found.map(({ restsMs, ...token }) => ({
      ...token,
      restsAt: new Date(Number(restsMs)),
    }));
    for (const { id, restsAt: at } of claimed)
      await tx.update(apiTokens).set({ restAnnouncedFor: at }).where(eq(apiTokens.id, id));
    return claimed;
  });
}

/** Releases a claim, so that the person is told later. */
export async function releaseRestingSoon(
  { orm }: Pick<Database, "orm">,
  id: string,
): Promise<void> {
  await orm.update(apiTokens).set({ restAnnouncedFor: null }).where(eq(apiTokens.id, id));
}
