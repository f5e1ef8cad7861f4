import { systemClock, type Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  createUpstreamBudgetStore,
  roomInMs,
  type BudgetCeiling,
  type BudgetLane,
  type Postponement,
  type UpstreamBudgetStore,
} from "@/lib/server/store/upstream/upstream-budget";
import { drainedForMs, limitedForMs, readRateLimit, type Headers } from "./rate-limit";
import { createSpend, MAX_JITTER_MS, type Spend } from "./spend";
import { createTurns, type Turns } from "./turns";
import { UpstreamFailure } from "./upstream";
import type { RateLimit } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { sharedState } from "@/lib/server/shared-state";

/** Request budget of one upstream origin, shared by all companies and instances and persisted across restarts. */
export type Budget = {
  spend: Spend;
  /** Records the API's rate limit headers. Null when there are none. */
  observe(headers: Headers): Promise<RateLimit | null>;
  /**
   * Records a 429.
   * @returns our wall clock, epoch milliseconds, before which nothing is sent
   */
  limited(headers: Headers, of: "api" | "token"): Promise<number>;
  /**
   * How long a client's credentials must not be sent after a rejection; persisted across restarts.
   * @returns milliseconds; 0: they may be sent now
   * @throws UpstreamFailure `unreachable` when the database doesn't answer
   */
  refusedForMs(clientId: string): Promise<number>;
  /**
   * Records that the token endpoint rejected these credentials.
   * @returns our wall clock, epoch milliseconds, before which they aren't sent again
   */
  refused(clientId: string): Promise<number>;
  /** Records that the token endpoint accepted these credentials. */
  accepted(clientId: string): Promise<void>;
  /** Requests reserved within the last minute (excluding token requests), and our ceiling. */
  used(): Promise<{ used: number; limit: number }>;
  /** Requests a minute available to all deferrable jobs together, given the current polls. */
  jobsPerMinute(): number;
};

export type BudgetOptions = {
  database: Database;
  clock: Clock;
  /** Returns a number in [0, 1). */
  random: () => number;
  /** `scheme://host:port`. */
  origin: string;
  requestsPerMinute: number;
  tokenRequestsPerMinute: number;
  /** Upper bound of the pages that polls of this host read within any `WINDOW_MS`. */
  pollPagesPerWindow: () => number;
  /** Longest cool-down of rejected credentials, milliseconds. */
  longestCoolDownMs: number;
  /** For tests: replaces the database clock of stored reservations. */
  databaseNowMs?: () => number;
  /** For tests: the clock by which reservations lapse. Real time by default, like sockets. */
  realClock?: Pick<Clock, "nowMs" | "monotonicMs">;
  /** Ends every wait with its reason. */
  signal?: AbortSignal;
};

/**
 * No such window contains more reservations than a minute allows requests: the upstream counts arrivals, which
 * come up to the connect timeout (and a little) after the reservation. Milliseconds.
 */
export const WINDOW_MS = MINUTE_MS + 3_000;
const FIRST_COOL_DOWN_MS = 10_000;

/**
 * Requests sent by this process by lane, on the monotonic clock. Stored reservations are on a wall
 * clock, and would be lost in a jump forward.
 */
const sentByLane = (database: Database) =>
  sharedState(database, "budget sends", () => new Map<string, number[]>());

/** Requests of the last minute at the last reservation of this process, by origin; `atMs` on the monotonic clock. */
const lastUsed = (database: Database) =>
  sharedState(database, "budget used", () => new Map<string, { used: number; atMs: number }>());
/** How long that number is shown before it is counted again. */
const USED_HOLDS_MS = 2_000;

/** Waiters of this process, by origin and lane, in order of arrival. */
const waitingTurns = (database: Database) =>
  sharedState(database, "budget turns", () => new Map<string, Turns>());

/** Requests per window that polls always leave to deferrable jobs, and vice versa. */
const KEPT_REQUESTS = 2;

/**
 * Divides the requests of a window among lanes.
 * @returns `background` is for polls and deferrable jobs together. Polls get at most `polls` of it; a value
 * below one means that they use every other window's only request.
 */
export function budgetShares(requestsPerMinute: number): {
  background: number;
  polls: number;
  people: number;
} {
  // A ceiling of one request a minute goes to the collector, because a board without data is useless.
  const background = Math.max(1, Math.floor((requestsPerMinute * 2) / 3));
  const polls = background === 1 ? 0.5 : Math.max(1, background - KEPT_REQUESTS);
  return { background, polls, people: requestsPerMinute - background };
}

/**
 * How many companies of one page a host's budget allows to check about once a minute.
 * @param requestsPerMinute our limit for the host
 */
export function companiesPerMinute(requestsPerMinute: number): number {
  return Math.floor(budgetShares(requestsPerMinute).polls);
}

export function createBudget(options: BudgetOptions): Budget {
  const { database, clock, random, origin } = options;
  const store = createUpstreamBudgetStore(database, options.databaseNowMs ?? null);
  const shares = budgetShares(options.requestsPerMinute);
  const sent = sentByLane(database);
  const turnsByLane = waitingTurns(database);
  const usedAt = lastUsed(database);

  function turnsOf(lane: BudgetLane): Turns {
    const key = `${origin} ${lane}`;
    const turns = turnsByLane.get(key) ?? createTurns();
    turnsByLane.set(key, turns);
    return turns;
  }

  /** What polls leave, but never less than the reserved share. */
  function jobsCeiling(): number {
    const { background, polls } = shares;
    const left = Math.floor(background - options.pollPagesPerWindow() - KEPT_REQUESTS);
    return Math.max(1, Math.ceil(background - polls), left);
  }

  function ceilingsOf(lane: BudgetLane, spare: number): readonly BudgetCeiling[] {
    const together: BudgetCeiling = { lanes: ["background", "jobs"], most: shares.background };
    if (lane === "people") return [{ lanes: [lane], most: shares.people }];
    if (lane === "token") {
      return [{ lanes: [lane], most: Math.max(1, options.tokenRequestsPerMinute - spare) }];
    }
    const own = lane === "jobs" ? jobsCeiling() : Math.ceil(shares.polls);
    return [{ lanes: [lane], most: own }, together];
  }

  /** Requests sent by this process within the last window, in order. */
  function sentBy(lanes: readonly BudgetLane[], atMs: number): number[] {
    return lanes
      .flatMap((lane) => sent.get(`${origin} ${lane}`) ?? [])
      .filter((other) => other > atMs - WINDOW_MS)
      .toSorted((a, b) => a - b);
  }

  /** Reserves in this process and in the store; in both or neither. */
  async function book(lane: BudgetLane, spare: number): ReturnType<UpstreamBudgetStore["reserve"]> {
    const key = `${origin} ${lane}`;
    const atMs = clock.monotonicMs();
    const ceilings = ceilingsOf(lane, spare);
    const waitMs = Math.max(
      ...ceilings.map(({ lanes, most }) => roomInMs(sentBy(lanes, atMs), most, atMs, WINDOW_MS)),
    );
    if (waitMs > 0) return { granted: false, waitMs, because: "budget" };
    sent.set(key, [...sentBy([lane], atMs), atMs]);
    const release = () => {
      const now = sent.get(key) ?? [];
      const index = now.indexOf(atMs);
      if (index >= 0) now.splice(index, 1);
    };
    try {
      const reservation = await store.reserve({ origin, lane, ceilings, windowMs: WINDOW_MS });
      if (reservation.granted) usedAt.set(origin, { used: reservation.used, atMs });
      else release();
      return reservation;
    } catch (cause) {
      release();
      throw databaseFailure(cause);
    }
  }

  const jitterMs = () => random() * MAX_JITTER_MS;

  /** 10 s after the first rejection, doubled with each one up to the limit. */
  const coolDownMs = (refusals: number) =>
    Math.min(FIRST_COOL_DOWN_MS * 2 ** (refusals - 1), options.longestCoolDownMs);

  /** Failing to store this must not lose the response: without the database nothing is sent anyway. */
  async function postpone(what: Postponement, waitMs: number): Promise<void> {
    await store.postpone(origin, what, waitMs).catch(() => undefined);
  }

  return {
    spend: createSpend({
      clock,
      realClock: options.realClock ?? systemClock,
      random,
      windowMs: WINDOW_MS,
      book,
      mostOf: (lane, spare) => Math.min(...ceilingsOf(lane, spare).map(({ most }) => most)),
      turnsOf,
      signal: options.signal,
    }),

    async observe(headers) {
      const nowMs = clock.nowMs();
      const rateLimit = readRateLimit(headers, nowMs);
      if (rateLimit === null) return null;
      const drainedMs = drainedForMs(rateLimit, nowMs);
      if (drainedMs === 0) return rateLimit;
      const what = rateLimit.remaining === 0 ? "drained" : "backgroundDrained";
      await postpone(what, drainedMs + jitterMs());
      return rateLimit;
    },

    async limited(headers, of) {
      const waitMs = limitedForMs(headers, clock.nowMs()) + jitterMs();
      await postpone(of === "token" ? "tokenLimited" : "limited", waitMs);
      // Not from before it was stored: the next request would come just before the stored end, and be refused.
      return clock.nowMs() + waitMs;
    },

    refusedForMs: (clientId) => store.refusedForMs(origin, clientId).catch(rethrowDatabaseFailure),

    async refused(clientId) {
      const waitMs = await store.refuse(origin, clientId, coolDownMs).catch(() => coolDownMs(1));
      return clock.nowMs() + waitMs;
    },

    async accepted(clientId) {
      // A stale entry would only lengthen the next cool-down.
      await store.accept(origin, clientId).catch(() => undefined);
    },

    async used() {
      const last = usedAt.get(origin);
      if (last !== undefined && clock.monotonicMs() - last.atMs < USED_HOLDS_MS)
        return { used: last.used, limit: options.requestsPerMinute };
      const used = await store.countUsed(origin, MINUTE_MS).catch(rethrowDatabaseFailure);
      return { used, limit: options.requestsPerMinute };
    },

    jobsPerMinute: () => (jobsCeiling() * MINUTE_MS) / WINDOW_MS,
  };
}

function rethrowDatabaseFailure(cause: unknown): never {
  throw databaseFailure(cause);
}

function databaseFailure(cause: unknown): UpstreamFailure {
  return new UpstreamFailure(
    "unreachable",
    "nothing is sent: the database that holds the request budget does not answer",
    { isOurs: true, maybeExecuted: false, cause },
  );
}
