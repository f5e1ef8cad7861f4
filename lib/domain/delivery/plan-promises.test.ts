import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Period } from "@/lib/domain/history";
import type { Care } from "@/lib/domain/incidents/mine";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Follows } from "./plan";
import {
  keyOfPromise,
  planPromises,
  type JudgedFeed,
  type PlannedPromise,
  type PromiseDay,
  type RiskPeriod,
  type WrittenWarning,
} from "./plan-promises";
import { rulesOnClock, type PlannedRule } from "./rule";
import { PROMISES_AT_RISK, quietDaily } from "./rule-fixture";

/** A Thursday, 06:00 UTC; the promise is due after 60 minutes, and closed after 61. */
const START_MS = Date.parse("2026-11-26T06:00:00Z");
const DUE = 60;
const CLOSED = 61;
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;
const minutesOf = (ms: number) => (ms - START_MS) / MINUTE_MS;

const NO_CARE: Care = { ownerId: null, ownerSinceMs: null, standIns: [] };

const feed = (endpointId: string, partner = "Procore") => ({
  endpointId,
  endpointKey: endpointId,
  partner,
});
const risk = (
  fromMinutes: number,
  untilMinutes: number | null,
  id = "a",
  partner = "Procore",
): RiskPeriod => ({
  ...feed(id, partner),
  fromMs: at(fromMinutes),
  untilMs: untilMinutes === null ? null : at(untilMinutes),
  attemptMs: at(55),
  usualMs: 12 * MINUTE_MS,
  dueMs: at(DUE),
});
const judged = (
  outcome: JudgedFeed["outcome"],
  id = "a",
  { closed = CLOSED, partner = "Procore" } = {},
): JudgedFeed => ({ ...feed(id, partner), outcome, closedMs: at(closed) });

function dayOf(
  risks: readonly RiskPeriod[],
  outcomes: readonly JudgedFeed[] | null,
  limitMinutes = DUE,
): PromiseDay {
  return {
    promiseId: "p",
    date: "2026-11-26",
    dueMs: at(DUE),
    limitMs: at(limitMinutes),
    risks,
    shown: [],
    judged: outcomes ?? [],
    isClosed: outcomes !== null,
  };
}

const LAST: WrittenWarning["last"] = { promisedMs: at(DUE), isAtRisk: true, times: 1 };

type More = {
  rules?: readonly PlannedRule[];
  follows?: Follows;
  gaps?: readonly Period[];
  isBlind?: boolean;
  untilMinutes?: number;
  nowMinutes?: number;
  waitMs?: number;
  care?: Care;
  written?: ReadonlyMap<string, WrittenWarning> | null;
};

function plan(day: PromiseDay, more: More = {}): PlannedPromise[] {
  const { untilMinutes = 24 * 60, nowMinutes = untilMinutes, ...rest } = more;
  return planPromises({
    company: "northgate",
    care: NO_CARE,
    days: [day],
    rules: [PROMISES_AT_RISK],
    follows: "worse",
    gaps: [],
    isBlind: false,
    waitMs: 0,
    written: null,
    ...rest,
    untilMs: at(untilMinutes),
    nowMs: at(nowMinutes),
  }).due;
}

/** "at_risk 20: a", with the minute and the feeds' states where they differ from what is told. */
const said = (planned: readonly PlannedPromise[]) =>
  planned.map(
    ({ tells, dueMs, feeds }) =>
      `${tells} ${minutesOf(dueMs)}: ${feeds
        .map(({ endpointId, state }) => (state === tells ? endpointId : `${endpointId} ${state}`))
        .join(", ")}`,
  );
const tellsOf = (...args: Parameters<typeof plan>) => said(plan(...args));

describe("messages about a promise", () => {
  test("are a warning and one ending, whatever the outcome", () => {
    const risks = [risk(20, DUE)];
    expect(tellsOf(dayOf(risks, [judged("missed")]))).toEqual(["at_risk 20: a", "missed 61: a"]);
    expect(tellsOf(dayOf(risks, [judged("met")]))).toEqual(["at_risk 20: a", "met 61: a"]);
    expect(tellsOf(dayOf(risks, [judged("not_observed")]))).toEqual([
      "at_risk 20: a",
      "ended 61: a not_observed",
    ]);
    expect(tellsOf(dayOf(risks, [judged("excused")]))).toEqual([
      "at_risk 20: a",
      "ended 61: a excused",
    ]);
    // The promise was deleted, or the feed removed.
    expect(tellsOf(dayOf(risks, []))).toEqual(["at_risk 20: a", "ended 61: a not_judged"]);
    expect(tellsOf(dayOf(risks, null))).toEqual(["at_risk 20: a"]);
  });

  test("without a warning only report what was missed", () => {
    expect(tellsOf(dayOf([], [judged("missed"), judged("met", "b")]))).toEqual(["missed 61: a"]);
    expect(tellsOf(dayOf([], [judged("met")]))).toEqual([]);
    expect(tellsOf(dayOf([], [judged("not_observed")]))).toEqual([]);
  });

  test("are as many as the rule wants", () => {
    const day = dayOf([risk(20, DUE)], [judged("missed")]);
    const rules = (promises: PlannedRule["promises"]) => [{ ...PROMISES_AT_RISK, promises }];
    expect(tellsOf(day, { rules: rules("missed") })).toEqual(["missed 61: a"]);
    expect(tellsOf(day, { rules: rules("none") })).toEqual([]);
    const met = dayOf([risk(20, DUE)], [judged("met")]);
    expect(tellsOf(met, { rules: rules("missed") })).toEqual([]);
  });

  test("name a missed feed that wasn't at risk, the missed ones first", () => {
    const day = dayOf([risk(20, DUE, "a")], [judged("met", "a"), judged("missed", "b")]);
    expect(tellsOf(day)).toEqual(["at_risk 20: a", "missed 61: b, a met"]);
  });

  test("wait, and aren't sent about what ended meanwhile", () => {
    const waitMs = 5 * MINUTE_MS;
    expect(tellsOf(dayOf([risk(20, DUE)], null), { waitMs })).toEqual(["at_risk 25: a"]);
    expect(tellsOf(dayOf([risk(20, 24)], [judged("met")]), { waitMs })).toEqual([]);
    expect(tellsOf(dayOf([risk(20, 24), risk(30, 40)], null), { waitMs })).toEqual([
      "at_risk 35: a",
    ]);
    expect(tellsOf(dayOf([risk(56, DUE)], [judged("missed")]), { waitMs })).toEqual([
      "missed 61: a",
    ]);
  });

  test("are held by quiet hours, and a warning only comes if it still holds", () => {
    const rules = [{ ...PROMISES_AT_RISK, quiet: quietDaily("05:00", "06:30") }];
    expect(tellsOf(dayOf([risk(20, DUE)], null), { rules })).toEqual(["at_risk 30: a"]);
    expect(tellsOf(dayOf([risk(20, 25)], [judged("met")]), { rules })).toEqual([]);
    const night = [{ ...PROMISES_AT_RISK, quiet: quietDaily("05:00", "08:00") }];
    expect(tellsOf(dayOf([risk(20, DUE)], [judged("missed")]), { rules: night })).toEqual([
      "missed 120: a",
    ]);
    const later = [{ ...PROMISES_AT_RISK, quiet: quietDaily("06:40", "08:00") }];
    expect(tellsOf(dayOf([risk(20, DUE)], [judged("met")]), { rules: later })).toEqual([
      "at_risk 20: a",
      "met 120: a",
    ]);
  });

  test("are held while the company can't be seen", () => {
    const gaps = [{ fromMs: at(19), untilMs: at(40) }];
    expect(tellsOf(dayOf([risk(20, DUE)], null), { gaps })).toEqual(["at_risk 40: a"]);
    const rules = [{ ...PROMISES_AT_RISK, quiet: quietDaily("06:40", "08:00") }];
    const day = dayOf([risk(20, DUE)], [judged("met")]);
    expect(tellsOf(day, { rules, isBlind: true, untilMinutes: 90, nowMinutes: 130 })).toEqual([
      "at_risk 20: a",
    ]);
  });

  test("are about the partners of the rule, for companies that are one's own", () => {
    const day = dayOf(
      [risk(20, DUE, "a"), risk(10, DUE, "b", "Aconex")],
      [judged("met", "a"), judged("missed", "b", { partner: "Aconex" })],
    );
    expect(tellsOf(day, { rules: [{ ...PROMISES_AT_RISK, partners: ["Procore"] }] })).toEqual([
      "at_risk 20: a",
      "met 61: a",
    ]);
    expect(tellsOf(day, { rules: [{ ...PROMISES_AT_RISK, companies: ["harbour"] }] })).toEqual([]);
    const rules = [{ ...PROMISES_AT_RISK, onlyFor: "ana" }];
    expect(tellsOf(day, { rules })).toEqual([]);
    const care = { ...NO_CARE, ownerId: "ana", ownerSinceMs: at(30) };
    expect(tellsOf(day, { rules, care })).toEqual(["at_risk 30: a, b", "missed 61: b, a met"]);
  });

  test("of a new rule tell nothing of the past", () => {
    const day = dayOf([risk(20, DUE)], [judged("missed")]);
    expect(tellsOf(day, { rules: [{ ...PROMISES_AT_RISK, sinceMs: at(30) }] })).toEqual([
      "at_risk 30: a",
      "missed 61: a",
    ]);
    expect(tellsOf(day, { rules: [{ ...PROMISES_AT_RISK, sinceMs: at(70) }] })).toEqual([]);
  });

  test("end what was announced although the rule is gone", () => {
    const day = dayOf(
      [risk(20, DUE, "a"), risk(20, DUE, "b", "Aconex")],
      [judged("met", "a"), judged("missed", "b", { partner: "Aconex" })],
    );
    const written = new Map([
      [keyOfPromise(day), { dueMs: at(20), partners: ["Procore"], endpointIds: ["a"], last: LAST }],
    ]);
    expect(said(plan(day, { rules: [], written }).slice(1))).toEqual(["met 61: a"]);
  });

  test("don't warn any more once the promise is due, or nothing is at risk", () => {
    const written = new Map();
    const day = dayOf([risk(20, null)], null);
    expect(tellsOf(day, { written, nowMinutes: 50, untilMinutes: 50 })).toEqual(["at_risk 20: a"]);
    expect(tellsOf(day, { written, nowMinutes: DUE, untilMinutes: 59 })).toEqual([]);
    const over = dayOf([risk(20, 40)], null);
    expect(tellsOf(over, { written, nowMinutes: 41, untilMinutes: 40 })).toEqual([]);
  });

  test("are edited where feeds join, in channels that can", () => {
    const day = dayOf([risk(20, DUE, "a"), risk(30, DUE, "b"), risk(30, DUE, "c")], null);
    expect(tellsOf(day, { follows: "edits" })).toEqual(["at_risk 20: a", "at_risk 30: a, b, c"]);
    expect(tellsOf(day, { follows: "every" })).toEqual(["at_risk 20: a"]);
  });

  test("aren't edited again when instants of our clock move on the API's", () => {
    const day = dayOf([risk(20, null, "a"), risk(30, null, "b")], null);
    const planWith = (aheadMs: number, endpointIds: readonly string[]) => {
      const rules = rulesOnClock([{ ...PROMISES_AT_RISK, quiet: quietDaily("06:10", "06:35") }], {
        aheadMs,
        nowMs: at(40),
      });
      const warning = { dueMs: at(20), partners: ["Procore"], endpointIds, last: LAST };
      const written = new Map([[keyOfPromise(day), warning]]);
      return plan(day, { rules, follows: "edits", written, nowMinutes: 40 }).slice(1);
    };
    expect(said(planWith(10_000, ["a"]))).toEqual([`at_risk ${35 + 1 / 6}: a, b`]);
    expect(planWith(20_000, ["a", "b"])).toEqual([]);
    expect(planWith(-20_000, ["a", "b"])).toEqual([]);
  });

  test("call a promise kept only if every feed was checked", () => {
    const warned = [risk(20, DUE, "a")];
    expect(tellsOf(dayOf(warned, [judged("met", "a"), judged("not_observed", "b")]))).toEqual([
      "at_risk 20: a",
      "ended 61: b not_observed, a met",
    ]);
    expect(tellsOf(dayOf(warned, [judged("met", "a"), judged("met", "b")]))).toEqual([
      "at_risk 20: a",
      "met 61: a",
    ]);
    // Excused feeds count as neither.
    const both = [...warned, risk(20, DUE, "b")];
    expect(tellsOf(dayOf(both, [judged("met", "a"), judged("excused", "b")]))).toEqual([
      "at_risk 20: a, b",
      "met 61: b excused, a",
    ]);
    const other = judged("not_observed", "b", { partner: "Aconex" });
    const rules = [{ ...PROMISES_AT_RISK, partners: ["Procore"] }];
    expect(tellsOf(dayOf(warned, [judged("met", "a"), other]), { rules })).toEqual([
      "at_risk 20: a",
      "met 61: a",
    ]);
  });

  test("that are written late warn of what is still at risk", () => {
    const day = dayOf([risk(20, 40, "a"), risk(30, null, "b")], null);
    const late = { written: new Map(), nowMinutes: 50, untilMinutes: 50 };
    expect(tellsOf(day, late)).toEqual(["at_risk 30: b"]);
    const edited = { ...late, follows: "edits" as const };
    const written = new Map([
      [keyOfPromise(day), { dueMs: at(20), partners: ["Procore"], endpointIds: ["a"], last: LAST }],
    ]);
    expect(tellsOf(day, { ...edited, written }).slice(1)).toEqual(["at_risk 30: b"]);
  });

  test("judge by the end of the allowance", () => {
    const day = dayOf([risk(20, DUE)], [judged("missed", "a", { closed: 95 })], 90);
    expect(tellsOf(day)).toEqual(["at_risk 20: a", "missed 95: a"]);
  });
});

// Random mornings: what each minute's check showed of two feeds, and how the day closed.
const OUTCOMES = ["met", "missed", "not_observed", "excused"] as const;
const anyMorning = fc.record({
  isAtRisk: fc.tuple(
    fc.array(fc.boolean(), { minLength: DUE, maxLength: DUE }),
    fc.array(fc.boolean(), { minLength: DUE, maxLength: DUE }),
  ),
  outcomes: fc.tuple(
    fc.option(fc.constantFrom(...OUTCOMES)),
    fc.option(fc.constantFrom(...OUTCOMES)),
  ),
  rules: fc.array(
    fc.record({
      promises: fc.constantFrom("none", "missed", "at_risk", "at_risk"),
      partners: fc.constantFrom("all" as const, ["Procore"]),
      quiet: fc.constantFrom(null, quietDaily("06:10", "06:35"), quietDaily("06:50", "07:20")),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  waitMs: fc.constantFrom(0, MINUTE_MS / 2, 3 * MINUTE_MS),
});
type Morning = typeof anyMorning extends fc.Arbitrary<infer T> ? T : never;

const FEEDS = [
  { id: "a", partner: "Procore" },
  { id: "b", partner: "Aconex" },
] as const;

/** What is recorded by the check of a minute. */
function recordedBy({ isAtRisk, outcomes }: Morning, minute: number): PromiseDay {
  const risks = FEEDS.flatMap(({ id, partner }, index): RiskPeriod[] => {
    const states = [...(isAtRisk[index] ?? []), false].slice(0, minute + 1);
    return states.flatMap((isIn, from) => {
      if (!isIn || states[from - 1] === true) return [];
      const length = states.slice(from).indexOf(false);
      return [risk(from, length === -1 ? null : from + length, id, partner)];
    });
  });
  const closed = FEEDS.flatMap(({ id, partner }, index) => {
    const outcome = outcomes[index];
    return outcome == null ? [] : [judged(outcome, id, { partner })];
  });
  return dayOf(risks, minute >= CLOSED ? closed : null);
}

const STEPS_A_MINUTE = 2;

test("every warning has exactly one ending, and live messages are those of a rehearsal", () => {
  fc.assert(
    fc.property(anyMorning, (morning) => {
      const more = {
        rules: morning.rules.map((rule): PlannedRule => ({ ...PROMISES_AT_RISK, ...rule })),
        waitMs: morning.waitMs,
      };
      const written = new Map<string, WrittenWarning>();
      const live = new Map<string, PlannedPromise>();
      let day = recordedBy(morning, 0);
      // Each half of a minute, as if the process had just started.
      for (let step = 0; step <= 100 * STEPS_A_MINUTE; step += 1) {
        const nowMinutes = step / STEPS_A_MINUTE;
        const untilMinutes = Math.floor(nowMinutes);
        if (step % STEPS_A_MINUTE === 0) day = recordedBy(morning, untilMinutes);
        for (const one of plan(day, { ...more, written, nowMinutes, untilMinutes })) {
          if (live.has(one.key)) continue;
          live.set(one.key, one);
          const partners = one.feeds.map(({ partner }) => partner);
          const endpointIds = one.feeds.map(({ endpointId }) => endpointId);
          if (one.tells === "at_risk")
            written.set(keyOfPromise(one.day), {
              dueMs: one.dueMs,
              partners,
              endpointIds,
              last: LAST,
            });
        }
      }
      const rehearsed = plan(recordedBy(morning, 100), { ...more, untilMinutes: 100 });
      const told = (all: Iterable<PlannedPromise>) =>
        [...all].map(({ key, dueMs, tells, feeds }) => [
          key,
          iso(dueMs),
          tells,
          tells === "at_risk" ? null : feeds,
        ]);
      expect(told(live.values())).toEqual(told(rehearsed));
      const warnings = rehearsed.filter(({ tells }) => tells === "at_risk");
      const endings = rehearsed.filter(({ tells }) => tells !== "at_risk");
      expect(warnings.length).toBeLessThanOrEqual(1);
      expect(endings.length).toBeLessThanOrEqual(1);
      if (warnings.length > 0) expect(endings).toHaveLength(1);
      else expect(endings.every(({ tells }) => tells === "missed")).toBe(true);
    }),
  );
});
