import type { ErrorBody } from "@/lib/contracts/failure";
import { dateOf, TIMEOUT_MS } from "@/lib/client/api";
import type { BrowserTime } from "@/lib/client/clock";
import { isRecord } from "@/lib/client/snapshot";

/**
 * What a screen that nobody touches makes of an answer. Only refusals in our own error shape count as
 * ours: a proxy or a captive network that answers 401 or 404 is a failure like any other.
 */
export type WallAnswer<T> =
  /** `dateMs`: the server's clock when it answered, epoch milliseconds; null without a `Date` header. */
  | { kind: "ok"; value: T; dateMs: number | null }
  /** This screen has no credential (any more) that the server knows. */
  | { kind: "unpaired" }
  /**
   * The credential was revoked, its time is over, or displays are paused (it may show again); `sentence` says so in
   * the server's words.
   */
  | { kind: "ended"; sentence: string; isPaused: boolean }
  /** Not for this screen. */
  | { kind: "missing" }
  | { kind: "failed" };

const REFUSALS: Readonly<Record<number, { error: string; kind: "unpaired" | "missing" }>> = {
  401: { error: "unauthenticated", kind: "unpaired" },
  404: { error: "not_found", kind: "missing" },
};

export type WallFetch = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Asks one of our own addresses and always settles: what hangs is cut off after `TIMEOUT_MS`, also when the
 * browser's fetch ignores being aborted. Never throws and never navigates.
 * @param path below `/api`, beginning with `/`
 * @param body sent as JSON by POST; undefined reads
 */
export async function askWall<T>(
  { fetch, time }: { fetch: WallFetch; time: Pick<BrowserTime, "setTimer"> },
  path: string,
  isValid: (body: unknown) => body is T,
  body?: unknown,
): Promise<WallAnswer<T>> {
  const deadline = new AbortController();
  let stopTimer = () => {};
  const late = new Promise<WallAnswer<T>>((resolve) => {
    stopTimer = time.setTimer(() => {
      deadline.abort();
      resolve({ kind: "failed" });
    }, TIMEOUT_MS);
  });
  const answer = async (): Promise<WallAnswer<T>> => {
    const response = await fetch(`/api${path}`, {
      credentials: "same-origin",
      signal: deadline.signal,
      headers: { Accept: "application/json" },
      // A cached body is asked for with its ETag: an unchanged one costs a 304 and arrives as itself.
      cache: "no-cache",
      ...(body === undefined
        ? {}
        : {
            method: "POST",
            cache: "no-store",
            headers: { Accept: "application/json", "Content-Type": "application/json" },
            body: JSON.stringify(body),
          }),
    });
    const parsed: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) {
      return isValid(parsed)
        ? { kind: "ok", value: parsed, dateMs: dateOf(response) }
        : { kind: "failed" };
    }
    if (!isErrorBody(parsed)) return { kind: "failed" };
    const isPaused = response.status === 503 && parsed.error === "paused";
    if (isPaused || (response.status === 403 && parsed.error === "forbidden")) {
      return { kind: "ended", sentence: parsed.error_description, isPaused };
    }
    const refusal = REFUSALS[response.status];
    return refusal?.error === parsed.error ? { kind: refusal.kind } : { kind: "failed" };
  };
  try {
    return await Promise.race([answer().catch(() => ({ kind: "failed" }) as const), late]);
  } finally {
    stopTimer();
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    isRecord(body) &&
    typeof body["error"] === "string" &&
    typeof body["error_description"] === "string"
  );
}
