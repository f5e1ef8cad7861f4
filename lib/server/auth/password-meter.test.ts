import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPasswordMeter, type PasswordMeter } from "./password-meter";

/** Scheduler statistics of the reading thread. The first field is CPU time in nanoseconds. */
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** CPU time of this thread, milliseconds; on systems without that statistic, the event loop's active time. */
function busyMs(): number {
  return existsSync(SCHEDSTAT)
    ? Number(readFileSync(SCHEDSTAT, "utf8").split(" ")[0]) / 1e6
    : performance.eventLoopUtilization().active;
}

/** CPU time of all threads, milliseconds. */
function allThreadsMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

let meter: PasswordMeter;
beforeAll(() => {
  meter = createPasswordMeter();
});
afterAll(() => meter.stop());

/** An expensive text: many digits and symbols that can be read as letters. */
const HARD = "p4$$w0rd-l1b3r7y-5umm3r-dr4g0n-m0nk3y-1!".repeat(5);

test("measures off the event loop", async () => {
  await meter.measure("warm up", []);
  const [own, all] = [busyMs(), allThreadsMs()];
  const checks = Array.from({ length: 40 }, (_, i) =>
    meter.measure(`${i}${HARD}`, ["ana", "rask"]),
  );
  expect((await Promise.all(checks)).map(({ score }) => score)).toHaveLength(40);
  const [ownMs, allMs] = [busyMs() - own, allThreadsMs() - all];
  // Relative to the CPU time of all threads, which shows that the checks did cost something.
  expect(ownMs).toBeLessThan(allMs / 4);
});

test("limits the length of the text, and the number and length of the words", async () => {
  const words = Array.from({ length: 10_000 }, (_, i) => `${"word".repeat(1_000)}${i}`);
  const short = await meter.measure(HARD.slice(0, 40), []);
  expect(await meter.measure(HARD.slice(0, 40) + "x".repeat(1_000_000), words)).toEqual(short);
});

test("rejects pending and later measurements after it is stopped", async () => {
  const stopped = createPasswordMeter();
  const waiting = stopped.measure(HARD, []);
  const [outcome] = await Promise.allSettled([waiting, stopped.stop()]);
  expect(outcome).toMatchObject({ status: "rejected" });
  await expect(stopped.measure(HARD, [])).rejects.toThrow("has ended");
});
