import type { Clock } from "@/lib/server/clock";
import type { BudgetLane, UpstreamBudgetStore } from "@/lib/server/store/upstream/upstream-budget";
import type { Turns } from "./turns";
import { UpstreamFailure } from "./upstream";

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
 * Reserves one request and sends it. Every send needs a separate reservation; one that throws `BookingLapsed`
 * gets another.
 * @param patient true waits for room in order of arrival (about a minute at most; `jobs` indefinitely), false
 * fails at once
 * @throws UpstreamFailure `rate_limited` with the time when there is room again, or `unreachable` (`isOurs`)
 * when the database doesn't answer (nothing is sent without a reservation)
 */
export type Spend = <T>(
  lane: BudgetLane,
  patient: boolean,
  send: (booking: Booking) => Promise<T>,
  how?: SpendingHow,
) => Promise<T>;

type Reservation = Awaited<ReturnType<UpstreamBudgetStore["reserve"]>>;
type NoRoom = Extract<Reservation, { granted: false }>;

/** Result of one attempt to reserve and send a request. */
type Outcome<T> =
  | { state: "sent"; value: T }
  /** The reservation lapsed before the request could be sent. */
  | { state: "lapsed"; error: BookingLapsed }
  | ({ state: "full" } & NoRoom);

/** A request waiting to be sent. Times are on our monotonic clock. */
type Waiting = {
  lane: BudgetLane;
  isPatient: boolean;
  isPersistent: boolean;
  rank: () => number;
  spare: () => number;
  onLongWait: ((failure: UpstreamFailure) => void) | undefined;
  sinceMs: number;
  /** End of the wait that `onLongWait` last reported. */
  reportedUntilMs: number;
};

/** Leaves the remainder of the window's extra seconds for the way to the upstream. */
const BOOKING_HOLDS_MS = 2_500;
/** After this many in a row, the next would lapse too. */
const MAX_LAPSES = 3;
/** Added to a window, so that waiting for our ceiling succeeds. */
const PATIENCE_BEYOND_WINDOW_MS = 7_000;
/** A longer wait is reported, to explain data that is not being updated. */
const LONG_WAIT_MS = 5_000;
/** A waiter whose turn takes longer than this is considered waiting for room. */
const TURN_COMES_MS = 1_000;
/** Interval at which deferrable jobs check for room again. */
const RECHECK_MS = 3_000;
/** Spreads waiters for the same moment. */
export const MAX_JITTER_MS = 1_000;

/**
 * @param options.realClock the clock by which reservations lapse
 * @param options.windowMs the time within which `mostOf` requests may be booked, milliseconds
 * @param options.mostOf the most requests of a lane within a window, less those left to others
 * @param options.signal ends every wait with its reason
 */
export function createSpend({
  clock,
  realClock,
  random,
  windowMs,
  book,
  mostOf,
  turnsOf,
  signal,
}: {
  clock: Clock;
  realClock: Pick<Clock, "nowMs" | "monotonicMs">;
  random: () => number;
  windowMs: number;
  book: (lane: BudgetLane, spare: number) => Promise<Reservation>;
  mostOf: (lane: BudgetLane, spare: number) => number;
  turnsOf: (lane: BudgetLane) => Turns;
  signal: AbortSignal | undefined;
}): Spend {
  function tell(waiting: Waiting, failure: UpstreamFailure, waitMs: number): void {
    const untilMs = clock.monotonicMs() + waitMs;
    if (waitMs <= LONG_WAIT_MS || untilMs <= waiting.reportedUntilMs) return;
    waiting.reportedUntilMs = untilMs;
    waiting.onLongWait?.(failure);
  }

  /** @returns a function that ends the turn; further calls do nothing */
  async function takeTurn(waiting: Waiting): Promise<() => void> {
    const { lane, isPatient, rank, spare } = waiting;
    if (!isPatient) return () => {};
    const turns = turnsOf(lane);
    const who = {};
    const taken = turns.take(who, rank, signal).catch(stopped);
    // With room available, every turn comes at once.
    if (turns.ahead(who) === 0) return taken;
    const came = new AbortController();
    const tellWait = () => {
      // Each waiter ahead takes one slot of a window.
      const waitMs = (turns.ahead(who) * windowMs) / mostOf(lane, spare());
      tell(waiting, noRoom(lane, { waitMs, because: "budget" }, clock.nowMs()), waitMs);
    };
    clock.sleep(TURN_COMES_MS, came.signal).then(tellWait, () => {});
    return taken.finally(() => came.abort());
  }

  /** @param onBooked called once the request is reserved, before it is sent */
  async function bookAndSend<T>(
    { lane, spare }: Waiting,
    onBooked: () => void,
    send: (booking: Booking) => Promise<T>,
  ): Promise<Outcome<T>> {
    const booking = startBooking(realClock);
    const reservation = await book(lane, spare());
    if (!reservation.granted) return { state: "full", ...reservation };
    onBooked();
    try {
      return { state: "sent", value: await send(booking) };
    } catch (error) {
      if (error instanceof BookingLapsed) return { state: "lapsed", error };
      throw error;
    }
  }

  /** @throws UpstreamFailure when the request should not wait for room, or not that long */
  async function waitForRoom(waiting: Waiting, full: NoRoom): Promise<void> {
    const { lane, isPatient, isPersistent, rank, sinceMs } = waiting;
    const { waitMs, because } = full;
    const failure = noRoom(lane, full, clock.nowMs());
    // A limit imposed by the upstream is reported at once instead of waited for silently.
    if (!isPatient || (because === "limited" && !isPersistent)) throw failure;
    const waitedMs = clock.monotonicMs() - sinceMs;
    const patienceMs = windowMs + PATIENCE_BEYOND_WINDOW_MS;
    // Other lanes have an interval, and retry anyway.
    if (lane !== "jobs" && !isPersistent && waitedMs + waitMs > patienceMs) throw failure;
    tell(waiting, failure, waitMs);
    await clock.sleep(pauseMs(lane, waitMs, rank(), random), signal).catch(stopped);
  }

  return async (lane, patient, send, how = {}) => {
    const { exclusively = atOnce, rank = () => 0, spare = () => 0, isPersistent = false } = how;
    const waiting: Waiting = {
      lane,
      isPatient: patient,
      isPersistent,
      rank,
      spare,
      onLongWait: how.onLongWait,
      sinceMs: clock.monotonicMs(),
      reportedUntilMs: 0,
    };
    let endTurn = await takeTurn(waiting);
    let lapses = 0;
    try {
      for (;;) {
        const outcome = await exclusively(() => bookAndSend(waiting, endTurn, send));
        if (outcome.state === "sent") return outcome.value;
        if (outcome.state === "lapsed") {
          lapses += 1;
          if (lapses >= MAX_LAPSES) throw lapsed(outcome.error);
          endTurn = await takeTurn(waiting);
          continue;
        }
        await waitForRoom(waiting, outcome);
        if (turnsOf(lane).isOvertaken(rank())) {
          endTurn();
          endTurn = await takeTurn(waiting);
        }
      }
    } finally {
      endTurn();
    }
  };
}

/**
 * Starts before anything is reserved. Checks both clocks: the monotonic one doesn't advance while the machine
 * is suspended, and a jump of the wall clock only causes another reservation.
 */
function startBooking(realClock: Pick<Clock, "nowMs" | "monotonicMs">): Booking {
  const [monotonicMs, nowMs] = [realClock.monotonicMs(), realClock.nowMs()];
  return {
    holds: () =>
      realClock.monotonicMs() - monotonicMs <= BOOKING_HOLDS_MS &&
      Math.abs(realClock.nowMs() - nowMs) <= BOOKING_HOLDS_MS,
  };
}

/** Reaching our own ceiling doesn't indicate a problem of the upstream. */
function noRoom(
  lane: BudgetLane,
  { waitMs, because }: Omit<NoRoom, "granted">,
  nowMs: number,
): UpstreamFailure {
  const seconds = Math.ceil(waitMs / 1000);
  return new UpstreamFailure(
    "rate_limited",
    because === "limited"
      ? `the upstream's rate limit holds for ${seconds} s more`
      : `the budget for ${lane} requests is spent for ${seconds} s`,
    { retryAtMs: nowMs + waitMs, maybeExecuted: false, isOurs: because === "budget" },
  );
}

/** How long to sleep before checking for room again. */
function pauseMs(lane: BudgetLane, waitMs: number, rank: number, random: () => number): number {
  const jitterMs = () => random() * MAX_JITTER_MS;
  // A more urgent waiter may arrive meanwhile.
  if (rank > 0 && waitMs > RECHECK_MS) return RECHECK_MS;
  if (lane !== "jobs") return waitMs + jitterMs();
  // Polls may have left more by then. If both wait for the same moment, polls go first.
  return waitMs > RECHECK_MS ? RECHECK_MS : waitMs + MAX_JITTER_MS + jitterMs();
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
