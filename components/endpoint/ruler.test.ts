import { expect, test } from "vitest";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { verdict } from "@/lib/domain/verdict";
import { rulerOf } from "./ruler";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const judge = (ageMinutes: number | null, frequency_minutes: number | null = 60) =>
  verdict(
    {
      endpoint_key: "daily_logs",
      partner_name: "Procore",
      status: "active",
      last_updated_at:
        ageMinutes === null ? null : new Date(NOW_MS - ageMinutes * 60_000).toISOString(),
      next_sync_at: null,
      last_sync_status: null,
      last_sync_started_at: null,
      last_sync_finished_at: null,
      last_sync_duration_seconds: null,
      frequency_minutes,
      api_calls_last_24h: 0,
    },
    NOTHING_KNOWN,
    NOW_MS,
  );

test("due is in the middle, and the age lies in the zone of its word", () => {
  for (const minutes of [5, 59, 66, 80, 130, 140, 600]) {
    const judgement = judge(minutes);
    const ruler = rulerOf(judgement);
    expect(ruler?.zones.map(({ word }) => word)).toEqual(["fresh", "due", "late", "stale"]);
    expect(ruler?.zones[1]?.from).toBe(0.5);
    expect(ruler?.zones.at(-1)?.until).toBe(1);
    const zone = ruler?.zones.find(
      ({ from, until }) => from <= ruler.age.share && ruler.age.share <= until,
    );
    expect(zone?.word).toBe(judgement.word);
  }
});

test("what has no age or no cadence has no ruler", () => {
  expect(rulerOf(judge(null))).toBeNull();
  expect(rulerOf(judge(10, null))).toBeNull();
});
