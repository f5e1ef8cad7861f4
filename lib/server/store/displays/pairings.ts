import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { and, asc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { DisplaySettings } from "@/lib/contracts/wall";
import type { Database } from "@/lib/server/store/database";
import {
  insertDisplay,
  lockDisplay,
  replaceScreen,
  type DisplayAction,
  type DisplayRow,
} from "./displays";
import { displays, pairings } from "@/lib/server/store/schema/displays";
import { toStorable } from "@/lib/server/store/storable";

/**
 * Screens waiting to be paired. Changes to pairings are serialised by a lock. Timestamps are on the database
 * clock, as judged by `DatabaseTime`.
 */

/** A code is invalidated after this many wrong entries while it was open. */
const MAX_WRONG_ATTEMPTS = 5;
/** Time for the screen to fetch its credential after the code was entered. */
const FETCH_MS = 10 * 60_000;
/** Time to fetch it again if the response was lost. */
const FETCH_AGAIN_MS = 2 * 60_000;
/** Retention of pairings; exceeds the periods above. */
const KEPT_MS = 3_600_000;

const isOpen = (nowMs: number) =>
  and(
    isNull(pairings.displayId),
    gt(pairings.expiresAt, new Date(nowMs)),
    lt(pairings.wrongTries, MAX_WRONG_ATTEMPTS),
  );

/**
 * Opens a pairing. At the limit, the oldest one is dropped; its screen requests another code.
 * @param pairing hashes are hex SHA-256, timestamps epoch milliseconds
 * @returns whether one was dropped
 */
export function insertPairing(
  { orm }: Pick<Database, "orm">,
  pairing: { codeHash: string; secretHash: string; nowMs: number; expiresAtMs: number },
  mostOpen: number,
): Promise<boolean> {
  const { codeHash, secretHash, nowMs, expiresAtMs } = pairing;
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.pairings);
    await tx.delete(pairings).where(lt(pairings.expiresAt, new Date(nowMs - KEPT_MS)));
    const [oldest] = await tx
      .select({ open: sql<number>`count(*) over ()::int`, id: pairings.id })
      .from(pairings)
      .where(isOpen(nowMs))
      .orderBy(asc(pairings.expiresAt), asc(pairings.id))
      .limit(1);
    const isCrowded = oldest !== undefined && oldest.open >= mostOpen;
    if (isCrowded) await tx.delete(pairings).where(eq(pairings.id, oldest.id));
    await tx.insert(pairings).values({
      codeHash,
      secretHash,
      createdAt: new Date(nowMs),
      expiresAt: new Date(expiresAtMs),
    });
    return isCrowded;
  });
}

/**
 * Pairs the screen that shows a code, with a new display or an existing one. A code that isn't open counts as a
 * wrong entry against every open one.
 * @param replaces id of the existing display; null: a new one
 */
export function claimPairing(
  { orm }: Pick<Database, "orm">,
  {
    codeHash,
    settings,
    replaces,
    nowMs,
  }: { codeHash: string; settings: DisplaySettings; replaces: string | null; nowMs: number },
  action: DisplayAction,
): Promise<DisplayRow | "wrong-code" | "no-such-display"> {
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.pairings);
    const before = replaces === null ? null : await lockDisplay(tx, replaces);
    if (replaces !== null && before === null) return "no-such-display";
    const [pairing] = await tx
      .select({ id: pairings.id })
      .from(pairings)
      .where(and(eq(pairings.codeHash, codeHash), isOpen(nowMs)));
    if (pairing === undefined) {
      await tx
        .update(pairings)
        .set({ wrongTries: sql`${pairings.wrongTries} + 1` })
        .where(isOpen(nowMs));
      return "wrong-code";
    }
    const display =
      before === null
        ? await insertDisplay(tx, settings, action)
        : await replaceScreen(tx, before, settings, action);
    await tx
      .update(pairings)
      .set({ displayId: display.id, claimedAt: new Date(nowMs) })
      .where(eq(pairings.id, pairing.id));
    return display;
  });
}

/** State of a pairing, for its screen. */
type FetchedPairing =
  | { state: "waiting"; codeHash: string; expiresAt: Date }
  | { state: "ended" }
  /** The new credential has been stored. */
  | { state: "paired" };

/**
 * State of a pairing, for its screen. Once the code was entered, the new credential becomes the display's;
 * until one has been used, the screen may fetch another.
 * @param newHash hex SHA-256 of the credential offered to the screen
 */
export async function fetchPairing(
  { orm }: Pick<Database, "orm">,
  {
    secretHash,
    newHash,
    userAgent,
    nowMs,
  }: { secretHash: string; newHash: string; userAgent: string | null; nowMs: number },
): Promise<FetchedPairing> {
  const [seen] = await orm
    .select({ codeHash: pairings.codeHash, expiresAt: pairings.expiresAt })
    .from(pairings)
    .where(and(eq(pairings.secretHash, secretHash), isOpen(nowMs)));
  if (seen !== undefined) return { state: "waiting", ...seen };
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.pairings);
    const [pairing] = await tx.select().from(pairings).where(eq(pairings.secretHash, secretHash));
    const display =
      pairing?.displayId === undefined || pairing.displayId === null
        ? null
        : await lockDisplay(tx, pairing.displayId);
    if (pairing === undefined || display === null || !mayFetch(pairing, display, nowMs)) {
      return { state: "ended" };
    }
    await tx
      .update(displays)
      .set({
        secretHash: newHash,
        // Two responses may be in flight: each credential stays valid until the other is used.
        previousHash: display.secretHash,
        previousUntil: null,
        rotatedAt: new Date(nowMs),
        isSecretUsed: false,
        userAgent: toStorable(userAgent),
      })
      .where(eq(displays.id, display.id));
    await tx
      .update(pairings)
      .set({ deliveredAt: pairing.deliveredAt ?? new Date(nowMs) })
      .where(eq(pairings.id, pairing.id));
    return { state: "paired" };
  });
}

function mayFetch(
  { claimedAt, deliveredAt }: typeof pairings.$inferSelect,
  display: DisplayRow,
  nowMs: number,
): boolean {
  if (claimedAt === null || display.revokedAt !== null || display.lastSeenAt !== null) return false;
  return deliveredAt === null
    ? nowMs < claimedAt.getTime() + FETCH_MS
    : nowMs < deliveredAt.getTime() + FETCH_AGAIN_MS;
}
