import { createHash } from "node:crypto";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import { hasRight } from "@/lib/domain/rights";
import { findAccount } from "@/lib/server/store/people/people";
import { listGivenGrants } from "@/lib/server/store/people/provider-people";
import {
  clearAttempts,
  pruneAttempts,
  uncountAttempt,
} from "@/lib/server/store/people/sign-in-attempts";
import { secondsToWait } from "./attempts";
import { passwordMatches } from "./passwords";

export const WINDOW_MS = 15 * 60_000;
export const FAILURES_PER_ACCOUNT = 5;
export const FAILURES_PER_ADDRESS = 20;
/** How long an address stays a known one of a person after signing in there. */
export const ADDRESS_KNOWN_MS = 30 * 24 * 3_600_000;

export type PasswordSignIn = (attempt: {
  /** As typed. */
  email: string;
  password: string;
  /** The client's name, see `addressName`. */
  address: string;
}) => Promise<
  | { ok: true; person: { id: string; email: string; name: string } }
  /** The password was right, and local accounts such as this one don't sign in here. */
  | { ok: false; reason: "closed"; person: Named | null }
  | { ok: false; reason: "credentials"; person: Named | null }
  | {
      ok: false;
      reason: "limited";
      limit: "account" | "address";
      retryAfterSeconds: number;
      person: Named | null;
    }
>;

/** Which local accounts may sign in. The first administrator always may: nothing else may lock everybody out. */
export type LocalSignIn = { who: "on" | "administrators" | "off"; adminEmail: string };

/** Whose account was tried, for the log only: whoever asks is told the same either way. */
type Named = { id: string; name: string; email: string };

/**
 * Signing in with a password, limited per account and per address.
 *
 * Every attempt is counted before the password is looked at and taken back when it was right, and one
 * account's attempts are verified one after the other: however many guesses come at once, no more than
 * the limit are ever tried. Unknown, disabled and real accounts are counted, refused and timed alike.
 *
 * Strangers share one counter per account; from an address where the person signed in within 30 days
 * they have a counter of their own. So somebody guessing elsewhere can make a person wait at a place
 * that is new to them (15 minutes at a time, for as long as the guessing goes on), never at their own.
 */
export function createPasswordSignIn({
  database,
  time,
  local,
}: {
  database: Database;
  time: DatabaseTime;
  local: LocalSignIn;
}): PasswordSignIn {
  const queues = new Map<string, Promise<unknown>>();

  /** Runs `work` when everything queued before under the same key has ended. */
  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
    queues.set(key, turn);
    try {
      return await turn;
    } finally {
      if (queues.get(key) === turn) queues.delete(key);
    }
  }

  async function isOpenTo({ id, email }: { id: string; email: string }): Promise<boolean> {
    if (local.who === "on" || email === local.adminEmail) return true;
    if (local.who === "off") return false;
    return hasRight(await listGivenGrants(database.orm, id), "manage-people", null);
  }

  return ({ email: typed, password, address }) => {
    // PostgreSQL refuses NUL in text; no account has one.
    const email = typed.trim().toLowerCase().replaceAll("\0", "");
    const account = createHash("sha256").update(email).digest("base64url");

    return inTurn(account, async () => {
      const { judgedMs: nowMs } = await time.now();
      const waitFor = (bucket: string, limit: number) =>
        secondsToWait(database, bucket, { nowMs, lengthMs: WINDOW_MS, limit });
      const addressBucket = `address:${address}`;
      const addressWait = await waitFor(addressBucket, FAILURES_PER_ADDRESS);
      if (addressWait !== null) {
        return refused("address", addressWait, null);
      }
      const knownSinceMs = nowMs - ADDRESS_KNOWN_MS;
      const person = await findAccount(database.orm, email, address, knownSinceMs);
      const accountBucket = person?.isAtKnownAddress
        ? `account:${account}@${address}`
        : `account:${account}`;
      const accountWait = await waitFor(accountBucket, FAILURES_PER_ACCOUNT);
      if (accountWait !== null) {
        // Nothing was tried: a colleague behind the same address must not pay for it.
        await uncountAttempt(database, addressBucket);
        return refused("account", accountWait, person);
      }
      const matches = await passwordMatches(person?.passwordHash ?? null, password);
      if (!person || !matches) return { ok: false, reason: "credentials", person: named(person) };
      await clearAttempts(database, accountBucket);
      // Taken back, not cleared: with one good account nobody guesses at others without end.
      await uncountAttempt(database, addressBucket);
      await pruneAttempts(database, nowMs - WINDOW_MS);
      // Said only to whoever knows the password: nobody else learns who has an account.
      if (!(await isOpenTo(person))) return { ok: false, reason: "closed", person: named(person) };
      return { ok: true, person: { id: person.id, email: person.email, name: person.name } };
    });
  };
}

function refused(limit: "account" | "address", retryAfterSeconds: number, person: Named | null) {
  return {
    ok: false,
    reason: "limited",
    limit,
    retryAfterSeconds,
    person: named(person),
  } as const;
}

function named(person: Named | null): Named | null {
  return person && { id: person.id, name: person.name, email: person.email };
}
