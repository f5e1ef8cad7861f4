import { expect, test } from "vitest";
import type { Expectation } from "@/lib/contracts/quiet";
import { expectation } from "./expectation-fixture";
import { quietText, whatText } from "./words";
import { endWords, hasBegun, weeklyText, whenText } from "./plan-words";

const NOW_MS = Date.parse("2026-11-21T20:00:00Z");

const LATER = { quiet: { from: "2026-11-22T22:00:00Z", until: "2026-11-23T06:00:00Z" } };
const NIGHTS = { from: "22:00", until: "06:00", time_zone: "UTC" };

test("shows until when, why and by whom", () => {
  expect(quietText(expectation(), NOW_MS, "UTC")).toBe(
    "Planned quiet until Mon 06:00: ERP upgrade, Ana",
  );
  const endless = { quiet: { from: "2026-11-21T20:00:00Z", until: null } };
  expect(
    quietText(expectation({ ...endless, made_by: { name: "Ana", is_you: true } }), NOW_MS, "UTC"),
  ).toBe("Planned quiet: ERP upgrade, You");
});

test.each([
  ["Until Mon 06:00", {}],
  ["Sun 22:00 to Mon 06:00", LATER],
  ["Until it’s ended", { quiet: { from: "2026-11-21T20:00:00Z", until: null } }],
  ["From Sun 22:00", { quiet: { from: "2026-11-22T22:00:00Z", until: null } }],
  ["Over", { quiet: null }],
])("%s", (text, changes) => {
  expect(whenText(expectation(changes), NOW_MS, "UTC")).toBe(text);
});

test("says what ends, and that one of every week doesn’t repeat", () => {
  const begun = expectation();
  expect(hasBegun(begun.quiet, NOW_MS)).toBe(true);
  expect(endWords.of(begun, "Until Mon 06:00")).toBe(
    "Until Mon 06:00, planned by Ana: ERP upgrade",
  );
  expect(endWords.end.effect(begun)).toBe("Incidents can open again right away.");
  const weekly = expectation({ weekly: { ...NIGHTS, days: ["sat"] } });
  expect(endWords.end.effect(weekly)).toContain("It doesn’t repeat any more.");
  expect(hasBegun(expectation(LATER).quiet, NOW_MS)).toBe(false);
});

test("shows the scope", () => {
  expect(whatText(expectation({ partner_name: null }))).toBe("All partners");
  expect(whatText(expectation())).toBe("Procore");
  expect(whatText(expectation({ endpoint_key: "daily_logs" }))).toBe("Procore / daily_logs");
});

test.each([
  ["", null],
  ["Every Sat, Sun, 22:00 to 06:00 UTC", { ...NIGHTS, days: ["sat", "sun"] }],
  [
    "Every day, 22:00 to 06:00 New York time",
    {
      ...NIGHTS,
      days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      time_zone: "America/New_York",
    },
  ],
] satisfies [string, Expectation["weekly"]][])("%s", (text, weekly) => {
  expect(weeklyText(expectation({ weekly }))).toBe(text);
});
