/**
 * A dialog that is kept while its person proves at their provider who they are, and found again when they are back:
 * in this tab, at the same address, by the same person, soon.
 */

/** Longer than anybody takes to sign in. */
const LASTS_MS = 15 * 60_000;
const KEY = "kept-dialog";

/** @param state what the dialog needs to be as it was; survives JSON */
export type ResumableDialog = { kind: string; state: unknown };

type Place = Pick<Location, "pathname" | "search">;
type Kept = ResumableDialog & { personId: string; address: string; atMs: number };

/** Keeps a dialog; where there is no room for it, it is not there again and nothing else happens. */
export function keepDialog(
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
 * The dialog of a kind that was kept at this address; null: there is none, or its time is over.
 * @returns whose it is: nobody else may have it
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

/** It is open again, or never will be. */
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
