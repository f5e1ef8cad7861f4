import { describe, expect, test } from "vitest";
import { companyFixture } from "@/components/companies/company-fixture";
import { fleetHops, fleetSentence, fleetState, fullestBudget, oldestCheckMs } from "./fleet";

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

test("knows no budget where none is given", () => {
  const without = companyFixture("without", { source: { ...source, budget: null } });
  expect(fullestBudget([without])).toBeNull();
  expect(fullestBudget([without, live])).toEqual({ used: 10, limit: 40 });
});

describe("the top bar", () => {
  const isFolded = (...given: Parameters<typeof fleetState>) => fleetState(...given).isFolded;
  const stopped = companyFixture("stopped", {
    source: {
      ...source,
      recording_stopped: { reason: "disk_full", since: "2026-03-02T11:59:00Z" },
    },
  });

  test("says enough while all companies that are seen are live", () => {
    expect(isFolded([live, live], NOW_MS, false)).toBe(true);
    expect(isFolded([live, blind, unread], NOW_MS, false)).toBe(true);
  });

  test("doesn't while one is delayed, none is seen, nothing is recorded or no response comes", () => {
    expect(isFolded([live, delayed], NOW_MS, false)).toBe(false);
    expect(isFolded([blind, unread], NOW_MS, false)).toBe(false);
    expect(isFolded([live, stopped], NOW_MS, false)).toBe(false);
    expect(isFolded([live], NOW_MS, true)).toBe(false);
    expect(isFolded([live], NOW_MS + 160_000, false)).toBe(false);
  });
});

test("the last check is the oldest of those that are seen", () => {
  expect(oldestCheckMs([live, delayed, blind, unread], NOW_MS)).toBe(
    Date.parse("2026-03-02T11:56:10Z"),
  );
  expect(oldestCheckMs([blind, unread], NOW_MS)).toBeNull();
});

describe("the ledger's sentence", () => {
  const said = (...companies: Parameters<typeof fleetSentence>[0]) =>
    fleetSentence(companies, { nowMs: NOW_MS, timeZone: "UTC" });
  const unseen = (name: string) => ({ ...blind, name });

  test("counts those that are live", () => {
    expect(said(live)).toBe("Our checks are live.");
    expect(said(live, live)).toBe("Our checks are live for both customers.");
  });

  test("names whom we can't see, and since when", () => {
    expect(said(live, blind, delayed, unread)).toBe(
      "Our checks are live for 1 of 4 customers. They’re delayed for 1. We haven’t been able to see blind since 09:00. unread hasn’t been checked yet.",
    );
    expect(said(live, unseen("A"), unseen("B"))).toContain("see A since 09:00 and B since 09:00.");
    expect(said(live, ...["A", "B", "C", "D", "E"].map(unseen))).toContain(
      "see A since 09:00, B since 09:00, C since 09:00 and 2 other customers.",
    );
  });
});
