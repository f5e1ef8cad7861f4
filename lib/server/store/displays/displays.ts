import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { DisplaySettings } from "@/lib/contracts/wall";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { DATABASE_NOW_MS, TOLERATED_MS } from "@/lib/server/store/database-time";
import { isPaused } from "@/lib/server/store/pauses/pauses";
import { displays, pairings } from "@/lib/server/store/schema/displays";
import { toStorable } from "@/lib/server/store/storable";

/** Wall displays. User changes are written to the audit log in the same transaction. */

export type DisplayRow = typeof displays.$inferSelect;

/** A user action with its audit context. */
export type DisplayAction = {
  person: { id: string; name: string; email: string };
  requestId: string;
  /** Epoch milliseconds. */
  nowMs: number;
  /** Every company of this installation: what a display shows if its settings name none. */
  allCompanies: readonly string[];
};

/** All displays, oldest first. */
export function readDisplays({ orm }: Pick<Database, "orm">): Promise<DisplayRow[]> {
  return orm.select().from(displays).orderBy(asc(displays.createdAt), asc(displays.id));
}

/**
 * Finds a display by the hash of its current or previous credential; null: none.
 * @returns also the database time of the read, see `DatabaseTime.observe`
 */
export async function readDisplayByHash(
  { orm }: Pick<Database, "orm">,
  hash: string,
): Promise<{ row: DisplayRow; databaseMs: string; isPaused: boolean } | null> {
  const [found] = await orm
    .select({ row: displays, databaseMs: DATABASE_NOW_MS, isPaused: isPaused("displays") })
    .from(displays)
    .where(or(eq(displays.secretHash, hash), eq(displays.previousHash, hash)));
  return found ?? null;
}

/** Inserts a newly paired display; its screen has yet to fetch a credential. */
export async function insertDisplay(
  tx: Transaction,
  settings: DisplaySettings,
  action: DisplayAction,
): Promise<DisplayRow> {
  const [row] = await tx
    .insert(displays)
    .values({
      ...storedSettings(settings),
      createdAt: new Date(action.nowMs),
      createdById: action.person.id,
      createdByName: action.person.name,
      rotatedAt: new Date(action.nowMs),
      isSecretUsed: false,
    })
    .returning();
  if (row === undefined) throw new Error("the display was not written");
  await log(tx, "pair", null, row, action);
  return row;
}

/** Moves a display to another screen; the previous screen loses access at once. */
export async function replaceScreen(
  tx: Transaction,
  before: DisplayRow,
  settings: DisplaySettings,
  action: DisplayAction,
): Promise<DisplayRow> {
  // The previous screen's pairing must not yield the new credential.
  await tx.delete(pairings).where(eq(pairings.displayId, before.id));
  const row = await update(tx, before.id, {
    ...storedSettings(settings),
    revokedAt: null,
    revokedByName: null,
    secretHash: null,
    previousHash: null,
    previousUntil: null,
    rotatedAt: new Date(action.nowMs),
    isSecretUsed: false,
    lastSeenAt: null,
    lastPaintAt: null,
    snapshotAgeSeconds: null,
    build: null,
    userAgent: null,
    reportedAt: null,
    loadedAt: null,
    reloadRequestedAt: null,
  });
  await log(tx, "pair", before, row, action);
  return row;
}

/** Locks a display until the transaction ends; null: no such display. */
export async function lockDisplay(tx: Orm, id: string): Promise<DisplayRow | null> {
  const [row] = await tx.select().from(displays).where(eq(displays.id, id)).for("update");
  return row ?? null;
}

/**
 * Changes a display's settings.
 * @param settingsFor returns the new settings; throws to abort
 * @returns null: no such display
 */
export function changeDisplay(
  database: Pick<Database, "orm">,
  id: string,
  settingsFor: (before: DisplayRow) => DisplaySettings,
  action: DisplayAction,
): Promise<DisplayRow | null> {
  return change(database, id, "change", action, (before) => storedSettings(settingsFor(before)));
}

/** Requests that a display reload its page. */
export function requestReload(
  database: Pick<Database, "orm">,
  id: string,
  action: DisplayAction,
): Promise<DisplayRow | null> {
  return change(database, id, "reload", action, ({ revokedAt }) =>
    revokedAt === null ? { reloadRequestedAt: new Date(action.nowMs) } : null,
  );
}

/** Revokes a display; only the first call has an effect. */
export function revokeDisplay(
  database: Pick<Database, "orm">,
  id: string,
  action: DisplayAction,
): Promise<DisplayRow | null> {
  return change(database, id, "revoke", action, ({ revokedAt }) =>
    revokedAt === null
      ? { revokedAt: new Date(action.nowMs), revokedByName: action.person.name }
      : null,
  );
}

/** @param valuesFor returns null to change and log nothing */
function change(
  { orm }: Pick<Database, "orm">,
  id: string,
  verb: string,
  action: DisplayAction,
  valuesFor: (before: DisplayRow) => Partial<DisplayRow> | null,
): Promise<DisplayRow | null> {
  return orm.transaction(async (tx) => {
    const before = await lockDisplay(tx, id);
    const values = before === null ? null : valuesFor(before);
    if (before === null || values === null) return before;
    const after = await update(tx, id, values);
    await log(tx, verb, before, after, action);
    return after;
  });
}

/**
 * Records a request from a display.
 * @param usedHash of the credential used: if it is the newest, it has arrived, and the previous one expires at
 * `previousUntilMs`
 */
export async function touchDisplay(
  { orm }: Pick<Database, "orm">,
  id: string,
  {
    usedHash,
    nowMs,
    previousUntilMs,
  }: { usedHash: string; nowMs: number; previousUntilMs: number },
): Promise<void> {
  const hasArrived = sql`${displays.secretHash} = ${usedHash} and not ${displays.isSecretUsed}`;
  await orm
    .update(displays)
    .set({
      lastSeenAt: new Date(nowMs),
      isSecretUsed: sql`${displays.isSecretUsed} or ${displays.secretHash} = ${usedHash}`,
      previousUntil: sql`case when ${hasArrived} then ${new Date(previousUntilMs)} else ${displays.previousUntil} end`,
    })
    .where(and(eq(displays.id, id), isNotNull(displays.secretHash)));
}

/**
 * Replaces the credential that a screen just used; the used one stays valid until the new one has arrived.
 * @param usedHash of the current credential or, if that never arrived, the previous one
 * @param rotatedAt last rotation as read by the caller
 * @returns false: another request rotated it first
 */
export async function rotateSecret(
  { orm }: Pick<Database, "orm">,
  id: string,
  {
    usedHash,
    rotatedAt,
    newHash,
    nowMs,
  }: { usedHash: string; rotatedAt: Date; newHash: string; nowMs: number },
): Promise<boolean> {
  const rotated = await orm
    .update(displays)
    .set({
      secretHash: newHash,
      previousHash: usedHash,
      previousUntil: null,
      rotatedAt: new Date(nowMs),
      isSecretUsed: false,
    })
    .where(
      and(
        eq(displays.id, id),
        eq(displays.rotatedAt, rotatedAt),
        isNull(displays.revokedAt),
        or(
          eq(displays.secretHash, usedHash),
          and(eq(displays.previousHash, usedHash), eq(displays.isSecretUsed, false)),
        ),
      ),
    )
    .returning({ id: displays.id });
  return rotated.length > 0;
}

/**
 * Stores a screen's status report unless it has reported since `notSinceMs`. A report dated after `nowMs` was
 * stored before the clock went back, and is replaced.
 */
export async function writeReport(
  { orm }: Pick<Database, "orm">,
  id: string,
  report: Pick<
    DisplayRow,
    "build" | "userAgent" | "lastPaintAt" | "snapshotAgeSeconds" | "loadedAt"
  >,
  { nowMs, notSinceMs }: { nowMs: number; notSinceMs: number },
): Promise<void> {
  const now = new Date(nowMs);
  await orm
    .update(displays)
    .set({
      ...report,
      build: toStorable(report.build),
      userAgent: toStorable(report.userAgent),
      reportedAt: now,
      lastSeenAt: now,
    })
    .where(
      and(
        eq(displays.id, id),
        or(
          isNull(displays.reportedAt),
          lte(displays.reportedAt, new Date(notSinceMs)),
          gt(displays.reportedAt, new Date(nowMs + TOLERATED_MS)),
        ),
      ),
    );
}

/** Number of displays that are paired and valid at `nowMs`, and of those with a request since `sinceMs`. */
export async function countDisplays(
  { orm }: Pick<Database, "orm">,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<{ paired: number; seen: number }> {
  const [row] = await orm
    .select({
      paired: sql<number>`count(*)::int`,
      seen: sql<number>`count(*) filter (where ${displays.lastSeenAt} > ${new Date(sinceMs)})::int`,
    })
    .from(displays)
    .where(
      and(
        isNull(displays.revokedAt),
        isNotNull(displays.secretHash),
        or(isNull(displays.expiresAt), sql`${displays.expiresAt} > ${new Date(nowMs)}`),
      ),
    );
  return row ?? { paired: 0, seen: 0 };
}

async function update(tx: Orm, id: string, values: Partial<DisplayRow>): Promise<DisplayRow> {
  const [row] = await tx.update(displays).set(values).where(eq(displays.id, id)).returning();
  if (row === undefined) throw new Error("the display was not written");
  return row;
}

function storedSettings(given: DisplaySettings) {
  const settings = toStorable(given);
  const { expires_at: expiresAt } = settings;
  return { settings, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** Writes to the audit log of each company that the display shows, or showed before the change. */
async function log(
  tx: Transaction,
  verb: string,
  before: DisplayRow | null,
  after: DisplayRow,
  { person, requestId, nowMs, allCompanies }: DisplayAction,
): Promise<void> {
  const shown = [before, after].flatMap((row) =>
    row === null ? [] : (row.settings.companies ?? allCompanies),
  );
  const isRenamed = before !== null && before.settings.name !== after.settings.name;
  const subject = isRenamed
    ? `${before.settings.name}, now ${after.settings.name}`
    : after.settings.name;
  const event = {
    kind: "display",
    actionId: randomUUID(),
    event: `${verb}.asked`,
    person,
    requestId,
    detail: { subject, display_id: after.id },
  };
  // A fixed order prevents deadlocks: each log is locked until commit.
  for (const company of [...new Set(shown)].toSorted()) {
    await appendAudit(tx, company, nowMs, [event]);
  }
}
