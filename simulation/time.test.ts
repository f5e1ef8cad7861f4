import { expect, test } from "vitest";
import { createSimulatedTime, paceAround, type Pace } from "./time";

const exact: Pace = (ms) => ms;

/** Steps to `untilMs`, and lets what wakes up run. */
async function pass(time: ReturnType<typeof createSimulatedTime>, untilMs: number): Promise<void> {
  while (time.step(untilMs)) await new Promise(setImmediate);
}

test("sleepers wake in order, at their time", async () => {
  const time = createSimulatedTime(1_000);
  const watch = time.watch(exact);
  const woken: string[] = [];
  const sleep = async (name: string, ms: number) => {
    await watch.sleep(ms);
    woken.push(`${name} ${time.nowMs()}`);
  };
  void sleep("late", 5_000);
  void sleep("soon", 10);
  void sleep("next", 10);
  await pass(time, 10_000);
  expect(woken).toEqual(["soon 1010", "next 1010", "late 6000"]);
  expect(time.nowMs()).toBe(10_000);
});

test("a jump of the wall clock wakes nothing and moves no monotonic clock", async () => {
  const time = createSimulatedTime(0);
  const watch = time.watch(exact);
  let isAwake = false;
  void watch.sleep(60_000).then(() => (isAwake = true));
  watch.jump(-3_600_000);
  await pass(time, 59_999);
  expect([isAwake, watch.nowMs(), watch.monotonicMs()]).toEqual([
    false,
    59_999 - 3_600_000,
    59_999,
  ]);
  await pass(time, 60_000);
  expect(isAwake).toBe(true);
});

test("what sleeps in a process that hangs wakes late, in a dead one never", async () => {
  const time = createSimulatedTime(0);
  const watch = time.watch(exact);
  let isAwake = false;
  void watch.sleep(1_000).then(() => (isAwake = true));
  watch.stop();
  await pass(time, 5_000);
  expect(isAwake).toBe(false);
  watch.resume();
  await new Promise(setImmediate);
  expect(isAwake).toBe(true);
});

test("an aborted sleep rejects at once", async () => {
  const time = createSimulatedTime(0);
  const stopping = new AbortController();
  const slept = time.watch(exact).sleep(1_000, stopping.signal);
  stopping.abort();
  await expect(slept).rejects.toThrow("aborted");
  expect(time.step(10_000)).toBe(false);
});

test("waits end at coarse multiples, at fine ones after a moment, and not after the next moment", () => {
  const pace = paceAround([100_000, 500_000], { fineMs: 5_000, coarseMs: 60_000 });
  expect(pace(1_000)).toBe(60_000);
  expect(pace(61_000)).toBe(100_000);
  expect(pace(101_000)).toBe(105_000);
  expect(pace(159_000)).toBe(160_000);
  expect(pace(161_000)).toBe(180_000);
  expect(pace(481_000)).toBe(500_000);
  expect(pace(601_000)).toBe(660_000);
});
