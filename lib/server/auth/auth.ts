import { decode } from "next-auth/jwt";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { authCookies } from "./cookies";
import { createPasswordSignIn, type PasswordSignIn } from "./password-sign-in";
import { createSessions, type Identity, type Sessions } from "./sessions";

/** Who is asking, and who may come in. One per process: what it remembers is shared by all handlers. */
export type Auth = {
  /**
   * Whose request this is. Never throws.
   * @param cookie gives a cookie's value by name
   */
  identify(cookie: (name: string) => string | undefined): Promise<Identity>;
  /** The secret of the session in the cookie, whether or not it still holds; null without one. */
  sessionSecret(cookie: (name: string) => string | undefined): Promise<string | null>;
  signInWithPassword: PasswordSignIn;
  sessions: Sessions;
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

export function createAuth({
  appUrl,
  authSecret,
  database,
  clock,
  log,
}: {
  appUrl: string;
  authSecret: string;
  database: Database;
  clock: Clock;
  log: Log;
}): Auth {
  const sessions = createSessions({ database, clock, log });
  const cookieName = authCookies(appUrl).sessionToken.name;

  async function sessionSecret(cookie: (name: string) => string | undefined) {
    const token = cookie(cookieName);
    if (!token) return null;
    // Forged, expired, or of another installation on the same host: as good as none.
    const claims = await decode({ token, secret: authSecret }).catch(() => null);
    return typeof claims?.["sid"] === "string" ? claims["sid"] : null;
  }

  return {
    sessions,
    sessionSecret,
    signInWithPassword: createPasswordSignIn({ database, clock }),
    async identify(cookie) {
      const secret = await sessionSecret(cookie);
      return secret === null ? { state: "anonymous" } : sessions.check(secret);
    },
  };
}
