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

/** Runs something when its turn has come. */
export type Exclusively = <T>(run: () => Promise<T>) => Promise<T>;

/** How a request that may have to wait does so. */
export type SpendingHow = {
  /** What booking and sending must go through together; waiting for room happens outside it. */
  exclusively?: Exclusively | undefined;
  /**
   * Called before a wait of more than 5 s for room, with the failure that an impatient request would have met.
   */
  onLongWait?: ((failure: UpstreamFailure) => void) | undefined;
  /** Among those who wait for the same lane, the lower goes first; default 0. */
  rank?: (() => number) | undefined;
  /** So many of the lane's requests within a window are left to others; default none. */
  spare?: (() => number) | undefined;
  /** Waits as long as it takes, for the end of a limit of the upstream's too; default: only `jobs`, for room. */
  isPersistent?: boolean | undefined;
};

/** Room for one request. */
export type Booking = {
  /** False: the minute in which it counts may be over before the request arrives, so it must not be sent any more. */
  holds: () => boolean;
};

/** Nothing was sent, because the booking did not hold any more. */
export class BookingLapsed extends Error {
  /** What took so long: our own process and database, or a connection to the upstream. */
  readonly during: "booking" | "connecting";

  constructor(during: "booking" | "connecting") {
    super(`the booking lapsed while ${during}`);
    this.name = "BookingLapsed";
    this.during = during;
  }
}

/** The requests that one upstream origin gets from all companies, instances and restarts. */
export type Budget = {
  /**
   * Books one request and sends it. Every send needs a booking of its own, and one that throws `BookingLapsed` gets
   * another.
   * @param patient true waits for room, after those who came before (about a minute at most; `jobs` as long as
   *   it takes), false fails at once
   * @throws UpstreamFailure `rate_limited` with the time from which there is room again, or
   *   `unreachable` (`isOurs`) when the database does not answer (nothing is sent that is not booked)
   */
  spend<T>(
    lane: BudgetLane,
    patient: boolean,
    send: (booking: Booking) => Promise<T>,
    how?: SpendingHow,
  ): Promise<T>;
  /** Takes note of what the API says of its own limit. Null when it said nothing. */
  observe(headers: Headers): Promise<RateLimit | null>;
  /**
   * Takes note of a 429.
   * @returns our wall clock, epoch milliseconds, before which nothing is sent
   */
  limited(headers: Headers, of: "api" | "token"): Promise<number>;
  /**
   * How long a client's credentials are not to be sent, because they were refused; survives restarts.
   * @returns milliseconds; 0: at once
   * @throws UpstreamFailure `unreachable` when the database does not answer
   */
  refusedForMs(clientId: string): Promise<number>;
  /**
   * The token endpoint refused these credentials.
   * @returns our wall clock, epoch milliseconds, before which they are not sent again
   */
  refused(clientId: string): Promise<number>;
  /** The token endpoint accepted these credentials. */
  accepted(clientId: string): Promise<void>;
  /** Requests booked within the last minute (tokens left out), and our own ceiling. */
  used(): Promise<{ used: number; limit: number }>;
  /** Requests a minute that jobs which may wait get, all of them together, as polls are now. */
  jobsPerMinute(): number;
};

export type BudgetOptions = {
  database: Database;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  /** `scheme://host:port`. */
  origin: string;
  requestsPerMinute: number;
  tokenRequestsPerMinute: number;
  /** The most pages that polls of this host read within any `WINDOW_MS`, as far as we know. */
  pollPagesPerWindow: () => number;
  /** How long refused credentials rest at most, milliseconds. */
  longestCoolDownMs: number;
  /** Tests: the clock of the stored bookings instead of the database's own. */
  databaseNowMs?: () => number;
  /** Tests: what bookings lapse by. Real time, as sockets know no other. */
  realClock?: Pick<Clock, "nowMs" | "monotonicMs">;
  /** Ends every wait, with its reason. */
  signal?: AbortSignal;
};

/**
 * Within any such time no more is booked than a minute may have: the upstream counts arrivals, which come
 * up to the connect limit (and a little) after the booking. Milliseconds.
 */
export const WINDOW_MS = MINUTE_MS + 3_000;
/** The rest of those seconds is for the way to the upstream. */
const BOOKING_HOLDS_MS = 2_500;
/** More in a row say that the next would not hold either. */
const MOST_LAPSES = 3;
/** Somewhat longer than a window, so that whoever waits for our own ceiling gets through. */
const PATIENCE_MS = WINDOW_MS + 7_000;
/** A longer wait is told to people, who would else see a picture age without a reason. */
const LONG_WAIT_MS = 5_000;
/** Whoever's turn has not come by then waits for room. */
const TURN_COMES_MS = 1_000;
/** Jobs that may wait look again for room so often. */
const RECHECK_MS = 3_000;
/** Those who wait for the same moment do not all come at once. */
const MAX_JITTER_MS = 1_000;
/** Of what the API has left in its window the collector leaves this part to people. */
const HEADROOM = 1 / 10;
const FIRST_COOL_DOWN_MS = 10_000;

/**
 * Sends of this process by database and lane, on the monotonic clock. The stored bookings are on a
 * wall clock, and a jump forward would forget them.
 */
const sentByDatabase = new WeakMap<Database, Map<string, number[]>>();

/** Those of this process who wait, by database, origin and lane: who came first goes first. */
const turnsByDatabase = new WeakMap<Database, Map<string, Turns>>();

/** Requests a window that polls always leave to jobs which may wait, and these again to polls. */
const KEPT_REQUESTS = 2;

/**
 * How the requests of a window are divided.
 * @returns `background` is what polls and jobs that may wait have together. Of it polls have at most
 *   `polls`; less than one a window says that, of the only one there is, they take every other.
 */
export function budgetShares(requestsPerMinute: number): {
  background: number;
  polls: number;
  people: number;
} {
  // A ceiling of one request a minute is the collector's: a board without data helps nobody.
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

  /** What polls leave over, and never less than what is kept. */
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

  /** What this process sent within the last window, in order. */
  function sentBy(lanes: readonly BudgetLane[], atMs: number): number[] {
    return lanes
      .flatMap((lane) => sent.get(`${origin} ${lane}`) ?? [])
      .filter((other) => other > atMs - WINDOW_MS)
      .toSorted((a, b) => a - b);
  }

  /** Books in this process and in the store; in both or in neither. */
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
   * From now on, before anything is booked. On both clocks: the monotonic one doesn't see that the whole machine stood
   * still, and a jump of the other only makes us book again.
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

  /** How long to sleep before asking for room again. */
  function pauseMs(lane: BudgetLane, waitMs: number, rank: number): number {
    // Somebody more urgent may come meanwhile.
    if (rank > 0 && waitMs > RECHECK_MS) return RECHECK_MS;
    if (lane !== "jobs") return waitMs + jitterMs();
    // What polls leave over may be more by then. Where they wait for the same moment, they come first.
    return waitMs > RECHECK_MS ? RECHECK_MS : waitMs + MAX_JITTER_MS + jitterMs();
  }

  /** Where it is our own ceiling, nothing is the matter with the upstream. */
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

  /** 10 s after the first refusal, doubled with each up to the longest. */
  const coolDownMs = (refusals: number) =>
    Math.min(FIRST_COOL_DOWN_MS * 2 ** (refusals - 1), options.longestCoolDownMs);

  /** An answer is worth more than this note: while the database is away nothing is sent in any case. */
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
            // Each of those ahead takes one of the places that a window has.
            const waitMs = (turns.ahead(who) * WINDOW_MS) / most;
            tell(noRoom(lane, waitMs, "budget"), waitMs);
          };
          // Where there is room it's everybody's turn at once.
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
          // What the upstream ordered is told at once instead of being waited for in silence.
          if (!patient || (because === "limited" && !isPersistent)) throw failure;
          // Others have a rhythm, and come again.
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
      // Left standing it would only make the next cool-down longer.
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
