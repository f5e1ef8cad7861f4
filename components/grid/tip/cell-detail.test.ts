import { expect, test } from "vitest";
import { cellDetail } from "./cell-detail";
import type { DetailCell } from "./detail-cells";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";

const NOW = { atMs: NOW_MS, isFrozen: false };
const GIVEN = { timeZone: "Europe/Oslo", strip: "" };
const LATE = row({ last_updated_at: minutesAgo(130), verdict: "late" });

const detail = (cell: DetailCell, endpoint = LATE, moment = NOW) =>
  cellDetail(cell, endpoint, moment, GIVEN);

test("shows an age's instant with zone and day, and what was expected", () => {
  expect(detail("age")).toEqual({
    lead: "Data as of",
    strong: "12:22:07 CET",
    more: "Thu 19 Nov 2026, expected every 1 h",
  });
  expect(detail("age", row({ last_updated_at: null }))?.lead).toBe("No data time from the source");
});

test("gives a verdict's reasons, in the past tense when frozen", () => {
  expect(detail("verdict")?.lead).toMatch(/^Procore \/ rfis is late: data is 2 h 10 m old/);
  expect(detail("verdict", LATE, { ...NOW, isFrozen: true })).toEqual({
    lead: "",
    strong: "It was late at 14:32.",
    more: "Then: 1 h 10 m overdue, expected every 1 h.",
  });
});

test("lists the ages at which a bar's verdict changes", () => {
  expect(detail("bar")).toEqual({
    lead: "Due at",
    strong: "1 h",
    more: "late after 1 h 16 m, stale after 2 h 16 m",
  });
  expect(detail("bar", row({ frequency_minutes: null }))?.lead).toBe("No cadence known.");
});

test("counts lateness from when new data was due", () => {
  expect(detail("over")).toMatchObject({ lead: "Was due", strong: "13:22:07 CET" });
  expect(detail("over", row({}))).toBeNull();
  const unknown = row({ last_updated_at: null, next_sync_at: minutesAgo(1) });
  expect(detail("over", unknown)).toBeNull();
});

test("shows the next sync as a moment, in the past tense once blind", () => {
  expect(detail("next")).toMatchObject({ lead: "Next sync", strong: "14:45:07 CET" });
  expect(detail("next", LATE, { ...NOW, isFrozen: true })?.lead).toMatch(/^Not known now/);
  expect(detail("next", row({ status: "webhook" }))).toBeNull();
});

test("shows when a run ended, or since when it is running, and its usual duration", () => {
  const recorded = { ...LATE, known: { ...LATE.known, typical_duration_seconds: 60 } };
  expect(detail("run", recorded)).toEqual({
    lead: "Completed",
    strong: "14:12:07 CET",
    more: "Thu 19 Nov 2026, normally under 1 m 00 s",
  });
  // One duration allows no comparison.
  expect(detail("run")?.more).toBe("Thu 19 Nov 2026");
  const running = row({ last_sync_status: "in_progress", last_sync_started_at: minutesAgo(3) });
  expect(detail("run", running)).toMatchObject({ lead: "Running since", strong: "14:29:07 CET" });
  expect(detail("run", row({ last_sync_status: null }))).toBeNull();
});

test("shows the strip's name, and calls as a rolling window", () => {
  expect(detail("strip")).toBeNull();
  const strip = "Past 24 hours: 23 runs seen, 0 not completed";
  expect(cellDetail("strip", LATE, NOW, { ...GIVEN, strip })?.lead).toBe(strip);
  expect(detail("calls")).toMatchObject({ strong: "5 API calls" });
  expect(detail("calls", row({ api_calls_last_24h: 1 }))).toMatchObject({ strong: "1 API call" });
});
