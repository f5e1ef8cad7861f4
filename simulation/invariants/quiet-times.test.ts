import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePeriods } from "@/lib/domain/history";
import { quietWithin as quietByRule, type Weekly } from "@/lib/domain/quiet/planned-quiet";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { quietWithin } from "./quiet-times";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Clocks change on 29 March in Oslo, and on 5 April on Lord Howe, by half an hour. */
const START_MS = Date.parse("2026-03-20T00:00:00Z");

const timeOfDay = fc
  .integer({ min: 0, max: 24 * 4 - 1 })
  .map((quarter) => new Date(quarter * 15 * MINUTE_MS).toISOString().slice(11, 16));
const weekly: fc.Arbitrary<Weekly> = fc.record({
  days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
  from: timeOfDay,
  until: fc.oneof(timeOfDay, fc.constant("24:00")),
  timeZone: fc.constantFrom("UTC", "Europe/Oslo", "America/New_York", "Australia/Lord_Howe"),
});
const hours = (most: number) => fc.integer({ min: 0, max: most }).map((count) => count * HOUR_MS);

test("quiet times and the domain's rule are quiet in the same periods", () => {
  fc.assert(
    fc.property(
      fc.option(weekly),
      hours(480),
      fc.option(hours(240)),
      fc.option(hours(240)),
      hours(480),
      hours(60),
      (week, fromMs, lastsMs, endedMs, withinMs, lengthMs) => {
        const startMs = START_MS + fromMs;
        const at = (ms: number | null) => (ms === null ? null : startMs + ms);
        const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
        const untilMs = at(lastsMs ?? (week === null ? HOUR_MS : null));
        const own = {
          id: "q",
          partner_name: null,
          endpoint_id: null,
          from_at: new Date(startMs).toISOString(),
          until_at: iso(untilMs),
          ended_at: iso(at(endedMs)),
          weekly: week,
          made_at: "",
        };
        const within = { fromMs: START_MS + withinMs, untilMs: START_MS + withinMs + lengthMs + 1 };
        const rule = {
          partner: null,
          endpointId: null,
          fromMs: startMs,
          untilMs,
          weekly: week,
          endedMs: at(endedMs),
        };
        expect(mergePeriods(quietWithin(own, within), within)).toEqual(quietByRule(rule, within));
      },
    ),
    { numRuns: 1_000 },
  );
});
