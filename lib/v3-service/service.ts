import type { Scope, V3ErrorCode } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { errorAnswer, Refusal, type Answer, type HttpRequest } from "./answers";
import { findClient } from "./clients";
import { createDerivedDataRemovals } from "./derived-data";
import { silentSecurityLog, silentLog, type SecurityLog, type Log } from "./log";
import { openApiJson } from "./openapi";
import { createRateLimiter, type RateDecision } from "./rate-limit";
import { createScheduleFiles } from "./schedule-files";
import { createKeyRing, ensureSigningKey, type KeySeal } from "./signing-keys";
import { createSyncStatus } from "./sync-status";
import { issueToken } from "./token-endpoint";
import { createTokens, type Grant } from "./tokens";

/** The complete v3 API as one fetch-style handler. */
export type V3Service = {
  /** Creates the first signing key and starts the job queue. Needs a migrated database. */
  start(): Promise<void>;
  /** Stops the job queue; requests are still served, but deletions wait for the next start. */
  stop(): Promise<void>;
  /**
   * Handles any request under `/api/v3`. Never rejects: unexpected errors become a 500. For HEAD, the caller omits the
   * body.
   * @param client `clientAddress`: counted by the rate limit
   */
  answer(request: HttpRequest, client: { clientAddress: string }): Promise<Answer>;
  /**
   * The rate-limit headers for a request under `/api/v3` that was rejected before it reached the service.
   * @param path without query
   * @param isCounted whether it had reached the service before its body turned out to be too large
   */
  rateHeaders(
    path: string,
    client: { clientAddress: string; isCounted: boolean },
  ): Record<string, string>;
  /** Like `answer`, as a `Response`. */
  handle(request: HttpRequest, client: { clientAddress: string }): Promise<Response>;
};

const BASE_PATH = "/api/v3";

type Operation = (request: HttpRequest, url: URL, grant: Grant, id: string) => Promise<Answer>;
/** An operation without authentication. */
type Open = (request: HttpRequest, clientAddress: string) => Promise<Answer>;
type Route = {
  path: RegExp;
  methods: ReadonlyMap<string, { scope: Scope; run: Operation } | { open: Open }>;
};

export function createV3Service(options: {
  database: Database;
  /** For the keys that sign access tokens, in the database. */
  keySeal: KeySeal;
  clock: { nowMs(): number };
  /** Requests per minute and client address, except to the token endpoint. */
  rateLimitPerMinute: number;
  tokenRateLimitPerMinute: number;
  log?: Log;
  securityLog?: SecurityLog;
}): V3Service {
  const { database, keySeal, log = silentLog, securityLog = silentSecurityLog } = options;
  const nowMs = () => options.clock.nowMs();
  const limiter = createRateLimiter(options.rateLimitPerMinute);
  const tokenLimiter = createRateLimiter(options.tokenRateLimitPerMinute);
  const removals = createDerivedDataRemovals(database, log);
  const findByClientId = (clientId: string) => findClient(database, clientId);
  const tokens = createTokens({
    keyRing: createKeyRing(database, keySeal, nowMs),
    findClient: findByClientId,
    nowMs,
  });
  const files = createScheduleFiles(database, removals);

  const tokenRoute = route(/^\/oauth\/token$/, {
    POST: {
      open: (request, address) =>
        issueToken(request, {
          tokens,
          findClient: findByClientId,
          onRefused: (facts) => securityLog.record("token_refused", { address }, facts),
        }),
    },
  });
  const routes: readonly Route[] = [
    tokenRoute,
    route(/^\/sync_status$/, {
      GET: { scope: "read:sync_status", run: createSyncStatus(database, nowMs) },
    }),
    route(/^\/schedule_files$/, {
      GET: { scope: "read:schedule_files", run: files.list },
    }),
    route(/^\/schedule_files\/([^/]+)$/, {
      GET: { scope: "read:schedule_files", run: files.get },
      DELETE: { scope: "write:schedule_files", run: files.remove },
    }),
    route(/^\/openapi\.json$/, { GET: { open: describe } }),
  ];

  async function authenticate(request: HttpRequest): Promise<Grant> {
    const header = request.headers.get("authorization");
    if (header === null) throw NO_TOKEN;
    const token = /^Bearer +([\w\-.~+/]+=*) *$/i.exec(header)?.[1];
    const grant = token === undefined ? null : await tokens.verify(token);
    if (!grant) throw WRONG_TOKEN;
    return grant;
  }

  async function operate(
    request: HttpRequest,
    url: URL,
    path: string,
    clientAddress: string,
  ): Promise<Answer> {
    for (const candidate of routes) {
      const match = candidate.path.exec(path);
      if (!match) continue;
      const handler = candidate.methods.get(request.method === "HEAD" ? "GET" : request.method);
      if (!handler) {
        throw new Refusal("method_not_allowed", "This address doesn't accept that method.", {
          allow: allowedMethods(candidate),
        });
      }
      if ("open" in handler) return await handler.open(request, clientAddress);
      const grant = await authenticate(request);
      if (!grant.scopes.includes(handler.scope)) throw insufficient(handler.scope);
      return await handler.run(request, url, grant, match[1] ?? "");
    }
    throw new Refusal("not_found", "Not found.");
  }

  return {
    async start() {
      await ensureSigningKey(database, keySeal, nowMs());
      removals.start();
    },

    stop: () => removals.stop(),

    answer,

    rateHeaders(path, { clientAddress, isCounted }) {
      const { limiter: of } = limitOf(pathWithin(path));
      return headersOf(of[isCounted ? "look" : "take"](clientAddress, nowMs()));
    },

    async handle(request, client) {
      const { status, body, headers } = await answer(request, client);
      return new Response(request.method === "HEAD" ? null : body, { status, headers });
    },
  };

  async function answer(request: HttpRequest, { clientAddress }: { clientAddress: string }) {
    const url = new URL(request.url);
    const path = pathWithin(url.pathname);
    const { limiter: of, limit } = limitOf(path);
    const rate = of.take(clientAddress, nowMs());
    if (!rate.allowed) {
      securityLog.record("limit_hit", { address: clientAddress }, { limit });
      return withRate(tooMany(rate, nowMs()), rate);
    }
    try {
      return withRate(await operate(request, url, path, clientAddress), rate);
    } catch (error) {
      if (error instanceof Refusal) return withRate(error.answer, rate);
      securityLog.failed("v3_request_failed", error, request);
      return withRate(errorAnswer("server_error", "Something went wrong on our side."), rate);
    }
  }

  /** Token requests have a separate limit. */
  function limitOf(path: string) {
    return tokenRoute.path.test(path)
      ? ({ limiter: tokenLimiter, limit: "v3_token_requests" } as const)
      : ({ limiter, limit: "v3_requests" } as const);
  }
}

/** The path after the service's base path; empty if there is none. */
function pathWithin(pathname: string): string {
  return pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) : "";
}

function route(
  path: RegExp,
  methods: Record<string, { scope: Scope; run: Operation } | { open: Open }>,
): Route {
  return { path, methods: new Map(Object.entries(methods)) };
}

async function describe(): Promise<Answer> {
  const headers = { "content-type": "application/json", "cache-control": "no-cache" };
  return { status: 200, body: openApiJson(), headers };
}

function withRate(answer: Answer, rate: RateDecision): Answer {
  return { ...answer, headers: { ...answer.headers, ...headersOf(rate) } };
}

function headersOf(rate: RateDecision): Record<string, string> {
  return {
    "x-ratelimit-limit": String(rate.limit),
    "x-ratelimit-remaining": String(rate.remaining),
    "x-ratelimit-reset": String(rate.resetAtSeconds),
  };
}

function tooMany(rate: RateDecision, nowMs: number): Answer {
  const waitSeconds = Math.max(1, Math.ceil(rate.resetAtSeconds - nowMs / 1000));
  return errorAnswer("rate_limit_exceeded", "Too many requests; wait until X-RateLimit-Reset.", {
    "retry-after": String(waitSeconds),
  });
}

/** RFC 6750, 3: the challenge includes an error only if a token was sent. */
function unauthorized(description: string, given: boolean): Refusal {
  const code: V3ErrorCode = "invalid_token";
  const challenge = 'Bearer realm="v3"';
  return new Refusal(code, description, {
    "www-authenticate": given
      ? `${challenge}, error="${code}", error_description="${description}"`
      : challenge,
  });
}

/** Created once: most rejections use one of these. */
const NO_TOKEN = unauthorized("An access token is required.", false);
const WRONG_TOKEN = unauthorized("The access token is invalid or has expired.", true);

function insufficient(scope: Scope): Refusal {
  return new Refusal("insufficient_scope", `This operation needs the scope ${scope}.`, {
    "www-authenticate": `Bearer realm="v3", error="insufficient_scope", scope="${scope}"`,
  });
}

/** Every GET address also supports HEAD. */
function allowedMethods({ methods }: Route): string {
  return [...methods.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
}
