import type { Clock } from "@/lib/server/clock";
import type { BudgetLane, UpstreamBudgetStore } from "@/lib/server/store/upstream/upstream-budget";
import type { Turns } from "./turns";
import { UpstreamFailure } from "./upstream";

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

/**
 * Books one request and sends it. Every send needs a booking of its own, and one that throws `BookingLapsed` gets
 * another.
 * @param patient true waits for room, after those who came before (about a minute at most; `jobs` as long as
 *   it takes), false fails at once
 * @throws UpstreamFailure `rate_limited` with the time from which there is room again, or
 *   `unreachable` (`isOurs`) when the database does not answer (nothing is sent that is not booked)
 */
export type Spend = <T>(
  lane: BudgetLane,
  patient: boolean,
  send: (booking: Booking) => Promise<T>,
  how?: SpendingHow,
) => Promise<T>;

type Reservation = Awaited<ReturnType<UpstreamBudgetStore["reserve"]>>;
type NoRoom = Extract<Reservation, { granted: false }>;

/** What came of one attempt to book and send a request. */
type Outcome<T> =
  | { state: "sent"; value: T }
  /** The booking did not hold until the request could be sent. */
  | { state: "lapsed"; error: BookingLapsed }
  | ({ state: "full" } & NoRoom);

/** A request that waits to be sent. Instants are on our monotonic clock. */
type Waiting = {
  lane: BudgetLane;
  isPatient: boolean;
  isPersistent: boolean;
  rank: () => number;
  spare: () => number;
  onLongWait: ((failure: UpstreamFailure) => void) | undefined;
  sinceMs: number;
  /** Until when `onLongWait` was told to wait. */
  toldUntilMs: number;
};

/** A booking is used within this time; the rest of the window's spare seconds is for the way to the upstream. */
const BOOKING_HOLDS_MS = 2_500;
/** More in a row say that the next would not hold either. */
const MOST_LAPSES = 3;
/** Added to a window, so that a request that waits for our own ceiling gets through. */
const PATIENCE_BEYOND_WINDOW_MS = 7_000;
/** A longer wait is told to people, who would else see a picture age without a reason. */
const LONG_WAIT_MS = 5_000;
/** A request whose turn has not come by then waits for room. */
const TURN_COMES_MS = 1_000;
/** Jobs that may wait look again for room so often. */
const RECHECK_MS = 3_000;
/** Those who wait for the same moment do not all come at once. */
export const MAX_JITTER_MS = 1_000;

/**
 * @param options.realClock what bookings lapse by
 * @param options.windowMs the time within which `mostOf` requests may be booked, milliseconds
 * @param options.mostOf the requests of a lane within a window, but for those that are left to others
 * @param options.signal ends every wait, with its reason
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
    if (waitMs <= LONG_WAIT_MS || untilMs <= waiting.toldUntilMs) return;
    waiting.toldUntilMs = untilMs;
    waiting.onLongWait?.(failure);
  }

  /** @returns ends the turn; calling it again does nothing */
  async function takeTurn(waiting: Waiting): Promise<() => void> {
    const { lane, isPatient, rank, spare } = waiting;
    if (!isPatient) return () => {};
    const turns = turnsOf(lane);
    const who = {};
    const came = new AbortController();
    const taken = turns.take(who, rank, signal);
    if (turns.ahead(who) > 0) {
      const tellWait = () => {
        // Each of those ahead takes one of the requests that a window has.
        const waitMs = (turns.ahead(who) * windowMs) / mostOf(lane, spare());
        tell(waiting, noRoom(lane, { waitMs, because: "budget" }, clock.nowMs()), waitMs);
      };
      // Where there is room, all turns come at once.
      clock.sleep(TURN_COMES_MS, came.signal).then(tellWait, () => {});
    }
    return taken.catch(stopped).finally(() => came.abort());
  }

  /** @param onBooked called when there is room, before anything is sent */
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
    // What the upstream ordered is told at once instead of being waited for in silence.
    if (!isPatient || (because === "limited" && !isPersistent)) throw failure;
    const waitedMs = clock.monotonicMs() - sinceMs;
    const patienceMs = windowMs + PATIENCE_BEYOND_WINDOW_MS;
    // Others have a rhythm, and come again.
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
      toldUntilMs: 0,
    };
    let endTurn = await takeTurn(waiting);
    let lapses = 0;
    try {
      for (;;) {
        const outcome = await exclusively(() => bookAndSend(waiting, endTurn, send));
        if (outcome.state === "sent") return outcome.value;
        if (outcome.state === "lapsed") {
          lapses += 1;
          if (lapses >= MOST_LAPSES) throw lapsed(outcome.error);
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
 * From now on, before anything is booked. On both clocks: the monotonic one doesn't see that the whole machine stood
 * still, and a jump of the other only makes us book again.
 */
function startBooking(realClock: Pick<Clock, "nowMs" | "monotonicMs">): Booking {
  const [monotonicMs, nowMs] = [realClock.monotonicMs(), realClock.nowMs()];
  return {
    holds: () =>
      realClock.monotonicMs() - monotonicMs <= BOOKING_HOLDS_MS &&
      Math.abs(realClock.nowMs() - nowMs) <= BOOKING_HOLDS_MS,
  };
}

/** Where it is our own ceiling, nothing is the matter with the upstream. */
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

/** How long to sleep before asking for room again. */
function pauseMs(lane: BudgetLane, waitMs: number, rank: number, random: () => number): number {
  const jitterMs = () => random() * MAX_JITTER_MS;
  // A more urgent request may come meanwhile.
  if (rank > 0 && waitMs > RECHECK_MS) return RECHECK_MS;
  if (lane !== "jobs") return waitMs + jitterMs();
  // What polls leave over may be more by then. Where they wait for the same moment, they come first.
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
