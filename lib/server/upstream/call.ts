import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { ApiClock } from "./api-clock";
import type { Exchange } from "./exchange";
import type { HttpAnswer } from "./http";
import type { KeyedMutex } from "./keyed-mutex";
import { readError } from "./read-json";
import { redact } from "./redact";
import type { Tokens } from "./token";
import {
  isUpstreamFailure,
  UpstreamFailure,
  type Answer,
  type Connection,
  type Lane,
} from "./upstream";

/** One API request, and how to read its response. */
export type Call<T> = {
  method: "GET" | "DELETE";
  path: string;
  query?: Record<string, string>;
  scope: Scope;
  lane: Lane;
  read: (answer: HttpAnswer) => T;
  /** Lower ranks go first among waiters of the lane. */
  rank?: () => number;
  /** See `Upstream.getSyncStatus`. */
  onFirstFailure?: (failure: UpstreamFailure) => void;
  /** See `Upstream.deleteScheduleFile`. */
  beforeSending?: (() => Promise<void>) | undefined;
  onLongWait?: ((failure: UpstreamFailure) => void) | undefined;
};

/** Full jitter: the single retry follows after a delay between zero and this. */
const LONGEST_RETRY_DELAY_MS = 2_000;
/**
 * With a shorter interval the next poll is the retry; another request would only use up the budget of polls.
 */
const MIN_POLL_SECONDS_TO_RETRY = 5;
const PATHS_REMEMBERED = 100;

/**
 * Sends a company's requests with its token: `attempt` sends once, `get` retries once where that may help.
 * @param options.random returns a number in [0, 1)
 * @param options.pollSeconds normal poll interval
 */
export function createCaller(options: {
  connection: Connection;
  clock: Clock;
  random: () => number;
  log: Pick<Logger, "warn">;
  signal: AbortSignal | undefined;
  pollSeconds: number;
  exchange: Exchange;
  tokens: Tokens;
  apiClock: ApiClock;
  runExclusively: KeyedMutex;
}) {
  const { connection, clock, random, log, signal, pollSeconds } = options;
  const { exchange, tokens, apiClock, runExclusively } = options;
  /** How the last request of a path was refused. */
  const refusals = new LRUCache<string, string>({ max: PATHS_REMEMBERED });

  /** Sends with a token; a 401 gets one new token and one replay. */
  async function attempt<T>(call: Call<T>): Promise<Answer<T>> {
    const url = new URL(`${connection.baseUrl}${call.path}`);
    url.search = new URLSearchParams(call.query).toString();
    const onLongWait = call.onLongWait ?? call.onFirstFailure;
    const send = (bearer: string) =>
      exchange({
        http: {
          method: call.method,
          url,
          headers: {
            accept: "application/json",
            authorization: `Bearer ${bearer}`,
            // Makes intermediate caches revalidate; those that don't are detected by `Age`, see
            // `createExchange`.
            "cache-control": "no-cache",
          },
        },
        lane: call.lane,
        patient: call.lane !== "people" || call.onLongWait !== undefined,
        waiting: {
          exclusively: (run) => runExclusively(call.path, run),
          onLongWait,
          rank: call.rank,
        },
        ...(call.beforeSending && { beforeSending: call.beforeSending }),
        read: (answer) => {
          refuseErrors(answer, call.method, call.path, [bearer]);
          return call.read(answer);
        },
      });
    const token = await tokens.get(call.scope, call.lane, onLongWait).catch(notExecuted);
    try {
      const value = await send(token.value).catch(async (failure: unknown) => {
        if (!hasStatus(failure, 401)) throw failure;
        const successor = await tokens.replace(token, call.scope, call.lane).catch(notExecuted);
        if (successor === null) throw failure;
        return send(successor.value).catch((second: unknown) => {
          if (hasStatus(second, 401)) tokens.refusedAgain(call.scope);
          throw second;
        });
      });
      return { value, apiClockOffsetMs: apiClock.offsetMs() };
    } catch (failure) {
      if (hasStatus(failure, 403)) tokens.markGrantsStale();
      throw failure;
    }
  }

  async function get<T>(call: Omit<Call<T>, "method">): Promise<Answer<T>> {
    const isQuickPoll = call.lane !== "people" && pollSeconds < MIN_POLL_SECONDS_TO_RETRY;
    try {
      return await attempt({ ...call, method: "GET" });
    } catch (failure) {
      if (!isUpstreamFailure(failure) || !failure.transient || isQuickPoll) throw failure;
      call.onFirstFailure?.(failure);
      await clock.sleep(random() * LONGEST_RETRY_DELAY_MS, signal).catch(() => {
        throw failure;
      });
      return attempt({ ...call, method: "GET" });
    }
  }

  /** Handles 4xx with a common meaning; 404 and 410 are left to the reader. */
  function refuseErrors(
    { status, body }: HttpAnswer,
    method: string,
    path: string,
    secrets: string[],
  ): void {
    const request = `${method} ${path}`;
    if (status < 400 || status === 404 || status === 410) {
      refusals.delete(request);
      return;
    }
    const { error, description } = readError(body);
    const kind = `${status} ${error}`;
    // Only the first of its kind: polls repeat it.
    if (refusals.get(request) !== kind) {
      const all = [connection.clientSecret, ...secrets];
      log.warn(
        {
          company: connection.company,
          method,
          path,
          httpStatus: status,
          error: redact(error, all),
          description: redact(description, all),
        },
        "the upstream refused a request",
      );
    }
    refusals.set(request, kind);
    const reason =
      status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "invalid_response";
    throw new UpstreamFailure(reason, `${method} ${path} was answered ${status}`, {
      httpStatus: status,
      maybeExecuted: status !== 401 && status !== 403,
    });
  }

  return { attempt, get };
}

/** Nothing was sent without a token. */
function notExecuted(failure: unknown): never {
  if (!isUpstreamFailure(failure)) throw failure;
  const { reason, message, httpStatus, retryAtMs, transient, isOurs, cause } = failure;
  throw new UpstreamFailure(reason, message, {
    ...(httpStatus !== null && { httpStatus }),
    ...(retryAtMs !== null && { retryAtMs }),
    transient,
    isOurs,
    maybeExecuted: false,
    cause,
  });
}

const hasStatus = (failure: unknown, status: number) =>
  isUpstreamFailure(failure) && failure.httpStatus === status;
