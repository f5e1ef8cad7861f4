import { expect, test } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  companiesThenTrust,
  companiesTrust,
  companyTrust,
  reportTrust,
  thenTrust,
} from "./trust-words";

const NOW_MS = Date.parse("2026-11-26T08:00:00Z");

test.for([
  ["live", 1, "Current: the last complete check was 1 m ago."],
  [
    "delayed",
    4,
    "Delayed: the last complete check was 4 m ago, and something may have changed since.",
  ],
  [
    "blind",
    90,
    "Not current: we can’t see this company. The last complete check was 1 h 30 m ago, and what is said here is from then.",
  ],
] as const)("says how far a company that is %s can be trusted", ([confidence, minutes, text]) => {
  const asOfMs = NOW_MS - minutes * MINUTE_MS;
  expect(companyTrust({ confidence, asOfMs }, NOW_MS)).toBe(text);
});

test("says that nothing is known of a company that was never checked", () => {
  expect(companyTrust({ confidence: "blind", asOfMs: null }, NOW_MS)).toBe(
    "Not checked yet: nothing is known of this company.",
  );
});

test.for([
  [{ companies: 0, unseen: 0 }, "No company is visible with this token, so nothing is known."],
  [{ companies: 1, unseen: 0 }, "Current: we see the company."],
  [{ companies: 1, unseen: 0, delayed: 1 }, "Delayed: we see the company, with a delay."],
  [{ companies: 1, unseen: 1 }, "Not current: we can’t see this company."],
  [{ companies: 8, unseen: 0 }, "Current: we see all 8 companies."],
  [
    { companies: 8, unseen: 0, delayed: 2 },
    "Delayed: we see all 8 companies, 2 of them with a delay.",
  ],
  [
    { companies: 8, unseen: 1, delayed: 1 },
    "Incomplete: we see 7 of 8 companies, 1 of them with a delay. Nothing here covers the others.",
  ],
  [{ companies: 8, unseen: 8 }, "Not current: we can’t see any of the 8 companies."],
] as const)("says how far companies can be trusted: %o", ([given, text]) => {
  expect(companiesTrust(given, "nothing")).toBe(text);
});

test.for([
  [{ companies: 0, unseen: 0 }, "No company is visible with this token, so nothing is known."],
  [{ companies: 1, unseen: 0 }, "As recorded at that time, when we saw the company."],
  [
    { companies: 1, unseen: 0, delayed: 1 },
    "As recorded at that time, when we saw the company, with a delay.",
  ],
  [{ companies: 1, unseen: 1 }, "We couldn’t see this company at that time."],
  [
    { companies: 8, unseen: 0, delayed: 2 },
    "As recorded at that time, when we saw all 8 companies, 2 of them with a delay.",
  ],
  [
    { companies: 8, unseen: 1 },
    "As recorded at that time, when we saw 7 of 8 companies. Nothing here covers the others.",
  ],
  [{ companies: 8, unseen: 8 }, "We couldn’t see any of the 8 companies at that time."],
] as const)("says which companies were seen at an instant: %o", ([given, text]) => {
  expect(companiesThenTrust(given, "nothing")).toBe(text);
});

test("says that companies that we can’t see are listed as last seen", () => {
  const some = { companies: 8, unseen: 1 };
  expect(companiesTrust(some, "last seen")).toBe(
    "Incomplete: we see 7 of 8 companies. What is said of the others is from their last check.",
  );
  expect(companiesTrust({ companies: 1, unseen: 1 }, "last seen")).toBe(
    "Not current: we can’t see this company. What is said here is from the last check.",
  );
  expect(companiesTrust({ companies: 8, unseen: 0 }, "last seen")).toBe(
    "Current: we see all 8 companies.",
  );
  expect(companiesThenTrust(some, "last seen")).toBe(
    "As recorded at that time, when we saw 7 of 8 companies. What is said of the others is from their last check before.",
  );
  expect(companiesThenTrust({ companies: 8, unseen: 8 }, "last seen")).toBe(
    "We couldn’t see any of the 8 companies at that time. What is said here is from the last check before.",
  );
});

test.for([
  [{ companies: 1, unseen: 1, unchecked: 1 }, "It was never checked."],
  [{ companies: 3, unseen: 3, unchecked: 3 }, "They were never checked."],
  [{ companies: 2, unseen: 1, unchecked: 1 }, "The other was never checked."],
  [{ companies: 3, unseen: 2, unchecked: 2 }, "The others were never checked."],
  [
    { companies: 3, unseen: 3, unchecked: 1 },
    "What is said here is from the last check; 1 of them was never checked.",
  ],
  [
    { companies: 8, unseen: 4, unchecked: 2 },
    "What is said of the others is from their last check; 2 of them were never checked.",
  ],
] as const)("says no last check of a company without one: %o", ([given, text]) => {
  expect(companiesTrust(given, "last seen").endsWith(`. ${text}`)).toBe(true);
  expect(companiesTrust(given, "nothing")).not.toContain("check");
});

test("says of companies that aren’t recorded at an instant that they have no check", () => {
  const then = (unchecked: number) =>
    companiesThenTrust({ companies: 3, unseen: 2, unchecked }, "last seen");
  expect(then(1)).toBe(
    "As recorded at that time, when we saw 1 of 3 companies. What is said of the others is from their last check before; 1 of them has no check recorded by then.",
  );
  expect(then(2)).toContain("The others have no check recorded by then.");
});

test("never calls the past current", () => {
  expect(thenTrust("live")).toContain("As recorded at that time");
  expect(thenTrust("delayed")).toContain("delayed");
  expect(thenTrust("blind")).toContain("only its last known state");
});

test("says how much of a month was checked, and whether its report can change", () => {
  expect(reportTrust({ closed: true, checked: 97.25, onTime: 90 })).toBe(
    "The month is closed: its report doesn’t change any more. We could check 97.3% of its time.",
  );
  expect(reportTrust({ closed: false, checked: 0, onTime: 100 })).toBe(
    "The month isn’t closed: its report may still change. Less than 0.1% of its time was checked.",
  );
  for (const checked of [0, null])
    expect(reportTrust({ closed: false, checked, onTime: null })).toBe(
      "The month isn’t closed: its report may still change. None of its time was checked.",
    );
});
