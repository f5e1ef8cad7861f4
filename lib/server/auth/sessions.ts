import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import {
  insertSession,
  pruneSessions,
  readSession,
  revokeSession,
  touchSession,
  type SessionRow,
} from "@/lib/server/store/people/sessions";
import { createAccess, type Access } from "./access";
import { createRevalidatingCache } from "./revalidating-cache";
import { ADDRESS_KNOWN_MS } from "./password-sign-in";
import type { Person } from "./person";
import { newSecret, secretHash } from "./secret";

/** What a cookie holds says when it ends by our clock: so much later than its session that a wrong one ends none. */
export const COOKIE_GRACE_MS = 30 * 24 * 3_600_000;
const TOUCH_MS = 5 * 60_000;

/** Who is asking. `isConfirmed` and `unavailable` as in `Checked`; `expiresAtMs`: epoch milliseconds. */
export type Identity =
  | {
      state: "known";
      person: Person;
      session: SessionFacts;
      isConfirmed: boolean;
      expiresAtMs: number;
      /** What its requests are counted by. */
      asker: string;
    }
  /** `isTimedOut`: only because of what a clock says, which may turn out to be wrong. */
  | { state: "anonymous"; isTimedOut?: true }
  | { state: "unavailable" };

/**
 * `id` is what people name it by, and opens nothing; `authenticatedAtMs`: epoch milliseconds, on PostgreSQL's clock;
 * null: no one knows. `isPrevious`: the secret that was sent is the one before, of a request that was under way.
 */
export type SessionFacts = { id: string; authenticatedAtMs: number | null; isPrevious?: true };

export type Sessions = {
  /**
   * Begins a session and returns its secret, for the cookie. Throws when the database does.
   * @param browser a few words, such as "Firefox on Windows"; empty: not known
   */
  start(
    personId: string,
    address: string,
    browser?: string,
    origin?: SessionOrigin,
  ): Promise<string>;
  /**
   * Whose session a secret is; at once where it was read lately. Who uses one that has ended is noted. Never
   * throws.
   * @param id the secret's `secretHash`
   * @param isReadOnly nothing will be changed, so an unconfirmed answer in good time is the better one
   * @param address the client's true address, to be noted
   */
  check(id: string, isReadOnly?: boolean, address?: string): MaybePromise<Identity>;
  /**
   * Ends a session at once. Throws when the database does: the session may then still be valid.
   * @returns the sealed ID token that it began with; null: there was none, or it had ended
   */
  end(secret: string): Promise<string | null>;
  /** Sessions that were ended elsewhere are read again when they are next asked for. */
  forget(ids: readonly string[]): void;
  /** What may have changed for everybody is read again for each session that is asked for. */
  recheckAll(): void;
};

/** What a session began with. */
export type SessionOrigin = {
  /** When somebody proved who they are, epoch milliseconds; null: the provider doesn't say. Default: now. */
  authenticatedAtMs?: number | null;
  /** The provider's name for its own session. */
  providerSession?: string | null;
  /** Sealed. */
  idToken?: string | null;
};

type Good = { person: Person; session: SessionFacts; expiresAtMs: number; lastsMs: number };
/** Kept in memory like the others. */
type Ended = { ended: { id: string; name: string }; why: Why; lastsMs: number };
type Why = "revoked" | "expired" | "disabled";

/**
 * Sessions are rows that are checked, not only signed cookies. An open page asks all the time, so silence says
 * nothing: a session ends so long after signing in, whatever happens.
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
  async function read(id: string): Promise<Good | Ended | null> {
    const row = await readSession(database, id);
    if (!row) return null;
    const { ms, judgedMs } = time.heard(row.databaseMs);
    const { previousUntilMs } = row;
    const isPrevious = previousUntilMs !== null;
    if (isPrevious && previousUntilMs <= judgedMs) return null;
    const why = endOf(row, judgedMs);
    if (why !== null) {
      const { id: personId, name } = row.person;
      return { lastsMs: Number.POSITIVE_INFINITY, ended: { id: personId, name }, why };
    }
    // What was seen ahead of now was seen before the clock went back.
    if (!isPrevious && Math.abs(ms - row.lastSeenAtMs) >= TOUCH_MS) {
      // A full disk must not keep anybody from looking.
      await touchSession(database, id, ms).catch((error: unknown) =>
        securityLog.failed("use_unrecorded", error, null),
      );
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

  const rows = createRevalidatingCache({ read, what: "sessions", clock, securityLog });

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
        // Nobody has proven anything later than now.
        authenticatedAtMs:
          origin.authenticatedAtMs === null ? null : Math.min(origin.authenticatedAtMs ?? ms, ms),
        providerSession: origin.providerSession ?? null,
        idToken: origin.idToken ?? null,
      });
      // Old rows are kept for as long as they make an address a known one.
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
          asker: sessionAsker(id),
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

/** What the requests of a session are counted by. @param id the secret's `secretHash` */
export function sessionAsker(id: string): string {
  return `session ${id}`;
}

/**
 * Why a session is no longer good; null: it is.
 * @param nowMs on the clock of its row
 */
function endOf(row: SessionRow, nowMs: number): Why | null {
  if (row.isRevoked) return "revoked";
  if (row.person.isDisabled) return "disabled";
  return row.expiresAtMs <= nowMs ? "expired" : null;
}
