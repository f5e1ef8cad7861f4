import { describe, expect, test } from "vitest";
import { browserTimeFixture } from "./browser-time-fixture";
import { createServerClock, TOLERANCE_MS, type ServerTime } from "./clock";

const START_MS = 5_000_000;
/** The server's time by a response that took no time to read. */
const just = (ms: number): ServerTime => ({ earliestMs: ms, latestMs: ms });

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

  test("ignores that it is a little early, but follows a real difference", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    clock.anchor(just(START_MS - TOLERANCE_MS));
    expect(clock.nowMs()).toBe(START_MS);
    clock.anchor(just(START_MS - 60_000));
    expect(clock.nowMs()).toBe(START_MS - 60_000);
  });

  test("isn't set back by a response that may have been read long after it was sent", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(3_600_000);
    clock.anchor({ earliestMs: START_MS, latestMs: START_MS + 3_600_000 });
    expect(clock.nowMs()).toBe(START_MS + 3_600_000);
    clock.anchor(null);
    expect(clock.nowMs()).toBe(START_MS + 3_600_000);
  });

  test.each([
    ["sleep", (fake: ReturnType<typeof browserTimeFixture>) => fake.sleep(600_000)],
    ["the wall clock was set back", (fake) => fake.setWallBack(86_400_000)],
  ])("is certain again only after a response, once %s", (_what, happens) => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    expect(clock.isCertain()).toBe(true);
    happens(fake);
    fake.pass(60_000);
    expect(clock.isCertain()).toBe(false);
    clock.anchor(null);
    expect(clock.isCertain()).toBe(false);
    clock.anchor(just(clock.nowMs()));
    expect(clock.isCertain()).toBe(true);
  });

  test("stays certain while its two clocks drift apart slowly, from response to response", () => {
    const fake = browserTimeFixture();
    const clock = createServerClock(START_MS, fake.time);
    for (let minute = 0; minute < 100; minute += 1) {
      fake.pass(60_000);
      fake.setWallBack(100);
      expect(clock.isCertain()).toBe(true);
      clock.anchor(just(clock.nowMs()));
    }
  });

  test("moves a clock that started late forward, as far as a header proves", () => {
    const fake = browserTimeFixture();
    // The page was rendered 1.8 s before its scripts ran.
    const clock = createServerClock(START_MS - 1800, fake.time);
    const behind: number[] = [];
    for (let nowMs = START_MS; behind.length < 6; nowMs += 20_230) {
      const earliestMs = Math.floor(nowMs / 1000) * 1000;
      clock.anchor({ earliestMs, latestMs: earliestMs + 1000 });
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
