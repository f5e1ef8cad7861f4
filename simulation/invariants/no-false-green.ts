import { trustOf } from "@/components/wall/trust";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { confidenceNow } from "@/lib/domain/confidence";
import { judge, momentOf } from "@/lib/domain/judge";
import { Broken, type Scene } from "../simulation";
import type { Feed } from "../world";
import { notQuiet, type Evidence } from "./learned-week/quiet-days";
import { awakeMs, restsAround, type Week } from "./learned-week/rests";
import { createWholeAnswers } from "./whole-answers";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LIVE_POLLS = 2.5;
/** The API caches for a minute; the check may take a while. */
const SLACK_MS = 2 * MINUTE_MS;
/** A wall asks again within two minutes, waits for the answer, and its timers may be late. */
const WALL_SLACK_MS = SLACK_MS + 3 * MINUTE_MS;

/** What a screen shows of one company. */
type Shown = {
  /** Empty: a screen that asks an instance now. */
  on: string;
  slug: string;
  view: SyncStatusView;
  isLive: boolean;
  /** The server's time by the screen, epoch milliseconds. */
  nowMs: number;
  slackMs: number;
};

/**
 * Never a false green: what a screen draws as fresh or due while it says *live* is so, by what the API last answered and
 * by a table of our own. Knows only what was answered and what is shown.
 */
export function createFalseGreenCheck() {
  const last = new Map<string, Told>();
  const wholeAnswers = createWholeAnswers();
  return (scene: Scene): void => {
    for (const { company, arrivedMs, rows } of wholeAnswers(scene))
      last.set(company, toldAfter(last.get(company), { arrivedMs, rows }));
    for (const shown of [...onInstances(scene), ...onWalls(scene)])
      if (shown.isLive) checkLive(shown, scene, last.get(shown.slug));
  };
}

const onInstances = ({ instances, world }: Scene): Shown[] =>
  instances().flatMap((instance) =>
    world.companies.map(({ slug }) => {
      const view = instance.view(slug);
      const nowMs = instance.nowMs();
      const isLive = confidenceNow(view.source, nowMs) === "live";
      return { on: "", slug, view, isLive, nowMs, slackMs: SLACK_MS };
    }),
  );

const onWalls = ({ walls }: Scene): Shown[] =>
  walls.flatMap(({ name, now }) => {
    const screen = now();
    if (screen === null) return [];
    const { nowMs } = screen;
    return screen.companies.flatMap((company) => {
      const { slug, view } = company;
      if (view === null) return [];
      const isLive = trustOf(company, screen).state === "live";
      return { on: ` on ${name}`, slug, view, isLive, nowMs, slackMs: WALL_SLACK_MS };
    });
  });

function checkLive(
  { on, slug, view, nowMs, slackMs }: Shown,
  { api, time, world }: Scene,
  truth: Told | undefined,
): void {
  const ageMs = truth === undefined ? Infinity : time.nowMs() - truth.atMs;
  const liveMs = LIVE_POLLS * view.source.rhythm_seconds * 1_000;
  if (truth === undefined || ageMs > liveMs + slackMs)
    throw new Broken(
      "never a false green",
      `${slug} is live${on}, but its last whole answer is ${Math.round(ageMs / 1_000)} s old`,
    );
  const apiNowMs = time.nowMs() + api.skewMs(slug);
  const moment = momentOf(view, nowMs);
  const feeds = world.companies.find((one) => one.slug === slug)?.feeds ?? [];
  for (const row of view.rows) {
    const { word } = judge(row, moment);
    if (word !== "fresh" && word !== "due") continue;
    const told = truth.rows.get(row.id);
    const isNews = told === undefined || time.nowMs() - told.sinceMs < liveMs + slackMs;
    if (isNews) continue;
    const shown = { apiNowMs, slackMs: liveMs + slackMs };
    const why = notOnTime(told.row, { ...shown, week: null });
    if (why === null) continue;
    const feed = feeds.find(({ id }) => id === row.id);
    const skewMs = api.skewMs(slug);
    const week = trueWeek(row.known.learned_week ?? null, feed, {
      fromMs: world.startMs + skewMs,
      untilMs: Math.floor(apiNowMs / HOUR_MS) * HOUR_MS,
      skewMs,
    });
    if (week === null || notOnTime(told.row, { ...shown, week }) !== null)
      throw new Broken(
        "never a false green",
        `${slug} ${row.id} is shown as ${word}${on}, but ${why}`,
      );
  }
}

/** What the API last told of a company. `sinceMs`: since when it tells this status, or that a feed isn't listed. */
type Told = {
  atMs: number;
  rows: ReadonlyMap<string, { row: ServedSyncStatus | undefined; sinceMs: number }>;
};

function toldAfter(
  before: Told | undefined,
  { arrivedMs, rows }: { arrivedMs: number; rows: readonly ServedSyncStatus[] },
): Told {
  const now = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set([...now.keys(), ...(before?.rows.keys() ?? [])]);
  return {
    atMs: arrivedMs,
    rows: new Map(
      [...ids].map((id) => {
        const row = now.get(id);
        const was = before?.rows.get(id);
        const isAsBefore =
          was !== undefined && was.row?.attributes.status === row?.attributes.status;
        return [id, { row, sinceMs: isAsBefore ? was.sinceMs : arrivedMs }];
      }),
    ),
  };
}

/** A learned week as it is shown, if truly no data came in it. */
function trueWeek(week: Week | null, feed: Feed | undefined, evidence: Evidence): Week | null {
  const isTrue = week !== null && feed !== undefined && notQuiet(feed, week, evidence) === null;
  return isTrue ? week : null;
}

/**
 * Why a feed is surely neither fresh nor due; null: it may be.
 * @param slackMs what a screen may be behind
 * @param week in which its data doesn't get older
 */
function notOnTime(
  row: ServedSyncStatus | undefined,
  { apiNowMs, slackMs, week }: { apiNowMs: number; slackMs: number; week: Week | null },
): string | null {
  if (row === undefined) return "the API doesn't list it";
  const { status, last_updated_at, frequency_minutes } = row.attributes;
  if (status !== "active") return `its status is ${status}`;
  if (last_updated_at === null || frequency_minutes === null) return "nothing has landed";
  const cadenceMs = frequency_minutes * MINUTE_MS;
  // Due ends with the allowance, of which the usual duration is at most a cadence.
  const mostMs =
    2 * cadenceMs + Math.max(3 * MINUTE_MS, Math.min(cadenceMs / 4, 30 * MINUTE_MS)) + slackMs;
  const landedMs = Date.parse(last_updated_at);
  const ageMs = awakeMs(restsAround(week, apiNowMs), landedMs, apiNowMs);
  return ageMs > mostMs
    ? `its data is ${Math.round(ageMs / MINUTE_MS)} min old, of a cadence of ${frequency_minutes} min`
    : null;
}
