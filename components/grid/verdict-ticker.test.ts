import { expect, test } from "vitest";
import type { Source } from "@/lib/contracts/dashboard";
import { verdictsOf, momentOf } from "@/lib/domain/judge";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import { createVerdictTicker } from "./verdict-ticker";
import { SECOND_MS } from "@/lib/domain/time/units";

const source: Source = {
  confidence: "live",
  reason: null,
  last_success_at: minutesAgo(0),
  next_refresh_at: minutesAgo(-60),
  rhythm_seconds: 600,
  rate_limit: null,
  budget: { used: 0, limit: 40 },
  api_clock_offset_ms: 0,
};
const SNAPSHOT = { as_of: minutesAgo(0), source };

/** Hourly endpoints that become due one second apart, from `NOW_MS` on. */
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    row({ id: String(at), last_updated_at: minutesAgo(60 - at / 60), next_sync_at: null }),
  );

test("judges a few rows every second", () => {
  const rows = rowsOf(20);
  const read = createVerdictTicker(rows, SNAPSHOT);
  for (const seconds of [0, 1, 7, 19]) {
    const nowMs = NOW_MS + seconds * SECOND_MS;
    expect(read(nowMs)).toEqual(verdictsOf(rows, momentOf(SNAPSHOT, nowMs)));
  }
});

test("judges very many rows in turns of at most five seconds", () => {
  const rows = rowsOf(4000);
  const read = createVerdictTicker(rows, SNAPSHOT);
  read(NOW_MS);
  for (let second = 1; second <= 60; second += 1) {
    const words = read(NOW_MS + second * SECOND_MS);
    const now = verdictsOf(rows, momentOf(SNAPSHOT, NOW_MS + second * SECOND_MS));
    const then = verdictsOf(rows, momentOf(SNAPSHOT, NOW_MS + (second - 5) * SECOND_MS));
    const odd = rows.filter(
      ({ id }) => words.get(id) !== now.get(id) && words.get(id) !== then.get(id),
    );
    expect(odd).toEqual([]);
    // Those whose verdict changed more than five seconds ago show it.
    expect([...then].filter(([id, word]) => word === "due" && words.get(id) !== "due")).toEqual([]);
  }
});

test("judges all rows after a jump in time", () => {
  const rows = rowsOf(4000);
  const read = createVerdictTicker(rows, SNAPSHOT);
  read(NOW_MS);
  const laterMs = NOW_MS + 60 * SECOND_MS;
  expect(read(laterMs)).toEqual(verdictsOf(rows, momentOf(SNAPSHOT, laterMs)));
});

test("reaches every row even when it is called once a minute", () => {
  const rows = rowsOf(4000);
  const read = createVerdictTicker(rows, SNAPSHOT);
  for (let minute = 0; minute < 3; minute += 1) {
    const nowMs = NOW_MS + minute * 60 * SECOND_MS;
    expect(read(nowMs)).toEqual(verdictsOf(rows, momentOf(SNAPSHOT, nowMs)));
  }
});

test("uses the snapshot's verdicts at once when it freezes", () => {
  const rows = rowsOf(4000);
  const read = createVerdictTicker(rows, { ...SNAPSHOT, source: { ...source, rhythm_seconds: 1 } });
  read(NOW_MS);
  const words = read(NOW_MS + 6 * SECOND_MS);
  expect(new Set(words.values())).toEqual(new Set(["fresh"]));
});

test("follows a clock that is set back at once", () => {
  const rows = rowsOf(4000);
  const read = createVerdictTicker(rows, SNAPSHOT);
  read(NOW_MS + 60 * SECOND_MS);
  expect(read(NOW_MS)).toEqual(verdictsOf(rows, momentOf(SNAPSHOT, NOW_MS)));
});

test("returns the same map while no verdict changes", () => {
  const rows = [row({ last_updated_at: minutesAgo(1) })];
  const read = createVerdictTicker(rows, SNAPSHOT);
  const words = read(NOW_MS);
  expect(read(NOW_MS + 100)).toBe(words);
  expect(read(NOW_MS + 3 * SECOND_MS)).toBe(words);
});
