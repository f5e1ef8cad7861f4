import { expect, test } from "vitest";
import type { Phase } from "@/lib/domain/delivery/incident-timeline";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { DAY_MS } from "@/lib/domain/time/units";
import { planPast, type Past } from "./rehearse";

const UNTIL_MS = Date.parse("2026-11-28T00:00:00Z");
const FROM_MS = UNTIL_MS - 30 * DAY_MS;

/** Incidents that have been open for 30 days; nothing else is known. */
function pastOf(incidents: number, acknowledgedBy: string | null): Past {
  const phase: Phase = {
    fromMs: FROM_MS,
    isOpen: true,
    verdict: "late",
    acknowledgedBy,
    ownerId: null,
  };
  const timeline = { incidentId: 1, partner: "Procore", phases: [phase], moments: [] };
  const record = { incidents: Array.from({ length: incidents }, () => ({ timeline })) };
  const companies = new Map([["northgate", { context: { record } }]]);
  return { fromMs: FROM_MS, untilMs: UNTIL_MS, companies } as unknown as Past;
}

const plan = (past: Past, remindEveryMinutes: number | null) => () =>
  planPast({ config: {} } as Parameters<typeof planPast>[0], past, {
    rule: { ...EVERYTHING, remind_every_minutes: remindEveryMinutes },
    onlyFor: null,
  });

test("refuses to plan tens of thousands of reminders, which would stop everything else meanwhile", () => {
  const refusal = "more than 20,000 reminders";
  expect(plan(pastOf(7, null), 15)).toThrow(refusal);
  expect(plan(pastOf(6, null), 15)).not.toThrow(refusal);
  expect(plan(pastOf(7, null), 30)).not.toThrow(refusal);
  expect(plan(pastOf(7, null), null)).not.toThrow(refusal);
  expect(plan(pastOf(7, "ana"), 15)).not.toThrow(refusal);
});
