import fc from "fast-check";
import { expect, test } from "vitest";
import { restsWithin as domainRests } from "@/lib/domain/learned-week/rest";
import { anyWeek } from "@/lib/domain/learned-week/week-fixture";
import { agedRow } from "@/lib/domain/row-fixture";
import type { Scene } from "../../simulation";
import type { Feed } from "../../world";
import { createFalseGreenCheck } from "../no-false-green";
import type { RecordedRow } from "../observations";
import { companyNamed, instanceAt, sceneWith } from "../scene-fixture";
import { createVerdictsCheck } from "../verdicts";
import { notQuiet } from "./quiet-days";
import { restsWithin, type Week } from "./rests";
import { createWeeksInForce, weekOf, type RecordedDay, type RecordedWeek } from "./weeks-in-force";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();
/** A Monday. */
const MONDAY_MS = Date.parse("2026-11-23T00:00:00Z");
/** A feed of a cadence of an hour that rests at weekends has data until then. */
const LANDED_MS = MONDAY_MS - 2 * DAY_MS;
const AT_MS = MONDAY_MS - 6 * HOUR_MS;

const RECORDED: RecordedWeek = {
  endpoint_id: "f",
  from_at: iso(MONDAY_MS - 8 * DAY_MS),
  until_at: null,
  time_zone: "UTC",
  spans: [{ from: 5 * 1_440, until: 7 * 1_440 }],
  cadence_ms: HOUR_MS,
  since_at: iso(MONDAY_MS - 8 * DAY_MS),
};
const WEEK = weekOf(RECORDED);
const MISSED: RecordedDay = {
  endpoint_id: "f",
  deadline_id: "p",
  date: "2026-11-21",
  outcome: "missed",
  received_at: null,
};

const attributes = {
  ...agedRow(0),
  last_updated_at: iso(LANDED_MS),
  frequency_minutes: 60,
  next_sync_at: null,
};
const rowWith = (verdict: string, week: Week | null) =>
  ({
    endpoint_id: "f",
    partner_name: "P",
    raw: { attributes },
    verdict,
    missed_snapshots: 0,
    removed_at: null,
    typical_duration_seconds: null,
    failures_in_a_row: 0,
    failing_since: null,
    last_finished_status: null,
    last_finished_at: null,
    learned_frequency_minutes: null,
    learned_week: week,
  }) as unknown as RecordedRow;

/** Checks on the weekend at which a feed was recorded so. */
function check(
  {
    verdict,
    named,
    lookedMs = AT_MS - HOUR_MS,
  }: { verdict: string; named: Week | null; lookedMs?: number },
  { week, day, checks = 1 }: { week?: RecordedWeek; day?: RecordedDay; checks?: number } = {},
): void {
  const weeks = createWeeksInForce();
  weeks.look(iso(lookedMs));
  if (week !== undefined) weeks.week(week);
  if (day !== undefined) weeks.day(day);
  weeks.checked();
  const judge = createVerdictsCheck();
  for (let at = 0; at < checks; at += 1)
    judge({ company: "a", atMs: AT_MS, gap: null, rows: [rowWith(verdict, named)] }, weeks);
}

test("verdicts: in a learned week that is in force, data doesn't get older", () => {
  expect(() => check({ verdict: "fresh", named: WEEK }, { week: RECORDED })).not.toThrow();
});

test.each([
  ["isn't on record", {}],
  ["has ended", { week: { ...RECORDED, until_at: iso(AT_MS) } }],
  ["is of another cadence", { week: { ...RECORDED, cadence_ms: 2 * HOUR_MS } }],
  ["has other times", { week: { ...RECORDED, spans: [{ from: 5 * 1_440, until: 6 * 1_440 }] } }],
  ["isn't applied while data of a missed promise is awaited", { week: RECORDED, day: MISSED }],
])("verdicts: a false green by a learned week that %s is found", (_title, given) => {
  expect(() => check({ verdict: "fresh", named: WEEK }, given)).toThrow("by the table it is stale");
});

test("verdicts: a false green by a learned week that no look confirmed for nine days is found", () => {
  const row = { verdict: "fresh", named: WEEK, lookedMs: AT_MS - 9 * DAY_MS };
  expect(() => check(row, { week: RECORDED })).toThrow("by the table it is stale");
});

test("verdicts: a false red in spite of a learned week is found", () => {
  expect(() => check({ verdict: "stale", named: WEEK }, { week: RECORDED })).toThrow(
    "by the table it is fresh",
  );
  const without = { verdict: "stale", named: null };
  expect(() => check(without, { week: RECORDED, checks: 3 })).not.toThrow();
  expect(() => check(without, { week: RECORDED, checks: 4 })).toThrow(
    "without the learned week that is in force",
  );
});

/** An hourly feed. @param rests whether it has no data at an instant */
const feedThat = (rests: (ms: number) => boolean) =>
  ({
    id: "f",
    landingAt(ms: number) {
      let atMs = Math.floor(ms / HOUR_MS) * HOUR_MS;
      while (rests(atMs)) atMs -= HOUR_MS;
      return { finishedMs: atMs };
    },
  }) as unknown as Feed;
const isWeekend = (ms: number) => [0, 6].includes(new Date(ms).getUTCDay());
const RESTING = feedThat(isWeekend);
/** It began to rest three weeks ago. */
const NEWLY_RESTING = feedThat((ms) => isWeekend(ms) && ms > MONDAY_MS - 21 * DAY_MS);

test("learned weeks: one of a feed that doesn't rest is found", () => {
  const at = { fromMs: MONDAY_MS - 30 * DAY_MS, untilMs: MONDAY_MS, skewMs: 0 };
  expect(notQuiet(RESTING, WEEK, at)).toBeNull();
  expect(notQuiet(NEWLY_RESTING, WEEK, at)).toContain("no data came on only 3 of its days (sat)");
  const later = { ...at, fromMs: MONDAY_MS - 20 * DAY_MS };
  expect(notQuiet(RESTING, WEEK, later)).toContain("on only 3 of its days");
  const longer = { ...WEEK, spans: [{ from: "sat 00:00", until: "mon 01:00" }] };
  expect(notQuiet(RESTING, longer, at)).toContain("(mon)");
});

test("learned weeks: the first response tells of silence before it", () => {
  const saturdayNoonMs = MONDAY_MS - 22.5 * DAY_MS;
  const at = { fromMs: saturdayNoonMs, untilMs: MONDAY_MS, skewMs: 0 };
  expect(notQuiet(RESTING, WEEK, at)).toBeNull();
});

test("no false green: quiet times count only if truly no data came in them", () => {
  const instance = instanceAt(AT_MS);
  const row = { ...agedRow(0), ...attributes, id: "f" };
  row.known = { ...row.known, learned_week: { ...WEEK, spans: [...WEEK.spans] } };
  const view = { ...instance.view("a"), rows: [row] };
  view.source = { ...view.source, api_clock_offset_ms: 0 };
  const told = (atMs: number) => ({
    atMs,
    company: "a",
    arrivedMs: atMs,
    dateMs: atMs,
    rows: [{ id: "f", attributes }],
    path: "/sync_status",
    page: { page: 1, of: 1, count: 1 },
  });
  const scene = (feed: Feed) =>
    sceneWith({
      time: { nowMs: () => AT_MS } as Scene["time"],
      world: {
        startMs: AT_MS - 30 * DAY_MS,
        companies: [{ ...companyNamed("a", 1), feeds: [feed] }],
      },
      api: { seen: [told(LANDED_MS), told(AT_MS)], skewMs: () => 0 } as unknown as Scene["api"],
      instances: () => [{ ...instance, view: () => view }],
    });
  expect(() => createFalseGreenCheck()(scene(RESTING))).not.toThrow();
  expect(() => createFalseGreenCheck()(scene(NEWLY_RESTING))).toThrow(
    "a f is shown as fresh, but its data is 2520 min old",
  );
});

test("rests are when the domain's rule has them, around changes of the clocks as well", () => {
  const anyMs = fc.integer({ min: 0, max: 365 * 24 }).map((hours) => MONDAY_MS + hours * HOUR_MS);
  fc.assert(
    fc.property(anyWeek, anyMs, (week, fromMs) => {
      const within = { fromMs, untilMs: fromMs + 20 * DAY_MS };
      const clipped = restsWithin(week, within).map((rest) => ({
        fromMs: Math.max(rest.fromMs, within.fromMs),
        untilMs: Math.min(rest.untilMs, within.untilMs),
      }));
      expect(clipped).toEqual(domainRests(week, within));
    }),
    { numRuns: 200 },
  );
});
