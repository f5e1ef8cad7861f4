import type { LookupFunction } from "node:net";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { TLSSocket } from "node:tls";
import { Agent, buildConnector, Pool, ProxyAgent, request, type Dispatcher } from "undici";
import type { Clock } from "@/lib/server/clock";
import type { Proxy } from "./proxy";
import type { Headers } from "./rate-limit";

/** Limits against a misbehaving upstream. Lower in tests. */
export type HttpLimits = {
  /**
   * For connecting; with a proxy, separately for connecting to it, its response, and the connection through it.
   */
  connectMs: number;
  /** From the call to the last byte of the body, including connecting. */
  wholeMs: number;
  /** Decoded. */
  bodyBytes: number;
};

export const HTTP_LIMITS: HttpLimits = {
  connectMs: 2_000,
  wholeMs: 8_000,
  bodyBytes: 8 * 1024 * 1024,
};

/** Fits most responses; doubled for larger ones. */
const FIRST_BODY_BYTES = 64 * 1024;
/** Each costs half a microsecond, and hundreds of thousands of one byte may arrive at once. */
const MAX_PIECES = 16_384;

export type HttpRequest = {
  method: "GET" | "POST" | "DELETE";
  url: URL;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
  /** Called once connected, right before anything is written; false: nothing is sent. */
  mayBeSent?: () => boolean;
};

export type HttpAnswer = {
  status: number;
  headers: Headers;
  /** Decoded, at most `bodyBytes`. */
  body: Buffer;
  /** On our monotonic clock. */
  sentAtMs: number;
  /** When the headers had arrived, on our monotonic clock. */
  receivedAtMs: number;
};

/**
 * Why there is no response. `down`: no connection or a broken one, worth a retry. `timeout`: not worth one.
 * `proxy`: the proxy refused to connect. `truncated`: the body ended early. `too_large`, `undecodable`: reading
 * was stopped. `not_allowed`: see `HttpRequest.mayBeSent`.
 */
export type HttpFailure = {
  failed: "down" | "timeout" | "proxy" | "truncated" | "too_large" | "undecodable" | "not_allowed";
  /** Set if the headers had arrived. */
  status: number | null;
  /** Same. */
  headers?: Headers;
  /** Whether the request may have reached the upstream; false: it was never connected. */
  maybeReceived: boolean;
  /** For logs. */
  cause: unknown;
};

export type Http = {
  /** Sends once, without redirects, cookies or retries. Never rejects. */
  send(request: HttpRequest): Promise<HttpAnswer | HttpFailure>;
};

/** How connections are opened. */
type Connecting = {
  /** Resolves host names, and may reject addresses; unused with a proxy, which resolves them. */
  lookup?: LookupFunction;
  /** Called with the end of a certificate's validity, epoch milliseconds; never with a proxy. */
  onCertificate?: (validUntilMs: number) => void;
};

/**
 * HTTP with a deadline for the whole exchange and a limit on the decoded body. The deadline is in real time
 * rather than on the injected clock, because it guards sockets.
 * @param options.proxy proxy for all requests; null: none
 * @param options.signal aborts all requests, as failures
 */
export function createHttp(
  limits: HttpLimits,
  clock: Clock,
  {
    proxy = null,
    signal,
    ...connecting
  }: { proxy?: Proxy | null; signal?: AbortSignal } & Connecting = {},
): Http {
  const agent = createDispatcher(limits, proxy, connecting);
  const dispatcher = agent.compose(askingFirst);
  signal?.addEventListener("abort", () => void agent.destroy(), { once: true });

  return {
    async send({ method, url, headers, body, mayBeSent }) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), limits.wholeMs);
      const sentAtMs = clock.monotonicMs();
      let arrived: { status: number | null; headers?: Headers } = { status: null };
      try {
        const asking: Asking = { mayBeSent };
        const response = await request(url, {
          dispatcher,
          method,
          headers: { "accept-encoding": "gzip", ...headers },
          body: body ?? null,
          signal: deadline.signal,
          ...asking,
        });
        const { statusCode: status, headers: given } = response;
        arrived = { status, headers: given };
        const receivedAtMs = clock.monotonicMs();
        const bytes = await readBody(response, limits.bodyBytes);
        return { status, headers: given, body: bytes, sentAtMs, receivedAtMs };
      } catch (cause) {
        if (cause instanceof NotAllowed) {
          return { failed: "not_allowed", ...arrived, maybeReceived: false, cause };
        }
        const maybeReceived = !isWithoutConnection(cause);
        if (deadline.signal.aborted || signal?.aborted === true) {
          return { failed: "timeout", ...arrived, maybeReceived, cause };
        }
        const failed = classify(cause, arrived.status !== null);
        return { failed, ...arrived, maybeReceived, cause };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Nothing was written, because sending was no longer allowed. */
class NotAllowed extends Error {
  override readonly name = "NotAllowed";
}

/** Our option of a request: undici passes on those that it doesn't know. */
type Asking = { mayBeSent: (() => boolean) | undefined };

/** Checks `mayBeSent` when undici is about to write the request, which may have waited for a connection. */
const askingFirst: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { mayBeSent } = options as Partial<Asking>;
  if (mayBeSent === undefined) return dispatch(options, handler);
  return dispatch(options, {
    ...forwarding(handler),
    onRequestStart(controller, context) {
      if (mayBeSent()) handler.onRequestStart?.(controller, context);
      else controller.abort(new NotAllowed("it was too late to send the request"));
    },
  });
};

/** A handler that does the same, for interceptors to replace parts of. */
export function forwarding(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...all) => handler.onRequestStart?.(...all),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart: (...all) => handler.onResponseStart?.(...all),
    onResponseData: (...all) => handler.onResponseData?.(...all),
    onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
    onResponseError: (...all) => handler.onResponseError?.(...all),
  };
}

/** Opens connections with a deadline, through the proxy if there is one. What is sent on them has no deadline. */
export function createDispatcher(
  { connectMs }: Pick<HttpLimits, "connectMs">,
  proxy: Proxy | null,
  connecting: Connecting,
): Dispatcher {
  const common = {
    connections: 8,
    pipelining: 1,
    // The caller has one deadline for the whole exchange; these would restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const timed = { timeout: connectMs };
  if (proxy === null) return new Agent({ ...common, connect: connector(connectMs, connecting) });
  return new ProxyAgent({
    ...common,
    uri: proxy.origin,
    ...(proxy.authorization !== null && { token: proxy.authorization }),
    proxyTls: timed,
    requestTls: timed,
    clientFactory(origin, options) {
      // A proxy that never responds would block all later requests.
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

function connector(timeout: number, { lookup, onCertificate }: Connecting) {
  const connect = buildConnector({ timeout, ...(lookup && { lookup }) });
  if (onCertificate === undefined) return connect;
  const noting: buildConnector.connector = (options, done) => {
    connect(options, (...result) => {
      const [, socket] = result;
      const validUntilMs =
        socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
      if (!Number.isNaN(validUntilMs)) onCertificate(validUntilMs);
      done(...result);
    });
  };
  return noting;
}

/** No connection through the proxy. For a socket error, undici would keep reconnecting. */
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

/** Reads the decoded body up to `limitBytes`, which stops a decompression bomb while it expands. */
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
      // Copied rather than referenced: a one-byte chunk is an object of a hundred bytes that also retains its
      // whole slab.
      whole = withRoomFor(whole, length, length + piece.length, limitBytes);
      length += piece.copy(whole, length);
      done();
    },
  });
  if (encoding !== "identity" && encoding !== "gzip" && encoding !== "x-gzip") {
    // Without a listener, the error of aborting it would be uncaught.
    body.on("error", () => {}).destroy();
    throw new BodyRefused("undecodable", "the body has an encoding that wasn't requested");
  }
  body.on("data", () => {
    pieces += 1;
    if (pieces <= MAX_PIECES) return;
    refused ??= new BodyRefused("undecodable", "the body comes in too many chunks");
    body.destroy(refused);
  });
  try {
    if (encoding === "identity") await pipeline(body, sink);
    else await pipeline(body, createGunzip(), sink);
  } catch (cause) {
    // Which of the broken streams reports first isn't deterministic.
    throw refused ?? cause;
  }
  return whole.subarray(0, length);
}

/** `bytes` itself, or a larger copy of its first `used` bytes. */
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
    // Only a proxy has a separate response timeout, see `createDispatcher`.
    if (codeOf(cause.cause) === "UND_ERR_HEADERS_TIMEOUT") return "timeout";
    return cause.cause === undefined ? "proxy" : classify(cause.cause, false);
  }
  const code = codeOf(cause);
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "timeout";
  if (code.startsWith("Z_")) return code === "Z_BUF_ERROR" ? "truncated" : "undecodable";
  if (code.startsWith("HPE_")) return "undecodable";
  // A clean end in the middle of a body is a truncated response; a reset is a broken connection.
  if (inBody && code !== "ECONNRESET") return "truncated";
  return "down";
}

/** Whether connecting failed. Established connections can fail with the same codes. */
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
