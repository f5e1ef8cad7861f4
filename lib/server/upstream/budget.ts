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
import { limitedForMs, readRateLimit, type Headers } from "./rate-limit";
import { createTurns, type Turns } from "./turns";
import { UpstreamFailure } from "./upstream";
import type { RateLimit } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Runs a function when its turn comes. */
export type Exclusively = <T>(run: () => Promise<T>) => Promise<T>;

/** How a request waits for room. */
export type SpendingHow = {
  /** Wraps reserving and sending together; waiting for room happens outside it. */
  exclusively?: Exclusively | undefined;
  /** Called before a wait of more than 5 s, with the failure that an impatient request would have got. */
  onLongWait?: ((failure: UpstreamFailure) => void) | undefined;
  /** Lower ranks go first among waiters of the same lane; default 0. */
  rank?: (() => number) | undefined;
  /** Number of requests in a window to leave to others in the lane; default none. */
  spare?: (() => number) | undefined;
  /** Waits indefinitely, also for the end of an upstream limit; default: only `jobs` do, for room. */
  isPersistent?: boolean | undefined;
};

/** Reservation of one request. */
export type Booking = {
  /** False: its minute may be over before the request arrives, so it must not be sent any more. */
  holds: () => boolean;
};

/** Nothing was sent, because the reservation had lapsed. */
export class BookingLapsed extends Error {
  /** What took too long: our process and database, or connecting to the upstream. */
  readonly during: "booking" | "connecting";

  constructor(during: "booking" | "connecting") {
    super(`the booking lapsed while ${during}`);
    this.name = "BookingLapsed";
    this.during = during;
  }
}

/**
 * Request budget of one upstream origin, shared by all companies and instances and persisted across restarts.
 */
export type Budget = {
  /**
   * Reserves one request and sends it. Every send needs a separate reservation; one that throws `BookingLapsed`
   * gets another.
   * @param patient true waits for room in order of arrival (about a minute at most; `jobs` indefinitely), false
   * fails at once
   * @throws UpstreamFailure `rate_limited` with the time when there is room again, or `unreachable` (`isOurs`)
   * when the database doesn't answer (nothing is sent without a reservation)
   */
  spend<T>(
    lane: BudgetLane,
    patient: boolean,
    send: (booking: Booking) => Promise<T>,
    how?: SpendingHow,
  ): Promise<T>;
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
/** Leaves the remainder of those extra seconds for the way to the upstream. */
const BOOKING_HOLDS_MS = 2_500;
/** After this many in a row, the next would lapse too. */
const MOST_LAPSES = 3;
/** Slightly longer than a window, so that waiting for our ceiling succeeds. */
const PATIENCE_MS = WINDOW_MS + 7_000;
/** A longer wait is reported, to explain data that is not being updated. */
const LONG_WAIT_MS = 5_000;
/** A waiter whose turn takes longer than this is considered waiting for room. */
const TURN_COMES_MS = 1_000;
/** Interval at which deferrable jobs check for room again. */
const RECHECK_MS = 3_000;
/** Spreads waiters for the same moment. */
const MAX_JITTER_MS = 1_000;
/** Share of the API's remaining window that the collector leaves to user requests. */
const HEADROOM = 1 / 10;
const FIRST_COOL_DOWN_MS = 10_000;

/**
 * Requests sent by this process by database and lane, on the monotonic clock. Stored reservations are on a wall
 * clock, and would be lost in a jump forward.
 */
const sentByDatabase = new WeakMap<Database, Map<string, number[]>>();

/** Waiters of this process, by database, origin and lane, in order of arrival. */
const turnsByDatabase = new WeakMap<Database, Map<string, Turns>>();

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

export function createBudget(options: BudgetOptions): Budget {
  const { database, clock, random, origin } = options;
  const store = createUpstreamBudgetStore(database, options.databaseNowMs ?? null);
  const realClock = options.realClock ?? systemClock;
  const shares = budgetShares(options.requestsPerMinute);
  const sent = sentByDatabase.get(database) ?? new Map<string, number[]>();
  sentByDatabase.set(database, sent);
  const turnsByLane = turnsByDatabase.get(database) ?? new Map<string, Turns>();
  turnsByDatabase.set(database, turnsByLane);

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
      if (!reservation.granted) release();
      return reservation;
    } catch (cause) {
      release();
      throw databaseFailure(cause);
    }
  }

  /**
   * Starts before anything is reserved. Checks both clocks: the monotonic one doesn't advance while the machine
   * is suspended, and a jump of the wall clock only causes another reservation.
   */
  function startBooking(): Booking {
    const [monotonicMs, nowMs] = [realClock.monotonicMs(), realClock.nowMs()];
    return {
      holds: () =>
        realClock.monotonicMs() - monotonicMs <= BOOKING_HOLDS_MS &&
        Math.abs(realClock.nowMs() - nowMs) <= BOOKING_HOLDS_MS,
    };
  }

  const jitterMs = () => random() * MAX_JITTER_MS;

  /** How long to sleep before checking for room again. */
  function pauseMs(lane: BudgetLane, waitMs: number, rank: number): number {
    // A more urgent waiter may arrive meanwhile.
    if (rank > 0 && waitMs > RECHECK_MS) return RECHECK_MS;
    if (lane !== "jobs") return waitMs + jitterMs();
    // Polls may have left more by then. If both wait for the same moment, polls go first.
    return waitMs > RECHECK_MS ? RECHECK_MS : waitMs + MAX_JITTER_MS + jitterMs();
  }

  /** Reaching our own ceiling doesn't indicate a problem of the upstream. */
  function noRoom(
    lane: BudgetLane,
    waitMs: number,
    because: "limited" | "drained" | "budget",
  ): UpstreamFailure {
    const seconds = Math.ceil(waitMs / 1000);
    return new UpstreamFailure(
      "rate_limited",
      because === "limited"
        ? `the upstream's rate limit holds for ${seconds} s more`
        : `the budget for ${lane} requests is spent for ${seconds} s`,
      { retryAtMs: clock.nowMs() + waitMs, maybeExecuted: false, isOurs: because === "budget" },
    );
  }

  /** 10 s after the first rejection, doubled with each one up to the limit. */
  const coolDownMs = (refusals: number) =>
    Math.min(FIRST_COOL_DOWN_MS * 2 ** (refusals - 1), options.longestCoolDownMs);

  /** Failing to store this must not lose the response: without the database nothing is sent anyway. */
  async function postpone(what: Postponement, waitMs: number): Promise<void> {
    await store.postpone(origin, what, waitMs).catch(() => undefined);
  }

  return {
    async spend(lane, patient, send, how = {}) {
      const { exclusively = atOnce, rank = () => 0, spare = () => 0 } = how;
      const isPersistent = how.isPersistent ?? false;
      const startMs = clock.monotonicMs();
      let toldUntilMs = 0;
      const tell = (failure: UpstreamFailure, waitMs: number) => {
        const untilMs = clock.monotonicMs() + waitMs;
        if (waitMs <= LONG_WAIT_MS || untilMs <= toldUntilMs) return;
        toldUntilMs = untilMs;
        how.onLongWait?.(failure);
      };
      const turns = turnsOf(lane);
      const takeTurn = async () => {
        if (!patient) return () => {};
        const who = {};
        const came = new AbortController();
        const taken = turns.take(who, rank, options.signal);
        if (turns.ahead(who) > 0) {
          const tellWait = () => {
            const most = Math.min(...ceilingsOf(lane, spare()).map((ceiling) => ceiling.most));
            // Each waiter ahead takes one slot of a window.
            const waitMs = (turns.ahead(who) * WINDOW_MS) / most;
            tell(noRoom(lane, waitMs, "budget"), waitMs);
          };
          // With room available, every turn comes at once.
          clock.sleep(TURN_COMES_MS, came.signal).then(tellWait, () => {});
        }
        return taken.catch(stopped).finally(() => came.abort());
      };
      let end = await takeTurn();
      let lapses = 0;
      try {
        for (;;) {
          const outcome = await exclusively(async () => {
            const booking = startBooking();
            const booked = await book(lane, spare());
            if (!booked.granted) return { sent: false as const, booked };
            end();
            try {
              return { sent: true as const, value: await send(booking) };
            } catch (error) {
              if (!(error instanceof BookingLapsed)) throw error;
              lapses += 1;
              if (lapses >= MOST_LAPSES) throw lapsed(error);
              return { sent: false as const, booked: null };
            }
          });
          if (outcome.sent) return outcome.value;
          if (outcome.booked === null) {
            end = await takeTurn();
            continue;
          }
          const { waitMs, because } = outcome.booked;
          const waitedMs = clock.monotonicMs() - startMs;
          const failure = noRoom(lane, waitMs, because);
          // A limit imposed by the upstream is reported at once instead of waited for silently.
          if (!patient || (because === "limited" && !isPersistent)) throw failure;
          // Other lanes have an interval, and retry anyway.
          if (lane !== "jobs" && !isPersistent && waitedMs + waitMs > PATIENCE_MS) throw failure;
          tell(failure, waitMs);
          await clock.sleep(pauseMs(lane, waitMs, rank()), options.signal).catch(stopped);
          if (turns.isOvertaken(rank())) {
            end();
            end = await takeTurn();
          }
        }
      } finally {
        end();
      }
    },

    async observe(headers) {
      const nowMs = clock.nowMs();
      const told = readRateLimit(headers, nowMs);
      if (told === null || told.remaining > told.limit * HEADROOM) return told;
      const waitMs = Math.min(told.resetAtMs - nowMs, limitedForMs(headers, nowMs)) + jitterMs();
      await postpone(told.remaining === 0 ? "drained" : "backgroundDrained", waitMs);
      return told;
    },

    async limited(headers, of) {
      const nowMs = clock.nowMs();
      const waitMs = limitedForMs(headers, nowMs) + jitterMs();
      await postpone(of === "token" ? "tokenLimited" : "limited", waitMs);
      return nowMs + waitMs;
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
      const used = await store.countUsed(origin, MINUTE_MS).catch(rethrowDatabaseFailure);
      return { used, limit: options.requestsPerMinute };
    },

    jobsPerMinute: () => (jobsCeiling() * MINUTE_MS) / WINDOW_MS,
  };
}

const atOnce: Exclusively = (run) => run();

function stopped(cause: unknown): never {
  throw new UpstreamFailure("unreachable", "stopped while waiting for room", {
    maybeExecuted: false,
    cause,
  });
}

function lapsed(cause: BookingLapsed): UpstreamFailure {
  return new UpstreamFailure("unreachable", cause.message, {
    isOurs: cause.during === "booking",
    maybeExecuted: false,
    cause,
  });
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
