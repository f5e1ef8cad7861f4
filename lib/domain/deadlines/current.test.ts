import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { row as rowFixture } from "@/lib/domain/row-fixture";
import { completed } from "@/lib/domain/steps";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { currentDeadline, nextTurnMs, type LastClosedDay } from "./current";
import { MAX_PER_SCOPE, type Deadline } from "./deadline";
import { anyRule, deadline } from "./deadline-fixture";
import { canHold, isScopeTooFull, overruling } from "./holding";
import { planDeadlines } from "./plan";
import { riskOf, usualDurationMs } from "./risk";
import { promiseRank, shownState } from "./row-promise";

const at = (time: string) => Date.parse(`2026-11-26T${time}:00Z`);
const text = (time: string) => `2026-11-26T${time}:00Z`;

const planned = (...of: Parameters<typeof planDeadlines>) => completed(planDeadlines(...of));

type Given = {
  deadlines?: readonly Deadline[];
  row?: Parameters<typeof rowFixture>[0];
  facts?: object;
  last?: LastClosedDay | null;
  isClosed?: (deadlineId: string, date: string) => boolean;
  before?: { deadlineId: string; date: string; state: "met" } | null;
};
const KNOWN = { ...NOTHING_KNOWN, typical_duration_seconds: 720 };

function shown(
  now: string,
  { deadlines = [deadline()], row, facts, last, isClosed, before }: Given = {},
) {
  const nowMs = at(now);
  const of = rowFixture({ last_updated_at: text("04:30"), next_sync_at: text("06:40"), ...row });
  const plan = planned(deadlines, { fromMs: nowMs - DAY_MS, untilMs: nowMs + 2 * DAY_MS });
  return currentDeadline(
    {
      landedMs: Date.parse(of.last_updated_at ?? ""),
      risk: (open) => riskOf(of, KNOWN, open, nowMs),
      facts: {
        partner: "Procore",
        status: "active",
        reported: true,
        cadenceMs: HOUR_MS,
        ...facts,
      },
      quiet: [],
    },
    plan.of({ id: "e1", partner: "Procore" }),
    { last: last ?? null, ...(isClosed && { isClosed }), before: before ?? null, nowMs },
  );
}

describe("what a row shows", () => {
  test("is the next one, then whether it is at risk, then what came of it", () => {
    expect(shown("03:00")).toMatchObject({ date: "2026-11-26", state: "open", attemptMs: null });
    expect(shown("06:20")).toMatchObject({
      state: "open",
      attemptMs: at("06:40"),
      usualMs: 12 * MINUTE_MS,
    });
    expect(shown("06:20", { row: { next_sync_at: text("06:49") } })?.state).toBe("at_risk");
    expect(shown("07:00")?.state).toBe("being_checked");
    expect(shown("06:20", { row: { last_updated_at: text("06:00") } })?.state).toBe("met");
  });

  test("stays met when later data replaces the data that met it", () => {
    const row = { last_updated_at: "2026-11-26T07:00:30Z" };
    const before = { deadlineId: "d1", date: "2026-11-26", state: "met" } as const;
    expect(shown("07:00", { row, before })?.state).toBe("met");
    expect(shown("07:00", { row })?.state).toBe("being_checked");
  });

  const missed: LastClosedDay = {
    deadlineId: "d1",
    date: "2026-11-26",
    dueMs: at("07:00"),
    outcome: "missed",
    lateMs: null,
    isAtMost: false,
  };

  test("is the outcome until the next window begins", () => {
    const last: LastClosedDay = { ...missed, lateMs: 20 * MINUTE_MS, isAtMost: true };
    expect(shown("12:00", { last })).toMatchObject({ state: "missed", isAtMost: true });
    expect(shown("12:00", { last: { ...last, deadlineId: "gone" } })?.date).toBe("2026-11-27");
    const later = deadline({ id: "d2", by: "14:00" });
    expect(shown("12:00", { last, deadlines: [deadline(), later] })).toMatchObject({
      deadlineId: "d2",
      state: "open",
    });
  });

  test("is the outcome of a closed day, although its deadline was put off since", () => {
    const deadlines = [deadline({ by: "09:00" })];
    const row = { last_updated_at: text("08:30") };
    const before = { deadlineId: "d1", date: "2026-11-26", state: "met" } as const;
    expect(shown("08:40", { deadlines, row })?.state).toBe("met");
    expect(shown("08:40", { deadlines, row, before, last: missed })?.state).toBe("missed");
    // Another deadline of the feed was closed later.
    const last: LastClosedDay = { ...missed, deadlineId: "d2", dueMs: at("08:00"), outcome: "met" };
    const two = [...deadlines, deadline({ id: "d2", by: "08:00" })];
    const isClosed = (id: string, date: string) => id === "d1" && date === "2026-11-26";
    expect(shown("08:40", { deadlines: two, row, last, isClosed })).toMatchObject({
      deadlineId: "d2",
      state: "met",
    });
  });

  test("is no warning for a feed that will be excused", () => {
    const row = { next_sync_at: null };
    expect(shown("06:20", { row })?.state).toBe("at_risk");
    expect(shown("06:20", { row, facts: { status: "inactive" } })?.state).toBe("open");
    expect(shown("06:20", { row, facts: { reported: false } })?.state).toBe("open");
  });
});

test("shows the same until its next turn", () => {
  const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
  const time = (minutes: number) => new Date(at("00:00") + minutes * MINUTE_MS).toISOString();
  const given = fc.record({
    now: minute,
    next: fc.option(minute),
    landed: minute,
    isRunning: fc.boolean(),
    usual: fc.option(fc.integer({ min: 0, max: 7200 })),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(given, anyRule, ({ now, next, landed, isRunning, usual, part }, any) => {
      const row = rowFixture({
        last_updated_at: time(landed),
        next_sync_at: next === null ? null : time(next),
        last_sync_status: isRunning ? "in_progress" : "completed",
        last_sync_started_at: time(now),
        last_sync_duration_seconds: null,
      });
      const known = { ...NOTHING_KNOWN, typical_duration_seconds: usual };
      const facts = { partner: "p", status: "active", reported: true, cadenceMs: HOUR_MS };
      const nowMs = Date.parse(time(now));
      const plan = planned([deadline({ ...any, by: "12:00" }), deadline({ id: "d2" })], {
        fromMs: nowMs - 2 * DAY_MS,
        untilMs: nowMs + 2 * DAY_MS,
      }).of({ id: "e1", partner: "p" });
      const shownAt = (ms: number) =>
        currentDeadline(
          {
            landedMs: Date.parse(time(landed)),
            facts,
            risk: (open) => riskOf(row, known, open, ms),
            quiet: [],
          },
          plan,
          { last: null, before: null, nowMs: ms },
        );
      const turnMs = nextTurnMs(plan, facts, usualDurationMs(row, known), nowMs);
      expect(turnMs).toBeGreaterThan(nowMs);
      const laterMs = Math.floor(nowMs + part * (Math.min(turnMs, nowMs + DAY_MS) - 1 - nowMs));
      expect(shownAt(laterMs)).toEqual(shownAt(nowMs));
    }),
    { numRuns: 500 },
  );
});

describe("a deadline holds", () => {
  const holds = (
    one: Deadline,
    on: Parameters<ReturnType<typeof overruling>>[1],
    all: readonly Deadline[],
    of: Parameters<typeof canHold>[2],
  ) => canHold(one, on, of) && !overruling(all)(one, on);
  const day = { date: "2026-11-26", dueMs: at("07:00") };
  const facts = { partner: "Procore", status: "active", reported: true, cadenceMs: HOUR_MS };
  const [company, partner, own] = [
    deadline(),
    deadline({ id: "d2", partner: "Procore" }),
    deadline({ id: "d3", endpointId: "e1" }),
  ];

  test("unless a narrower one is in force that day, even one without a day then", () => {
    expect(holds(company, day, [company], facts)).toBe(true);
    expect(holds(company, day, [company, partner], facts)).toBe(false);
    expect(holds(partner, day, [company, partner, own], facts)).toBe(false);
    expect(holds(own, day, [company, partner, own], facts)).toBe(true);
    const holiday = { ...own, holidays: ["2026-11-26"] };
    expect(holds(company, day, [company, holiday], facts)).toBe(false);
    expect(holds(company, day, [company, { ...own, until: "2026-11-25" }], facts)).toBe(true);
    expect(holds(company, day, [company, { ...own, endedMs: at("06:00") }], facts)).toBe(true);
  });

  test("together with others of the same scope", () => {
    const second = { ...own, id: "d4", by: "12:00" };
    expect([own, second].map((one) => holds(one, day, [own, second], facts))).toEqual([true, true]);
  });

  test("only between its making and its deletion, and for listed feeds", () => {
    expect(holds({ ...own, madeMs: at("07:00") }, day, [own], facts)).toBe(false);
    expect(holds({ ...own, endedMs: at("07:00") }, day, [own], facts)).toBe(false);
    expect(holds(own, day, [own], { ...facts, status: null })).toBe(false);
  });

  test("of a company only for feeds with a cadence, of an endpoint for any", () => {
    for (const other of [
      { ...facts, cadenceMs: null },
      { ...facts, status: "webhook" },
      { ...facts, status: "weird" },
    ]) {
      expect(holds(company, day, [company], other)).toBe(false);
      expect(holds(own, day, [own], other)).toBe(true);
    }
  });
});

test("holds beside a limited number of others of the same scope", () => {
  const full = Array.from({ length: MAX_PER_SCOPE }, () => deadline({ partner: "Procore" }));
  const isTooFull = (before: readonly Deadline[], ...added: Deadline[]) =>
    isScopeTooFull(before, added);
  const one = deadline({ partner: "Procore" });
  expect(isTooFull(full, one)).toBe(true);
  expect(isTooFull([], ...full, one)).toBe(true);
  expect(isTooFull(full.slice(1), one)).toBe(false);
  expect(isTooFull(full, deadline({ partner: "Gusto" }), deadline())).toBe(false);
  expect(isTooFull(full, deadline({ partner: "Procore", endpointId: "e1" }))).toBe(false);
  // More than the limit from before it existed can still be changed.
  expect(isTooFull([...full, one])).toBe(false);
});

describe("a plan", () => {
  const within = { fromMs: at("00:00"), untilMs: at("00:00") + 2 * DAY_MS };

  test("leaves out the days that a narrower deadline overrules", () => {
    const own = deadline({ id: "own", endpointId: "e1", until: "2026-11-26" });
    const partner = deadline({ id: "partner", partner: "Procore", from: "2026-11-28" });
    const plan = planned([deadline(), partner, own], within);
    const days = (id: string, of: string) =>
      plan
        .of({ id, partner: of })
        .map(({ deadline: { id: named }, days: all }) => [
          named,
          all.map(({ date }) => date.slice(8)),
        ]);
    expect(days("e1", "Procore")).toEqual([
      ["own", ["26"]],
      ["partner", ["28"]],
      ["d1", ["27"]],
    ]);
    expect(days("e2", "Procore")).toEqual([
      ["partner", ["28"]],
      ["d1", ["26", "27"]],
    ]);
    expect(days("e3", "Gusto")).toEqual([["d1", ["26", "27", "28"]]]);
  });

  test("is made with a pause after each deadline", () => {
    const all = Array.from({ length: 50 }, (_, n) => deadline({ id: `d${n}` }));
    expect([...planDeadlines(all, within)]).toHaveLength(50);
  });

  test("compares the deadlines of a company once, not for each of its feeds", () => {
    let compared = 0;
    const counted = (one: Deadline) =>
      new Proxy(one, {
        get: (of, name) => {
          if (name === "partner") compared += 1;
          return Reflect.get(of, name);
        },
      });
    const all = Array.from({ length: 50 }, (_, n) => counted(deadline({ id: `d${n}` })));
    const plan = planned(all, within);
    plan.of({ id: "e0", partner: "Procore" });
    compared = 0;
    const facts = { partner: "Procore", status: "active", reported: true, cadenceMs: HOUR_MS };
    for (let n = 1; n <= 20; n += 1)
      currentDeadline(
        { landedMs: null, facts, risk: null, quiet: [] },
        plan.of({ id: `e${n}`, partner: "Procore" }),
        { last: null, before: null, nowMs: at("06:00") },
      );
    expect(compared).toBe(0);
  });
});

test("is being checked once it is due on a page that ages", () => {
  const promise = { due_at: text("07:00"), state: "at_risk" } as const;
  expect(shownState(promise, at("06:59"))).toBe("at_risk");
  expect(shownState(promise, at("07:00"))).toBe("being_checked");
  expect(shownState({ ...promise, state: "missed" }, at("09:00"))).toBe("missed");
});

test("orders missed before at risk before all others", () => {
  const states = [null, { state: "at_risk" }, { state: "met" }, { state: "missed" }] as const;
  expect(states.map((one) => promiseRank(one))).toEqual([2, 1, 2, 0]);
});
