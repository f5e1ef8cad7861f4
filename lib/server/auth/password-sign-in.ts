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
import { acceptCode } from "./second-factor/accept-code";
import type { CodeKind, SecondFactors } from "./second-factor/second-factors";

export const WINDOW_MS = 15 * 60_000;
/** Per account and address, or per account and known device. */
export const FAILURES_PER_ACCOUNT = 5;
/** Per account and network, from addresses unknown to the account. */
export const FAILURES_PER_ACCOUNT_IN_NETWORK = 10;
/** Per account, from all addresses unknown to it. */
export const FAILURES_PER_ACCOUNT_ELSEWHERE = 50;
/** Per account and network, after those are used up. */
const FAILURES_KEPT_FOR_A_NETWORK = 1;
export const FAILURES_PER_ADDRESS = 20;
/** Per network, over all accounts, from addresses unknown to them. */
export const FAILURES_PER_NETWORK = 100;
/** How long an address counts as known after a sign-in from it. */
export const ADDRESS_KNOWN_MS = 30 * 24 * 3_600_000;

export type PasswordSignIn = (attempt: {
  /** As typed. */
  email: string;
  password: string;
  /** The client's name, see `addressName`. */
  address: string;
  /** Value of the device cookie. */
  device?: string | undefined;
  /** Public id of a session of the same account. */
  session?: string;
  /** Of the second factor, as typed; undefined or empty: none was given. */
  code?: string | undefined;
  /** The password is sufficient, because nothing else is granted by it. */
  isPasswordOnly?: true;
}) => Promise<
  /** `device`: value for the device cookie. `code`: what the code was; null: none was required. */
  | {
      ok: true;
      person: { id: string; email: string; name: string };
      device: string;
      code: { kind: CodeKind; recoveryCodesLeft: number } | null;
    }
  /** The password was correct, but this local account isn't allowed to sign in. */
  | { ok: false; reason: "closed"; person: Named | null }
  | { ok: false; reason: "credentials"; person: Named | null }
  /** The password was correct, and the account also requires a code. */
  | { ok: false; reason: "code_missing"; person: Named | null }
  | { ok: false; reason: "code_wrong"; person: Named | null }
  | Limited
>;

/** `person`: for the log only. */
export type Limited = {
  ok: false;
  reason: "limited";
  /** `codes`: wrong codes of the authenticator app. */
  limit: "account" | "address" | "network" | "codes";
  retryAfterSeconds: number;
  person: Named | null;
};

/** A code given within a session, without the password. */
export type CodeCheck = (attempt: {
  person: Named;
  /** The session's public id. */
  session: string;
  /** As typed. */
  code: string;
}) => Promise<{ ok: true; kind: CodeKind } | { ok: false; reason: "code_wrong" } | Limited>;

/** Which local accounts may sign in. The first administrator always may, so that access can't be locked out. */
export type LocalSignIn = { who: "on" | "administrators" | "off"; adminEmail: string };

/**
 * Whether a local account may sign in with its password.
 * @param account.isAdministrator by a manual grant; access rules don't apply to local accounts
 */
export function isLocallyOpenTo(
  { who, adminEmail }: LocalSignIn,
  account: { email: string; isAdministrator: boolean },
): boolean {
  if (who === "on" || account.email === adminEmail) return true;
  return who === "administrators" && account.isAdministrator;
}

/** The account that was tried. For the log only: the response doesn't reveal whether the account exists. */
type Named = { id: string; name: string; email: string };

/** `missing`: a code is required and wasn't given. Null: the account requires none. */
type Verified =
  | { kind: CodeKind; recoveryCodesLeft: number }
  | { waitSeconds: number }
  | "missing"
  | "wrong"
  | null;

const accountOf = (email: string) => createHash("sha256").update(email).digest("base64url");
const accountBucketOf = (account: string) => `account:${account}`;
/** @param own a known device, or `session` and the session's id */
const ownBucketOf = (account: string, own: string) => `${accountBucketOf(account)}#${own}`;
const ofSession = (session: string) => `session ${session}`;

/**
 * Password sign-in, with limits per account and address, per address, and per network.
 *
 * Attempts are counted before the password is verified, and the count is taken back if it was correct. Attempts on one
 * account are verified sequentially, so concurrent guesses can't exceed the limit. Unknown, disabled and existing
 * accounts are counted, rejected and timed alike.
 *
 * Each account has a counter per address and one per network; addresses unknown to the account also share one of ten
 * times the size. Once that is used up, each network has one attempt left. A known device and an existing session have
 * their own counters wherever they are, and the limits of their address don't apply to them. An attacker can therefore
 * only block clients in the attacker's own networks, however many those are.
 *
 * A wrong code of the second factor counts like a wrong password. A correct password alone only takes back its own
 * attempt, so it can't be used to reset the count of guessed codes. Wrong codes of the authenticator app are also limited
 * per day: separately for each known device, known address and session, so that others can't use them up, and together
 * for all other clients, however many networks they are in.
 */
export function createPasswordSignIn({
  database,
  time,
  devices,
  secondFactors,
  local,
}: {
  database: Database;
  time: DatabaseTime;
  devices: KnownDevices;
  secondFactors: Pick<SecondFactors, "read" | "accept">;
  local: LocalSignIn;
}): PasswordSignIn {
  const queues = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything queued earlier under the same key. */
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

  async function verifyCode(
    personId: string,
    code: string,
    count: { bucket: string; nowMs: number },
  ): Promise<Verified> {
    const factor = await secondFactors.read(personId);
    if (factor === null) return null;
    if (code === "") return "missing";
    const kind = await acceptCode({ database, secondFactors }, { personId, code, ...count });
    if (typeof kind !== "string" || kind === "wrong") return kind;
    const used = kind === "recovery" ? 1 : 0;
    return { kind, recoveryCodesLeft: factor.recoveryCodesLeft - used };
  }

  return ({ email: typed, password, address, device, session, code = "", isPasswordOnly }) => {
    // PostgreSQL rejects NUL in text; no account contains one.
    const email = typed.trim().toLowerCase().replaceAll("\0", "");
    const account = accountOf(email);

    return inTurn(account, async () => {
      const { judgedMs: nowMs } = await time.now();
      const waitFor = (bucket: string, limit: number) =>
        secondsToWait(database, bucket, { nowMs, lengthMs: WINDOW_MS, limit });
      const knownDevice = devices.read(device, account);
      const own = session === undefined ? knownDevice : ofSession(session);
      const [addressBucket, accountBucket] = [`address:${address}`, accountBucketOf(account)];
      const ownBucket = own === null ? `${accountBucket}@${address}` : ownBucketOf(account, own);
      // No password was verified, so the counters shared with others at this address must not grow.
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
      // Checked after the password, so that it doesn't reveal which accounts exist.
      const isOpen = await isOpenTo(person);
      const verified =
        isOpen && isPasswordOnly !== true
          ? await verifyCode(person.id, code, {
              bucket: own !== null || person.isAtKnownAddress ? ownBucket : accountBucket,
              nowMs,
            })
          : "missing";
      if (verified === "wrong") return { ok: false, reason: "code_wrong", person: named(person) };
      const isLimited =
        typeof verified === "object" && verified !== null && "waitSeconds" in verified;
      if (verified === "missing" || isLimited) await takeBack([ownBucket]);
      else await clearAttempts(database, ownBucket);
      // Decremented, not cleared: signing in to one account must not allow unlimited guesses at others.
      await takeBack(shared);
      await pruneAttempts(database, nowMs);
      if (isLimited) return refused("codes", verified.waitSeconds, person);
      if (!isOpen) return { ok: false, reason: "closed", person: named(person) };
      if (verified === "missing" && isPasswordOnly !== true) {
        return { ok: false, reason: "code_missing", person: named(person) };
      }
      return {
        ok: true,
        person: { id: person.id, email: person.email, name: person.name },
        device: knownDevice !== null && device !== undefined ? device : devices.issue(account),
        code: verified === "missing" ? null : verified,
      };
    });
  };
}

/** Verifies codes of people who are signed in; wrong ones count together with the session's wrong passwords. */
export function createCodeCheck({
  database,
  time,
  secondFactors,
}: {
  database: Database;
  time: DatabaseTime;
  secondFactors: Pick<SecondFactors, "accept">;
}): CodeCheck {
  return async ({ person, session, code }) => {
    const { judgedMs: nowMs } = await time.now();
    const bucket = ownBucketOf(accountOf(person.email), ofSession(session));
    const window = { nowMs, lengthMs: WINDOW_MS, limit: FAILURES_PER_ACCOUNT };
    const wait = await secondsToWait(database, bucket, window);
    if (wait !== null) return refused("account", wait, person);
    const given = { personId: person.id, code, bucket, nowMs };
    const kind = await acceptCode({ database, secondFactors }, given);
    if (kind === "wrong") return { ok: false, reason: "code_wrong" };
    if (typeof kind !== "string") return refused("codes", kind.waitSeconds, person);
    await uncountAttempt(database, bucket);
    return { ok: true, kind };
  };
}

/** Counts an attempt in the first bucket with room; `wait`: all are full, seconds until one has room. */
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
  limit: Limited["limit"],
  retryAfterSeconds: number,
  person: Named | null,
): Limited {
  return {
    ok: false,
    reason: "limited",
    limit,
    retryAfterSeconds,
    person: named(person),
  };
}

function named(person: Named | null): Named | null {
  return person && { id: person.id, name: person.name, email: person.email };
}
