import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TROUBLES, compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import { neverSeen, type Blindness } from "./blindness";
import { planCompany, type Followed, type Follows, type Planned } from "./plan";
import { type PlannedRule } from "./rule";
import type { Care } from "@/lib/domain/incidents/mine";
import { EVERYTHING } from "./rule-fixture";
import { timelineOf, type RecordedEvent, type IncidentTimeline } from "./incident-timeline";
import type { Carried } from "./plan-group";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** A Thursday, 10:00 UTC. */
const START_MS = Date.parse("2026-11-19T10:00:00Z");
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

const RULE: PlannedRule = {
  ...EVERYTHING,
  name: "Everything",
  sinceMs: -Infinity,
  onlyFor: null,
};
const NIGHT = {
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  from: "12:00",
  until: "14:00",
  time_zone: "UTC",
} as const;

const event = (
  minutes: number,
  kind: string,
  more: Partial<RecordedEvent> = {},
): RecordedEvent => ({
  atMs: at(minutes),
  kind,
  endpointId: null,
  byId: null,
  detail: {},
  text: null,
  seq: Math.round(minutes * 100),
  ...more,
});
const opened = (minutes: number, to: Trouble = "late") =>
  event(minutes, "opened", { endpointId: "a", detail: { to } });
const worsened = (minutes: number, to: Trouble) =>
  event(minutes, "worsened", { endpointId: "a", detail: { to } });
const ended = (minutes: number) => event(minutes, "ended", { detail: { ending: "recovered" } });
const onIt = (minutes: number, untilMinutes: number | null = null) =>
  event(minutes, "acknowledged", {
    byId: "ana",
    detail: { until: untilMinutes === null ? null : new Date(at(untilMinutes)).toISOString() },
  });

function timeline(...events: RecordedEvent[]): IncidentTimeline {
  const openedMs = events[0]?.atMs ?? START_MS;
  return timelineOf({ id: 1, partner: "Procore", openedMs, ownerId: null }, events, 0);
}

const NO_CARE: Care = { ownerId: null, ownerSinceMs: null, standIns: [] };

const plan = (...given: Parameters<typeof planAll>): Planned[] => planAll(...given).due;

function planAll(
  timelines: readonly IncidentTimeline[],
  rules: readonly PlannedRule[],
  {
    untilMinutes = 24 * 60,
    nowMinutes = untilMinutes,
    ...more
  }: {
    untilMinutes?: number;
    nowMinutes?: number;
    blindnesses?: Blindness[];
    openings?: Map<number, number>;
    followed?: Map<number, Followed>;
    care?: Care;
    follows?: Follows;
    followsFromMs?: number;
    waitMs?: number;
    carried?: Map<number | string, Carried>;
    nowMs?: number;
  } = {},
): ReturnType<typeof planCompany> {
  return planCompany({
    company: "northgate",
    care: NO_CARE,
    timelines,
    rules,
    follows: "worse",
    followsFromMs: -Infinity,
    blindnesses: [],
    gaps:
      more.blindnesses?.flatMap(({ fromMs, untilMs }) =>
        untilMs === null || fromMs === null ? [] : [{ fromMs, untilMs }],
      ) ?? [],
    untilMs: at(untilMinutes),
    nowMs: at(nowMinutes),
    waitMs: 0,
    longerWaits: new Map(),
    openings: new Map(),
    opening: new Set(),
    followed: new Map(),
    carried: new Map(),
    ...more,
  });
}

test.each([
  ["a reminder", [opened(0)], { ...RULE, remind_every_minutes: 30 }, 10, 30],
  ["the next reminder", [opened(0)], { ...RULE, remind_every_minutes: 30 }, 30, 60],
  ["a delay", [opened(0)], { ...RULE, after_minutes: 15 }, 10, 15],
  ["the end of quiet hours", [opened(0), ended(130)], { ...RULE, quiet: NIGHT }, 130, 240],
  [
    "the end of an acknowledgement",
    [opened(0), onIt(5, 20)],
    { ...RULE, unacknowledged_only: true, after_minutes: 10 },
    10,
    20,
  ],
  ["nothing, once an incident is opened", [opened(0)], RULE, 10, Infinity],
  ["nothing, once it has ended", [opened(0), ended(5)], RULE, 10, Infinity],
])("says that more is due with %s", (_what, events, rule, untilMinutes, nextMinutes) => {
  const { nextMs } = planAll([timeline(...events)], [rule], { untilMinutes });
  expect((nextMs - START_MS) / MINUTE_MS).toBe(nextMinutes);
});

describe("the wait before an opening", () => {
  const waitMs = MINUTE_MS / 2;
  const lasting = timeline(opened(0));

  test("counts from when the incident was opened, by the clock", () => {
    const given = { waitMs, untilMinutes: 0 };
    expect(plan([lasting], [RULE], { ...given, nowMs: at(0.4) })).toEqual([]);
    expect(plan([lasting], [RULE], { ...given, nowMs: at(0.5) })[0]).toMatchObject({
      tells: "opened",
      dueMs: at(0.5),
    });
  });

  test("is part of the time that a rule wants it to last", () => {
    const rule = { ...RULE, after_minutes: 1 };
    const given = { waitMs, untilMinutes: 0, nowMs: at(1) };
    expect(plan([lasting], [rule], given)).toEqual([]);
    expect(plan([lasting], [rule], { ...given, untilMinutes: 1 })[0]?.dueMs).toBe(at(1));
  });

  test("keeps quiet about what ends within it", () => {
    expect(plan([timeline(opened(0), ended(0.4))], [RULE], { waitMs })).toEqual([]);
    const blindness = {
      fromMs: at(0),
      reportedFromMs: at(5),
      untilMs: at(5.4),
      wasReported: false,
    };
    expect(plan([], [RULE], { waitMs, blindnesses: [blindness] })).toEqual([]);
    const longer = { ...blindness, untilMs: at(6) };
    expect(summaryOf(plan([], [RULE], { waitMs, blindnesses: [longer] }))).toEqual([
      "blind 5.5",
      "seen_again 6",
    ]);
  });
});

test("what a message about several reports isn't reported individually meanwhile", () => {
  const incident = timeline(opened(0), worsened(15, "failing"), ended(30));
  const carried = (fromMs: number, untilMs: number) => ({
    carried: new Map([[1, { fromMs, untilMs }]]),
  });
  expect(summaryOf(plan([incident], [RULE], carried(-Infinity, Infinity)))).toEqual([]);
  expect(summaryOf(plan([incident], [RULE], carried(at(1), Infinity)))).toEqual(["opened 0"]);
  expect(summaryOf(plan([incident], [RULE], carried(-Infinity, at(10))))).toEqual([
    "worse 15",
    "ended 30",
  ]);
});

function summaryOf(planned: readonly Planned[]): string[] {
  return planned.map(({ tells, dueMs, includedIn }) =>
    [tells, (dueMs - START_MS) / MINUTE_MS, ...(includedIn === null ? [] : ["among others"])].join(
      " ",
    ),
  );
}

describe("messages of an incident", () => {
  test("report its opening and ending once each, however often it flaps", () => {
    const flaps = Array.from({ length: 50 }, (_, index) => [
      event(index + 1, "left", { endpointId: "a" }),
      event(index + 1.5, "flapped", { endpointId: "a", detail: { to: "late" } }),
    ]).flat();
    const planned = plan([timeline(opened(0), ...flaps, ended(70))], [RULE]);
    expect(summaryOf(planned)).toEqual(["opened 0", "ended 70"]);
  });

  test("skip an incident that ended before the rule's delay", () => {
    expect(plan([timeline(opened(0), ended(20))], [{ ...RULE, after_minutes: 30 }])).toEqual([]);
  });

  test("report each worsening once, even if acknowledged", () => {
    const events = [
      opened(0),
      onIt(5),
      worsened(10, "stale"),
      worsened(20, "late"),
      worsened(30, "stale"),
    ];
    expect(summaryOf(plan([timeline(...events)], [RULE]))).toEqual(["opened 0", "worse 10"]);
  });

  test("start when the incident reaches the rule's verdict", () => {
    const failing = { ...RULE, from_verdict: "failing", after_minutes: 5 } as const;
    expect(summaryOf(plan([timeline(opened(0), worsened(10, "failing"))], [failing]))).toEqual([
      "opened 15",
    ]);
  });

  test("wait while it is acknowledged, if the rule says so, and resume when the acknowledgement expires", () => {
    const rule = { ...RULE, after_minutes: 10, unacknowledged_only: true };
    expect(plan([timeline(opened(0), onIt(5))], [rule])).toEqual([]);
    expect(summaryOf(plan([timeline(opened(0), onIt(5, 40))], [rule]))).toEqual(["opened 40"]);
  });

  test("repeat as reminders while it is unacknowledged, and stop when it ends", () => {
    const rule = { ...RULE, remind_every_minutes: 30 };
    const events = [opened(0), onIt(70, 100), ended(140)];
    expect(summaryOf(plan([timeline(...events)], [rule]))).toEqual([
      "opened 0",
      "reminder 30",
      "reminder 60",
      "reminder 100",
      "reminder 130",
      "ended 140",
    ]);
  });

  test("keep the interval of reminders when the rule is changed", () => {
    const rule = { ...RULE, remind_every_minutes: 60, sinceMs: at(110) };
    const told = timeline(opened(0));
    const openings = new Map([[1, at(0)]]);
    const reminders = (remindedMinutes: number) =>
      summaryOf(
        plan([told], [rule], {
          untilMinutes: 170,
          openings,
          followed: new Map([[1, { remindedMs: NaN, dueMs: at(remindedMinutes), seq: 0 }]]),
        }).filter(({ tells }) => tells === "reminder"),
      );
    expect(reminders(0)).toEqual(["reminder 120"]);
    expect(reminders(100)).toEqual(["reminder 160"]);
    // It was sent before the API's clock was set back.
    expect(reminders(180)).toEqual(["reminder 120"]);
  });

  test("tell nothing of what is over, although the API's clock was ahead when it got worse", () => {
    const over = timelineOf(
      { id: 1, partner: "Procore", openedMs: at(0), ownerId: null },
      [
        opened(0),
        event(10, "left", { endpointId: "a" }),
        event(60_000, "joined", { endpointId: "b", detail: { to: "stale" } }),
        event(60_010, "joined", { endpointId: "c", detail: { to: "stale" } }),
        ended(20),
      ],
      0,
      at(110),
    );
    const rule = { ...RULE, sinceMs: at(100) };
    expect(plan([over], [rule], { untilMinutes: 110 })).toEqual([]);
    const openings = new Map([[1, at(0)]]);
    expect(summaryOf(plan([over], [rule], { untilMinutes: 110, openings }))).toContain("ended 20");
  });

  describe("in a channel that follows changes", () => {
    const joined = (minutes: number) =>
      event(minutes, "joined", { endpointId: "b", detail: { to: "late" } });
    const noted = (minutes: number, isForChannels: boolean) =>
      event(minutes, "noted", { byId: "ana", detail: { to_channels: isForChannels } });
    const happened = [
      opened(0),
      joined(10),
      onIt(10.05),
      worsened(20, "stale"),
      noted(25, false),
      noted(30, true),
      event(40, "left", { endpointId: "b" }),
      ended(50),
    ];

    test("report each of them on its own", () => {
      expect(summaryOf(plan([timeline(...happened)], [RULE], { follows: "every" }))).toEqual([
        "opened 0",
        "changed 10",
        "changed 10.05",
        "changed 20",
        "changed 30",
        "changed 40",
        "ended 50",
      ]);
    });

    test("report those of the same ten seconds together", () => {
      const planned = plan([timeline(...happened)], [RULE], { follows: "edits" });
      expect(summaryOf(planned).map((said) => said.replace(/\.\d+$/, ""))).toEqual([
        "opened 0",
        "changed 10",
        "changed 20",
        "changed 30",
        "changed 40",
        "ended 50",
      ]);
      expect(planned[1]?.key).toBe("incident:1:event:1005");
    });

    test("report what changed in quiet hours once, when they end", () => {
      const night = [opened(0), joined(130), worsened(150, "stale"), ended(300)];
      for (const follows of ["every", "edits"] as const)
        expect(
          summaryOf(plan([timeline(...night)], [{ ...RULE, quiet: NIGHT }], { follows })),
        ).toEqual(["opened 0", "changed 240", "ended 300"]);
    });

    test("leave changes that the ending already carries to it", () => {
      const late = [opened(0), joined(49.99), ended(50)];
      expect(summaryOf(plan([timeline(...late)], [RULE], { follows: "edits" }))).toEqual([
        "opened 0",
        "ended 50",
      ]);
    });

    test("report that an acknowledgement expired", () => {
      const events = [opened(0), onIt(10, 40)];
      expect(summaryOf(plan([timeline(...events)], [RULE], { follows: "every" }))).toEqual([
        "opened 0",
        "changed 10",
        "changed 40",
      ]);
    });

    test("report what people do before the next observation, unless the company is blind", () => {
      const events = [opened(0), onIt(30)];
      const given = { follows: "every", untilMinutes: 20, nowMinutes: 31 } as const;
      expect(summaryOf(plan([timeline(...events)], [RULE], given))).toEqual([
        "opened 0",
        "changed 30",
      ]);
      const blindness = {
        fromMs: at(20),
        reportedFromMs: at(25),
        untilMs: null,
        wasReported: true,
      };
      expect(
        summaryOf(plan([timeline(...events)], [RULE], { ...given, blindnesses: [blindness] })),
      ).toEqual(["opened 0", "blind 25"]);
    });

    test("skip those from before it followed them", () => {
      const followsFromMs = at(15);
      expect(
        summaryOf(plan([timeline(...happened)], [RULE], { follows: "every", followsFromMs })),
      ).toEqual(["opened 0", "changed 20", "changed 30", "changed 40", "ended 50"]);
    });
  });

  test("in a channel that doesn’t, report only the first worsening", () => {
    const events = [opened(0), worsened(10, "stale"), worsened(20, "failing"), ended(30)];
    expect(summaryOf(plan([timeline(...events)], [RULE]))).toEqual([
      "opened 0",
      "worse 10",
      "ended 30",
    ]);
  });

  test("are held in quiet hours, then summarise what is still open", () => {
    const quiet = { ...RULE, quiet: NIGHT };
    const timelines = [
      timelineOf({ id: 1, partner: "A", openedMs: at(130), ownerId: null }, [opened(130)], 0),
      timelineOf(
        { id: 2, partner: "B", openedMs: at(140), ownerId: null },
        [opened(140), ended(200)],
        0,
      ),
      timelineOf(
        { id: 3, partner: "C", openedMs: at(150), ownerId: null },
        [opened(150), ended(300)],
        0,
      ),
    ];
    expect(summaryOf(plan(timelines, [quiet]))).toEqual([
      "summary 240",
      "opened 240 among others",
      "opened 240 among others",
      "ended 300",
    ]);
  });

  test("delay an ending in quiet hours until they end", () => {
    const planned = plan([timeline(opened(0), ended(130))], [{ ...RULE, quiet: NIGHT }]);
    expect(summaryOf(planned)).toEqual(["opened 0", "ended 240"]);
  });

  test("of a new rule summarise open incidents and skip those that have ended", () => {
    const over = timelineOf(
      { id: 2, partner: "B", openedMs: at(0), ownerId: null },
      [opened(0), ended(50)],
      0,
    );
    const planned = plan([timeline(opened(0)), over], [{ ...RULE, sinceMs: at(60) }]);
    expect(summaryOf(planned)).toEqual(["summary 60", "opened 60 among others"]);
  });

  test("report the ending of an opened incident even if no rule is left", () => {
    const planned = plan([timeline(opened(0), worsened(5, "failing"), ended(70))], [], {
      openings: new Map([[1, at(0)]]),
    });
    expect(summaryOf(planned)).toEqual(["opened 0", "ended 70"]);
  });

  test("cover only incidents of a company's owner where the rule says so", () => {
    const mine = { ...RULE, onlyFor: "ana" };
    expect(plan([timeline(opened(0))], [mine])).toEqual([]);
    const handed = event(20, "owned", {
      byId: "ben",
      detail: { owner: { id: "ana", name: "Ana" }, previous_owner: null },
    });
    expect(summaryOf(plan([timeline(opened(0), handed)], [mine]))).toEqual(["opened 20"]);
    expect(summaryOf(plan([timeline(opened(0), onIt(20))], [mine]))).toEqual(["opened 20"]);
  });

  describe("limited to one person", () => {
    const mine = { ...RULE, onlyFor: "ana" };
    const bens = event(1, "owned", {
      byId: "ben",
      detail: { owner: { id: "ben", name: "Ben" }, previous_owner: null },
    });

    test("covers every incident of a company the person owns, including those that a colleague owns", () => {
      const care = { ...NO_CARE, ownerId: "ana" };
      expect(summaryOf(plan([timeline(opened(0), bens, ended(70))], [mine], { care }))).toEqual([
        "opened 0",
        "ended 70",
      ]);
    });

    test("summarizes open incidents when the person becomes the owner, without those that ended before", () => {
      const care = { ...NO_CARE, ownerId: "ana", ownerSinceMs: at(30) };
      const open = timeline(opened(0), bens, ended(70));
      expect(summaryOf(plan([open], [mine], { care }))).toEqual([
        "summary 30",
        "opened 30 among others",
        "ended 70",
      ]);
      expect(plan([timeline(opened(0), bens, ended(20))], [mine], { care })).toEqual([]);
      expect(summaryOf(plan([timeline(opened(40), ended(70))], [mine], { care }))).toEqual([
        "opened 40",
        "ended 70",
      ]);
    });

    test("covers incidents of a company while the person is its stand-in", () => {
      const care = {
        ...NO_CARE,
        ownerId: "ben",
        standIns: [{ id: "ana", fromMs: at(30), untilMs: at(60) }],
      };
      expect(summaryOf(plan([timeline(opened(0), ended(70))], [mine], { care }))).toEqual([
        "summary 30",
        "opened 30 among others",
        "ended 70",
      ]);
      expect(summaryOf(plan([timeline(opened(30), ended(70))], [mine], { care }))).toEqual([
        "opened 30",
        "ended 70",
      ]);
      expect(plan([timeline(opened(60), ended(70))], [mine], { care })).toEqual([]);
    });

    test("doesn’t affect rules without that limit", () => {
      const care = { ...NO_CARE, ownerId: "ana", ownerSinceMs: at(30) };
      const events = [opened(0), worsened(40, "stale"), ended(70)];
      expect(plan([timeline(...events)], [RULE], { care })).toEqual(
        plan([timeline(...events)], [RULE]),
      );
    });
  });
});

describe("while the company is blind", () => {
  const blindness = {
    fromMs: at(10),
    reportedFromMs: at(15),
    untilMs: at(120),
    wasReported: false,
  };

  test("reports blindness, then recovery with the incidents that started meanwhile", () => {
    const began = timelineOf(
      { id: 2, partner: "B", openedMs: at(120), ownerId: null },
      [
        event(120, "seen_again", {
          detail: { changes: [{ kind: "opened", endpointId: "b", to: "stale" }] },
        }),
      ],
      0,
    );
    expect(
      summaryOf(plan([timeline(opened(0)), began], [RULE], { blindnesses: [blindness] })),
    ).toEqual(["opened 0", "blind 15", "seen_again 120", "opened 120 among others"]);
  });

  test("sends nothing else, not even reminders", () => {
    const rule = { ...RULE, after_minutes: 30, remind_every_minutes: 30 };
    const planned = plan([timeline(opened(0))], [rule], {
      blindnesses: [blindness],
      untilMinutes: 140,
    });
    expect(summaryOf(planned)).toEqual(["blind 15", "seen_again 120", "opened 120 among others"]);
  });

  test("reports blindness before it is over", () => {
    const open = { ...blindness, untilMs: null };
    expect(summaryOf(plan([], [RULE], { blindnesses: [open] }))).toEqual(["blind 15"]);
  });

  test("uses one key for a company that was never seen, whenever polling started", () => {
    for (const triedFrom of [0, 10]) {
      const never = neverSeen({
        triedFromMs: at(triedFrom),
        firstSeenMs: at(120),
        blindAfterMs: 5 * MINUTE_MS,
        nowMs: at(140),
      });
      const planned = plan([], [RULE], { blindnesses: never === null ? [] : [never] });
      expect(summaryOf(planned)).toEqual([`blind ${triedFrom + 5}`, "seen_again 120"]);
      expect(planned.map(({ key }) => key)).toEqual(["blind:never", "seen_again:never"]);
    }
  });

  test("reports a company that was never seen once the delay has passed on either clock, and closes it at the first snapshot", () => {
    const minutes = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(fc.option(minutes), fc.option(minutes), minutes, (tried, firstSeen, now) => {
        const never = neverSeen({
          triedFromMs: tried === null ? null : at(tried),
          firstSeenMs: firstSeen === null ? null : at(firstSeen),
          blindAfterMs: 5 * MINUTE_MS,
          nowMs: at(now),
        });
        const lasted = tried === null ? 0 : (firstSeen ?? now) - tried;
        expect(never !== null).toBe(lasted > 5 || (firstSeen === null && lasted < -5));
        if (never === null) return;
        expect(never).toMatchObject({ fromMs: null, wasReported: false });
        expect(never.untilMs).toBe(firstSeen === null ? null : at(firstSeen));
        expect(never.reportedFromMs).toBeLessThanOrEqual(at(firstSeen ?? now));
      }),
      { numRuns: 500 },
    );
  });

  test("sends nothing to destinations whose rules don't cover it", () => {
    const elsewhere = { ...RULE, companies: ["harbour"] };
    expect(plan([timeline(opened(0))], [elsewhere], { blindnesses: [blindness] })).toEqual([]);
  });

  describe("a rule limited to a person's own incidents", () => {
    const mine = { ...RULE, onlyFor: "ana" };
    const blindnesses = [blindness];
    const standIn = (from: number, until: number, id = "ana") => ({
      care: {
        ...NO_CARE,
        ownerId: "ben",
        standIns: [{ id, fromMs: at(from), untilMs: at(until) }],
      },
    });

    test("covers companies that the person owns", () => {
      const care = { ...standIn(0, 60, "ben").care, ownerId: "ana" };
      expect(summaryOf(plan([], [mine], { blindnesses, care }))).toEqual([
        "blind 15",
        "seen_again 120",
      ]);
    });

    test("skips companies that have another owner or none", () => {
      for (const ownerId of ["ben", null])
        expect(plan([], [mine], { blindnesses, care: { ...NO_CARE, ownerId } })).toEqual([]);
    });

    test("covers a company from when the person becomes its owner", () => {
      const care = { ...NO_CARE, ownerId: "ana", ownerSinceMs: at(40) };
      expect(summaryOf(plan([], [mine], { blindnesses, care }))).toEqual([
        "blind 40",
        "seen_again 120",
      ]);
      expect(plan([], [mine], { blindnesses, care: { ...care, ownerSinceMs: at(120) } })).toEqual(
        [],
      );
    });

    test("covers a company while the person is its stand-in", () => {
      expect(summaryOf(plan([], [mine], { blindnesses, ...standIn(0, 60) }))).toEqual([
        "blind 15",
        "seen_again 120",
      ]);
      expect(summaryOf(plan([], [mine], { blindnesses, ...standIn(40, 60) }))).toEqual([
        "blind 40",
        "seen_again 120",
      ]);
      for (const [from, until] of [
        [-60, 15],
        [120, 180],
      ] as const)
        expect(plan([], [mine], { blindnesses, ...standIn(from, until) })).toEqual([]);
    });

    test("reports recovery from blindness that was reported, even if the owner has changed", () => {
      const wasReported = [{ ...blindness, wasReported: true }];
      expect(summaryOf(plan([], [mine], { blindnesses: wasReported }))).toEqual([
        "blind 15",
        "seen_again 120",
      ]);
    });

    test("covers the person's own incident that started meanwhile, even in a company that isn't theirs", () => {
      const began = timelineOf(
        { id: 2, partner: "B", openedMs: at(120), ownerId: "ana" },
        [
          event(120, "seen_again", {
            detail: { changes: [{ kind: "opened", endpointId: "b", to: "stale" }] },
          }),
        ],
        0,
      );
      expect(summaryOf(plan([began], [mine], { blindnesses }))).toEqual(["opened 120"]);
    });
  });
});

describe("for any history", () => {
  const trouble = fc.constantFrom(...TROUBLES);
  const minutes = fc.integer({ min: 1, max: 120 });
  const happening = fc.oneof(
    trouble.map((to) => ({ kind: "worsened", to })),
    fc.constantFrom({ kind: "left" }, { kind: "acknowledged" }, { kind: "unacknowledged" }),
    trouble.map((to) => ({ kind: "flapped", to })),
  );
  const history = fc
    .record({
      first: trouble,
      events: fc.array(fc.tuple(minutes, happening), { maxLength: 12 }),
      endsAfter: fc.option(minutes),
    })
    .map(({ first, events, endsAfter }) => {
      let now = 0;
      const recorded = [opened(0, first)];
      for (const [after, { kind, ...detail }] of events) {
        now += after;
        const isPersons = kind.endsWith("acknowledged");
        recorded.push(
          event(now, kind, { endpointId: "a", byId: isPersons ? "ana" : null, detail }),
        );
      }
      if (endsAfter !== null) recorded.push(ended(now + endsAfter));
      return { timeline: timeline(...recorded), isEnded: endsAfter !== null };
    });
  const rule = fc
    .record({
      from_verdict: trouble,
      after_minutes: fc.constantFrom(0, 5, 30),
      unacknowledged_only: fc.boolean(),
      remind_every_minutes: fc.constantFrom(null, 15, 60),
      quiet: fc.constantFrom(null, NIGHT),
      since: fc.constantFrom(-Infinity, 40),
    })
    .map(({ since, ...given }) => ({ ...RULE, ...given, sinceMs: START_MS + since * MINUTE_MS }));
  const rules = fc.array(rule, { minLength: 1, maxLength: 3 });
  const follows = fc.constantFrom<Follows>("every", "edits", "worse");

  test("sends one ending per opening, after the incident is over, and nothing after it", () => {
    fc.assert(
      fc.property(history, rules, follows, ({ timeline: one, isEnded }, given, how) => {
        const kinds = plan([one], given, { untilMinutes: 5_000, follows: how }).filter(
          ({ tells }) => tells !== "summary",
        );
        const tells = kinds.map((planned) => planned.tells);
        expect(tells.filter((word) => word === "opened").length).toBe(tells.length === 0 ? 0 : 1);
        if (tells.length === 0) return;
        expect(tells[0]).toBe("opened");
        expect(tells.filter((word) => word === "ended").length).toBe(isEnded ? 1 : 0);
        if (isEnded) expect(tells.at(-1)).toBe("ended");
      }),
      { numRuns: 1_000 },
    );
  });

  test("plans the same messages in many small steps as in one, however sent messages are remembered", () => {
    fc.assert(
      fc.property(history, rules, follows, ({ timeline: one }, given, how) => {
        const whole = plan([one], given, { untilMinutes: 2_000, follows: how });
        const bit = new Map<string, Planned>();
        const openings = new Map<number, number>();
        for (let minute = 0; minute <= 2_000; minute += 95) {
          const untilMs = at(Math.min(minute, 2_000));
          // What hasn't happened yet is unknown.
          const known = {
            ...one,
            phases: one.phases.filter(({ fromMs }) => fromMs <= untilMs),
            moments: one.moments.filter(({ atMs }) => atMs <= untilMs),
          };
          const upTo = { untilMinutes: minute, openings, follows: how };
          for (const planned of plan([known], given, upTo)) {
            if (!bit.has(planned.key)) bit.set(planned.key, planned);
            if (planned.tells === "opened")
              openings.set(planned.timeline.incidentId, planned.dueMs);
          }
        }
        const last = at(1_995);
        const keys = (all: Iterable<Planned>) =>
          [...all]
            .filter(({ dueMs }) => dueMs <= last)
            .map(({ key }) => key)
            .toSorted();
        expect(keys(bit.values())).toEqual(keys(whole));
      }),
      { numRuns: 500 },
    );
  });

  test("tells every change of an opened incident, edits at most once in ten seconds, and has one key for each", () => {
    fc.assert(
      fc.property(history, rules, fc.constantFrom<Follows>("every", "edits"), (one, given, how) => {
        const { timeline: incident } = one;
        const planned = plan([incident], given, { untilMinutes: 5_000, follows: how });
        const told = planned.filter(({ tells }) => tells !== "summary" && tells !== "reminder");
        expect(new Set(planned.map(({ key }) => key)).size).toBe(planned.length);
        const [first] = told;
        if (first === undefined) return;
        const lastMs = Math.max(...told.map(({ dueMs }) => dueMs));
        for (const { atMs } of incident.moments) {
          // At the end of quiet hours at the latest.
          const by = told.find(({ dueMs }) => atMs <= dueMs);
          if (atMs > first.dueMs && one.isEnded) expect(by).toBeDefined();
          if (atMs > first.dueMs && !one.isEnded) expect(lastMs).toBeGreaterThanOrEqual(atMs);
        }
        const edits = told.filter(({ tells }) => tells === "changed").map(({ dueMs }) => dueMs);
        if (how === "edits")
          expect(edits.every((ms, index) => ms - (edits[index - 1] ?? -Infinity) >= 10_000)).toBe(
            true,
          );
      }),
      { numRuns: 500 },
    );
  });

  test("reports a worsening only if it is worse than everything sent before", () => {
    fc.assert(
      fc.property(history, rules, ({ timeline: one }, given) => {
        const verdicts = plan([one], given, { untilMinutes: 5_000 }).flatMap((planned) =>
          (planned.tells === "opened" || planned.tells === "worse") &&
          planned.phase.verdict !== null
            ? [planned.phase.verdict]
            : [],
        );
        expect(verdicts).toEqual([...new Set(verdicts)].toSorted(compareTroubles));
      }),
      { numRuns: 500 },
    );
  });
});
