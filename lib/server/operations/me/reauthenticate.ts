import { ReauthenticationRequest, type Reauthentication } from "@/lib/contracts/me";
import { Failure } from "@/lib/contracts/failure";
import type { Auth } from "@/lib/server/auth/auth";
import { parseCookies } from "@/lib/server/auth/cookies";
import type { Person } from "@/lib/server/auth/person";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { appendInstallationEvents } from "@/lib/server/store/audit/installation-log";
import type { Database } from "@/lib/server/store/database";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import { renewSession } from "@/lib/server/store/people/own-sessions";
import {
  NO_PASSWORD,
  NO_SESSION,
  NOT_LOCAL,
  PASSWORDS_OFF,
  TOO_MANY_PASSWORDS,
  WRONG_PASSWORD,
} from "./words";

export type ReauthenticationRuntime = {
  database: Database;
  clock: Clock;
  securityLog: SecurityLog;
  auth: Pick<Auth, "time" | "signInWithPassword" | "openSession" | "cookieOf" | "sessions">;
};

/** In the audit log. */
const REFUSED_BECAUSE = { password: "wrong password", closed: "passwords are turned off" } as const;

/**
 * Confirms the identity of a person with a local account: `POST /api/me/reauthentication`. Wrong
 * passwords are counted per session. Afterwards the session has a new secret, so that a stolen old
 * one gains nothing.
 * @param given.address the client's true address
 * @param given.cookie the request's header
 * @returns the `Set-Cookie` of the new secret; null when another request of the same browser has
 *   just got one
 * @throws Failure `invalid_request`; `conflict` for a provider's account and, with the right
 *   password, where local accounts can't sign in; `wrong_password`; `too_many_requests`;
 *   `not_found` when the session ended meanwhile
 */
export async function reauthenticate(
  runtime: ReauthenticationRuntime,
  given: {
    person: Person;
    session: SessionFacts;
    address: string;
    cookie: string | null;
    body: unknown;
  },
): Promise<{ proven: Reauthentication; setCookie: string | null }> {
  const { database, clock, securityLog, auth } = runtime;
  const { person, session, address } = given;
  const parsed = ReauthenticationRequest.safeParse(given.body);
  if (!parsed.success) throw new Failure("invalid_request", NO_PASSWORD);
  if (person.kind !== "local") throw new Failure("conflict", NOT_LOCAL);
  const { id, name, email } = person;
  const tellHouse = (action: "reauthenticate" | "refuse", because?: string) => ({
    kind: "session" as const,
    action,
    person: { id, name, email },
    subject: email,
    detail: { what: "reauthentication", address, ...(because !== undefined && { because }) },
  });

  const { password } = parsed.data;
  const attempt = await auth.signInWithPassword({
    email,
    password,
    address,
    // Guesses made elsewhere must not block the person's own session.
    session: session.id,
  });
  if (!attempt.ok && attempt.reason === "limited") {
    // Earlier refusals are in the chain; further ones are only counted in the log.
    securityLog.record("reauth_refused", { address, person }, { why: attempt.limit });
    throw new Failure("too_many_requests", TOO_MANY_PASSWORDS, {
      retryAfterSeconds: attempt.retryAfterSeconds,
    });
  }
  if (!attempt.ok || attempt.person.id !== id) {
    const isClosed = !attempt.ok && attempt.reason === "closed";
    const why = isClosed ? "closed" : "password";
    securityLog.record("reauth_refused", { address, person }, { why });
    await database.orm.transaction((tx) =>
      appendInstallationEvents(tx, clock.nowMs(), [tellHouse("refuse", REFUSED_BECAUSE[why])]),
    );
    throw isClosed
      ? new Failure("conflict", PASSWORDS_OFF)
      : new Failure("wrong_password", WRONG_PASSWORD);
  }
  const { ms: atMs } = await auth.time.read();
  const cookies = parseCookies(given.cookie);
  const opened = await auth.openSession((cookie) => cookies.get(cookie));
  const secret = newSecret();
  const renewal = { personId: id, publicId: session.id, atMs, nextId: secretHash(secret) };
  const renewed = await database.orm.transaction(async (tx) => {
    const done = await renewSession(tx, { ...renewal, id: opened?.id ?? "" });
    if (done !== null)
      await appendInstallationEvents(tx, clock.nowMs(), [tellHouse("reauthenticate")]);
    return done;
  });
  if (renewed === null) throw new Failure("not_found", NO_SESSION);
  if (opened !== null) auth.sessions.forget([opened.id]);
  securityLog.record("reauthenticated", { address, person });
  return {
    proven: { authenticated_at: new Date(atMs).toISOString() },
    setCookie: renewed.isRenewed
      ? await auth.cookieOf(secret, id, renewed.expiresAtMs - atMs)
      : null,
  };
}
