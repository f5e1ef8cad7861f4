import { expect, test } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Phase } from "./incident-timeline";
import { mostReminders } from "./most-reminders";

const phase = (fromMinutes: number, changes: Partial<Phase> = {}): Phase => ({
  fromMs: fromMinutes * MINUTE_MS,
  isOpen: true,
  verdict: "late",
  acknowledgedBy: null,
  ownerId: null,
  ...changes,
});
const HOUR = { fromMs: 0, untilMs: 60 * MINUTE_MS };

test.each<[number, Phase[]]>([
  [4, [phase(0)]],
  [4, [phase(-600)]],
  [2, [phase(0), phase(30, { acknowledgedBy: "ana" })]],
  [3, [phase(0), phase(10, { acknowledgedBy: "ana" }), phase(30)]],
  [1, [phase(0), phase(5, { isOpen: false })]],
  [0, [phase(90)]],
])("counts at most %i reminders an hour", (most, phases) => {
  expect(mostReminders({ phases }, { remind_every_minutes: 15 }, HOUR)).toBe(most);
  expect(mostReminders({ phases }, { remind_every_minutes: null }, HOUR)).toBe(0);
});
