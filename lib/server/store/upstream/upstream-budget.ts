import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import {
  upstreamHosts,
  upstreamRefusals,
  upstreamRequests,
} from "@/lib/server/store/schema/upstream";

/** Who asks: the collector's polls, jobs that may wait, a person, or any of them for a token. */
export type BudgetLane = "background" | "jobs" | "people" | "token";

/** So many requests of these lanes together within any window. */
export type BudgetCeiling = { lanes: readonly BudgetLane[]; most: number };

/** `limited`: the upstream said so; `drained`: its own window is nearly used up; `budget`: our own ceiling. */
type Reservation =
  | { granted: true }
  | { granted: false; waitMs: number; because: "budget" | "drained" | "limited" };

/** What the upstream made us wait for; see `UpstreamBudgetStore.postpone`. */
export type Postponement = "limited" | "drained" | "backgroundDrained" | "tokenLimited";

/**
 * The part of the request budget that outlives the process. Every wait is a duration, because the
 * instants behind it are on the database's clock and not on ours. Everything rejects when the
 * database does not answer: without a reservation nothing is sent.
 */
export type UpstreamBudgetStore = {
  /**
   * Books one request of a lane, or tells how long to wait before asking again.
   * @param ceilings all that hold for this lane, within any `windowMs`
   */
  reserve(query: {
    origin: string;
    lane: BudgetLane;
    ceilings: readonly BudgetCeiling[];
    windowMs: number;
  }): Promise<Reservation>;
  /** Nothing is sent for `waitMs`; never shortens a wait. */
  postpone(origin: string, what: Postponement, waitMs: number): Promise<void>;
  /** Requests booked within the last `windowMs`, tokens left out. */
  countUsed(origin: string, windowMs: number): Promise<number>;
  /** How long these credentials are not to be sent; 0: at once. */
  refusedForMs(origin: string, clientId: string): Promise<number>;
  /**
   * Notes that the token endpoint refused these credentials.
   * @param coolDownMs from the number of refusals in a row, this one included
   * @returns the cool-down
   */
  refuse(
    origin: string,
    clientId: string,
    coolDownMs: (refusals: number) => number,
  ): Promise<number>;
  /** The credentials were accepted. */
  accept(origin: string, clientId: string): Promise<void>;
};

/** No wait is ever longer: what lies further ahead was written before the clock went back. */
const LONGEST_WAIT_MS = 130_000;

const LANES: Readonly<Record<BudgetLane, number>> = {
  background: 0,
  people: 1,
  token: 2,
  jobs: 3,
};

/**
 * @param nowMs the clock of the stored instants, epoch milliseconds; null (as everywhere but in tests)
 *   takes the database's, which all instances share and no skew of theirs can stretch
 */
export function createUpstreamBudgetStore(
  { orm }: Database,
  nowMs: (() => number) | null = null,
): UpstreamBudgetStore {
  type Transaction = Parameters<Parameters<typeof orm.transaction>[0]>[0];

  /** Locks the origin until the end of the transaction; one at a time may count and book. */
  async function lock(tx: Transaction, origin: string) {
    const [host] = await tx
      .insert(upstreamHosts)
      .values({ origin })
      .onConflictDoUpdate({ target: upstreamHosts.origin, set: { origin } })
      .returning({
        limitedUntilMs: upstreamHosts.limitedUntilMs,
        backgroundDrainedUntilMs: upstreamHosts.backgroundDrainedUntilMs,
        drainedUntilMs: upstreamHosts.drainedUntilMs,
        tokenLimitedUntilMs: upstreamHosts.tokenLimitedUntilMs,
        // Read once the lock is held, so that instants are booked in order.
        nowMs: DATABASE_NOW_MS,
      });
    if (host === undefined) throw new Error("the row of an upstream host was not written");
    return { ...host, nowMs: nowMs?.() ?? Number(host.nowMs) };
  }

  async function databaseNowMs(): Promise<number> {
    if (nowMs !== null) return nowMs();
    const { rows } = await orm.execute<{ now_ms: string }>(
      sql`select ${DATABASE_NOW_MS} as now_ms`,
    );
    return Number(rows[0]?.now_ms);
  }

  return {
    reserve: ({ origin, lane, ceilings, windowMs }) =>
      orm.transaction(async (tx): Promise<Reservation> => {
        const host = await lock(tx, origin);
        const atMs = host.nowMs;
        const limitedMs = remaining(
          lane === "token" ? host.tokenLimitedUntilMs : host.limitedUntilMs,
          atMs,
        );
        if (limitedMs > 0) return { granted: false, waitMs: limitedMs, because: "limited" };
        const drainedMs = Math.max(
          lane === "token" ? 0 : remaining(host.drainedUntilMs, atMs),
          lane === "background" || lane === "jobs"
            ? remaining(host.backgroundDrainedUntilMs, atMs)
            : 0,
        );
        if (drainedMs > 0) return { granted: false, waitMs: drainedMs, because: "drained" };

        const ofOrigin = eq(upstreamRequests.origin, origin);
        // After the clock went back, what was booked ahead of it counts as booked now: a whole window
        // at most, and never too little.
        await tx
          .update(upstreamRequests)
          .set({ atMs })
          .where(and(ofOrigin, gt(upstreamRequests.atMs, atMs)));
        await tx
          .delete(upstreamRequests)
          .where(and(ofOrigin, lte(upstreamRequests.atMs, atMs - windowMs)));
        const counted = new Set(ceilings.flatMap(({ lanes }) => lanes.map((each) => LANES[each])));
        const booked = await tx
          .select({ lane: upstreamRequests.lane, atMs: upstreamRequests.atMs })
          .from(upstreamRequests)
          .where(and(ofOrigin, inArray(upstreamRequests.lane, [...counted])))
          .orderBy(asc(upstreamRequests.atMs));
        const waitMs = Math.max(
          ...ceilings.map(({ lanes, most }) => {
            const codes = new Set(lanes.map((each) => LANES[each]));
            const instants = booked.filter((one) => codes.has(one.lane)).map((one) => one.atMs);
            return roomInMs(instants, most, atMs, windowMs);
          }),
        );
        if (waitMs > 0) return { granted: false, waitMs, because: "budget" };
        await tx.insert(upstreamRequests).values({ origin, lane: LANES[lane], atMs });
        return { granted: true };
      }),

    async postpone(origin, what, waitMs) {
      await orm.transaction(async (tx) => {
        const host = await lock(tx, origin);
        const untilMs = Math.round(host.nowMs + Math.min(waitMs, LONGEST_WAIT_MS));
        // A wait beyond the longest was written before the clock went back: it gives way.
        if (remaining(host[`${what}UntilMs`], host.nowMs) >= untilMs - host.nowMs) return;
        await tx
          .update(upstreamHosts)
          .set({ [`${what}UntilMs`]: untilMs })
          .where(eq(upstreamHosts.origin, origin));
      });
    },

    async countUsed(origin, windowMs) {
      const atMs = await databaseNowMs();
      return orm.$count(
        upstreamRequests,
        and(
          eq(upstreamRequests.origin, origin),
          gt(upstreamRequests.atMs, atMs - windowMs),
          sql`${upstreamRequests.lane} <> ${LANES.token}`,
        ),
      );
    },

    async refusedForMs(origin, clientId) {
      const [refusal] = await orm
        .select({ untilMs: upstreamRefusals.untilMs, nowMs: DATABASE_NOW_MS })
        .from(upstreamRefusals)
        .where(and(eq(upstreamRefusals.origin, origin), eq(upstreamRefusals.clientId, clientId)));
      if (refusal === undefined) return 0;
      return remaining(refusal.untilMs, nowMs?.() ?? Number(refusal.nowMs));
    },

    refuse: (origin, clientId, coolDownMs) =>
      orm.transaction(async (tx) => {
        const host = await lock(tx, origin);
        const [row] = await tx
          .insert(upstreamRefusals)
          .values({ origin, clientId, untilMs: 0, refusals: 1 })
          .onConflictDoUpdate({
            target: [upstreamRefusals.origin, upstreamRefusals.clientId],
            set: { refusals: sql`least(${upstreamRefusals.refusals} + 1, 1000)` },
          })
          .returning({ refusals: upstreamRefusals.refusals });
        const waitMs = Math.min(coolDownMs(row?.refusals ?? 1), LONGEST_WAIT_MS);
        await tx
          .update(upstreamRefusals)
          .set({ untilMs: Math.round(host.nowMs + waitMs) })
          .where(and(eq(upstreamRefusals.origin, origin), eq(upstreamRefusals.clientId, clientId)));
        return waitMs;
      }),

    async accept(origin, clientId) {
      await orm
        .delete(upstreamRefusals)
        .where(and(eq(upstreamRefusals.origin, origin), eq(upstreamRefusals.clientId, clientId)));
    },
  };
}

/**
 * How long until there is room for one more, milliseconds; 0: there is.
 * @param bookedMs what was booked within the last window, in order
 */
export function roomInMs(
  bookedMs: readonly number[],
  most: number,
  atMs: number,
  windowMs: number,
): number {
  if (most < 1) return windowMs;
  // The booking whose end makes room for one more.
  const blockingMs = bookedMs[bookedMs.length - most];
  return blockingMs === undefined ? 0 : blockingMs + windowMs - atMs;
}

/** How long a stored wait still lasts, milliseconds. */
function remaining(untilMs: number, atMs: number): number {
  return untilMs - atMs > LONGEST_WAIT_MS ? 0 : Math.max(0, untilMs - atMs);
}
