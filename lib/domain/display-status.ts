import { duration } from "@/lib/domain/words/format";
import { atMoment, datedMoment } from "@/lib/domain/words/dates";

/**
 * What the list of displays says of each. Instants are epoch milliseconds on the server's clock; a
 * `timeZone` is an IANA name.
 */

/** A screen reports once a minute. One that has not connected for longer may have been closed since. */
export const CONNECTED_FOR_MS = 90_000;

/** Three reports missing in a row are no coincidence. */
export const SILENT_AFTER_MS = 180_000;

/** Data older than this is not drawn as plainly fresh anywhere. */
const OLD_AFTER_SECONDS = 150;

/** An end this near is worth a word. */
const ENDS_SOON_MS = 14 * 24 * 3_600_000;

export type DisplayFacts = {
  revokedMs: number | null;
  /** Null: until it is unpaired. */
  expiresMs: number | null;
  /** When it was paired, while it has not connected since; null: it has. */
  waitingSinceMs: number | null;
  /** When it last connected. */
  lastSeenMs: number | null;
  /** When it last painted newer data. */
  lastPaintMs: number | null;
  /** How old its data was when it last reported, at that moment. */
  snapshotAgeSeconds: number | null;
};

export type DisplayStatus =
  | { kind: "revoked" | "ended"; sinceMs: number }
  /** Paired a moment ago, and it is yet to connect. */
  | { kind: "waiting" }
  /** Paired, and it has never connected since. */
  | { kind: "never" }
  /** It is connected and has never reported what it shows: the plain wall, which has no scripts, never does. */
  | { kind: "untold" }
  /** It showed new data until lately and has not connected since: closed, perhaps, or only slow. */
  | { kind: "quiet"; sinceMs: number }
  /** `sinceMs` null: it never showed anything. `asks`: it is connected, and what it gets or shows is not new. */
  | { kind: "silent"; sinceMs: number | null; asks: boolean }
  /** It works, and the data that it is given is old. */
  | { kind: "behind"; ageMs: number }
  | { kind: "showing" };

/** How a display is, as far as its own reports tell. Its end comes before everything that it reports. */
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
      return `was unpaired ${atMoment(status.sinceMs, nowMs, timeZone)}`;
    case "ended":
      return `ended ${atMoment(status.sinceMs, nowMs, timeZone)}`;
    case "waiting":
      return "hasn’t connected yet";
    case "never":
      return "hasn’t connected since it was paired";
    case "untold":
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

/** When a display's time ends, where that is near: "ends on Thu 19 Nov at 18:20"; else empty. */
export function endsSoonText(
  { revokedMs, expiresMs }: Pick<DisplayFacts, "revokedMs" | "expiresMs">,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  if (revokedMs !== null || expiresMs === null || expiresMs <= nowMs) return "";
  return expiresMs - nowMs > ENDS_SOON_MS ? "" : `ends ${atMoment(expiresMs, nowMs, timeZone)}`;
}

/**
 * Why a display was not paired or not changed.
 * @param status of the answer; 0: there was none
 * @param retryAfterSeconds when trying again can succeed; null when the answer did not say
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

/** Rounded up, so that trying again then can succeed. */
function waitText(seconds: number): string {
  return duration((seconds > 60 ? Math.ceil(seconds / 60) * 60 : Math.ceil(seconds)) * 1000);
}

/** Said of a code that no display shows. */
export const NO_SUCH_CODE =
  "Code not found. Check the display again: a code expires after ten minutes, works once, and is replaced after too many wrong attempts.";
