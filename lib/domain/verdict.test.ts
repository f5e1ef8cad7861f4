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
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-11-19T13:32:07.000Z");
const DAY_MINUTES = 24 * 60;

/** An instant so many minutes from now; fractions reach down to the millisecond. */
function at(minutes: number): string {
  return new Date(NOW_MS + Math.round(minutes * MINUTE_MS)).toISOString();
}

const ONE_MS = 1 / MINUTE_MS;

/** An hourly endpoint without a recorded duration: the allowance is 15 min, stale begins at 1 h 15 m late. */
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

/** What the API and our record say the moment a run starts: all else as it was. */
function started(attributes: SyncAttributes, startedMinutes: number): SyncAttributes {
  return { ...attributes, ...running(startedMinutes) };
}

/** A record that has seen the row's last finished run, as the collector guarantees. */
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

describe("lateness by the landing", () => {
  const landed = (minutes: number) => word({ last_updated_at: at(minutes) });

  test("younger than its cadence is fresh, exactly its cadence is due", () => {
    expect(landed(-60 + ONE_MS)).toBe("fresh");
    expect(landed(-60)).toBe("due");
  });

  test("the allowance itself is still due, a millisecond more is late", () => {
    expect(landed(-75)).toBe("due");
    expect(landed(-75 - ONE_MS)).toBe("late");
  });

  test("stale begins a millisecond after allowance plus cadence", () => {
    expect(landed(-135)).toBe("late");
    expect(landed(-135 - ONE_MS)).toBe("stale");
  });

  test("a short cadence keeps an allowance of 3 min and 15 min until stale", () => {
    const fiveMinutely = (minutes: number) =>
      word({ frequency_minutes: 5, last_updated_at: at(minutes) });
    expect(fiveMinutely(-8)).toBe("due");
    expect(fiveMinutely(-8 - ONE_MS)).toBe("late");
    expect(fiveMinutely(-5 - 3 - 15)).toBe("late");
    expect(fiveMinutely(-5 - 3 - 15 - ONE_MS)).toBe("stale");
  });

  test("a long cadence is allowed 30 min and no more", () => {
    const daily = (minutes: number) =>
      word({ frequency_minutes: DAY_MINUTES, last_updated_at: at(minutes) });
    expect(daily(-DAY_MINUTES - 30)).toBe("due");
    expect(daily(-DAY_MINUTES - 30 - ONE_MS)).toBe("late");
  });

  test("the recorded p95 duration widens the allowance, by one cadence at most", () => {
    const withTypical = (seconds: number, minutes: number) =>
      word({ last_updated_at: at(minutes) }, { typical_duration_seconds: seconds });
    expect(withTypical(600, -85)).toBe("due");
    expect(withTypical(600, -85 - ONE_MS)).toBe("late");
    expect(withTypical(7 * 3600, -135)).toBe("due");
    expect(withTypical(7 * 3600, -135 - ONE_MS)).toBe("late");
  });

  test("the last duration stands in for a recorded one, and gives way to it", () => {
    const attributes = { last_updated_at: at(-80), last_sync_duration_seconds: 600 };
    expect(word(attributes)).toBe("due");
    expect(word(attributes, { typical_duration_seconds: 0 })).toBe("late");
  });

  test("age and lateness are separate terms", () => {
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
  test("a learned cadence judges where none is given, and says so", () => {
    const judgement = judge(
      { frequency_minutes: null, last_updated_at: at(-80) },
      { learned_frequency_minutes: 60 },
    );
    expect(judgement.word).toBe("late");
    expect(judgement.terms.cadenceSource).toBe("learned");
  });

  test("a given cadence goes before a learned one, unless it is not positive", () => {
    const record = { learned_frequency_minutes: 60 };
    expect(word({ frequency_minutes: 240, last_updated_at: at(-80) }, record)).toBe("fresh");
    expect(word({ frequency_minutes: 0, last_updated_at: at(-80) }, record)).toBe("late");
    expect(word({ frequency_minutes: -5, last_updated_at: at(-80) }, record)).toBe("late");
  });

  test("no cadence is unknown, however young the data", () => {
    const judgement = judge({ frequency_minutes: null, last_updated_at: at(-1) });
    expect(judgement.word).toBe("unknown");
    expect(judgement.reasons[0]).toEqual({ code: "no_cadence" });
  });
});

describe("lateness by the next sync", () => {
  test("a next sync that passed after the landing counts: due, then late, never worse", () => {
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

  test("a next sync at or before the landing was kept and does not count", () => {
    expect(word({ last_updated_at: at(-50), next_sync_at: at(-50) })).toBe("fresh");
    expect(word({ last_updated_at: at(-50), next_sync_at: at(-51) })).toBe("fresh");
  });

  test("the larger of both latenesses counts", () => {
    const { word: found, terms } = judge({ last_updated_at: at(-61), next_sync_at: at(-20) });
    expect(found).toBe("late");
    expect(terms.latenessMs).toBe(20 * MINUTE_MS);
    expect(terms.lateByLandingMs).toBe(MINUTE_MS);
  });

  test("without a landing it is late after allowance plus cadence, else unknown", () => {
    const neverLanded = (minutes: number) =>
      word({ last_updated_at: null, next_sync_at: at(minutes) });
    expect(neverLanded(-75)).toBe("unknown");
    expect(neverLanded(-75 - ONE_MS)).toBe("late");
  });

  test("without a cadence it is late after 30 min, else unknown", () => {
    const noCadence = (minutes: number) =>
      word({ frequency_minutes: null, last_updated_at: at(-300), next_sync_at: at(minutes) });
    expect(noCadence(-30)).toBe("unknown");
    expect(noCadence(-30 - ONE_MS)).toBe("late");
  });

  test("a run that started on time keeps its next sync, however long it has been running", () => {
    const onTime = { last_updated_at: at(-50), next_sync_at: at(-29), ...running(-29.5) };
    expect(word(onTime)).toBe("fresh");
  });

  test("a missed next sync does not count while its run is in progress", () => {
    const missed = { last_updated_at: at(-50), next_sync_at: at(-40) };
    expect(word(missed)).toBe("late");
    expect(word({ ...missed, ...running(-10) })).toBe("fresh");
    expect(judge({ ...missed, ...running(-10) }).terms.lateByNextMs).toBeNull();
  });

  test("a run whose start is not known takes the next sync out of the count", () => {
    const attributes = { last_updated_at: at(-50), next_sync_at: at(-40), ...running(0) };
    expect(word({ ...attributes, last_sync_started_at: null })).toBe("fresh");
  });

  test("running never turns late into unknown", () => {
    const noCadence = { frequency_minutes: null, last_updated_at: null, next_sync_at: at(-40) };
    expect(word(noCadence)).toBe("late");
    expect(word({ ...noCadence, ...running(-39) })).toBe("late");
    expect(word({ ...noCadence, ...running(-39), last_sync_started_at: null })).toBe("late");
  });
});

describe("failures", () => {
  test("a single failure with young data stays fresh, with a chip", () => {
    const judgement = judge(FAILED, { failures_in_a_row: 1 });
    expect(judgement.word).toBe("fresh");
    expect(judgement.overlays.singleFailure).toBe(true);
    expect(judgement.reasons.map(({ code }) => code)).toEqual(["on_time", "single_failure"]);
  });

  test("two in a row are failing, and so is a time-out", () => {
    expect(word(FAILED, { failures_in_a_row: 2 })).toBe("failing");
    expect(word({ ...FAILED, last_sync_status: "timed_out" }, { failures_in_a_row: 2 })).toBe(
      "failing",
    );
  });

  test("before any record a failure counts one", () => {
    expect(judge(FAILED).terms.failureStreak).toBe(1);
    expect(word(FAILED)).toBe("fresh");
  });

  test("a failure with overdue data is failing, with data within the allowance it is not", () => {
    expect(word({ ...FAILED, last_updated_at: at(-75) })).toBe("due");
    expect(word({ ...FAILED, last_updated_at: at(-75 - ONE_MS) })).toBe("failing");
  });

  test("a failure without any landing is failing", () => {
    expect(word({ ...FAILED, last_updated_at: null })).toBe("failing");
  });

  test("a failure counts while nothing landed after its end, the same instant included", () => {
    const failedAt = (minutes: number) =>
      word(
        { ...FAILED, last_updated_at: at(-10), last_sync_finished_at: at(minutes) },
        { failures_in_a_row: 3 },
      );
    expect(failedAt(-10)).toBe("failing");
    expect(failedAt(-10 - ONE_MS)).toBe("fresh");
  });

  test("a failure whose end is not known counts", () => {
    expect(word({ ...FAILED, last_sync_finished_at: null }, { failures_in_a_row: 2 })).toBe(
      "failing",
    );
  });

  test("while a run is in progress the recorded run before it counts", () => {
    const record = {
      failures_in_a_row: 2,
      last_finished_status: "failed",
      last_finished_at: at(-5),
    };
    expect(word(running(-1), record)).toBe("failing");
    expect(word(running(-1))).toBe("fresh");
  });

  test("rate limited is a cause beside the word, and lateness decides", () => {
    const limited = { last_sync_status: "rate_limited", last_sync_finished_at: at(-1) };
    const judgement = judge(limited);
    expect(judgement.word).toBe("fresh");
    expect(judgement.overlays.rateLimited).toBe(true);
    expect(word({ ...limited, last_updated_at: at(-80) })).toBe("late");
  });

  test.each(["rate_limited", null, "exploded"])(
    "a run whose outcome is %s is passed over: the failures before it still count",
    (status) => {
      const passedOver = { last_sync_status: status, last_sync_finished_at: at(-1) };
      const failed = { last_finished_status: "failed", last_finished_at: at(-5) };
      const judgement = judge(passedOver, { ...failed, failures_in_a_row: 2 });
      expect(judgement.word).toBe("failing");
      expect(judgement.overlays.rateLimited).toBe(status === "rate_limited");
      expect(word({ ...passedOver, last_updated_at: null }, { ...failed })).toBe("failing");
      // Data that came after the failure ends it, and so does a run that completed.
      expect(
        word({ ...passedOver, last_updated_at: at(-2) }, { ...failed, failures_in_a_row: 2 }),
      ).toBe("fresh");
      expect(word(passedOver, { last_finished_status: "completed" })).toBe("fresh");
    },
  );

  test("a rate limit that a landing came after is no cause any more", () => {
    const limited = { last_sync_status: "rate_limited", last_sync_finished_at: at(-20) };
    expect(judge(limited).overlays.rateLimited).toBe(false);
  });

  test("an outcome that we do not know counts as none and is shown as given", () => {
    const judgement = judge({ ...FAILED, last_sync_status: "exploded" }, { failures_in_a_row: 2 });
    expect(judgement.word).toBe("fresh");
    expect(judgement.overlays.unrecognisedRunStatus).toBe("exploded");
  });
});

describe("stuck runs", () => {
  test("with history a run is stuck after the longest of 3 durations, its cadence and 30 min", () => {
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

  test("without history a run is stuck after two cadences, an hour at least", () => {
    const since = (minutes: number, cadence: number | null) =>
      judge({ ...running(-minutes), frequency_minutes: cadence }).overlays.stuck;
    expect(since(60, null)).toBe(false);
    expect(since(60 + ONE_MS, null)).toBe(true);
    expect(since(480, 240)).toBe(false);
    expect(since(480 + ONE_MS, 240)).toBe(true);
  });

  test("a stuck run is failing, for a webhook too, whose cadence is ignored", () => {
    expect(word(running(-121))).toBe("failing");
    const webhook = { status: "webhook", frequency_minutes: 600 };
    expect(word({ ...webhook, ...running(-60) })).toBe("webhook");
    expect(word({ ...webhook, ...running(-60 - ONE_MS) })).toBe("failing");
  });

  test("a run whose start is not known is never stuck", () => {
    const judgement = judge({ ...running(0), last_sync_started_at: null });
    expect(judgement.overlays).toMatchObject({ syncing: true, stuck: false });
  });
});

describe("webhooks, paused and unreported endpoints", () => {
  test("a webhook is never late, whatever its cadence and next sync say", () => {
    const judgement = judge({
      status: "webhook",
      last_updated_at: at(-90 * DAY_MINUTES),
      next_sync_at: at(-60 * DAY_MINUTES),
    });
    expect(judgement.word).toBe("webhook");
    expect(judgement.terms.latenessMs).toBeNull();
  });

  test("a webhook fails on the first failure that counts", () => {
    expect(word({ status: "webhook", ...FAILED })).toBe("failing");
    expect(word({ status: "webhook", ...FAILED, last_updated_at: at(0) })).toBe("webhook");
  });

  test("paused goes before everything else and raises no alarm", () => {
    const judgement = judge(
      { status: "inactive", last_updated_at: null, ...running(-5000) },
      { failures_in_a_row: 9, last_finished_status: "failed", reported: false },
    );
    expect(judgement.word).toBe("paused");
    expect(judgement.overlays.stuck).toBe(false);
    expect(judgement.reasons.map(({ code }) => code)).toEqual(["paused", "not_reported"]);
  });

  test("what the snapshot lacks is unknown, whatever it said last", () => {
    for (const status of ["active", "webhook", "other"])
      expect(word({ status, ...FAILED }, { failures_in_a_row: 5, reported: false })).toBe(
        "unknown",
      );
    expect(judge({}, { reported: false }).reasons[0]).toEqual({ code: "not_reported" });
  });

  test("a status that we do not know is unknown, unless the endpoint fails", () => {
    expect(word({ status: "archived" })).toBe("unknown");
    expect(word({ status: "archived", ...FAILED }, { failures_in_a_row: 2 })).toBe("failing");
  });
});

describe("what is not known", () => {
  test("the reason tells a sync that landed nothing from one that never ran", () => {
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

  test("a landing up to 2 min ahead has age 0, up to 10 min it is suspect, beyond it is unknown", () => {
    const ahead = (minutes: number) => judge({ last_updated_at: at(minutes) });
    expect(ahead(2)).toMatchObject({ word: "fresh", overlays: { clockSuspect: false } });
    expect(ahead(2).terms.ageMs).toBe(0);
    expect(ahead(2 + ONE_MS)).toMatchObject({ word: "fresh", overlays: { clockSuspect: true } });
    expect(ahead(10)).toMatchObject({ word: "fresh", overlays: { clockSuspect: true } });
    expect(ahead(10 + ONE_MS).word).toBe("unknown");
    expect(ahead(10 + ONE_MS).terms.ageMs).toBeNull();
  });

  test("an instant that does not parse counts as null", () => {
    expect(word({ last_updated_at: "yesterday" })).toBe("unknown");
    expect(word({ last_updated_at: "1" })).toBe("unknown");
  });

  test("without a clock nothing is fresh", () => {
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
    reported: fc.boolean(),
  });
  const runs = { numRuns: 2000 };

  test("every combination has one of the eight words and a reason, whatever the fields hold", () => {
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

  test("among landings not in the future an older one never gives a better verdict", () => {
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

  test("a next sync in the future never makes an endpoint fresh", () => {
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

  test("fresh always rests on a landing younger than its cadence", () => {
    fc.assert(
      fc.property(anyRow, anyKnown, (attributes, record) => {
        const { word: found, terms } = verdict(attributes, record, NOW_MS);
        if (found !== "fresh") return;
        expect(terms.ageMs).not.toBeNull();
        expect(terms.ageMs).toBeLessThan(terms.cadenceMs ?? -1);
      }),
      runs,
    );
  });

  const idleRow = anyRow.filter(({ last_sync_status }) => last_sync_status !== "in_progress");

  test("a run starting changes the word only where the missed next sync alone had made it", () => {
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

  test("a run starting never makes the word worse, and never turns late into unknown", () => {
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

  test("while a run goes on only stuck and the age of the data make the word worse", () => {
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

  test("however many runs are rate limited, the word never gets better", () => {
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

  test("inactive is paused and nothing else is", () => {
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

  test("calls in the last 24 hours move no verdict", () => {
    fc.assert(
      fc.property(anyRow, anyKnown, fc.double(), (attributes, record, calls) => {
        expect(verdict({ ...attributes, api_calls_last_24h: calls }, record, NOW_MS)).toEqual(
          verdict(attributes, record, NOW_MS),
        );
      }),
    );
  });

  test("time passing never gives a better verdict", () => {
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
  test("words sort worst first", () => {
    expect(VERDICTS.toReversed().toSorted(compareVerdicts)).toEqual([...VERDICTS]);
  });

  test("the tally holds every word", () => {
    expect(tally(["late", "late", "fresh"])).toMatchObject({ late: 2, fresh: 1, paused: 0 });
  });

  test("health leaves paused and webhook out of the count", () => {
    expect(healthPercentage(["fresh", "due", "late", "unknown", "paused", "webhook"])).toBe(50);
    expect(healthPercentage(["paused", "webhook"])).toBeNull();
    expect(healthPercentage([])).toBeNull();
  });

  test("age and lateness can be asked for alone", () => {
    expect(ageMs(row({ last_updated_at: at(-130) }), NOW_MS)).toBe(130 * MINUTE_MS);
    expect(ageMs(row({ last_updated_at: null }), NOW_MS)).toBeNull();
    expect(latenessMs(row({ last_updated_at: at(-130) }), known(), NOW_MS)).toBe(70 * MINUTE_MS);
    expect(latenessMs(row({ frequency_minutes: null }), known(), NOW_MS)).toBeNull();
  });
});
