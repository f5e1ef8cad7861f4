/**
 * A dialog that is stored while its person re-authenticates at their provider, and restored when they return: in the
 * same tab, at the same address, for the same person, within a time limit.
 */

/** Longer than a sign-in takes. */
const LASTS_MS = 15 * 60_000;
const KEY = "kept-dialog";

/** @param state what the dialog needs to be restored; serialisable as JSON */
export type ResumableDialog = { kind: string; state: unknown };

type Place = Pick<Location, "pathname" | "search">;
type Kept = ResumableDialog & { personId: string; address: string; atMs: number };

/** Stores a dialog; without enough space it just isn't restored later. */
export function storeResumableDialog(
  storage: Storage,
  dialog: ResumableDialog,
  { personId, place, nowMs }: { personId: string; place: Place; nowMs: number },
): void {
  const kept: Kept = { ...dialog, personId, address: addressOf(place), atMs: nowMs };
  try {
    storage.setItem(KEY, JSON.stringify(kept));
  } catch {
    storage.removeItem(KEY);
  }
}

/**
 * The dialog of a kind stored at this address; null: none, or it has expired.
 * @returns includes its person's id: don't restore it for others
 */
export function findResumableDialog(
  storage: Storage,
  kind: string,
  { place, nowMs }: { place: Place; nowMs: number },
): { personId: string; state: unknown } | null {
  const kept = parsed(storage.getItem(KEY));
  if (kept === null || kept.kind !== kind || kept.address !== addressOf(place)) return null;
  const ageMs = nowMs - kept.atMs;
  if (ageMs < 0 || ageMs > LASTS_MS) return null;
  return { personId: kept.personId, state: kept.state };
}

/** Called once it is restored or not needed any more. */
export function dropResumableDialog(storage: Storage): void {
  storage.removeItem(KEY);
}

function addressOf({ pathname, search }: Place): string {
  return pathname + search;
}

function parsed(text: string | null): Kept | null {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isKept(kept: unknown): kept is Kept {
  return (
    typeof kept === "object" &&
    kept !== null &&
    "personId" in kept &&
    typeof kept.personId === "string" &&
    "address" in kept &&
    "kind" in kept &&
    "state" in kept &&
    "atMs" in kept &&
    typeof kept.atMs === "number"
  );
}
