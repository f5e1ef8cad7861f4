import { expect, test } from "vitest";
import { snapshotFixture } from "@/lib/client/wall/fixture";
import { createRecoveryCheck } from "./recovery";
import { faultOf, instanceAt, sceneWith, START_MS, wallAt, type Rows } from "./scene-fixture";
import type { Scene } from "../simulation";

const check = (given: Partial<Scene>, rows?: Rows, isEnd = true) =>
  createRecoveryCheck()(sceneWith(given, rows), isEnd);
const NOW_MS = sceneWith().time.nowMs();

test("a run at whose end all is live and sent has recovered", async () => {
  await expect(check({})).resolves.toBeUndefined();
});

test("nothing has recovered when no instance runs", async () => {
  await expect(check({ instances: () => [] })).rejects.toThrow("no instance runs at the end");
});

test("an instance that hangs isn't running", async () => {
  const instances = () => [instanceAt(NOW_MS, { isHanging: true })];
  await expect(check({ instances })).rejects.toThrow("no instance runs at the end");
});

test("a company that isn't live at the end hasn't recovered", async () => {
  const instances = () => [instanceAt(NOW_MS, { source: { confidence: "delayed" } })];
  await expect(check({ instances })).rejects.toThrow("a is still delayed at the end");
});

test("a company is delayed at the end only for as long as waits last longer here", async () => {
  const source = {
    confidence: "delayed",
    last_success_at: new Date(NOW_MS - 200_000).toISOString(),
  } as const;
  const after = (longestDelayMs: number) =>
    check({ longestDelayMs, instances: () => [instanceAt(NOW_MS, { source })] });
  await expect(after(60_000)).resolves.toBeUndefined();
  await expect(after(40_000)).rejects.toThrow("a is still delayed at the end");
});

test("a wall that is dark, or not live, at the end hasn't recovered", async () => {
  const seenAt = (ms: number) => wallAt(NOW_MS, snapshotFixture(ms));
  await expect(check({ walls: [seenAt(NOW_MS)] })).resolves.toBeUndefined();
  const dark = { ...seenAt(NOW_MS), now: () => null };
  await expect(check({ walls: [dark] })).rejects.toThrow("wall 1 is dark at the end");
  await expect(check({ walls: [seenAt(START_MS)] })).rejects.toThrow("a is still blind on wall 1");
});

test("a message that still waits hasn't recovered, unless messages are paused", async () => {
  const waiting = ["from deliveries", [{ id: "1", type: "brief", company: "a" }]] as const;
  await expect(check({}, [waiting])).rejects.toThrow("brief 1 still waits to be sent");
  const paused = ["from pauses", [{ what: "messages" }]] as const;
  await expect(check({}, [waiting, paused])).resolves.toBeUndefined();
});

test("a deletion that is still open hasn't recovered", async () => {
  const open = ["from deletions", [{ company: "a", id: "7" }]] as const;
  await expect(check({}, [open])).rejects.toThrow("deletion 7 of a is still open");
});

test("a start fails only while PostgreSQL does", async () => {
  const failedStarts = [{ name: "instance 2", atMs: START_MS + 60_000, why: "Error: no" }];
  const faults = [faultOf("database_away", START_MS, START_MS + 30_000)];
  await expect(check({ failedStarts, faults }, [], false)).resolves.toBeUndefined();
  await expect(check({ failedStarts }, [], false)).rejects.toThrow("instance 2 couldn't start");
  const others = [faultOf("down", START_MS, START_MS + 120_000)];
  await expect(check({ failedStarts, faults: others }, [], false)).rejects.toThrow("Error: no");
});

test("errors are logged only with faults", async () => {
  const errors = ["instance 1: it broke"];
  await expect(check({ errors }, [], false)).rejects.toThrow("errors were logged (1): instance 1");
  const faults = [faultOf("down", START_MS, START_MS + 1)];
  await expect(check({ errors, faults }, [], false)).resolves.toBeUndefined();
});
