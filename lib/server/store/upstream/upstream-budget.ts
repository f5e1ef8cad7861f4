import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { prepared, type Prepared } from "@/lib/server/store/statements/prepared";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import {
  upstreamHosts,
  upstreamRefusals,
  upstreamRequests,
} from "@/lib/server/store/schema/upstream";

/**
 * Origin of a request: the collector's polls, deferrable jobs, user requests, or token requests for any of
 * them.
 */
export type BudgetLane = "background" | "jobs" | "people" | "token";

/** Most requests of these lanes together within any window. */
export type BudgetCeiling = { lanes: readonly BudgetLane[]; most: number };

/**
 * `limited`: the upstream returned 429; `drained`: its window is nearly used up; `budget`: our ceiling is
 * reached.
 */
type Reservation =
  /** `used`: as `countUsed` of the last minute, including this one. */
  | { granted: true; used: number }
  | { granted: false; waitMs: number; because: "budget" | "drained" | "limited" };

/** Why the upstream imposed a wait; see `UpstreamBudgetStore.postpone`. */
export type Postponement = "limited" | "drained" | "backgroundDrained" | "tokenLimited";

/**
 * The persistent part of the request budget. Waits are durations, because the underlying timestamps are on the
 * database clock, not on ours. All methods reject when the database doesn't answer: nothing is sent without a
 * reservation.
 */
export type UpstreamBudgetStore = {
  /**
   * Reserves one request of a lane, or returns how long to wait before trying again.
   * @param ceilings all that apply to this lane, within any `windowMs`
   */
  reserve(query: {
    origin: string;
    lane: BudgetLane;
    ceilings: readonly BudgetCeiling[];
    windowMs: number;
  }): Promise<Reservation>;
  /** Blocks sending for `waitMs`; never shortens a wait. */
  postpone(origin: string, what: Postponement, waitMs: number): Promise<void>;
  /** Requests reserved within the last `windowMs`, not counting token requests. */
  countUsed(origin: string, windowMs: number): Promise<number>;
  /** How long these credentials must not be sent, milliseconds; 0: they may be sent now. */
  refusedForMs(origin: string, clientId: string): Promise<number>;
  /**
   * Records that the token endpoint rejected these credentials.
   * @param coolDownMs computes the cool-down from the number of consecutive rejections, including this one
   * @returns the cool-down, milliseconds
   */
  refuse(
    origin: string,
    clientId: string,
    coolDownMs: (refusals: number) => number,
  ): Promise<number>;
  /** Clears rejections after the credentials were accepted. */
  accept(origin: string, clientId: string): Promise<void>;
  /**
   * Deletes what is left of origins to which nothing was sent for `idleMs`, such as those of checks before connecting.
   * Never waits for requests in progress.
   */
  prune(idleMs: number): Promise<void>;
};

/** Longest possible wait; anything beyond was stored before the clock went back. */
const LONGEST_WAIT_MS = 130_000;

const LANES: Readonly<Record<BudgetLane, number>> = {
  background: 0,
  people: 1,
  token: 2,
  jobs: 3,
};

/**
 * @param nowMs replaces the clock of stored timestamps, epoch milliseconds; null (as everywhere except in
 * tests) uses the database's, which all instances share and whose skew can't lengthen a wait
 */
export function createUpstreamBudgetStore(
  { orm, pool }: Database,
  nowMs: (() => number) | null = null,
): UpstreamBudgetStore {
  type Transaction = Parameters<Parameters<typeof orm.transaction>[0]>[0];

  /** Locks the origin until the end of the transaction, serialising counting and reserving. */
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
        // Read while holding the lock, so that reservations are in chronological order.
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
    async reserve({ origin, lane, ceilings, windowMs }) {
      const { rows } = await pool.query<Reserved>(
        RESERVE({
          origin,
          lane: LANES[lane],
          ceilingLanes: ceilings.map(({ lanes }) => bitsOf(lanes)),
          ceilings: ceilings.map(({ most }) => Math.trunc(most)),
          windowMs,
          nowMs: nowMs === null ? null : Math.round(nowMs()),
        }),
      );
      const [row] = rows;
      if (row === undefined) throw new Error("the reservation of a request returned nothing");
      if (row.granted) return { granted: true, used: row.used };
      if (row.limited_ms > 0) return { granted: false, waitMs: row.limited_ms, because: "limited" };
      if (row.drained_ms > 0) return { granted: false, waitMs: row.drained_ms, because: "drained" };
      return { granted: false, waitMs: row.full_ms, because: "budget" };
    },

    async postpone(origin, what, waitMs) {
      await orm.transaction(async (tx) => {
        const host = await lock(tx, origin);
        const untilMs = Math.round(host.nowMs + Math.min(waitMs, LONGEST_WAIT_MS));
        // A longer wait was stored before the clock went back and is replaced.
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

    async prune(idleMs) {
      const beforeMs = (await databaseNowMs()) - idleMs;
      await orm.execute(sql`
        delete from ${upstreamRequests} where id in (
          select id from ${upstreamRequests} where at_ms < ${beforeMs} for update skip locked)`);
      await orm.execute(sql`
        delete from ${upstreamHosts} where origin in (
          select h.origin from ${upstreamHosts} h
          where greatest(h.limited_until_ms, h.background_drained_until_ms, h.drained_until_ms,
              h.token_limited_until_ms) < ${beforeMs}
            and not exists (select from ${upstreamRequests} r where r.origin = h.origin)
          for update skip locked)`);
    },
  };
}

/** Requests reserved within the last `windowMs`, not counting token requests, by origin. */
export async function countUsedByOrigin(
  { orm }: Pick<Database, "orm">,
  windowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await orm
    .select({ origin: upstreamRequests.origin, used: sql<number>`count(*)::int` })
    .from(upstreamRequests)
    .where(
      and(
        sql`${upstreamRequests.atMs} > ${DATABASE_NOW_MS} - ${windowMs}::bigint`,
        ne(upstreamRequests.lane, LANES.token),
      ),
    )
    .groupBy(upstreamRequests.origin);
  return new Map(rows.map(({ origin, used }) => [origin, used]));
}

type Reserved = {
  granted: boolean;
  limited_ms: number;
  drained_ms: number;
  full_ms: number;
  used: number;
};

const RESERVE: Prepared<{
  origin: string;
  lane: number;
  ceilingLanes: number[];
  ceilings: number[];
  windowMs: number;
  nowMs: number | null;
}> = prepared(
  "reserve_upstream_request",
  sql`select * from reserve_upstream_request(${sql.placeholder("origin")}, ${sql.placeholder("lane")},
    ${sql.placeholder("ceilingLanes")}, ${sql.placeholder("ceilings")}, ${sql.placeholder("windowMs")},
    ${sql.raw(String(LONGEST_WAIT_MS))}, ${sql.placeholder("nowMs")})`,
);

/** The set of lanes, one bit each. */
const bitsOf = (lanes: readonly BudgetLane[]) =>
  lanes.reduce((bits, lane) => bits | (1 << LANES[lane]), 0);

/**
 * How long until one more request fits, milliseconds; 0: it fits now.
 * @param bookedMs reservations within the last window, ascending
 */
export function roomInMs(
  bookedMs: readonly number[],
  most: number,
  atMs: number,
  windowMs: number,
): number {
  if (most < 1) return windowMs;
  // One more request fits as soon as this reservation leaves the window.
  const blockingMs = bookedMs[bookedMs.length - most];
  return blockingMs === undefined ? 0 : blockingMs + windowMs - atMs;
}

/** Remaining duration of a stored wait, milliseconds. */
function remaining(untilMs: number, atMs: number): number {
  return untilMs - atMs > LONGEST_WAIT_MS ? 0 : Math.max(0, untilMs - atMs);
}
