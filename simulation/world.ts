import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { iso } from "@/lib/domain/time/instant";
import { createRandom, type Random } from "./random";

/**
 * What truly happens at the partners: the runs of every feed, as they follow from the seed. The API shows it, and the
 * invariants know it; Plumbline doesn't.
 */
export type World = { readonly startMs: number; readonly companies: readonly WorldCompany[] };

export type WorldCompany = {
  slug: string;
  name: string;
  host: string;
  /** Rows that its API puts on a page at most. */
  mostPerPage: number;
  feeds: readonly Feed[];
  /** In the order of the API. */
  rows(nowMs: number): ServedSyncStatus[];
};

export type Feed = {
  id: string;
  key: string;
  partner: string;
  cadenceMs: number;
  statusAt(nowMs: number): "active" | "inactive" | "webhook";
  /** Whether the API lists it. */
  isListed(nowMs: number): boolean;
  /** The last run that began by `nowMs`; null: none has. */
  runAt(nowMs: number): Run | null;
  /** The last run that brought data by `nowMs`. */
  landingAt(nowMs: number): Run | null;
  /** The run after a run. */
  nextAfter(nowMs: number): number;
  /** Calls of the runs that began after `fromMs`, and by `nowMs`. */
  calls(fromMs: number, nowMs: number): number;
};

export type Run = {
  /** Counts up. */
  index: number;
  startedMs: number;
  finishedMs: number;
  outcome: "completed" | "failed" | "timed_out" | "rate_limited";
  calls: number;
};

/** A week is learned from four of each weekday: in longer runs feeds rest as a habit. */
export const WEEKS_LEARNED_AFTER_DAYS = 21;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PARTNERS = [
  "Procore",
  "Autodesk / BIM 360",
  "Oracle P6",
  "Sage 300",
  "Björk & Søn",
  "=HYPERLINK()",
] as const;
const HABITS: readonly [Habit, ...Habit[]] = [null, null, "nights", "weekends"];
const KEYS = [
  "commitments",
  "drawings",
  "budgets",
  "rfis",
  "submittals",
  "schedules",
  "vendors",
  "invoices",
] as const;

/** A period in which every run of a partner fails, or none starts, at all companies. */
type Outage = { partner: string; fromMs: number; untilMs: number; outcome: Run["outcome"] | null };

type Period = { fromMs: number; untilMs: number };

/** When a feed has no runs as a habit, in UTC. Hours of the day, or Saturday and Sunday. */
type Habit = "nights" | "weekends" | null;

export type WorldSize = { companies: number; feedsEach: number; days: number };

/** What runs are laid around: changes of the clocks, and ends of months and years. */
const MOMENTS = [
  "2026-03-08T07:00:00Z",
  "2026-03-29T01:00:00Z",
  "2026-04-04T15:00:00Z",
  "2026-10-25T01:00:00Z",
  "2026-10-31T23:00:00Z",
  "2027-12-31T23:00:00Z",
  "2028-02-29T00:00:00Z",
] as const;

/** When a run begins, epoch milliseconds: so that one of the moments lies within it. */
export function drawStart(random: Random, days: number): number {
  const atMs = Date.parse(random.pick(MOMENTS));
  const beforeMs = random.next() * days * DAY_MS;
  return Math.floor((atMs - beforeMs) / MINUTE_MS) * MINUTE_MS;
}

/** @param startMs epoch milliseconds */
export function drawWorld(random: Random, startMs: number, size: WorldSize): World {
  const outages = drawOutages(random.of("outages"), startMs, size.days);
  const companies = Array.from({ length: size.companies }, (_, at) =>
    drawCompany(random.of(`company ${at}`), {
      startMs,
      days: size.days,
      at,
      feeds: size.feedsEach,
      outages,
    }),
  );
  return { startMs, companies };
}

function drawOutages(random: Random, startMs: number, days: number): Outage[] {
  const count = random.whole(0, 1 + 2 * Math.ceil(days));
  return Array.from({ length: count }, () => {
    const fromMs = startMs + random.next() * days * DAY_MS;
    return {
      partner: random.pick(PARTNERS),
      fromMs,
      untilMs: fromMs + random.whole(10, 6 * 60) * MINUTE_MS,
      outcome: random.pick(["failed", "timed_out", "rate_limited", null]),
    };
  });
}

function drawCompany(
  random: Random,
  given: { startMs: number; days: number; at: number; feeds: number; outages: readonly Outage[] },
): WorldCompany {
  const { at } = given;
  const feeds = Array.from({ length: given.feeds }, (_, n) =>
    drawFeed(random.of(`feed ${n}`), {
      ...given,
      id: `${at + 1}-${n + 1}`,
      key: `${KEYS[n % KEYS.length] ?? "feed"}-${n} ${canaryOf(at)}`,
    }),
  ).toSorted((a, b) => compare(a.partner, b.partner) || compare(a.key, b.key));
  const host = random.chance(0.5) ? "api.example.com" : `api-${at + 1}.example.com`;
  return {
    slug: `company-${at + 1}`,
    name: `Company ${at + 1} ${canaryOf(at)}`,
    host,
    mostPerPage: random.pick([100, 100, 15, 3]),
    feeds,
    rows: (nowMs) => feeds.filter((feed) => feed.isListed(nowMs)).map((feed) => rowOf(feed, nowMs)),
  };
}

function drawFeed(
  random: Random,
  given: { startMs: number; days: number; id: string; key: string; outages: readonly Outage[] },
): Feed {
  const habit = given.days > WEEKS_LEARNED_AFTER_DAYS ? random.of("habit").pick(HABITS) : null;
  const partner = random.pick(PARTNERS);
  const cadenceMs = random.pick([15, 30, 60, 60, 240, 1440]) * MINUTE_MS;
  const usualMs = Math.min(random.whole(20, 900) * 1_000, cadenceMs / 3);
  const phaseMs = random.next() * cadenceMs;
  const failureRate = random.pick([0, 0, 0, 0.005, 0.02, 0.2]);
  const seed = random.next();
  const outages = given.outages.filter((one) => one.partner === partner);
  // Runs that last until the next one starts.
  const hangs = periods(random, given, random.chance(0.1) ? 2 : 0);
  const pauses = periods(random, given, random.chance(0.1) ? 1 : 0);
  const absences = periods(random, given, random.chance(0.05) ? 1 : 0);
  const status = random.chance(0.05) ? "inactive" : random.chance(0.05) ? "webhook" : "active";
  // The first runs lie before the start, so that there is something to see at once.
  const firstMs = given.startMs - 2 * DAY_MS + phaseMs;
  const known = new Map<number, Run>();
  /** By index: calls of the runs up to there. */
  const callsUpTo: number[] = [];

  // Starts are cut to seconds.
  const startOf = (index: number) => Math.floor((firstMs + index * cadenceMs) / 1_000) * 1_000;
  const outageAt = (ms: number) => outages.find((one) => isWithin(one, ms));
  /** Whether it doesn't start, because the feed rests, the one before still runs or the partner starts none. */
  const isSkipped = (index: number) =>
    isResting(habit, startOf(index)) ||
    outageAt(startOf(index))?.outcome === null ||
    hangs.some((one) => isWithin(one, startOf(index)) && isWithin(one, startOf(index - 1)));

  function run(index: number): Run {
    const before = known.get(index);
    if (before !== undefined) return before;
    const own = createRandom(`${seed} ${index}`);
    const startedMs = startOf(index);
    const lastsMs = Math.ceil((usualMs * (0.6 + own.next())) / 1_000) * 1_000;
    const hang = hangs.find((one) => isWithin(one, startedMs));
    const outcome =
      outageAt(startedMs)?.outcome ??
      (own.chance(failureRate) ? own.pick(["failed", "timed_out", "rate_limited"]) : "completed");
    const drawn: Run = {
      index,
      startedMs,
      finishedMs:
        hang === undefined ? startedMs + lastsMs : Math.ceil(hang.untilMs / 1_000) * 1_000,
      outcome: hang === undefined ? outcome : "timed_out",
      calls: own.whole(1, 40),
    };
    known.set(index, drawn);
    return drawn;
  }
  function lastAt(nowMs: number): number {
    let index = Math.floor((nowMs - firstMs) / cadenceMs);
    if (startOf(index + 1) <= nowMs) index += 1;
    while (index >= 0 && isSkipped(index)) index -= 1;
    return index;
  }

  return {
    id: given.id,
    key: given.key,
    partner,
    cadenceMs,
    statusAt: (nowMs) => (pauses.some((one) => isWithin(one, nowMs)) ? "inactive" : status),
    isListed: (nowMs) => !absences.some((one) => isWithin(one, nowMs)),
    runAt(nowMs) {
      const index = lastAt(nowMs);
      return index < 0 ? null : run(index);
    },
    landingAt(nowMs) {
      for (let index = lastAt(nowMs); index >= 0; index -= 1) {
        if (isSkipped(index)) continue;
        const one = run(index);
        if (one.outcome === "completed" && one.finishedMs <= nowMs) return one;
      }
      return null;
    },
    nextAfter: (nowMs) => startOf(lastAt(nowMs) + 1),
    calls(fromMs, nowMs) {
      const [first, last] = [lastAt(fromMs), lastAt(nowMs)];
      for (let index = callsUpTo.length; index <= last; index += 1)
        callsUpTo.push((callsUpTo.at(-1) ?? 0) + (isSkipped(index) ? 0 : run(index).calls));
      return (callsUpTo[last] ?? 0) - (callsUpTo[first] ?? 0);
    },
  };
}

/** Periods of minutes to hours. */
function periods(
  random: Random,
  { startMs, days }: { startMs: number; days: number },
  count: number,
): Period[] {
  return Array.from({ length: count }, () => {
    const fromMs = Math.floor(startMs + random.next() * days * DAY_MS);
    return { fromMs, untilMs: fromMs + random.whole(5, 8 * 60) * MINUTE_MS };
  });
}

function isResting(habit: Habit, ms: number): boolean {
  const at = new Date(ms);
  if (habit === "nights") return at.getUTCHours() < 7;
  return habit === "weekends" && (at.getUTCDay() === 0 || at.getUTCDay() === 6);
}

function isWithin({ fromMs, untilMs }: Period, ms: number): boolean {
  return fromMs <= ms && ms < untilMs;
}

function rowOf(feed: Feed, nowMs: number): ServedSyncStatus {
  const status = feed.statusAt(nowMs);
  const run = feed.runAt(nowMs);
  const landing = feed.landingAt(nowMs);
  const isRunning = run !== null && run.finishedMs > nowMs;
  return {
    id: feed.id,
    type: "sync_status",
    attributes: {
      endpoint_key: feed.key,
      partner_name: feed.partner,
      status,
      last_updated_at: landing === null ? null : iso(landing.finishedMs),
      next_sync_at: status === "active" ? iso(feed.nextAfter(nowMs)) : null,
      last_sync_status: run === null ? null : isRunning ? "in_progress" : run.outcome,
      last_sync_started_at: run === null ? null : iso(run.startedMs),
      last_sync_finished_at: run === null || isRunning ? null : iso(run.finishedMs),
      last_sync_duration_seconds:
        run === null || isRunning ? null : Math.round((run.finishedMs - run.startedMs) / 1_000),
      frequency_minutes: status === "webhook" ? null : feed.cadenceMs / MINUTE_MS,
      api_calls_last_24h: feed.calls(nowMs - DAY_MS, nowMs),
    },
  };
}

/** Text that no other company's output may hold. @param at position of the company */
const canaryOf = (at: number) => `canary-${at + 1}-canary`;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
