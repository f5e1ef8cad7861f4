import { Failure } from "@/lib/contracts/failure";
import { browserWords } from "@/lib/domain/words/browser-words";
import type { AuthRuntime, OpenSession } from "@/lib/server/auth/auth";
import {
  reauthenticationCookie,
  authCookies,
  CLEAR_SITE_DATA,
  clearAuthCookie,
  deviceCookie,
  ON_THE_WAY_SECONDS,
  parseCookies,
} from "@/lib/server/auth/cookies";
import type { Identity } from "@/lib/server/auth/sessions";
import { clientAddress } from "@/lib/server/http/front-headers";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { ownPath, signInAddress } from "@/lib/server/http/own-path";
import { unfinishedSignInPage } from "@/lib/server/http/pages.mjs";
import { isDatabaseOutage } from "@/lib/server/outage";
import { failureResponse, PERSONAL_HEADERS } from "./failure-response";
import { callNextAuth, type NextAuthResponse } from "./next-auth-call";
import { knownCookies, plainFields, plainWordOrUnknown, readFields } from "./next-auth-input";
import { nextAuthOptions, type Outcome } from "./next-auth-options";
import { refuseCrossSite, requestOrigin } from "./own-origin";
import type { ProviderVisit } from "./provider-callback";
import { METHOD_NOT_ALLOWED, NOT_FOUND, SESSION_NOT_CHECKED } from "./words";

type AuthMethod = "GET" | "HEAD" | "POST";

/** next-auth's addresses that we serve; its log sink and session update are not. */
const ACTIONS: Readonly<Record<string, readonly AuthMethod[]>> = {
  csrf: ["GET", "HEAD"],
  providers: ["GET", "HEAD"],
  session: ["GET", "HEAD"],
  error: ["GET", "HEAD"],
  signin: ["GET", "HEAD", "POST"],
  signout: ["GET", "HEAD", "POST"],
  callback: ["POST"],
};
/**
 * The provider's callback is a redirect; cross-site POSTs are never accepted, and a HEAD would use up the code of the
 * GET after it.
 */
const PROVIDER_CALLBACK: readonly AuthMethod[] = ["GET"];
/** A year: no person has to sign in again for it, and the provider must report when they last did. */
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

/**
 * Answers `/api/auth/...` through next-auth with our guarantees: a limited attempt is a 429, an
 * unavailable database is a 503 that leaves every cookie unchanged, and redirects stay on the
 * address at which the browser reached us.
 * @param segments what follows `/api/auth/`
 */
export async function handleAuthRequest(
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
  const step = stepOf(runtime, segments);
  if (!step.methods.some((method) => method === request.method)) {
    return failureResponse(
      new Failure("method_not_allowed", METHOD_NOT_ALLOWED),
      request,
      runtime.securityLog,
      { Allow: step.methods.join(", ") },
    );
  }
  const isPost = request.method === "POST";
  // next-auth's CSRF token protects these; a request that the browser marks as cross-site is
  // refused first.
  if (isPost && requestOrigin(request.headers, runtime.appUrl) === "foreign") {
    throw refuseCrossSite(runtime.securityLog, request.headers, null);
  }

  const cookies = knownCookies(runtime.appUrl, request);
  const query = plainFields(new URL(request.url).searchParams, runtime.appUrl);
  const isOnceMore = step.isLeaving && query["max_age"] === "0";
  const body = isPost
    ? plainFields(Object.entries(await readFields(request)), runtime.appUrl)
    : undefined;
  const given = parseCookies(request.headers.get("cookie"));
  const address = clientAddress(request.headers);
  const nowMs = runtime.clock.nowMs();
  const previous = await runtime.auth.openSession((name) => cookies.get(name));
  const identity = await identityFor(runtime, step, previous, address);

  const outcome: Outcome = {
    failure: null,
    endSessionUrl: null,
    visit: { problem: null, cause: null, isCodeUsed: false, admitted: null },
    device: null,
    code: null,
    isOver: false,
  };
  const endpoints = step.isLeaving && isPost ? await endpointsOf(runtime, outcome) : null;
  const response = await callNextAuth(
    {
      method: request.method === "HEAD" ? "GET" : request.method,
      // Otherwise next-auth derives its own address from headers; NEXTAUTH_URL sets it, and no
      // client can.
      headers: {},
      cookies: Object.fromEntries(cookies),
      query: {
        // next-auth passes the query of a sign-in on to the provider.
        ...(step.isLeaving ? (isOnceMore ? ONCE_MORE : ONCE) : query),
        nextauth: segments.map(plainWordOrUnknown),
      },
      body,
    },
    nextAuthOptions(runtime, {
      identity,
      outcome,
      previous,
      address,
      endpoints,
      sinceReauthenticationMs: step.isReturn
        ? sinceReauthenticationMs(runtime, given, nowMs)
        : null,
      browser: browserWords(request.headers.get("user-agent")),
      device: given.get(deviceCookie(runtime.appUrl).name),
    }),
  );
  withoutNoError(response.headers);
  const storedUrl = cookies.get(authCookies(runtime.appUrl).callbackUrl.name);
  if (step.isReturn && outcome.visit.cause !== null) {
    runtime.securityLog.failed("request_unanswered", outcome.visit.cause, request);
    if (isDatabaseOutage(outcome.visit.cause)) {
      return unfinishedSignIn(runtime, outcome.visit, storedUrl);
    }
  }
  if (step.isReturn && query["error"] !== undefined) outcome.visit.problem = "ProviderRefused";
  if (step.isReturn || outcome.visit.problem !== null) {
    endVisit(response, runtime, {
      outcome,
      isReturn: step.isReturn,
      callbackUrl: body?.["callbackUrl"] ?? storedUrl,
    });
  }
  if (step.isLeaving && isPost) {
    const reauthentication = reauthenticationCookie(runtime.appUrl);
    const cookie = isOnceMore ? reauthentication.set(String(nowMs)) : reauthentication.clear();
    response.headers.append("set-cookie", cookie);
  }
  addOutcome(response, runtime, outcome);
  const isJson = body?.["json"] === "true";
  if (outcome.failure && (isJson || outcome.failure.code === "unavailable")) throw outcome.failure;
  if (hasForeignToken(response, runtime.appUrl)) {
    refuseCrossSite(runtime.securityLog, request.headers, null, "token");
  }
  if (step.action === "session" && keepsCookie(identity)) response.headers.delete("set-cookie");
  return finished(response, runtime);
}

/** next-auth also names an error where its own error address was opened without one. */
function withoutNoError(headers: Headers): void {
  const location = headers.get("location");
  if (location !== null) headers.set("location", location.replace(/[?&]error=undefined$/, ""));
}

/** The step of next-auth at an address. */
type Step = {
  action: string;
  methods: readonly AuthMethod[];
  /** To the provider. */
  isLeaving: boolean;
  /** From the provider. */
  isReturn: boolean;
};

/** @throws Failure `not_found` */
function stepOf(runtime: AuthRuntime, segments: readonly string[]): Step {
  const [action = "", provider] = segments;
  const isProviders = runtime.auth.provider !== null && provider === "oidc";
  const isReturn = action === "callback" && isProviders;
  const own = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  const methods = isReturn ? PROVIDER_CALLBACK : own;
  // To other callbacks next-auth answers in its own words.
  const isCredentials = provider === "credentials";
  if (!methods || (action === "callback" && !isProviders && !isCredentials))
    throw new Failure("not_found", NOT_FOUND);
  return { action, methods, isLeaving: action === "signin" && isProviders, isReturn };
}

/** @throws Failure `unavailable` when a session can't be checked; signing out checks it again and reports that */
async function identityFor(
  { auth }: AuthRuntime,
  { action }: Step,
  previous: OpenSession | null,
  address: string,
): Promise<Identity> {
  const isAboutSession = action === "session" || action === "signout";
  if (!isAboutSession || previous === null) return { state: "anonymous" };
  const identity = await auth.sessions.check(previous.id, false, address);
  if (identity.state === "unavailable" && action === "session") {
    throw new Failure("unavailable", SESSION_NOT_CHECKED, { retryAfterSeconds: 5 });
  }
  return identity;
}

/**
 * Milliseconds since a person was redirected to the provider for reauthentication; null: they weren't. Bounded, because
 * our clock may have changed since.
 */
function sinceReauthenticationMs(
  { appUrl }: AuthRuntime,
  cookies: ReadonlyMap<string, string>,
  nowMs: number,
): number | null {
  const leftMs = Number(cookies.get(reauthenticationCookie(appUrl).name));
  return leftMs > 0 ? Math.min(Math.max(nowMs - leftMs, 0), ON_THE_WAY_SECONDS * 1000) : null;
}

function addOutcome(response: NextAuthResponse, { appUrl }: AuthRuntime, outcome: Outcome): void {
  if (outcome.device !== null && outcome.failure === null) {
    response.headers.append("set-cookie", deviceCookie(appUrl).set(outcome.device));
  }
  if (outcome.isOver) {
    for (const [name, value] of Object.entries(CLEAR_SITE_DATA)) response.headers.set(name, value);
  }
  if (outcome.endSessionUrl !== null) leadOn(response, outcome.endSessionUrl);
}

/**
 * Whether a browser's session cookie stays unchanged. A session that only timed out may continue once the clock is
 * corrected; and a session's cookie is set once, at its start, for its whole lifetime.
 */
function keepsCookie(identity: Identity): boolean {
  if (identity.state === "known") return true;
  return identity.state === "anonymous" && identity.isTimedOut === true;
}

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
  answered: NextAuthResponse,
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
  headers.append("set-cookie", reauthenticationCookie(appUrl).clear());
}

/**
 * Response to a return from the provider while the database is unavailable. The browser keeps all cookies of the
 * sign-in, and retries: this address if the code is unused, else the sign-in page.
 */
function unfinishedSignIn(
  { appUrl }: AuthRuntime,
  { isCodeUsed }: ProviderVisit,
  callbackUrl: string | undefined,
): Response {
  const next = isCodeUsed ? signInAddress(ownPath(callbackUrl ?? "/", appUrl)) : null;
  return toWebResponse(unfinishedSignInPage(next));
}

/** Changes the target of a redirect, keeping its form: a `Location` header or JSON. */
function leadOn(answered: NextAuthResponse, url: string): void {
  if (answered.body === null) {
    answered.status = 302;
    answered.headers.set("location", url);
  } else {
    // Scripts navigate within the current origin themselves, and only follow addresses elsewhere.
    answered.body = JSON.stringify({ url, isElsewhere: true });
  }
}

/** Whether next-auth rejected the CSRF token: it then redirects to start over, and does nothing. */
function hasForeignToken({ headers, body }: NextAuthResponse, appUrl: string): boolean {
  return ["signin", "signout"].some((action) => {
    const again = `${appUrl}/api/auth/${action}?csrf=true`;
    return headers.get("location") === again || body === JSON.stringify({ url: again });
  });
}

/** Adds our headers to next-auth's response, and makes redirects to ourselves relative. */
function finished(answered: NextAuthResponse, { appUrl }: AuthRuntime): Response {
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
