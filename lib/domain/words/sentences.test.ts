import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { type EndpointFacts, type SyncAttributes, SOURCE_REASONS } from "@/lib/domain/sync";
import { verdict } from "@/lib/domain/verdict";
import { endpointSentence, reasonSentence } from "./sentences";
import { confidenceNote, sourceReasonSentence } from "./source-sentences";
import { MINUTE_MS } from "@/lib/domain/time/units";

const ZONE = "Europe/Berlin";
const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const WHEN = { nowMs: NOW_MS, timeZone: ZONE };

function sentenceFor(
  changes: Partial<SyncAttributes>,
  record: Partial<EndpointFacts> = {},
): string {
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
  const known: EndpointFacts = { ...NOTHING_KNOWN, ...record };
  const judgement = verdict(row, known, NOW_MS);
  return endpointSentence({ partnerName: "Procore", endpointKey: "daily_logs", judgement }, WHEN);
}

function at(minutes: number): string {
  return new Date(NOW_MS + minutes * MINUTE_MS).toISOString();
}

describe("endpointSentence", () => {
  test("gives the streak, the data and the next attempt for failing", () => {
    expect(
      sentenceFor(
        {
          last_updated_at: at(-171),
          last_sync_status: "failed",
          last_sync_finished_at: at(-11),
          next_sync_at: at(19),
        },
        { failures_in_a_row: 5, typical_duration_seconds: 0 },
      ),
    ).toBe(
      "Procore / daily_logs is failing: 5 runs in a row didn’t complete, the last at 14:21. Data is 2 h 51 m old, 1 h 51 m overdue. Next attempt at 14:51.",
    );
  });

  test("says that more runs may have failed if none of those counted completed", () => {
    const failed = { last_sync_status: "failed", last_sync_finished_at: at(-11) };
    const known = { failures_in_a_row: 100, typical_duration_seconds: null };
    expect(sentenceFor({ ...failed, last_updated_at: at(-171) }, known)).toContain(
      "Procore / daily_logs is failing: at least 100 runs in a row didn’t complete, the last at 14:21.",
    );
  });

  test("says what made a single failure count", () => {
    const timedOut = { last_sync_status: "timed_out", last_sync_finished_at: at(-11) };
    expect(sentenceFor({ ...timedOut, last_updated_at: null })).toBe(
      "Procore / daily_logs is failing: the last run timed out at 14:21, with no data time from the source.",
    );
    expect(sentenceFor({ ...timedOut, last_updated_at: at(-80) })).toBe(
      "Procore / daily_logs is failing: the last run timed out at 14:21 and the data is overdue. Data is 1 h 20 m old, 20 m overdue.",
    );
  });

  test("compares a stuck run with the usual duration", () => {
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
      "Procore / daily_logs is failing: its run looks stuck: 33 m, normally under 2 m. Data is 41 m old, 26 m overdue.",
    );
  });

  test("separates age from lateness for late and stale", () => {
    expect(sentenceFor({ last_updated_at: at(-130), next_sync_at: at(13) })).toBe(
      "Procore / daily_logs is late: data is 2 h 10 m old, 1 h 10 m overdue. Next sync at 14:45.",
    );
    expect(sentenceFor({ frequency_minutes: 120, last_updated_at: at(-580) })).toBe(
      "Procore / daily_logs is stale: data is 9 h 40 m old, 7 h 40 m overdue. Expected every 2 h.",
    );
  });

  test("calls a learned cadence learned", () => {
    expect(
      sentenceFor(
        { frequency_minutes: null, last_updated_at: at(-80) },
        { learned_frequency_minutes: 60 },
      ),
    ).toBe(
      "Procore / daily_logs is late: data is 1 h 20 m old, 20 m overdue. Expected every 1 h (learned).",
    );
  });

  test("names the due time if late because of a missed sync", () => {
    expect(sentenceFor({ last_updated_at: at(-55), next_sync_at: at(-40) })).toBe(
      "Procore / daily_logs is late: no data received since the sync due at 13:52, 40 m overdue. Data is 55 m old.",
    );
  });

  test("says what is missing for unknown", () => {
    expect(sentenceFor({ last_updated_at: null })).toBe(
      "Procore / daily_logs is unknown: no data time from the source.",
    );
    expect(sentenceFor({ frequency_minutes: null, next_sync_at: at(30) })).toBe(
      "Procore / daily_logs is unknown: no cadence known. Data is 9 m old. Next sync at 15:02.",
    );
    expect(sentenceFor({ next_sync_at: at(30) }, { reported: false })).toBe(
      "Procore / daily_logs is unknown: missing from the latest check. Data is 9 m old.",
    );
  });

  test("gives the expectation for due and fresh, and that it was learned", () => {
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

  test("adds accompanying reasons after the verdict", () => {
    expect(sentenceFor({ last_sync_status: "rate_limited", last_sync_finished_at: at(-2) })).toBe(
      "Procore / daily_logs is fresh: data is 9 m old, expected every 1 h. The last run was rate limited by the partner at 14:30.",
    );
  });

  test("doesn't call a failed run the last one if others were rate limited since", () => {
    expect(
      sentenceFor(
        { last_sync_status: "rate_limited", last_sync_finished_at: at(-2) },
        { last_finished_status: "failed", last_finished_at: at(-5) },
      ),
    ).toBe(
      "Procore / daily_logs is fresh: data is 9 m old, expected every 1 h. The last run that wasn’t rate limited failed at 14:27. The last run was rate limited by the partner at 14:30.",
    );
  });

  test("has no cadence or lateness for webhook and paused", () => {
    expect(sentenceFor({ status: "webhook", last_updated_at: at(-3) })).toBe(
      "Procore / daily_logs is updated by webhook: no fixed schedule. Last event 3 m ago.",
    );
    expect(sentenceFor({ status: "webhook", last_updated_at: null })).toBe(
      "Procore / daily_logs is updated by webhook: no fixed schedule. No event received yet.",
    );
    expect(sentenceFor({ status: "inactive", last_updated_at: at(-6 * 24 * 60) })).toBe(
      "Procore / daily_logs is paused: inactive at the source. Last data 6 d 0 h ago.",
    );
  });

  test("leaves no gap in the sentence for any combination", () => {
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

describe("source sentences", () => {
  test("have a sentence of our own for every reason", () => {
    for (const reason of SOURCE_REASONS)
      expect(sourceReasonSentence(reason, { ...WHEN, resetMs: null })).toMatch(/^[A-Z].+\.$/);
  });

  test("give the end of a rate limit, unless it has passed", () => {
    const limited = (resetMs: number) => sourceReasonSentence("rate_limited", { ...WHEN, resetMs });
    expect(limited(NOW_MS + 33 * MINUTE_MS)).toBe("Rate limited until 15:05.");
    expect(limited(NOW_MS - 1)).toBe("Rate limited by the source.");
  });

  test("are empty while live, and otherwise say what happens next", () => {
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

  test("form a complete sentence from a reason alone", () => {
    expect(reasonSentence({ code: "never_synced" }, WHEN)).toBe("Never synced.");
    const spans = [{ from: "fri 18:00", until: "mon 07:00" }];
    expect(
      reasonSentence({ code: "learned_quiet", spans, time_zone: "America/New_York" }, WHEN),
    ).toBe("Learned: quiet from Fri 18:00 to Mon 07:00, New York time.");
  });
});
