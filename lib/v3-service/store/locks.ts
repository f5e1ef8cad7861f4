import { sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";

/**
 * The advisory locks of the v3 service. It may share a database with Plumbline: a test checks that their locks differ.
 */
export const V3_LOCKS = {
  /** Creation of the key that signs tokens. */
  signingKey: 7_302_001,
  /** Filling an empty database from the seed file. */
  seedFile: 7_302_002,
  /** Filling an empty database with the demo companies. */
  demoSeed: 4_120_017,
} as const;

/** Waits for a lock and holds it until the transaction ends. */
export async function lockUntilCommit(tx: Pick<Database["orm"], "execute">, lock: number) {
  await tx.execute(sql`select pg_advisory_xact_lock(${lock})`);
}
