import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Database, Transaction, Writer } from "./database";
import { leads, type Lead } from "./schema/leads";

/** Another process leads now; nothing was written. */
export class Deposed extends Error {
  constructor(of: Lead) {
    super(`another instance leads ${of} by now: nothing was written`);
    this.name = "Deposed";
  }
}

/**
 * Wraps the database so that each of a leader's transactions fails once another process leads. A leader can be
 * replaced without noticing, when its process or connections stall; late writes must not interfere with its
 * successor's.
 *
 * A transaction share-locks the leader's row until it ends, so a successor's term starts only afterwards.
 * PostgreSQL ends a stalled transaction within seconds, so it can't block the successor.
 * @param onDeposed called after a transaction failed for this reason
 */
export function fenced(
  { orm }: Pick<Database, "orm">,
  { of, term, onDeposed }: { of: Lead; term: string; onDeposed: (why: Deposed) => void },
): Writer {
  async function unlessDeposed<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof Deposed) onDeposed(error);
      throw error;
    }
  }
  return {
    orm: {
      transaction: (work, config) =>
        unlessDeposed(() =>
          orm.transaction(async (tx) => {
            await holdTerm(tx, of, term);
            return work(tx);
          }, config),
        ),
    },
    once: <Row extends Record<string, unknown>>(statement: (holds: SQL) => SQL) =>
      unlessDeposed(async () => {
        const holds = sql`select 1 from ${leads} where ${isTerm(of, term)} for share`;
        const { rows } = await orm.execute<Row & { held: number }>(statement(holds));
        if (rows[0]?.held !== 1) throw new Deposed(of);
        return rows as Row[];
      }),
  };
}

const isTerm = (of: Lead, term: string) => and(eq(leads.of, of), eq(leads.term, term));

/** @throws Deposed when `term` isn't the current term */
async function holdTerm(tx: Transaction, of: Lead, term: string): Promise<void> {
  const held = await tx
    .select({ silence: sql`set_config('idle_in_transaction_session_timeout', '5s', true)` })
    .from(leads)
    .where(isTerm(of, term))
    .for("share");
  if (held.length === 0) throw new Deposed(of);
}
