import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timelineOf, type RecordedEvent } from "@/lib/domain/delivery/incident-timeline";
import type { PlannedRule } from "@/lib/domain/delivery/rule";
import { followedBy, type Followed } from "@/lib/domain/delivery/plan";
import { EVERYTHING, quietDaily } from "@/lib/domain/delivery/rule-fixture";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { messageId, type MessageContext } from "./compose";
import { planMessages } from "./plan-messages";

const OPENED_MS = Date.parse("2026-11-19T10:00:00Z");
const RULE: PlannedRule = { ...EVERYTHING, name: "Everything", sinceMs: -Infinity, onlyFor: null };
const SKEWS = [-33, 0, 42].map((hours) => [hours, hours * HOUR_MS] as const);

/** What a destination was sent until now. */
type Sent = { ids: Set<string>; keys: string[]; followed: Followed | null };
const nothing = (): Sent => ({ ids: new Set(), keys: [], followed: null });

type Event = Partial<RecordedEvent> & Pick<RecordedEvent, "kind" | "atMs">;

/**
 * Plans the messages about an incident at an instant, and sends them.
 * @param given.events actions of people on our clock, all others on the API's
 * @param given.nowMs our clock
 * @param given.observedMs on the API's clock; default: now
 */
function send(
  sent: Sent,
  given: {
    rule?: PlannedRule;
    events: readonly Event[];
    offsetMs: number;
    nowMs: number;
    observedMs?: number;
  },
): ReturnType<typeof planMessages>["drafts"] {
  const { rule = RULE, events, offsetMs, nowMs } = given;
  const openedMs = events[0]?.atMs ?? OPENED_MS;
  const rest = { endpointId: null, byId: null, detail: {}, text: null };
  const timeline = timelineOf(
    { id: 1, partner: "Procore", openedMs, ownerId: null },
    events.map((event, index) => ({ ...rest, seq: index + 1, ...event })),
    sharedShiftMs(offsetMs),
  );
  const record = {
    observedMs: given.observedMs ?? nowMs + offsetMs,
    offsetMs,
    care: { ownerId: null, ownerSinceMs: null, standIns: [] },
    incidents: [{ timeline }],
    gaps: [],
  };
  const { drafts } = planMessages(
    {
      destination: "channel:1",
      to: "channel",
      channelId: "1",
      personId: null,
      toName: "Hook",
      rules: [rule],
      timeZone: "UTC",
      follows: "every",
      followsFromMs: -Infinity,
    },
    { company: { slug: "northgate", name: "Northgate" }, record } as unknown as MessageContext,
    {
      blindnesses: [],
      nowMs: nowMs + offsetMs,
      waitMs: 0,
      longerWaits: new Map(),
      openings: new Map(sent.keys.length === 0 ? [] : [[1, openedMs]]),
      opening: new Set(),
      carried: new Map(),
      isKnown: (id) => sent.ids.has(id),
      followed: new Map(sent.followed === null ? [] : [[1, sent.followed]]),
    },
  );
  for (const { key, dueMs } of drafts) {
    sent.ids.add(messageId("channel:1", "northgate", key));
    sent.keys.push(key);
    sent.followed = followedBy(sent.followed, { key, writtenMs: nowMs, dueMs });
  }
  return drafts;
}

const opening = (atMs: number): Event => ({
  kind: "opened",
  atMs,
  endpointId: "a",
  detail: { to: "failing" },
});

/** When the opening of an incident is due, on our clock; null: never. */
function openingDueMs(rule: PlannedRule, aheadMs: number, nowMs: number): number | null {
  const events = [opening(OPENED_MS + aheadMs)];
  const drafts = send(nothing(), { rule, events, offsetMs: aheadMs, nowMs });
  const first = drafts.find(({ key }) => key.endsWith("opened"));
  return first === undefined ? null : first.dueMs - aheadMs;
}

test.each(SKEWS)("a rule applies from when it was made, with an API clock %i h ahead", (_, ms) => {
  const rule = { ...RULE, sinceMs: OPENED_MS - MINUTE_MS };
  expect(openingDueMs(rule, ms, OPENED_MS + MINUTE_MS)).toBe(OPENED_MS);
});

test.each(SKEWS)(
  "what a rule finds open is due when it is made, with an API clock %i h ahead",
  (_, ms) => {
    const madeMs = OPENED_MS + 5 * MINUTE_MS;
    expect(openingDueMs({ ...RULE, sinceMs: madeMs }, ms, madeMs + MINUTE_MS)).toBe(madeMs);
  },
);

test.each(SKEWS)("quiet hours are those of our clock, with an API clock %i h ahead", (_, ms) => {
  const nowMs = OPENED_MS + 3 * HOUR_MS;
  const quiet = { ...RULE, quiet: quietDaily("09:00", "12:00") };
  expect(openingDueMs(quiet, ms, nowMs)).toBe(Date.parse("2026-11-19T12:00:00Z"));
  const later = { ...RULE, quiet: quietDaily("12:00", "18:00") };
  expect(openingDueMs(later, ms, nowMs)).toBe(OPENED_MS);
});

test("what was told is ended once, also when the API's clock was set back meanwhile", () => {
  const sent = nothing();
  const events = [opening(OPENED_MS)];
  send(sent, { events, offsetMs: 0, nowMs: OPENED_MS + MINUTE_MS });
  const ended = [...events, { kind: "ended", atMs: OPENED_MS - HOUR_MS }];
  for (const hours of [1, 2])
    send(sent, {
      events: ended,
      offsetMs: -2 * HOUR_MS,
      nowMs: OPENED_MS + hours * HOUR_MS,
    });
  expect(sent.keys).toEqual(["incident:1:opened", "incident:1:ended"]);
});

describe("our clock set back, to before a rule was made", () => {
  const MADE: PlannedRule = { ...RULE, sinceMs: OPENED_MS - 30 * MINUTE_MS };
  const ended = (atMs: number): Event => ({ kind: "ended", atMs });
  /** Our clock was set back by as much as the API's, which is right, is ahead of it. */
  const at = (nowMs: number, backMs: number) => ({
    rule: MADE,
    nowMs: nowMs - backMs,
    offsetMs: backMs,
  });

  test.each([5, 60, 222, 2_880])("by %i min, holds back no opening and no ending", (minutes) => {
    const sent = nothing();
    const backMs = minutes * MINUTE_MS;
    const events = [opening(OPENED_MS)];
    send(sent, { events, ...at(OPENED_MS + MINUTE_MS, backMs) });
    expect(sent.keys).toEqual(["incident:1:opened"]);
    send(sent, { events, ...at(OPENED_MS + 5 * MINUTE_MS, backMs) });
    // The clock is right again.
    send(sent, { events, ...at(OPENED_MS + 10 * MINUTE_MS, 0) });
    expect(sent.keys).toEqual(["incident:1:opened"]);
    const over = [...events, ended(OPENED_MS + 15 * MINUTE_MS)];
    send(sent, { events: over, ...at(OPENED_MS + 16 * MINUTE_MS, backMs) });
    expect(sent.keys).toEqual(["incident:1:opened", "incident:1:ended"]);
  });

  test("tells nothing again that was told before", () => {
    const sent = nothing();
    const events = [opening(OPENED_MS)];
    send(sent, { events, ...at(OPENED_MS + MINUTE_MS, 0) });
    const before = [...sent.keys];
    for (const hours of [1, 2, 3, 4])
      send(sent, { events, ...at(OPENED_MS + hours * HOUR_MS, 3.7 * HOUR_MS) });
    expect(sent.keys).toEqual(before);
  });

  test("tells nothing that was over long before", () => {
    const events = [opening(OPENED_MS - 5 * HOUR_MS), ended(OPENED_MS - 2 * HOUR_MS)];
    expect(send(nothing(), { events, ...at(OPENED_MS, 12 * HOUR_MS) })).toEqual([]);
    // Not checked since: how far the API's clock is ahead of ours isn't known yet.
    const stale = { observedMs: OPENED_MS, offsetMs: 0, nowMs: OPENED_MS - 12 * HOUR_MS };
    expect(send(nothing(), { rule: MADE, events, ...stale })).toEqual([]);
  });

  test("no opening is silent, whatever the clock shows at each check", () => {
    const jump = fc.integer({ min: -2_880, max: 2_880 });
    const given = { made: jump, ago: fc.nat({ max: 60 }), first: fc.array(jump), last: jump };
    fc.assert(
      fc.property(fc.record(given), ({ made, ago, first, last }) => {
        const sent = nothing();
        const events = [opening(OPENED_MS)];
        const rule = { ...RULE, sinceMs: OPENED_MS - (ago + made) * MINUTE_MS };
        let nowMs = OPENED_MS;
        // The last two are further apart than clocks of instances may be.
        for (const minutes of [...first, last, last]) {
          nowMs += 5 * MINUTE_MS;
          send(sent, { events, ...at(nowMs, minutes * MINUTE_MS), rule });
        }
        expect(sent.keys.filter((key) => key.endsWith(":opened"))).toEqual(["incident:1:opened"]);
      }),
    );
  });
});

describe("reminders, whatever the API's clock does", () => {
  const REMINDED: PlannedRule = { ...RULE, remind_every_minutes: 240 };
  const untilMs = OPENED_MS + 5 * HOUR_MS;
  const acknowledged: Event = {
    kind: "acknowledged",
    atMs: OPENED_MS + MINUTE_MS,
    byId: "ana",
    detail: { until: new Date(untilMs).toISOString() },
  };
  const cases = [
    ["of quiet hours", { ...REMINDED, quiet: quietDaily("12:00", "18:00") }, [], 8],
    ["of an acknowledgement", REMINDED, [acknowledged], 5],
    ["of neither", REMINDED, [], 4],
  ] as const;

  test.each(cases)("are sent once after the end %s", (_, rule, others, hours) => {
    const sent = nothing();
    const events = [opening(OPENED_MS), ...others];
    send(sent, { rule, events, offsetMs: 4_900, nowMs: OPENED_MS + 2 * MINUTE_MS });
    const dueMs = OPENED_MS + hours * HOUR_MS;
    send(sent, { rule, events, offsetMs: 4_900, nowMs: dueMs + MINUTE_MS });
    const before = [...sent.keys];
    expect(before.filter((key) => key.includes(":reminder:"))).toHaveLength(1);
    for (const [minute, offsetMs] of [5_100, 15_100, 25_100, 4_900, -5_100, -25_000].entries())
      send(sent, { rule, events, offsetMs, nowMs: dueMs + (minute + 2) * MINUTE_MS });
    expect(sent.keys).toEqual(before);
    send(sent, { rule, events, offsetMs: 0, nowMs: dueMs + 4 * HOUR_MS + MINUTE_MS });
    expect(sent.keys.slice(before.length).filter((key) => key.includes(":reminder:"))).toHaveLength(
      1,
    );
  });

  test("are not sent again when our clock is set back, which moves the end of quiet hours", () => {
    const sent = nothing();
    const [, rule] = cases[0];
    const events = [opening(OPENED_MS)];
    const dueMs = OPENED_MS + 8 * HOUR_MS;
    send(sent, { rule, events, offsetMs: 0, nowMs: OPENED_MS + MINUTE_MS });
    send(sent, { rule, events, offsetMs: 0, nowMs: dueMs + MINUTE_MS });
    const before = [...sent.keys];
    expect(before.filter((key) => key.includes(":reminder:"))).toHaveLength(1);
    const offsetMs = 36 * 24 * HOUR_MS - 20 * MINUTE_MS;
    send(sent, { rule, events, offsetMs, nowMs: dueMs + 2 * MINUTE_MS - offsetMs });
    expect(sent.keys).toEqual(before);
  });

  test("are not sent more often than every half interval", () => {
    const sent = nothing();
    const events = [opening(OPENED_MS)];
    for (let hour = 0; hour <= 20; hour += 1)
      send(sent, {
        rule: REMINDED,
        events,
        offsetMs: hour * 24 * HOUR_MS,
        nowMs: OPENED_MS + hour * HOUR_MS,
      });
    const reminders = sent.keys.filter((key) => key.includes(":reminder:"));
    expect(reminders.length).toBeGreaterThan(0);
    expect(reminders.length).toBeLessThanOrEqual(10);
  });

  test("are not sent twice within half an interval once our clock was set back, before what was sent", () => {
    const sent = nothing();
    const events = [opening(OPENED_MS)];
    const rule = { ...RULE, remind_every_minutes: 60 };
    const at = (minutes: number, { backMs, aheadMs }: { backMs: number; aheadMs: number }) => {
      const nowMs = OPENED_MS + minutes * MINUTE_MS - backMs;
      send(sent, { rule, events, offsetMs: backMs + aheadMs, nowMs });
    };
    for (const minutes of [1, 61, 121]) at(minutes, { backMs: 0, aheadMs: 0 });
    const before = sent.keys.length;
    const backMs = 4 * HOUR_MS;
    at(165, { backMs, aheadMs: 3.7 * HOUR_MS });
    expect(sent.keys).toHaveLength(before + 1);
    // The API's clock is right again, by which one is due after 180 min.
    at(182, { backMs, aheadMs: 0 });
    expect(sent.keys).toHaveLength(before + 1);
    at(242, { backMs, aheadMs: 0 });
    expect(sent.keys).toHaveLength(before + 2);
  });

  const onIt: Event = { kind: "acknowledged", atMs: OPENED_MS + 3.5 * HOUR_MS, byId: "ana" };
  const over: Event = { kind: "ended", atMs: OPENED_MS + 3.5 * HOUR_MS };

  test.each([
    ["acknowledged", onIt],
    ["over", over],
  ])("stay away from an incident that is %s once the API's clock is set", (_, what) => {
    const sent = nothing();
    const events = [opening(OPENED_MS - 45 * HOUR_MS)];
    const first = { rule: REMINDED, events, offsetMs: -45 * HOUR_MS };
    send(sent, { ...first, nowMs: OPENED_MS + MINUTE_MS });
    // With that clock one was due after 3 hours.
    const then = { rule: REMINDED, events: [...events, what], offsetMs: 0 };
    send(sent, { ...then, nowMs: OPENED_MS + 4 * HOUR_MS });
    expect(sent.keys.filter((key) => key.includes(":reminder:"))).toEqual([]);
  });
});

describe("changes, whatever the API's clock does", () => {
  const observed = (minutes: number, kind: string, aheadMs: number, more: Partial<Event> = {}) => ({
    kind,
    atMs: OPENED_MS + minutes * MINUTE_MS + aheadMs,
    endpointId: "a",
    ...more,
  });
  const incidentAt = (aheadMs: number): Event[] => [
    observed(0, "opened", aheadMs, { detail: { to: "late" } }),
    observed(5, "worsened", aheadMs, { detail: { to: "failing" } }),
    { kind: "acknowledged", atMs: OPENED_MS + 10 * MINUTE_MS, byId: "ana" },
    observed(30, "joined", aheadMs, { endpointId: "b", detail: { to: "late" } }),
    { kind: "owned", atMs: OPENED_MS + 40 * MINUTE_MS, byId: "bo" },
    observed(50, "eased", aheadMs, { detail: { to: "late" } }),
  ];

  test.each(SKEWS)("are sent in order, whatever was sent before, with one %i h ahead", (_, ms) => {
    const events = incidentAt(ms);
    const nowMs = OPENED_MS + HOUR_MS;
    // As if what people did had its place by our clock, as in earlier versions.
    const sent = nothing();
    const before = { events, offsetMs: 0, nowMs: nowMs + Math.abs(ms) };
    send(sent, before);
    const keys = [...sent.keys];
    expect(keys.at(-1)).toBe("incident:1:event:6");
    send(sent, { events, offsetMs: ms, nowMs });
    expect(sent.keys).toEqual(keys);
    const later = observed(60, "worsened", ms, { detail: { to: "failing" } });
    send(sent, { events: [...events, later], offsetMs: ms, nowMs: nowMs + MINUTE_MS });
    expect(sent.keys.slice(keys.length)).toEqual(["incident:1:event:7"]);
  });
});
