import * as fc from "fast-check";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { WEEK_MINUTES, weekTime, type WeekSpan } from "./week-span";

/** One to four parts of a week. */
export const anySpans: fc.Arbitrary<WeekSpan[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: WEEK_MINUTES - 1 }), { minLength: 2, maxLength: 8 })
  .map((edges) => edges.toSorted((a, b) => a - b))
  .map((edges) =>
    Array.from({ length: Math.floor(edges.length / 2) }, (_, at) => ({
      from: edges[2 * at] ?? 0,
      until: edges[2 * at + 1] ?? 0,
    })),
  );

export const anyZone = fc.constantFrom(
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Pacific/Auckland",
);

/** A learned week as rows have it. */
export const anyWeek: fc.Arbitrary<LearnedWeekFacts> = fc
  .record({ spans: anySpans, time_zone: anyZone })
  .map(({ spans, time_zone }) => ({
    time_zone,
    spans: spans.map(({ from, until }) => ({ from: weekTime(from), until: weekTime(until) })),
    since: "2026-11-01T00:00:00.000Z",
  }));
