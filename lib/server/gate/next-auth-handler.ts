import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { Failure } from "@/lib/contracts/failure";
import { highestRole } from "@/lib/domain/rights";
import { browserWords } from "@/lib/domain/words/browser-words";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress } from "@/lib/server/http/front-headers";
import { failureResponse, PERSONAL_HEADERS } from "./answers";
import { providerForNextAuth, type ProviderVisit } from "./provider-callback";
import type { AuthRuntime, OpenSession } from "@/lib/server/auth/auth";
import {
  askedAgainCookie,
  authCookies,
  CLEAR_SITE_DATA,
  clearAuthCookie,
  deviceCookie,
  isSealed,
  ON_THE_WAY_SECONDS,
  parseCookies,
} from "@/lib/server/auth/cookies";
import { refuseCrossSite, requestOrigin } from "./own-origin";
import { asResponse } from "@/lib/server/http/answer";
import { ownPath, signInAddress } from "@/lib/server/http/own-path";
import { unfinishedSignInPage } from "@/lib/server/http/pages.mjs";
import { isDatabaseOutage } from "@/lib/server/outage";
import { readBody, readJsonBody } from "./request-body";
import type { Identity } from "@/lib/server/auth/sessions";
import {
  NOT_FOUND,
  METHOD_NOT_ALLOWED,
  NOT_TEXT_FIELDS,
  TOO_MANY_ATTEMPTS,
  NO_SIGN_IN,
  NO_SIGN_OUT,
  NOT_LOCALLY,
  SESSION_NOT_CHECKED,
} from "./words";

/** next-auth's addresses that we serve; its log sink and session update are not. */
const ACTIONS: Readonly<Record<string, readonly ("GET" | "POST")[]>> = {
  csrf: ["GET"],
  providers: ["GET"],
  session: ["GET"],
  error: ["GET"],
  signin: ["GET", "POST"],
  signout: ["GET", "POST"],
  callback: ["POST"],
};
/** The provider's callback is a redirect; cross-site POSTs are never accepted. */
const PROVIDER_CALLBACK: readonly ("GET" | "POST")[] = ["GET"];
/**
 * A year: effectively no reauthentication, but the provider must return the time of the last one.
 */
const ONCE = { max_age: "31536000" };
/**
 * Parameters for reauthentication at the provider: force a login, and return its time, which
 * `max_age` requires and some providers only do on explicit request.
 */
const ONCE_MORE = {
  max_age: "0",
  prompt: "login",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/** Results that next-auth's response cannot express, recorded by our callbacks. */
type Outcome = {
  failure: Failure | null;
  /** The provider's logout address; null: none. */
  endSessionUrl: string | null;
  visit: ProviderVisit;
  /** New device cookie of the browser; null: unchanged. */
  device: string | null;
  /** The browser's stored data must be cleared: the person signed out, or another one signed in. */
  isOver: boolean;
};

/**
 * Answers `/api/auth/...` through next-auth with our guarantees: a limited attempt is a 429, an
 * unavailable database is a 503 that leaves every cookie unchanged, and redirects stay on the
 * address at which the browser reached us.
 * @param segments what follows `/api/auth/`
 */
export async function answerAuth(
  runtime: AuthRuntime,
  request: HttpRequest,
  segments: readonly string[],
): Promise<Response> {
  try {
    return await answer(runtime, request, segments);
  } catch (error) {
    return failureResponse(error, request, runtime.securityLog);
  }
}

async function answer(
  runtime: AuthRuntime,
  request: HttpRequest,
  segments: readonly string[],
): Promise<Response> {
  const action = segments[0] ?? "";
  const isProviders = runtime.auth.provider !== null && segments[1] === "oidc";
  const isReturn = action === "callback" && isProviders;
  const own = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  const methods = isReturn ? PROVIDER_CALLBACK : own;
  if (!methods) throw new Failure("not_found", NOT_FOUND);
  if (!methods.some((method) => method === request.method)) {
    return failureResponse(
      new Failure("method_not_allowed", METHOD_NOT_ALLOWED),
      request,
      runtime.securityLog,
      { Allow: methods.join(", ") },
    );
  }
  // next-auth's CSRF token protects these; a request that the browser marks as cross-site is
  // refused first.
  if (request.method === "POST" && requestOrigin(request.headers, runtime.appUrl) === "foreign") {
    throw refuseCrossSite(runtime.securityLog, request.headers, null);
  }

  const cookies = knownCookies(runtime.appUrl, request);
  const asked = plainFields(new URL(request.url).searchParams, runtime.appUrl);
  // next-auth passes the query of a sign-in on to the provider.
  const isLeaving = action === "signin" && isProviders;
  const isOnceMore = isLeaving && asked["max_age"] === "0";
  const query = isLeaving ? (isOnceMore ? ONCE_MORE : ONCE) : asked;
  const body =
    request.method === "POST"
      ? plainFields(Object.entries(await readFields(request)), runtime.appUrl)
      : undefined;

  const callbackUrlName = authCookies(runtime.appUrl).callbackUrl.name;
  const askedAgain = askedAgainCookie(runtime.appUrl);
  const nowMs = runtime.clock.nowMs();
  const knownDevice = deviceCookie(runtime.appUrl);
  const given = parseCookies(request.headers.get("cookie"));
  const leftMs = Number(given.get(askedAgain.name));
  const address = clientAddress(request.headers);
  const previous = await runtime.auth.openSession((name) => cookies.get(name));
  const isAboutSession = action === "session" || action === "signout";
  const identity: Identity =
    isAboutSession && previous !== null
      ? await runtime.auth.sessions.check(previous.id, false, address)
      : { state: "anonymous" };
  // Signing out queries the database again, and reports its failure itself.
  if (identity.state === "unavailable" && action === "session") {
    throw new Failure("unavailable", SESSION_NOT_CHECKED, { retryAfterSeconds: 5 });
  }

  const outcome: Outcome = {
    failure: null,
    endSessionUrl: null,
    visit: { problem: null, cause: null, isCodeUsed: false, admitted: null },
    device: null,
    isOver: false,
  };
  const endpoints =
    isLeaving && request.method === "POST" ? await endpointsOf(runtime, outcome) : null;
  const response = await callNextAuth(
    {
      method: request.method,
      // Otherwise next-auth derives its own address from headers; NEXTAUTH_URL sets it, and no
      // client can.
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
      endpoints,
      // Bounded against jumps of our clock.
      askedAgainMs:
        isReturn && leftMs > 0
          ? Math.min(Math.max(nowMs - leftMs, 0), ON_THE_WAY_SECONDS * 1000)
          : null,
      browser: browserWords(request.headers.get("user-agent")),
      device: given.get(knownDevice.name),
    }),
  );
  if (isReturn && outcome.visit.cause !== null) {
    runtime.securityLog.failed("request_unanswered", outcome.visit.cause, request);
    if (isDatabaseOutage(outcome.visit.cause)) {
      return unfinishedSignIn(runtime, outcome.visit, cookies.get(callbackUrlName));
    }
  }
  if (isReturn && asked["error"] !== undefined) outcome.visit.problem = "ProviderRefused";
  if (isReturn || outcome.visit.problem !== null) {
    endVisit(response, runtime, {
      outcome,
      isReturn,
      callbackUrl: body?.["callbackUrl"] ?? cookies.get(callbackUrlName),
    });
  }
  if (isLeaving && request.method === "POST") {
    const cookie = isOnceMore ? askedAgain.set(String(nowMs)) : askedAgain.clear();
    response.headers.append("set-cookie", cookie);
  }
  if (outcome.device !== null && outcome.failure === null) {
    response.headers.append("set-cookie", knownDevice.set(outcome.device));
  }
  if (outcome.isOver) {
    for (const [name, value] of Object.entries(CLEAR_SITE_DATA)) response.headers.set(name, value);
  }
  if (outcome.endSessionUrl !== null) leadOn(response, outcome.endSessionUrl);
  const isJson = body?.["json"] === "true";
  if (outcome.failure && (isJson || outcome.failure.code === "unavailable")) throw outcome.failure;
  if (hasForeignToken(response, runtime.appUrl)) {
    refuseCrossSite(runtime.securityLog, request.headers, null, "token");
  }
  // A session that merely timed out may be valid again once the clock is right; and a session's
  // cookie is set once, for the session's whole lifetime.
  const isTimedOut = identity.state === "anonymous" && identity.isTimedOut === true;
  if (action === "session" && (isTimedOut || identity.state === "known")) {
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
    endpoints,
    askedAgainMs,
    browser,
    device,
  }: {
    identity: Identity;
    outcome: Outcome;
    previous: OpenSession | null;
    address: string;
    endpoints: { issuer: string; authorization: string } | null;
    /** See `Provider.redeem`. */
    askedAgainMs: number | null;
    /** A short description. */
    browser: string;
    /** The device cookie of the request. */
    device: string | undefined;
  },
): NextAuthOptions {
  const { auth, securityLog, log } = runtime;
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
        askedAgainMs,
      }),
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
              device,
            });
            if (attempt.ok) {
              outcome.device = attempt.device;
              return attempt.person;
            }
            const { person } = attempt;
            if (attempt.reason === "credentials") {
              securityLog.record(
                "sign_in_refused",
                { address, person },
                { known: person !== null },
              );
              return null;
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
      }),
    ],
    callbacks: {
      redirect: ({ url, baseUrl }) => `${baseUrl}${ownPath(url, baseUrl)}`,
      async jwt({ token, trigger, user }) {
        if (trigger === "signIn") {
          try {
            const { id, name, email } = user;
            const proven = outcome.visit.admitted?.proven ?? null;
            const person = { id, name: name ?? "", email: email ?? "" };
            const sid = await auth.startSession(person, { address, browser, proven });
            // The session that was signed in on this browser before.
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
    events: {
      async signOut() {
        if (previous === null) return;
        try {
          const person = identity.state === "known" ? identity.person : null;
          outcome.endSessionUrl = await auth.endSession(
            previous.secret,
            person,
            `${runtime.appUrl}/signin`,
          );
          outcome.isOver = true;
          if (identity.state === "known") {
            securityLog.record("sign_out", { address, person: identity.person }, { why: "asked" });
          }
        } catch (cause) {
          outcome.failure = new Failure("unavailable", NO_SIGN_OUT, {
            cause,
          });
        }
      },
    },
    logger: {
      // Metadata may contain user input; the code is sufficient.
      error: (code) => log.debug({ code }, "next-auth"),
      warn: (code) => log.debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}

/** Values of `/signin?error=` for a failed password, by the failure's code. */
const ERROR_WORDS: Readonly<Partial<Record<Failure["code"], string>>> = {
  too_many_requests: "TooManyAttempts",
  forbidden: "NotLocally",
};

async function endpointsOf(
  { auth, securityLog }: AuthRuntime,
  outcome: Outcome,
): Promise<{ issuer: string; authorization: string } | null> {
  try {
    return (await auth.provider?.endpoints()) ?? null;
  } catch (error) {
    securityLog.failed("provider_silent", error, null);
    outcome.visit.problem = "ProviderDown";
    return null;
  }
}

/** Deletes the cookies of a provider sign-in, and shows errors on the page where it started. */
function endVisit(
  answered: Answer,
  { appUrl }: AuthRuntime,
  {
    outcome: { visit },
    isReturn,
    callbackUrl,
  }: { outcome: Outcome; isReturn: boolean; callbackUrl: string | undefined },
): void {
  const { headers } = answered;
  const names = authCookies(appUrl);
  if (visit.problem !== null || visit.admitted === null) {
    const back = new URLSearchParams({ error: visit.problem ?? "SignInExpired" });
    const path = ownPath(callbackUrl ?? "/", appUrl);
    if (path !== "/") back.set("callbackUrl", path);
    headers.delete("set-cookie");
    const page = `/signin?${back.toString()}`;
    if (answered.body === null) leadOn(answered, `${appUrl}${page}`);
    else answered.body = JSON.stringify({ url: page });
  }
  if (!isReturn) return;
  const set = headers.getSetCookie();
  headers.delete("set-cookie");
  const { state, nonce, pkceCodeVerifier } = names;
  const ended = [state, nonce, pkceCodeVerifier];
  for (const cookie of set) {
    if (!ended.some(({ name }) => cookie.startsWith(`${name}=`))) {
      headers.append("set-cookie", cookie);
    }
  }
  for (const cookie of ended) headers.append("set-cookie", clearAuthCookie(cookie));
  headers.append("set-cookie", askedAgainCookie(appUrl).clear());
}

/**
 * For people who come back from the provider while the database is away. The browser keeps every cookie of its way
 * there, and asks again: here while the code is good, else from the sign-in page.
 */
function unfinishedSignIn(
  { appUrl }: AuthRuntime,
  { isCodeUsed }: ProviderVisit,
  callbackUrl: string | undefined,
): Response {
  const next = isCodeUsed ? signInAddress(ownPath(callbackUrl ?? "/", appUrl)) : null;
  return asResponse(unfinishedSignInPage(next));
}

/** Makes an answer lead elsewhere, in the way in which it led on before. */
function leadOn(answered: Answer, url: string): void {
  if (answered.body === null) {
    answered.status = 302;
    answered.headers.set("location", url);
  } else {
    // Scripts navigate within the current origin themselves, and only follow addresses elsewhere.
    answered.body = JSON.stringify({ url, isElsewhere: true });
  }
}

function signInUnavailable(cause: unknown): Failure {
  return new Failure("unavailable", NO_SIGN_IN, { cause });
}

/**
 * Only cookies of these exact names reach next-auth, which would also join `name.0`, `name.1`, ...;
 * and of encrypted ones only those that are ours.
 */
function knownCookies(appUrl: string, request: HttpRequest): Map<string, string> {
  const names = authCookies(appUrl);
  const cookies = parseCookies(request.headers.get("cookie"));
  const known = new Map<string, string>();
  for (const { name } of Object.values(names)) {
    const value = cookies.get(name);
    if (value === undefined) continue;
    const isPlain = [names.callbackUrl.name, names.csrfToken.name].includes(name);
    if (!isPlain && !isSealed(value)) continue;
    known.set(name, name === names.callbackUrl.name ? `${appUrl}${ownPath(value, appUrl)}` : value);
  }
  return known;
}

/** The fields of a form, or of a JSON object. */
async function readFields(request: HttpRequest): Promise<Record<string, string>> {
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
 * Query or body reduced to what next-auth may receive. It copies `error` into a `Location`
 * unchanged, and fails on an unparsable `callbackUrl` before calling its `redirect` callback.
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

/** Codes of errors, actions and providers are plain words; anything else is dropped. */
function plainWord(given: string): string {
  return /^[\w-]{1,64}$/.test(given) ? given : "unknown";
}

type Answer = { status: number; headers: Headers; body: string | null };

type Call = Pick<NextApiRequest, "method" | "headers" | "body"> & {
  cookies: Record<string, string>;
  query: Record<string, string | readonly string[]>;
};

/**
 * next-auth as a function from request to response. Uses its pages-router form, which takes
 * everything as arguments; the other reads cookies from Next's request scope.
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

/** Whether next-auth rejected the CSRF token: it then redirects to start over, and does nothing. */
function hasForeignToken({ headers, body }: Answer, appUrl: string): boolean {
  return ["signin", "signout"].some((action) => {
    const again = `${appUrl}/api/auth/${action}?csrf=true`;
    return headers.get("location") === again || body === JSON.stringify({ url: again });
  });
}

/** Our headers on next-auth's answer, and redirects made relative when they lead to ourselves. */
function finished(answered: Answer, { appUrl }: AuthRuntime): Response {
  const { status, headers, body } = answered;
  for (const [name, value] of Object.entries(PERSONAL_HEADERS)) headers.set(name, value);
  // Next-auth always adds `Expires`, by our clock, to the `Max-Age` that a browser counts by its own.
  const cookies = headers.getSetCookie();
  headers.delete("set-cookie");
  for (const cookie of cookies) {
    headers.append("set-cookie", cookie.replace(/; Expires=[^;]*/i, ""));
  }
  const location = headers.get("location");
  // People may have used 127.0.0.1 while APP_URL is localhost: their cookies belong to that host.
  if (location && new URL(location, appUrl).origin === new URL(appUrl).origin) {
    headers.set("location", ownPath(location, appUrl));
  }
  // For JSON requests that redirect is a 200, which a script must not mistake for success.
  const isRefused = body !== null && hasForeignToken(answered, appUrl);
  return new Response(body, { status: isRefused ? 403 : status, headers });
}
