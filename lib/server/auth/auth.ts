import { decode } from "next-auth/jwt";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { authCookies } from "./cookies";
import { createDisplays, type Displays } from "./displays";
import { createPasswordSignIn, type PasswordSignIn } from "./password-sign-in";
import { createSessions, type Identity, type Sessions } from "./sessions";

/** Who is asking, and who may come in. One per process: what it remembers is shared by all handlers. */
export type Auth = {
  /**
   * Whose request this is. Never throws.
   * @param cookie gives a cookie's value by name
   * @param isLooking see `Sessions.check`
   */
  identify(cookie: (name: string) => string | undefined, isLooking?: boolean): Promise<Identity>;
  /** The secret of the session in the cookie, whether or not it still holds; null without one. */
  sessionSecret(cookie: (name: string) => string | undefined): Promise<string | null>;
  signInWithPassword: PasswordSignIn;
  sessions: Sessions;
  displays: Displays;
};

/** What the gate around pages and handlers needs of the runtime. */
export type AuthRuntime = {
  appUrl: string;
  authSecret: string;
  log: Log;
  auth: Auth;
  /** Every company of this Plumbline, by slug, in the order people see them. */
  connections: readonly { company: string; name: string }[];
};

/** A session's secret as its cookie holds it, encrypted, and until when the cookie is good. */
type Opened = { secret: string; expiresAtMs: number };

/** Opening a cookie derives a key and decrypts, which costs more than all else that a request needs of us. */
const REMEMBERED_COOKIES = 5_000;

export function createAuth({
  appUrl,
  authSecret,
  isWallFramed,
  database,
  clock,
  log,
}: {
  appUrl: string;
  authSecret: string;
  /** Pages of other sites may frame the wall. */
  isWallFramed: boolean;
  database: Database;
  clock: Clock;
  log: Log;
}): Auth {
  const sessions = createSessions({ database, clock, log });
  const cookieName = authCookies(appUrl).sessionToken.name;

  /** What was once opened opens the same way again; whether the session still holds is not in it. */
  const remembered = new Map<string, Opened>();

  async function sessionSecret(cookie: (name: string) => string | undefined) {
    const token = cookie(cookieName);
    if (!token) return null;
    const known = remembered.get(token);
    remembered.delete(token);
    const opened = known && known.expiresAtMs > clock.nowMs() ? known : await open(token);
    if (opened === null) return null;
    remembered.set(token, opened);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_COOKIES && oldest !== undefined) remembered.delete(oldest);
    return opened.secret;
  }

  /** Null for what is forged, expired, or of another installation on the same host. */
  async function open(token: string): Promise<Opened | null> {
    const claims = await decode({ token, secret: authSecret }).catch(() => null);
    const [secret, expiresAtSeconds] = [claims?.["sid"], claims?.["exp"]];
    if (typeof secret !== "string" || typeof expiresAtSeconds !== "number") return null;
    return { secret, expiresAtMs: expiresAtSeconds * 1000 };
  }

  return {
    sessions,
    displays: createDisplays({ appUrl, isWallFramed, database, clock, log }),
    sessionSecret,
    signInWithPassword: createPasswordSignIn({ database, clock }),
    async identify(cookie, isLooking) {
      const secret = await sessionSecret(cookie);
      return secret === null ? { state: "anonymous" } : sessions.check(secret, isLooking);
    },
  };
}
