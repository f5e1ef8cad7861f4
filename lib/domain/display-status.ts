import { duration } from "@/lib/domain/words/format";
import { atMoment, datedMoment, dayMonthYear } from "@/lib/domain/words/dates";

/**
 * Status of a display, for the list of displays. Instants are epoch milliseconds on the server's clock; a `timeZone` is
 * an IANA name.
 */

/** A screen reports once a minute; one that hasn't connected for longer than this may have been closed. */
export const CONNECTED_FOR_MS = 90_000;

/** Three missed reports in a row. */
export const SILENT_AFTER_MS = 180_000;

/** Data older than this is never drawn as fresh. */
const OLD_AFTER_SECONDS = 150;

/** An expiry within this time is mentioned with its hour. */
const ENDS_SOON_MS = 14 * 24 * 3_600_000;

export type DisplayFacts = {
  revokedMs: number | null;
  /** Null: until it is unpaired. */
  expiresMs: number | null;
  /** When it was paired, if it hasn't connected since; otherwise null. */
  waitingSinceMs: number | null;
  /** When it last connected. */
  lastSeenMs: number | null;
  /** When it last painted newer data. */
  lastPaintMs: number | null;
  /** Age of its data at its last report. */
  snapshotAgeSeconds: number | null;
};

export type DisplayStatus =
  | { kind: "revoked" | "ended"; sinceMs: number }
  /** Just paired and not connected yet. */
  | { kind: "waiting" }
  /** Paired, and has never connected since. */
  | { kind: "never" }
  /** Connected, but never reported what it shows, such as the plain wall, which has no scripts. */
  | { kind: "unreported" }
  /** Showed new data until recently and hasn't connected since: closed, or just slow. */
  | { kind: "quiet"; sinceMs: number }
  /** `sinceMs` null: it never showed anything. `asks`: it is connected, but gets or shows nothing new. */
  | { kind: "silent"; sinceMs: number | null; asks: boolean }
  /** It works, but the data it gets is old. */
  | { kind: "behind"; ageMs: number }
  | { kind: "showing" };

/** Status of a display, derived from its reports. Revocation and expiry take precedence over all reports. */
export function displayStatus(facts: DisplayFacts, nowMs: number): DisplayStatus {
  const { revokedMs, expiresMs, lastSeenMs, lastPaintMs, snapshotAgeSeconds } = facts;
  const { waitingSinceMs } = facts;
  if (revokedMs !== null) return { kind: "revoked", sinceMs: revokedMs };
  if (expiresMs !== null && expiresMs <= nowMs) return { kind: "ended", sinceMs: expiresMs };
  if (lastPaintMs !== null && nowMs - lastPaintMs <= SILENT_AFTER_MS) {
    const connectedMs = Math.max(lastSeenMs ?? lastPaintMs, lastPaintMs);
    if (nowMs - connectedMs > CONNECTED_FOR_MS) return { kind: "quiet", sinceMs: connectedMs };
    return snapshotAgeSeconds !== null && snapshotAgeSeconds > OLD_AFTER_SECONDS
      ? { kind: "behind", ageMs: snapshotAgeSeconds * 1000 }
      : { kind: "showing" };
  }
  if (lastSeenMs === null && lastPaintMs === null) {
    const isNew = waitingSinceMs !== null && nowMs - waitingSinceMs <= CONNECTED_FOR_MS;
    return { kind: isNew ? "waiting" : "never" };
  }
  const asks = lastSeenMs !== null && nowMs - lastSeenMs <= SILENT_AFTER_MS;
  if (asks && lastPaintMs === null) return { kind: "unreported" };
  return { kind: "silent", sinceMs: lastPaintMs, asks };
}

/** Whether the display needs attention on site. */
export function needsALook({ kind }: DisplayStatus): boolean {
  return kind === "silent" || kind === "never";
}

/** The status as a clause that follows the display's name: "has shown nothing new since 09:12". No full stop. */
export function displayStatusClause(
  status: DisplayStatus,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  switch (status.kind) {
    case "revoked":
      return `was unpaired ${atMoment(status.sinceMs, nowMs, timeZone)}`;
    case "ended":
      return `ended ${atMoment(status.sinceMs, nowMs, timeZone)}`;
    case "waiting":
      return "hasn’t connected yet";
    case "never":
      return "hasn’t connected since it was paired";
    case "unreported":
      return "is connected; a plain wall doesn’t report what it shows";
    case "quiet":
      return `hasn’t connected since ${datedMoment(status.sinceMs, nowMs, timeZone)}`;
    case "silent": {
      const since =
        status.sinceMs === null
          ? "has shown nothing yet"
          : `has shown nothing new since ${datedMoment(status.sinceMs, nowMs, timeZone)}`;
      return status.asks ? `${since}, still connected` : since;
    }
    case "behind":
      return `shows data that was ${duration(status.ageMs)} old`;
    case "showing":
      return "shows current data";
  }
}

/** When a display expires: "ends on Thu 19 Nov at 18:20", "ends 29 Nov 2027"; empty if never, or if it has ended. */
export function endsText(
  { revokedMs, expiresMs }: Pick<DisplayFacts, "revokedMs" | "expiresMs">,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  if (revokedMs !== null || expiresMs === null || expiresMs <= nowMs) return "";
  return expiresMs - nowMs > ENDS_SOON_MS
    ? `ends ${dayMonthYear(expiresMs, timeZone)}`
    : `ends ${atMoment(expiresMs, nowMs, timeZone)}`;
}

/**
 * Why pairing or changing a display failed.
 * @param status of the response; 0: there was none
 * @param retryAfterSeconds when a retry can succeed; null if the response doesn't say
 */
export function displayRefusal(status: number, retryAfterSeconds: number | null): string {
  switch (status) {
    case 0:
      return "No response. Your request may have gone through: check the list and the display.";
    case 400:
      return "Something here isn’t valid. Check the fields and try again.";
    case 401:
      return "Your session has ended, so nothing has changed. Close this and sign in.";
    case 403:
      return "Your role no longer allows this.";
    case 404:
    case 409:
      return "This display no longer exists. Someone may have changed it in the meantime.";
    case 503:
      return "We can’t save this right now, so nothing has changed. Try again in a moment.";
    case 429:
      return retryAfterSeconds === null
        ? "Too many attempts. Try again later."
        : `Too many attempts. Try again in ${waitText(retryAfterSeconds)}.`;
    default:
      return "Something went wrong on our side. Try again in a moment.";
  }
}

/** Rounded up, so that a retry after this time can succeed. */
function waitText(seconds: number): string {
  return duration((seconds > 60 ? Math.ceil(seconds / 60) * 60 : Math.ceil(seconds)) * 1000);
}

/** Shown for a code that no display is showing. */
export const NO_SUCH_CODE =
  "Code not found. Check the display again: a code expires after ten minutes, works once, and is replaced after too many wrong attempts.";
