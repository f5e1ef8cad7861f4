import { API_CACHE_MS } from "@/lib/domain/ledger";
import type { Clock } from "@/lib/server/clock";
import type { BudgetLane } from "@/lib/server/store/upstream/upstream-budget";
import type { ApiClock } from "./api-clock";
import type { Budget } from "./budget";
import { BookingLapsed, type SpendingHow } from "./spend";
import type { Http, HttpAnswer, HttpFailure, HttpRequest } from "./http";
import { readAgeMs, readDateMs, unavailableForMs, type Headers } from "./rate-limit";
import { isUpstreamFailure, UpstreamFailure } from "./upstream";
import type { RateLimit } from "@/lib/domain/sync";

/** Passed to `onRequest` for each request sent. */
export type RequestReport = {
  /** `success`, or the reason of the failure. */
  outcome: "success" | UpstreamFailure["reason"];
  /** The upstream's host and port. */
  host: string;
  lane: BudgetLane;
  durationMs: number;
};

/** Sends one request and judges its response. */
export type Exchange = <T>(request: {
  http: HttpRequest;
  lane: BudgetLane;
  /** Whether to wait when the budget is used up. */
  patient: boolean;
  /** How to wait for room and for others; see `Budget.spend`. */
  waiting?: SpendingHow;
  /**
   * Called after reserving, just before sending, and again after a repeated reservation; a rejection prevents
   * sending and is passed through.
   */
  beforeSending?: () => Promise<void>;
  /** Reads a response that is neither 3xx, 429 nor 5xx; throws `UpstreamFailure` if it can't. */
  read: (answer: HttpAnswer) => T;
}) => Promise<T>;

/**
 * Common handling of every request: budget, deadline, API clock, rate limit, reporting, and failures that don't
 * depend on the request.
 */
export function createExchange(options: {
  clock: Clock;
  budget: Budget;
  http: Http;
  apiClock: ApiClock;
  /** Called with the rate limit in an API response; null: none. */
  onRateLimit: (rateLimit: RateLimit | null) => void;
  /**
   * Called on a 429: nothing more of this kind is sent before `retryAtMs`, epoch milliseconds on our wall
   * clock.
   */
  onLimited: (retryAtMs: number, of: "api" | "token") => void;
  onRequest: (report: RequestReport) => void;
  /** Once aborted, nothing more is sent; requests in flight complete. */
  closing?: AbortSignal | undefined;
}): Exchange {
  const { clock, budget, http, apiClock, closing } = options;

  async function settle(answer: HttpAnswer | HttpFailure, lane: BudgetLane): Promise<HttpAnswer> {
    if ("failed" in answer) {
      if (answer.failed === "not_allowed") throw new BookingLapsed("connecting");
      // It counts even if reading its body fails.
      if (answer.status === 429) throw await limited(answer.headers ?? {}, lane);
      const { status, headers = {} } = answer;
      throw transportFailure({ ...answer, failed: answer.failed }, askedRetryMs(status, headers));
    }
    const { status, headers } = answer;
    const statedAgeMs = readAgeMs(headers);
    // Of an answer that is too old nothing is believed: some caches renew its `Date`, and keep its `Age`.
    const dateMs = statedAgeMs > API_CACHE_MS ? null : readDateMs(headers);
    const sameDateMs =
      dateMs === null ? 0 : apiClock.observe(dateMs, answer.sentAtMs, answer.receivedAtMs);
    const ageMs = Math.max(statedAgeMs, sameDateMs);
    if (ageMs > API_CACHE_MS) {
      // It would present an old state as current, and its rate limit is outdated too.
      throw new UpstreamFailure(
        "invalid_response",
        `a cache on the way gave an answer that is ${Math.round(ageMs / 1000)} s old`,
        { httpStatus: status },
      );
    }
    // The token endpoint has a separate rate limit window.
    if (lane !== "token") options.onRateLimit(await budget.observe(headers));
    if (status === 429) throw await limited(headers, lane);
    if (status >= 500) {
      throw new UpstreamFailure("unreachable", `the upstream answered ${status}`, {
        httpStatus: status,
        ...retryOf(askedRetryMs(status, headers), true),
      });
    }
    if (status >= 300 && status < 400) {
      throw new UpstreamFailure("invalid_response", "the upstream redirects, which is refused", {
        httpStatus: status,
      });
    }
    return answer;
  }

  /** When a 503 wants the next request, epoch milliseconds on our clock; null: it doesn't say. */
  function askedRetryMs(status: number | null, headers: Headers): number | null {
    const waitMs = status === 503 ? unavailableForMs(headers, clock.nowMs()) : null;
    return waitMs === null ? null : clock.nowMs() + waitMs;
  }

  /** Records a 429. */
  async function limited(headers: Headers, lane: BudgetLane): Promise<UpstreamFailure> {
    const of = lane === "token" ? "token" : "api";
    const retryAtMs = await budget.limited(headers, of);
    options.onLimited(retryAtMs, of);
    return new UpstreamFailure("rate_limited", "the upstream answered 429", {
      httpStatus: 429,
      retryAtMs,
      maybeExecuted: false,
    });
  }

  function refuseOnceClosed(): void {
    if (closing?.aborted !== true) return;
    throw new UpstreamFailure("unreachable", "the connection was changed or removed", {
      isOurs: true,
      maybeExecuted: false,
    });
  }

  return ({ http: request, lane, patient, waiting, beforeSending, read }) =>
    budget.spend(
      lane,
      patient,
      async (booking) => {
        refuseOnceClosed();
        await beforeSending?.();
        refuseOnceClosed();
        if (!booking.holds()) throw new BookingLapsed("booking");
        const startMs = clock.monotonicMs();
        const report = (outcome: RequestReport["outcome"]) =>
          options.onRequest({
            outcome,
            host: request.url.host,
            lane,
            durationMs: clock.monotonicMs() - startMs,
          });
        try {
          const answer = await http.send({ ...request, mayBeSent: booking.holds });
          const value = read(await settle(answer, lane));
          report("success");
          return value;
        } catch (failure) {
          // It wasn't sent.
          if (failure instanceof BookingLapsed) throw failure;
          report(isUpstreamFailure(failure) ? failure.reason : "invalid_response");
          throw failure;
        }
      },
      waiting,
    );
}

/** @param askedMs see `askedRetryMs`; an immediate retry would come too early */
const retryOf = (askedMs: number | null, isTransient: boolean) =>
  askedMs === null ? { transient: isTransient } : { transient: false, retryAtMs: askedMs };

type Transported = HttpFailure & { failed: Exclude<HttpFailure["failed"], "not_allowed"> };

/** Only for logs. */
const TRANSPORT_FAILURES: Readonly<
  Record<Transported["failed"], readonly [reason: UpstreamFailure["reason"], message: string]>
> = {
  down: ["unreachable", "no connection to the upstream, or a broken one"],
  timeout: ["unreachable", "the upstream took too long"],
  proxy: ["unreachable", "the proxy refused the connection"],
  truncated: ["invalid_response", "the answer ended in the middle of its body"],
  too_large: ["invalid_response", "the answer is too large"],
  undecodable: ["invalid_response", "the answer cannot be decoded"],
};

function transportFailure(
  { failed, status, maybeReceived, cause }: Transported,
  askedMs: number | null,
): UpstreamFailure {
  // A 5xx counts as such even if reading its body fails.
  const isServerError = status !== null && status >= 500;
  const [reason, message] = TRANSPORT_FAILURES[failed];
  return new UpstreamFailure(isServerError ? "unreachable" : reason, message, {
    ...(status === null ? {} : { httpStatus: status }),
    ...retryOf(askedMs, failed === "down" || (isServerError && failed !== "timeout")),
    maybeExecuted: maybeReceived,
    cause,
  });
}
