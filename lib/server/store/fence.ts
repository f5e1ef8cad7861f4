import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction, Writer } from "./database";
import { leads, type Lead } from "./schema/leads";

/** Somebody else leads by now: nothing was written. */
export class Deposed extends Error {
  constructor(of: Lead) {
    super(`somebody else leads ${of} by now: nothing was written`);
    this.name = "Deposed";
  }
}

/**
 * The database as a leader writes to it: each of its transactions fails once somebody else leads. A leader may
 * be replaced without noticing, when its process or its connections stand still; what it writes when it wakes
 * must not meet what its successor wrote.
 *
 * A transaction keeps the leader's row from changing until it ends, so a successor's term begins after it. One
 * that stands still itself is ended by PostgreSQL within seconds, so that no successor waits for it.
 * @param onDeposed told once a transaction has failed for it
 */
export function fenced(
  { orm }: Pick<Database, "orm">,
  { of, term, onDeposed }: { of: Lead; term: string; onDeposed: (why: Deposed) => void },
): Writer {
  return {
    orm: {
      transaction: async (work, config) => {
        try {
          return await orm.transaction(async (tx) => {
            await holdTerm(tx, of, term);
            return work(tx);
          }, config);
        } catch (error) {
          if (error instanceof Deposed) onDeposed(error);
          throw error;
        }
      },
    },
  };
}

/** @throws Deposed when it is not the present term */
async function holdTerm(tx: Transaction, of: Lead, term: string): Promise<void> {
  const held = await tx
    .select({ silence: sql`set_config('idle_in_transaction_session_timeout', '5s', true)` })
    .from(leads)
    .where(and(eq(leads.of, of), eq(leads.term, term)))
    .for("share");
  if (held.length === 0) throw new Deposed(of);
}
