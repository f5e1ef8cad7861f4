import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planGroups, type Changes, type Part, type Sent, type Written } from "./plan-group";
import { afterQuiet } from "./quiet-hours";
import { quietDaily } from "./rule-fixture";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";

const WAIT_MS = 30 * SECOND_MS;
const at = (minutes: number) => minutes * MINUTE_MS;

type Given = Partial<Part> & { id: string; fromMs: number };
function part({ id, fromMs, ...more }: Given): Part {
  return {
    id,
    subject: id,
    joinedMs: fromMs,
    knownMs: fromMs,
    wantedMs: fromMs,
    openingMs: fromMs + WAIT_MS,
    closedMs: more.endingMs ?? null,
    endingMs: null,
    aloneMs: null,
    worseMs: [],
    changesMs: [],
    rules: [],
    opening: null,
    ending: null,
    ...more,
  };
}

type Log = { dueMs: number; what: string; opens?: string[]; ends?: string[] };

/**
 * Sends what is due at each look, as the record knows it by then, and remembers what was sent.
 * @param parts as they will have been in the end
 */
function send(
  parts: readonly Part[],
  {
    looksMs,
    changes = "one",
    readyMs = null,
  }: { looksMs: readonly number[]; changes?: Changes; readyMs?: number | null },
): Log[] {
  const log: Log[] = [];
  const openings = new Map<string, Sent>();
  const endings = new Map<string, Sent>();
  const written = new Map<number, Written>();
  for (const nowMs of looksMs) {
    const known = parts
      .filter((one) => Math.min(one.wantedMs, one.joinedMs) <= nowMs)
      .map((one) => ({
        ...one,
        closedMs: one.closedMs !== null && one.closedMs <= nowMs ? one.closedMs : null,
        endingMs: (one.closedMs ?? Infinity) <= nowMs ? one.endingMs : null,
        aloneMs: one.aloneMs !== null && one.aloneMs <= nowMs ? one.aloneMs : null,
        opening: openings.get(one.id) ?? null,
        ending: endings.get(one.id) ?? null,
      }));
    const grouped = known.filter(({ knownMs }) => knownMs <= nowMs);
    const { groups } = planGroups(grouped, { readyMs, changes, written, isComplete: true, nowMs });
    const carried = new Map(groups.flatMap((group) => [...group.carried]));
    for (const one of known) {
      const { fromMs, untilMs } = carried.get(one.id) ?? { fromMs: Infinity, untilMs: Infinity };
      const isFree = (dueMs: number) => dueMs <= nowMs && !(fromMs <= dueMs && dueMs < untilMs);
      const ends = one.endingMs ?? Infinity;
      if (!openings.has(one.id) && one.openingMs < ends && isFree(one.openingMs)) {
        log.push({ dueMs: one.openingMs, what: "opening", opens: [one.id] });
        openings.set(one.id, { dueMs: one.openingMs, groupMs: null });
      }
      if (openings.has(one.id) && !endings.has(one.id) && isFree(ends)) {
        log.push({ dueMs: ends, what: "ending", ends: [one.id] });
        endings.set(one.id, { dueMs: ends, groupMs: null });
      }
    }
    for (const { openedMs, messages } of groups)
      for (const { tells, dueMs, opens, ends } of messages) {
        log.push({
          dueMs,
          what: tells,
          opens: opens.map(({ id }) => id),
          ends: ends.map(({ id }) => id),
        });
        const was = written.get(openedMs);
        written.set(openedMs, {
          lastMs: dueMs,
          isChangeTold: was?.isChangeTold === true || tells === "changed",
          isOver: tells === "ended",
        });
        for (const one of opens) openings.set(one.id, { dueMs, groupMs: openedMs });
        for (const one of ends) endings.set(one.id, { dueMs, groupMs: openedMs });
      }
    const told = grouped.map((one) => ({
      ...one,
      opening: openings.get(one.id) ?? null,
      ending: endings.get(one.id) ?? null,
    }));
    expectNothingUntilNext(told, { readyMs, changes, written, isComplete: true, nowMs });
  }
  return log;
}

/** If nothing else happens, nothing is due before the instant that the plan tells. */
function expectNothingUntilNext(
  parts: readonly Part[],
  given: Parameters<typeof planGroups>[1],
): void {
  const { nextMs } = planGroups(parts, given);
  const nowMs = Math.min(nextMs - 1, given.nowMs + at(60));
  if (nowMs <= given.nowMs) return;
  const { groups } = planGroups(parts, { ...given, nowMs });
  expect(groups.flatMap(({ messages }) => messages)).toEqual([]);
}

const every = (stepMs: number, untilMs: number) =>
  Array.from({ length: Math.floor(untilMs / stepMs) + 1 }, (_, index) => index * stepMs);
const whats = (log: readonly Log[]) => log.map(({ what }) => what);

describe("parts in trouble together", () => {
  const two = [
    part({ id: "a", fromMs: 0, endingMs: at(30) }),
    part({ id: "b", fromMs: 10_000, endingMs: at(40) }),
  ];

  test("are opened by one message after the wait, and ended by one when all have ended", () => {
    const log = send(two, { looksMs: every(SECOND_MS, at(60)) });
    expect(log).toEqual([
      { dueMs: WAIT_MS, what: "opened", opens: ["a", "b"], ends: [] },
      { dueMs: at(40), what: "ended", opens: [], ends: ["a", "b"] },
    ]);
  });

  test("are reported individually if they are of one subject", () => {
    const same = two.map((one) => ({ ...one, subject: "one" }));
    expect(whats(send(same, { looksMs: every(SECOND_MS, at(60)) }))).toEqual([
      "opening",
      "opening",
      "ending",
      "ending",
    ]);
  });

  test("are reported individually if only one of them lasts until the opening", () => {
    const [a, b] = [part({ id: "a", fromMs: 0, endingMs: 20_000 }), part({ id: "b", fromMs: 0 })];
    expect(send([a, b], { looksMs: every(SECOND_MS, at(60)) })).toEqual([
      { dueMs: WAIT_MS, what: "opening", opens: ["b"] },
    ]);
  });

  test("are reported when the group is ready, not when the first of them was due", () => {
    const log = send(two, { looksMs: every(SECOND_MS, at(60)), readyMs: at(2) });
    expect(log[0]).toMatchObject({ dueMs: at(2), what: "opened" });
  });
});

test("a group that was reported isn't reported again once our clock is set", () => {
  const openedMs = at(1);
  const opening = { dueMs: openedMs, groupMs: openedMs };
  const aheadMs = 36 * DAY_MS;
  const parts = ["a", "b"].map((id) => part({ id, fromMs: aheadMs, opening }));
  const given = {
    readyMs: null,
    changes: "one",
    isComplete: true,
    nowMs: aheadMs + at(60),
  } as const;
  const before = { lastMs: openedMs, isChangeTold: false, isOver: false };
  const { groups } = planGroups(parts, { ...given, written: new Map([[openedMs, before]]) });
  expect(groups.map((group) => [group.openedMs, group.messages])).toEqual([[openedMs, []]]);
});

test("a group is ended although its parts were, individually, while our clock was set back", () => {
  const openedMs = at(240);
  const opening = { dueMs: openedMs, groupMs: openedMs };
  const ended = (id: string, minutes: number) =>
    part({
      id,
      fromMs: at(230),
      opening,
      endingMs: at(minutes),
      ending: { dueMs: at(minutes), groupMs: null },
    });
  const given = { readyMs: null, changes: "one", isComplete: true, nowMs: at(300) } as const;
  const before = { lastMs: openedMs, isChangeTold: false, isOver: false };
  const messagesOf = (parts: readonly Part[], written: Written) =>
    planGroups(parts, { ...given, written: new Map([[openedMs, written]]) }).groups.flatMap(
      ({ messages }) => messages,
    );
  const [a, b] = [ended("a", 20), ended("b", 30)];
  expect(messagesOf([a, b], before)).toEqual([
    { tells: "ended", dueMs: openedMs, told: new Set([a, b]), opens: [], ends: [] },
  ]);
  expect(messagesOf([a, b], { ...before, isOver: true })).toEqual([]);
  const lasting = { ...b, endingMs: null, ending: null };
  expect(messagesOf([a, lasting], before)).toEqual([]);
});

test("what was opened individually before is ended by the group, and what was left alone is ended individually", () => {
  const parts = [
    part({ id: "early", fromMs: 0, endingMs: at(20) }),
    part({ id: "b", fromMs: at(5), endingMs: at(30) }),
    part({ id: "c", fromMs: at(5), aloneMs: at(90), endingMs: at(200) }),
  ];
  expect(send(parts, { looksMs: every(SECOND_MS * 10, at(210)) })).toEqual([
    { dueMs: WAIT_MS, what: "opening", opens: ["early"] },
    { dueMs: at(5.5), what: "opened", opens: ["b", "c"], ends: [] },
    { dueMs: at(90), what: "ended", opens: [], ends: ["early", "b"] },
    { dueMs: at(200), what: "ending", ends: ["c"] },
  ]);
});

describe("changes", () => {
  const growing = [
    part({ id: "a", fromMs: 0, endingMs: at(60) }),
    part({ id: "b", fromMs: 0, endingMs: at(60) }),
    part({ id: "c", fromMs: at(10), endingMs: at(60) }),
    part({ id: "d", fromMs: at(11), endingMs: at(60) }),
    part({ id: "e", fromMs: at(20), endingMs: at(60) }),
  ];
  const looksMs = every(SECOND_MS, at(70));

  test("are told once, a little later than the first, and what comes after with the end", () => {
    expect(send(growing, { looksMs, changes: "one" })).toEqual([
      { dueMs: WAIT_MS, what: "opened", opens: ["a", "b"], ends: [] },
      { dueMs: at(12), what: "changed", opens: ["c", "d"], ends: [] },
      { dueMs: at(60), what: "ended", opens: ["e"], ends: ["a", "b", "c", "d", "e"] },
    ]);
  });

  test("aren't told where nothing is sent in between", () => {
    expect(whats(send(growing, { looksMs, changes: "none" }))).toEqual(["opened", "ended"]);
  });

  test("edit the message, no more often than every ten seconds", () => {
    const log = send(growing, { looksMs, changes: "edits" });
    expect(log.map(({ dueMs, what }) => [what, dueMs])).toEqual([
      ["opened", WAIT_MS],
      ["changed", at(10)],
      ["changed", at(11)],
      ["changed", at(20)],
      ["ended", at(60)],
    ]);
    const noisy = growing.map((one) => ({ ...one, changesMs: every(SECOND_MS, at(3)) }));
    const whileNoisyMs = [...every(SECOND_MS, at(4)), at(70)];
    const edits = send(noisy, { looksMs: whileNoisyMs, changes: "edits" }).map(
      ({ dueMs }) => dueMs,
    );
    expect(edits.length).toBeGreaterThan(10);
    for (const [index, dueMs] of edits.slice(1, -1).entries())
      expect(dueMs - (edits[index] ?? 0)).toBeGreaterThanOrEqual(10_000);
  });

  test("that weren't sent in time are one edit", () => {
    const log = send(growing, { looksMs: [at(1), at(30), at(70)], changes: "edits" });
    expect(whats(log)).toEqual(["opened", "changed", "ended"]);
    expect(log[1]?.opens).toEqual(["c", "d", "e"]);
  });
});

describe("in quiet hours", () => {
  const hour = (hours: number) => at(hours * 60);
  const rules = [{ quiet: quietDaily("22:00", "07:00") }];
  const looksMs = every(MINUTE_MS, hour(34));
  const lasting = { rules, endingMs: hour(33) };
  const wholeNight = { rules, closedMs: hour(26), endingMs: hour(31) };
  const opened = ["opened", 20 + WAIT_MS / at(60)];
  const log = (parts: readonly Part[], changes: Changes) =>
    send(parts, { looksMs, changes }).map(({ what, dueMs }) => [what, dueMs / at(60)]);

  test("changes wait for their end", () => {
    const [a, b] = [
      part({ id: "a", fromMs: hour(20), ...lasting, worseMs: [hour(25)], changesMs: [hour(25)] }),
      part({ id: "b", fromMs: hour(20), ...lasting }),
    ];
    expect(log([a, b], "edits")).toEqual([opened, ["changed", 31], ["ended", 33]]);
    expect(log([a, b], "one")).toEqual([opened, ["changed", 31 + 2 / 60], ["ended", 33]]);
  });

  test("what began shortly before isn't told within them", () => {
    const late = { ...lasting, worseMs: [hour(22) - at(1)] };
    const parts = [
      part({ id: "a", fromMs: hour(20), ...late }),
      part({ id: "b", fromMs: hour(20), ...lasting }),
    ];
    expect(log(parts, "one")[1]).toEqual(["changed", 31]);
    const waiting = [
      part({ id: "a", fromMs: hour(22) - 10_000, ...lasting, openingMs: hour(31) }),
      part({ id: "b", fromMs: hour(22) - 10_000, ...lasting, openingMs: hour(31) }),
    ];
    const readyMs = hour(22) + 20_000;
    expect(send(waiting, { looksMs, readyMs })[0]).toMatchObject({
      what: "opened",
      dueMs: hour(31),
    });
  });

  test("nothing but the end is told when all are over", () => {
    const wakeful = { rules: [], closedMs: hour(27), endingMs: hour(27) };
    const parts = [
      part({ id: "a", fromMs: hour(20), ...wholeNight, changesMs: [hour(26)] }),
      part({ id: "b", fromMs: hour(20), ...wakeful, changesMs: [hour(27)] }),
    ];
    expect(log(parts, "edits").map(([what]) => what)).toEqual(["opened", "ended"]);
  });
});

test("the work for a group grows with its parts, not with their square", () => {
  const readsOf = (amount: number) => {
    let reads = 0;
    const parts = Array.from({ length: amount }, (_, index) => {
      const one = part({ id: String(index), fromMs: at(1), changesMs: [at(1), at(2), at(3)] });
      return Object.defineProperty(one, "rules", { get: () => ((reads += 1), []) });
    });
    const given = { readyMs: null, written: new Map(), isComplete: true };
    planGroups(parts, { ...given, changes: "edits", nowMs: at(1) });
    planGroups(parts, { ...given, changes: "edits", nowMs: at(4) });
    return reads;
  };
  expect(readsOf(200)).toBeLessThanOrEqual(2 * readsOf(100));
});

test("in any history each opening that was sent has exactly one ending, which comes later, and quiet hours are quiet", () => {
  const instant = fc.integer({ min: 0, max: 60 }).map((minutes) => at(minutes / 2));
  const quiet = quietDaily("00:12", "00:31");
  const partsUnder = (rules: Part["rules"]) =>
    fc
      .array(
        fc.record({
          subject: fc.constantFrom("a", "b", "c", "d"),
          fromMs: instant,
          joinsAfterMs: fc.constantFrom(0, 0, 15_000, at(3)),
          hiddenMs: fc.constantFrom(0, 0, 20_000, at(2)),
          wantedAfterMs: fc.constantFrom(0, 0, at(1), at(10)),
          lastsMs: fc.integer({ min: 1, max: 40 }).map((minutes) => at(minutes / 4)),
          isLeftAlone: fc.boolean(),
        }),
        { maxLength: 12 },
      )
      .map((all) => {
        const aloneMs = at(32);
        return all.map((one, index) => {
          const closedMs = one.fromMs + one.lastsMs + (one.isLeftAlone ? at(30) : 0);
          const endingMs = one.fromMs + one.lastsMs;
          const wantedMs = afterQuiet(one.fromMs + one.wantedAfterMs, rules);
          const openingMs = afterQuiet(wantedMs + WAIT_MS, rules);
          const joinedMs = one.fromMs + one.joinsAfterMs;
          return part({
            ...one,
            id: String(index),
            wantedMs: wantedMs < endingMs ? wantedMs : Infinity,
            openingMs: openingMs < endingMs ? openingMs : Infinity,
            joinedMs,
            knownMs: joinedMs + one.hiddenMs,
            closedMs,
            endingMs: afterQuiet(closedMs, rules),
            aloneMs: one.isLeftAlone ? afterQuiet(Math.max(aloneMs, joinedMs), rules) : null,
            rules,
          });
        });
      });
  /** Seconds between looks, again and again: some are late. */
  const looks = fc.array(fc.constantFrom(1, 5, 30, 600), { minLength: 1, maxLength: 8 });
  const changes = fc.constantFrom<Changes[]>("none", "one", "edits");
  fc.assert(
    fc.property(
      fc.constantFrom([], [{ quiet }]).chain(partsUnder),
      looks,
      changes,
      fc.constantFrom(null, at(3)),
      (all, steps, kind, readyMs) => {
        let nowMs = 0;
        const looksMs: number[] = [];
        while (nowMs < at(100))
          for (const seconds of steps) looksMs.push((nowMs += seconds * SECOND_MS));
        const log = send(all, { looksMs, changes: kind, readyMs });
        const opened = log.flatMap(({ opens = [] }) => opens);
        const ended = log.flatMap(({ ends = [] }) => ends);
        expect(opened.toSorted()).toEqual([...new Set(opened)].toSorted());
        expect(ended.toSorted()).toEqual(opened.toSorted());
        for (const id of opened) {
          const first = log.findIndex(({ opens }) => opens?.includes(id));
          expect(log.findIndex(({ ends }) => ends?.includes(id))).toBeGreaterThanOrEqual(first);
        }
        for (const { dueMs } of log) expect(afterQuiet(dueMs, all[0]?.rules ?? [])).toBe(dueMs);
        expect(whats(log).filter((what) => what === "opened")).toHaveLength(
          whats(log).filter((what) => what === "ended").length,
        );
      },
    ),
    { numRuns: 500 },
  );
}, 120_000);
