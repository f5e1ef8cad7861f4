import { describe, expect, test } from "vitest";
import {
  promiseSentence,
  promiseShort,
  promiseText,
  promiseThenText,
  shownPromiseText,
  stillPromiseText,
  type SpokenPromise,
} from "./promise-text";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");

const OPEN: SpokenPromise = {
  due_at: "2026-11-24T15:00:00Z",
  state: "open",
  attempt_at: null,
  usually_seconds: null,
  late_seconds: null,
  late_at_most: false,
};

const said = (given: Partial<SpokenPromise>, isFrozen = false) =>
  promiseSentence(
    promiseText(
      {
        ...OPEN,
        ...given,
      },
      NOW_MS,
      { timeZone: "UTC", isFrozen },
    ),
  );

describe("a promise", () => {
  test("says by when, and the arithmetic of the next attempt", () => {
    expect(said({ attempt_at: "2026-11-24T14:32:00Z", usually_seconds: 60 })).toBe(
      "by 15:00, in 40 m: next attempt 14:32 usually takes 1 m",
    );
    expect(
      said({ state: "at_risk", attempt_at: "2026-11-24T14:55:00Z", usually_seconds: 720 }),
    ).toBe("by 15:00, in 40 m, at risk: next attempt 14:55 usually takes 12 m");
    expect(said({ due_at: "2026-11-30T06:00:00Z" })).toBe("by Mon 06:00, in 5 d 15 h");
  });

  test("says what isn't known of the attempt", () => {
    expect(said({ state: "at_risk" })).toBe("by 15:00, in 40 m, at risk: no attempt is scheduled");
    expect(said({ attempt_at: "2026-11-24T14:32:00Z" })).toBe(
      "by 15:00, in 40 m: can’t tell whether the next attempt 14:32 ends in time",
    );
  });

  test("names an attempt whose time has passed by that time", () => {
    expect(
      said({ state: "at_risk", attempt_at: "2026-11-24T14:10:00Z", usually_seconds: 2_700 }),
    ).toBe("by 15:00, in 40 m, at risk: attempt of 14:10 usually takes 45 m");
  });

  test("says how late data was, or is so far", () => {
    const missed = { state: "missed", due_at: "2026-11-24T14:00:00Z" } as const;
    expect(said(missed)).toBe("by 14:00, missed by 20 m so far");
    expect(said({ ...missed, late_seconds: 1_320 })).toBe("by 14:00, missed by 22 m");
    expect(said({ ...missed, late_seconds: 1_320, late_at_most: true })).toBe(
      "by 14:00, missed by at most 22 m",
    );
  });

  test("is being checked once it's due on a page that wasn't updated since", () => {
    expect(said({ state: "at_risk", due_at: "2026-11-24T14:15:00Z" })).toBe(
      "by 14:15, 5 m ago, being checked",
    );
  });

  test("is neither on course nor at risk while the feed can't be seen", () => {
    expect(said({ state: "at_risk" }, true)).toBe("by 15:00, in 40 m: we can’t see it right now");
    // How late it is isn't known either.
    expect(said({ state: "missed", due_at: "2026-11-24T14:00:00Z" }, true)).toBe(
      "by 14:00, missed",
    );
    expect(said({ state: "met" }, true)).toBe("by 15:00, kept");
  });

  test("names the other outcomes", () => {
    expect(said({ state: "not_observed" })).toBe("by 15:00, not checked");
    expect(said({ state: "excused" })).toBe("by 15:00, excused");
  });

  test("is short without its evidence", () => {
    const text = promiseText(
      {
        ...OPEN,
        state: "at_risk",
        attempt_at: "2026-11-24T14:55:00Z",
        usually_seconds: 720,
      },
      NOW_MS,
      { timeZone: "UTC", isFrozen: false },
    );
    expect(promiseShort(text)).toBe("by 15:00, in 40 m, at risk");
  });

  test("of a paused feed says that it is excused, and counts nothing down", () => {
    const paused = { timeZone: "UTC", isFrozen: false, isPaused: true };
    for (const state of ["open", "at_risk"] as const) {
      const promise = { ...OPEN, state, attempt_at: "2026-11-24T14:55:00Z" };
      for (const isPast of [false, true])
        expect(promiseSentence(shownPromiseText(promise, NOW_MS, { ...paused, isPast }))).toBe(
          "by 15:00, excused while paused",
        );
      expect(stillPromiseText(promise, NOW_MS, paused)).toBe("by 15:00, excused while paused");
    }
    expect(promiseSentence(promiseText({ ...OPEN, state: "met" }, NOW_MS, paused))).toBe(
      "by 15:00, kept",
    );
    expect(promiseSentence(promiseText(OPEN, NOW_MS, { ...paused, isFrozen: true }))).toBe(
      "by 15:00, in 40 m: we can’t see it right now",
    );
  });

  test("has words that stay true on a page that isn't updated", () => {
    const still = (given: Partial<SpokenPromise>, isFrozen = false) =>
      stillPromiseText({ ...OPEN, ...given }, NOW_MS, { timeZone: "UTC", isFrozen });
    expect(still({ state: "at_risk" })).toBe("by 15:00, at risk");
    expect(still({ state: "at_risk" }, true)).toBe("by 15:00");
    const missed = { state: "missed", due_at: "2026-11-24T14:00:00Z" } as const;
    expect(still(missed)).toBe("by 14:00, missed; no new data yet");
    expect(still({ ...missed, late_seconds: 300 })).toBe("by 14:00, missed by 5 m");
    expect(still({ state: "met" })).toBe("by 15:00, kept");
  });
});

test.each<[string, Partial<SpokenPromise>]>([
  ["by 15:00, 40 m later, no new data yet", {}],
  ["by 15:00, 40 m later, no new data yet", { state: "at_risk" }],
  ["by 14:20, being checked then", { due_at: "2026-11-24T14:20:00Z" }],
  ["by 14:00, missed, no new data by then", { state: "missed", due_at: "2026-11-24T14:00:00Z" }],
  [
    "by 14:00, missed by 10 m",
    { state: "missed", due_at: "2026-11-24T14:00:00Z", late_seconds: 600 },
  ],
  ["by 15:00, kept", { state: "met" }],
  ["by 14:00, not checked", { state: "not_observed", due_at: "2026-11-24T14:00:00Z" }],
])("at a past instant a promise is said as it was known then: %s", (words, given) => {
  const text = promiseThenText({ ...OPEN, ...given }, NOW_MS, { timeZone: "UTC" });
  expect(promiseSentence(text)).toBe(words);
});
