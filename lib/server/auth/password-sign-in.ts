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
import { networkName } from "@/lib/server/http/client-address.mjs";
import { secondsToWait } from "./attempts";
import type { KnownDevices } from "./known-device";
import { passwordMatches } from "./passwords";

export const WINDOW_MS = 15 * 60_000;
/** Of one account from one address or one known device. */
export const FAILURES_PER_ACCOUNT = 5;
/** Of one account from the addresses of one network that its person doesn't sign in from. */
export const FAILURES_PER_ACCOUNT_IN_NETWORK = 10;
/** Of one account from all addresses together that its person doesn't sign in from. */
export const FAILURES_PER_ACCOUNT_ELSEWHERE = 50;
/** Of one account from one network, once those are used up. */
const FAILURES_KEPT_FOR_A_NETWORK = 1;
export const FAILURES_PER_ADDRESS = 20;
/** Of all accounts from the addresses of one network that their people don't sign in from. */
export const FAILURES_PER_NETWORK = 100;
/** How long an address stays a known one of a person after signing in there. */
export const ADDRESS_KNOWN_MS = 30 * 24 * 3_600_000;

export type PasswordSignIn = (attempt: {
  /** As typed. */
  email: string;
  password: string;
  /** The client's name, see `addressName`. */
  address: string;
  /** The device cookie as it was sent. */
  device?: string | undefined;
  /** The public id of a session of this very account. */
  session?: string;
}) => Promise<
  /** `device`: the value of the cookie by which this browser is known from now on. */
  | { ok: true; person: { id: string; email: string; name: string }; device: string }
  /** The password was right, and local accounts such as this one don't sign in here. */
  | { ok: false; reason: "closed"; person: Named | null }
  | { ok: false; reason: "credentials"; person: Named | null }
  | {
      ok: false;
      reason: "limited";
      limit: "account" | "address" | "network";
      retryAfterSeconds: number;
      person: Named | null;
    }
>;

/** Which local accounts may sign in. The first administrator always may: nothing else may lock everybody out. */
export type LocalSignIn = { who: "on" | "administrators" | "off"; adminEmail: string };

/**
 * Whether a local account may sign in with its password.
 * @param account.isAdministrator by hand: rules make local people nothing
 */
export function isLocallyOpenTo(
  { who, adminEmail }: LocalSignIn,
  account: { email: string; isAdministrator: boolean },
): boolean {
  if (who === "on" || account.email === adminEmail) return true;
  return who === "administrators" && account.isAdministrator;
}

/** Whose account was tried, for the log only: whoever asks is told the same either way. */
type Named = { id: string; name: string; email: string };

/**
 * Signing in with a password, limited per account and address, per address, and per network.
 *
 * Every attempt is counted before the password is looked at and taken back when it was right, and one
 * account's attempts are verified one after the other: however many guesses come at once, no more than
 * the limit are ever tried. Unknown, disabled and real accounts are counted, refused and timed alike.
 *
 * Each address has a counter of its own for each account; so has each network, and all that are new to an account share
 * one that is ten times as large. Once that is used up, every network still has a try of its own. A browser in which the
 * account was signed in to before, and a session of it, have counters of their own wherever they are, and no limit of
 * their address's holds them up. So who guesses makes no one wait outside their own networks, however many they have.
 */
export function createPasswordSignIn({
  database,
  time,
  devices,
  local,
}: {
  database: Database;
  time: DatabaseTime;
  devices: KnownDevices;
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
    const isAdministrator =
      local.who === "administrators" &&
      hasRight(await listGivenGrants(database.orm, id), "manage-people", null);
    return isLocallyOpenTo(local, { email, isAdministrator });
  }

  return ({ email: typed, password, address, device, session }) => {
    // PostgreSQL refuses NUL in text; no account has one.
    const email = typed.trim().toLowerCase().replaceAll("\0", "");
    const account = createHash("sha256").update(email).digest("base64url");

    return inTurn(account, async () => {
      const { judgedMs: nowMs } = await time.now();
      const waitFor = (bucket: string, limit: number) =>
        secondsToWait(database, bucket, { nowMs, lengthMs: WINDOW_MS, limit });
      const knownDevice = devices.read(device, account);
      const own = session === undefined ? knownDevice : `session ${session}`;
      const [addressBucket, accountBucket] = [`address:${address}`, `account:${account}`];
      const ownBucket = `${accountBucket}${own === null ? `@${address}` : `#${own}`}`;
      // Nothing was tried: a colleague behind the same address must not pay for it.
      const takeBack = async (buckets: readonly string[]) => {
        for (const bucket of buckets) await uncountAttempt(database, bucket);
      };
      const shared: string[] = [];
      if (own === null) {
        const wait = await waitFor(addressBucket, FAILURES_PER_ADDRESS);
        if (wait !== null) return refused("address", wait, null);
        shared.push(addressBucket);
      }
      const knownSinceMs = nowMs - ADDRESS_KNOWN_MS;
      const person = await findAccount(database.orm, email, address, knownSinceMs);
      const ownWait = await waitFor(ownBucket, FAILURES_PER_ACCOUNT);
      if (ownWait !== null) {
        await takeBack(shared);
        return refused("account", ownWait, person);
      }
      if (own === null && person?.isAtKnownAddress !== true) {
        const network = networkName(address);
        const ofNetwork = `${accountBucket}@${network}`;
        const limits: { limit: "network" | "account"; buckets: [string, number][] }[] = [
          { limit: "network", buckets: [[`network:${network}`, FAILURES_PER_NETWORK]] },
          { limit: "account", buckets: [[ofNetwork, FAILURES_PER_ACCOUNT_IN_NETWORK]] },
          {
            limit: "account",
            buckets: [
              [accountBucket, FAILURES_PER_ACCOUNT_ELSEWHERE],
              [`${ofNetwork} kept`, FAILURES_KEPT_FOR_A_NETWORK],
            ],
          },
        ];
        for (const { limit, buckets } of limits) {
          const counted = await firstOpen(buckets, waitFor);
          if ("wait" in counted) {
            await takeBack([...shared, ownBucket]);
            return refused(limit, counted.wait, person);
          }
          shared.push(counted.bucket);
        }
      }
      const matches = await passwordMatches(person?.passwordHash ?? null, password);
      if (!person || !matches) return { ok: false, reason: "credentials", person: named(person) };
      await clearAttempts(database, ownBucket);
      // Taken back, not cleared: with one good account nobody guesses at others without end.
      await takeBack(shared);
      await pruneAttempts(database, nowMs - WINDOW_MS);
      // Said only to whoever knows the password: nobody else learns who has an account.
      if (!(await isOpenTo(person))) return { ok: false, reason: "closed", person: named(person) };
      return {
        ok: true,
        person: { id: person.id, email: person.email, name: person.name },
        device: knownDevice !== null && device !== undefined ? device : devices.issue(account),
      };
    });
  };
}

/** Counts a try in the first of these buckets that isn't full; `wait`: all are, seconds until the first has room. */
async function firstOpen(
  buckets: readonly (readonly [bucket: string, limit: number])[],
  waitFor: (bucket: string, limit: number) => Promise<number | null>,
): Promise<{ bucket: string } | { wait: number }> {
  const waits: number[] = [];
  for (const [bucket, limit] of buckets) {
    const wait = await waitFor(bucket, limit);
    if (wait === null) return { bucket };
    waits.push(wait);
  }
  return { wait: Math.min(...waits) };
}

function refused(
  limit: "account" | "address" | "network",
  retryAfterSeconds: number,
  person: Named | null,
) {
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
