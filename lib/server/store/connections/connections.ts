import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { audited, type Change as AuditedChange } from "@/lib/server/store/audit/audited";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { notify } from "@/lib/server/store/notifications";
import { resealAll, type Resealed, type Resealing } from "@/lib/server/store/reseal";
import { connections } from "@/lib/server/store/schema/connections";
import { companies } from "@/lib/server/store/schema/record";
import { toStorable } from "@/lib/server/store/storable";

/**
 * Connections made in a browser. Changes are written to the installation-wide audit log in the same transaction, without
 * the secret, and told to all instances.
 */

export type ConnectionRow = typeof connections.$inferSelect;
/** A row that wasn't removed. */
export type LiveConnectionRow = ConnectionRow & { sealed: string; removedAt: null };

/** The person who changes a connection, and the time on our clock. */
type Change = AuditedChange & { person: NonNullable<AuditedChange["person"]> };
export type NewConnection = Pick<
  LiveConnectionRow,
  "company" | "name" | "baseUrl" | "clientId" | "sealed" | "timeZone" | "externalId"
>;
export type ChangedConnection = Partial<Omit<NewConnection, "company">> & { isPaused?: boolean };

const isLive = (row: ConnectionRow): row is LiveConnectionRow => row.sealed !== null;

/** All rows, oldest first, also of removed connections. */
export function readConnections({ orm }: Pick<Database, "orm">): Promise<ConnectionRow[]> {
  return orm
    .select()
    .from(connections)
    .orderBy(asc(connections.createdAt), asc(connections.company));
}

/** Number of rows, also of removed connections. */
export function countConnections({ orm }: Pick<Database, "orm">): Promise<number> {
  return orm.$count(connections);
}

/** @returns null: none, or removed */
export async function readConnection(
  { orm }: Pick<Database, "orm">,
  company: string,
): Promise<LiveConnectionRow | null> {
  const [row] = await orm.select().from(connections).where(eq(connections.company, company));
  return row !== undefined && isLive(row) ? row : null;
}

/**
 * Whether a slug can be connected: no connection made in a browser has it, and no record, unless it is that of a removed
 * connection of the same host and client.
 * @returns the slug that would be connected: a removed connection is resumed under its own; null: it is taken
 */
export async function connectableSlug(
  orm: Orm,
  { company, baseUrl, clientId }: Pick<NewConnection, "company" | "baseUrl" | "clientId">,
): Promise<string | null> {
  const [removed] = await orm
    .select({ company: connections.company })
    .from(connections)
    .where(
      and(
        eq(connections.baseUrl, baseUrl),
        eq(connections.clientId, clientId),
        isNotNull(connections.removedAt),
      ),
    )
    // If several were removed, the one with the given slug.
    .orderBy(desc(sql`${connections.company} = ${company}`), desc(connections.removedAt))
    .limit(1);
  if (removed !== undefined) return removed.company;
  const [made] = await orm
    .select({ company: connections.company })
    .from(connections)
    .where(eq(connections.company, company));
  const [recorded] = await orm
    .select({ slug: companies.slug })
    .from(companies)
    .where(eq(companies.slug, company));
  return made === undefined && recorded === undefined ? company : null;
}

/**
 * Connects a company, or resumes a removed connection.
 * @returns its slug; null: the slug is taken
 */
export function insertConnection(
  { orm }: Pick<Database, "orm">,
  { company, ...values }: NewConnection,
  change: Change,
): Promise<string | null> {
  return orm.transaction(async (tx) => {
    await tx.execute(sql`lock table ${connections} in share row exclusive mode`);
    const slug = await connectableSlug(tx, { company, ...values });
    if (slug === null) return null;
    const set = { ...values, ...toStorable({ name: values.name, externalId: values.externalId }) };
    const [row] = await tx
      .insert(connections)
      .values({
        ...set,
        company: slug,
        createdById: change.person.id,
        createdAt: new Date(change.nowMs),
      })
      .onConflictDoUpdate({
        target: connections.company,
        set: { ...set, removedAt: null, pausedAt: null },
      })
      .returning();
    if (row === undefined) return null;
    await log(tx, "make", row, change);
    return slug;
  });
}

/** @returns null: no such connection */
export function changeConnection(
  { orm }: Pick<Database, "orm">,
  company: string,
  { isPaused, ...values }: ChangedConnection,
  change: Change,
): Promise<ConnectionRow | null> {
  return orm.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(connections)
      .where(and(eq(connections.company, company), isNull(connections.removedAt)))
      .for("update");
    if (before === undefined) return null;
    const pausedAt =
      isPaused === undefined
        ? before.pausedAt
        : isPaused
          ? (before.pausedAt ?? new Date(change.nowMs))
          : null;
    const [row = before] = await tx
      .update(connections)
      .set({ ...toStorable(values), pausedAt })
      .where(eq(connections.company, company))
      .returning();
    const changed = changedMembers(before, row);
    if (changed.length > 0) await log(tx, "change", row, change, { because: changed.join(", ") });
    if ((before.pausedAt === null) !== (pausedAt === null)) {
      await log(tx, pausedAt === null ? "resume" : "pause", row, change);
    }
    return row;
  });
}

/** Deletes its secret; its record and slug remain. @returns whether it existed */
export function removeConnection(
  { orm }: Pick<Database, "orm">,
  company: string,
  change: Change,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const [row] = await tx
      .update(connections)
      .set({ sealed: null, removedAt: new Date(change.nowMs), pausedAt: null })
      .where(and(eq(connections.company, company), isNull(connections.removedAt)))
      .returning();
    if (row === undefined) return false;
    await log(tx, "remove", row, change);
    return true;
  });
}

/** Re-encrypts all secrets with the current key, except those changed meanwhile. */
export async function resealConnections(
  { orm }: Pick<Database, "orm">,
  sealOf: (of: Pick<ConnectionRow, "baseUrl" | "clientId">) => Resealing,
): Promise<Resealed> {
  const rows = (await orm.select().from(connections)).filter(isLive);
  return resealAll(rows, sealOf, async ({ company, sealed: before }, sealed) => {
    await orm
      .update(connections)
      .set({ sealed })
      .where(and(eq(connections.company, company), eq(connections.sealed, before)));
  });
}

const LOGGED = [
  ["name", "name"],
  ["baseUrl", "base URL"],
  ["clientId", "client ID"],
  ["sealed", "client secret"],
  ["timeZone", "time zone"],
  ["externalId", "external ID"],
] as const;

function changedMembers(before: ConnectionRow, after: ConnectionRow): string[] {
  return LOGGED.flatMap(([member, words]) => (before[member] === after[member] ? [] : [words]));
}

async function log(
  tx: Transaction,
  action: "make" | "change" | "pause" | "resume" | "remove",
  { company, name, baseUrl, clientId }: ConnectionRow,
  change: Change,
  more: { because?: string } = {},
): Promise<void> {
  await audited(tx, change, {
    company: null,
    kind: "connection",
    action,
    subject: name,
    detail: { slug: company, base_url: baseUrl, client_id: clientId, ...more },
  });
  await notify(tx, "connections", company);
}
