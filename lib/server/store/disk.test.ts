import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import type { Clock } from "@/lib/server/clock";
import { createDiskGuard, freeBytes, tellingFullDisk } from "./disk";

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

it("is low below 200 MB free, and not at 200 MB", async () => {
  expect(await guardedDisk(200).guard.isLow()).toBe(false);
  expect(await guardedDisk(199.9).guard.isLow()).toBe(true);
});

it("recovers within five seconds once space is free", async () => {
  const { clock, disk, guard } = guardedDisk(10);
  expect(await guard.isLow()).toBe(true);
  disk.freeMib = 500;
  clock.advance(4_999);
  expect(await guard.isLow()).toBe(true);
  clock.advance(1);
  expect(await guard.isLow()).toBe(false);
});

it("measures once for concurrent calls within five seconds", async () => {
  const { disk, guard } = guardedDisk(500);
  await Promise.all([guard.isLow(), guard.isLow(), guard.isLow()]);
  expect(disk.measured).toBe(1);
});

it("isn't low when the disk can't be measured", async () => {
  const guard = createDiskGuard({ dir: "/nowhere/at/all", clock: manualClock() });
  expect(await guard.isLow()).toBe(false);
});

it("measures the free bytes of a real directory", async () => {
  expect(await freeBytes(tmpdir())).toBeGreaterThan(0);
});

it("a start that fails on a full disk says so, if that explains the error", async () => {
  const ended = new Error("Connection terminated unexpectedly");
  const failing = (freeMib: number, explains: boolean) =>
    tellingFullDisk("/data", () => Promise.reject(ended), {
      measure: () => Promise.resolve(freeMib * MIB),
      explains: (error) => error === ended && explains,
    });
  await expect(failing(14, true)).rejects.toThrow(
    "DATA_DIR: the disk is full (14 MB left in /data). Free at least 200 MB, then start again.",
  );
  await expect(failing(14, false)).rejects.toBe(ended);
  await expect(failing(300, true)).rejects.toBe(ended);
});
