import { sql } from "drizzle-orm";
import type { Orm } from "./database";

/**
 * The advisory locks of a database, by number: no two may be alike, and none may be one of the v3 service's,
 * which may live in the same database. Instances of different versions meet in one: numbers stay as they are.
 */
export const LOCKS = {
  /** Brings the tables up to date. */
  migration: 7_186_001,
  /** Writes the demo companies' past. */
  demo: 7_186_002,
  /** Writes the file that the ends of the audit log are recorded in. */
  auditHeads: 7_186_003,
  /** Counts and begins pairings. */
  pairings: 7_186_004,
  /** Counts the open deletions of a person; a second number tells whose. */
  deletionsOfPerson: 7_186_005,
  /** Changes who may sign in, and what they may do. */
  people: 7_186_006,
  /** Takes open incidents from whoever may not handle them any more. */
  incidentHands: 7_186_017,
  /** Sees to it that somebody can sign in. */
  firstAdministrator: 0x706c_6d62,
  /** Held by the one process that polls, ... */
  collector: 7_301_992_466,
  /** ... that deletes files, ... */
  deletions: 7_301_992_467,
  /** ... that reads the lists of files, ... */
  files: 7_301_992_468,
  /** ... that keeps a backup a day ... */
  backups: 7_301_992_469,
  /** ... and that tells people of incidents. */
  deliveries: 7_301_992_470,
} as const;

/** Waits for a lock and holds it until the transaction ends. @param of tells holders of one lock apart */
export async function lockUntilCommit(tx: Pick<Orm, "execute">, lock: number, of?: string) {
  await tx.execute(
    of === undefined
      ? sql`select pg_advisory_xact_lock(${lock})`
      : sql`select pg_advisory_xact_lock(${lock}, hashtext(${of}))`,
  );
}
