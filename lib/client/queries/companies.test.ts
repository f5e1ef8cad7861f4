import { expect, test } from "vitest";
import type { ListedSource } from "@/lib/contracts/dashboard";
import { newestOf, soonestOf } from "./companies";

const source = (next_refresh_at: string | null, rhythm_seconds: number): ListedSource => ({
  confidence: "live",
  reason: null,
  last_success_at: null,
  next_refresh_at,
  rhythm_seconds,
  budget: { used: 0, limit: 40 },
  api_clock_offset_ms: 0,
});

test("refetches the list when the first of its companies has new data", () => {
  const sources = [
    source("2026-03-02T12:01:00Z", 60),
    source("2026-03-02T12:00:30+00:00", 120),
    source(null, 60),
    source("2026-03-02T12:02:00Z", 90),
  ];
  expect(soonestOf(sources)).toEqual({
    next_refresh_at: "2026-03-02T12:00:30+00:00",
    rhythm_seconds: 60,
  });
  const resting = [source(null, 60), source(null, 30)];
  expect(soonestOf(resting)).toEqual({ next_refresh_at: null, rhythm_seconds: 30 });
});

test("uses another partner's numbers only if there are none of the selected one", () => {
  const received = (partner: string | null, receivedMs: number) => ({
    view: { partner, companies: [] },
    receivedMs,
  });
  const [all, procore, newerAll] = [received(null, 1), received("Procore", 2), received(null, 3)];
  expect(newestOf("Procore", [all, procore, newerAll])).toBe(procore);
  expect(newestOf("", [all, procore, newerAll])).toBe(newerAll);
  expect(newestOf("Aconex", [all, procore])).toBe(procore);
});

test("doesn't schedule a refetch of an empty list", () => {
  expect(soonestOf([])).toBeNull();
});
