import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createApiClock } from "./api-clock";

const START_MS = Date.parse("2026-03-04T05:06:07.400Z");
const cut = (ms: number) => Math.floor(ms / 1000) * 1000;

describe("createApiClock", () => {
  it("assumes the same clock until a response differs", () => {
    const clock = createManualClock(START_MS);
    const apiClock = createApiClock(clock);
    expect(apiClock.offsetMs()).toBe(0);
    apiClock.observe(cut(START_MS), 0, 0);
    expect(apiClock.offsetMs()).toBe(0);
  });

  it("estimates any skew within half a second plus the response time", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -400_000_000, max: 400_000_000 }),
        fc.array(fc.record({ pauseMs: fc.nat(70_000), takesMs: fc.nat(8_000) }), { minLength: 1 }),
        async (skewMs, answers) => {
          const clock = createManualClock(START_MS);
          const apiClock = createApiClock(clock);
          let quickestMs = Number.POSITIVE_INFINITY;
          for (const { pauseMs, takesMs } of answers) {
            await clock.advance(pauseMs);
            const sentAtMs = clock.monotonicMs();
            await clock.advance(Math.floor(takesMs / 2));
            const dateMs = cut(clock.nowMs() + skewMs);
            await clock.advance(takesMs - Math.floor(takesMs / 2));
            apiClock.observe(dateMs, sentAtMs, clock.monotonicMs());
            quickestMs = Math.min(quickestMs, takesMs);
          }
          const errorMs = Math.abs(apiClock.offsetMs() - skewMs);
          expect(errorMs).toBeLessThanOrEqual(1_000 + quickestMs);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("keeps the estimate when our wall clock jumps, and adjusts the offset at once", () => {
    const clock = createManualClock(START_MS);
    const apiClock = createApiClock(clock);
    apiClock.observe(cut(START_MS), 0, 0);
    clock.jump(86_400_000);
    expect(Math.abs(apiClock.offsetMs() + 86_400_000)).toBeLessThanOrEqual(1_000);
  });

  it("keeps an estimate as long as it is possible, however the responses narrow it", () => {
    const clock = createManualClock(START_MS);
    const apiClock = createApiClock(clock);
    const aheadMs = 5_000;
    const offsets = Array.from({ length: 9 }, (_, n) => {
      const atMs = n * 20_010;
      apiClock.observe(cut(START_MS + aheadMs + atMs), atMs, atMs);
      return apiClock.offsetMs();
    });
    expect(new Set(offsets).size).toBeLessThanOrEqual(2);
    expect(Math.abs((offsets.at(-1) ?? 0) - aheadMs)).toBeLessThanOrEqual(1_000);
  });

  it("returns how long responses have carried the same date, even with others in between", () => {
    const apiClock = createApiClock(createManualClock(START_MS));
    const dateMs = cut(START_MS);
    expect(apiClock.observe(dateMs, 0, 200)).toBe(0);
    expect(apiClock.observe(dateMs + 20_000, 20_000, 20_200)).toBe(0);
    expect(apiClock.observe(dateMs, 20_300, 20_400)).toBe(20_200);
    expect(apiClock.observe(dateMs, 90_000, 90_200)).toBe(90_000);
    // As after the clock was set back and the same hour repeats.
    expect(apiClock.observe(dateMs - 3_600_000, 100_000, 100_200)).toBe(0);
  });

  it("follows when the API clock is set", () => {
    const clock = createManualClock(START_MS);
    const apiClock = createApiClock(clock);
    apiClock.observe(cut(START_MS), 0, 0);
    apiClock.observe(cut(START_MS + 3_600_000), 0, 0);
    expect(Math.abs(apiClock.offsetMs() - 3_600_000)).toBeLessThanOrEqual(1_000);
  });
});
