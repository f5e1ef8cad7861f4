import { expect, test } from "vitest";
import type { IncidentTimeline } from "@/lib/domain/delivery/incident-timeline";
import { HOUR_MS } from "@/lib/domain/time/units";
import { incidentOf, type MessageContext } from "./compose";

const OPENED_MS = Date.parse("2026-11-19T10:00:00Z");

test("an ending is about every member, even those that joined by a clock that went back since", () => {
  const timeline = { incidentId: 1 } as IncidentTimeline;
  const member = { endpointKey: "rfis", verdict: "fresh", beganMs: OPENED_MS, receivedMs: null };
  const over = { ...member, endedMs: OPENED_MS + HOUR_MS, ending: "eased" };
  const row = {
    id: 1,
    beganAt: new Date(OPENED_MS),
    openedAt: new Date(OPENED_MS),
    endedAt: new Date(OPENED_MS + HOUR_MS),
    ending: "eased",
    members: [
      { ...over, endpointId: "first", joinedMs: OPENED_MS },
      { ...over, endpointId: "ahead", joinedMs: OPENED_MS + 5 * HOUR_MS },
    ],
  };
  const context = {
    record: { incidents: [{ row, timeline }] },
    names: new Map(),
  } as unknown as MessageContext;
  const phase = { fromMs: OPENED_MS, verdict: null, acknowledgedBy: null, ownerId: null };
  const told = (isOpen: boolean) =>
    incidentOf(context, timeline, { ...phase, isOpen }, OPENED_MS + HOUR_MS)?.members.map(
      ({ endpoint_id: id }) => id,
    );
  expect(told(true)).toEqual(["first"]);
  expect(told(false)).toEqual(["first", "ahead"]);
});
