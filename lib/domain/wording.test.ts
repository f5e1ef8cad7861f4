import { NOTHING_KNOWN } from "./known";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Known, SyncAttributes } from "./sync";
import { SOURCE_REASONS } from "./sync";
import { verdict } from "./verdict";
import {
  absoluteTime,
  ago,
  atMoment,
  clockTime,
  clockTimeWithSeconds,
  confidenceNote,
  datedMoment,
  dayAndZone,
  duration,
  endpointSentence,
  frozenWord,
  moment,
  nextSyncText,
  reasonSentence,
  runDuration,
  runOutcomeText,
  sourceReasonSentence,
  span,
  zoneName,
} from "./wording";

const ZONE = "Europe/Berlin";
const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const WHEN = { nowMs: NOW_MS, timeZone: ZONE };
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("durations", () => {
  test.each([
    [0, "0 s"],
    [41_999, "41 s"],
    [59_999, "59 s"],
    [MINUTE_MS, "1 m"],
    [9 * MINUTE_MS + 59_999, "9 m"],
    [HOUR_MS, "1 h 00 m"],
    [66 * MINUTE_MS, "1 h 06 m"],
    [130 * MINUTE_MS, "2 h 10 m"],
    [26 * HOUR_MS + 12 * MINUTE_MS, "26 h 12 m"],
    [2 * DAY_MS - 1, "47 h 59 m"],
    [2 * DAY_MS, "2 d 0 h"],
    [3 * DAY_MS + 4 * HOUR_MS, "3 d 4 h"],
    [-5000, "0 s"],
    [Number.NaN, "not known"],
  ])("%d ms reads %j", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test("runs are told to the second up to an hour", () => {
    expect(runDuration(14_000)).toBe("14 s");
    expect(runDuration(92_000)).toBe("1 m 32 s");
    expect(runDuration(10 * MINUTE_MS)).toBe("10 m 00 s");
    expect(runDuration(64 * MINUTE_MS)).toBe("1 h 04 m");
  });

  test("cadences and allowances leave empty units out", () => {
    expect(span(15 * MINUTE_MS)).toBe("15 m");
    expect(span(HOUR_MS)).toBe("1 h");
    expect(span(90 * MINUTE_MS)).toBe("1 h 30 m");
    expect(span(20 * HOUR_MS)).toBe("20 h");
    expect(span(7 * DAY_MS)).toBe("7 d");
  });

  test("a duration never claims more than has passed, and has two units at most", () => {
    const unitMs = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 * DAY_MS }), (ms) => {
        const parts = duration(ms).split(" ");
        expect([2, 4]).toContain(parts.length);
        let told = 0;
        for (let index = 0; index < parts.length; index += 2)
          told += Number(parts[index]) * unitMs[parts[index + 1] as keyof typeof unitMs];
        expect(told).toBeLessThanOrEqual(ms);
        expect(ms - told).toBeLessThan(unitMs[parts.at(-1) as keyof typeof unitMs]);
      }),
    );
  });

  test("ago", () => {
    expect(ago(3 * MINUTE_MS)).toBe("3 m ago");
  });
});

describe("clock times", () => {
  test("absolute time names the zone and the day", () => {
    expect(absoluteTime(Date.parse("2026-11-19T11:22:07Z"), ZONE)).toBe(
      "12:22:07 CET, Thu 19 Nov 2026",
    );
    expect(absoluteTime(Date.parse("2026-09-01T22:00:00Z"), "UTC")).toBe(
      "22:00:00 UTC, Tue 1 Sep 2026",
    );
  });

  test("midnight is 00, not 24", () => {
    expect(clockTime(Date.parse("2026-11-18T23:00:00Z"), ZONE)).toBe("00:00");
  });

  test("the clock has seconds, its zone and its day", () => {
    expect(clockTimeWithSeconds(NOW_MS, ZONE)).toBe("14:32:07");
    expect(zoneName(NOW_MS, ZONE)).toBe("CET");
    expect(dayAndZone(NOW_MS, ZONE)).toBe("Thu 19 Nov 2026, CET");
  });

  test("in a sentence a moment of another day has its date", () => {
    const wednesday = Date.parse("2026-11-18T17:20:00Z");
    expect(datedMoment(NOW_MS - 70 * MINUTE_MS, NOW_MS, ZONE)).toBe("13:22");
    expect(datedMoment(wednesday, NOW_MS, ZONE)).toBe("Wed 18 Nov, 18:20");
    expect(datedMoment(wednesday, Date.parse("2027-01-02T12:00:00Z"), ZONE)).toBe(
      "Wed 18 Nov 2026, 18:20",
    );
    expect(atMoment(NOW_MS - 70 * MINUTE_MS, NOW_MS, ZONE)).toBe("at 13:22");
    expect(atMoment(wednesday, NOW_MS, ZONE)).toBe("on Wed 18 Nov at 18:20");
    expect(atMoment(Number.NaN, NOW_MS, ZONE)).toBe("at an unknown time");
  });

  test("the zone is one that people say", () => {
    expect(absoluteTime(NOW_MS, "America/New_York")).toBe("08:32:07 EST, Thu 19 Nov 2026");
    expect(absoluteTime(NOW_MS, "Asia/Kathmandu")).toBe("19:17:07 Kathmandu time, Thu 19 Nov 2026");
    expect(dayAndZone(NOW_MS, "Asia/Tokyo")).toBe("Thu 19 Nov 2026, JST");
  });

  test("where room is short a moment names its day unless it is today", () => {
    expect(moment(NOW_MS - 70 * MINUTE_MS, NOW_MS, ZONE)).toBe("13:22");
    expect(moment(Date.parse("2026-11-18T17:20:00Z"), NOW_MS, ZONE)).toBe("Wed 18:20");
    expect(moment(Date.parse("2026-11-12T17:20:00Z"), NOW_MS, ZONE)).toBe("Thu 12 Nov, 18:20");
    expect(moment(Date.parse("2025-11-19T13:20:00Z"), NOW_MS, ZONE)).toBe("Wed 19 Nov 2025, 14:20");
  });

  test("today is today in the reader's zone", () => {
    const lateEvening = Date.parse("2026-11-18T23:30:00Z");
    expect(moment(lateEvening, NOW_MS, ZONE)).toBe("00:30");
    expect(moment(lateEvening, NOW_MS, "UTC")).toBe("Wed 23:30");
  });

  test("an instant that is none throws nothing", () => {
    for (const ms of [Number.NaN, Infinity, 9e15])
      expect([clockTime(ms, ZONE), absoluteTime(ms, ZONE), moment(ms, NOW_MS, ZONE)]).toEqual([
        "not known",
        "not known",
        "not known",
      ]);
  });

  test("the next sync has no countdown below a minute", () => {
    const next = (ms: number) => nextSyncText(NOW_MS + ms, NOW_MS, ZONE);
    expect(next(13 * MINUTE_MS + 5)).toBe("in 13 m");
    expect(next(MINUTE_MS)).toBe("in 1 m");
    expect(next(MINUTE_MS - 1)).toBe("under 1 m");
    expect(next(0)).toBe("now");
    expect(next(-MINUTE_MS + 1)).toBe("now");
    expect(next(-70 * MINUTE_MS)).toBe("was due 13:22");
    expect(nextSyncText(null, NOW_MS, ZONE)).toBe("");
  });
});

describe("words", () => {
  test("a frozen verdict is told in the past, with its time", () => {
    expect(frozenWord("fresh", NOW_MS - 30 * MINUTE_MS, NOW_MS, ZONE)).toBe("was fresh at 14:02");
    expect(frozenWord("fresh", NOW_MS - DAY_MS, NOW_MS, ZONE)).toBe("was fresh Wed 14:32");
  });

  test("run outcomes are words, and an unknown one is shown as given", () => {
    expect(runOutcomeText("in_progress")).toBe("Running");
    expect(runOutcomeText(null)).toBe("");
    expect(runOutcomeText("exploded")).toBe("Unknown value “exploded”");
  });
});

function sentenceFor(changes: Partial<SyncAttributes>, record: Partial<Known> = {}): string {
  const row: SyncAttributes = {
    endpoint_key: "daily_logs",
    partner_name: "Procore",
    status: "active",
    last_updated_at: at(-9),
    next_sync_at: null,
    last_sync_status: "completed",
    last_sync_started_at: at(-10),
    last_sync_finished_at: at(-9),
    last_sync_duration_seconds: null,
    frequency_minutes: 60,
    api_calls_last_24h: 0,
    ...changes,
  };
  const known: Known = { ...NOTHING_KNOWN, ...record };
  const judgement = verdict(row, known, NOW_MS);
  return endpointSentence({ partnerName: "Procore", endpointKey: "daily_logs", judgement }, WHEN);
}

function at(minutes: number): string {
  return new Date(NOW_MS + minutes * MINUTE_MS).toISOString();
}

describe("sentences of an endpoint", () => {
  test("failing tells the streak, the data and the next attempt", () => {
    expect(
      sentenceFor(
        {
          last_updated_at: at(-171),
          last_sync_status: "failed",
          last_sync_finished_at: at(-11),
          next_sync_at: at(19),
        },
        { failures_in_a_row: 5 },
      ),
    ).toBe(
      "Procore / daily_logs is failing: 5 runs in a row didn’t complete, the last at 14:21. Data is 2 h 51 m old, 1 h 51 m overdue. Next attempt at 14:51.",
    );
  });

  test("failing for one failure tells what made it count", () => {
    const timedOut = { last_sync_status: "timed_out", last_sync_finished_at: at(-11) };
    expect(sentenceFor({ ...timedOut, last_updated_at: null })).toBe(
      "Procore / daily_logs is failing: the last run timed out at 14:21 and no data has been received.",
    );
    expect(sentenceFor({ ...timedOut, last_updated_at: at(-80) })).toBe(
      "Procore / daily_logs is failing: the last run timed out at 14:21 and the data is overdue. Data is 1 h 20 m old, 20 m overdue.",
    );
  });

  test("a stuck run is told with what is usual", () => {
    expect(
      sentenceFor(
        {
          frequency_minutes: 15,
          last_updated_at: at(-41),
          last_sync_status: "in_progress",
          last_sync_started_at: at(-33),
          last_sync_finished_at: null,
        },
        { typical_duration_seconds: 120 },
      ),
    ).toBe(
      "Procore / daily_logs is failing: its run looks stuck: 33 m so far, rarely longer than 2 m. Data is 41 m old, 26 m overdue.",
    );
  });

  test("late and stale tell age and lateness apart", () => {
    expect(sentenceFor({ last_updated_at: at(-130), next_sync_at: at(13) })).toBe(
      "Procore / daily_logs is late: data is 2 h 10 m old, 1 h 10 m overdue. Next sync at 14:45.",
    );
    expect(sentenceFor({ frequency_minutes: 120, last_updated_at: at(-580) })).toBe(
      "Procore / daily_logs is stale: data is 9 h 40 m old, 7 h 40 m overdue. Expected every 2 h.",
    );
  });

  test("a learned cadence is named as such", () => {
    expect(
      sentenceFor(
        { frequency_minutes: null, last_updated_at: at(-80) },
        { learned_frequency_minutes: 60 },
      ),
    ).toBe(
      "Procore / daily_logs is late: data is 1 h 20 m old, 20 m overdue. Expected every 1 h (learned).",
    );
  });

  test("late by a missed sync names the moment that it was due", () => {
    expect(sentenceFor({ last_updated_at: at(-55), next_sync_at: at(-40) })).toBe(
      "Procore / daily_logs is late: no data received since the sync due at 13:52, 40 m overdue. Data is 55 m old.",
    );
  });

  test("unknown tells what is missing", () => {
    expect(sentenceFor({ last_updated_at: null })).toBe(
      "Procore / daily_logs is unknown: no data received since the last recorded sync.",
    );
    expect(sentenceFor({ frequency_minutes: null, next_sync_at: at(30) })).toBe(
      "Procore / daily_logs is unknown: no cadence known. Data is 9 m old. Next sync at 15:02.",
    );
    expect(sentenceFor({ next_sync_at: at(30) }, { reported: false })).toBe(
      "Procore / daily_logs is unknown: missing from the latest check. Data is 9 m old.",
    );
  });

  test("due and fresh tell the expectation, and that it was learned", () => {
    expect(sentenceFor({ last_updated_at: at(-66) })).toBe(
      "Procore / daily_logs is due: data is 1 h 06 m old, 6 m overdue, within the 15 m allowance.",
    );
    expect(sentenceFor({ frequency_minutes: 30 })).toBe(
      "Procore / daily_logs is fresh: data is 9 m old, expected every 30 m.",
    );
    expect(sentenceFor({ frequency_minutes: null }, { learned_frequency_minutes: 60 })).toBe(
      "Procore / daily_logs is fresh: data is 9 m old, expected every 1 h (learned).",
    );
  });

  test("what accompanies the verdict follows it", () => {
    expect(sentenceFor({ last_sync_status: "rate_limited", last_sync_finished_at: at(-2) })).toBe(
      "Procore / daily_logs is fresh: data is 9 m old, expected every 1 h. The last run was rate limited by the partner at 14:30.",
    );
  });

  test("webhook and paused have no cadence to be late by", () => {
    expect(sentenceFor({ status: "webhook", last_updated_at: at(-3) })).toBe(
      "Procore / daily_logs is sent by webhook: no fixed schedule. Last event 3 m ago.",
    );
    expect(sentenceFor({ status: "webhook", last_updated_at: null })).toBe(
      "Procore / daily_logs is sent by webhook: no fixed schedule. No event seen.",
    );
    expect(sentenceFor({ status: "inactive", last_updated_at: at(-6 * 24 * 60) })).toBe(
      "Procore / daily_logs is paused: inactive at the source. Last data 6 d 0 h ago.",
    );
  });

  test("no combination writes a hole into a sentence", () => {
    const instant = fc.option(fc.integer({ min: -9000, max: 60 }).map(at));
    const outcome = fc.option(
      fc.constantFrom("completed", "failed", "in_progress", "timed_out", "rate_limited", "odd"),
    );
    fc.assert(
      fc.property(
        fc.record({
          status: fc.constantFrom("active", "inactive", "webhook", "odd"),
          last_updated_at: instant,
          next_sync_at: instant,
          last_sync_status: outcome,
          last_sync_started_at: instant,
          last_sync_finished_at: instant,
          frequency_minutes: fc.option(fc.constantFrom(15, 60, 1440)),
        }),
        fc.record({
          failures_in_a_row: fc.nat({ max: 3 }),
          last_finished_status: outcome,
          last_finished_at: instant,
          reported: fc.boolean(),
        }),
        (changes, record) => {
          const text = sentenceFor(changes, record);
          expect(text).not.toMatch(/null|undefined|NaN|not known|-\d| {2}|\.\./);
          expect(text).toMatch(/^Procore \/ daily_logs is [a-z ]+: .+\.$/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("our own picture", () => {
  test("every reason has a sentence of our own", () => {
    for (const reason of SOURCE_REASONS)
      expect(sourceReasonSentence(reason, { ...WHEN, resetMs: null })).toMatch(/^[A-Z].+\.$/);
  });

  test("a rate limit says until when, unless that has passed", () => {
    const limited = (resetMs: number) => sourceReasonSentence("rate_limited", { ...WHEN, resetMs });
    expect(limited(NOW_MS + 33 * MINUTE_MS)).toBe("Rate limited until 15:05.");
    expect(limited(NOW_MS - 1)).toBe("Rate limited by the source.");
  });

  test("the note is quiet while live, and says what happens next otherwise", () => {
    const note = (confidence: "live" | "delayed" | "blind", minutesAgo: number | null) =>
      confidenceNote(confidence, {
        ...WHEN,
        lastSuccessMs: minutesAgo === null ? null : NOW_MS - minutesAgo * MINUTE_MS,
        frozenFromMs: minutesAgo === null ? null : NOW_MS + (5 - minutesAgo) * MINUTE_MS,
      });
    expect(note("live", 0)).toBe("");
    expect(note("delayed", 3)).toBe("3 m behind. Verdicts freeze at 14:34.");
    expect(note("blind", 30)).toBe("since 14:02, 30 m ago. Verdicts are frozen, not current.");
    expect(note("blind", null)).toBe("No complete check yet, so no verdicts.");
  });

  test("a reason alone is a sentence", () => {
    expect(reasonSentence({ code: "never_synced" }, WHEN)).toBe("Never synced.");
  });
});
