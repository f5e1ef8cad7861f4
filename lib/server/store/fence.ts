import { and, eq, sql, type Placeholder } from "drizzle-orm";
import { isOutageForAll } from "@/lib/server/outage";
import type { Database, Transaction, Writer } from "./database";
import { leads, type Lead } from "./schema/leads";

/** Another process leads now; nothing was written. */
export class Deposed extends Error {
  constructor(of: Lead) {
    super(`another instance leads ${of} by now: nothing was written`);
    this.name = "Deposed";
  }
}

/** Whether an error ends the work on all companies, and isn't about one of them. */
export function endsAllWork(error: unknown): boolean {
  return error instanceof Deposed || isOutageForAll(error);
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
  { orm, pool }: Pick<Database, "orm" | "pool">,
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
    once: (statement, values) =>
      unlessDeposed(async () => {
        const { rows } = await pool.query(statement({ ...values, leadOf: of, leadTerm: term }));
        if (rows[0]?.held !== 1) throw new Deposed(of);
        return rows;
      }),
  };
}

const isTerm = (of: Lead | Placeholder, term: string | Placeholder) =>
  and(eq(leads.of, of), eq(leads.term, term));

/** SQL: locks the leader's row if the term is still the current one; see `Once`. */
export const HELD_TERM = sql`select 1 from ${leads}
  where ${isTerm(sql.placeholder("leadOf"), sql.placeholder("leadTerm"))} for share`;

/** @throws Deposed when `term` isn't the current term */
async function holdTerm(tx: Transaction, of: Lead, term: string): Promise<void> {
  const held = await tx
    .select({ silence: sql`set_config('idle_in_transaction_session_timeout', '5s', true)` })
    .from(leads)
    .where(isTerm(of, term))
    .for("share");
  if (held.length === 0) throw new Deposed(of);
}
