import { LRUCache } from "lru-cache";
import { decode } from "next-auth/jwt";
import type { Clock } from "@/lib/server/clock";
import type { Evidence } from "@/lib/server/evidence";
import type { Log } from "@/lib/server/log";
import { soon, type Soon } from "@/lib/server/soon";
import type { Database } from "@/lib/server/store/database";
import { createDatabaseTime, type DatabaseTime } from "@/lib/server/store/database-time";
import type { LeftCompany } from "@/lib/server/store/sync/left-companies";
import { authCookies } from "./cookies";
import { createDisplays, type Displays } from "./displays";
import { createPasswordSignIn, type PasswordSignIn } from "./password-sign-in";
import { secretHash } from "./secret";
import { COOKIE_GRACE_MS, createSessions, type Identity, type Sessions } from "./sessions";

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
  ): Soon<Identity>;
  /** The session in the cookie, whether or not it still holds; null without one. */
  openSession(cookie: (name: string) => string | undefined): Soon<OpenSession | null>;
  signInWithPassword: PasswordSignIn;
  sessions: Sessions;
  /** How long the cookie of a session is kept. */
  cookieMs: number;
  displays: Displays;
  /** What ends of what is stored for a while are judged by. */
  time: DatabaseTime;
};

/** What the gate around pages and handlers needs of the runtime. */
export type AuthRuntime = {
  appUrl: string;
  authSecret: string;
  log: Log;
  evidence: Evidence;
  auth: Auth;
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
  sessionMs,
  isWallFramed,
  database,
  clock,
  log,
  evidence,
  databaseNowMs = null,
}: {
  appUrl: string;
  authSecret: string;
  /** How long a session lasts. */
  sessionMs: number;
  /** Pages of other sites may frame the wall. */
  isWallFramed: boolean;
  database: Database;
  clock: Clock;
  log: Log;
  evidence: Evidence;
  /** See `createDatabaseTime`. */
  databaseNowMs?: (() => number) | null;
}): Auth {
  const time = createDatabaseTime({ database, clock, log, nowMs: databaseNowMs });
  const sessions = createSessions({ database, lifetimeMs: sessionMs, time, clock, evidence });
  const cookieName = authCookies(appUrl).sessionToken.name;

  /** What was once opened opens the same way again; whether the session still holds is not in it. */
  const remembered = new LRUCache<string, Opened>({ max: REMEMBERED_COOKIES });

  function openSession(cookie: (name: string) => string | undefined): Soon<Opened | null> {
    const token = cookie(cookieName);
    if (!token) return null;
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
    cookieMs: sessionMs + COOKIE_GRACE_MS,
    displays: createDisplays({ appUrl, isWallFramed, database, time, clock, evidence }),
    time,
    openSession,
    signInWithPassword: createPasswordSignIn({ database, time }),
    identify: (cookie, isReadOnly, address) =>
      soon(openSession(cookie), (opened) =>
        opened === null ? { state: "anonymous" } : sessions.check(opened.id, isReadOnly, address),
      ),
  };
}
