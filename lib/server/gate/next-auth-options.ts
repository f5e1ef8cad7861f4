import type { NextAuthOptions, User } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { JWT } from "next-auth/jwt";
import { Failure } from "@/lib/contracts/failure";
import { highestRole } from "@/lib/domain/rights";
import type { AuthRuntime, OpenSession } from "@/lib/server/auth/auth";
import { authCookies } from "@/lib/server/auth/cookies";
import type { Identity } from "@/lib/server/auth/sessions";
import { ownPath } from "@/lib/server/http/own-path";
import { providerForNextAuth, type ProviderVisit } from "./provider-callback";
import type { CodeKind } from "@/lib/server/auth/second-factor/second-factors";
import {
  CODE_REQUIRED,
  NO_SIGN_IN,
  NO_SIGN_OUT,
  NOT_LOCALLY,
  TOO_MANY_ATTEMPTS,
  WRONG_CODE,
} from "./words";

/** Results that next-auth's response cannot express, recorded by our callbacks. */
export type Outcome = {
  failure: Failure | null;
  /** The provider's logout address; null: none. */
  endSessionUrl: string | null;
  visit: ProviderVisit;
  /** New device cookie of the browser; null: unchanged. */
  device: string | null;
  /** The second factor that the person signed in with besides the password; null: none. */
  code: CodeKind | null;
  /** The browser's stored data must be cleared: the person signed out, or another one signed in. */
  isOver: boolean;
};

/** The request that next-auth handles. */
export type AuthRequest = {
  identity: Identity;
  outcome: Outcome;
  previous: OpenSession | null;
  address: string;
  endpoints: { issuer: string; authorization: string } | null;
  /** See `Provider.redeem`. */
  sinceReauthenticationMs: number | null;
  /** A short description. */
  browser: string;
  /** The device cookie of the request. */
  device: string | undefined;
};

/** Options of next-auth for one request; results that its response can't express are recorded in `request.outcome`. */
export function nextAuthOptions(runtime: AuthRuntime, request: AuthRequest): NextAuthOptions {
  const { auth, log } = runtime;
  const { identity, outcome, address, endpoints, sinceReauthenticationMs } = request;
  return {
    secret: runtime.authSecret,
    cookies: authCookies(runtime.appUrl, auth.sessionMs / 1000),
    // The row ends a session; the cookie only has to outlive it.
    session: { strategy: "jwt", maxAge: auth.cookieMs / 1000 },
    pages: { signIn: "/signin", signOut: "/signin", error: "/signin" },
    providers: [
      ...providerForNextAuth(runtime, {
        endpoints,
        visit: outcome.visit,
        address,
        sinceReauthenticationMs,
      }),
      localAccounts(runtime, request),
    ],
    callbacks: {
      redirect: ({ url, baseUrl }) => `${baseUrl}${ownPath(url, baseUrl)}`,
      async jwt({ token, trigger, user }) {
        if (trigger === "signIn") return startSession(runtime, request, user);
        // Makes next-auth delete the cookie of a session that has ended.
        if (identity.state !== "known") throw new Error("the session has ended");
        return token;
      },
      session({ session }) {
        if (identity.state !== "known") return session;
        const { id, email, name, grants } = identity.person;
        const expires = new Date(identity.expiresAtMs).toISOString();
        return { user: { id, email, name, role: highestRole(grants) }, expires };
      },
    },
    events: { signOut: () => endSession(runtime, request) },
    logger: {
      // Metadata may contain user input; the code is sufficient.
      error: (code) => log.debug({ code }, "next-auth"),
      warn: (code) => log.debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}

function localAccounts(
  { auth, securityLog }: AuthRuntime,
  { outcome, address, device }: AuthRequest,
) {
  return Credentials({
    name: "Local account",
    credentials: {
      email: { label: "Email", type: "email" },
      password: { label: "Password", type: "password" },
      code: { label: "Code", type: "text" },
    },
    authorize: async (credentials) => {
      try {
        const attempt = await auth.signInWithPassword({
          email: credentials?.email ?? "",
          password: credentials?.password ?? "",
          code: credentials?.code,
          address,
          device,
        });
        if (attempt.ok) {
          outcome.device = attempt.device;
          outcome.code = attempt.code?.kind ?? null;
          if (attempt.code?.kind === "recovery") {
            const left = String(attempt.code.recoveryCodesLeft);
            securityLog.record("recovery_code_used", { address, person: attempt.person }, { left });
          }
          return attempt.person;
        }
        const { person } = attempt;
        if (attempt.reason === "credentials") {
          securityLog.record("sign_in_refused", { address, person }, { known: person !== null });
          return null;
        }
        if (attempt.reason === "code_missing") {
          outcome.failure = new Failure("code_required", CODE_REQUIRED);
          throw new Error("CodeRequired");
        }
        if (attempt.reason === "code_wrong") {
          const reason = "wrong_code";
          securityLog.record("sign_in_refused", { address, person }, { known: true, reason });
          outcome.failure = new Failure("wrong_code", WRONG_CODE);
          throw new Error("WrongCode");
        }
        if (attempt.reason === "closed") {
          const reason = "local_sign_in";
          securityLog.record("sign_in_refused", { address, person }, { known: true, reason });
          outcome.failure = new Failure("forbidden", NOT_LOCALLY);
          throw new Error("NotLocally");
        }
        securityLog.record("sign_in_locked", { address, person }, { limit: attempt.limit });
        outcome.failure = new Failure("too_many_requests", TOO_MANY_ATTEMPTS, {
          retryAfterSeconds: attempt.retryAfterSeconds,
        });
      } catch (cause) {
        outcome.failure ??= signInUnavailable(cause);
      }
      // Becomes `/signin?error=...` for a form without script.
      throw new Error(ERROR_WORDS[outcome.failure.code] ?? "Unavailable");
    },
  });
}

/** @returns the token of a new session, which replaces the browser's previous one */
async function startSession(
  { auth, securityLog }: AuthRuntime,
  { outcome, previous, address, browser }: AuthRequest,
  user: Pick<User, "id" | "name" | "email">,
): Promise<JWT> {
  try {
    const { id, name, email } = user;
    const proven = outcome.visit.admitted?.proven ?? null;
    const person = { id, name: name ?? "", email: email ?? "" };
    const sid = await auth.startSession(person, {
      address,
      browser,
      proven,
      code: outcome.code,
    });
    // Ends the session that this browser had before.
    const before =
      previous === null ? null : await auth.sessions.check(previous.id, false, address);
    const replaced = before?.state === "known" ? before.person : null;
    if (previous !== null) await auth.endSession(previous.secret, replaced);
    if (replaced !== null) {
      outcome.isOver = replaced.id !== user.id;
      securityLog.record("sign_out", { address, person: replaced }, { why: "replaced" });
    }
    return { sub: user.id, sid };
  } catch (cause) {
    Object.assign(outcome.visit, { problem: "Unavailable", cause });
    throw signInUnavailable(cause);
  }
}

async function endSession(
  { auth, appUrl, securityLog }: AuthRuntime,
  { identity, outcome, previous, address }: AuthRequest,
): Promise<void> {
  if (previous === null) return;
  try {
    const person = identity.state === "known" ? identity.person : null;
    outcome.endSessionUrl = await auth.endSession(previous.secret, person, `${appUrl}/signin`);
    outcome.isOver = true;
    if (identity.state === "known") {
      securityLog.record("sign_out", { address, person: identity.person }, { why: "asked" });
    }
  } catch (cause) {
    outcome.failure = new Failure("unavailable", NO_SIGN_OUT, {
      cause,
    });
  }
}

/** Value of `/signin?error=` after a refused password, by the failure's code. */
const ERROR_WORDS: Readonly<Partial<Record<Failure["code"], string>>> = {
  too_many_requests: "TooManyAttempts",
  forbidden: "NotLocally",
  code_required: "CodeRequired",
  wrong_code: "WrongCode",
};

function signInUnavailable(cause: unknown): Failure {
  return new Failure("unavailable", NO_SIGN_IN, { cause });
}
