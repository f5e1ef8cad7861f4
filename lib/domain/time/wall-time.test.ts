import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "./units";
import { firstShownMs, wallClock } from "./wall-time";

const ZONES = [
  "UTC",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Africa/Casablanca",
];

test("converts many times like one at a time, also when the clocks change", () => {
  const fromMs = Date.parse("2026-01-01T00:00:00Z");
  const within = { fromMs: fromMs - 3 * DAY_MS, untilMs: fromMs + 369 * DAY_MS };
  const clocks = ZONES.map((zone) => ({ zone, clock: wallClock(zone, within) }));
  fc.assert(
    fc.property(
      fc.constantFrom(...clocks),
      fc.integer({ min: 0, max: 365 * 1440 }),
      ({ zone, clock }, minutes) => {
        const wallMs = fromMs + minutes * MINUTE_MS;
        expect(clock(wallMs)).toBe(firstShownMs(wallMs, zone));
      },
    ),
    { numRuns: 3_000 },
  );
  for (const { zone, clock } of clocks)
    for (const day of ["2026-03-08", "2026-03-28", "2026-03-29", "2026-10-25", "2026-11-01"])
      for (let minutes = 0; minutes < 300; minutes += 1) {
        const wallMs = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
        expect(clock(wallMs)).toBe(firstShownMs(wallMs, zone));
      }
});
