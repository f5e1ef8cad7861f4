import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { soon, type Soon } from "@/lib/server/soon";
import type { Database } from "@/lib/server/store/database";
import {
  insertSession,
  pruneSessions,
  readSession,
  revokeSession,
  touchSession,
} from "@/lib/server/store/sessions";
import { createCheckedRows } from "./checked-rows";
import { ADDRESS_KNOWN_MS } from "./password-sign-in";
import type { Person } from "./person";
import { newSecret, secretHash } from "./secret";

/** A session ends after this much silence. An open page asks every minute, so it never falls silent. */
export const IDLE_MS = 12 * 3_600_000;
/** And in any case after this. */
export const LIFETIME_MS = 7 * 24 * 3_600_000;
const TOUCH_MS = 5 * 60_000;

/** Who is asking. `isConfirmed` and `unavailable` as in `Checked`; `expiresAtMs`: epoch milliseconds. */
export type Identity =
  | { state: "known"; person: Person; isConfirmed: boolean; expiresAtMs: number }
  | { state: "anonymous" }
  | { state: "unavailable" };

export type Sessions = {
  /** Begins a session and returns its secret, for the cookie. Throws when the database does. */
  start(personId: string, address: string): Promise<string>;
  /**
   * Whose session a secret is; at once where it was read lately. Never throws.
   * @param id the secret's `secretHash`
   * @param isLooking nothing will be changed, so an unconfirmed answer in good time is the better one
   */
  check(id: string, isLooking?: boolean): Soon<Identity>;
  /** Ends a session at once. Throws when the database does: the session may then still be valid. */
  end(secret: string): Promise<void>;
};

/** Sessions are rows that are checked, not only signed cookies. */
export function createSessions({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): Sessions {
  async function read(id: string): Promise<{ person: Person; expiresAtMs: number } | null> {
    const row = await readSession(database, id);
    const nowMs = clock.nowMs();
    if (!row || row.isRevoked || row.person.isDisabled) return null;
    if (row.expiresAtMs <= nowMs || row.lastSeenAtMs + IDLE_MS <= nowMs) return null;
    if (nowMs - row.lastSeenAtMs >= TOUCH_MS) {
      // A full disk must not keep anybody from looking.
      await touchSession(database, id, nowMs).catch((error: unknown) =>
        log.warn({ err: error }, "a session's last use was not recorded"),
      );
    }
    const { isDisabled: _, role, companies, ...person } = row.person;
    return {
      person: { ...person, role, companies: role === "administrator" ? "all" : companies },
      expiresAtMs: row.expiresAtMs,
    };
  }

  const rows = createCheckedRows({ read, what: "sessions", clock, log });

  return {
    async start(personId, address) {
      const secret = newSecret();
      const nowMs = clock.nowMs();
      await insertSession(database, {
        id: secretHash(secret),
        personId,
        address,
        nowMs,
        expiresAtMs: nowMs + LIFETIME_MS,
      });
      // Old rows are kept for as long as they make an address a known one.
      await pruneSessions(database, nowMs - ADDRESS_KNOWN_MS);
      return secret;
    },

    check(id, isLooking) {
      return soon(rows.check(id, isLooking), (checked): Identity => {
        if (checked.state === "unknown") return { state: "anonymous" };
        if (checked.state === "unavailable") return checked;
        return { state: "known", ...checked.value, isConfirmed: checked.isConfirmed };
      });
    },

    async end(secret) {
      const id = secretHash(secret);
      rows.forget(id);
      await revokeSession(database, id, clock.nowMs());
    },
  };
}
