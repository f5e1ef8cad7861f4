import { NOTHING_KNOWN } from "./known";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type EndpointFacts,
  type SyncAttributes,
  type Verdict,
  RUN_OUTCOMES,
  VERDICTS,
} from "./sync";
import {
  ageMs,
  compareVerdicts,
  healthPercentage,
  latenessMs,
  tally,
  verdict,
  type Judgement,
} from "./verdict";
import { anyWeek } from "@/lib/domain/learned-week/week-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-11-19T13:32:07.000Z");
const DAY_MINUTES = 24 * 60;

/** An instant some minutes from now; fractions are rounded to the millisecond. */
function at(minutes: number): string {
  return new Date(NOW_MS + Math.round(minutes * MINUTE_MS)).toISOString();
}

const ONE_MS = 1 / MINUTE_MS;

/** An hourly endpoint without a recorded duration: the allowance is 15 min, stale starts at 1 h 15 m late. */
function row(changes: Partial<SyncAttributes> = {}): SyncAttributes {
  return {
    endpoint_key: "daily_logs",
    partner_name: "Procore",
    status: "active",
    last_updated_at: at(-10),
    next_sync_at: null,
    last_sync_status: "completed",
    last_sync_started_at: at(-11),
    last_sync_finished_at: at(-10),
    last_sync_duration_seconds: null,
    frequency_minutes: 60,
    api_calls_last_24h: 24,
    ...changes,
  };
}

function known(changes: Partial<EndpointFacts> = {}): EndpointFacts {
  return { ...NOTHING_KNOWN, ...changes };
}

function judge(
  attributes: Partial<SyncAttributes>,
  record: Partial<EndpointFacts> = {},
): Judgement {
  return verdict(row(attributes), known(record), NOW_MS);
}

function word(attributes: Partial<SyncAttributes>, record: Partial<EndpointFacts> = {}): Verdict {
  return judge(attributes, record).word;
}

/** A failed last run that ended after the landing. */
const FAILED = { last_sync_status: "failed", last_sync_finished_at: at(-1) } as const;

function running(startedMinutes: number): Partial<SyncAttributes> {
  return {
    last_sync_status: "in_progress",
    last_sync_started_at: at(startedMinutes),
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
  };
}

/** The row just after a run started, with everything else unchanged. */
function started(attributes: SyncAttributes, startedMinutes: number): SyncAttributes {
  return { ...attributes, ...running(startedMinutes) };
}

/** A record that includes the row's last finished run, as the collector guarantees. */
function recorded(attributes: SyncAttributes, record: EndpointFacts): EndpointFacts {
  const isPassedOver = !["completed", "failed", "timed_out"].includes(
    attributes.last_sync_status ?? "",
  );
  return {
    ...record,
    typical_duration_seconds:
      record.typical_duration_seconds ?? attributes.last_sync_duration_seconds,
    ...(!isPassedOver && {
      last_finished_status: attributes.last_sync_status,
      last_finished_at: attributes.last_sync_finished_at,
    }),
  };
}

describe("a learned week", () => {
  /** It rests from 5 h to 2 h ago, and again from in 1 h on: to the minute, which is 7 s old. */
  const learned_week = {
    time_zone: "UTC",
    spans: [
      { from: "thu 08:32", until: "thu 11:32" },
      { from: "thu 14:32", until: "thu 17:32" },
    ],
    since: at(-50_000),
  };
  const since = (minutes: number) => minutes * MINUTE_MS + 7_000;
  const rested = (attributes: Partial<SyncAttributes>) => judge(attributes, { learned_week });

  test("counts the age of data outside its quiet time only, and says so", () => {
    const late = rested({ last_updated_at: at(-235) });
    expect(late.terms).toMatchObject({ ageMs: 235 * MINUTE_MS, countedAgeMs: since(120) });
    expect(late.word).toBe("late");
    expect(late.reasons.map(({ code }) => code)).toEqual(["landing_overdue", "learned_quiet"]);
    expect(rested({ last_updated_at: at(-310), frequency_minutes: 135 }).word).toBe("fresh");
    expect(rested({ last_updated_at: at(-10) }).reasons).toHaveLength(1);
  });

  test("counts a missed next sync outside its quiet time only", () => {
    const missed = { last_updated_at: null, frequency_minutes: null };
    expect(rested({ ...missed, next_sync_at: at(-310) }).terms.lateByNextMs).toBe(130 * MINUTE_MS);
    expect(rested({ next_sync_at: at(-200), last_updated_at: at(-310) }).terms.lateByNextMs).toBe(
      null,
    );
    expect(rested({ ...missed, next_sync_at: at(-200) }).terms.lateByNextMs).toBe(since(120));
    expect(rested({ ...missed, next_sync_at: at(30) }).terms.lateByNextMs).toBe(-30 * MINUTE_MS);
  });

  test("is named only if it moves the missed next sync", () => {
    const codes = (minutes: number) =>
      rested({
        last_updated_at: null,
        frequency_minutes: null,
        next_sync_at: at(minutes),
      }).reasons.map(({ code }) => code);
    for (const moved of [-310, -200]) expect(codes(moved)).toContain("learned_quiet");
    for (const kept of [-110, -1, 30]) expect(codes(kept)).not.toContain("learned_quiet");
  });

  test("counts all time in a zone that isn't known here", () => {
    const elsewhere = { ...learned_week, time_zone: "Mars/Olympus_Mons" };
    expect(judge({ last_updated_at: at(-310) }, { learned_week: elsewhere }).word).toBe("stale");
  });

  test("leaves webhooks, paused and unreported endpoints as they are", () => {
    for (const status of ["webhook", "inactive"])
      expect(rested({ status, last_updated_at: at(-310) }).reasons).toHaveLength(1);
    const gone = judge({ last_updated_at: at(-310) }, { learned_week, reported: false });
    expect(gone.reasons).toEqual([{ code: "not_reported" }]);
  });
});

describe("lateness by landing", () => {
  const landed = (minutes: number) => word({ last_updated_at: at(minutes) });

  test("is fresh when younger than its cadence, and due at exactly its cadence", () => {
    expect(landed(-60 + ONE_MS)).toBe("fresh");
    expect(landed(-60)).toBe("due");
  });

  test("is due up to the end of the allowance, and late a millisecond later", () => {
    expect(landed(-75)).toBe("due");
    expect(landed(-75 - ONE_MS)).toBe("late");
  });

  test("is stale a millisecond after allowance plus cadence", () => {
    expect(landed(-135)).toBe("late");
    expect(landed(-135 - ONE_MS)).toBe("stale");
  });

  test("allows at least 3 min, and 15 min until stale, for a short cadence", () => {
    const fiveMinutely = (minutes: number) =>
      word({ frequency_minutes: 5, last_updated_at: at(minutes) });
    expect(fiveMinutely(-8)).toBe("due");
    expect(fiveMinutely(-8 - ONE_MS)).toBe("late");
    expect(fiveMinutely(-5 - 3 - 15)).toBe("late");
    expect(fiveMinutely(-5 - 3 - 15 - ONE_MS)).toBe("stale");
  });

  test("allows at most 30 min for a long cadence", () => {
    const daily = (minutes: number) =>
      word({ frequency_minutes: DAY_MINUTES, last_updated_at: at(minutes) });
    expect(daily(-DAY_MINUTES - 30)).toBe("due");
    expect(daily(-DAY_MINUTES - 30 - ONE_MS)).toBe("late");
  });

  test("widens the allowance by the recorded p95 duration, by one cadence at most", () => {
    const withTypical = (seconds: number, minutes: number) =>
      word({ last_updated_at: at(minutes) }, { typical_duration_seconds: seconds });
    expect(withTypical(600, -85)).toBe("due");
    expect(withTypical(600, -85 - ONE_MS)).toBe("late");
    expect(withTypical(7 * 3600, -135)).toBe("due");
    expect(withTypical(7 * 3600, -135 - ONE_MS)).toBe("late");
  });

  test("uses the last duration only until one is recorded", () => {
    const attributes = { last_updated_at: at(-80), last_sync_duration_seconds: 600 };
    expect(word(attributes)).toBe("due");
    expect(word(attributes, { typical_duration_seconds: 0 })).toBe("late");
  });

  test("keeps age and lateness as separate terms", () => {
    const { terms } = judge({ last_updated_at: at(-130) });
    expect(terms).toMatchObject({
      ageMs: 130 * MINUTE_MS,
      latenessMs: 70 * MINUTE_MS,
      graceMs: 15 * MINUTE_MS,
      staleAfterMs: 75 * MINUTE_MS,
      cadenceMs: 60 * MINUTE_MS,
      cadenceSource: "given",
    });
  });
});

describe("cadence", () => {
  test("uses a learned cadence if none is given, and marks it", () => {
    const judgement = judge(
      { frequency_minutes: null, last_updated_at: at(-80) },
      { learned_frequency_minutes: 60 },
    );
    expect(judgement.word).toBe("late");
    expect(judgement.terms.cadenceSource).toBe("learned");
  });

  test("prefers a given cadence to a learned one, unless it isn't positive", () => {
    const record = { learned_frequency_minutes: 60 };
    expect(word({ frequency_minutes: 240, last_updated_at: at(-80) }, record)).toBe("fresh");
    expect(word({ frequency_minutes: 0, last_updated_at: at(-80) }, record)).toBe("late");
    expect(word({ frequency_minutes: -5, last_updated_at: at(-80) }, record)).toBe("late");
  });

  test("is unknown without a cadence, however young the data", () => {
    const judgement = judge({ frequency_minutes: null, last_updated_at: at(-1) });
    expect(judgement.word).toBe("unknown");
    expect(judgement.reasons[0]).toEqual({ code: "no_cadence" });
  });
});

describe("lateness by next sync", () => {
  test("counts a next sync that passed after the landing: due, then late, never worse", () => {
    const missed = (minutes: number) =>
      word({ last_updated_at: at(-50), next_sync_at: at(minutes) });
    expect(missed(ONE_MS)).toBe("fresh");
    expect(missed(0)).toBe("due");
    expect(missed(-15)).toBe("due");
    expect(missed(-15 - ONE_MS)).toBe("late");
    expect(
      word({
        frequency_minutes: 100 * DAY_MINUTES,
        last_updated_at: at(-90 * DAY_MINUTES),
        next_sync_at: at(-89 * DAY_MINUTES),
      }),
    ).toBe("late");
  });

  test("ignores a next sync at or before the landing", () => {
    expect(word({ last_updated_at: at(-50), next_sync_at: at(-50) })).toBe("fresh");
    expect(word({ last_updated_at: at(-50), next_sync_at: at(-51) })).toBe("fresh");
  });

  test("uses the larger of the two latenesses", () => {
    const { word: found, terms } = judge({ last_updated_at: at(-61), next_sync_at: at(-20) });
    expect(found).toBe("late");
    expect(terms.latenessMs).toBe(20 * MINUTE_MS);
    expect(terms.lateByLandingMs).toBe(MINUTE_MS);
  });

  test("is late after allowance plus cadence without a landing, otherwise unknown", () => {
    const neverLanded = (minutes: number) =>
      word({ last_updated_at: null, next_sync_at: at(minutes) });
    expect(neverLanded(-75)).toBe("unknown");
    expect(neverLanded(-75 - ONE_MS)).toBe("late");
  });

  test("is late after 30 min without a cadence, otherwise unknown", () => {
    const noCadence = (minutes: number) =>
      word({ frequency_minutes: null, last_updated_at: at(-300), next_sync_at: at(minutes) });
    expect(noCadence(-30)).toBe("unknown");
    expect(noCadence(-30 - ONE_MS)).toBe("late");
  });

  test("ignores a next sync whose run started on time, however long it runs", () => {
    const onTime = { last_updated_at: at(-50), next_sync_at: at(-29), ...running(-29.5) };
    expect(word(onTime)).toBe("fresh");
  });

  test("ignores a missed next sync while its run is in progress", () => {
    const missed = { last_updated_at: at(-50), next_sync_at: at(-40) };
    expect(word(missed)).toBe("late");
    expect(word({ ...missed, ...running(-10) })).toBe("fresh");
    expect(judge({ ...missed, ...running(-10) }).terms.lateByNextMs).toBeNull();
  });

  test("ignores the next sync if the run's start is unknown", () => {
    const attributes = { last_updated_at: at(-50), next_sync_at: at(-40), ...running(0) };
    expect(word({ ...attributes, last_sync_started_at: null })).toBe("fresh");
  });

  test("never changes late to unknown because of a running sync", () => {
    const noCadence = { frequency_minutes: null, last_updated_at: null, next_sync_at: at(-40) };
    expect(word(noCadence)).toBe("late");
    expect(word({ ...noCadence, ...running(-39) })).toBe("late");
    expect(word({ ...noCadence, ...running(-39), last_sync_started_at: null })).toBe("late");
  });
});

describe("failures", () => {
  test("stays fresh with a chip for a single failure with young data", () => {
    const judgement = judge(FAILED, { failures_in_a_row: 1 });
    expect(judgement.word).toBe("fresh");
    expect(judgement.overlays.singleFailure).toBe(true);
    expect(judgement.reasons.map(({ code }) => code)).toEqual(["on_time", "single_failure"]);
  });

  test("is failing after two failures in a row, and time-outs count", () => {
    expect(word(FAILED, { failures_in_a_row: 2 })).toBe("failing");
    expect(word({ ...FAILED, last_sync_status: "timed_out" }, { failures_in_a_row: 2 })).toBe(
      "failing",
    );
  });

  test("counts a single failure without a record", () => {
    expect(judge(FAILED).terms.failureStreak).toBe(1);
    expect(word(FAILED)).toBe("fresh");
  });

  test("is failing for one failure with overdue data, but not within the allowance", () => {
    expect(word({ ...FAILED, last_updated_at: at(-75) })).toBe("due");
    expect(word({ ...FAILED, last_updated_at: at(-75 - ONE_MS) })).toBe("failing");
  });

  test("is failing for one failure without any landing", () => {
    expect(word({ ...FAILED, last_updated_at: null })).toBe("failing");
  });

  test("counts a failure until a landing after its end, excluding the same instant", () => {
    const failedAt = (minutes: number) =>
      word(
        { ...FAILED, last_updated_at: at(-10), last_sync_finished_at: at(minutes) },
        { failures_in_a_row: 3 },
      );
    expect(failedAt(-10)).toBe("failing");
    expect(failedAt(-10 - ONE_MS)).toBe("fresh");
  });

  test("counts a failure with an unknown end", () => {
    expect(word({ ...FAILED, last_sync_finished_at: null }, { failures_in_a_row: 2 })).toBe(
      "failing",
    );
  });

  test("counts the previous recorded run while a run is in progress", () => {
    const record = {
      failures_in_a_row: 2,
      last_finished_status: "failed",
      last_finished_at: at(-5),
    };
    expect(word(running(-1), record)).toBe("failing");
    expect(word(running(-1))).toBe("fresh");
  });

  test("shows a rate limit as a cause and decides by lateness", () => {
    const limited = { last_sync_status: "rate_limited", last_sync_finished_at: at(-1) };
    const judgement = judge(limited);
    expect(judgement.word).toBe("fresh");
    expect(judgement.overlays.rateLimited).toBe(true);
    expect(word({ ...limited, last_updated_at: at(-80) })).toBe("late");
  });

  test.each(["rate_limited", null, "exploded"])(
    "skips a run whose outcome is %s and still counts the failures before it",
    (status) => {
      const passedOver = { last_sync_status: status, last_sync_finished_at: at(-1) };
      const failed = { last_finished_status: "failed", last_finished_at: at(-5) };
      const judgement = judge(passedOver, { ...failed, failures_in_a_row: 2 });
      expect(judgement.word).toBe("failing");
      expect(judgement.overlays.rateLimited).toBe(status === "rate_limited");
      expect(word({ ...passedOver, last_updated_at: null }, { ...failed })).toBe("failing");
      // Data after the failure ends it, and so does a completed run.
      expect(
        word({ ...passedOver, last_updated_at: at(-2) }, { ...failed, failures_in_a_row: 2 }),
      ).toBe("fresh");
      expect(word(passedOver, { last_finished_status: "completed" })).toBe("fresh");
    },
  );

  test("drops a rate limit as a cause after a later landing", () => {
    const limited = { last_sync_status: "rate_limited", last_sync_finished_at: at(-20) };
    expect(judge(limited).overlays.rateLimited).toBe(false);
  });

  test("treats an unrecognised outcome as none and shows it as given", () => {
    const judgement = judge({ ...FAILED, last_sync_status: "exploded" }, { failures_in_a_row: 2 });
    expect(judgement.word).toBe("fresh");
    expect(judgement.overlays.unrecognisedRunStatus).toBe("exploded");
  });
});

describe("stuck runs", () => {
  test("are stuck after the longest of 3 durations, the cadence and 30 min, with a history", () => {
    const since = (minutes: number, cadence: number, seconds: number) =>
      judge(
        { ...running(-minutes), frequency_minutes: cadence },
        { typical_duration_seconds: seconds },
      ).overlays.stuck;
    expect(since(30, 5, 60)).toBe(false);
    expect(since(30 + ONE_MS, 5, 60)).toBe(true);
    expect(since(60, 60, 60)).toBe(false);
    expect(since(60 + ONE_MS, 60, 60)).toBe(true);
    expect(since(150, 60, 3000)).toBe(false);
    expect(since(150 + ONE_MS, 60, 3000)).toBe(true);
  });

  test("are stuck after two cadences, at least an hour, without a history", () => {
    const since = (minutes: number, cadence: number | null) =>
      judge({ ...running(-minutes), frequency_minutes: cadence }).overlays.stuck;
    expect(since(60, null)).toBe(false);
    expect(since(60 + ONE_MS, null)).toBe(true);
    expect(since(480, 240)).toBe(false);
    expect(since(480 + ONE_MS, 240)).toBe(true);
  });

  test("are said to take usually as long as the recorded completed ones, if there are any", () => {
    const long = { ...running(-500), last_sync_duration_seconds: 300 };
    const stuck = (facts: Partial<EndpointFacts>) =>
      judge(long, facts).reasons.find(({ code }) => code === "stuck");
    expect(stuck({})).toMatchObject({ typicalMs: null });
    expect(stuck({ typical_duration_seconds: 60 })).toMatchObject({ typicalMs: 60_000 });
  });

  test("are failing, also for a webhook, whose cadence is ignored", () => {
    expect(word(running(-121))).toBe("failing");
    const webhook = { status: "webhook", frequency_minutes: 600 };
    expect(word({ ...webhook, ...running(-60) })).toBe("webhook");
    expect(word({ ...webhook, ...running(-60 - ONE_MS) })).toBe("failing");
  });

  test("are never stuck if their start is unknown", () => {
    const judgement = judge({ ...running(0), last_sync_started_at: null });
    expect(judgement.overlays).toMatchObject({ syncing: true, stuck: false });
  });
});

describe("webhooks, paused and unreported endpoints", () => {
  test("never calls a webhook late, whatever its cadence and next sync", () => {
    const judgement = judge({
      status: "webhook",
      last_updated_at: at(-90 * DAY_MINUTES),
      next_sync_at: at(-60 * DAY_MINUTES),
    });
    expect(judgement.word).toBe("webhook");
    expect(judgement.terms.latenessMs).toBeNull();
  });

  test("knows no next sync of a webhook, which is event-driven", () => {
    const { word: verdictWord, terms } = judge({
      status: "webhook",
      ...FAILED,
      next_sync_at: at(9),
    });
    expect([verdictWord, terms.nextMs]).toEqual(["failing", null]);
  });

  test("fails a webhook on the first failure that counts", () => {
    expect(word({ status: "webhook", ...FAILED })).toBe("failing");
    expect(word({ status: "webhook", ...FAILED, last_updated_at: at(0) })).toBe("webhook");
  });

  test("puts paused before everything else, without an alarm", () => {
    const judgement = judge(
      { status: "inactive", last_updated_at: null, ...running(-5000) },
      { failures_in_a_row: 9, last_finished_status: "failed", reported: false },
    );
    expect(judgement.word).toBe("paused");
    expect(judgement.overlays.stuck).toBe(false);
    expect(judgement.reasons.map(({ code }) => code)).toEqual(["paused", "not_reported"]);
  });

  test("is unknown for a row missing from the snapshot, whatever its last state", () => {
    for (const status of ["active", "webhook", "other"])
      expect(word({ status, ...FAILED }, { failures_in_a_row: 5, reported: false })).toBe(
        "unknown",
      );
    expect(judge({}, { reported: false }).reasons[0]).toEqual({ code: "not_reported" });
  });

  test("is unknown for an unrecognised status, unless the endpoint fails", () => {
    expect(word({ status: "archived" })).toBe("unknown");
    expect(word({ status: "archived", ...FAILED }, { failures_in_a_row: 2 })).toBe("failing");
  });
});

describe("unknown values", () => {
  test("distinguish a sync without data from one that never ran", () => {
    const nothing = { last_updated_at: null };
    expect(judge(nothing).reasons[0]).toEqual({ code: "nothing_landed" });
    const never = {
      last_updated_at: null,
      last_sync_status: null,
      last_sync_started_at: null,
      last_sync_finished_at: null,
    };
    expect(judge(never).reasons[0]).toEqual({ code: "never_synced" });
    expect(judge({ ...never, frequency_minutes: null }).reasons.map(({ code }) => code)).toEqual([
      "never_synced",
      "no_cadence",
    ]);
  });

  test("clamp a landing up to 2 min ahead to age 0, and mark it suspect up to 10 min and unknown beyond", () => {
    const ahead = (minutes: number) => judge({ last_updated_at: at(minutes) });
    expect(ahead(2)).toMatchObject({ word: "fresh", overlays: { clockSuspect: false } });
    expect(ahead(2).terms.ageMs).toBe(0);
    expect(ahead(2 + ONE_MS)).toMatchObject({ word: "fresh", overlays: { clockSuspect: true } });
    expect(ahead(10)).toMatchObject({ word: "fresh", overlays: { clockSuspect: true } });
    expect(ahead(10 + ONE_MS).word).toBe("unknown");
    expect(ahead(10 + ONE_MS).terms.ageMs).toBeNull();
  });

  test("include timestamps that don't parse", () => {
    expect(word({ last_updated_at: "yesterday" })).toBe("unknown");
    expect(word({ last_updated_at: "1" })).toBe("unknown");
  });

  test("never give fresh without a clock", () => {
    for (const nowMs of [Number.NaN, Infinity, -Infinity])
      expect(verdict(row(), known(), nowMs).word).toBe("unknown");
  });
});

describe("properties", () => {
  const minutes = fc.oneof(
    fc.integer({ min: -300, max: 30 }),
    fc.constantFrom(-135, -75, -60, -30, -15, 0, 2, 10, 11),
    fc.double({ min: -6000, max: 60, noNaN: true }),
  );
  const instant = fc.option(minutes.map(at), { freq: 6 });
  const anyText = fc.oneof(fc.string(), fc.constantFrom("", "null", "2026-99-99T00:00:00Z"));
  const outcome = fc.option(fc.oneof(fc.constantFrom(...RUN_OUTCOMES), fc.string()), { freq: 9 });
  const status = fc.oneof(
    { weight: 5, arbitrary: fc.constant("active") },
    fc.constantFrom("inactive", "webhook"),
    fc.string(),
  );
  const frequency = fc.option(fc.constantFrom(-1, 0, 1, 5, 15, 30, 60, 240, 1440), { freq: 6 });
  const seconds = fc.option(fc.constantFrom(0, 30, 600, 3600, 50_000));

  const anyRow: fc.Arbitrary<SyncAttributes> = fc.record({
    endpoint_key: fc.constant("k"),
    partner_name: fc.constant("p"),
    status,
    last_updated_at: instant,
    next_sync_at: instant,
    last_sync_status: outcome,
    last_sync_started_at: instant,
    last_sync_finished_at: instant,
    last_sync_duration_seconds: seconds,
    frequency_minutes: frequency,
    api_calls_last_24h: fc.nat(),
  });
  const anyKnown: fc.Arbitrary<EndpointFacts> = fc.record({
    typical_duration_seconds: seconds,
    failures_in_a_row: fc.nat({ max: 4 }),
    last_finished_status: outcome,
    last_finished_at: instant,
    learned_frequency_minutes: frequency,
    learned_week: fc.option(anyWeek, { freq: 2 }),
    reported: fc.boolean(),
  });
  const runs = { numRuns: 2000 };

  test("returns one of the eight verdicts and a reason for every combination of fields", () => {
    const text = fc.option(fc.oneof(anyText, minutes.map(at)));
    const number = fc.option(fc.oneof(fc.double(), fc.integer()));
    const garbage = fc.record({
      endpoint_key: anyText,
      partner_name: anyText,
      status: fc.oneof(status, anyText),
      last_updated_at: text,
      next_sync_at: text,
      last_sync_status: fc.oneof(outcome, text),
      last_sync_started_at: text,
      last_sync_finished_at: text,
      last_sync_duration_seconds: number,
      frequency_minutes: number,
      api_calls_last_24h: fc.double(),
    });
    const garbageKnown = fc.record({
      typical_duration_seconds: number,
      failures_in_a_row: fc.double(),
      last_finished_status: fc.oneof(outcome, text),
      last_finished_at: text,
      learned_frequency_minutes: number,
      reported: fc.boolean(),
    });
    fc.assert(
      fc.property(garbage, garbageKnown, fc.double(), (attributes, record, nowMs) => {
        for (const clockMs of [NOW_MS, nowMs]) {
          const judgement = verdict(attributes, record, clockMs);
          expect(VERDICTS).toContain(judgement.word);
          expect(judgement.reasons.length).toBeGreaterThan(0);
          expect(Object.values(judgement.terms).filter(Number.isNaN)).toEqual([]);
        }
      }),
      runs,
    );
  });

  test("never gives a better verdict for an older landing in the past", () => {
    const past = fc.double({ min: -6000, max: 0, noNaN: true });
    fc.assert(
      fc.property(anyRow, anyKnown, past, past, (attributes, record, a, b) => {
        const landed = (minutesAgo: number) =>
          verdict({ ...attributes, last_updated_at: at(minutesAgo) }, record, NOW_MS).word;
        const [older, younger] = [Math.min(a, b), Math.max(a, b)];
        expect(compareVerdicts(landed(older), landed(younger))).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });

  test("never becomes fresh because of a next sync in the future", () => {
    const future = fc.double({ min: 0.001, max: 60 * DAY_MINUTES, noNaN: true });
    fc.assert(
      fc.property(anyRow, anyKnown, future, (attributes, record, ahead) => {
        const withNext = verdict({ ...attributes, next_sync_at: at(ahead) }, record, NOW_MS).word;
        const without = verdict({ ...attributes, next_sync_at: null }, record, NOW_MS).word;
        expect(withNext === "fresh").toBe(without === "fresh");
        expect(withNext).toBe(without);
      }),
      runs,
    );
  });

  test("is fresh only with a landing younger than its cadence, outside quiet time", () => {
    fc.assert(
      fc.property(anyRow, anyKnown, (attributes, record) => {
        const { word: found, terms } = verdict(attributes, record, NOW_MS);
        if (found !== "fresh") return;
        expect(terms.countedAgeMs).not.toBeNull();
        expect(terms.countedAgeMs).toBeLessThan(terms.cadenceMs ?? -1);
      }),
      runs,
    );
  });

  const idleRow = anyRow.filter(({ last_sync_status }) => last_sync_status !== "in_progress");

  test("changes the verdict at the start of a run only if the missed next sync alone had caused it", () => {
    fc.assert(
      fc.property(idleRow, anyKnown, (attributes, record) => {
        const seen = recorded(attributes, record);
        const idle = verdict(attributes, seen, NOW_MS);
        const byLanding = idle.terms.lateByLandingMs;
        const byNext = idle.terms.lateByNextMs;
        fc.pre(byLanding === null || byNext === null || byNext < 0 || byNext <= byLanding);
        expect(verdict(started(attributes, 0), seen, NOW_MS).word).toBe(idle.word);
      }),
      { numRuns: 5000 },
    );
  });

  test("never gives a worse verdict at the start of a run, and never changes late to unknown", () => {
    fc.assert(
      fc.property(idleRow, anyKnown, (attributes, record) => {
        const seen = recorded(attributes, record);
        const idle = verdict(attributes, seen, NOW_MS).word;
        const startedWord = verdict(started(attributes, 0), seen, NOW_MS).word;
        expect(compareVerdicts(startedWord, idle)).toBeGreaterThanOrEqual(0);
        expect([idle, startedWord]).not.toEqual(["late", "unknown"]);
      }),
      { numRuns: 5000 },
    );
  });

  test("gives a worse verdict during a run only for being stuck or for the data's age", () => {
    const ago = fc.double({ min: -25, max: 0, noNaN: true });
    fc.assert(
      fc.property(idleRow, anyKnown, ago, (attributes, record, minutesAgo) => {
        const seen = recorded(attributes, record);
        const whileRunning = verdict(started(attributes, minutesAgo), seen, NOW_MS).word;
        const idle = verdict(attributes, seen, NOW_MS).word;
        expect(compareVerdicts(whileRunning, idle)).toBeGreaterThanOrEqual(0);
        expect([idle, whileRunning]).not.toEqual(["late", "unknown"]);
      }),
      runs,
    );
  });

  test("never gives a better verdict for more rate limited runs", () => {
    fc.assert(
      fc.property(
        idleRow,
        anyKnown,
        fc.array(fc.double({ min: -60, max: 0, noNaN: true }), { minLength: 1, maxLength: 5 }),
        (attributes, record, ends) => {
          const seen = recorded(attributes, record);
          let held = verdict(attributes, seen, NOW_MS).word;
          for (const end of ends.toSorted((a, b) => a - b)) {
            const limited = { last_sync_status: "rate_limited", last_sync_finished_at: at(end) };
            const after = verdict({ ...attributes, ...limited }, seen, NOW_MS).word;
            expect(compareVerdicts(after, held)).toBeLessThanOrEqual(0);
            held = after;
          }
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("is paused exactly for inactive", () => {
    fc.assert(
      fc.property(anyRow, anyKnown, (attributes, record) => {
        expect(verdict(attributes, record, NOW_MS).word === "paused").toBe(
          attributes.status === "inactive",
        );
        expect(verdict({ ...attributes, status: "inactive" }, record, NOW_MS).word).toBe("paused");
      }),
      runs,
    );
  });

  test("ignores the calls of the last 24 hours", () => {
    fc.assert(
      fc.property(anyRow, anyKnown, fc.double(), (attributes, record, calls) => {
        expect(verdict({ ...attributes, api_calls_last_24h: calls }, record, NOW_MS)).toEqual(
          verdict(attributes, record, NOW_MS),
        );
      }),
    );
  });

  test("never gives a better verdict as time passes", () => {
    const later = fc.double({ min: 0, max: 3000, noNaN: true });
    const past = anyRow.filter(
      ({ last_updated_at }) => last_updated_at === null || Date.parse(last_updated_at) <= NOW_MS,
    );
    fc.assert(
      fc.property(past, anyKnown, later, (attributes, record, passed) => {
        const now = verdict(attributes, record, NOW_MS).word;
        const then = verdict(attributes, record, NOW_MS + passed * MINUTE_MS).word;
        expect(compareVerdicts(then, now)).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });
});

describe("counting", () => {
  test("sorts verdicts worst first", () => {
    expect(VERDICTS.toReversed().toSorted(compareVerdicts)).toEqual([...VERDICTS]);
  });

  test("includes every verdict in the tally", () => {
    expect(tally(["late", "late", "fresh"])).toMatchObject({ late: 2, fresh: 1, paused: 0 });
  });

  test("excludes paused and webhook from health", () => {
    expect(healthPercentage(["fresh", "due", "late", "unknown", "paused", "webhook"])).toBe(50);
    expect(healthPercentage(["paused", "webhook"])).toBeNull();
    expect(healthPercentage([])).toBeNull();
  });

  test("returns age and lateness separately", () => {
    expect(ageMs(row({ last_updated_at: at(-130) }), NOW_MS)).toBe(130 * MINUTE_MS);
    expect(ageMs(row({ last_updated_at: null }), NOW_MS)).toBeNull();
    expect(latenessMs(row({ last_updated_at: at(-130) }), known(), NOW_MS)).toBe(70 * MINUTE_MS);
    expect(latenessMs(row({ frequency_minutes: null }), known(), NOW_MS)).toBeNull();
  });
});
