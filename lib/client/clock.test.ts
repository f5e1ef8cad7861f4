import { describe, expect, test } from "vitest";
import { browserTimeFixture } from "./browser-time-fixture";
import { createServerClock, ROUNDING_MS, TOLERANCE_MS } from "./clock";

const START_MS = 5_000_000;

describe("server clock", () => {
  test("continues from the server's time, whatever the browser's own clock says", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(1500);
    expect(clock.nowMs()).toBe(START_MS + 1500);
  });

  test("counts sleep as elapsed time although the monotonic clock stood still", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.sleep(3_600_000);
    expect(clock.nowMs()).toBe(START_MS + 3_600_000);
  });

  test("never moves back when the wall clock is set back", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(10_000);
    fake.setWallBack(86_400_000);
    fake.pass(5000);
    expect(clock.nowMs()).toBe(START_MS + 15_000);
  });

  test("reports a gap once, at the first tick after it", () => {
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

  test("ignores the rounding of a whole-second header, but follows a real difference", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    clock.anchor(START_MS - TOLERANCE_MS + 1);
    expect(clock.nowMs()).toBe(START_MS);
    clock.anchor(START_MS - 60_000);
    expect(clock.nowMs()).toBe(START_MS - 60_000);
  });

  test("moves a clock that started late forward, as far as a header proves", () => {
    const fake = browserTimeFixture();
    // The page was rendered 1.8 s before its scripts ran.
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

  test("ticks only while there is a listener", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    const stop = clock.subscribe(() => {});
    expect(fake.timerCount()).toBe(1);
    stop();
    expect(fake.timerCount()).toBe(0);
  });
});
