import type { NewScheduleFile } from "@/lib/v3-service/store/writer";
import { DEMO_ENDPOINTS, type DemoEndpoint } from "./catalogue";
import { DEMO_COMPANIES, type DemoCompany, type DemoSlug } from "./companies";
import { createDice, type Dice } from "./dice";
import { scheduleFiles } from "./schedule-files";
import { createTimeline, type DemoRun, type Timeline } from "./timeline";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units";

/** An event of one endpoint; instants are epoch milliseconds. */
export type WorldEvent = { atMs: number; company: DemoSlug; endpointId: string } & (
  | { kind: "run_started" }
  | {
      kind: "run_finished";
      startedAtMs: number;
      outcome: DemoRun["outcome"];
      /** It completed without new data. */
      isEmpty: boolean;
    }
  /** The external pipeline reported a landing. */
  | { kind: "landing" }
  /** Calls were made to the partner. */
  | { kind: "api_calls"; count: number }
  /** The next run was planned; null: none is planned any more. */
  | { kind: "next_sync"; nextSyncAtMs: number | null }
);

export type WorldEndpoint = Pick<
  DemoEndpoint,
  "id" | "partnerName" | "endpointKey" | "status" | "frequencyMinutes" | "everyMinutes"
> & {
  /** Since when it has been paused; null: it isn't. */
  pausedAtMs: number | null;
  /** Landings before it don't count; null: all count. */
  recordedSyncAtMs: number | null;
  /** A past period in which its config was different: epoch milliseconds; null: none. */
  otherwise: {
    fromMs: number;
    untilMs: number;
    /** Null: it wasn't reported. */
    as: Pick<DemoEndpoint, "status" | "frequencyMinutes"> | null;
  } | null;
};

export type WorldCompany = DemoCompany & {
  endpoints: readonly WorldEndpoint[];
  /** Those from before the epoch. */
  scheduleFiles: readonly NewScheduleFile[];
};

/** The demo companies and all their events. */
export type World = {
  seed: number;
  /** Start of the demo for viewers, epoch milliseconds; everything before is its history. */
  epochMs: number;
  /** Start of the history: 90 days before the epoch, at a quarter of an hour. */
  pastFromMs: number;
  companies: readonly WorldCompany[];
  /**
   * The events after `fromMs`, up to and including `toMs` (epoch milliseconds), in chronological order. However a
   * period is cut into windows, they contain the same events in the same order. A run that crosses a window's edge has
   * its start in one and its end in the other.
   * @param slug limits the events to this company; all companies if omitted
   */
  events(fromMs: number, toMs: number, slug?: DemoSlug): WorldEvent[];
  /** The same of one endpoint. */
  eventsOf(endpointId: string, fromMs: number, toMs: number): WorldEvent[];
  /** The schedule files uploaded after `fromMs`, the epoch or later, up to and including `toMs`. */
  uploads(fromMs: number, toMs: number): NewScheduleFile[];
};

const PAST_DAYS = 90;
const QUARTER_MS = 15 * MINUTE_MS;
/** Longer than the cadence of any endpoint that has an episode. */
const OTHERWISE_MS = 7 * HOUR_MS;
const FAR_SLOWER_MINUTES = 2 * 1440;

/**
 * A world is a pure value: the same seed and epoch give the same world, also after a restart.
 * @param seed any 32-bit integer
 * @param epochMs start time, epoch milliseconds
 */
export function createWorld({ seed, epochMs }: { seed: number; epochMs: number }): World {
  const dice = createDice(seed);
  const timelines = DEMO_ENDPOINTS.map((endpoint) => createTimeline(endpoint, dice, epochMs));
  const byId = new Map(timelines.map((timeline) => [timeline.endpoint.id, timeline]));
  return {
    seed,
    epochMs,
    pastFromMs: Math.floor((epochMs - PAST_DAYS * DAY_MS) / QUARTER_MS) * QUARTER_MS,
    companies: DEMO_COMPANIES.map((company) => companyOf(company, dice, epochMs)),
    events(fromMs, toMs, slug) {
      // The sort is stable, so events of the same instant keep the order of the catalogue.
      return timelines
        .filter(({ endpoint }) => slug === undefined || endpoint.company === slug)
        .flatMap((timeline) => eventsOf(timeline, fromMs, toMs))
        .toSorted(earliestFirst);
    },
    eventsOf(endpointId, fromMs, toMs) {
      const timeline = byId.get(endpointId);
      return timeline === undefined ? [] : eventsOf(timeline, fromMs, toMs).toSorted(earliestFirst);
    },
    uploads(fromMs, toMs) {
      return DEMO_COMPANIES.flatMap((company) =>
        scheduleFiles(company, dice, epochMs, toMs).filter(({ createdAtMs: ms }) => ms > fromMs),
      );
    },
  };
}

function earliestFirst(a: WorldEvent, b: WorldEvent): number {
  return a.atMs - b.atMs;
}

function companyOf(company: DemoCompany, dice: Dice, epochMs: number): WorldCompany {
  const endpoints = DEMO_ENDPOINTS.filter((endpoint) => endpoint.company === company.slug);
  return {
    ...company,
    endpoints: endpoints.map((endpoint) => {
      const { id, partnerName, endpointKey, status, frequencyMinutes, everyMinutes } = endpoint;
      const before = (days: number | null) => (days === null ? null : epochMs - days * DAY_MS);
      return {
        id,
        partnerName,
        endpointKey,
        status,
        frequencyMinutes,
        everyMinutes,
        pausedAtMs: before(endpoint.pausedDaysBeforeEpoch),
        recordedSyncAtMs: before(endpoint.recordedDaysBeforeEpoch),
        otherwise: otherwise(endpoint, epochMs),
      };
    }),
    scheduleFiles: scheduleFiles(company, dice, epochMs, epochMs),
  };
}

/** The change that ended an endpoint's trouble lasts until new data has arrived; a new one wasn't listed before. */
function otherwise(
  { episode, status, frequencyMinutes, listedDaysBeforeEpoch }: DemoEndpoint,
  epochMs: number,
): WorldEndpoint["otherwise"] {
  if (listedDaysBeforeEpoch !== null)
    return { fromMs: -Infinity, untilMs: epochMs - listedDaysBeforeEpoch * DAY_MS, as: null };
  if (episode === null) return null;
  const as = {
    data_received: undefined,
    run_completed: undefined,
    paused: { status: "inactive", frequencyMinutes },
    removed: null,
    became_webhook: { status: "webhook", frequencyMinutes },
    schedule_changed: { status, frequencyMinutes: FAR_SLOWER_MINUTES },
  } as const;
  const own = as[episode.ending];
  if (own === undefined) return null;
  const fromMs = epochMs - episode.endedDaysBeforeEpoch * DAY_MS;
  return { fromMs, untilMs: fromMs + OTHERWISE_MS, as: own };
}

function eventsOf(timeline: Timeline, fromMs: number, toMs: number): WorldEvent[] {
  const { company, id: endpointId, status } = timeline.endpoint;
  const events: WorldEvent[] = [];
  const isWithin = (atMs: number) => atMs > fromMs && atMs <= toMs;
  for (const run of timeline.runs(fromMs, toMs)) {
    const { startedAtMs, finishedAtMs, outcome, isEmpty } = run;
    const { apiCalls, nextAtStartMs, nextAtFinishMs } = run;
    if (isWithin(startedAtMs)) {
      const atMs = startedAtMs;
      events.push(
        { kind: "run_started", atMs, company, endpointId },
        { kind: "next_sync", atMs, company, endpointId, nextSyncAtMs: nextAtStartMs },
      );
    }
    if (isWithin(finishedAtMs)) {
      const atMs = finishedAtMs;
      events.push(
        { kind: "run_finished", atMs, company, endpointId, startedAtMs, outcome, isEmpty },
        { kind: "api_calls", atMs, company, endpointId, count: apiCalls },
      );
      if (nextAtFinishMs !== nextAtStartMs) {
        const nextSyncAtMs = nextAtFinishMs;
        events.push({ kind: "next_sync", atMs, company, endpointId, nextSyncAtMs });
      }
    }
  }
  const { listed } = timeline;
  if (listed !== null && isWithin(listed.atMs)) {
    const { atMs, nextSyncAtMs } = listed;
    events.push({ kind: "next_sync", atMs, company, endpointId, nextSyncAtMs });
  }
  for (const atMs of timeline.pipelineLandings(fromMs, toMs)) {
    events.push({ kind: "landing", atMs, company, endpointId });
    // Each webhook event is followed by one call that fetches its data.
    if (status === "webhook") {
      events.push({ kind: "api_calls", atMs, company, endpointId, count: 1 });
    }
  }
  return events;
}
