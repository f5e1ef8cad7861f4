import { describe, expect, test } from "vitest";
import { nextAskMs, overdueFromMs } from "./snapshot";

const RHYTHM_MS = 60_000;
const NEXT_MS = 1_000_000;
const ask = (lastAskMs: number, jitter = 0, rhythmMs = RHYTHM_MS, isHidden = false) =>
  nextAskMs({ nextRefreshMs: NEXT_MS, rhythmMs, lastAskMs, jitter, isHidden });

describe("the rhythm of asking", () => {
  test("one request, just after the server's next read", () => {
    expect(ask(NEXT_MS - 20_000)).toBe(NEXT_MS + 100);
  });

  test("the server's reads are followed, however often they come within its rhythm", () => {
    let nextMs = NEXT_MS;
    for (let read = 0; read < 9; read++) {
      const askMs = nextAskMs({
        nextRefreshMs: nextMs,
        rhythmMs: RHYTHM_MS,
        lastAskMs: nextMs - 19_000,
        jitter: 1,
      });
      expect(askMs - nextMs).toBe(1100);
      nextMs += 20_200;
    }
  });

  test("tabs spread over a second, in proportion when the rhythm is fast", () => {
    expect(ask(NEXT_MS - 59_000, 1) - ask(NEXT_MS - 59_000, 0)).toBe(1000);
    expect(ask(NEXT_MS - 900, 1, 1000) - ask(NEXT_MS - 900, 0, 1000)).toBe(100);
  });

  test("while the server's read is late, we ask every 3 s, so that a failure shows within 5 s", () => {
    expect(ask(NEXT_MS + 300) - (NEXT_MS + 300)).toBe(3000);
    expect(ask(NEXT_MS + 9000) - (NEXT_MS + 9000)).toBe(3000);
  });

  test("lateness backs off to the rhythm and never beyond", () => {
    let atMs = NEXT_MS + 300;
    let count = 0;
    while (atMs < NEXT_MS + 600_000) {
      const nextMs = ask(atMs);
      expect(nextMs - atMs).toBeGreaterThanOrEqual(3000);
      expect(nextMs - atMs).toBeLessThanOrEqual(RHYTHM_MS);
      atMs = nextMs;
      count++;
    }
    expect(count).toBeLessThan(25);
  });

  test("a hidden tab asks once in the rhythm, also while the server's read is late", () => {
    const hidden = (lastAskMs: number) => ask(lastAskMs, 0, RHYTHM_MS, true);
    expect(hidden(NEXT_MS - 20_000)).toBe(NEXT_MS + 40_000);
    expect(hidden(NEXT_MS + 300)).toBe(NEXT_MS + 60_300);
    // And no sooner than the server reads, should it be slow.
    expect(hidden(NEXT_MS - 90_000)).toBe(NEXT_MS + 100);
  });

  test("a rhythm below 3 s is kept, not slowed down", () => {
    expect(ask(NEXT_MS + 5000, 0, 1000) - (NEXT_MS + 5000)).toBe(1000);
  });
});

describe("a missing answer", () => {
  const from = (nextMs: number, lastAnswerMs: number, rhythmSeconds = 60) =>
    overdueFromMs(
      { next_refresh_at: new Date(nextMs).toISOString(), rhythm_seconds: rhythmSeconds },
      lastAnswerMs,
    ) - lastAnswerMs;

  test("is one that didn't come soon after it was to be asked for, within two of the rhythm", () => {
    expect(from(NEXT_MS, NEXT_MS - 20_000)).toBe(75_000);
    expect(from(NEXT_MS, NEXT_MS - 2000, 2)).toBeLessThanOrEqual(4500);
  });

  test("is none while the next request is planned for later, as under a rate limit", () => {
    expect(from(NEXT_MS, NEXT_MS - 120_000, 2)).toBeGreaterThan(120_000);
    expect(from(NEXT_MS, NEXT_MS - 120_000)).toBeGreaterThan(120_000);
  });

  test("is told also where the server doesn't say when it reads next", () => {
    expect(overdueFromMs({ next_refresh_at: "", rhythm_seconds: 60 }, 0)).toBe(75_000);
  });
});
