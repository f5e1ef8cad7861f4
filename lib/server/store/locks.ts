import { sql } from "drizzle-orm";
import type { Orm } from "./database";

/**
 * Advisory lock numbers. All must be distinct, also from the v3 service's, which may share the database.
 * Instances of different versions share them too, so numbers never change.
 */
export const LOCKS = {
  /** Migrates the database. */
  migration: 7_186_001,
  /** Starts the demo, and writes the newest days of the demo companies' history. */
  demo: 7_186_002,
  /** Writes the older days. */
  demoPast: 7_186_018,
  /** Writes the file that records the heads of the audit log. */
  auditHeads: 7_186_003,
  /** Counts and starts pairings. */
  pairings: 7_186_004,
  /** Counts a person's open deletions; the second key is the person. */
  deletionsOfPerson: 7_186_005,
  /** Changes who may sign in, and their permissions. */
  people: 7_186_006,
  /** Releases open incidents from people who may no longer handle them. */
  incidentHands: 7_186_017,
  /** Changes the names of integrations; the second key is the company. */
  integrationNames: 7_186_020,
  /** Counts a person's checks of connections; the second key is the person. */
  connectionChecks: 7_186_021,
  /** Ensures that there is an administrator who can sign in. */
  firstAdministrator: 0x706c_6d62,
  /** Leadership: polling. */
  collector: 7_301_992_466,
  /** Leadership: deleting files. */
  deletions: 7_301_992_467,
  /** Leadership: indexing schedule files. */
  files: 7_301_992_468,
  /** Leadership: daily backups. */
  backups: 7_301_992_469,
  /** Leadership: incident notifications. */
  deliveries: 7_301_992_470,
  /** Leadership: connections of Slack apps. */
  slack: 7_301_992_476,
  /** Leadership: applying the companies' incidents to fleet incidents. */
  fleetIncidents: 7_301_992_471,
} as const;

/**
 * Waits for a lock and holds it until the transaction ends. @param of second key, for locks that exist once per
 * subject
 */
export async function lockUntilCommit(tx: Pick<Orm, "execute">, lock: number, of?: string) {
  await tx.execute(
    of === undefined
      ? sql`select pg_advisory_xact_lock(${lock})`
      : sql`select pg_advisory_xact_lock(${lock}, hashtext(${of}))`,
  );
}
