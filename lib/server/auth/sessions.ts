import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import {
  insertSession,
  pruneSessions,
  readSession,
  revokeSession,
  touchSession,
} from "@/lib/server/store/sessions";
import { ADDRESS_KNOWN_MS } from "./password-sign-in";
import type { Person } from "./person";

/** A session ends after this much silence. An open page asks every minute, so it never falls silent. */
export const IDLE_MS = 12 * 3_600_000;
/** And in any case after this. */
export const LIFETIME_MS = 7 * 24 * 3_600_000;
/** Revocation, disabling and demotion take effect within this, plus one query: the promise is 5 s. */
export const RECHECK_MS = 3_000;
/** Longer than this for one row is as good as no database. */
const QUERY_TIMEOUT_MS = 2_000;
/** Who only wants to look is answered from memory sooner, where memory knows the session. */
const LOOKING_TIMEOUT_MS = 300;
/** After a failed check the database is left alone for this long, and memory answers. */
const SILENCE_MS = 1_000;
/** While the database is away memory answers for sessions that were valid this shortly before. */
const TRUSTED_BEFORE_OUTAGE_MS = 3_600_000;
const TOUCH_MS = 5 * 60_000;
const REMEMBERED = 10_000;

/** Who is asking. */
export type Identity =
  | {
      state: "known";
      person: Person;
      /**
       * False: the database does not answer, and the session was valid when it last did. Good for
       * looking at what was there, for nothing else.
       */
      isConfirmed: boolean;
      /** Epoch milliseconds. */
      expiresAtMs: number;
    }
  | { state: "anonymous" }
  /** The database does not answer and we have never seen this session: neither yes nor no. */
  | { state: "unavailable" };

export type Sessions = {
  /** Begins a session and returns its secret, for the cookie. Throws when the database does. */
  start(personId: string, address: string): Promise<string>;
  /**
   * Whose session a secret is. Never throws.
   * @param isLooking nothing will be changed, so an unconfirmed answer in good time is the better one
   */
  check(secret: string, isLooking?: boolean): Promise<Identity>;
  /** Ends a session at once. Throws when the database does: the session may then still be valid. */
  end(secret: string): Promise<void>;
};

type Remembered = { person: Person; expiresAtMs: number; checkedAtMs: number };

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
  const remembered = new Map<string, Remembered>();
  const reading = new Map<string, Promise<Remembered | null>>();
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let outageSinceMs: number | null = null;

  function remember(id: string, entry: Remembered) {
    remembered.delete(id);
    remembered.set(id, entry);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }

  async function read(id: string): Promise<Remembered | null> {
    // The age counts from before the question: what is revoked while it is asked is not missed for longer.
    const checkedAtMs = clock.monotonicMs();
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
      checkedAtMs,
    };
  }

  /** One question at a time for each session; its answer counts whenever it comes. */
  function reread(id: string): Promise<Remembered | null> {
    let answer = reading.get(id);
    if (!answer) {
      answer = read(id)
        .then((fresh) => {
          outageSinceMs = null;
          if (fresh) remember(id, fresh);
          else remembered.delete(id);
          return fresh;
        })
        .finally(() => reading.delete(id));
      // Whoever asked may have gone by then.
      answer.catch(() => undefined);
      reading.set(id, answer);
    }
    return answer;
  }

  async function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
    const done = new AbortController();
    const timeout = clock.sleep(timeoutMs, done.signal).then(() => {
      throw new Error(`no answer within ${timeoutMs} ms`);
    });
    try {
      return await Promise.race([answer, timeout]);
    } finally {
      done.abort();
    }
  }

  function fromMemory(id: string): Identity {
    const entry = remembered.get(id);
    const trustedFromMs = (outageSinceMs ?? clock.monotonicMs()) - TRUSTED_BEFORE_OUTAGE_MS;
    if (!entry || entry.expiresAtMs <= clock.nowMs() || entry.checkedAtMs < trustedFromMs) {
      return { state: "unavailable" };
    }
    const { person, expiresAtMs } = entry;
    return { state: "known", person, expiresAtMs, isConfirmed: false };
  }

  return {
    async start(personId, address) {
      const secret = randomBytes(32).toString("base64url");
      const nowMs = clock.nowMs();
      await insertSession(database, {
        id: idOf(secret),
        personId,
        address,
        nowMs,
        expiresAtMs: nowMs + LIFETIME_MS,
      });
      // Old rows are kept for as long as they make an address a known one.
      await pruneSessions(database, nowMs - ADDRESS_KNOWN_MS);
      return secret;
    },

    async check(secret, isLooking = false) {
      const id = idOf(secret);
      const entry = remembered.get(id);
      const isRecent = entry && clock.monotonicMs() - entry.checkedAtMs < RECHECK_MS;
      if (isRecent && entry.expiresAtMs > clock.nowMs()) {
        const { person, expiresAtMs } = entry;
        return { state: "known", person, expiresAtMs, isConfirmed: true };
      }
      if (clock.monotonicMs() < silentUntilMs) return fromMemory(id);
      try {
        const timeoutMs = isLooking && entry ? LOOKING_TIMEOUT_MS : QUERY_TIMEOUT_MS;
        const fresh = await inTime(reread(id), timeoutMs);
        if (!fresh) return { state: "anonymous" };
        const { person, expiresAtMs } = fresh;
        return { state: "known", person, expiresAtMs, isConfirmed: true };
      } catch (error) {
        const nowMs = clock.monotonicMs();
        if (nowMs >= silentUntilMs) {
          log.warn({ err: error }, "sessions cannot be checked: the database does not answer");
        }
        silentUntilMs = nowMs + SILENCE_MS;
        outageSinceMs ??= nowMs;
        return fromMemory(id);
      }
    },

    async end(secret) {
      const id = idOf(secret);
      remembered.delete(id);
      await revokeSession(database, id, clock.nowMs());
    },
  };
}

function idOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
