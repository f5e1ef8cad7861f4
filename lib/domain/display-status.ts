import { duration, moment } from "./wording";

/**
 * What the list of displays says of each. Instants are epoch milliseconds on the server's clock; a
 * `timeZone` is an IANA name.
 */

/** Screens speak about once a minute: three silent ones are no chance any more. */
export const SILENT_AFTER_MS = 180_000;

/** Data older than this is not drawn as plainly fresh anywhere. */
const OLD_AFTER_SECONDS = 150;

/** An end this near is worth a word. */
const ENDS_SOON_MS = 14 * 24 * 3_600_000;

export type DisplayFacts = {
  revokedMs: number | null;
  /** Null: until it is revoked. */
  expiresMs: number | null;
  /** When it last asked for anything. */
  lastSeenMs: number | null;
  /** When it last painted newer data. */
  lastPaintMs: number | null;
  /** How old its data was when it last reported, at that moment. */
  snapshotAgeSeconds: number | null;
};

export type DisplayStatus =
  | { kind: "revoked" | "ended"; sinceMs: number }
  /** Paired, and it never came back since. */
  | { kind: "never" }
  /** It is there and never told of a painting, as the plain wall, which has no scripts, never does. */
  | { kind: "untold" }
  /** `sinceMs` null: it never painted. `asks`: it is there, and what it gets or paints is not new. */
  | { kind: "silent"; sinceMs: number | null; asks: boolean }
  /** It does its part, and what it is given is old. */
  | { kind: "behind"; ageMs: number }
  | { kind: "showing" };

/** How a display is, as far as its own reports tell. Its end comes before everything that it reports. */
export function displayStatus(facts: DisplayFacts, nowMs: number): DisplayStatus {
  const { revokedMs, expiresMs, lastSeenMs, lastPaintMs, snapshotAgeSeconds } = facts;
  if (revokedMs !== null) return { kind: "revoked", sinceMs: revokedMs };
  if (expiresMs !== null && expiresMs <= nowMs) return { kind: "ended", sinceMs: expiresMs };
  if (lastPaintMs !== null && nowMs - lastPaintMs <= SILENT_AFTER_MS) {
    return snapshotAgeSeconds !== null && snapshotAgeSeconds > OLD_AFTER_SECONDS
      ? { kind: "behind", ageMs: snapshotAgeSeconds * 1000 }
      : { kind: "showing" };
  }
  if (lastSeenMs === null && lastPaintMs === null) return { kind: "never" };
  const asks = lastSeenMs !== null && nowMs - lastSeenMs <= SILENT_AFTER_MS;
  if (asks && lastPaintMs === null) return { kind: "untold" };
  return { kind: "silent", sinceMs: lastPaintMs, asks };
}

/** Whether somebody should go and look. */
export function needsALook({ kind }: DisplayStatus): boolean {
  return kind === "silent" || kind === "never";
}

/**
 * The status as the rest of a sentence that begins with the display's name: "has shown nothing new since
 * 09:12". Without a full stop.
 */
export function displayStatusClause(
  status: DisplayStatus,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  switch (status.kind) {
    case "revoked":
      return `was unpaired ${at(status.sinceMs, nowMs, timeZone)}`;
    case "ended":
      return `ended ${at(status.sinceMs, nowMs, timeZone)}`;
    case "never":
      return "has not asked for anything since it was paired";
    case "untold":
      return "asks, and does not say what it shows: a plain wall never does";
    case "silent": {
      const since =
        status.sinceMs === null
          ? "has shown nothing yet"
          : `has shown nothing new since ${moment(status.sinceMs, nowMs, timeZone)}`;
      return status.asks ? `${since}, though it asks` : since;
    }
    case "behind":
      return `shows data that was ${duration(status.ageMs)} old`;
    case "showing":
      return "shows current data";
  }
}

/** When a display's time ends, where that is near: "ends Thu 19 Nov, 18:20"; else empty. */
export function endsSoonText(
  { revokedMs, expiresMs }: Pick<DisplayFacts, "revokedMs" | "expiresMs">,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  if (revokedMs !== null || expiresMs === null || expiresMs <= nowMs) return "";
  return expiresMs - nowMs > ENDS_SOON_MS ? "" : `ends ${at(expiresMs, nowMs, timeZone)}`;
}

/** A moment of today takes a preposition, one of another day brings its name. */
function at(ms: number, nowMs: number, timeZone: string): string {
  const text = moment(ms, nowMs, timeZone);
  return /^\d/.test(text) ? `at ${text}` : text;
}

/**
 * Why a screen was not paired or a display not changed.
 * @param status of the answer; 0: there was none
 * @param retryAfterSeconds when trying again can succeed; null when the answer did not say
 */
export function displayRefusal(status: number, retryAfterSeconds: number | null): string {
  switch (status) {
    case 0:
      return "No answer came. It may be done all the same: look at the list, and at the screen.";
    case 400:
      return "Plumbline does not take this as it is. Look at the fields again.";
    case 403:
      return "Your role no longer allows this.";
    case 404:
    case 409:
      return "This display is not there any more. Somebody may have changed it meanwhile.";
    case 503:
      return "This cannot be written down right now, so nothing was done. Try again in a moment.";
    case 429:
      return retryAfterSeconds === null
        ? "Too many tries. Wait a while before the next one."
        : `Too many tries. The next one can succeed in ${duration(retryAfterSeconds * 1000)}.`;
    default:
      return "Something went wrong on our side. Try again in a moment.";
  }
}

/** Said of a code with which no screen waits. */
export const NO_SUCH_CODE =
  "No screen waits with this code. Look at the screen again: a code lives ten minutes, works once, and is replaced after too many wrong ones.";
