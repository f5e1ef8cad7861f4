import { expect, test } from "vitest";
import { snapshotFixture } from "@/lib/client/wall/fixture";
import type { Scene } from "../../simulation";
import { createConnectionWatch } from "./connection-watch";
import { createPausedConnectionsCheck } from "./paused-connections";
import { faultOf, instanceAt, sceneWith, wallAt } from "../scene-fixture";

const MINUTE_MS = 60_000;
const PAUSED_MS = sceneWith().time.nowMs();

/** A company was paused, and is as it is given some minutes later. */
async function pausedFor(minutes: number, given: Partial<Scene>): Promise<void> {
  const connection = { company: "a", isPaused: true, baseUrl: "", clientId: "a", sealed: "" };
  const rows = [["from connections", [connection]]] as const;
  const at = (ms: number, more: Partial<Scene>) =>
    sceneWith({ time: { nowMs: () => ms } as Scene["time"], instances: () => [], ...more }, rows);
  const connections = createConnectionWatch();
  await connections.run(at(PAUSED_MS, {}));
  createPausedConnectionsCheck(connections)(at(PAUSED_MS + minutes * MINUTE_MS, given));
}

const requestAfter = (minutes: number) =>
  ({
    seen: [
      { atMs: PAUSED_MS + minutes * MINUTE_MS, company: "a", method: "GET", path: "/sync_status" },
    ],
  }) as unknown as Scene["api"];

test("a paused connection sends nothing", async () => {
  await expect(pausedFor(30, { api: requestAfter(4) })).resolves.toBeUndefined();
  await expect(pausedFor(30, { api: requestAfter(6) })).rejects.toThrow(
    "a got GET /sync_status while it was paused",
  );
});

test("an instance whose database is away may not know of a pause", async () => {
  const faults = [faultOf("database_away", PAUSED_MS - MINUTE_MS, PAUSED_MS + 20 * MINUTE_MS)];
  await expect(pausedFor(30, { api: requestAfter(24), faults })).resolves.toBeUndefined();
  await expect(pausedFor(30, { api: requestAfter(26), faults })).rejects.toThrow("paused");
});

test("a paused company is live on no screen", async () => {
  const nowMs = PAUSED_MS + 6 * MINUTE_MS;
  await expect(pausedFor(6, { instances: () => [instanceAt(nowMs)] })).rejects.toThrow(
    "a is live on instance 1 while it is paused",
  );
  await expect(pausedFor(6, { walls: [wallAt(nowMs, snapshotFixture(nowMs))] })).rejects.toThrow(
    "a is live on wall 1 while it is paused",
  );
  const longestDelayMs = 10 * MINUTE_MS;
  const laterMs = nowMs + longestDelayMs;
  const screen = { longestDelayMs, walls: [wallAt(laterMs, snapshotFixture(laterMs))] };
  await expect(pausedFor(16, screen)).resolves.toBeUndefined();
  await expect(pausedFor(26, screen)).rejects.toThrow("a is live on wall 1 while it is paused");
  const blind = instanceAt(nowMs, { source: { confidence: "blind" } });
  await expect(pausedFor(6, { instances: () => [blind] })).resolves.toBeUndefined();
});
