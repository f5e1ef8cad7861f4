import { expect, test } from "vitest";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { WEEKDAYS, type Weekday } from "@/lib/domain/time/weekdays";
import { ALL_COMPANIES, alsoTexts, messageLabel, namesText, typesText } from "./words";

test("a rule's list entry says which promises it sends", () => {
  expect(alsoTexts(EVERYTHING)).toEqual([]);
  expect(alsoTexts({ ...EVERYTHING, promises: "missed" })).toEqual(["Missed promises"]);
  expect(alsoTexts({ ...EVERYTHING, promises: "at_risk", remind_every_minutes: 60 })).toEqual([
    "Promises at risk and missed",
    "Reminder every 1 h",
  ]);
});

test("a rule's list entry names two of its customers at most, and says if none is left", () => {
  const text = (names: "all" | string[]) => namesText(names, ALL_COMPANIES);
  expect(text("all")).toBe("All customers");
  expect(text(["Northgate", "Harbour"])).toBe("Northgate, Harbour");
  expect(text(["Northgate", "Harbour", "Orchard"])).toBe("Northgate, Harbour and 1 more");
  expect(text([])).toBe("None");
});

test("a rule's list entry says on which days its quiet hours begin and its brief is sent", () => {
  const quiet = { from: "22:00", until: "06:00", time_zone: "America/New_York" };
  const brief = { at: "08:00", time_zone: "Europe/Oslo" };
  const also = (days: readonly Weekday[]) =>
    alsoTexts({
      ...EVERYTHING,
      quiet: { ...quiet, days: [...days] },
      brief: { ...brief, days: [...days] },
    });
  expect(also(["mon", "tue"])).toEqual([
    "Quiet 22:00–06:00 on Mon and Tue (New York)",
    "Brief at 08:00 on Mon and Tue (Oslo)",
  ]);
  expect(also(WEEKDAYS)).toEqual(["Quiet 22:00–06:00 (New York)", "Brief at 08:00 (Oslo)"]);
});

test("a rehearsal counts messages about promises by what they say", () => {
  const types = ["promise.at_risk", "promise.at_risk", "promise.met", "promise.ended"] as const;
  const messages = types.map((type) => ({
    type,
    at: "2026-11-26T07:00:00.000Z",
    company: "main",
    partner_name: null,
    incident_id: null,
    text: "",
  }));
  expect(typesText({ since: "", until: "", count: 4, own_companies: null, messages })).toBe(
    "2 promises at risk, 1 promise kept after a warning, 1 promise not counted after a warning",
  );
});

test("a rehearsal counts reminders as reminders", () => {
  const message = { at: "", company: "main", partner_name: "Procore", incident_id: 1, text: "" };
  const changed = { ...message, type: "incident.changed" as const };
  const reminder = { ...changed, is_reminder: true as const };
  const messages = [changed, reminder, reminder];
  expect(typesText({ since: "", until: "", count: 3, own_companies: null, messages })).toBe(
    "1 changed, 2 reminders",
  );
  expect([changed, reminder].map(messageLabel)).toEqual(["changed", "reminder"]);
});

test("a rehearsal counts summaries of what a customer has open apart from briefs", () => {
  const brief = { type: "brief" as const, at: "", partner_name: null, incident_id: null, text: "" };
  const messages = ["main", "main", null].map((company) => ({ ...brief, company }));
  expect(typesText({ since: "", until: "", count: 3, own_companies: null, messages })).toBe(
    "2 summaries of open incidents, 1 brief",
  );
});
