import { describe, expect, test } from "vitest";
import { nextAskMs } from "./sync-status";

const RHYTHM_MS = 60_000;
const NEXT_MS = 1_000_000;
const ask = (lastAskMs: number, jitter = 0, rhythmMs = RHYTHM_MS) =>
  nextAskMs({ nextRefreshMs: NEXT_MS, rhythmMs, lastAskMs, jitter });

describe("the rhythm of asking", () => {
  test("one request, just after the server's next read", () => {
    expect(ask(NEXT_MS - 59_000)).toBe(NEXT_MS + 250);
  });

  test("tabs spread over a second and a half, in proportion when the rhythm is fast", () => {
    expect(ask(NEXT_MS - 59_000, 1) - ask(NEXT_MS - 59_000, 0)).toBe(1500);
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

  test("a rhythm below 3 s is kept, not slowed down", () => {
    expect(ask(NEXT_MS + 5000, 0, 1000) - (NEXT_MS + 5000)).toBe(1000);
  });
});
