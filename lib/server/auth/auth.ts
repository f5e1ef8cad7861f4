import { uncountAttempt } from "@/lib/server/store/people/sign-in-attempts";
import { secondsToWait } from "./attempts";
import { LRUCache } from "lru-cache";
import { decode, encode } from "next-auth/jwt";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Log } from "@/lib/server/log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { RequestLimits } from "@/lib/server/request-limits";
import type { Database } from "@/lib/server/store/database";
import { createDatabaseTime, type DatabaseTime } from "@/lib/server/store/database-time";
import type { LeftCompany } from "@/lib/server/store/sync/left-companies";
import { createAccess, type Access } from "./access";
import { authCookies, isSealed, sessionCookie } from "./cookies";
import { createDisplays, type Displays } from "./displays";
import { createKnownDevices } from "./known-device";
import {
  createCodeCheck,
  createPasswordSignIn,
  WINDOW_MS,
  type CodeCheck,
  type LocalSignIn,
  type PasswordSignIn,
} from "./password-sign-in";
import type { Person } from "./person";
import type { ProvenPerson } from "./oidc/tokens";
import type { Provider } from "./provider";
import { createProviderSignIn, type ProviderSignIn } from "./provider-sign-in";
import { createRecentSignIn, type RecentSignIn } from "./recent-sign-in";
import {
  createSecondFactors,
  type CodeKind,
  type Seal,
  type SecondFactors,
} from "./second-factor/second-factors";
import { secretHash } from "./secret";
import { createCalendars, type Calendars } from "./calendars/calendars";
import { createShareLinks, type ShareLinks } from "./share-links";
import { createApiTokens, type ApiTokens } from "./tokens/tokens";
import { COOKIE_GRACE_MS, createSessions, type Identity, type Sessions } from "./sessions";

type Named = { id: string; name: string; email: string };

/** Limit on callbacks from the provider that don't result in a session, per client address and window. */
const RETURNS_PER_ADDRESS = 60;
/** Longer tokens don't fit into a URL: without the hint, the provider asks which session to end. */
const LONGEST_ID_TOKEN = 6_000;

/** Authentication. One instance per process: all handlers share its caches. */
export type Auth = {
  /**
   * Identifies the person making a request. Never throws.
   * @param cookie returns a cookie's value by name
   * @param isReadOnly see `Sessions.check`
   * @param address the client address, for the security log
   */
  identify(
    cookie: (name: string) => string | undefined,
    isReadOnly?: boolean,
    address?: string,
  ): MaybePromise<Identity>;
  /** Decrypts the session cookie, without checking whether the session is still valid; null: no usable cookie. */
  openSession(cookie: (name: string) => string | undefined): MaybePromise<OpenSession | null>;
  signInWithPassword: PasswordSignIn;
  checkCode: CodeCheck;
  secondFactors: SecondFactors;
  /** The identity provider; null: local accounts only. */
  provider: Provider | null;
  signInWithProvider: ProviderSignIn;
  /**
   * Counts a callback from the provider, each of which causes a request to it.
   * @returns null: within the limit; otherwise seconds to wait
   */
  secondsToWaitAfterProvider(address: string): Promise<number | null>;
  /** Takes that count back after a successful sign-in. */
  uncountAfterProvider(address: string): Promise<void>;
  /**
   * Starts a session and writes it to the security log. Throws database errors.
   * @param how.proven what the provider confirmed; null: the person signed in with a password
   * @param how.code the second factor they used besides it; null: none
   * @returns the session's secret, for the cookie
   */
  startSession(
    person: Named,
    how: {
      address: string;
      browser?: string;
      proven: ProvenPerson | null;
      code?: CodeKind | null;
    },
  ): Promise<string>;
  /**
   * Ends a session.
   * @param secret the session's secret
   * @param person the session's person; null: it had already ended
   * @param returnTo where the provider redirects to after ending its own session
   * @returns the URL that ends the provider's session too; null: not applicable. Throws database errors
   */
  endSession(secret: string, person: Person | null, returnTo?: string): Promise<string | null>;
  /** Grants by access rules. */
  access: Access;
  local: LocalSignIn;
  hasRecentSignIn: RecentSignIn;
  sessions: Sessions;
  /** Lifetime of a session, and `Max-Age` of its cookie. */
  sessionMs: number;
  /** Lifetime of the token in the cookie: longer than the session, whose row decides when it ends. */
  cookieMs: number;
  /**
   * The `Set-Cookie` value that holds a session's secret.
   * @param lastsMs remaining lifetime of the session
   */
  cookieOf(secret: string, personId: string, lastsMs: number): Promise<string>;
  displays: Displays;
  /** Share links, which work without an account. */
  shareLinks: ShareLinks;
  /** Calendars, likewise. */
  calendars: Calendars;
  /** API tokens, for programs. */
  tokens: ApiTokens;
  /** The clock that expiry times are compared with. */
  time: DatabaseTime;
};

/** The part of the runtime that the checks in front of pages and handlers use. */
export type AuthRuntime = {
  appUrl: string;
  authSecret: string;
  clock: Clock;
  log: Log;
  securityLog: SecurityLog;
  auth: Auth;
  /** Limits concurrent work per person, display or share link client. */
  requestLimits: RequestLimits;
  /** Every connected company, by slug, in display order. */
  readonly connections: readonly { company: string; name: string; externalId?: string }[];
  /** Companies that are no longer connected but whose record remains. */
  leftCompanies: { get(slug: string): LeftCompany | null };
};

/** A session's secret, decrypted from its cookie; `id` is its `secretHash`. */
export type OpenSession = { secret: string; id: string };
/** Same, with the expiry of the cookie's token. */
type Opened = OpenSession & { expiresAtMs: number };

/** Decrypted cookies to cache: key derivation and decryption cost more than the rest of a request. */
const REMEMBERED_COOKIES = 5_000;

export function createAuth({
  appUrl,
  authSecret,
  earlierAuthSecrets = [],
  sessionMs,
  isWallFramed,
  database,
  clock,
  log,
  securityLog,
  factorSealOf,
  identity = null,
  access = createAccess(null, []),
  local = { who: "on", adminEmail: "" },
  databaseNowMs = null,
  time = createDatabaseTime({ database, clock, log, nowMs: databaseNowMs }),
}: {
  appUrl: string;
  authSecret: string;
  /** Also accepted for signatures of share links, but not for cookies. */
  earlierAuthSecrets?: readonly string[];
  /** Lifetime of a session. */
  sessionMs: number;
  /** Whether pages of other sites may frame the wall. */
  isWallFramed: boolean;
  database: Database;
  clock: Clock;
  log: Log;
  securityLog: SecurityLog;
  /** The seal of one person's TOTP secret. */
  factorSealOf: (personId: string) => Seal;
  /** Null: local accounts only. */
  identity?: { provider: Provider; seal: Seal } | null;
  access?: Access;
  local?: LocalSignIn;
  /** See `createDatabaseTime`. */
  databaseNowMs?: (() => number) | null;
  /** Overrides the reader of PostgreSQL's clock, for instance one that uses separate connections. */
  time?: DatabaseTime;
}): Auth {
  const provider = identity?.provider ?? null;
  const seal = identity?.seal ?? null;
  const sessions = createSessions({
    database,
    access,
    lifetimeMs: sessionMs,
    time,
    clock,
    securityLog,
  });
  const secondFactors = createSecondFactors({ database, time, sealOf: factorSealOf });
  const bucketOf = (address: string) => `oidc:${address}`;
  const cookieName = authCookies(appUrl).sessionToken.name;

  /** Decrypted cookies by token. Doesn't say whether the session is still valid. */
  const remembered = new LRUCache<string, Opened>({ max: REMEMBERED_COOKIES });

  function openSession(cookie: (name: string) => string | undefined): MaybePromise<Opened | null> {
    const token = cookie(cookieName);
    if (!token || !isSealed(token)) return null;
    const known = remembered.get(token);
    return known && known.expiresAtMs > clock.nowMs() ? known : open(token);
  }

  /** Null: forged, expired, or issued by another installation on the same host. */
  async function open(token: string): Promise<Opened | null> {
    const claims = await decode({ token, secret: authSecret }).catch(() => null);
    const [secret, expiresAtSeconds] = [claims?.["sid"], claims?.["exp"]];
    if (typeof secret !== "string" || typeof expiresAtSeconds !== "number") return null;
    const opened = { secret, id: secretHash(secret), expiresAtMs: expiresAtSeconds * 1000 };
    remembered.set(token, opened);
    return opened;
  }

  return {
    sessions,
    sessionMs,
    cookieMs: sessionMs + COOKIE_GRACE_MS,
    async cookieOf(secret, personId, lastsMs) {
      const token = await encode({
        token: { sub: personId, sid: secret },
        secret: authSecret,
        maxAge: Math.ceil((lastsMs + COOKIE_GRACE_MS) / 1000),
      });
      return sessionCookie(appUrl, Math.ceil(lastsMs / 1000)).set(token);
    },
    displays: createDisplays({ appUrl, isWallFramed, database, time, clock, securityLog }),
    shareLinks: createShareLinks({
      authSecrets: [authSecret, ...earlierAuthSecrets],
      database,
      access,
      time,
      clock,
      securityLog,
    }),
    calendars: createCalendars({
      authSecrets: [authSecret, ...earlierAuthSecrets],
      database,
      access,
      clock,
      securityLog,
    }),
    tokens: createApiTokens({ database, access, time, clock, securityLog }),
    time,
    openSession,
    signInWithPassword: createPasswordSignIn({
      database,
      time,
      devices: createKnownDevices(authSecret),
      secondFactors,
      local,
    }),
    checkCode: createCodeCheck({ database, time, secondFactors }),
    secondFactors,
    provider,
    signInWithProvider: createProviderSignIn({ database, access, time, clock }),
    access,
    local,

    async secondsToWaitAfterProvider(address) {
      const { judgedMs: nowMs } = await time.now();
      return secondsToWait(database, bucketOf(address), {
        nowMs,
        lengthMs: WINDOW_MS,
        limit: RETURNS_PER_ADDRESS,
      });
    },

    uncountAfterProvider: (address) => uncountAttempt(database, bucketOf(address)),

    async startSession(person, { address, browser = "", proven, code = null }) {
      const by = proven === null ? "local" : "oidc";
      const idToken = proven?.idToken ?? null;
      const isShort = idToken !== null && idToken.length <= LONGEST_ID_TOKEN;
      const secret = await sessions.start(person.id, address, browser, {
        ...(proven !== null && { authenticatedAtMs: proven.authenticatedAtMs }),
        providerSession: proven?.session ?? null,
        idToken: isShort && seal !== null ? seal.close(idToken) : null,
      });
      securityLog.record(
        "sign_in",
        { address, person },
        {
          by,
          ...(code !== null && { code }),
          // A local sign-in despite a provider is worth an administrator's attention.
          ...(proven === null &&
            provider !== null && {
              beside_provider: provider.isDown() ? "down" : "up",
              first_administrator: person.email === local.adminEmail,
            }),
        },
      );
      return secret;
    },

    async endSession(secret, person, returnTo) {
      const sealed = await sessions.end(secret);
      if (provider === null || person?.kind !== "oidc" || returnTo === undefined) return null;
      const idToken = sealed === null ? null : (seal?.open(sealed) ?? null);
      return provider.endSessionUrl(idToken, returnTo);
    },
    hasRecentSignIn: createRecentSignIn({ database, time }),
    identify: (cookie, isReadOnly, address) =>
      andThen(openSession(cookie), (opened) =>
        opened === null ? { state: "anonymous" } : sessions.check(opened.id, isReadOnly, address),
      ),
  };
}
