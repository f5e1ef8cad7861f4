import type { FailureCode } from "@/lib/contracts/failure";
import { typographic } from "@/lib/domain/text/typographic";
import { stopwatch, type ServerTime } from "./clock";
import { recordResponse } from "./session/session";

/** Details of a failed response. */
type FailureDetails = {
  retryAfterSeconds: number | null;
  code: string | null;
  description: string | null;
  body: unknown;
};

/** A failed request to our server; `status` is 0 if there was no response, or only a proxy's 401. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds until a retry can succeed; null if the response didn't say. */
  readonly retryAfterSeconds: number | null;
  /** A `FailureCode`; null if the response had none. */
  readonly code: string | null;
  /** The server's sentence about it, as pages show it; null if the response had none. */
  readonly description: string | null;
  /** Its JSON; null if the response had none. */
  readonly body: unknown;
  constructor(
    status: number,
    message: string,
    {
      retryAfterSeconds = null,
      code = null,
      description = null,
      body = null,
    }: Partial<FailureDetails> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.code = code;
    this.description = description;
    this.body = body;
  }
}

const UNAUTHENTICATED: FailureCode = "unauthenticated";

/** The status of a failed request; 0 if there was no response. */
export function statusOf(error: unknown): number {
  return error instanceof ApiError ? error.status : 0;
}

/**
 * `serverTime`: see `serverTimeOf`. `header`: a header by its name, also of a 304; null: absent.
 */
export type ApiResponse<T> = {
  value: T;
  serverTime: ServerTime | null;
  header: (name: string) => string | null;
};

/** Longer than the server's own timeout for its upstream; a hanging connection must not delay the next poll. */
export const TIMEOUT_MS = 10_000;

/**
 * Reads our own JSON. The browser's HTTP cache stores the last body and revalidates it with its ETag (`no-cache`), so
 * an unchanged response costs a 304 and has the same body.
 * @param path below `/api`, starting with `/`
 * @param isValid a basic check of the shape; the full contract is tested, not shipped
 * @throws ApiError; our own 401 also marks the page's session as over
 */
export async function get<T>(
  path: string,
  isValid: (body: unknown) => body is T,
  signal: AbortSignal,
): Promise<ApiResponse<T>> {
  return requestJson(path, { cache: "no-cache" }, isValid, signal);
}

/**
 * Sends a request to our server and checks the response.
 * @param path below `/api`, starting with `/`
 * @throws ApiError as `get` does
 */
export async function requestJson<T>(
  path: string,
  init: Pick<RequestInit, "method" | "cache" | "body"> & { headers?: Record<string, string> },
  isValid: (body: unknown) => body is T,
  signal?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<ApiResponse<T>> {
  const since = stopwatch();
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const response = await fetchResponse(path, init, deadline.signal);
    const body: unknown = response.status === 204 ? null : await response.json();
    if (!isValid(body)) throw new ApiError(0, `${path} answered in a shape we do not know`);
    return {
      value: body,
      serverTime: serverTimeOf(response, since()),
      header: (name) => response.headers.get(name),
    };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, `${path} did not answer`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * Sends a request to our server, and resolves at the beginning of its response.
 * @param path below `/api`, starting with `/`
 * @throws ApiError if the request failed; errors of `fetch`
 */
export async function fetchResponse(
  path: string,
  init: Pick<RequestInit, "method" | "cache" | "body"> & { headers?: Record<string, string> },
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    ...init,
    credentials: "same-origin",
    headers: { Accept: "application/json", ...init.headers },
    signal,
  });
  if (response.ok) {
    if (!isPage(response)) recordResponse(true, dateOf(response));
    return response;
  }
  const { status } = response;
  const error = await errorOf(response);
  // A proxy in front of Plumbline may respond 401 too, which says nothing about the session.
  const isForeign = status === 401 && error.code !== UNAUTHENTICATED;
  if (status === 401 && !isForeign) recordResponse(false, dateOf(response));
  throw new ApiError(isForeign ? 0 : status, `${path} answered ${status}`, {
    retryAfterSeconds: retryAfterOf(response),
    ...(isForeign ? {} : error),
  });
}

/** A proxy's sign-in page, which may come with status 200: no address below `/api` has a page. */
function isPage({ headers }: Response): boolean {
  return headers.get("content-type")?.includes("html") ?? false;
}

/**
 * The server's time now that a response has been read.
 * @param took since the request was sent, see `stopwatch`: the response may have arrived just then
 * @returns null without a `Date` header, and if that may be of any time ago: the machine slept meanwhile
 */
export function serverTimeOf(
  response: Response,
  took: { ms: number; isCertain: boolean },
): ServerTime | null {
  const ms = dateOf(response);
  return ms === null || !took.isCertain
    ? null
    : { earliestMs: ms, latestMs: ms + DATE_RESOLUTION_MS + took.ms };
}

/** A `Date` header has whole seconds. */
const DATE_RESOLUTION_MS = 1000;

/** The `Date` of a response, epoch milliseconds; null: it has none. */
function dateOf(response: Response): number | null {
  const ms = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(ms) ? null : ms;
}

async function errorOf(
  response: Response,
): Promise<Pick<FailureDetails, "code" | "description" | "body">> {
  const body: unknown = await response.json().catch(() => null);
  const fields = (typeof body === "object" ? body : null) as Record<string, unknown> | null;
  const textOf = (name: string) => (typeof fields?.[name] === "string" ? fields[name] : null);
  const said = textOf("error_description");
  return { code: textOf("error"), description: said === null ? null : typographic(said), body };
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after"));
  return seconds > 0 ? seconds : null;
}
