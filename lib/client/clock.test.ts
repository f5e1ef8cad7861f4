import { describe, expect, test } from "vitest";
import { createServerClock, TOLERANCE_MS, type BrowserTime } from "./clock";

/** Two clocks and a timer that move only when told to. */
function fakeTime() {
  let wallMs = 1_000_000;
  let monotonicMs = 0;
  let timers: { run: () => void; atMs: number }[] = [];
  const time: BrowserTime = {
    wallMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    setTimer: (run, ms) => {
      const timer = { run, atMs: monotonicMs + ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const fireDue = () => {
    for (const timer of timers.filter(({ atMs }) => atMs <= monotonicMs)) {
      timers = timers.filter((other) => other !== timer);
      timer.run();
    }
  };
  return {
    time,
    timerCount: () => timers.length,
    pass(ms: number) {
      wallMs += ms;
      monotonicMs += ms;
      fireDue();
    },
    sleep(ms: number) {
      wallMs += ms;
    },
    setWallBack(ms: number) {
      wallMs -= ms;
    },
  };
}

const START_MS = 5_000_000;

describe("the server's time in the browser", () => {
  test("it goes on from what the server said, whatever the browser's own clock says", () => {
    const fake = fakeTime();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(1500);
    expect(clock.nowMs()).toBe(START_MS + 1500);
  });

  test("sleep counts as passed time although the monotonic clock stood still", () => {
    const fake = fakeTime();
    const clock = createServerClock(START_MS, fake.time);
    fake.sleep(3_600_000);
    expect(clock.nowMs()).toBe(START_MS + 3_600_000);
  });

  test("a clock that is set back makes nothing younger", () => {
    const fake = fakeTime();
    const clock = createServerClock(START_MS, fake.time);
    fake.pass(10_000);
    fake.setWallBack(86_400_000);
    fake.pass(5000);
    expect(clock.nowMs()).toBe(START_MS + 15_000);
  });

  test("a gap is told once, at the first tick after it", () => {
    const fake = fakeTime();
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
    const fake = fakeTime();
    const clock = createServerClock(START_MS, fake.time);
    clock.anchor(START_MS - TOLERANCE_MS + 1);
    expect(clock.nowMs()).toBe(START_MS);
    clock.anchor(START_MS - 60_000);
    expect(clock.nowMs()).toBe(START_MS - 60_000);
  });

  test("it ticks only while somebody listens", () => {
    const fake = fakeTime();
    const clock = createServerClock(START_MS, fake.time);
    const stop = clock.subscribe(() => {});
    expect(fake.timerCount()).toBe(1);
    stop();
    expect(fake.timerCount()).toBe(0);
  });
});
