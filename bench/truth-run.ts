import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import pino from "pino";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { createServerClock, type BrowserTime } from "@/lib/client/clock";
import { wallFirstFixture, wallPageFixture, wallViewFixture } from "@/lib/client/wall/fixture";
import { startWallLoop, type WallNow } from "@/lib/client/wall/loop";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Clock } from "@/lib/server/clock";
import { createCollector } from "@/lib/server/collector/collector";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { createManualClock } from "@/lib/server/manual-clock";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";
import type { Database } from "@/lib/server/store/database";
import { budgetShares } from "@/lib/server/upstream/budget";
import { createUpstream } from "@/lib/server/upstream/client";
import { fixedCompanies } from "@/lib/server/upstream/upstream-fixture";
import { createDice } from "@/lib/v3-service/simulator/dice";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Parameters of a run; random choices are the same for the same seed. */
export type TruthRun = {
  /** Migrated and empty. */
  database: Database;
  minutes: number;
  /** Of the company; a page has a hundred. */
  endpoints: number;
  /**
   * How the API caches pages: filled by the first request (`requested`), which only we send, or refreshed every minute
   * independently of requests (`made`).
   */
  cache: "requested" | "made";
  seed: number;
};

type Range = { least: number; most: number };

/** Lifetime of a page in the API's cache, milliseconds. */
export const CACHE_MS = 60_000;

const COMPANY = "northgate";
const START_MS = Date.parse("2026-03-02T12:00:00Z");
const REQUESTS_PER_MINUTE = 60;
const POLL_SECONDS = 60;
/** Step between endpoints with new data, so that all pages get some. */
const STRIDE = 37;
const LANDS_AFTER_MS: Range = { least: 1, most: 8_000 };
/** Response times of the API for a cached page, and for one that it has to read. */
const KEPT_TAKES_MS: Range = { least: 20, most: 80 };
const READ_TAKES_MS: Range = { least: 150, most: 450 };
/** Time from our server to the screen, and until it is painted. */
const SHOWING_MS = 100;
/** Time between rendering a page and running its scripts: its clock is initially late by this. */
const STARTING_MS = 900;
/** Landings during startup, and so late that the run may end first, are excluded. */
const WARM_UP_MS = 3 * MINUTE_MS;

/**
 * Lets data land at an API that caches each page for a minute, with one screen open, in compressed time.
 * Collector, budget, record, response and the wall's loop are the product's; upstream requests use HTTP. All share one
 * clock, which advances when each of them waits for it: so our own work takes no time on it, and the API's and the
 * network's times are given. This screen polls as late as any can.
 * @returns the time from each landing until the screen showed it, milliseconds; for one never shown, the time until the
 *   end
 */
export async function playTruth(run: TruthRun): Promise<number[]> {
  const clock = createManualClock(START_MS);
  const dice = createDice(run.seed);
  let throws = 0;
  const random = () => dice((throws += 1));
  const pick = ({ least, most }: Range) => Math.round(least + random() * (most - least));
  const endMs = run.minutes * MINUTE_MS;
  const ending = new AbortController();
  const api = await startMisbehavingUpstream({
    rows: sampleRows(run.endpoints, START_MS),
    nowMs: clock.nowMs,
    ...(run.cache === "requested" && { cacheMs: CACHE_MS }),
    take: ({ isCached }) =>
      clock.sleep(pick(isCached || run.cache === "made" ? KEPT_TAKES_MS : READ_TAKES_MS)),
  });
  const server = startServer(run.database, clock, random, api);

  /** Landings that the screen doesn't show yet, by endpoint. */
  const waiting = new Map<string, number>();
  const shownAfterMs: number[] = [];
  const screen = openScreen(
    clock,
    random,
    (address) => server.answer(address),
    (rows) => {
      for (const { id, last_updated_at } of rows) {
        const landedMs = waiting.get(id);
        if (landedMs === undefined || Date.parse(last_updated_at ?? "") < landedMs) continue;
        waiting.delete(id);
        shownAfterMs.push(clock.nowMs() - landedMs + SHOWING_MS);
      }
    },
  );

  let rows = sampleRows(run.endpoints, START_MS);
  async function land(): Promise<void> {
    for (let nth = 0; ; nth = (nth + STRIDE) % rows.length) {
      await clock.sleep(pick(LANDS_AFTER_MS), ending.signal);
      const landedMs = clock.nowMs();
      const last_updated_at = new Date(landedMs).toISOString();
      rows = rows.map((row, at) =>
        at === nth ? { ...row, attributes: { ...row.attributes, last_updated_at } } : row,
      );
      if (run.cache === "requested") api.setRows(rows);
      const [id] = rows.slice(nth, nth + 1).map((row) => row.id);
      const isAmidst = Math.min(clock.monotonicMs(), endMs - clock.monotonicMs()) > WARM_UP_MS;
      if (id !== undefined && isAmidst) waiting.set(id, landedMs);
    }
  }
  async function makePages(): Promise<void> {
    for (;;) {
      await clock.sleep(CACHE_MS, ending.signal);
      api.setRows(rows);
    }
  }

  const playing = [land(), ...(run.cache === "made" ? [makePages()] : [])].map((each) =>
    each.catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    }),
  );
  try {
    // The company, the reports, the learned weeks, the retention, the leader's heartbeat; the wall has two.
    const sleepers = 5 + 2 + playing.length;
    const stopped = Promise.all(playing);
    while (clock.monotonicMs() < endMs) {
      await Promise.race([clock.untilSleeping(sleepers), stopped]);
      await clock.advance(clock.sleeping()[0] ?? 0);
    }
  } finally {
    ending.abort();
    screen.stop();
    await Promise.all([server.stop(), ...playing]);
    await api.close();
  }
  return [...shownAfterMs, ...[...waiting.values()].map((landedMs) => clock.nowMs() - landedMs)];
}

/** The part of a server that is involved: reads the company, records it, and responds to screens. */
function startServer(
  database: Database,
  clock: Clock,
  random: () => number,
  api: MisbehavingUpstream,
) {
  const log = pino({ level: "silent" });
  const connection = {
    company: COMPANY,
    name: "Northgate Builders",
    baseUrl: api.baseUrl,
    clientId: api.clientId,
    clientSecret: api.clientSecret,
  };
  const own = { database, clock, random, log, pollSeconds: POLL_SECONDS };
  const upstream = createUpstream({
    ...own,
    connection,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    tokenRequestsPerMinute: 10,
    databaseNowMs: () => clock.nowMs(),
  });
  // It is the leader, so it follows none.
  const snapshots = createSnapshots({ database, clock, log });
  const collector = createCollector({
    ...own,
    companies: fixedCompanies([{ upstream, connection }]),
    pollsPerWindow: budgetShares(REQUESTS_PER_MINUTE).polls,
    retentionDays: 90,
    reportTimeZone: "UTC",
    incidents: INCIDENT_SETTINGS,
    disk: { isLow: () => Promise.resolve(false) },
    onPublish: (snapshot) => snapshots.publish(snapshot),
  });
  collector.start();
  const config = { pollSeconds: POLL_SECONDS };
  const recentlyViewed = createRecentlyViewed({ clock });
  const recording = { stopped: () => null };
  const leftCompanies = { get: () => null };
  const connections = [{ company: COMPANY, name: COMPANY }];
  const parts = { snapshots, clock, config, recentlyViewed, recording, leftCompanies, connections };
  return {
    /** The response for a wall at an address, dated in whole seconds like every response. */
    async answer(address: string): Promise<Response> {
      const headers = { date: new Date(clock.nowMs()).toUTCString() };
      if (address === "/api/wall") return Response.json(wallViewFixture(), { headers });
      if (address === "/api/wall/report") return new Response(null, { status: 204, headers });
      const query = { company: COMPANY, ifNoneMatch: null };
      const answer = getSyncStatus(parts, query);
      return new Response(answer.body, { headers });
    },
    stop: () => collector.stop(),
  };
}

/** A wall with one company. @param onRows called with its rows whenever they may have changed */
function openScreen(
  clock: Clock,
  random: () => number,
  answer: (address: string) => Promise<Response>,
  onRows: (rows: readonly SyncStatusRow[]) => void,
) {
  const time: BrowserTime = {
    wallMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    setTimer(run, ms) {
      const stopping = new AbortController();
      clock.sleep(Math.max(1, ms), stopping.signal).then(run, () => {});
      return () => stopping.abort();
    },
  };
  const first = wallFirstFixture({ atMs: START_MS - STARTING_MS, companies: [] });
  const loop = startWallLoop(first, wallPageFixture({ share: 1 }), false, {
    clock: createServerClock(first.atMs, time),
    time,
    fetch: answer,
    random,
    reload: () => {},
    leave: () => {},
    keep: () => {},
  });
  let seen: WallNow["companies"][number]["view"] = null;
  loop.subscribe(() => {
    const view = loop.now().companies[0]?.view ?? null;
    if (view !== null && view !== seen) onRows(view.rows);
    seen = view;
  });
  return loop;
}
