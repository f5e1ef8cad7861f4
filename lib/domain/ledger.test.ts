import { expect, test } from "vitest";
import { freshnessLedger } from "./ledger";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

function row(minutesAgo: number | null, changes: { status?: string; reported?: boolean } = {}) {
  return {
    status: changes.status ?? "active",
    last_updated_at:
      minutesAgo === null ? null : new Date(NOW_MS - minutesAgo * 60_000).toISOString(),
    known: { reported: changes.reported ?? true },
  };
}

const TIMES = {
  nowMs: NOW_MS,
  apiNowMs: NOW_MS,
  lastSuccessMs: NOW_MS - 12_000,
  lastResponseMs: NOW_MS - 1000,
};

test("returns the age of each hop", () => {
  const ledger = freshnessLedger([row(3), row(130), row(null)], TIMES, 60);
  expect(ledger).toEqual({
    partnerData: { youngestMs: 180_000, oldestMs: 7_800_000, landed: 2, notLanded: 1 },
    apiCache: { youngestMs: 0, oldestMs: 60_000 },
    snapshot: {
      ageMs: 12_000,
      asOfMs: NOW_MS - 12_000,
      liveUntilMs: NOW_MS + 138_000,
      frozenFromMs: NOW_MS + 288_000,
    },
    screen: { ageMs: 1000 },
    confidence: "live",
  });
});

test("excludes paused and unreported endpoints from partner data", () => {
  const rows = [row(5), row(9000, { status: "inactive" }), row(8000, { reported: false })];
  expect(freshnessLedger(rows, TIMES, 60).partnerData).toMatchObject({ oldestMs: 300_000 });
});

test("measures the age of partner data on the API's clock", () => {
  const ledger = freshnessLedger([row(5)], { ...TIMES, apiNowMs: NOW_MS + 60_000 }, 60);
  expect(ledger.partnerData?.youngestMs).toBe(360_000);
});

test("returns null for everything before the first snapshot", () => {
  const times = { ...TIMES, lastSuccessMs: null, lastResponseMs: null };
  expect(freshnessLedger([], times, 60)).toEqual({
    partnerData: null,
    apiCache: null,
    snapshot: null,
    screen: null,
    confidence: "blind",
  });
});

test("never returns a negative age after a clock was set back", () => {
  const times = { ...TIMES, lastSuccessMs: NOW_MS + 5000, lastResponseMs: NOW_MS + 5000 };
  const ledger = freshnessLedger([row(-1)], times, 60);
  expect(ledger.snapshot?.ageMs).toBe(0);
  expect(ledger.screen?.ageMs).toBe(0);
  expect(ledger.partnerData?.youngestMs).toBe(0);
});
