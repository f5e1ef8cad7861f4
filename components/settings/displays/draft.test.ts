import { describe, expect, test } from "vitest";
import type { Display } from "@/lib/contracts/wall";
import { dayRange, draftOf, newDraft, settingsOf, type Draft } from "./draft";

const NOW_MS = Date.UTC(2026, 10, 19, 13, 32);
const ZONE = "Europe/Oslo";

const draft = (changes: Partial<Draft> = {}): Draft => ({
  ...newDraft(ZONE),
  name: "Room 3",
  ...changes,
});
const endOf = (changes: Partial<Draft>) => settingsOf(draft(changes), NOW_MS, ZONE)?.expires_at;

const DISPLAY: Display = {
  id: "8d0bb1ce-0f7f-4f8e-a5b3-3f0f4e3f9f10",
  name: "Room 3",
  place: "2nd floor",
  companies: ["northgate"],
  layout: "portrait",
  theme: "light",
  time_zone: "Asia/Tokyo",
  expires_at: "2026-12-24T23:00:00.000Z",
  created_at: "2026-11-01T08:00:00.000Z",
  created_by: "Ana Rask",
  waiting_since: null,
  revoked_at: null,
  last_seen_at: null,
  last_paint_at: null,
  snapshot_age_seconds: null,
  build: null,
  user_agent: null,
  reload_requested_at: null,
};

describe("settingsOf", () => {
  test("defaults to all companies, no expiry and the person's time zone", () => {
    expect(settingsOf(draft({ name: "  Room 3 ", place: " east " }), NOW_MS, ZONE)).toEqual({
      name: "Room 3",
      place: "east",
      companies: null,
      layout: "auto",
      theme: "dark",
      time_zone: ZONE,
      expires_at: null,
    });
  });

  test("counts days from now, and includes the last day", () => {
    expect(endOf({ end: "30" })).toBe("2026-12-19T13:32:00.000Z");
    expect(endOf({ end: "365" })).toBe("2027-11-19T13:32:00.000Z");
    expect(endOf({ end: "day", day: "2026-11-19" })).toBe("2026-11-19T23:00:00.000Z");
  });

  test("requires a name, a company and a future day", () => {
    expect(settingsOf(draft({ name: " " }), NOW_MS, ZONE)).toBeNull();
    expect(settingsOf(draft({ companies: [] }), NOW_MS, ZONE)).toBeNull();
    for (const day of ["", "2026-11-18", "2028-11-21", "soon"]) {
      expect(settingsOf(draft({ end: "day", day }), NOW_MS, ZONE)).toBeNull();
    }
  });

  test("accepts every day that the field offers", () => {
    const { min, max } = dayRange(NOW_MS, ZONE);
    expect(endOf({ end: "day", day: min })).toBeDefined();
    expect(endOf({ end: "day", day: max })).toBeDefined();
  });

  test("leaves an unchanged display unchanged, including its expiry", () => {
    const { expires_at, name, place, companies, layout, theme, time_zone } = DISPLAY;
    const settings = { expires_at, name, place, companies, layout, theme, time_zone };
    expect(settingsOf(draftOf(DISPLAY, NOW_MS), NOW_MS, ZONE)).toEqual(settings);
  });

  test("drops an expiry in the past", () => {
    const over = draftOf({ ...DISPLAY, expires_at: "2026-11-19T13:31:00Z" }, NOW_MS);
    expect(over).toMatchObject({ end: "never", keptUntil: null });
  });
});
