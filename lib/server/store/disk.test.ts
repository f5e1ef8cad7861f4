import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import type { Clock } from "@/lib/server/clock";
import { createDiskGuard, freeBytes } from "./disk";

const MIB = 1024 * 1024;

function manualClock(): Clock & { advance(ms: number): void } {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: () => Promise.resolve(),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

function guardedDisk(freeMib: number) {
  const clock = manualClock();
  const disk = { freeMib, measured: 0 };
  const guard = createDiskGuard({
    dir: "/data",
    clock,
    measure: () => {
      disk.measured += 1;
      return Promise.resolve(disk.freeMib * MIB);
    },
  });
  return { clock, disk, guard };
}

it("a disk with 200 MB free is not low, and one with less is", async () => {
  expect(await guardedDisk(200).guard.isLow()).toBe(false);
  expect(await guardedDisk(199.9).guard.isLow()).toBe(true);
});

it("a disk that was low recovers by itself within five seconds", async () => {
  const { clock, disk, guard } = guardedDisk(10);
  expect(await guard.isLow()).toBe(true);
  disk.freeMib = 500;
  clock.advance(4_999);
  expect(await guard.isLow()).toBe(true);
  clock.advance(1);
  expect(await guard.isLow()).toBe(false);
});

it("many questions within five seconds measure once", async () => {
  const { disk, guard } = guardedDisk(500);
  await Promise.all([guard.isLow(), guard.isLow(), guard.isLow()]);
  expect(disk.measured).toBe(1);
});

it("a disk that cannot be measured does not stop recording", async () => {
  const guard = createDiskGuard({ dir: "/nowhere/at/all", clock: manualClock() });
  expect(await guard.isLow()).toBe(false);
});

it("a real directory has free bytes", async () => {
  expect(await freeBytes(tmpdir())).toBeGreaterThan(0);
});
