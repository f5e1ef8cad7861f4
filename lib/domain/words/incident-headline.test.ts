import { describe, expect, test } from "vitest";
import type { MemberEnding } from "@/lib/domain/incidents/incident";
import { incidentHeadline, incidentThenHeadline, type HeadlineIncident } from "./incident-headline";
import { spokenEnding } from "./incident-words";

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const NOW = { nowMs: at("08:58:12"), timeZone: "UTC" };
const INCIDENT: HeadlineIncident = {
  partner: "Procore",
  beganMs: at("05:37:00"),
  endedMs: null,
  ending: null,
  unseenSinceMs: null,
  nextSyncMs: at("09:05:00"),
  endpointCount: 9,
  members: [
    { verdict: "stale", endedMs: null, ending: null },
    { verdict: "late", endedMs: null, ending: null },
    { verdict: "unknown", endedMs: null, ending: null },
    { verdict: "fresh", endedMs: at("07:49:00"), ending: "data_received" },
  ],
};
const overBy = (...endings: MemberEnding[]) =>
  endings.map((ending) => ({ verdict: "late", endedMs: at("08:50:00"), ending }) as const);
const over = overBy("data_received", "run_completed");

describe("incidentHeadline", () => {
  test.each<[string, Partial<HeadlineIncident>]>([
    ["Procore has needed attention since 05:37: 2 of 9 feeds; next sync 09:05", {}],
    [
      "Procore has needed attention since 05:37: 2 of 9 feeds; no time is set for the next sync",
      { nextSyncMs: null },
    ],
    [
      "Procore has needed attention since 05:37: 2 of 9 feeds; the next sync was due at 08:00",
      { nextSyncMs: at("08:00:00") },
    ],
    [
      "Procore has needed attention since Fri 20 Nov, 17:40: 1 of 1 feed; next sync 09:05",
      {
        beganMs: Date.parse("2026-11-20T17:40:00Z"),
        endpointCount: 0,
        members: [{ verdict: "late", endedMs: null, ending: null }],
      },
    ],
    [
      "Procore needed attention from 05:37; we haven’t been able to see it since 08:12",
      { unseenSinceMs: at("08:12:00") },
    ],
    [
      "Procore needed attention from 05:37; we can’t tell how it is now",
      { members: [{ verdict: "unknown", endedMs: null, ending: null }] },
    ],
    [
      "Procore needed attention from 05:37; no feed of this incident is behind now",
      { members: over },
    ],
    [
      "Procore needed attention from 05:37; no feed of this incident is behind outside of planned quiet now",
      { members: overBy("data_received", "expected") },
    ],
    [
      "Procore needed attention from 05:37; no feed of this incident that the API still lists is behind now",
      { members: overBy("removed") },
    ],
    [
      "Procore needed attention from 05:37 for 2 h 12 m: recovered at 07:49",
      { endedMs: at("07:49:00"), ending: "recovered", members: over },
    ],
    [
      "Procore needed attention: recovered at 05:36; the source’s clock went back meanwhile, so we can’t tell how long it lasted",
      { endedMs: at("05:36:00"), ending: "recovered", members: over },
    ],
    [
      "Procore needed attention from 05:37 for 2 h 12 m: paused at the source at 07:49",
      { endedMs: at("07:49:00"), ending: "paused", members: over },
    ],
    [
      "Procore needed attention from 05:37 for 2 h 12 m: resting by its learned week at 07:49",
      { endedMs: at("07:49:00"), ending: spokenEnding("eased", true), members: over },
    ],
    [
      "Procore needed attention from 05:37 for 2 h 12 m: its feeds cleared for different reasons, the last one at 07:49",
      { endedMs: at("07:49:00"), ending: "mixed", members: over },
    ],
  ])("%s", (sentence, given) => {
    expect(incidentHeadline({ ...INCIDENT, ...given }, NOW)).toBe(sentence);
  });
});

test("names the zone of its first time for readers who may expect another", () => {
  const when = { ...NOW, timeZone: "Europe/Oslo", namesZone: true };
  expect(incidentHeadline(INCIDENT, when)).toContain("since 06:37 CET: 2 of 9 feeds");
  const then = { ...when, atMs: at("08:00:00"), wasBlind: false };
  expect(incidentThenHeadline(INCIDENT, then)).toContain("At 09:00, Procore had needed attention");
  expect(incidentThenHeadline(INCIDENT, then)).toContain("since 06:37 CET");
});

describe("incidentThenHeadline", () => {
  const WHEN = { ...NOW, atMs: at("08:30:00"), wasBlind: false };

  test.each<[string, Partial<HeadlineIncident>, number]>([
    ["At 08:30, Procore had needed attention since 05:37: 2 of 9 feeds", {}, WHEN.atMs],
    [
      "On Sun 22 Nov at 08:30, Procore had needed attention since Sat 21 Nov, 08:30: 2 of 9 feeds",
      { beganMs: at("08:30:00") - 48 * 3_600_000 },
      at("08:30:00") - 24 * 3_600_000,
    ],
    [
      "At 08:30, Procore had needed attention since 05:37; no feed of this incident was behind then",
      { members: over },
      WHEN.atMs,
    ],
    [
      "At 08:30, Procore had needed attention since 05:37; no feed of this incident that the API still listed was behind outside of planned quiet then",
      { members: overBy("expected", "removed") },
      WHEN.atMs,
    ],
    [
      "At 08:30, Procore had needed attention since 05:37; we couldn’t tell how it was then",
      { members: [{ verdict: "unknown", endedMs: null, ending: null }] },
      WHEN.atMs,
    ],
  ])("%s", (said, change, atMs) => {
    expect(incidentThenHeadline({ ...INCIDENT, ...change }, { ...WHEN, atMs })).toBe(said);
  });

  test("says that checks weren't possible any more at a blind instant", () => {
    expect(incidentThenHeadline(INCIDENT, { ...WHEN, wasBlind: true })).toBe(
      "At 08:30, Procore had needed attention since 05:37: 2 of 9 feeds; we couldn’t check after that",
    );
  });

  test("reports an ended incident as usual", () => {
    const ended = { ...INCIDENT, endedMs: at("08:20:00"), ending: "recovered" as const };
    expect(incidentThenHeadline(ended, WHEN)).toBe(incidentHeadline(ended, NOW));
  });
});
