import { afterEach, expect, test, vi } from "vitest";
import { createServerClock } from "@/lib/client/clock";
import { untilNextRequestMs } from "./sync-status";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("asks again within a rhythm after the wall clock was set back", () => {
  vi.useFakeTimers({ now: NOW_MS });
  vi.stubGlobal("document", { hidden: false });
  const clock = createServerClock(NOW_MS);
  const source = { next_refresh_at: new Date(NOW_MS + 10_000).toISOString(), rhythm_seconds: 60 };
  const untilMs = untilNextRequestMs(source, NOW_MS, clock);
  expect(untilMs).toBeGreaterThan(10_000);
  expect(untilMs).toBeLessThan(12_000);
  vi.setSystemTime(NOW_MS - DAY_MS);
  expect(untilNextRequestMs(source, NOW_MS, clock)).toBeLessThan(12_000);
});
