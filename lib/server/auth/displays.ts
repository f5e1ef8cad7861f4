import type { DisplaySettings } from "@/lib/contracts/wall";
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
import { createRevalidatingCache } from "./revalidating-cache";
import { displayCookies, type SettableCookie } from "./cookies";
import { newSecret, secretHash } from "./secret";

/** A screen gets a new credential this often, ... */
export const ROTATE_MS = 24 * 3_600_000;
/** ... the one before works for so long after the new one has arrived, ... */
export const GRACE_MS = 3_600_000;
/** ... and while it does not arrive another is sent, once no answer can be under way any more. */
export const REISSUE_MS = 5 * 60_000;
const TOUCH_MS = 60_000;

/** A screen that may show something, as it was within the last seconds. */
export type PairedDisplay = {
  id: string;
  settings: DisplaySettings;
  reloadRequestedAt: Date | null;
  credential: {
    /** Hex SHA-256 of the one that it showed. */
    hash: string;
    isNewest: boolean;
    /** Whether the newest was ever shown, and when it was made. */
    hasArrived: boolean;
    rotatedAt: Date;
  };
};

/** A screen that was paired once. */
export type EndedDisplay = {
  id: string;
  settings: DisplaySettings;
  /** Null: its time was over. */
  revokedByName: string | null;
  why: "revoked" | "expired";
  at: Date;
};

type DisplayIdentity =
  | { state: "known"; display: PairedDisplay; isConfirmed: boolean }
  | { state: "ended"; ended: EndedDisplay }
  /** After a restore, until an administrator lets displays show again. */
  | { state: "paused" }
  /** There is no credential, or none that we know. */
  | { state: "unknown" }
  | { state: "unavailable" };

export type Displays = {
  cookies: { display: SettableCookie; pairing: SettableCookie };
  /**
   * Which screen this is; a credential that is refused is noted. Never throws.
   * @param cookie gives a cookie's value by name
   * @param isReadOnly see `RevalidatingCache.check`
   * @param address the client's true address, to be noted
   */
  identify(
    cookie: (name: string) => string | undefined,
    isReadOnly?: boolean,
    address?: string,
  ): MaybePromise<DisplayIdentity>;
  /**
   * A new credential as a `Set-Cookie`, once a day; null while the screen has its newest, or when another
   * request was given it. A lost answer costs nothing: the one before works until the new one has been used.
   * Rejects when the database does.
   */
  renew(display: PairedDisplay): Promise<string | null> | null;
};

type Remembered = { lastsMs: number; display: PairedDisplay } | EndedRow | PausedRow;
type PausedRow = { lastsMs: number; isPaused: true };
type EndedRow = { lastsMs: number; ended: EndedDisplay };

/** Credentials of screens: rows that are checked, like sessions, and never a person's. */
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
    const { judgedMs } = time.heard(databaseMs);
    const isNewest = row.secretHash === hash;
    const isPreviousOver = (row.previousUntil?.getTime() ?? 0) <= judgedMs;
    if (!isNewest && row.isSecretUsed && isPreviousOver) return null;
    const ended = endOf(row, judgedMs);
    if (ended !== null) return { lastsMs: Number.POSITIVE_INFINITY, ended };
    if (isPaused) return { lastsMs: Number.POSITIVE_INFINITY, isPaused };
    const isFirstUse = isNewest && !row.isSecretUsed;
    // When it was seen is for people, who read it by our clock.
    const nowMs = clock.nowMs();
    const silentMs = nowMs - (row.lastSeenAt?.getTime() ?? 0);
    if (isFirstUse || silentMs >= TOUCH_MS || silentMs < -TOLERATED_MS) {
      const use = { usedHash: hash, nowMs, previousUntilMs: judgedMs + GRACE_MS };
      // A full disk must not darken a wall.
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

  const rows = createRevalidatingCache({ read, what: "displays", clock, securityLog });

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
      // One that was made ahead of now was made before the clock went back.
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

/** @param nowMs on the database's clock */
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

/** What a screen that ended says of itself; its time in its own zone. */
export function endedSentence({ settings, revokedByName, why, at }: EndedDisplay): string {
  const when = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: settings.time_zone,
  }).format(at);
  return why === "revoked"
    ? `This display was unpaired by ${revokedByName ?? "an administrator"} on ${when}.`
    : `This display’s pairing ended on ${when}.`;
}
