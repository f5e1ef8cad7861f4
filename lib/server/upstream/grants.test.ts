import { expect, test } from "vitest";
import { SCOPES, type Scope } from "@/lib/contracts/v3";
import { createManualClock } from "@/lib/server/manual-clock";
import { createGrants } from "./grants";

const READ: readonly Scope[] = ["read:schedule_files", "read:sync_status"];
const WRITE: Scope = "write:schedule_files";
const DAY_MS = 86_400_000;

function createFixture(stored: { scopes: readonly Scope[]; ageMs: number } | null = null) {
  const clock = createManualClock(0);
  const grants = createGrants({
    clock,
    pollSeconds: 60,
    stored: {
      readGrants: async () => stored && { ...stored, scopes: new Set(stored.scopes) },
      writeGrants: () => {},
    },
  });
  return { clock, grants };
}

test("requires learning first while nothing is known", async () => {
  const { grants } = createFixture();
  await grants.takeUpStored();
  expect(grants.scopes()).toBeNull();
  expect(grants.due("read:sync_status")).toBe("now");
  expect(grants.requestable("read")).toEqual(READ);
  expect(grants.requestable("write")).toEqual([]);
});

test("takes over grants that another process stored within a day", async () => {
  const { grants } = createFixture({ scopes: READ, ageMs: DAY_MS });
  await grants.takeUpStored();
  expect(grants.isComplete()).toBe(true);
  expect(grants.due("read:sync_status")).toBe("no");

  const old = createFixture({ scopes: READ, ageMs: DAY_MS + 1 });
  await old.grants.takeUpStored();
  expect(old.grants.scopes()).toBeNull();
});

test("probes every 15 minutes after a read token, and learns before a deletion", async () => {
  const { clock, grants } = createFixture();
  grants.noteReceived(READ, new Set(["read:sync_status"]));
  expect(grants.scopes()).toEqual(new Set(["read:sync_status"]));
  expect(grants.isComplete()).toBe(false);
  expect(grants.due(WRITE)).toBe("now");
  expect(grants.due("read:sync_status")).toBe("probe");
  expect([grants.probeIsDue(), grants.probeIsDue()]).toEqual([true, false]);
  await clock.advance(15 * 60_000);
  expect(grants.probeIsDue()).toBe(true);
});

test("learns again at growing intervals, up to a poll, while a scope is missing", async () => {
  const { clock, grants } = createFixture();
  grants.noteLearned(new Set(READ));
  const dueAfter = async (ms: number) => {
    await clock.advance(ms - 1);
    const early = grants.due(WRITE);
    await clock.advance(1);
    return [early, grants.due(WRITE)];
  };
  expect(await dueAfter(30_000)).toEqual(["no", "now"]);
  grants.noteLearned(new Set(READ));
  expect(await dueAfter(60_000)).toEqual(["no", "now"]);
  grants.noteLearned(new Set(READ));
  expect(await dueAfter(60_000)).toEqual(["no", "now"]);
  expect(grants.noteLearned(new Set(SCOPES))).toEqual(["write"]);
  expect(grants.due(WRITE)).toBe("no");
});

test("learns daily, and again 15 minutes after that failed", async () => {
  const { clock, grants } = createFixture();
  grants.noteLearned(new Set(SCOPES));
  await clock.advance(DAY_MS + 1);
  expect([grants.due(WRITE), grants.due(WRITE)]).toEqual(["meanwhile", "no"]);
  await clock.advance(15 * 60_000);
  expect(grants.due(WRITE)).toBe("meanwhile");
});

test("outdates every token when the grants were stale", async () => {
  const { clock, grants } = createFixture();
  grants.noteLearned(new Set(SCOPES));
  grants.markStale();
  await clock.advance(30_000);
  expect(grants.due("read:sync_status")).toBe("now");
  expect(grants.noteLearned(new Set(SCOPES))).toEqual(["read", "write"]);
  expect(grants.noteLearned(new Set(SCOPES))).toEqual([]);
});
