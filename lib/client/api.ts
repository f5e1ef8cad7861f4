import { ROUNDING_MS } from "./clock";
import { noteAnswer } from "./session/session";

/** What an answer said of its failure. */
type Said = { retryAfterSeconds: number | null; code: string | null };

/** A request of ours that did not bring an answer; `status` is 0 when there was none at all. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds after which asking again can succeed; null when the answer did not say. */
  readonly retryAfterSeconds: number | null;
  /** A `FailureCode`; null when the answer did not say. */
  readonly code: string | null;
  constructor(
    status: number,
    message: string,
    { retryAfterSeconds = null, code = null }: Partial<Said> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.code = code;
  }
}

/** The status of a failed request; 0 when there was no answer. */
export function statusOf(error: unknown): number {
  return error instanceof ApiError ? error.status : 0;
}

/** `dateMs`: the server's clock when it answered, epoch milliseconds; null without a `Date` header. */
export type Answer<T> = { value: T; dateMs: number | null };

/** Longer than the server's own limit for its upstream; a hanging line must not hold the rhythm up. */
export const TIMEOUT_MS = 10_000;

/**
 * Reads our own JSON. The browser's HTTP cache keeps the last body and asks with its ETag
 * (`no-cache`), so an unchanged answer costs a 304 and arrives here as the same body.
 * @param path below `/api`, beginning with `/`
 * @param isValid a light look at the shape; the contract itself is tested, not shipped
 * @throws ApiError; on 401 the page also learns that its session is over
 */
export async function get<T>(
  path: string,
  isValid: (body: unknown) => body is T,
  signal: AbortSignal,
): Promise<Answer<T>> {
  return ask(path, { cache: "no-cache" }, isValid, signal);
}

/**
 * Asks our server, and looks at what it answers.
 * @param path below `/api`, beginning with `/`
 * @throws ApiError as `get` does
 */
export async function ask<T>(
  path: string,
  init: Pick<RequestInit, "method" | "cache" | "body"> & { headers?: Record<string, string> },
  isValid: (body: unknown) => body is T,
  signal?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<Answer<T>> {
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const response = await fetch(`/api${path}`, {
      ...init,
      credentials: "same-origin",
      headers: { Accept: "application/json", ...init.headers },
      signal: deadline.signal,
    });
    if (response.ok || response.status === 401) noteAnswer(response.ok, dateOf(response));
    if (!response.ok) {
      throw new ApiError(response.status, `${path} answered ${response.status}`, {
        retryAfterSeconds: retryAfterOf(response),
        code: await codeOf(response),
      });
    }
    const body: unknown = response.status === 204 ? null : await response.json();
    if (!isValid(body)) throw new ApiError(0, `${path} answered in a shape we do not know`);
    return { value: body, dateMs: dateOf(response) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, `${path} did not answer`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * The server's clock when it answered, epoch milliseconds, give or take `ROUNDING_MS`; null without a `Date`
 * header, which is whole seconds.
 */
export function dateOf(response: Response): number | null {
  const ms = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(ms) ? null : ms + ROUNDING_MS;
}

async function codeOf(response: Response): Promise<string | null> {
  const body: unknown = await response.json().catch(() => null);
  const code = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  return typeof code === "string" ? code : null;
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after"));
  return seconds > 0 ? seconds : null;
}
