import { API_CACHE_MS } from "@/lib/domain/ledger";
import type { Clock } from "@/lib/server/clock";
import type { BudgetLane } from "@/lib/server/store/upstream/upstream-budget";
import type { ApiClock } from "./api-clock";
import { BookingLapsed, type Budget, type SpendingHow } from "./budget";
import type { Http, HttpAnswer, HttpFailure, HttpRequest } from "./http";
import { readAgeMs, readDateMs } from "./rate-limit";
import { isUpstreamFailure, UpstreamFailure } from "./upstream";
import type { RateLimit } from "@/lib/domain/sync";

/** What `onRequest` learns of each request sent. */
export type RequestReport = {
  /** `success`, or the reason of the failure. */
  outcome: "success" | UpstreamFailure["reason"];
  /** The upstream's host and port. */
  host: string;
  lane: BudgetLane;
  durationMs: number;
};

/** One request and its answer, judged. */
export type Exchange = <T>(request: {
  http: HttpRequest;
  lane: BudgetLane;
  /** Whether to wait when the budget is spent. */
  patient: boolean;
  /** How it waits for room and for others; see `Budget.spend`. */
  waiting?: SpendingHow;
  /**
   * Called when the request is booked and goes out next, and again when it had to be booked again; rejecting keeps it
   * from being sent, and is passed on as it is.
   */
  beforeSending?: () => Promise<void>;
  /** Makes the value of an answer that is neither 3xx, 429 nor 5xx; throws `UpstreamFailure` if it cannot. */
  read: (answer: HttpAnswer) => T;
}) => Promise<T>;

/**
 * Everything that happens with every request: budget, deadline, the API's clock, its rate limit, the
 * report, and the failures that mean the same whatever was asked.
 */
export function createExchange(options: {
  clock: Clock;
  budget: Budget;
  http: Http;
  apiClock: ApiClock;
  /** What an answer of the API said of its limit; null: nothing. */
  onRateLimit: (rateLimit: RateLimit | null) => void;
  /** A 429 came: nothing more of this kind is sent before `retryAtMs`, epoch milliseconds on our wall clock. */
  onLimited: (retryAtMs: number, of: "api" | "token") => void;
  onRequest: (report: RequestReport) => void;
  /** Nothing is sent once it aborts; what was sent is waited for. */
  closing?: AbortSignal | undefined;
}): Exchange {
  const { clock, budget, http, apiClock, closing } = options;

  async function settle(answer: HttpAnswer | HttpFailure, lane: BudgetLane): Promise<HttpAnswer> {
    if ("failed" in answer) {
      if (answer.failed === "not_allowed") throw new BookingLapsed("connecting");
      throw transportFailure({ ...answer, failed: answer.failed });
    }
    const { status, headers } = answer;
    const dateMs = readDateMs(headers);
    const sameDateMs =
      dateMs === null ? 0 : apiClock.observe(dateMs, answer.sentAtMs, answer.receivedAtMs);
    const ageMs = Math.max(readAgeMs(headers), sameDateMs);
    if (ageMs > API_CACHE_MS) {
      // It would show the state of then under the time of now, and its rate limit is over as well.
      throw new UpstreamFailure(
        "invalid_response",
        `a cache on the way gave an answer that is ${Math.round(ageMs / 1000)} s old`,
        { httpStatus: status },
      );
    }
    // The token endpoint counts in a window of its own.
    if (lane !== "token") options.onRateLimit(await budget.observe(headers));
    if (status === 429) {
      const of = lane === "token" ? "token" : "api";
      const retryAtMs = await budget.limited(headers, of);
      options.onLimited(retryAtMs, of);
      throw new UpstreamFailure("rate_limited", "the upstream answered 429", {
        httpStatus: status,
        retryAtMs,
        maybeExecuted: false,
      });
    }
    if (status >= 500) {
      throw new UpstreamFailure("unreachable", `the upstream answered ${status}`, {
        httpStatus: status,
        transient: true,
      });
    }
    if (status >= 300 && status < 400) {
      throw new UpstreamFailure("invalid_response", "the upstream redirects, which is refused", {
        httpStatus: status,
      });
    }
    return answer;
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
          // It was not sent.
          if (failure instanceof BookingLapsed) throw failure;
          report(isUpstreamFailure(failure) ? failure.reason : "invalid_response");
          throw failure;
        }
      },
      waiting,
    );
}

type Transported = HttpFailure & { failed: Exclude<HttpFailure["failed"], "not_allowed"> };

/** Said in the log only. */
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

function transportFailure({ failed, status, maybeReceived, cause }: Transported): UpstreamFailure {
  // Whatever becomes of the rest of a 5xx, it is a 5xx.
  const isServerError = status !== null && status >= 500;
  const [reason, message] = TRANSPORT_FAILURES[failed];
  return new UpstreamFailure(isServerError ? "unreachable" : reason, message, {
    ...(status === null ? {} : { httpStatus: status }),
    transient: failed === "down" || (isServerError && failed !== "timeout"),
    maybeExecuted: maybeReceived,
    cause,
  });
}
