import { describe, expect, test } from "vitest";
import { companyFixture } from "./company-fixture";
import { fleetHops, fleetState, fullestBudget } from "./fleet";

const NOW_MS = Date.parse("2026-03-02T12:00:10Z");
const SCREEN = { receivedMs: NOW_MS - 1000, isServerSilent: false };
const { source } = companyFixture("x");
const live = companyFixture("live");
const delayed = companyFixture("delayed", {
  source: { ...source, confidence: "delayed", last_success_at: "2026-03-02T11:56:10Z" },
});
const blind = companyFixture("blind", {
  source: {
    ...source,
    confidence: "blind",
    reason: "unreachable",
    last_success_at: "2026-03-02T09:00:00Z",
  },
  partner_data: { oldest_at: "2026-02-02T00:00:00Z", newest_at: "2026-03-02T08:59:00Z" },
});
const unread = companyFixture("unread", {
  as_of: null,
  source: { ...source, confidence: "blind", reason: "starting", last_success_at: null },
});

describe("combined confidence", () => {
  test("is live only when each company is", () => {
    expect(fleetState([live, live], NOW_MS, false)).toMatchObject({
      confidence: "live",
      label: "Live",
      note: "",
    });
    expect(fleetState([live, blind], NOW_MS, false)).toMatchObject({
      confidence: "blind",
      isBlind: false,
      label: "1 of 2 live",
      note: "can’t see blind",
    });
    expect(fleetState([live, delayed, unread, blind, blind], NOW_MS, false)).toMatchObject({
      label: "1 of 5 live",
      note: "can’t see 2; 1 delayed; 1 not checked yet",
    });
  });

  test("is blind when no company is seen", () => {
    expect(fleetState([blind, unread], NOW_MS, false)).toMatchObject({ isBlind: true });
  });

  test("goes blind as its data ages on this screen without a response", () => {
    expect(fleetState([live], NOW_MS + 3_600_000, false)).toMatchObject({ confidence: "blind" });
  });
});

describe("data ages", () => {
  const texts = (...given: Parameters<typeof fleetHops>) =>
    fleetHops(...given).map(({ name, text, isBad }) => `${isBad ? "!" : ""}${name} ${text}`);

  test("are the oldest of each kind among companies that aren't blind", () => {
    const known = companyFixture("known", {
      partner_data: { oldest_at: "2026-03-01T12:00:10Z", newest_at: "2026-03-02T11:59:30Z" },
    });
    expect(texts([known, live, blind], NOW_MS, SCREEN)).toEqual([
      "Partner data 40 s to 24 h 00 m",
      "Source cache up to 1 m",
      "Last check 10 s",
      "This screen 1 s",
    ]);
    expect(texts([known, delayed], NOW_MS, SCREEN)[2]).toBe("!Last check 4 m");
  });

  test("have no current value for blind companies", () => {
    expect(texts([blind, unread], NOW_MS, SCREEN)).toEqual([
      "Partner data not checked",
      "!Source cache no response",
      "!Last check 3 h 00 m",
      "This screen 1 s",
    ]);
    expect(texts([unread], NOW_MS, SCREEN)).toEqual([
      "Partner data not checked",
      "Source cache not yet",
      "Last check not yet",
      "This screen 1 s",
    ]);
  });
});

test("uses the budget of the host closest to its limit", () => {
  const full = companyFixture("full", { source: { ...source, budget: { used: 9, limit: 10 } } });
  expect(fullestBudget([live, full])).toEqual({ used: 9, limit: 10 });
  expect(fullestBudget([])).toBeNull();
});
