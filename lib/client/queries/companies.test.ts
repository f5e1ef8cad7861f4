import { expect, test } from "vitest";
import type { Source } from "@/lib/contracts/dashboard";
import { newestOf, soonestOf } from "./companies";

const source = (next_refresh_at: string, rhythm_seconds: number): Source => ({
  confidence: "live",
  reason: null,
  last_success_at: null,
  next_refresh_at,
  rhythm_seconds,
  rate_limit: null,
  budget: { used: 0, limit: 40 },
  api_clock_offset_ms: 0,
});

test("the list is asked for when the first of its companies has something new", () => {
  const sources = [
    source("2026-03-02T12:01:00Z", 60),
    source("2026-03-02T12:00:30+00:00", 120),
    source("2026-03-02T12:02:00Z", 90),
  ];
  expect(soonestOf(sources)).toEqual({
    next_refresh_at: "2026-03-02T12:00:30+00:00",
    rhythm_seconds: 60,
  });
});

test("numbers of another partner are used only where there are none of the one that is asked for", () => {
  const heard = (partner: string | null, receivedMs: number) => ({
    view: { partner, companies: [] },
    receivedMs,
  });
  const [all, procore, newerAll] = [heard(null, 1), heard("Procore", 2), heard(null, 3)];
  expect(newestOf("Procore", [all, procore, newerAll])).toBe(procore);
  expect(newestOf("", [all, procore, newerAll])).toBe(newerAll);
  expect(newestOf("Aconex", [all, procore])).toBe(procore);
});

test("an empty list has nothing to wait for", () => {
  expect(soonestOf([])).toBeNull();
});
