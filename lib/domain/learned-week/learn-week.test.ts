import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePeriods, type Period } from "@/lib/domain/history";
import { dayOf, dayStartMs, localTimeMs } from "@/lib/domain/time/day";
import { row } from "@/lib/domain/row-fixture";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import { learnWeek, recentDays, type WeekEvidence } from "./learn-week";
import { silencesOf, syncsOf } from "./silences";
import { weekFacts } from "./week-facts";
import { overlapping, spansWithin, weekdayOf, weekTime, type WeekSpan } from "./week-span";

const ZONE = "America/New_York";
/** A Monday. */
const BEGIN = "2026-06-01";
const beginMs = dayStartMs(BEGIN, ZONE) ?? 0;
const atMs = (days: number, time = "00:00", timeZone = ZONE) => {
  const date = new Date(Date.parse(`${BEGIN}T00:00:00Z`) + days * DAY_MS).toISOString();
  return localTimeMs(`${date.slice(0, 10)}T${time}`, timeZone) ?? 0;
};
const isWorkday = (date: string) => weekdayOf(date) < 5;

/** Landings each cadence from the record's start on, where `rests` doesn't say otherwise. */
function landingsOf(
  cadenceMs: number,
  untilMs: number,
  rests: (ms: number, date: string) => boolean,
  offsetMs = 0,
): number[] {
  const landings: number[] = [];
  for (let ms = beginMs + offsetMs; ms < untilMs; ms += cadenceMs)
    if (!rests(ms, dayOf(ms, ZONE))) landings.push(ms);
  return landings;
}

function learnedFrom(
  landings: readonly number[],
  evidence: Omit<WeekEvidence, "silences" | "syncs">,
  timeZone: string,
) {
  const { cadenceMs, untilMs } = evidence;
  const days = recentDays(timeZone, untilMs);
  const silences = silencesOf(landings, cadenceMs, untilMs);
  const syncs = syncsOf(landings, cadenceMs, untilMs, days);
  return learnWeek({ ...evidence, silences, syncs }, days);
}

function learned(
  landings: readonly number[],
  cadenceMs: number,
  nowMs: number,
  unseen: Period[] = [],
  failedMs: number[] = [],
) {
  const evidence = { unseen, failedMs, cadenceMs, recordFromMs: beginMs, untilMs: nowMs };
  return learnedFrom(landings, evidence, ZONE);
}

const told = (spans: readonly WeekSpan[]) =>
  spans.map(({ from, until }) => `${weekTime(from)} to ${weekTime(until)}`);

const restsAtWeekends = (_: number, date: string) => !isWorkday(date);

test("learns a weekend after four of them", () => {
  const landings = (days: number) =>
    landingsOf(HOUR_MS, atMs(days), restsAtWeekends, 30 * MINUTE_MS);
  expect(told(learned(landings(26), HOUR_MS, atMs(26, "12:00")))).toEqual([]);
  expect(told(learned(landings(27), HOUR_MS, atMs(27, "00:10")))).toEqual([
    "sat 00:00 to sun 00:00",
  ]);
  expect(told(learned(landings(28), HOUR_MS, atMs(28, "00:10")))).toEqual([
    "sat 00:00 to mon 00:00",
  ]);
});

test("learns the nights of an hourly feed from the first sync that was due", () => {
  const rests = (ms: number, date: string) => {
    const hour = Math.floor((ms - (dayStartMs(date, ZONE) ?? 0)) / HOUR_MS);
    return hour < 8 || hour >= 18 || !isWorkday(date);
  };
  expect(told(learned(landingsOf(HOUR_MS, atMs(35), rests), HOUR_MS, atMs(35, "03:00")))).toEqual([
    "mon 18:00 to tue 08:00",
    "tue 18:00 to wed 08:00",
    "wed 18:00 to thu 08:00",
    "thu 18:00 to fri 08:00",
    "fri 18:00 to mon 08:00",
  ]);
});

test("learns whole weekdays only from a cadence of twelve hours on", () => {
  const daily = landingsOf(DAY_MS, atMs(35), restsAtWeekends, 9 * HOUR_MS);
  expect(told(learned(daily, DAY_MS, atMs(35, "03:00")))).toEqual(["sat 00:00 to mon 00:00"]);
  const halfDaily = landingsOf(
    12 * HOUR_MS,
    atMs(35),
    (_, date) => weekdayOf(date) === 6,
    9 * HOUR_MS,
  );
  expect(told(learned(halfDaily, 12 * HOUR_MS, atMs(35, "03:00")))).toEqual([
    "sun 00:00 to mon 00:00",
  ]);
});

test("needs eight syncs that were due: a daily feed without Sundays had four", () => {
  const daily = landingsOf(DAY_MS, atMs(56), (_, date) => weekdayOf(date) === 6, 9 * HOUR_MS);
  expect(learned(daily, DAY_MS, atMs(56, "03:00"))).toEqual([]);
});

test("learns nothing beside the hour of a daily feed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -120, max: 120 }), { minLength: 56, maxLength: 56 }),
      fc.integer({ min: 2 * 60, max: 22 * 60 }),
      (late, minute) => {
        const landings = late.map((minutes, day) => atMs(day) + (minute + minutes) * MINUTE_MS);
        expect(learned(landings, DAY_MS, atMs(56, "01:00"))).toEqual([]);
      },
    ),
  );
});

test("takes four other days for one that wasn't seen, and doesn't learn without them", () => {
  const landings = landingsOf(HOUR_MS, atMs(35), restsAtWeekends);
  const saturday = { fromMs: atMs(26, "06:00"), untilMs: atMs(26, "08:00") };
  expect(told(learned(landings, HOUR_MS, atMs(28, "03:00"), [saturday]))).toEqual([
    "sun 00:00 to mon 00:00",
  ]);
  expect(told(learned(landings, HOUR_MS, atMs(35, "03:00"), [saturday]))).toEqual([
    "sat 00:00 to mon 00:00",
  ]);
  const short = { fromMs: atMs(26, "06:00"), untilMs: atMs(26, "06:59") };
  expect(told(learned(landings, HOUR_MS, atMs(28, "03:00"), [short]))).toEqual([
    "sat 00:00 to mon 00:00",
  ]);
});

test("doesn't take a time for quiet in which a later landing may hide earlier ones", () => {
  const unseen = { fromMs: atMs(20, "23:30"), untilMs: atMs(21, "00:20") };
  const landings = landingsOf(HOUR_MS, atMs(28), restsAtWeekends, 10 * MINUTE_MS);
  // Seen after it: the landing of Monday at 00:10.
  expect(told(learned(landings, HOUR_MS, atMs(28, "03:00"), [unseen]))).toEqual([
    "sat 00:00 to sun 23:20",
  ]);
});

test("doesn't take a silence with a failed run for a rest", () => {
  const landings = landingsOf(HOUR_MS, atMs(35), restsAtWeekends);
  const [first = 0, ...others] = [5, 12, 19, 26, 33].map((day) => atMs(day, "09:00"));
  expect(learned(landings, HOUR_MS, atMs(35, "03:00"), [], [first, ...others])).toEqual([]);
  expect(told(learned(landings, HOUR_MS, atMs(35, "03:00"), [], [first]))).toEqual([
    "sat 00:00 to mon 00:00",
  ]);
  expect(learned(landings, HOUR_MS, atMs(35, "03:00"), [], others.slice(0, 2))).toEqual([]);
});

test("learns nothing from a feed that has stopped, or is always late", () => {
  const hourly = landingsOf(HOUR_MS, atMs(21), () => false);
  for (const days of [22, 24, 27, 30, 40, 60, 80])
    expect(learned(hourly, HOUR_MS, atMs(days, "12:00"))).toEqual([]);
  // Due every quarter of an hour, and received every hour.
  const quarterly = 15 * MINUTE_MS;
  expect(
    learned(
      landingsOf(HOUR_MS, atMs(40), () => false),
      quarterly,
      atMs(40, "12:00"),
    ),
  ).toEqual([]);
  const weekly = landingsOf(7 * DAY_MS, atMs(70), () => false);
  expect(learned(weekly, HOUR_MS, atMs(70, "12:00"))).toEqual([]);
});

test.for([22, 24, 27, 28, 29, 40, 50, 55, 57])(
  "learns nothing from a feed that has landed one sync in six, or a day, for %i days",
  (days) => {
    const nowMs = atMs(58, "00:30");
    for (const hours of [6, 24]) {
      const misses = (ms: number) =>
        ms > atMs(58 - days) && Math.round((ms - beginMs) / HOUR_MS) % hours !== 0;
      expect(learned(landingsOf(HOUR_MS, nowMs, misses), HOUR_MS, nowMs)).toEqual([]);
    }
  },
);

test("a feed that misses half of its syncs or more is never judged better by what is learned", () => {
  const anyDegraded = fc.record({
    cadence: fc.constantFrom(15, 30, 60, 240, 720, 1440),
    /** Cadences between two landings. */
    every: fc.oneof(fc.integer({ min: 2, max: 48 }), fc.double({ min: 2, max: 30, noNaN: true })),
    /** In place of each landing, within a quarter of the cadence. */
    burst: fc.integer({ min: 1, max: 5 }),
    /** Thousandths of the cadence by which data is early or late. */
    jitter: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 40 }),
    days: fc.integer({ min: 1, max: 60 }),
    timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
    judgedAfter: fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 5 }),
  });
  let overdue = 0;
  fc.assert(
    fc.property(anyDegraded, (given) => {
      const { every, burst, jitter, days, timeZone, judgedAfter } = given;
      const cadenceMs = given.cadence * MINUTE_MS;
      const nowMs = beginMs + 60 * DAY_MS;
      const landings: number[] = [];
      let ms = beginMs;
      for (let n = 0; ms < nowMs; n += 1) {
        const lateMs = ((jitter[n % jitter.length] ?? 0) * cadenceMs) / 1000;
        const isDegraded = ms >= nowMs - days * DAY_MS;
        for (let at = 0; at < (isDegraded ? burst : 1); at += 1)
          landings.push(Math.round(ms + lateMs + (at * cadenceMs) / 4 / burst));
        ms += isDegraded ? every * cadenceMs : cadenceMs;
      }
      const seen = landings.filter((landedMs) => landedMs < nowMs);
      const evidence = {
        unseen: [],
        failedMs: [],
        recordFromMs: beginMs,
        untilMs: nowMs,
        cadenceMs,
      };
      const spans = learnedFrom(seen, evidence, timeZone);
      const week = spans.length === 0 ? null : { timeZone, spans, cadenceMs, sinceMs: nowMs };
      const {
        id: _id,
        known,
        verdict: _verdict,
        ...attributes
      } = row({
        last_updated_at: iso(seen.at(-1) ?? nowMs),
        next_sync_at: null,
        frequency_minutes: given.cadence,
      });
      const learnedWeek = week === null ? null : weekFacts(week);
      for (const after of judgedAfter) {
        const judgedMs = nowMs + after * DAY_MS;
        const without = verdict(attributes, known, judgedMs).word;
        const word = verdict(attributes, { ...known, learned_week: learnedWeek }, judgedMs).word;
        if (without === "late" || without === "stale") overdue += 1;
        expect(word).toBe(without);
      }
    }),
    { numRuns: 500 },
  );
  expect(overdue).toBeGreaterThan(500);
});

test("learns no more spans than a habit has, and none at a cadence below 15 minutes", () => {
  const rests = (times: number) => {
    const apartMs = DAY_MS / times;
    return (ms: number) => (ms - beginMs) % apartMs >= apartMs / 2;
  };
  const spans = (times: number, minutes: number) => {
    const cadenceMs = minutes * MINUTE_MS;
    return learned(landingsOf(cadenceMs, atMs(35), rests(times)), cadenceMs, atMs(35)).length;
  };
  expect(spans(4, 15)).toBe(28);
  expect(spans(5, 15)).toBe(0);
  expect(spans(4, 14)).toBe(0);
});

test("learns nothing from what is before its record at this cadence", () => {
  const quarterly = landingsOf(15 * MINUTE_MS, atMs(19), () => false);
  // Since then due daily, with data on Mondays and Thursdays only.
  const misses = (ms: number, date: string) => ms < atMs(19) || ![0, 3].includes(weekdayOf(date));
  const daily = landingsOf(DAY_MS, atMs(59), misses, 6 * HOUR_MS);
  const nowMs = atMs(59, "00:30");
  const at = { unseen: [], failedMs: [], cadenceMs: DAY_MS, untilMs: nowMs };
  for (const landings of [daily, [...quarterly, ...daily]])
    expect(learnedFrom(landings, { ...at, recordFromMs: atMs(19) }, ZONE)).toEqual([]);
});

test("doesn't take the part of a silence before its record for quiet", () => {
  const landings = landingsOf(HOUR_MS, atMs(33), restsAtWeekends);
  const at = { unseen: [], failedMs: [], cadenceMs: HOUR_MS, untilMs: atMs(33) };
  const weekend = (recordFromMs: number) =>
    told(learnedFrom(landings, { ...at, recordFromMs }, ZONE));
  expect(weekend(atMs(4))).toEqual(["sat 00:00 to mon 00:00"]);
  expect(weekend(atMs(5, "00:30"))).toEqual(["sat 01:30 to mon 00:00"]);
});

test("follows local time when the clocks change", () => {
  const begin = Date.parse("2026-09-28T00:00:00Z");
  const landings: number[] = [];
  for (let ms = begin; ms < begin + 42 * DAY_MS; ms += HOUR_MS)
    if (isWorkday(dayOf(ms, "Europe/Berlin"))) landings.push(ms);
  const nowMs = Date.parse("2026-11-09T00:30:00Z");
  const evidence = {
    unseen: [],
    failedMs: [],
    recordFromMs: begin,
    untilMs: nowMs,
    cadenceMs: HOUR_MS,
  };
  const spans = learnedFrom(landings, evidence, "Europe/Berlin");
  expect(told(spans)).toEqual(["sat 00:00 to mon 00:00"]);
  const within = { fromMs: Date.parse("2026-10-22T00:00:00Z"), untilMs: nowMs };
  expect(
    spansWithin(spans, "Europe/Berlin", within).map((one) => [
      new Date(one.fromMs).toISOString(),
      (one.untilMs - one.fromMs) / HOUR_MS,
    ]),
  ).toEqual([
    ["2026-10-23T22:00:00.000Z", 49],
    ["2026-10-30T23:00:00.000Z", 48],
    ["2026-11-06T23:00:00.000Z", 48],
  ]);
});

test("is never quiet where one of the last four days had data", () => {
  const anyFeed = fc.record({
    cadence: fc.constantFrom(15, 60, 180, 720, 1440),
    /** Per hour of the week: whether the feed rests, as a habit. */
    rests: fc.array(fc.boolean(), { minLength: 28, maxLength: 28 }),
    timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin"),
    jitter: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }),
  });
  fc.assert(
    fc.property(anyFeed, ({ cadence, rests, timeZone, jitter }) => {
      const cadenceMs = cadence * MINUTE_MS;
      // Without a change of the clocks.
      const fromMs = dayStartMs("2026-06-01", timeZone) ?? 0;
      const untilMs = fromMs + 35 * DAY_MS;
      const landings: number[] = [];
      for (let ms = fromMs, n = 0; ms < untilMs; ms += cadenceMs, n += 1)
        if (rests[Math.floor((ms - fromMs) / (6 * HOUR_MS)) % 28] === false)
          landings.push(ms + (jitter[n % jitter.length] ?? 0) * 1000);
      const evidence = {
        unseen: [],
        failedMs: [],
        recordFromMs: fromMs,
        untilMs,
        cadenceMs,
      };
      const spans = learnedFrom(landings, evidence, timeZone);
      const within = { fromMs: untilMs - 28 * DAY_MS, untilMs };
      const quiet = spansWithin(spans, timeZone, within);
      expect(mergePeriods(quiet, within)).toEqual(quiet);
      for (const { fromMs: from, untilMs: until } of quiet) {
        expect(landings.filter((ms) => from < ms && ms < until)).toEqual([]);
        expect(until - from).toBeGreaterThan(0);
      }
    }),
  );
});

test("walks failures and unseen time once, however many there are", () => {
  // Five syncs land every six hours, and each silence between has failures, or was partly unseen.
  const cadenceMs = 20 * MINUTE_MS;
  const begins = landingsOf(6 * HOUR_MS, atMs(56), () => false);
  const landings = begins.flatMap((ms) => [0, 1, 2, 3, 4].map((at) => ms + at * cadenceMs));
  const within = (ms: number) => Array.from({ length: 9 }, (_, at) => ms + (100 + at) * MINUTE_MS);
  const [failed, unseen] = [
    counted(begins.flatMap(within)),
    counted(begins.flatMap(within).map((ms) => ({ fromMs: ms, untilMs: ms + 1000 }))),
  ];
  const nowMs = atMs(56, "01:00");
  learned(landings, cadenceMs, nowMs, [], failed.list);
  expect(learned(landings, cadenceMs, nowMs, unseen.list)).not.toEqual([]);
  for (const { list, reads } of [failed, unseen]) {
    expect(reads()).toBeGreaterThan(list.length / 2);
    expect(reads()).toBeLessThan(4 * (list.length + landings.length));
  }
});

/** A list that counts how often its elements are read. */
function counted<T>(given: T[]): { list: T[]; reads: () => number } {
  let reads = 0;
  const list = new Proxy(given, {
    get(of, key, receiver): unknown {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(of, key, receiver);
    },
  });
  return { list, reads: () => reads };
}

test("finds the periods of a range as a search through all of them does", () => {
  const edges = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 20 });
  fc.assert(
    fc.property(edges, fc.integer({ max: 60 }), fc.nat(60), (given, fromMs, length) => {
      const at = given.toSorted((a, b) => a - b);
      const all = at.flatMap((from, place) => {
        const untilMs = at[place + 1];
        return place % 2 === 1 || untilMs === undefined ? [] : [{ fromMs: from, untilMs }];
      });
      const untilMs = fromMs + length;
      expect(overlapping(all, { fromMs, untilMs })).toEqual(
        all.filter((one) => one.untilMs > fromMs && one.fromMs < untilMs),
      );
    }),
  );
});
