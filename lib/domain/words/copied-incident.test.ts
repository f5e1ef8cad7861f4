import { expect, test } from "vitest";
import { endedSentence, headlineIncident, type CopiedIncident } from "./copied-incident";
import { HOUR_MS } from "@/lib/domain/time/units";

const BEGAN_MS = Date.UTC(2026, 10, 21, 9);
const when = { nowMs: BEGAN_MS + 5 * HOUR_MS, timeZone: "UTC" };
const open: CopiedIncident = {
  beganMs: BEGAN_MS,
  openedMs: BEGAN_MS,
  endedMs: null,
  ending: null,
  endpointCount: 9,
  members: [
    { id: "1", endpointKey: "rfis", beganMs: BEGAN_MS, endedMs: null, ending: null },
    { id: "2", endpointKey: "logs", beganMs: BEGAN_MS, endedMs: null, ending: null },
  ],
};

test("tells how an incident ended, only once it has", () => {
  const ended = { ...open, endedMs: BEGAN_MS + 2 * HOUR_MS, ending: "recovered" } as const;
  expect(endedSentence("Procore", ended, when)).toBe(
    "Procore needed attention from 09:00 for 2 h 00 m: recovered at 11:00",
  );
  expect(endedSentence("Procore", open, when)).toBeNull();
  expect(endedSentence("Procore", null, when)).toBeNull();
});

test("judges a member without a verdict as unknown", () => {
  const { members } = headlineIncident("Procore", open, (id) => (id === "1" ? "late" : undefined));
  expect(members.map(({ verdict }) => verdict)).toEqual(["late", "unknown"]);
});
