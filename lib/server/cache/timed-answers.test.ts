import { describe, expect, it } from "vitest";
import { timedAnswers } from "./timed-answers";

const made = (data: object, untilMs = Infinity) => {
  const calls = { count: 0 };
  const make = () => {
    calls.count += 1;
    return { data, untilMs };
  };
  return { calls, make };
};

describe("a cache of timed answers", () => {
  it("makes a response once until its parts change", () => {
    const timed = timedAnswers("test 1", 1000);
    const owner = {};
    const [one, other] = [{}, {}];
    const { calls, make } = made({ a: 1 });
    const first = timed(owner, "k", [one], 0, make);
    expect(timed(owner, "k", [one], 5, make)).toBe(first);
    expect(calls.count).toBe(1);
    // The text is the same, and so is the object.
    expect(timed(owner, "k", [other], 5, make)).toBe(first);
    expect(calls.count).toBe(2);
    expect(timed(owner, "k", [other, one], 5, made({ a: 2 }).make)).not.toBe(first);
  });

  it("makes it again once its time has come, or the clock was set back", () => {
    const timed = timedAnswers("test 2", 1000);
    const owner = {};
    const { calls, make } = made({}, 10);
    for (const nowMs of [5, 9, 10, 4]) timed(owner, "k", [], nowMs, make);
    expect(calls.count).toBe(3);
  });

  it("is bounded in bytes, by owner", () => {
    const timed = timedAnswers("test 3", 250);
    const owner = {};
    const big = made({ text: "a".repeat(100) });
    for (const key of ["a", "b", "c"]) timed(owner, key, [], 0, big.make);
    timed(owner, "c", [], 0, big.make);
    expect(big.calls.count).toBe(3);
    timed(owner, "a", [], 0, big.make);
    timed({}, "c", [], 0, big.make);
    expect(big.calls.count).toBe(5);
  });
});
