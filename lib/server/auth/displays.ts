import type { DisplaySettings } from "@/lib/contracts/wall";
import { zoneName } from "@/lib/domain/time/zone-name";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import { TOLERATED_MS, type DatabaseTime } from "@/lib/server/store/database-time";
import {
  readDisplayByHash,
  rotateSecret,
  touchDisplay,
  type DisplayRow,
} from "@/lib/server/store/displays/displays";
import { createRevalidatingCache, readSingly } from "./revalidating-cache";
import { displayCookies, type SettableCookie } from "./cookies";
import { newSecret, secretHash } from "./secret";

/** How often a display gets a new credential. */
export const ROTATE_MS = 24 * 3_600_000;
/** How long the previous credential stays valid after the first use of the new one. */
export const GRACE_MS = 3_600_000;
/** Age at which an unused new credential is replaced: no response with it can still be in transit. */
export const REISSUE_MS = 5 * 60_000;
const TOUCH_MS = 60_000;

/** A display that may show data, as of the last few seconds. */
export type PairedDisplay = {
  id: string;
  settings: DisplaySettings;
  reloadRequestedAt: Date | null;
  credential: {
    /** Hex SHA-256 of the credential that the request used. */
    hash: string;
    isNewest: boolean;
    /** Whether the newest credential has been used. */
    hasArrived: boolean;
    /** When the newest credential was issued. */
    rotatedAt: Date;
  };
};

/** A display whose pairing has ended. */
export type EndedDisplay = {
  id: string;
  settings: DisplaySettings;
  /** Null: expired, or the person's name isn't known. */
  revokedByName: string | null;
  why: "revoked" | "expired";
  at: Date;
};

type DisplayIdentity =
  | { state: "known"; display: PairedDisplay; isConfirmed: boolean }
  | { state: "ended"; ended: EndedDisplay }
  /** After a restore, until an administrator resumes displays. */
  | { state: "paused" }
  /** No credential, or an unknown one. */
  | { state: "unknown" }
  | { state: "unavailable" };

export type Displays = {
  cookies: { display: SettableCookie; pairing: SettableCookie };
  /**
   * Identifies the display making a request. Rejected credentials are written to the security log. Never throws.
   * @param cookie returns a cookie's value by name
   * @param isReadOnly see `RevalidatingCache.check`
   * @param address the client address, for the security log
   */
  identify(
    cookie: (name: string) => string | undefined,
    isReadOnly?: boolean,
    address?: string,
  ): MaybePromise<DisplayIdentity>;
  /**
   * Rotates the credential once a day. A lost response does no harm: the previous credential stays valid until the new
   * one has been used. Rejects with database errors.
   * @returns the new credential as a `Set-Cookie` value; null: not due, or another request rotated it
   */
  renew(display: PairedDisplay): Promise<string | null> | null;
};

type Remembered = { lastsMs: number; display: PairedDisplay } | EndedRow | PausedRow;
type PausedRow = { lastsMs: number; isPaused: true };
type EndedRow = { lastsMs: number; ended: EndedDisplay };

/** Credentials of displays: looked up in the database like sessions, but never tied to a person. */
export function createDisplays({
  appUrl,
  isWallFramed,
  database,
  time,
  clock,
  securityLog,
}: {
  appUrl: string;
  isWallFramed: boolean;
  database: Database;
  time: DatabaseTime;
  clock: Clock;
  securityLog: SecurityLog;
}): Displays {
  const cookies = displayCookies(appUrl, isWallFramed);

  async function read(hash: string): Promise<Remembered | null> {
    const found = await readDisplayByHash(database, hash);
    if (found === null) return null;
    const { row, databaseMs, isPaused } = found;
    const { judgedMs } = time.observe(databaseMs);
    const isNewest = row.secretHash === hash;
    const isPreviousOver = (row.previousUntil?.getTime() ?? 0) <= judgedMs;
    if (!isNewest && row.isSecretUsed && isPreviousOver) return null;
    const ended = endOf(row, judgedMs);
    if (ended !== null) return { lastsMs: Number.POSITIVE_INFINITY, ended };
    if (isPaused) return { lastsMs: Number.POSITIVE_INFINITY, isPaused };
    const isFirstUse = isNewest && !row.isSecretUsed;
    // "Last seen" is shown to people, who compare it with our clock.
    const nowMs = clock.nowMs();
    const silentMs = nowMs - (row.lastSeenAt?.getTime() ?? 0);
    if (isFirstUse || silentMs >= TOUCH_MS || silentMs < -TOLERATED_MS) {
      const use = { usedHash: hash, nowMs, previousUntilMs: judgedMs + GRACE_MS };
      // Displays must keep working when writes fail, for instance on a full disk.
      await touchDisplay(database, row.id, use).catch((error: unknown) =>
        securityLog.failed("use_unrecorded", error, null),
      );
    }
    return {
      lastsMs: (row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - judgedMs,
      display: {
        id: row.id,
        settings: row.settings,
        reloadRequestedAt: row.reloadRequestedAt,
        credential: {
          hash,
          isNewest,
          hasArrived: isNewest || row.isSecretUsed,
          rotatedAt: row.rotatedAt,
        },
      },
    };
  }

  const rows = createRevalidatingCache({
    read: readSingly(read),
    what: "displays",
    clock,
    securityLog,
  });

  return {
    cookies,

    identify(cookie, isReadOnly, address = "unknown") {
      const secret = cookie(cookies.display.name);
      if (!secret) return { state: "unknown" };
      return andThen(rows.check(secretHash(secret), isReadOnly), (checked): DisplayIdentity => {
        if (checked.state === "unknown") {
          securityLog.record("display_refused", { address }, { why: "unknown" });
        }
        if (checked.state !== "known") return checked;
        const { value, isConfirmed } = checked;
        if ("isPaused" in value) return { state: "paused" };
        if ("ended" in value) {
          const { id, settings, why } = value.ended;
          const display = { display: id, display_name: settings.name };
          securityLog.record("display_refused", { address }, { ...display, why });
          return { state: "ended", ended: value.ended };
        }
        return { state: "known", display: value.display, isConfirmed };
      });
    },

    renew({ id, credential: { hash, isNewest, hasArrived, rotatedAt } }) {
      const nowMs = clock.nowMs();
      const ageMs = nowMs - rotatedAt.getTime();
      // A date in the future means that the clock was set back since.
      const isOlder = (ms: number) => ageMs >= ms || ageMs < -TOLERATED_MS;
      const isDue = isNewest ? isOlder(ROTATE_MS) : !hasArrived && isOlder(REISSUE_MS);
      if (!isDue) return null;
      const secret = newSecret();
      const newHash = secretHash(secret);
      const rotated = rotateSecret(database, id, { usedHash: hash, rotatedAt, newHash, nowMs });
      return rotated.then((isOurs) => (isOurs ? cookies.display.set(secret) : null));
    },
  };
}

/** Null: the pairing hasn't ended. @param nowMs on the database's clock */
function endOf(
  { id, settings, revokedAt, revokedByName, expiresAt }: DisplayRow,
  nowMs: number,
): EndedDisplay | null {
  if (revokedAt !== null) return { id, settings, revokedByName, why: "revoked", at: revokedAt };
  if (expiresAt === null || expiresAt.getTime() > nowMs) return null;
  return { id, settings, revokedByName: null, why: "expired", at: expiresAt };
}

export const DISPLAYS_PAUSED =
  "Plumbline was restored from a backup. An administrator can resume displays on the Displays page.";

/** The sentence shown on a display whose pairing has ended, in the display's time zone. */
export function endedSentence({ settings, revokedByName, why, at }: EndedDisplay): string {
  const { time_zone: timeZone } = settings;
  const format = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const when = `${format.format(at)} ${zoneName(at.getTime(), timeZone)}`;
  return why === "revoked"
    ? `This display was unpaired by ${revokedByName ?? "an administrator"} on ${when}.`
    : `This display’s pairing ended on ${when}.`;
}
