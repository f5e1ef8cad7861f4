import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import {
  DEFAULT_PER_PAGE,
  MAX_PAGE,
  MAX_PARTNER_LENGTH,
  MAX_PER_PAGE,
  SCOPES,
  TOKEN_LIFETIME_SECONDS,
  type Scope,
  type ServedScheduleFile,
  type ServedSyncStatus,
} from "@/lib/contracts/v3";
import { altered, written } from "./altered-body";
import { expensiveBody } from "./expensive-body";
import { hits, type Fault, type FaultOptions } from "./fault";
import { sampleFiles, sampleRows } from "./sample-rows";

/** One request as the upstream received it. */
export type ReceivedRequest = {
  method: string;
  /** Below `/api/v3`, without the query. */
  path: string;
  query: Record<string, string>;
  /** Milliseconds of a monotonic clock. */
  atMs: number;
  /** The bearer token of the request; null without one. */
  bearer: string | null;
  /** `scope` of a token request; null when it was omitted, and for other requests. */
  scope: string | null;
  /** Names of all received headers, lower case. */
  headerNames: string[];
};

export type MisbehavingUpstreamOptions = {
  /** Sync status rows; default: 12 that are on time. */
  rows?: ServedSyncStatus[];
  /** Schedule files, newest first; default: 3. */
  files?: ServedScheduleFile[];
  /** 0 (the default) takes any free port. */
  port?: number;
  clientId?: string;
  clientSecret?: string;
  /** Scopes registered for the client; default: all. */
  scopes?: readonly Scope[];
  /** Enforced per fixed minute; default: practically unlimited. */
  rateLimitPerMinute?: number;
  /** Epoch milliseconds: the clock of `Date`, of the rate limit and of the cache. */
  nowMs?: () => number;
  /** How long a page of the sync status is cached, milliseconds; default: not cached. */
  cacheMs?: number;
  /** Delay of a response, besides faults; default: none. */
  take?: (answer: { isCached: boolean }) => Promise<void>;
};

export type MisbehavingUpstream = {
  /** Ends in `/api/v3`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** Every received request, oldest first. */
  requests: ReceivedRequest[];
  /** Bearer header (or null) of every request that followed a redirect to the other origin. */
  redirected: (string | null)[];
  /** Number of issued tokens. */
  tokensIssued(): number;
  /** The current schedule files. */
  files(): readonly ServedScheduleFile[];
  setRows(rows: ServedSyncStatus[]): void;
  setFiles(files: ServedScheduleFile[]): void;
  setScopes(scopes: readonly Scope[]): void;
  /** Sets the current fault; null ends it. One fault at a time. */
  setFault(fault: Fault | null, options?: FaultOptions): Promise<void>;
  /** Revokes every token issued so far. */
  revokeTokens(): void;
  close(): Promise<void>;
};

const BASE_PATH = "/api/v3";
/** The upstream's error text; people must never see it. */
export const UPSTREAM_DESCRIPTION = "upstream-words-for-the-log-only";
const GIGABYTE = 1024 ** 3;
/** Just below the 8 MB size limit of reading. */
const EXPENSIVE_BYTES = 7_800_000;
const BLANKS_AT_ONCE = 10_000;
const NEVER_MS = 0x7fff_ffff;

/** A v3 API over real HTTP with faults on command. */
export async function startMisbehavingUpstream(
  options: MisbehavingUpstreamOptions = {},
): Promise<MisbehavingUpstream> {
  const nowMs = options.nowMs ?? Date.now;
  const clientId = options.clientId ?? "client";
  const clientSecret = options.clientSecret ?? "client-secret-of-the-upstream";
  const limit = options.rateLimitPerMinute ?? 1_000_000;
  const tokens = new Map<string, ReadonlySet<Scope>>();
  const requests: ReceivedRequest[] = [];
  const redirected: (string | null)[] = [];
  /** Aborted at the end, so that no pending response keeps the process alive. */
  const ending = new AbortController();
  let rows = options.rows ?? sampleRows(12, nowMs());
  let files = options.files ?? sampleFiles(3, nowMs());
  let registered: readonly Scope[] = options.scopes ?? SCOPES;
  let issued = 0;
  let fault: { what: Fault; options: FaultOptions; after: number; left: number } | null = null;
  let faultHits = 0;
  let window = { startMs: 0, used: 0 };
  /** By query. */
  const cache = new Map<string, { readMs: number; body: object }>();

  const other = createServer((request, response) => {
    redirected.push(request.headers.authorization ?? null);
    sendJson(response, 200, { data: [], meta: meta(1, 50, 0) });
  });
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!ending.signal.aborted && !response.destroyed) response.destroy(error as Error);
    });
  });
  const port = await listen(server, options.port ?? 0);
  const otherPort = await listen(other, 0);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://upstream");
    const path = url.pathname.startsWith(BASE_PATH)
      ? url.pathname.slice(BASE_PATH.length)
      : url.pathname;
    const form = new URLSearchParams(await readText(request));
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null;
    requests.push({
      method: request.method ?? "",
      path,
      query: Object.fromEntries(url.searchParams),
      atMs: performance.now(),
      bearer,
      scope: form.get("scope"),
      headerNames: Object.keys(request.headers),
    });
    const now = takeFault(request.method ?? "", path);
    const skewMs = now?.kind === "clock_skew" ? now.skewMs : 0;
    setHeaders(response, skewMs);
    if (now?.kind === "kept_by_cache") response.setHeader("Age", now.ageSeconds);
    if (now?.kind === "same_date") response.setHeader("Date", new Date(now.atMs).toUTCString());
    if (window.used > limit) return sendError(response, 429, "rate_limit_exceeded");
    if (now !== null && (await breakWire(now, response))) return;

    const answer =
      path === "/oauth/token" ? token(request, form, now) : api(request, url, path, bearer, now);
    await options.take?.({ isCached: answer.isCached === true });
    if (now?.kind === "answer_lost") response.socket?.resetAndDestroy();
    else if (now?.kind === "answer_hangs")
      await sleep(NEVER_MS, undefined, { signal: ending.signal });
    else await deliver(response, answer, now);
  }

  /** The fault that applies to this request, counting it. */
  function takeFault(method: string, path: string): Fault | null {
    if (fault === null || !hits(fault.what, fault.options, method, path)) return null;
    if (fault.after > 0) {
      fault.after -= 1;
      return null;
    }
    const { what } = fault;
    faultHits += 1;
    fault.left -= 1;
    if (fault.left <= 0) fault = null;
    return what;
  }

  function setHeaders(response: ServerResponse, skewMs: number): void {
    const atMs = nowMs();
    const startMs = Math.floor(atMs / 60_000) * 60_000;
    if (window.startMs !== startMs) window = { startMs, used: 0 };
    window.used += 1;
    response.sendDate = false;
    response.setHeader("Date", new Date(atMs + skewMs).toUTCString());
    response.setHeader("X-RateLimit-Limit", limit);
    response.setHeader("X-RateLimit-Remaining", Math.max(0, limit - window.used));
    response.setHeader("X-RateLimit-Reset", (startMs + 60_000 + skewMs) / 1000);
  }

  /** Faults without a response of ours. True when the request is handled. */
  async function breakWire(now: Fault, response: ServerResponse): Promise<boolean> {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the others change the answer
    switch (now.kind) {
      case "reset":
        response.socket?.resetAndDestroy();
        return true;
      case "error_500":
        sendError(response, 500, "internal_error");
        return true;
      case "unavailable":
        response.setHeader("Retry-After", now.seconds);
        sendError(response, 503, "temporarily_unavailable");
        return true;
      case "html_404":
        response.writeHead(404, { "Content-Type": "text/html" });
        response.end("<html><body><h1>404 Not Found</h1></body></html>");
        return true;
      case "html_502":
        response.writeHead(502, { "Content-Type": "text/html" });
        response.end("<html><body><h1>502 Bad Gateway</h1></body></html>");
        return true;
      case "slow_headers":
        await sleep(now.delayMs ?? 3_000, undefined, { signal: ending.signal });
        return false;
      case "hang":
        await sleep(NEVER_MS, undefined, { signal: ending.signal });
        return true;
      case "half_open":
        response.writeHead(200, { "Content-Type": "application/json" });
        response.write('{"data":[');
        await sleep(NEVER_MS, undefined, { signal: ending.signal });
        return true;
      case "redirect":
        response.writeHead(302, {
          Location: `http://127.0.0.1:${otherPort}${BASE_PATH}/sync_status`,
        });
        response.end();
        return true;
      case "malformed_json":
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end('{"data": [ {"id": "sc-1", ');
        return true;
      case "huge_body":
        response.writeHead(200, { "Content-Type": "application/json" });
        await pour(blanks(now.bytes ?? GIGABYTE), response);
        return true;
      case "gzip_bomb":
        response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
        await pour(blanks(now.bytes ?? GIGABYTE).pipe(createGzip()), response);
        return true;
      case "expensive_body":
        response.writeHead(now.status ?? 200, { "Content-Type": "application/json" });
        response.end(expensiveBody(now.shape, now.bytes ?? EXPENSIVE_BYTES));
        return true;
      case "unauthorized":
        sendError(response, 401, "invalid_token");
        return true;
      case "forbidden":
        sendError(response, 403, "insufficient_scope");
        return true;
      case "rate_limited":
      case "token_rate_limited":
        limitHeaders(response, now.headers ?? "reset", now.seconds ?? 30);
        if (now.kind === "rate_limited" && now.isTruncated === true) {
          response.writeHead(429, { "Content-Type": "application/json", "Content-Length": 500 });
          response.write('{"error":', () => response.socket?.end());
        } else sendError(response, 429, "rate_limit_exceeded");
        return true;
      case "spent":
        limitHeaders(response, "reset", now.seconds ?? 30);
        return false;
      case "invalid_client":
        sendError(response, 400, "invalid_client");
        return true;
      default:
        return false;
    }
  }

  function limitHeaders(response: ServerResponse, headers: string, seconds: number): void {
    const nowSeconds = Math.floor(nowMs() / 1000);
    for (const name of ["Limit", "Remaining", "Reset"])
      response.removeHeader(`X-RateLimit-${name}`);
    if (headers === "retry_after") response.setHeader("Retry-After", seconds);
    const reset = { reset: nowSeconds + seconds, absurd: 4_102_444_800, past: 1 }[headers];
    if (reset === undefined) return;
    response.setHeader("X-RateLimit-Limit", limit);
    response.setHeader("X-RateLimit-Remaining", 0);
    response.setHeader("X-RateLimit-Reset", reset);
  }

  function token(request: IncomingMessage, form: URLSearchParams, now: Fault | null): Answer {
    if (request.method !== "POST") return refuse(405, "method_not_allowed");
    if (form.get("grant_type") !== "client_credentials")
      return refuse(400, "unsupported_grant_type");
    if (form.get("client_id") !== clientId || form.get("client_secret") !== clientSecret) {
      return refuse(400, "invalid_client");
    }
    const requested = form.get("scope")?.split(" ").filter(Boolean) ?? registered;
    if (!requested.every((scope) => (registered as readonly string[]).includes(scope))) {
      return refuse(400, "invalid_scope");
    }
    const granted =
      now?.kind === "narrow_scope"
        ? now.scopes
        : registered.filter((scope) => requested.includes(scope));
    const accessToken = `bearer-${randomBytes(12).toString("hex")}`;
    tokens.set(accessToken, new Set(granted));
    issued += 1;
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: now?.kind === "short_tokens" ? now.seconds : TOKEN_LIFETIME_SECONDS,
        scope: granted.join(" "),
      },
    };
  }

  function api(
    request: IncomingMessage,
    url: URL,
    path: string,
    bearer: string | null,
    now: Fault | null,
  ): Answer {
    const granted = bearer === null ? undefined : tokens.get(bearer);
    if (granted === undefined) return refuse(401, "invalid_token");
    const file = /^\/schedule_files\/(\d+)$/.exec(path)?.[1];
    const method = request.method ?? "";
    if (path === "/sync_status" && method === "GET") {
      if (!granted.has("read:sync_status")) return refuse(403, "insufficient_scope");
      const partner = url.searchParams.get("partner");
      if (partner !== null && partner.length > MAX_PARTNER_LENGTH)
        return refuse(400, "invalid_request");
      const wanted = rows.filter(
        (row) => partner === null || row.attributes.partner_name === partner,
      );
      const read = () => paged(wanted, url.searchParams, now);
      return options.cacheMs === undefined
        ? { status: 200, body: read() }
        : cached(url.search, options.cacheMs, read);
    }
    if (path === "/schedule_files" && method === "GET") {
      if (!granted.has("read:schedule_files")) return refuse(403, "insufficient_scope");
      return { status: 200, body: paged(files, url.searchParams, now) };
    }
    if (file === undefined) return refuse(404, "not_found");
    const found = files.find(({ id }) => id === Number(file));
    if (method === "GET") {
      if (!granted.has("read:schedule_files")) return refuse(403, "insufficient_scope");
      return found === undefined ? refuse(404, "not_found") : { status: 200, body: found };
    }
    if (method !== "DELETE") return refuse(405, "method_not_allowed");
    if (!granted.has("write:schedule_files")) return refuse(403, "insufficient_scope");
    if (found === undefined) return refuse(404, "not_found");
    files = files.filter(({ id }) => id !== found.id);
    return { status: 200, body: { deleted: true, id: found.id } };
  }

  /** The cached data, until it is too old. */
  function cached(query: string, lifetimeMs: number, read: () => object): Answer {
    const known = cache.get(query);
    if (known !== undefined && nowMs() - known.readMs < lifetimeMs) {
      return { status: 200, body: known.body, isCached: true };
    }
    const body = structuredClone(read());
    cache.set(query, { readMs: nowMs(), body });
    return { status: 200, body };
  }

  function paged(
    all: readonly { id: unknown }[],
    query: URLSearchParams,
    now: Fault | null,
  ): object {
    const page = clamp(query.get("page"), 1, MAX_PAGE);
    const perPage = clamp(query.get("per_page"), DEFAULT_PER_PAGE, MAX_PER_PAGE);
    const shift = now?.kind === "shifting_pages" ? page - 1 : 0;
    const start = (page - 1) * perPage - shift;
    const total = all.length + (now?.kind === "changing_total" ? faultHits : 0);
    const items = now?.kind === "more_than_asked" ? now.items : perPage;
    const data: unknown[] = all.slice(start, start + items);
    if (now?.kind === "duplicate_ids" && page > 1 && data.length > 0) data[0] = all[0];
    if (now?.kind === "empty_with_total") data.length = 0;
    if (now?.kind === "no_files") return { data: [], meta: meta(page, perPage, 0) };
    if (now?.kind === "wrong_types")
      return { data: data.map(withWrongType), meta: meta(page, perPage, total) };
    if (now?.kind === "unknown_values") {
      return {
        data: data.map(withUnknownValues),
        meta: { ...meta(page, perPage, total), next: null },
        links: {},
      };
    }
    if (now?.kind === "enormous_total")
      return { data, meta: meta(page, perPage, Number.MAX_SAFE_INTEGER) };
    return { data, meta: meta(page, perPage, total) };
  }

  async function deliver(
    response: ServerResponse,
    answer: Answer,
    now: Fault | null,
  ): Promise<void> {
    const body = Buffer.from(
      written(answer.status === 200 ? altered(answer.body, now) : answer.body),
    );
    if (now?.kind === "drip") {
      response.writeHead(answer.status, {
        "Content-Type": "application/json",
        "Content-Length": body.length,
      });
      for (const byte of body) {
        if (response.destroyed) return;
        response.write(Buffer.of(byte));
        await sleep(now.intervalMs ?? 100, undefined, { signal: ending.signal });
      }
      response.end();
    } else if (now?.kind === "truncated") {
      response.writeHead(answer.status, {
        "Content-Type": "application/json",
        "Content-Length": body.length,
      });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.end());
    } else if (now?.kind === "tiny_chunks") {
      await chop(response, now.blanks ?? 0, body);
    } else {
      response.writeHead(answer.status, { "Content-Type": "application/json" });
      response.end(body);
    }
  }

  return {
    baseUrl: `http://127.0.0.1:${port}${BASE_PATH}`,
    clientId,
    clientSecret,
    requests,
    redirected,
    tokensIssued: () => issued,
    files: () => files,
    setRows: (next) => void (rows = next),
    setFiles: (next) => void (files = next),
    setScopes: (next) => void (registered = next),
    async setFault(next, faultOptions = {}) {
      faultHits = 0;
      fault =
        next === null
          ? null
          : {
              what: next,
              options: faultOptions,
              after: faultOptions.after ?? 0,
              left: faultOptions.times ?? Number.POSITIVE_INFINITY,
            };
      if (next?.kind === "down") await stop(server);
      else if (!server.listening) await listen(server, port);
    },
    revokeTokens: () => tokens.clear(),
    async close() {
      ending.abort();
      await Promise.all([stop(server), stop(other)]);
    },
  };
}

type Answer = { status: number; body: object; isCached?: boolean };

const refuse = (status: number, error: string): Answer => ({
  status,
  body: { error, error_description: UPSTREAM_DESCRIPTION },
});

function sendError(response: ServerResponse, status: number, error: string): void {
  sendJson(response, status, refuse(status, error).body);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

const meta = (page: number, perPage: number, total: number) => ({
  page,
  per_page: perPage,
  total_count: total,
  total_pages: Math.ceil(total / perPage),
});

/** Both paging parameters start at 1; an invalid number counts as absent. */
function clamp(text: string | null, fallback: number, max: number): number {
  const value = text === null ? fallback : Number(text);
  return Number.isInteger(value) ? Math.min(Math.max(value, 1), max) : fallback;
}

function withWrongType(item: unknown): unknown {
  const row = item as Record<string, unknown>;
  return "attributes" in row
    ? { ...row, attributes: { ...(row["attributes"] as object), api_calls_last_24h: "many" } }
    : { ...row, id: "seven" };
}

function withUnknownValues(item: unknown): unknown {
  const row = item as Record<string, unknown>;
  return "attributes" in row
    ? {
        ...row,
        links: { self: "/somewhere" },
        attributes: {
          ...(row["attributes"] as object),
          status: "hibernating",
          last_sync_status: "half_done",
          colour: "green",
        },
      }
    : { ...row, file_type: "pdf", colour: "green" };
}

/** Sends whitespace and then a body, one byte at a time, as fast as the reader accepts. */
async function chop(response: ServerResponse, before: number, body: Buffer): Promise<void> {
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Transfer-Encoding": "chunked",
  });
  response.flushHeaders();
  const { socket } = response;
  if (socket === null) return;
  const at = (byte: number) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]);
  const many = Buffer.alloc(BLANKS_AT_ONCE * 6, at(0x20));
  const chunks = (function* () {
    for (let left = before; left > 0; left -= BLANKS_AT_ONCE) {
      yield left >= BLANKS_AT_ONCE ? many : many.subarray(0, left * 6);
    }
    for (const byte of body) yield at(byte);
  })();
  await pipeline(Readable.from(chunks), socket, { end: false }).catch(() => undefined);
  response.end();
}

/** An open JSON array followed by whitespace. */
function blanks(bytes: number): Readable {
  const chunk = Buffer.alloc(64 * 1024, " ");
  return Readable.from(
    (function* () {
      yield Buffer.from('{"data":[');
      for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
    })(),
  );
}

/** Streams a body as far as the reader accepts; these faults expect it to disconnect. */
async function pour(body: Readable, response: ServerResponse): Promise<void> {
  await pipeline(body, response).catch(() => undefined);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
