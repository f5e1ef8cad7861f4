import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  confidence,
  confidenceOnScreen,
  confidenceNow,
  delayedUntilMs,
  liveUntilMs,
} from "./confidence";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

test("is live up to 2.5 polls, delayed up to 5, then blind", () => {
  const afterMs = (ms: number) => confidence(NOW_MS - ms, NOW_MS, 60);
  expect(afterMs(0)).toBe("live");
  expect(afterMs(150_000)).toBe("live");
  expect(afterMs(150_001)).toBe("delayed");
  expect(afterMs(300_000)).toBe("delayed");
  expect(afterMs(300_001)).toBe("blind");
});

test("scales the limits with a stretched poll rhythm", () => {
  expect(confidence(NOW_MS - 300_000, NOW_MS, 120)).toBe("live");
  expect(confidence(NOW_MS - 600_001, NOW_MS, 120)).toBe("blind");
});

test("is blind without a snapshot or with an invalid rhythm", () => {
  expect(confidence(null, NOW_MS, 60)).toBe("blind");
  for (const rhythm of [0, -60, Number.NaN, Infinity])
    expect(confidence(NOW_MS, NOW_MS, rhythm)).toBe("blind");
  expect(confidence(NOW_MS, Number.NaN, 60)).toBe("blind");
});

test("doesn't keep an old snapshot live when the clock is set back", () => {
  expect(confidence(NOW_MS + 1000, NOW_MS, 60)).toBe("live");
  expect(confidence(NOW_MS + 3_600_000, NOW_MS, 60)).toBe("blind");
});

test("returns the last millisecond of live and of delayed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3600 }), (rhythm) => {
      const live = liveUntilMs(NOW_MS, rhythm) ?? 0;
      const delayed = delayedUntilMs(NOW_MS, rhythm) ?? 0;
      expect(confidence(NOW_MS, live, rhythm)).toBe("live");
      expect(confidence(NOW_MS, live + 1, rhythm)).toBe("delayed");
      expect(confidence(NOW_MS, delayed, rhythm)).toBe("delayed");
      expect(confidence(NOW_MS, delayed + 1, rhythm)).toBe("blind");
    }),
  );
  expect(liveUntilMs(null, 60)).toBeNull();
  expect(delayedUntilMs(null, 60)).toBeNull();
});

const said = (word: "live" | "delayed" | "blind") => ({
  confidence: word,
  last_success_at: new Date(NOW_MS).toISOString(),
  rhythm_seconds: 60,
});

test("ages by the reader's clock even if no response arrives", () => {
  expect(confidenceNow(said("live"), NOW_MS + 150_000)).toBe("live");
  expect(confidenceNow(said("live"), NOW_MS + 151_000)).toBe("delayed");
  expect(confidenceNow(said("live"), NOW_MS + 301_000)).toBe("blind");
});

test("keeps a worse confidence reported by the server, whatever the clocks say", () => {
  expect(confidenceNow(said("blind"), NOW_MS + 1000)).toBe("blind");
  expect(confidenceNow(said("delayed"), NOW_MS + 1000)).toBe("delayed");
});

test("is not live on a screen that lost its connection to the server", () => {
  expect(confidenceOnScreen("live", true)).toBe("delayed");
  expect(confidenceOnScreen("blind", true)).toBe("blind");
  expect(confidenceOnScreen("live", false)).toBe("live");
});
