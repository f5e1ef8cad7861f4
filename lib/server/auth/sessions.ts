import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import {
  insertSession,
  pruneSessions,
  readSessions,
  revokeSession,
  touchSessions,
  type SessionRow,
} from "@/lib/server/store/people/sessions";
import { createAccess, type Access } from "./access";
import { createRevalidatingCache } from "./revalidating-cache";
import { ADDRESS_KNOWN_MS } from "./password-sign-in";
import type { Person } from "./person";
import { newSecret, secretHash } from "./secret";

/** How much longer the cookie's token lasts than its session: it expires on our clock, which may be wrong. */
export const COOKIE_GRACE_MS = 30 * 24 * 3_600_000;
const TOUCH_MS = 5 * 60_000;
const MAX_BATCH = 500;

/** Who a request is from. `isConfirmed` and `unavailable` as in `Checked`; `expiresAtMs`: epoch milliseconds. */
export type Identity =
  | {
      state: "known";
      person: Person;
      session: SessionFacts;
      isConfirmed: boolean;
      expiresAtMs: number;
      /** Key for limits on its requests. */
      clientKey: string;
    }
  /** `isTimedOut`: the session expired by the clock, which may turn out to be wrong. */
  | { state: "anonymous"; isTimedOut?: true }
  | { state: "unavailable" };

/**
 * `id`: public id, not a credential. `authenticatedAtMs`: epoch milliseconds on PostgreSQL's clock; null: not known.
 * `isPrevious`: the request used the session's previous secret, because it was sent before the secret changed.
 */
export type SessionFacts = { id: string; authenticatedAtMs: number | null; isPrevious?: true };

export type Sessions = {
  /**
   * Starts a session and returns its secret, for the cookie. Throws database errors.
   * @param browser short description, such as "Firefox on Windows"; empty: unknown
   */
  start(
    personId: string,
    address: string,
    browser?: string,
    origin?: SessionOrigin,
  ): Promise<string>;
  /**
   * Looks up a session; synchronously if it was read within `RECHECK_MS`. Use of an ended session is written to the
   * security log. Never throws.
   * @param id the secret's `secretHash`
   * @param isReadOnly see `RevalidatingCache.check`
   * @param address the client address, for the security log
   */
  check(id: string, isReadOnly?: boolean, address?: string): MaybePromise<Identity>;
  /**
   * Ends a session immediately. Throws database errors: the session may then still be valid.
   * @returns the session's sealed ID token; null: it has none, or had already ended
   */
  end(secret: string): Promise<string | null>;
  /** Removes sessions from the cache, such as those ended by another instance. */
  forget(ids: readonly string[]): void;
  /** Makes the next check of every session query the database. */
  recheckAll(): void;
};

/** How a session was started. */
export type SessionOrigin = {
  /** Time of authentication, epoch milliseconds; null: the provider gave none. Default: now. */
  authenticatedAtMs?: number | null;
  /** The provider's session id. */
  providerSession?: string | null;
  /** Sealed. */
  idToken?: string | null;
};

type Good = { person: Person; session: SessionFacts; expiresAtMs: number; lastsMs: number };
/** Cached like valid sessions. */
type Ended = { ended: { id: string; name: string }; why: Why; lastsMs: number };
type Why = "revoked" | "expired" | "disabled";

/**
 * Sessions are database rows that requests are checked against, not only signed cookies. There is no idle timeout,
 * because open pages send requests all the time: a session ends a fixed time after sign-in.
 */
export function createSessions({
  database,
  access = createAccess(null, []),
  lifetimeMs,
  time,
  clock,
  securityLog,
}: {
  lifetimeMs: number;
  database: Database;
  access?: Access;
  time: DatabaseTime;
  clock: Clock;
  securityLog: SecurityLog;
}): Sessions {
  async function read(ids: readonly string[]): Promise<Map<string, Good | Ended>> {
    const rows = await readSessions(database, ids);
    const found = new Map<string, Good | Ended>();
    const [first] = rows.values();
    if (first === undefined) return found;
    const { ms, judgedMs } = time.observe(first.databaseMs);
    const used: string[] = [];
    for (const [id, row] of rows) {
      const session = judge(row, judgedMs);
      if (session === null) continue;
      found.set(id, session);
      // The absolute difference, because a time in the future means that the clock was set back.
      const isLongAgo = Math.abs(ms - row.lastSeenAtMs) >= TOUCH_MS;
      if (isLongAgo && row.previousUntilMs === null && !("ended" in session)) used.push(id);
    }
    if (used.length > 0) {
      // Reading must keep working when writes fail, for instance on a full disk.
      await touchSessions(database, used, ms).catch((error: unknown) =>
        securityLog.failed("use_unrecorded", error, null),
      );
    }
    return found;
  }

  /** Null: the secret is a previous one that is no longer accepted. @param judgedMs on PostgreSQL's clock */
  function judge(row: SessionRow, judgedMs: number): Good | Ended | null {
    const { previousUntilMs } = row;
    const isPrevious = previousUntilMs !== null;
    if (isPrevious && previousUntilMs <= judgedMs) return null;
    const why = endOf(row, judgedMs);
    if (why !== null) {
      const { id: personId, name } = row.person;
      return { lastsMs: Number.POSITIVE_INFINITY, ended: { id: personId, name }, why };
    }
    const { id: personId, email, name, issuer, grants } = row.person;
    return {
      person: {
        id: personId,
        email,
        name,
        kind: issuer === null ? "local" : "oidc",
        grants: [...grants, ...access.find(row.person)],
      },
      session: {
        id: row.publicId,
        authenticatedAtMs: row.authenticatedAtMs,
        ...(isPrevious && { isPrevious }),
      },
      expiresAtMs: row.expiresAtMs,
      lastsMs: Math.min(row.expiresAtMs, previousUntilMs ?? row.expiresAtMs) - judgedMs,
    };
  }

  const rows = createRevalidatingCache({
    read,
    what: "sessions",
    clock,
    securityLog,
    mostAtOnce: MAX_BATCH,
  });

  return {
    async start(personId, address, browser = "", origin = {}) {
      const secret = newSecret();
      const { ms, judgedMs } = await time.now();
      await insertSession(database.orm, {
        id: secretHash(secret),
        personId,
        address,
        browser,
        nowMs: ms,
        expiresAtMs: ms + lifetimeMs,
        // The provider's clock may be ahead.
        authenticatedAtMs:
          origin.authenticatedAtMs === null ? null : Math.min(origin.authenticatedAtMs ?? ms, ms),
        providerSession: origin.providerSession ?? null,
        idToken: origin.idToken ?? null,
      });
      // Ended sessions are retained as long as they make an address known.
      await pruneSessions(database, judgedMs - ADDRESS_KNOWN_MS);
      return secret;
    },

    check(id, isReadOnly, address = "unknown") {
      return andThen(rows.check(id, isReadOnly), (checked): Identity => {
        if (checked.state === "unknown") return { state: "anonymous" };
        if (checked.state === "unavailable") return checked;
        const { value, isConfirmed } = checked;
        if ("ended" in value) {
          securityLog.record("session_ended", { address, person: value.ended }, { why: value.why });
          const isTimedOut = value.why === "expired";
          return { state: "anonymous", ...(isTimedOut && { isTimedOut }) };
        }
        const { person, session, expiresAtMs } = value;
        return {
          state: "known",
          person,
          session,
          expiresAtMs,
          isConfirmed,
          clientKey: sessionClientKey(id),
        };
      });
    },

    async end(secret) {
      const id = secretHash(secret);
      rows.forget(id);
      return revokeSession(database.orm, id, clock.nowMs());
    },

    forget(ids) {
      for (const id of ids) rows.forget(id);
    },

    recheckAll: () => rows.recheckAll(),
  };
}

/** Key for limits on a session's requests. @param id the secret's `secretHash` */
export function sessionClientKey(id: string): string {
  return `session ${id}`;
}

/**
 * Why a session has ended; null: it is valid.
 * @param nowMs on PostgreSQL's clock
 */
function endOf(row: SessionRow, nowMs: number): Why | null {
  if (row.isRevoked) return "revoked";
  if (row.person.isDisabled) return "disabled";
  return row.expiresAtMs <= nowMs ? "expired" : null;
}
