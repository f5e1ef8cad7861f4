import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock";
import { createOutageMemory, isDatabaseOutage, isOutageForAll } from "./outage";

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });

describe("isDatabaseOutage", () => {
  test.each([
    coded("08006"),
    coded("25006"),
    coded("53300"),
    coded("57014"),
    coded("57P01"),
    coded("58030"),
    coded("ECONNREFUSED"),
    coded("ENOENT", { syscall: "connect" }),
    coded("EAGAIN", { syscall: "connect" }),
    new Error("Query read timeout"),
    new Error("Connection terminated unexpectedly"),
    new Error("timeout exceeded when trying to connect"),
    new Error("Cannot use a pool after calling end on the pool"),
  ])("returns true for %s, also as a cause", (error) => {
    expect(isDatabaseOutage(error)).toBe(true);
    expect(isDatabaseOutage(new Error("Failed query", { cause: error }))).toBe(true);
  });

  test.each([
    coded("23505"),
    coded("42P01"),
    coded("ENOENT", { syscall: "open" }),
    coded("EAGAIN"),
    new Error("x"),
  ])("returns false for %s", (error) => {
    expect(isDatabaseOutage(error)).toBe(false);
  });

  test("terminates for an error that is its own cause", () => {
    const circular = new Error("x");
    circular.cause = circular;
    expect(isDatabaseOutage(circular)).toBe(false);
  });
});

test("isn't one for all if some rows can't be read from the disk", () => {
  const ofAll = [coded("57P01"), new Error("Failed query", { cause: coded("53100") })];
  expect(ofAll.map(isOutageForAll)).toEqual([true, true]);
  const ofSome = [coded("58030"), new Error("Failed query", { cause: coded("58P01") })];
  expect(ofSome.map(isOutageForAll)).toEqual([false, false]);
  expect(isOutageForAll(coded("23505"))).toBe(false);
});

test("remembers an outage for two seconds, and no other failures", async () => {
  const clock = createManualClock(0);
  const memory = createOutageMemory(clock);
  memory.note(coded("23505"));
  expect(memory.isRecent()).toBe(false);
  memory.note(new Error("Failed query", { cause: coded("57014") }));
  await clock.advance(1_999);
  expect(memory.isRecent()).toBe(true);
  await clock.advance(1);
  expect(memory.isRecent()).toBe(false);
});
