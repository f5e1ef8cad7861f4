import { completed } from "@/lib/domain/steps";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { IncidentsState } from "@/lib/domain/incidents/incident";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { followWeek, NO_WEEK, type LearnedWeek } from "@/lib/domain/learned-week/follow-week";
import { recentDays } from "@/lib/domain/learned-week/learn-week";
import { silencesOf, syncsOf } from "@/lib/domain/learned-week/silences";
import { restedMs, shiftedMs } from "@/lib/domain/learned-week/rest";
import { anySpans, anyZone } from "@/lib/domain/learned-week/week-fixture";
import { weekFacts } from "@/lib/domain/learned-week/week-facts";
import { spansWithin, weekdayOf } from "@/lib/domain/learned-week/week-span";
import { row } from "@/lib/domain/row-fixture";
import type { Verdict } from "@/lib/domain/sync";
import { dayOf, localTimeMs } from "@/lib/domain/time/day";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import { applySnapshot, findChanges } from "@/lib/server/collector/observe";
import { watchIncidents } from "@/lib/server/collector/watch-incidents";
import type { EndpointRecord, ObservedChanges } from "@/lib/server/store/sync/records";

type Applied = { endpoints: Map<string, EndpointRecord>; changes: ObservedChanges };

const CHECK_MS = 5 * MINUTE_MS;
const BEGIN = "2026-09-28";

type Feed = {
  cadenceMs: number;
  /** Local time of its first sync of a day, minutes. */
  atMinute: number;
  timeZone: string;
  hasData: (date: string, day: number) => boolean;
};
type Seen = {
  atMs: number;
  date: string;
  verdict: Verdict;
  open: number;
  landedMs: number | null;
  week: LearnedWeek | null;
};

const localMs = (day: number, minute: number, timeZone: string) => {
  const date = iso(Date.parse(`${BEGIN}T00:00:00Z`) + day * DAY_MS).slice(0, 10);
  const clock = iso(minute * MINUTE_MS).slice(11, 16);
  return localTimeMs(`${date}T${clock}`, timeZone) ?? 0;
};

function landingsOf({ cadenceMs, atMinute, timeZone, hasData }: Feed, days: number): number[] {
  const landings: number[] = [];
  for (let day = 0; day < days; day += 1) {
    const nextMs = localMs(day + 1, 0, timeZone);
    const firstMs = localMs(day, atMinute, timeZone);
    if (!hasData(dayOf(firstMs, timeZone), day)) continue;
    for (let ms = firstMs; ms < nextMs; ms += cadenceMs) landings.push(ms);
  }
  return landings;
}

/** What checks of every five minutes see, with a look at the record after each local midnight. */
function simulate(feed: Feed, lasts: number): Seen[] {
  const { cadenceMs, timeZone } = feed;
  const landings = landingsOf(feed, lasts);
  const recordFromMs = landings[0] ?? 0;
  let state = NO_WEEK;
  let recorded = new Map<string, EndpointRecord>();
  let incidents: IncidentsState = { open: [], suspects: {}, lastId: 0, observedAtMs: null };
  let [count, lookedMs, lookedOn] = [1, recordFromMs, dayOf(recordFromMs, timeZone)];
  let previousAsOfMs: number | null = null;
  const seen: Seen[] = [];
  const untilMs = localMs(lasts, 0, timeZone);
  for (let nowMs = recordFromMs; nowMs < untilMs; nowMs += CHECK_MS) {
    while ((landings[count] ?? Infinity) <= nowMs) count += 1;
    const date = dayOf(nowMs, timeZone);
    if (date !== lookedOn) {
      const own = landings.slice(0, count);
      const days = recentDays(timeZone, nowMs);
      const silences = silencesOf(own, cadenceMs, nowMs);
      const evidence = {
        silences,
        syncs: syncsOf(own, cadenceMs, nowMs, days),
        unseen: [],
        failedMs: [],
        recordFromMs,
        untilMs: nowMs,
        cadenceMs,
      };
      const landingsMs = own.filter((ms) => ms > lookedMs);
      state = followWeek(state, { landingsMs, evidence, days, timeZone, nowMs });
      [lookedMs, lookedOn] = [nowMs, date];
    }
    const landedMs = landings[count - 1] ?? null;
    const rows = new Map([["1", rowOf(landedMs ?? 0, cadenceMs)]]);
    const found = completed(findChanges(recorded, rows, nowMs));
    const applied: Applied = completed(
      applySnapshot({
        recorded,
        samples: new Map(),
        rows,
        found,
        histories: new Map([["1", { runs: [], landingsMs: [] }]]),
        blindGaps: [],
        gap: null,
        asOfMs: nowMs,
        previousAsOfMs,
        apiNowMs: nowMs,
        missingForAPoll: new Set(),
        weekOf: () => factsOf(state.week),
      }),
    );
    const { endpoints, changes } = applied;
    ({ state: incidents } = completed(
      watchIncidents(incidents, endpoints, changes, INCIDENT_SETTINGS, []),
    ));
    [recorded, previousAsOfMs] = [endpoints, nowMs];
    seen.push({
      atMs: nowMs,
      date,
      verdict: endpoints.get("1")?.verdict ?? "unknown",
      open: incidents.open.length,
      landedMs,
      week: state.week,
    });
  }
  return seen;
}

const KNOWN = { ...row({}).known, typical_duration_seconds: 0 };
const factsOf = (week: LearnedWeek | null) => (week === null ? null : weekFacts(week));

function rowOf(landedMs: number, cadenceMs: number): ReadSyncStatus {
  return {
    id: "1",
    type: "sync_status",
    attributes: attributesOf(landedMs, cadenceMs),
  };
}

function attributesOf(landedMs: number, cadenceMs: number) {
  const {
    id: _,
    known: _known,
    verdict: _verdict,
    ...attributes
  } = row({
    last_updated_at: iso(landedMs),
    next_sync_at: iso(landedMs + cadenceMs),
    last_sync_started_at: iso(landedMs),
    last_sync_finished_at: iso(landedMs),
    last_sync_duration_seconds: 0,
    frequency_minutes: cadenceMs / MINUTE_MS,
  });
  return attributes;
}

const isWorkday = (date: string) => weekdayOf(date) < 5;
/** The Monday after five weeks, without data. */
const MISSED = 35;
const MISSED_DATE = "2026-11-02";

test.for<[string, number, number, string]>([
  ["hourly", HOUR_MS, 30, "America/New_York"],
  ["every six hours", 6 * HOUR_MS, 45, "Europe/Berlin"],
  ["twice a day", 12 * HOUR_MS, 5 * 60, "UTC"],
  ["daily", DAY_MS, 9 * 60, "America/New_York"],
])(
  "a feed that rests at weekends, %s, has no incident there after four weeks, and a missed Monday is late",
  { timeout: 60_000 },
  ([, cadenceMs, atMinute, timeZone]) => {
    const feed: Feed = {
      cadenceMs,
      atMinute,
      timeZone,
      hasData: (date, day) => isWorkday(date) && day !== MISSED,
    };
    const seen = simulate(feed, MISSED + 1);
    const learnedMs = localMs(29, 0, timeZone);
    const early = seen.filter(({ atMs, date }) => atMs < learnedMs && !isWorkday(date));
    expect(early.some(({ open }) => open > 0)).toBe(true);
    const weekends = seen.filter(({ atMs, date }) => atMs >= learnedMs && !isWorkday(date));
    expect(weekends.length).toBeGreaterThan(500);
    expect(new Set(weekends.map(({ verdict: word }) => word))).toEqual(new Set(["fresh"]));
    expect(weekends.filter(({ open }) => open > 0)).toEqual([]);

    const monday = seen.filter(({ date }) => date === MISSED_DATE);
    const dueMs = localMs(MISSED, atMinute, timeZone);
    const graceMs = Math.min(cadenceMs / 4, 30 * MINUTE_MS);
    const late = monday.find(({ verdict: word }) => word === "late");
    expect(late?.atMs).toBeGreaterThan(dueMs);
    expect(late?.atMs).toBeLessThanOrEqual(dueMs + graceMs + CHECK_MS);
    const opened = monday.find(({ open }) => open > 0);
    expect(opened?.atMs).toBeLessThanOrEqual(
      dueMs + graceMs + CHECK_MS + INCIDENT_SETTINGS.opensAfterMs,
    );
    for (const one of seen.filter(({ week }) => week !== null))
      expect(one.verdict).toBe(replayed(one, feed));
  },
);

/** The verdict by the week that was in force, with all of its rests, as instants. */
function replayed({ atMs, landedMs, week }: Seen, { cadenceMs }: Feed): Verdict {
  const attributes = attributesOf(landedMs ?? 0, cadenceMs);
  const { terms } = verdict(attributes, KNOWN, atMs);
  const all = { fromMs: localMs(-30, 0, "UTC"), untilMs: localMs(100, 0, "UTC") };
  const rests = week === null ? [] : spansWithin(week.spans, week.timeZone, all);
  const sinceMs = (fromMs: number) => atMs - fromMs - restedMs(rests, fromMs, atMs);
  const byDataMs = sinceMs(landedMs ?? 0) - cadenceMs;
  const nextMs = (landedMs ?? 0) + cadenceMs;
  const isInRest = shiftedMs(rests, nextMs, 0) !== nextMs;
  const lateMs = isInRest ? byDataMs : Math.max(byDataMs, sinceMs(nextMs));
  const { graceMs, staleAfterMs } = terms;
  if (byDataMs > (staleAfterMs ?? 0)) return "stale";
  if (lateMs > (graceMs ?? 0)) return "late";
  return lateMs >= 0 ? "due" : "fresh";
}

test("is judged alike by the rests around an instant and by all of them", () => {
  fc.assert(
    fc.property(
      anySpans,
      anyZone,
      fc.integer({ min: 0, max: 70 * 1440 }),
      fc.integer({ min: 0, max: 13 * 1440 }),
      fc.constantFrom(15, 60, 360, 1440),
      (spans, timeZone, nowMinute, ageMinutes, cadence) => {
        const atMs = localMs(0, 0, "UTC") + nowMinute * MINUTE_MS;
        const cadenceMs = cadence * MINUTE_MS;
        const week = { timeZone, spans, cadenceMs, sinceMs: 0 };
        const landedMs = atMs - ageMinutes * MINUTE_MS;
        const known = { ...KNOWN, learned_week: weekFacts(week) };
        const live = verdict(attributesOf(landedMs, cadenceMs), known, atMs).word;
        const seen = { atMs, date: "", verdict: live, open: 0, landedMs, week };
        const feed = { cadenceMs, atMinute: 0, timeZone, hasData: () => true };
        expect(replayed(seen, feed)).toBe(live);
      },
    ),
    { numRuns: 2_000 },
  );
});
