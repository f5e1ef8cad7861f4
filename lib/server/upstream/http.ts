import type { LookupFunction } from "node:net";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Agent, Pool, ProxyAgent, request, type Dispatcher } from "undici";
import type { Clock } from "@/lib/server/clock";
import type { Proxy } from "./proxy";
import type { Headers } from "./rate-limit";

/** What keeps a misbehaving upstream from holding or filling us. Tests make them smaller. */
export type HttpLimits = {
  /** For a connection; through a proxy for one to it, for its answer, and for the connection through it. */
  connectMs: number;
  /** From the call to the last byte of the body, connecting included. */
  wholeMs: number;
  /** Decoded. */
  bodyBytes: number;
};

export const HTTP_LIMITS: HttpLimits = {
  connectMs: 2_000,
  wholeMs: 8_000,
  bodyBytes: 8 * 1024 * 1024,
};

/** Most answers fit into this; larger ones double it. */
const FIRST_BODY_BYTES = 64 * 1024;
/** Each costs half a microsecond, and hundreds of thousands of one byte may come at once. */
const MOST_PIECES = 16_384;

export type HttpRequest = {
  method: "GET" | "POST" | "DELETE";
  url: URL;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
  /** Asked when there is a connection, right before anything is written to it; false: nothing is. */
  mayBeSent?: () => boolean;
};

export type HttpAnswer = {
  status: number;
  headers: Headers;
  /** Decoded, at most `bodyBytes`. */
  body: Buffer;
  /** On our monotonic clock. */
  sentAtMs: number;
  /** When the headers had come, on our monotonic clock. */
  receivedAtMs: number;
};

/**
 * Why there is no answer.
 * `down`: no connection or a broken one, worth a retry. `timeout`: not worth one. `proxy`: the proxy did not
 * connect us. `truncated`: the body ended early. `too_large`, `undecodable`: we stopped reading. `not_allowed`: see
 * `HttpRequest.mayBeSent`.
 */
export type HttpFailure = {
  failed: "down" | "timeout" | "proxy" | "truncated" | "too_large" | "undecodable" | "not_allowed";
  /** When the headers had come. */
  status: number | null;
  /** Whether the request may have reached the upstream; false: there never was a connection. */
  maybeReceived: boolean;
  /** For the log. */
  cause: unknown;
};

export type Http = {
  /** Sends once: follows no redirect, keeps no cookie, repeats nothing. Never rejects. */
  send(request: HttpRequest): Promise<HttpAnswer | HttpFailure>;
};

/**
 * HTTP with a deadline over the whole exchange and a ceiling over the decoded body.
 * The deadline is on real time, not on the injected clock: it guards sockets, which know no other.
 * @param options.proxy what all requests go through; null: nothing
 * @param options.signal ends all requests, as failures
 * @param options.lookup finds the addresses of a name, and may refuse them; unless there is a proxy, which finds them
 */
export function createHttp(
  limits: HttpLimits,
  clock: Clock,
  {
    proxy = null,
    signal,
    lookup,
  }: { proxy?: Proxy | null; signal?: AbortSignal; lookup?: LookupFunction } = {},
): Http {
  const agent = createAgent(limits, proxy, lookup);
  signal?.addEventListener("abort", () => void agent.destroy(), { once: true });

  return {
    async send({ method, url, headers, body, mayBeSent }) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), limits.wholeMs);
      const sentAtMs = clock.monotonicMs();
      let status: number | null = null;
      try {
        const response = await request(url, {
          dispatcher: mayBeSent === undefined ? agent : agent.compose(askingFirst(mayBeSent)),
          method,
          headers: { "accept-encoding": "gzip", ...headers },
          body: body ?? null,
          signal: deadline.signal,
        });
        status = response.statusCode;
        const receivedAtMs = clock.monotonicMs();
        const bytes = await readBody(response, limits.bodyBytes);
        return { status, headers: response.headers, body: bytes, sentAtMs, receivedAtMs };
      } catch (cause) {
        if (cause instanceof NotAllowed) {
          return { failed: "not_allowed", status, maybeReceived: false, cause };
        }
        const maybeReceived = !isWithoutConnection(cause);
        if (deadline.signal.aborted || signal?.aborted === true) {
          return { failed: "timeout", status, maybeReceived, cause };
        }
        return { failed: classify(cause, status !== null), status, maybeReceived, cause };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Nothing was written, because that was not allowed any more. */
class NotAllowed extends Error {
  override readonly name = "NotAllowed";
}

/** Asks whether a request may be sent when undici is about to write it: it may have waited for a connection. */
function askingFirst(mayBeSent: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (mayBeSent()) handler.onRequestStart?.(controller, context);
        else controller.abort(new NotAllowed("it was too late to send the request"));
      },
      onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
      onResponseStart: (...all) => handler.onResponseStart?.(...all),
      onResponseData: (...all) => handler.onResponseData?.(...all),
      onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
      onResponseError: (...all) => handler.onResponseError?.(...all),
    });
}

function createAgent(
  { connectMs }: HttpLimits,
  proxy: Proxy | null,
  lookup: LookupFunction | undefined,
): Dispatcher {
  const common = {
    connections: 8,
    pipelining: 1,
    // One deadline for all of it is the caller's: these start anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const timed = { timeout: connectMs };
  if (proxy === null)
    return new Agent({ ...common, connect: { ...timed, ...(lookup && { lookup }) } });
  return new ProxyAgent({
    ...common,
    uri: proxy.origin,
    ...(proxy.authorization !== null && { token: proxy.authorization }),
    proxyTls: timed,
    requestTls: timed,
    clientFactory(origin, options) {
      // One that never answers would be waited for by all requests after it.
      const pool = new Pool(origin, { ...options, headersTimeout: connectMs });
      const dial = pool.connect.bind(pool);
      return Object.assign(pool, {
        async connect(to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
          const data = await dial(to).catch((cause: unknown) => {
            throw new ProxyFailure("the proxy gave no connection", { cause });
          });
          if (data.statusCode === 200) return data;
          data.socket.on("error", () => {}).destroy();
          throw new ProxyFailure(`the proxy answered ${data.statusCode}`);
        },
      });
    },
  });
}

/** There is no connection through the proxy. Undici would dial again and again for a socket's own errors. */
class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
}

class BodyRefused extends Error {
  readonly why: "too_large" | "undecodable";

  constructor(why: "too_large" | "undecodable", message: string) {
    super(message);
    this.name = "BodyRefused";
    this.why = why;
  }
}

/** The decoded body, read no further than `limitBytes`: a bomb is stopped while it unfolds. */
async function readBody(response: Dispatcher.ResponseData, limitBytes: number): Promise<Buffer> {
  const { body, headers } = response;
  const encoding = String(headers["content-encoding"] ?? "identity").toLowerCase();
  let whole = Buffer.allocUnsafe(Math.min(FIRST_BODY_BYTES, limitBytes));
  let length = 0;
  let pieces = 0;
  let refused: BodyRefused | null = null;
  const sink = new Writable({
    write(piece: Buffer, _encoding, done) {
      if (length + piece.length > limitBytes) {
        refused = new BodyRefused("too_large", `the body is larger than ${limitBytes} bytes`);
        done(refused);
        return;
      }
      // Copied, not kept: a piece of one byte is an object of a hundred that holds on to all that came with it.
      whole = withRoomFor(whole, length, length + piece.length, limitBytes);
      length += piece.copy(whole, length);
      done();
    },
  });
  if (encoding !== "identity" && encoding !== "gzip" && encoding !== "x-gzip") {
    body.destroy();
    throw new BodyRefused("undecodable", "the body has an encoding that was not asked for");
  }
  body.on("data", () => {
    pieces += 1;
    if (pieces <= MOST_PIECES) return;
    refused ??= new BodyRefused("undecodable", "the body comes in too many pieces");
    body.destroy(refused);
  });
  try {
    if (encoding === "identity") await pipeline(body, sink);
    else await pipeline(body, createGunzip(), sink);
  } catch (cause) {
    // Which of the streams that break off first is told is a matter of luck.
    throw refused ?? cause;
  }
  return whole.subarray(0, length);
}

/** `bytes` itself, or a larger copy of the first `used` of them. */
function withRoomFor(
  bytes: Buffer<ArrayBuffer>,
  used: number,
  needed: number,
  limitBytes: number,
): Buffer<ArrayBuffer> {
  if (needed <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafe(Math.min(limitBytes, Math.max(needed, 2 * bytes.length)));
  bytes.copy(larger, 0, 0, used);
  return larger;
}

function classify(cause: unknown, inBody: boolean): HttpFailure["failed"] {
  if (cause instanceof BodyRefused) return cause.why;
  if (cause instanceof ProxyFailure) {
    // Only a proxy has a time of its own to answer in, see `createAgent`.
    if (codeOf(cause.cause) === "UND_ERR_HEADERS_TIMEOUT") return "timeout";
    return cause.cause === undefined ? "proxy" : classify(cause.cause, false);
  }
  const code = codeOf(cause);
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "timeout";
  if (code.startsWith("Z_")) return code === "Z_BUF_ERROR" ? "truncated" : "undecodable";
  if (code.startsWith("HPE_")) return "undecodable";
  // An orderly end in the middle of a body is a short answer; a reset is a broken connection.
  if (inBody && code !== "ECONNRESET") return "truncated";
  return "down";
}

/** Whether connecting itself failed. The same codes may come from a connection that stood until then. */
function isWithoutConnection(cause: unknown): boolean {
  const code = codeOf(cause);
  if (code === "ECONNREFUSED" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
  if (cause instanceof ProxyFailure) return true;
  const syscall = cause instanceof Error && "syscall" in cause ? cause.syscall : null;
  return syscall === "connect" || syscall === "getaddrinfo";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
