import { describe, expect, test } from "vitest";
import { browserTimeFixture } from "./browser-time-fixture";
import { createServerClock, ROUNDING_MS, TOLERANCE_MS } from "./clock";

const START_MS = 5_000_000;

describe("the server's time in the browser", () => {
  test("it goes on from what the server said, whatever the browser's own clock says", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(1500);
    expect(clock.nowMs()).toBe(START_MS + 1500);
  });

  test("sleep counts as passed time although the monotonic clock stood still", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.sleep(3_600_000);
    expect(clock.nowMs()).toBe(START_MS + 3_600_000);
  });

  test("a clock that is set back makes nothing younger", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(10_000);
    fake.setWallBack(86_400_000);
    fake.pass(5000);
    expect(clock.nowMs()).toBe(START_MS + 15_000);
  });

  test("a gap is told once, at the first tick after it", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    let gaps = 0;
    clock.onGap(() => gaps++);
    clock.subscribe(() => {});
    fake.pass(1100);
    expect(gaps).toBe(0);
    fake.sleep(600_000);
    fake.pass(1100);
    fake.pass(1100);
    expect(gaps).toBe(1);
  });

  test("a whole-second header does not make the time jump, a real difference does", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    clock.anchor(START_MS - TOLERANCE_MS + 1);
    expect(clock.nowMs()).toBe(START_MS);
    clock.anchor(START_MS - 60_000);
    expect(clock.nowMs()).toBe(START_MS - 60_000);
  });

  test("a clock that began behind is set forward, as far as a header makes certain", () => {
    const fake = browserTimeFixture();
    // The page was made 1.8 s before its scripts ran.
    const clock = createServerClock(START_MS - 1800, fake.time);
    const behind: number[] = [];
    for (let nowMs = START_MS; behind.length < 6; nowMs += 20_230) {
      clock.anchor(Math.floor(nowMs / 1000) * 1000 + ROUNDING_MS);
      behind.push(nowMs - clock.nowMs());
      fake.pass(20_230);
    }
    expect(Math.min(...behind)).toBeGreaterThanOrEqual(0);
    expect(behind).toEqual(behind.toSorted((a, b) => b - a));
    expect(behind.at(-1)).toBeLessThan(250);
  });

  test("it ticks only while somebody listens", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    const stop = clock.subscribe(() => {});
    expect(fake.timerCount()).toBe(1);
    stop();
    expect(fake.timerCount()).toBe(0);
  });
});
