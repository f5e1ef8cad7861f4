import { expect, test } from "vitest";
import { createCoreMeter } from "./core-meter";
import { createManualClock } from "@/lib/server/manual-clock";

function meter() {
  const clock = createManualClock(0);
  let cpuMs = 5_000;
  const measured = createCoreMeter(clock, () => cpuMs);
  /** Lets time pass while the process uses a share of one core. */
  const pass = async (seconds: number, share: number) => {
    for (let at = 0; at < seconds; at += 1) {
      cpuMs += 1_000 * share;
      await clock.advance(1_000);
    }
  };
  return { clock, measured, pass };
}

test("knows the use of the processor after a minute, without what was used before", async () => {
  const { measured, pass } = meter();
  expect(measured.now()).toBeNull();
  measured.start();
  await pass(59, 0.06);
  expect(measured.now()).toBeNull();
  await pass(1, 0.06);
  expect(measured.now()).toEqual({ cores: expect.closeTo(0.06, 10), overSeconds: 60 });
  await measured.stop();
});

test("measures the last five minutes, and more than one core", async () => {
  const { measured, pass } = meter();
  measured.start();
  await pass(300, 0.5);
  await pass(300, 1.5);
  expect(measured.now()).toEqual({ cores: expect.closeTo(1.5, 10), overSeconds: 300 });
  await measured.stop();
});

test("says nothing about a period that wasn't measured", async () => {
  const { clock, measured, pass } = meter();
  measured.start();
  await pass(120, 0.1);
  await measured.stop();
  await clock.advance(10 * 60_000);
  expect(measured.now()).toBeNull();
});

test("isn't affected when the wall clock is set", async () => {
  const { clock, measured, pass } = meter();
  measured.start();
  await pass(60, 0.2);
  clock.jump(-3_600_000);
  await pass(60, 0.2);
  expect(measured.now()).toEqual({ cores: expect.closeTo(0.2, 10), overSeconds: 120 });
  await measured.stop();
});
