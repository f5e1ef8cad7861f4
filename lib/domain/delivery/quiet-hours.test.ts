import { expect, test } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { quietEndMs } from "./quiet-hours";
import { rulesOnClock } from "./rule";
import { PROMISES_AT_RISK, quietDaily } from "./rule-fixture";

const NOW_MS = Date.parse("2026-11-26T23:00:00Z");

test("end by our clock, whatever clock instants are on", () => {
  const [rule] = rulesOnClock([{ ...PROMISES_AT_RISK, quiet: quietDaily("22:00", "23:30") }], {
    aheadMs: 7 * MINUTE_MS,
    nowMs: NOW_MS,
  });
  expect(quietEndMs(rule?.quiet ?? null, NOW_MS)).toBe(NOW_MS + 37 * MINUTE_MS);
});

test("are worked out once for the clocks of many companies", () => {
  let reads = 0;
  const hours = quietDaily("22:00", "23:30");
  const counted = Object.defineProperty({ ...hours }, "time_zone", {
    enumerable: true,
    get: () => ((reads += 1), hours.time_zone),
  });
  const clocked = Array.from({ length: 100 }, (_, at) =>
    rulesOnClock([{ ...PROMISES_AT_RISK, quiet: counted }], {
      aheadMs: 60_000 + at,
      nowMs: NOW_MS,
    }),
  );
  const readsBefore = reads;
  for (const { quiet } of clocked.flat()) quietEndMs(quiet, NOW_MS);
  expect(reads - readsBefore).toBe(1);
});
