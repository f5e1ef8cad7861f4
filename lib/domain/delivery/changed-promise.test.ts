import fc from "fast-check";
import { expect, test } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  keyOfPromise,
  planPromises,
  type PlannedPromise,
  type PromiseDay,
  type RiskPeriod,
  type ShownFeed,
  type WrittenWarning,
} from "./plan-promises";
import { quietEndMs } from "./quiet-hours";
import type { PlannedRule } from "./rule";
import { PROMISES_AT_RISK, quietDaily } from "./rule-fixture";

/** A Thursday, 06:00 UTC. */
const START_MS = Date.parse("2026-11-26T06:00:00Z");
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;
const DUE = 60;
const LATER = 120;

const FEEDS = [
  { endpointId: "a", endpointKey: "a", partner: "Procore" },
  { endpointId: "b", endpointKey: "b", partner: "Aconex" },
] as const;

type Planned = {
  rules: readonly PlannedRule[];
  waitMs: number;
  nowMinutes: number;
  untilMinutes: number;
  follows: "edits" | "worse";
  written: ReadonlyMap<string, WrittenWarning>;
};

const planOf = (
  day: PromiseDay,
  { nowMinutes, untilMinutes, ...given }: Planned,
): PlannedPromise[] =>
  planPromises({
    ...given,
    company: "northgate",
    care: { ownerId: null, ownerSinceMs: null, standIns: [] },
    days: [day],
    gaps: [],
    isBlind: false,
    untilMs: at(untilMinutes),
    nowMs: at(nowMinutes),
  }).due;

const isChange = ({ key }: PlannedPromise) => key.includes(":changed:");

/** A day that was warned of by 07:00, and that was put off to 08:00. */
function putOff(risks: readonly RiskPeriod[], shown: readonly ShownFeed[]): PromiseDay {
  return {
    promiseId: "p",
    date: "2026-11-26",
    dueMs: at(LATER),
    limitMs: at(LATER),
    risks,
    shown,
    judged: [],
    isClosed: false,
  };
}

const risk = (from: number, until: number | null, due = LATER, index: 0 | 1 = 0): RiskPeriod => ({
  ...FEEDS[index],
  fromMs: at(from),
  untilMs: until === null ? null : at(until),
  attemptMs: at(55),
  usualMs: 12 * MINUTE_MS,
  dueMs: at(due),
});
const shows = (state: ShownFeed["state"], endpointId = "a", due = LATER): ShownFeed => ({
  endpointId,
  state,
  dueMs: at(due),
});

type More = Partial<Planned> & { last?: Partial<WrittenWarning["last"]> };

/** "1 06:40: a at_risk": number and time of each edit, and its feeds. */
const editsOf = (day: PromiseDay, { last, ...more }: More = {}) =>
  planOf(day, {
    rules: [PROMISES_AT_RISK],
    waitMs: 0,
    nowMinutes: 40,
    untilMinutes: 40,
    follows: "edits",
    written: new Map([
      [
        keyOfPromise(day),
        {
          dueMs: at(20),
          partners: ["Procore"],
          endpointIds: ["a"],
          last: { promisedMs: at(DUE), isAtRisk: true, times: 1, ...last },
        },
      ],
    ]),
    ...more,
  })
    .filter(isChange)
    .map(
      ({ key, dueMs, feeds }) =>
        `${key.split(":").at(-1)} ${new Date(dueMs).toISOString().slice(11, 16)}: ${feeds
          .map(({ endpointId, state }) => `${endpointId} ${state}`)
          .join(", ")}`,
    );

const NOT_ANY_MORE = { last: { promisedMs: at(LATER), isAtRisk: false, times: 2 } };

test("a warning follows a promise that was put off, once a check has seen it, and when it is at risk again", () => {
  expect(editsOf(putOff([risk(10, null, DUE)], []))).toEqual([]);
  expect(editsOf(putOff([risk(10, null)], [shows("unknown")]))).toEqual(["1 06:40: a at_risk"]);
  const over = putOff([risk(10, 30)], [shows("open")]);
  expect(editsOf(over)).toEqual(["1 06:40: a open"]);
  expect(editsOf(over, NOT_ANY_MORE)).toEqual([]);
  const again = putOff([risk(10, 30), risk(35, null)], [shows("unknown")]);
  expect(editsOf(again, NOT_ANY_MORE)).toEqual(["2 06:40: a at_risk"]);
  expect(editsOf(again, { last: { promisedMs: at(LATER), times: 2 } })).toEqual([]);
  expect(editsOf(over, { follows: "worse" })).toEqual([]);
  expect(editsOf(over, { nowMinutes: LATER })).toEqual([]);
  expect(editsOf({ ...over, isClosed: true })).toEqual([]);
});

test("a change of the rules doesn't make a feed safe that was announced", () => {
  const day = putOff([risk(10, null)], [shows("unknown")]);
  const unlike = (rule: Partial<PlannedRule>) => ({ rules: [{ ...PROMISES_AT_RISK, ...rule }] });
  const said = ["1 06:40: a at_risk"];
  expect(editsOf(day, unlike({ promises: "missed" }))).toEqual(said);
  expect(editsOf(day, unlike({ partners: ["Aconex"] }))).toEqual(said);
  expect(editsOf(day, { rules: [] })).toEqual(said);
});

test("nothing is said of a change before a check has seen it, and no feed is safe that isn't judged", () => {
  // Its period ended when it began to be checked, for the time that it had then.
  expect(editsOf(putOff([risk(10, 30, DUE)], []))).toEqual([]);
  expect(editsOf(putOff([risk(10, 30, DUE)], [shows("unknown", "a", DUE)]))).toEqual([]);
  expect(editsOf(putOff([risk(10, 30, DUE)], [shows("unknown")]))).toEqual(["1 06:40: a unknown"]);
  expect(editsOf(putOff([risk(10, 30, DUE)], [shows("met")]))).toEqual(["1 06:40: a met"]);
  const unshown = putOff([risk(10, 30), risk(36, null, LATER, 1)], [shows("unknown", "b")]);
  expect(editsOf(unshown)).toEqual(["1 06:40: b at_risk, a unknown"]);
});

test("an edit waits for quiet hours and for a young risk, and keeps the period that is open", () => {
  const day = putOff([risk(10, 30)], [shows("open")]);
  const quietRule = { ...PROMISES_AT_RISK, quiet: quietDaily("06:35", "06:50") };
  expect(editsOf(day, { rules: [quietRule] })).toEqual([]);
  expect(editsOf(day, { rules: [quietRule], nowMinutes: 50 })).toEqual(["1 06:50: a open"]);
  expect(editsOf(day, { rules: [quietRule, PROMISES_AT_RISK] })).toEqual(["1 06:40: a open"]);
  const young = putOff([risk(10, 30), risk(39, null)], [shows("unknown")]);
  const waitMs = 3 * MINUTE_MS;
  expect(editsOf(young, { waitMs })).toEqual([]);
  expect(editsOf(young, { waitMs, nowMinutes: 42 })).toEqual(["1 06:42: a at_risk"]);
  // One that was due later comes last.
  const open = { ...risk(35, null), attemptMs: at(100) };
  const planned = planOf(putOff([open, risk(10, 30, 150)], [shows("unknown")]), {
    rules: [],
    waitMs: 0,
    nowMinutes: 40,
    untilMinutes: 40,
    follows: "edits",
    written: new Map([
      [
        "promise:p:2026-11-26",
        {
          dueMs: at(20),
          partners: [],
          endpointIds: ["a"],
          last: { promisedMs: at(DUE), isAtRisk: true, times: 1 },
        },
      ],
    ]),
  }).find(isChange);
  expect(planned?.feeds).toMatchObject([{ endpointId: "a", attemptMs: at(100) }]);
});

test("feeds join an edit only by rules that want them", () => {
  const both = putOff(
    [risk(10, null), risk(36, null, LATER, 1)],
    [shows("unknown"), shows("unknown", "b")],
  );
  expect(editsOf(both)).toEqual(["1 06:40: a at_risk, b at_risk"]);
  expect(editsOf(both, { rules: [{ ...PROMISES_AT_RISK, partners: ["Procore"] }] })).toEqual([
    "1 06:40: a at_risk",
  ]);
  expect(editsOf(both, { waitMs: 5 * MINUTE_MS })).toEqual(["1 06:40: a at_risk"]);
});

// Random mornings: what each minute's check would show, which minutes are checked, and when promise and rules change.
const MINUTES = 100;
const STATES = ["at_risk", "open", "unknown", "met"] as const;
const anyStates = fc.array(
  fc.record({
    lasts: fc.integer({ min: 1, max: 20 }),
    state: fc.constantFrom("at_risk", ...STATES),
  }),
  { minLength: 12, maxLength: 20 },
);
const anyRule = fc.record({
  promises: fc.constantFrom("none", "missed", "at_risk", "at_risk"),
  partners: fc.constantFrom("all" as const, ["Procore"], ["Aconex"]),
  quiet: fc.constantFrom(null, null, quietDaily("06:10", "06:35"), quietDaily("06:50", "07:20")),
});
const anyMinute = fc.integer({ min: 0, max: MINUTES });
const anyMorning = fc.record({
  states: fc.tuple(anyStates, anyStates),
  checkEvery: fc.constantFrom(1, 2, 5, 10),
  dues: fc.array(fc.record({ from: anyMinute, due: fc.constantFrom(40, 60, 75, 90, 110) }), {
    maxLength: 4,
  }),
  rules: fc.array(fc.record({ from: anyMinute, rules: fc.array(anyRule, { maxLength: 2 }) }), {
    maxLength: 3,
  }),
  waitMs: fc.constantFrom(0, MINUTE_MS / 2, 3 * MINUTE_MS),
});

/** The last of some changes, which fall between the checks. */
const lastBy = <T extends { from: number }>(changes: readonly T[], minutes: number) =>
  changes
    .filter(({ from }) => from + 0.5 <= minutes)
    .toSorted((a, b) => a.from - b.from)
    .at(-1);

test("an edit says only what the last check showed, after the last change of the promise", () => {
  let [edits, safe] = [0, 0];
  fc.assert(
    fc.property(anyMorning, (morning) => {
      const states = morning.states.map((parts) =>
        parts.flatMap(({ lasts, state }) => Array.from({ length: lasts }, () => state)),
      );
      const truth = new Map<string, (typeof STATES)[number]>();
      const risks: RiskPeriod[] = [];
      const written = new Map<string, WrittenWarning>();
      const known = new Set<string>();
      let checked = { minute: 0, due: DUE };
      for (let nowMinutes = 0; nowMinutes <= MINUTES; nowMinutes += 0.5) {
        const change = lastBy(morning.dues, nowMinutes);
        const due = change?.due ?? DUE;
        if (nowMinutes % morning.checkEvery === 0) {
          checked = { minute: nowMinutes, due };
          FEEDS.forEach(({ endpointId }, index) => {
            const state = nowMinutes >= due ? "unknown" : (states[index]?.[nowMinutes] ?? "open");
            truth.set(endpointId, state);
            const open = risks.findIndex(
              (one) => one.endpointId === endpointId && one.untilMs === null,
            );
            const before = risks[open];
            if (state !== "at_risk") {
              if (before !== undefined) risks[open] = { ...before, untilMs: at(nowMinutes) };
            } else if (before === undefined)
              risks.push(risk(nowMinutes, null, due, index === 0 ? 0 : 1));
            else risks[open] = { ...before, dueMs: at(due) };
          });
        }
        const isSeen = change === undefined || change.from + 0.5 <= checked.minute;
        const isClosed = checked.minute > due;
        const shown = [...truth].map(([id, state]) =>
          shows(state === "at_risk" ? "unknown" : state, id, checked.due),
        );
        const day = {
          ...putOff(
            risks.toSorted((a, b) => a.dueMs - b.dueMs),
            isSeen ? shown : [],
          ),
          dueMs: at(due),
          limitMs: at(due),
          isClosed,
        };
        const rules = (lastBy(morning.rules, nowMinutes)?.rules ?? [{}]).map(
          (rule): PlannedRule => ({ ...PROMISES_AT_RISK, ...rule }),
        );
        const key = keyOfPromise(day);
        const planned = planOf(day, {
          rules,
          waitMs: morning.waitMs,
          nowMinutes,
          untilMinutes: checked.minute,
          follows: "edits",
          written,
        }).filter((one) => one.tells === "at_risk" && !known.has(one.key));
        for (const one of planned) {
          known.add(one.key);
          const before = written.get(key);
          const late = one.feeds.filter(({ state }) => state === "at_risk");
          for (const { endpointId } of late) expect(truth.get(endpointId)).toBe("at_risk");
          for (const id of before?.endpointIds ?? [])
            if (truth.get(id) === "at_risk")
              expect(late.map(({ endpointId }) => endpointId)).toContain(id);
          if (isChange(one)) {
            edits += 1;
            expect(isSeen).toBe(true);
            expect(checked.due).toBe(due);
            expect(one.feeds.length).toBeGreaterThan(0);
            for (const { endpointId, state } of one.feeds) {
              expect(state).toBe(truth.get(endpointId));
              if (state === "open") safe += 1;
            }
            const sending = rules.filter(({ promises }) => promises !== "none");
            const early = sending.filter(({ promises }) => promises === "at_risk");
            const holding = early.length > 0 ? early : sending;
            if (holding.length > 0)
              expect(
                holding.some((rule) => quietEndMs(rule.quiet, at(nowMinutes)) <= at(nowMinutes)),
              ).toBe(true);
            for (const { endpointId, partner } of one.feeds)
              if (before?.endpointIds.includes(endpointId) !== true)
                expect(
                  early.some(({ partners }) => partners === "all" || partners.includes(partner)),
                ).toBe(true);
          }
          written.set(key, {
            dueMs: before?.dueMs ?? one.dueMs,
            partners: [],
            endpointIds: [
              ...new Set([
                ...(before?.endpointIds ?? []),
                ...one.feeds.map(({ endpointId }) => endpointId),
              ]),
            ],
            last: {
              promisedMs: at(due),
              isAtRisk: late.length > 0,
              times: (before?.last.times ?? 0) + 1,
            },
          });
        }
        // Nothing is left unsaid that could be said.
        const after = written.get(key);
        const isYoung = risks.some(
          ({ untilMs, fromMs }) => untilMs === null && fromMs + morning.waitMs > at(nowMinutes),
        );
        const isQuiet = rules.some((rule) => rule.quiet !== null);
        if (after !== undefined && isSeen && !isClosed && !isYoung && !isQuiet && nowMinutes < due)
          expect(after.last.promisedMs).toBe(at(due));
      }
    }),
  );
  expect(edits).toBeGreaterThan(0);
  expect(safe).toBeGreaterThan(0);
}, 60_000);
