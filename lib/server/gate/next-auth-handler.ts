import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { Failure } from "@/lib/contracts/failure";
import { highestRole } from "@/lib/domain/rights";
import type { Asked } from "@/lib/server/http/asked";
import { clientAddress } from "@/lib/server/http/front-headers";
import { failureResponse, PERSONAL_HEADERS } from "./answers";
import type { AuthRuntime, OpenSession } from "@/lib/server/auth/auth";
import { authCookies, parseCookies } from "@/lib/server/auth/cookies";
import { refuseCrossSite, requestOrigin } from "./own-origin";
import { ownPath } from "@/lib/server/http/own-path";
import { readBody, readJsonBody } from "./request-body";
import type { Identity } from "@/lib/server/auth/sessions";
import {
  NOT_FOUND,
  METHOD_NOT_ALLOWED,
  NOT_TEXT_FIELDS,
  TOO_MANY_ATTEMPTS,
  NO_SIGN_IN,
  NO_SIGN_OUT,
  SESSION_NOT_CHECKED,
} from "./words";

/** next-auth's addresses that we serve; its log sink and session update stay closed. */
const ACTIONS: Readonly<Record<string, readonly ("GET" | "POST")[]>> = {
  csrf: ["GET"],
  providers: ["GET"],
  session: ["GET"],
  error: ["GET"],
  signin: ["GET", "POST"],
  signout: ["GET", "POST"],
  callback: ["POST"],
};

/** What next-auth's own answer cannot express, noted by our callbacks while it works. */
type Outcome = { failure: Failure | null };

/**
 * Answers `/api/auth/...` through next-auth, and holds it to our promises: a limited guess is a 429, a
 * database that is away a 503 that leaves every cookie as it is, and redirects stay on the address at
 * which the browser found us.
 * @param segments what follows `/api/auth/`
 */
export async function answerAuth(
  runtime: AuthRuntime,
  request: Asked,
  segments: readonly string[],
): Promise<Response> {
  try {
    return await answer(runtime, request, segments);
  } catch (error) {
    return failureResponse(error, request, runtime.evidence);
  }
}

async function answer(
  runtime: AuthRuntime,
  request: Asked,
  segments: readonly string[],
): Promise<Response> {
  const action = segments[0] ?? "";
  const methods = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!methods) throw new Failure("not_found", NOT_FOUND);
  if (!methods.some((method) => method === request.method)) {
    return failureResponse(
      new Failure("method_not_allowed", METHOD_NOT_ALLOWED),
      request,
      runtime.evidence,
      { Allow: methods.join(", ") },
    );
  }
  // next-auth's token guards these; a browser that says "foreign" is refused before it comes to that.
  if (request.method === "POST" && requestOrigin(request.headers, runtime.appUrl) === "foreign") {
    throw refuseCrossSite(runtime.evidence, request.headers, null);
  }

  const cookies = knownCookies(runtime.appUrl, request);
  const query = plainFields(new URL(request.url).searchParams, runtime.appUrl);
  const body =
    request.method === "POST"
      ? plainFields(Object.entries(await readFields(request)), runtime.appUrl)
      : undefined;

  const address = clientAddress(request.headers);
  const previous = await runtime.auth.openSession((name) => cookies.get(name));
  const isAboutSession = action === "session" || action === "signout";
  const identity: Identity =
    isAboutSession && previous !== null
      ? await runtime.auth.sessions.check(previous.id, false, address)
      : { state: "anonymous" };
  // Signing out asks the database again, and says for itself that it could not.
  if (identity.state === "unavailable" && action === "session") {
    throw new Failure("unavailable", SESSION_NOT_CHECKED);
  }

  const outcome: Outcome = { failure: null };
  const response = await callNextAuth(
    {
      method: request.method,
      // It would look for its own address there; NEXTAUTH_URL says it, and no client does.
      headers: {},
      cookies: Object.fromEntries(cookies),
      query: { ...query, nextauth: segments.map(plainWord) },
      body,
    },
    options(runtime, {
      identity,
      outcome,
      previous,
      address,
    }),
  );
  const isJson = body?.["json"] === "true";
  if (outcome.failure && (isJson || outcome.failure.code === "unavailable")) throw outcome.failure;
  if (hasForeignToken(response, runtime.appUrl)) {
    refuseCrossSite(runtime.evidence, request.headers, null, "token");
  }
  // A session that only timed out may go on once the clock is right again.
  if (identity.state === "anonymous" && identity.isTimedOut === true && action === "session") {
    response.headers.delete("set-cookie");
  }
  return finished(response, runtime);
}

function options(
  runtime: AuthRuntime,
  {
    identity,
    outcome,
    previous,
    address,
  }: { identity: Identity; outcome: Outcome; previous: OpenSession | null; address: string },
): NextAuthOptions {
  const { auth, evidence, log } = runtime;
  return {
    secret: runtime.authSecret,
    cookies: authCookies(runtime.appUrl),
    // The row ends a session; the cookie only has to outlive it.
    session: { strategy: "jwt", maxAge: auth.cookieMs / 1000 },
    pages: { signIn: "/signin", signOut: "/signin", error: "/signin" },
    providers: [
      Credentials({
        name: "Local account",
        credentials: {
          email: { label: "Email", type: "email" },
          password: { label: "Password", type: "password" },
        },
        authorize: async (credentials) => {
          try {
            const attempt = await auth.signInWithPassword({
              email: credentials?.email ?? "",
              password: credentials?.password ?? "",
              address,
            });
            if (attempt.ok) return attempt.person;
            const { person } = attempt;
            if (attempt.reason === "credentials") {
              evidence.note("sign_in_refused", { address, person }, { known: person !== null });
              return null;
            }
            evidence.note("sign_in_locked", { address, person }, { limit: attempt.limit });
            outcome.failure = new Failure("too_many_requests", TOO_MANY_ATTEMPTS, {
              retryAfterSeconds: attempt.retryAfterSeconds,
            });
          } catch (cause) {
            outcome.failure = signInUnavailable(cause);
          }
          // Becomes `/signin?error=...` for a form without script.
          throw new Error(
            outcome.failure.code === "too_many_requests" ? "TooManyAttempts" : "Unavailable",
          );
        },
      }),
    ],
    callbacks: {
      redirect: ({ url, baseUrl }) => `${baseUrl}${ownPath(url, baseUrl)}`,
      async jwt({ token, trigger, user }) {
        if (trigger === "signIn") {
          try {
            const sid = await auth.sessions.start(user.id, address);
            // Whoever was signed in on this browser before is not any more.
            const before =
              previous === null ? null : await auth.sessions.check(previous.id, false, address);
            if (previous !== null) await auth.sessions.end(previous.secret);
            if (before?.state === "known") {
              evidence.note("sign_out", { address, person: before.person }, { why: "replaced" });
            }
            evidence.note("sign_in", { address, person: { id: user.id, name: user.name ?? "" } });
            return { sub: user.id, sid };
          } catch (cause) {
            throw signInUnavailable(cause);
          }
        }
        // Makes next-auth drop the cookie of a session that has ended.
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
    events: {
      async signOut() {
        if (previous === null) return;
        try {
          await auth.sessions.end(previous.secret);
          if (identity.state === "known") {
            evidence.note("sign_out", { address, person: identity.person }, { why: "asked" });
          }
        } catch (cause) {
          outcome.failure = new Failure("unavailable", NO_SIGN_OUT, {
            cause,
          });
        }
      },
    },
    logger: {
      // Metadata may hold what a person typed; the code says enough.
      error: (code) => log.debug({ code }, "next-auth"),
      warn: (code) => log.debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}

function signInUnavailable(cause: unknown): Failure {
  return new Failure("unavailable", NO_SIGN_IN, { cause });
}

/** Only cookies of these exact names reach next-auth, which would also join `name.0`, `name.1`, ... */
function knownCookies(appUrl: string, request: Asked): Map<string, string> {
  const names = authCookies(appUrl);
  const cookies = parseCookies(request.headers.get("cookie"));
  const known = new Map<string, string>();
  for (const { name } of Object.values(names)) {
    const value = cookies.get(name);
    if (value === undefined) continue;
    known.set(name, name === names.callbackUrl.name ? `${appUrl}${ownPath(value, appUrl)}` : value);
  }
  return known;
}

/** The fields of a form, or of a JSON object. */
async function readFields(request: Asked): Promise<Record<string, string>> {
  if (!request.headers.get("content-type")?.includes("application/json")) {
    return Object.fromEntries(new URLSearchParams(await readBody(request)));
  }
  const given = (await readJsonBody(request)) ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw notFields();
  const fields = Object.entries(given).map(([name, value]) => {
    if (typeof value === "object" && value !== null) throw notFields();
    return [name, String(value)];
  });
  return Object.fromEntries(fields) as Record<string, string>;
}

function notFields(): Failure {
  return new Failure("invalid_request", NOT_TEXT_FIELDS);
}

/**
 * Query or body as next-auth may have it. It puts `error` into a `Location` as it is, and fails on a
 * `callbackUrl` that it cannot parse before its `redirect` callback is asked.
 */
function plainFields(
  fields: Iterable<readonly [string, string]>,
  appUrl: string,
): Record<string, string> {
  const plain = Object.fromEntries(fields);
  if (plain["error"] !== undefined) plain["error"] = plainWord(plain["error"]);
  if (plain["callbackUrl"] !== undefined) {
    plain["callbackUrl"] = ownPath(plain["callbackUrl"], appUrl);
  }
  return plain;
}

/** Codes of errors, actions and providers are words; what is none names nothing. */
function plainWord(given: string): string {
  return /^[\w-]{1,64}$/.test(given) ? given : "unknown";
}

type Answer = { status: number; headers: Headers; body: string | null };

type Call = Pick<NextApiRequest, "method" | "headers" | "body"> & {
  cookies: Record<string, string>;
  query: Record<string, string | readonly string[]>;
};

/**
 * Next-auth as a function from request to response. Its form for pages-router handlers is used, because
 * that one takes everything as arguments; the other reads cookies from Next's request scope.
 */
async function callNextAuth(call: Call, nextAuthOptions: NextAuthOptions): Promise<Answer> {
  const headers = new Headers();
  let status = 200;
  let body: string | null = null;
  const setCookies: string[] = [];
  const response = {
    status(code: number) {
      status = code;
      return response;
    },
    getHeader: (name: string) => (name === "Set-Cookie" ? [...setCookies] : headers.get(name)),
    setHeader(name: string, value: string | string[]) {
      if (name === "Set-Cookie") setCookies.splice(0, Infinity, ...[value].flat());
      else headers.set(name, String(value));
      return response;
    },
    json(value: unknown) {
      headers.set("Content-Type", "application/json");
      body = JSON.stringify(value);
    },
    send(value: unknown) {
      if (typeof value === "string") body = value;
      else if (value !== undefined) response.json(value);
    },
    end() {},
  };
  await NextAuth(
    call as unknown as NextApiRequest,
    response as unknown as NextApiResponse,
    nextAuthOptions,
  );
  for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
  return { status, headers, body };
}

/** Without its token next-auth asks to start over, and does nothing. */
function hasForeignToken({ headers, body }: Answer, appUrl: string): boolean {
  return ["signin", "signout"].some((action) => {
    const again = `${appUrl}/api/auth/${action}?csrf=true`;
    return headers.get("location") === again || body === JSON.stringify({ url: again });
  });
}

/** Our headers on next-auth's answer, and redirects made relative when they lead to ourselves. */
function finished(answered: Answer, { appUrl, auth }: AuthRuntime): Response {
  const { status, headers, body } = answered;
  for (const [name, value] of Object.entries(PERSONAL_HEADERS)) headers.set(name, value);
  // Next-auth dates ends by our clock; a browser counts seconds by its own.
  const cookies = headers.getSetCookie();
  headers.delete("set-cookie");
  for (const cookie of cookies) {
    const seconds = auth.cookieMs / 1000;
    headers.append("set-cookie", cookie.replace(/; Expires=[^;]*/i, `; Max-Age=${seconds}`));
  }
  const location = headers.get("location");
  // People may have come by 127.0.0.1 while APP_URL says localhost: their cookies live there.
  if (location && new URL(location, appUrl).origin === new URL(appUrl).origin) {
    headers.set("location", ownPath(location, appUrl));
  }
  // It does so with a 200 where JSON is asked for; a script must not take that for success.
  const isRefused = body !== null && hasForeignToken(answered, appUrl);
  return new Response(body, { status: isRefused ? 403 : status, headers });
}
