import { describe, expect, test } from "vitest";
import { nextRequestMs, overdueFromMs } from "./snapshot";

const RHYTHM_MS = 60_000;
const NEXT_MS = 1_000_000;
const requestAt = (lastRequestMs: number, jitter = 0, rhythmMs = RHYTHM_MS, isHidden = false) =>
  nextRequestMs({ nextRefreshMs: NEXT_MS, rhythmMs, lastRequestMs, jitter, isHidden });

describe("nextRequestMs", () => {
  test("requests once, just after the server's next read", () => {
    expect(requestAt(NEXT_MS - 20_000)).toBe(NEXT_MS + 100);
  });

  test("follows the server's reads, even if more frequent than its rhythm", () => {
    let nextMs = NEXT_MS;
    for (let read = 0; read < 9; read++) {
      const requestMs = nextRequestMs({
        nextRefreshMs: nextMs,
        rhythmMs: RHYTHM_MS,
        lastRequestMs: nextMs - 19_000,
        jitter: 1,
      });
      expect(requestMs - nextMs).toBe(1100);
      nextMs += 20_200;
    }
  });

  test("spreads tabs over a second, or proportionally less for a fast rhythm", () => {
    expect(requestAt(NEXT_MS - 59_000, 1) - requestAt(NEXT_MS - 59_000, 0)).toBe(1000);
    expect(requestAt(NEXT_MS - 900, 1, 1000) - requestAt(NEXT_MS - 900, 0, 1000)).toBe(100);
  });

  test("polls every 3 s while the server's read is late, so that a failure shows within 5 s", () => {
    expect(requestAt(NEXT_MS + 300) - (NEXT_MS + 300)).toBe(3000);
    expect(requestAt(NEXT_MS + 9000) - (NEXT_MS + 9000)).toBe(3000);
  });

  test("backs off up to the rhythm while the read is late", () => {
    let atMs = NEXT_MS + 300;
    let count = 0;
    while (atMs < NEXT_MS + 600_000) {
      const nextMs = requestAt(atMs);
      expect(nextMs - atMs).toBeGreaterThanOrEqual(3000);
      expect(nextMs - atMs).toBeLessThanOrEqual(RHYTHM_MS);
      atMs = nextMs;
      count++;
    }
    expect(count).toBeLessThan(25);
  });

  test("requests once per rhythm in a hidden tab, also while the server's read is late", () => {
    const hidden = (lastRequestMs: number) => requestAt(lastRequestMs, 0, RHYTHM_MS, true);
    expect(hidden(NEXT_MS - 20_000)).toBe(NEXT_MS + 40_000);
    expect(hidden(NEXT_MS + 300)).toBe(NEXT_MS + 60_300);
    // And not before the server's next read, if that is slow.
    expect(hidden(NEXT_MS - 90_000)).toBe(NEXT_MS + 100);
  });

  test("keeps a rhythm below 3 s", () => {
    expect(requestAt(NEXT_MS + 5000, 0, 1000) - (NEXT_MS + 5000)).toBe(1000);
  });
});

test("requests once per rhythm while the server plans no read", () => {
  const at = (isHidden: boolean) =>
    nextRequestMs({
      nextRefreshMs: null,
      rhythmMs: 60_000,
      lastRequestMs: NEXT_MS,
      jitter: 0,
      isHidden,
    }) - NEXT_MS;
  expect([at(false), at(true)]).toEqual([60_100, 60_100]);
});

describe("overdueFromMs", () => {
  const from = (nextMs: number, lastResponseMs: number, rhythmSeconds = 60) =>
    overdueFromMs(
      { next_refresh_at: new Date(nextMs).toISOString(), rhythm_seconds: rhythmSeconds },
      lastResponseMs,
    ) - lastResponseMs;

  test("is reached shortly after the next request was due, within two rhythms", () => {
    expect(from(NEXT_MS, NEXT_MS - 20_000)).toBe(75_000);
    expect(from(NEXT_MS, NEXT_MS - 2000, 2)).toBeLessThanOrEqual(4500);
  });

  test("waits for the next request if that is planned later, as under a rate limit", () => {
    expect(from(NEXT_MS, NEXT_MS - 120_000, 2)).toBeGreaterThan(120_000);
    expect(from(NEXT_MS, NEXT_MS - 120_000)).toBeGreaterThan(120_000);
  });

  test.each([null, ""])("is reached even if the server doesn't read again (%j)", (nextAt) => {
    expect(overdueFromMs({ next_refresh_at: nextAt, rhythm_seconds: 60 }, 0)).toBe(76_100);
  });
});
