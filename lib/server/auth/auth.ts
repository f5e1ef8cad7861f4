import { uncountAttempt } from "@/lib/server/store/people/sign-in-attempts";
import { secondsToWait } from "./attempts";
import { LRUCache } from "lru-cache";
import { decode, encode } from "next-auth/jwt";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Log } from "@/lib/server/log";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Turns } from "@/lib/server/turns";
import type { Database } from "@/lib/server/store/database";
import { createDatabaseTime, type DatabaseTime } from "@/lib/server/store/database-time";
import type { LeftCompany } from "@/lib/server/store/sync/left-companies";
import { createAccess, type Access } from "./access";
import { authCookies, isSealed, sessionCookie } from "./cookies";
import { createDisplays, type Displays } from "./displays";
import { createKnownDevices } from "./known-device";
import {
  createPasswordSignIn,
  WINDOW_MS,
  type LocalSignIn,
  type PasswordSignIn,
} from "./password-sign-in";
import type { Person } from "./person";
import type { ProvenPerson } from "./oidc/tokens";
import type { Provider } from "./provider";
import { createProviderSignIn, type ProviderSignIn } from "./provider-sign-in";
import { createRecentSignIn, type RecentSignIn } from "./recent-sign-in";
import { secretHash } from "./secret";
import { createShareLinks, type ShareLinks } from "./share-links";
import { COOKIE_GRACE_MS, createSessions, type Identity, type Sessions } from "./sessions";

/** Keeps ID tokens secret from whoever may read the database; `open` gives null for what it didn't close. */
type Seal = { close(text: string): string; open(sealed: string): string | null };

type Named = { id: string; name: string; email: string };

/** Comings back from the provider of one address within a window that end in no session. */
const RETURNS_PER_ADDRESS = 60;
/** A longer one would not fit into an address; the provider then asks people which session to end. */
const LONGEST_ID_TOKEN = 6_000;

/** Who is asking, and who may come in. One per process: what it remembers is shared by all handlers. */
export type Auth = {
  /**
   * Whose request this is. Never throws.
   * @param cookie gives a cookie's value by name
   * @param isReadOnly see `Sessions.check`
   * @param address the client's true address, for what is noted
   */
  identify(
    cookie: (name: string) => string | undefined,
    isReadOnly?: boolean,
    address?: string,
  ): MaybePromise<Identity>;
  /** The session in the cookie, whether or not it still holds; null without one. */
  openSession(cookie: (name: string) => string | undefined): MaybePromise<OpenSession | null>;
  signInWithPassword: PasswordSignIn;
  /** Where people sign in elsewhere; null: local accounts only. */
  provider: Provider | null;
  signInWithProvider: ProviderSignIn;
  /**
   * Counts somebody coming back from the provider, who makes us ask it.
   * @returns null when that is fine, else seconds to wait
   */
  secondsToWaitAfterProvider(address: string): Promise<number | null>;
  /** Takes that back: they were who they said. */
  uncountAfterProvider(address: string): Promise<void>;
  /**
   * Begins a session, and notes it. Throws when the database does.
   * @param how.proven what the provider said; null: a password was right
   * @returns the session's secret, for the cookie
   */
  startSession(
    person: Named,
    how: { address: string; browser?: string; proven: ProvenPerson | null },
  ): Promise<string>;
  /**
   * Ends the session of a secret.
   * @param person whose it is; null: it had ended before
   * @param returnTo where the provider sends people once it has ended its own session
   * @returns where to go to end the provider's session too; null: there is none. Throws when the database does
   */
  endSession(secret: string, person: Person | null, returnTo?: string): Promise<string | null>;
  /** Who gets what by their claims. */
  access: Access;
  local: LocalSignIn;
  hasRecentSignIn: RecentSignIn;
  sessions: Sessions;
  /** How long a session lasts, and a browser keeps its cookie. */
  sessionMs: number;
  /** How long what the cookie holds is good; it's the session's row that ends it. */
  cookieMs: number;
  /**
   * The `Set-Cookie` by which a browser has a session's secret.
   * @param lastsMs what is left of the session
   */
  cookieOf(secret: string, personId: string, lastsMs: number): Promise<string>;
  displays: Displays;
  /** Links that people without an account were given. */
  shareLinks: ShareLinks;
  /** What ends of what is stored for a while are judged by. */
  time: DatabaseTime;
};

/** What the gate around pages and handlers needs of the runtime. */
export type AuthRuntime = {
  appUrl: string;
  authSecret: string;
  clock: Clock;
  log: Log;
  securityLog: SecurityLog;
  auth: Auth;
  /** What one person, display or reader of a link may make us do at a time. */
  turns: Turns;
  /** Every company of this Plumbline, by slug, in the order people see them. */
  readonly connections: readonly { company: string; name: string }[];
  /** Companies that are connected no more, and whose record is kept. */
  leftCompanies: { get(slug: string): LeftCompany | null };
};

/** A session's secret as its cookie holds it, encrypted; `id` is its `secretHash`. */
export type OpenSession = { secret: string; id: string };
/** And until when the cookie is good. */
type Opened = OpenSession & { expiresAtMs: number };

/** Opening a cookie derives a key and decrypts, which costs more than all else that a request needs of us. */
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
  identity = null,
  access = createAccess(null, []),
  local = { who: "on", adminEmail: "" },
  databaseNowMs = null,
  time = createDatabaseTime({ database, clock, log, nowMs: databaseNowMs }),
}: {
  appUrl: string;
  authSecret: string;
  /** What share links may be signed with besides; cookies that were made with one are not taken. */
  earlierAuthSecrets?: readonly string[];
  /** How long a session lasts. */
  sessionMs: number;
  /** Pages of other sites may frame the wall. */
  isWallFramed: boolean;
  database: Database;
  clock: Clock;
  log: Log;
  securityLog: SecurityLog;
  /** Null: local accounts only. */
  identity?: { provider: Provider; seal: Seal } | null;
  access?: Access;
  local?: LocalSignIn;
  /** See `createDatabaseTime`. */
  databaseNowMs?: (() => number) | null;
  /** Reads PostgreSQL's clock, where that takes connections of its own. */
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
  const bucketOf = (address: string) => `oidc:${address}`;
  const cookieName = authCookies(appUrl).sessionToken.name;

  /** What was once opened opens the same way again; whether the session still holds is not in it. */
  const remembered = new LRUCache<string, Opened>({ max: REMEMBERED_COOKIES });

  function openSession(cookie: (name: string) => string | undefined): MaybePromise<Opened | null> {
    const token = cookie(cookieName);
    if (!token || !isSealed(token)) return null;
    const known = remembered.get(token);
    return known && known.expiresAtMs > clock.nowMs() ? known : open(token);
  }

  /** Null for what is forged, expired, or of another installation on the same host. */
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
    time,
    openSession,
    signInWithPassword: createPasswordSignIn({
      database,
      time,
      devices: createKnownDevices(authSecret),
      local,
    }),
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

    async startSession(person, { address, browser = "", proven }) {
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
          // The way past the provider is one to look at.
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
