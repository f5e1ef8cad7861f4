import { expect, test } from "vitest";
import { timelineOf } from "@/lib/domain/delivery/incident-timeline";
import type { PlannedRule } from "@/lib/domain/delivery/rule";
import { EVERYTHING, quietDaily } from "@/lib/domain/delivery/rule-fixture";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { MessageContext } from "./compose";
import { planMessages } from "./plan-messages";

const OPENED_MS = Date.parse("2026-11-19T10:00:00Z");
const RULE: PlannedRule = { ...EVERYTHING, name: "Everything", sinceMs: -Infinity, onlyFor: null };
const SKEWS = [-33, 0, 42].map((hours) => [hours, hours * HOUR_MS] as const);

/** When the opening of an incident is due, on our clock; null: never. */
function openingDueMs(rule: PlannedRule, aheadMs: number, nowMs: number): number | null {
  const openedMs = OPENED_MS + aheadMs;
  const timeline = timelineOf({ id: 1, partner: "Procore", openedMs, ownerId: null }, [
    {
      atMs: openedMs,
      kind: "opened",
      endpointId: "a",
      byId: null,
      detail: { to: "failing" },
      text: null,
      seq: 1,
    },
  ]);
  const record = {
    observedMs: nowMs + aheadMs,
    offsetMs: aheadMs,
    care: { ownerId: null, ownerSinceMs: null, standIn: null },
    incidents: [{ timeline }],
    gaps: [],
  };
  const drafts = planMessages(
    {
      destination: "channel:1",
      to: "channel",
      channelId: "1",
      personId: null,
      toName: "Hook",
      rules: [rule],
      timeZone: "UTC",
      follows: "every",
      followsFromMs: -Infinity,
    },
    { company: { slug: "northgate", name: "Northgate" }, record } as unknown as MessageContext,
    {
      blindnesses: [],
      nowMs: nowMs + aheadMs,
      waitMs: 0,
      longerWaits: new Map(),
      openings: new Map(),
      carried: new Map(),
    },
  );
  const opening = drafts.find(({ key }) => key.endsWith("opened"));
  return opening === undefined ? null : opening.dueMs - aheadMs;
}

test.each(SKEWS)("a rule applies from when it was made, with an API clock %i h ahead", (_, ms) => {
  const rule = { ...RULE, sinceMs: OPENED_MS - MINUTE_MS };
  expect(openingDueMs(rule, ms, OPENED_MS + MINUTE_MS)).toBe(OPENED_MS);
});

test.each(SKEWS)(
  "what a rule finds open is due when it is made, with an API clock %i h ahead",
  (_, ms) => {
    const madeMs = OPENED_MS + 5 * MINUTE_MS;
    expect(openingDueMs({ ...RULE, sinceMs: madeMs }, ms, madeMs + MINUTE_MS)).toBe(madeMs);
  },
);

test.each(SKEWS)("quiet hours are those of our clock, with an API clock %i h ahead", (_, ms) => {
  const nowMs = OPENED_MS + 3 * HOUR_MS;
  const quiet = { ...RULE, quiet: quietDaily("09:00", "12:00") };
  expect(openingDueMs(quiet, ms, nowMs)).toBe(Date.parse("2026-11-19T12:00:00Z"));
  const later = { ...RULE, quiet: quietDaily("12:00", "18:00") };
  expect(openingDueMs(later, ms, nowMs)).toBe(OPENED_MS);
});
