import { Failure } from "@/lib/contracts/failure";
import type { Auth } from "@/lib/server/auth/auth";
import { parseCookies } from "@/lib/server/auth/cookies";
import type { Limited } from "@/lib/server/auth/password-sign-in";
import type { Person } from "@/lib/server/auth/person";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import type { Clock } from "@/lib/server/clock";
import type { Mailer } from "@/lib/server/delivery/mail";
import type { SecurityLog } from "@/lib/server/security-log";
import { appendInstallationEvents } from "@/lib/server/store/audit/installation-log";
import type { Database, Transaction } from "@/lib/server/store/database";
import { renewSession } from "@/lib/server/store/people/own-sessions";
import {
  CODE_REQUIRED,
  NO_SESSION,
  PASSWORDS_OFF,
  TOO_MANY_PASSWORDS,
  WRONG_CODE,
  WRONG_PASSWORD,
} from "./words";

/** Dependencies of the operations on a person's own local account. */
export type OwnAccountRuntime = {
  appUrl: string;
  database: Database;
  clock: Clock;
  securityLog: SecurityLog;
  /** Null when no mail is sent. */
  mailer: Mailer | null;
  auth: Pick<
    Auth,
    | "time"
    | "signInWithPassword"
    | "checkCode"
    | "secondFactors"
    | "openSession"
    | "cookieOf"
    | "sessions"
  >;
};

/** The caller, from the client's true address. */
export type Caller = { person: Person; session: SessionFacts; address: string };

/** What a password or code was given for, in the audit log. */
type Purpose = "reauthentication" | "password change" | "second factor";

type Refusing = Pick<OwnAccountRuntime, "database" | "clock" | "securityLog" | "auth">;

/** In the audit log. */
const BECAUSE = {
  password: "wrong password",
  code: "wrong code",
  closed: "passwords are turned off",
} as const;

/**
 * Verifies the password of the person who is signed in, and the code of their second factor. Wrong ones are counted per
 * session, so that guesses made elsewhere don't block it, and written to the audit log.
 * @param given.code undefined: none was given; null: the password is sufficient
 * @throws Failure `wrong_password`; `code_required`; `wrong_code`; `too_many_requests`; `conflict` with the right
 *   password, where local accounts can't sign in
 */
export async function checkOwnPassword(
  runtime: Refusing,
  { person, session, address }: Caller,
  given: { password: string; code: string | null | undefined; purpose: Purpose },
): Promise<void> {
  const attempt = await runtime.auth.signInWithPassword({
    email: person.email,
    password: given.password,
    address,
    session: session.id,
    ...(given.code === null ? { isPasswordOnly: true } : { code: given.code }),
  });
  if (attempt.ok && attempt.person.id === person.id) return;
  const reason = attempt.ok ? "credentials" : attempt.reason;
  const refuse = (why: keyof typeof BECAUSE) =>
    logRefusal(runtime, { person, session, address }, { why, purpose: given.purpose });
  switch (reason) {
    case "limited":
      throw refuseForNow(runtime, { person, session, address }, attempt as Limited);
    case "code_missing":
      throw new Failure("code_required", CODE_REQUIRED);
    case "code_wrong":
      await refuse("code");
      throw new Failure("wrong_code", WRONG_CODE);
    case "closed":
      await refuse("closed");
      throw new Failure("conflict", PASSWORDS_OFF);
    case "credentials":
      await refuse("password");
      throw new Failure("wrong_password", WRONG_PASSWORD);
  }
}

/**
 * Verifies a code of the second factor of the person who is signed in. Wrong ones count like wrong passwords.
 * @throws Failure `wrong_code`; `too_many_requests`
 */
export async function checkOwnCode(runtime: Refusing, caller: Caller, code: string): Promise<void> {
  const { person, session } = caller;
  const attempt = await runtime.auth.checkCode({ person, session: session.id, code });
  if (attempt.ok) return;
  if (attempt.reason === "limited") throw refuseForNow(runtime, caller, attempt);
  await logRefusal(runtime, caller, { why: "code", purpose: "second factor" });
  throw new Failure("wrong_code", WRONG_CODE);
}

/** Earlier refusals are in the chain; further ones are only counted in the log. */
function refuseForNow(
  { securityLog }: Refusing,
  { person, address }: Caller,
  { limit, retryAfterSeconds }: Limited,
): Failure {
  securityLog.record("reauth_refused", { address, person }, { why: limit });
  return new Failure("too_many_requests", TOO_MANY_PASSWORDS, { retryAfterSeconds });
}

async function logRefusal(
  { database, clock, securityLog }: Refusing,
  { person: { id, name, email }, address }: Caller,
  { why, purpose }: { why: keyof typeof BECAUSE; purpose: Purpose },
): Promise<void> {
  const person = { id, name, email };
  securityLog.record("reauth_refused", { address, person }, { why });
  await database.orm.transaction((tx) =>
    appendInstallationEvents(tx, clock.nowMs(), [
      {
        kind: "session",
        action: "refuse",
        person,
        subject: email,
        detail: { what: purpose, address, because: BECAUSE[why] },
      },
    ]),
  );
}

/**
 * Prepares a new secret for the session of a request, so that a stolen old one gains nothing.
 * @param given.cookie the request's header
 */
export async function prepareRenewal(
  { auth }: Pick<OwnAccountRuntime, "auth">,
  {
    person,
    session,
    cookie,
    isProven,
  }: Pick<Caller, "person" | "session"> & {
    cookie: string | null;
    /** Whether the person has just reauthenticated. */
    isProven: boolean;
  },
) {
  const { ms: atMs } = await auth.time.read();
  const cookies = parseCookies(cookie);
  const opened = await auth.openSession((name) => cookies.get(name));
  const secret = newSecret();
  return {
    /** Epoch milliseconds on the database clock. */
    atMs,
    /** @throws Failure `not_found` when the session ended meanwhile */
    async renew(tx: Transaction) {
      const renewed = await renewSession(tx, {
        personId: person.id,
        publicId: session.id,
        atMs,
        id: opened?.id ?? "",
        nextId: secretHash(secret),
        isProven,
      });
      if (renewed === null) throw new Failure("not_found", NO_SESSION);
      return renewed;
    },
    /**
     * To be called after the commit.
     * @returns the `Set-Cookie` of the new secret; null when another request of the same browser has just got one
     */
    async setCookie(renewed: { isRenewed: boolean; expiresAtMs: number }): Promise<string | null> {
      if (opened !== null) auth.sessions.forget([opened.id]);
      if (!renewed.isRenewed) return null;
      return auth.cookieOf(secret, person.id, renewed.expiresAtMs - atMs);
    },
  };
}
