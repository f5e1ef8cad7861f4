import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { isProviderDown, isProviderRefused } from "@/lib/server/auth/oidc/errors";
import type { HttpRequest } from "@/lib/server/http/http-request";
import type { ProviderSignIn } from "@/lib/server/auth/provider-sign-in";
import { clientAddress } from "@/lib/server/http/front-headers";
import { sharedState } from "@/lib/server/shared-state";
import { readBody } from "./request-body";
import { NOT_FOUND, TOO_MANY_ATTEMPTS } from "./words";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Refused tokens of one address per minute that are logged with the reason. */
const MAX_REFUSALS_LOGGED = 30;
/** Allows for several kB of groups and names. */
const LONGEST_TOKEN = 16_384;
const REMEMBERED = 10_000;

/** Handles logout tokens from the provider: OpenID Connect Back-Channel Logout 1.0. */
export type BackchannelLogout = (runtime: AuthRuntime, request: HttpRequest) => Promise<Response>;

/**
 * 200 once the sessions have ended, also when there were none; otherwise 400 with an `error`, as
 * the specification requires, and 429 for an address that keeps sending invalid tokens. Every token
 * is verified first, at the cost of one signature check at most: invalid ones never block a valid
 * one, from the same address or another.
 */
export function createBackchannelLogout(nowMs: () => number): BackchannelLogout {
  const refusals = new LRUCache<string, { count: number; beganMs: number }>({ max: REMEMBERED });

  /** @returns how often this address was refused in this minute, and since when */
  function refusalsOf(address: string) {
    const known = refusals.get(address);
    if (known !== undefined && nowMs() - known.beganMs < MINUTE_MS) return known;
    return { count: 0, beganMs: nowMs() };
  }

  return async ({ auth, securityLog }, request) => {
    const { provider } = auth;
    if (provider === null) throw new Failure("not_found", NOT_FOUND);
    const address = clientAddress(request.headers);
    const refuse = (why: string, error: string) => {
      const refused = refusalsOf(address);
      if (refused.count >= MAX_REFUSALS_LOGGED) {
        securityLog.record("limit_hit", { address }, { limit: "backchannel_logout" });
        throw new Failure("too_many_requests", TOO_MANY_ATTEMPTS, { retryAfterSeconds: 60 });
      }
      refusals.set(address, { ...refused, count: refused.count + 1 });
      securityLog.record("backchannel_refused", { address }, { why });
      return answerOf(400, { error, error_description: `The logout failed: ${why}.` });
    };

    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== "application/x-www-form-urlencoded") return refuse("not_a_form", INVALID);
    const tokens = new URLSearchParams(await readBody(request)).getAll("logout_token");
    const [token = ""] = tokens;
    if (tokens.length !== 1 || token === "") return refuse("not_one_token", INVALID);
    if (token.length > LONGEST_TOKEN) return refuse("too_long", INVALID);
    let ended: Awaited<ReturnType<ProviderSignIn["endSessions"]>>;
    try {
      const read = await provider.readLogoutToken(token);
      ended = await auth.signInWithProvider.endSessions(provider.issuer, read);
    } catch (error) {
      if (isProviderRefused(error)) return refuse(error.why, INVALID);
      securityLog.failed(
        isProviderDown(error) ? "provider_silent" : "request_unanswered",
        error,
        request,
      );
      return answerOf(400, {
        error: "server_error",
        error_description: "The logout failed. Send it again.",
      });
    }
    if (ended === null) return refuse("used_before", INVALID);
    for (const { person, ids } of ended) {
      auth.sessions.forget(ids);
      securityLog.record(
        "backchannel_logout",
        { address, person },
        { sessions: String(ids.length) },
      );
    }
    return answerOf(200, null);
  };
}

/** Answers one request; refusals are counted for the process. */
export const handleBackchannelLogout: BackchannelLogout = (runtime, request) =>
  sharedState(runtime, "back-channel logout", () =>
    createBackchannelLogout(() => runtime.clock.monotonicMs()),
  )(runtime, request);

const INVALID = "invalid_request";

function answerOf(status: number, body: object | null): Response {
  const headers = { "cache-control": "no-store" };
  return body === null
    ? new Response(null, { status, headers })
    : Response.json(body, { status, headers });
}
