import { eq, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { apiTokenNetworks, apiTokens } from "@/lib/server/store/schema/tokens";
import { log } from "./api-tokens";

/** Uses of a token since the last write; `lastMs`: on PostgreSQL's clock. */
export type TokenUses = { tokenId: string; network: string; uses: number; lastMs: number };

/** Adds uses to a token's count. */
export async function addTokenUses(
  { orm }: Pick<Database, "orm">,
  { tokenId, network, uses, lastMs }: TokenUses,
): Promise<void> {
  await orm
    .update(apiTokens)
    .set({
      uses: sql`${apiTokens.uses} + ${uses}`,
      lastUsedAt: new Date(lastMs),
      lastNetwork: network,
    })
    .where(eq(apiTokens.id, tokenId));
}

/**
 * Records the network of a use. The first use from each is written to the audit log.
 * @param nowMs our clock, epoch milliseconds
 */
export function recordTokenNetwork(
  { orm }: Pick<Database, "orm">,
  {
    token,
    person,
    network,
    usedMs,
    nowMs,
  }: {
    token: { id: string; name: string };
    /** Null: a service token. */
    person: { id: string; name: string; email: string } | null;
    network: string;
    usedMs: number;
    nowMs: number;
  },
): Promise<void> {
  return orm.transaction(async (tx) => {
    const [isNew] = await tx
      .insert(apiTokenNetworks)
      .values({ tokenId: token.id, network, firstUsedAt: new Date(usedMs) })
      .onConflictDoNothing()
      .returning();
    if (isNew !== undefined) await log(tx, "use", token, { person, nowMs }, { network });
  });
}
