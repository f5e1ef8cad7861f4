import type { ErrorBody } from "@/lib/contracts/failure";
import { serverTimeOf, TIMEOUT_MS } from "@/lib/client/api";
import { stopwatch, type BrowserTime, type ServerTime } from "@/lib/client/clock";
import { isRecord } from "@/lib/client/snapshot";

/**
 * How an unattended screen interprets a response. Only errors in our own format are treated as ours: a 401 or 404 from
 * a proxy or a captive portal is an ordinary failure.
 */
export type WallResponse<T> =
  | { kind: "ok"; value: T; serverTime: ServerTime | null }
  /** This screen has no credential that the server knows. */
  | { kind: "unpaired" }
  /**
   * The credential was revoked or has expired, or displays are paused (it may be valid again later); `sentence` is the
   * server's message.
   */
  | { kind: "ended"; sentence: string; isPaused: boolean }
  /** Not visible to this screen. */
  | { kind: "missing" }
  | { kind: "failed" };

const REFUSALS: Readonly<Record<number, { error: string; kind: "unpaired" | "missing" }>> = {
  401: { error: "unauthenticated", kind: "unpaired" },
  404: { error: "not_found", kind: "missing" },
};

export type WallFetch = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Requests one of our own addresses; always resolves, because a hanging request is aborted after `TIMEOUT_MS`, even if
 * the browser's fetch ignores the abort. Never throws and never navigates.
 * @param path below `/api`, starting with `/`
 * @param body sent as JSON by POST; undefined reads
 */
export async function requestWall<T>(
  { fetch, time }: { fetch: WallFetch; time: BrowserTime },
  path: string,
  isValid: (body: unknown) => body is T,
  body?: unknown,
): Promise<WallResponse<T>> {
  const since = stopwatch(time);
  const deadline = new AbortController();
  let stopTimer = () => {};
  const late = new Promise<WallResponse<T>>((resolve) => {
    stopTimer = time.setTimer(() => {
      deadline.abort();
      resolve({ kind: "failed" });
    }, TIMEOUT_MS);
  });
  const requestOnce = async (): Promise<WallResponse<T>> => {
    const response = await fetch(`/api${path}`, {
      credentials: "same-origin",
      signal: deadline.signal,
      headers: { Accept: "application/json" },
      // Revalidates a cached body with its ETag: an unchanged one costs a 304.
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
        ? { kind: "ok", value: parsed, serverTime: serverTimeOf(response, since()) }
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
    return await Promise.race([requestOnce().catch(() => ({ kind: "failed" }) as const), late]);
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
