import { isDeepStrictEqual } from "node:util";
import { mergePeriods, type Period } from "@/lib/domain/history";
import {
  followWeek,
  LOOK_LASTS_MS,
  NO_WEEK,
  type WeekState,
} from "@/lib/domain/learned-week/follow-week";
import { EVIDENCE_MS, recentDays, type LocalDay } from "@/lib/domain/learned-week/learn-week";
import { mapSteps } from "@/lib/domain/steps";
import { DAY_MS } from "@/lib/domain/time/units";
import { inSlices } from "@/lib/server/slices";
import type { Clock } from "@/lib/server/clock";
import { batches } from "@/lib/server/store/batches";
import type { Database, Writer } from "@/lib/server/store/database";
import { readGapsWithin } from "@/lib/server/store/history/recorded-endpoints";
import {
  readLookedUntil,
  readRememberedWeeks,
  type RememberedWeek,
} from "@/lib/server/store/learned-weeks/learned-weeks";
import {
  readCadenceChanges,
  readDisturbed,
  readFailedRuns,
  readFeedRecords,
  readLandingsSince,
  readLearningFeeds,
  type LearningFeed,
} from "@/lib/server/store/learned-weeks/week-evidence";
import {
  endUnconfirmedWeeks,
  writeLook,
  writeLookedUntil,
  type LookedAt,
} from "@/lib/server/store/learned-weeks/write-weeks";

/** Feeds looked at together, and the pause after them, so that neither the database nor a check has to wait. */
const FEEDS_AT_ONCE = 50;
const REST_MS = 20;
/** Data may be recorded this much later than it arrived. */
const RECORDED_WITHIN_MS = 2 * DAY_MS;

type LearningOptions = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Pick<Clock, "sleep">;
  signal: AbortSignal;
};

type Given = {
  timeZone: string;
  /** End of the record, epoch milliseconds on the API's clock. */
  nowMs: number;
  days: readonly LocalDay[];
  within: Period;
  gaps: readonly Period[];
  remembered: ReadonlyMap<string, RememberedWeek>;
  /** Landings from this time on may not have been considered. */
  landingsFromMs: number;
};

/**
 * Learns the weeks of a company's feeds from its record.
 * @param nowMs end of the record, epoch milliseconds on the API's clock
 */
export async function learnCompany(
  { database, writer, clock, signal }: LearningOptions,
  company: string,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): Promise<void> {
  const lookedMs = await readLookedUntil(database, company);
  // The record then says when they weren't applied.
  if (lookedMs !== null && lookedMs + LOOK_LASTS_MS <= nowMs)
    await endUnconfirmedWeeks(writer, company, lookedMs + LOOK_LASTS_MS);
  const feeds = await readLearningFeeds(database, company);
  const remembered = await readRememberedWeeks(database, company);
  const within = { fromMs: nowMs - EVIDENCE_MS, untilMs: nowMs };
  const given: Given = {
    timeZone,
    nowMs,
    days: recentDays(timeZone, nowMs),
    within,
    gaps: await readGapsWithin(database, company, within),
    remembered,
    // A look by a clock that was ahead is no reason to leave any out.
    landingsFromMs:
      lookedMs !== null && lookedMs < nowMs ? lookedMs - RECORDED_WITHIN_MS : within.fromMs,
  };
  for (const batch of batches(feeds, FEEDS_AT_ONCE)) {
    await writeLook(writer, company, await lookAtFeeds(database, company, batch, given), nowMs);
    await clock.sleep(REST_MS, signal);
  }
  for (const ended of batches(withoutCadence(feeds, remembered)))
    await writeLook(writer, company, ended, nowMs);
  await writeLookedUntil(writer, company, nowMs);
}

async function lookAtFeeds(
  database: Database,
  company: string,
  batch: readonly LearningFeed[],
  { timeZone, nowMs, days, within, gaps, remembered, landingsFromMs }: Given,
): Promise<LookedAt[]> {
  const feeds = batch.filter(({ id }) => remembered.get(id)?.isOff !== true);
  const ids = feeds.map(({ id }) => id);
  const records = await readFeedRecords(database, company, feeds, within, days);
  const disturbed = await readDisturbed(database, company, ids, within);
  const changed = await readCadenceChanges(database, company, feeds);
  const failed = await readFailedRuns(database, company, ids, within);
  const inForce = ids.filter((id) => (remembered.get(id)?.week ?? null) !== null);
  const since = { fromMs: landingsFromMs, untilMs: nowMs };
  const landings = await readLandingsSince(database, company, inForce, since);
  const looked = mapSteps(feeds, ({ id, cadenceMs }): LookedAt[] => {
    const before = stateOf(remembered.get(id));
    const { firstMs = nowMs, ...record } = records.get(id) ?? {};
    const evidence = {
      syncs: [],
      silences: [],
      ...record,
      untilMs: nowMs,
      recordFromMs: Math.max(firstMs, changed.get(id) ?? -Infinity),
      unseen: mergePeriods([...gaps, ...(disturbed.get(id) ?? [])], within),
      failedMs: failed.get(id) ?? [],
      cadenceMs,
    };
    const landingsMs = landings.get(id) ?? [];
    const state = followWeek(before, { landingsMs, evidence, days, timeZone, nowMs });
    if (isDeepStrictEqual(state, before)) return [];
    return [{ endpointId: id, state, isChanged: !isDeepStrictEqual(state.week, before.week) }];
  });
  return (await inSlices(looked)).flat();
}

/** A week is learned for a cadence: without one, it ends. */
function withoutCadence(
  feeds: readonly LearningFeed[],
  remembered: ReadonlyMap<string, RememberedWeek>,
): LookedAt[] {
  const learning = new Set(feeds.map(({ id }) => id));
  return [...remembered].flatMap(([endpointId, { week, goneMs }]) =>
    week === null || learning.has(endpointId)
      ? []
      : [{ endpointId, state: { ...NO_WEEK, goneMs }, isChanged: true }],
  );
}

function stateOf(remembered: RememberedWeek | undefined): WeekState {
  if (remembered === undefined) return NO_WEEK;
  const { week, broken, goneMs } = remembered;
  return { week, broken, goneMs };
}
