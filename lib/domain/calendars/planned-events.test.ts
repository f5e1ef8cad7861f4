import { expect, test } from "vitest";
import { deadline } from "@/lib/domain/deadlines/deadline-fixture";
import type { PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { completed } from "@/lib/domain/steps";
import type { Period } from "@/lib/domain/history";
import { plannedEvents, type PlannedTime } from "./planned-events";

const NOW_MS = Date.parse("2026-10-24T12:00:00Z");
const WITHIN = { fromMs: NOW_MS - DAY_MS, untilMs: NOW_MS + 3 * DAY_MS };
const ABOUT = { id: "1", partner: "Procore", endpointKey: null };

const quiet = (changes: Partial<PlannedQuiet>, about: { partner?: null } = {}): PlannedTime => ({
  ...ABOUT,
  ...about,
  kind: "quiet",
  changedMs: 0,
  quiet: {
    partner: "Procore",
    endpointId: null,
    fromMs: NOW_MS,
    untilMs: NOW_MS + HOUR_MS,
    weekly: null,
    endedMs: null,
    ...changes,
  },
});

const eventsOf = (
  planned: readonly PlannedTime[],
  within: Period = WITHIN,
  most = Number.POSITIVE_INFINITY,
) => completed(plannedEvents(planned, within, most));

const startsOf = (planned: readonly PlannedTime[]) =>
  eventsOf(planned).map(({ startMs, endMs }) => [iso(startMs), endMs === null ? null : iso(endMs)]);

test("has quiet times that overlap the range, whole", () => {
  expect(
    startsOf([
      quiet({ fromMs: NOW_MS - 9 * DAY_MS, untilMs: NOW_MS }),
      quiet({}),
      quiet({ fromMs: NOW_MS - 9 * DAY_MS, untilMs: NOW_MS - 8 * DAY_MS }),
    ]),
  ).toEqual([
    ["2026-10-15T12:00:00.000Z", "2026-10-24T12:00:00.000Z"],
    ["2026-10-24T12:00:00.000Z", "2026-10-24T13:00:00.000Z"],
  ]);
});

test("has the part of a quiet time before it was ended", () => {
  expect(startsOf([quiet({ endedMs: NOW_MS + HOUR_MS / 2 })])).toEqual([
    ["2026-10-24T12:00:00.000Z", "2026-10-24T12:30:00.000Z"],
  ]);
  expect(startsOf([quiet({ endedMs: NOW_MS - 1 })])).toEqual([]);
  expect(startsOf([quiet({ endedMs: NOW_MS + 900 })])).toEqual([]);
});

test("keeps weekly hours on the wall clock when the clocks change", () => {
  const weekly = { days: ["sat", "sun"], from: "22:00", until: "23:00", timeZone: "Europe/Oslo" };
  expect(startsOf([quiet({ untilMs: null, weekly } as Partial<PlannedQuiet>)])).toEqual([
    ["2026-10-24T20:00:00.000Z", "2026-10-24T21:00:00.000Z"],
    ["2026-10-25T21:00:00.000Z", "2026-10-25T22:00:00.000Z"],
  ]);
});

test("has whole weekly hours at both ends of the range", () => {
  const weekly = { days: WEEKDAYS, from: "20:00", until: "16:00", timeZone: "UTC" };
  const starts = startsOf([quiet({ fromMs: 0, untilMs: null, weekly })]);
  expect(starts).toHaveLength(5);
  expect(starts[0]).toEqual(["2026-10-22T20:00:00.000Z", "2026-10-23T16:00:00.000Z"]);
  expect(starts.at(-1)).toEqual(["2026-10-26T20:00:00.000Z", "2026-10-27T16:00:00.000Z"]);
});

test("has each day of a weekly quiet time without a pause, and no end that isn't planned", () => {
  const weekly = { days: WEEKDAYS, from: "00:00", until: "24:00", timeZone: "Europe/Oslo" };
  const always = quiet({ fromMs: NOW_MS, untilMs: null, weekly });
  expect(startsOf([always])).toEqual([
    ["2026-10-24T12:00:00.000Z", "2026-10-24T22:00:00.000Z"],
    ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["2026-10-25T23:00:00.000Z", "2026-10-26T23:00:00.000Z"],
    ["2026-10-26T23:00:00.000Z", "2026-10-27T23:00:00.000Z"],
  ]);
  const uids = (laterMs: number) =>
    eventsOf([always], { fromMs: WITHIN.fromMs + laterMs, untilMs: WITHIN.untilMs + laterMs }).map(
      ({ uid }) => uid,
    );
  expect(uids(2 * DAY_MS).slice(0, 3)).toEqual(uids(0).slice(1));
  const ended = quiet({ fromMs: NOW_MS - 30 * DAY_MS, untilMs: NOW_MS, weekly });
  expect(startsOf([ended]).at(-1)).toEqual([
    "2026-10-23T22:00:00.000Z",
    "2026-10-24T12:00:00.000Z",
  ]);
});

test("has the deadlines of a promise since it was made, up to the end of its allowance", () => {
  const made = deadline({
    by: "08:00",
    days: ["sat", "sun", "mon"],
    timeZone: "UTC",
    allowanceMinutes: 15,
    madeMs: NOW_MS,
  });
  const versions = [{ deadline: made, changedMs: NOW_MS }];
  const planned: PlannedTime = { ...ABOUT, endpointKey: "rfis", kind: "promise", versions };
  expect(startsOf([planned])).toEqual([
    ["2026-10-25T08:00:00.000Z", "2026-10-25T08:15:00.000Z"],
    ["2026-10-26T08:00:00.000Z", "2026-10-26T08:15:00.000Z"],
  ]);
  expect(eventsOf([planned])[0]).toMatchObject({
    uid: "promise-1-2026-10-25@plumbline",
    summary: "Promise: Procore / rfis",
  });
});

test("has the deadlines of a changed promise as they were when they were due", () => {
  const noonMs = NOW_MS;
  const rule = { days: ["fri", "sat", "sun"] as const, timeZone: "UTC" };
  const versions = [
    {
      deadline: deadline({ ...rule, by: "08:00", madeMs: 0, endedMs: noonMs }),
      changedMs: 1,
    },
    { deadline: deadline({ ...rule, by: "17:00", madeMs: noonMs }), changedMs: noonMs },
  ];
  const events = eventsOf([{ ...ABOUT, kind: "promise", versions }]);
  expect(events.map(({ startMs, changedMs }) => [iso(startMs), changedMs])).toEqual([
    ["2026-10-24T08:00:00.000Z", 1],
    ["2026-10-25T17:00:00.000Z", noonMs],
  ]);
});

test("names events the same whenever they are read", () => {
  const uids = (shiftMs: number) =>
    eventsOf([quiet({}), quiet({}, { partner: null })], {
      fromMs: WITHIN.fromMs + shiftMs,
      untilMs: WITHIN.untilMs + shiftMs,
    }).map(({ uid, summary }) => [uid, summary]);
  expect(uids(0)).toEqual(uids(12 * HOUR_MS));
  expect(uids(0)[1]?.[1]).toBe("Quiet time: all partners");
});

test("has the first ones, and works no later ones out where there are too many", () => {
  let looked = 0;
  const promises = Array.from({ length: 200 }, (_, at): PlannedTime => {
    const rule = deadline({
      by: `${String(at % 24).padStart(2, "0")}:00`,
      days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      timeZone: "UTC",
      madeMs: 0,
    });
    const counted = Object.defineProperty({ ...rule }, "days", {
      get() {
        looked += 1;
        return rule.days;
      },
    });
    const versions = [{ deadline: counted, changedMs: 0 }];
    return { ...ABOUT, id: String(at), kind: "promise", versions };
  });
  const long = { fromMs: NOW_MS, untilMs: NOW_MS + 120 * DAY_MS };
  const all = eventsOf(promises, long);
  const lookedForAll = looked;
  expect(all).toHaveLength(200 * 120);
  looked = 0;
  expect(eventsOf(promises, long, 500)).toEqual(all.slice(0, 501));
  expect(looked).toBeLessThan(lookedForAll / 4);
});
