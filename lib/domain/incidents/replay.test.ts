import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failingSinceMs, isDecisive } from "@/lib/domain/known";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { quietWithin, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { concerns } from "@/lib/domain/quiet/concerns";
import { isTrouble, NO_INCIDENTS, type EndedIncident } from "./incident";
import type { PastPeriod, RecordedLanding, RecordedPast } from "./past-endpoint";
import { replay, type IncidentsReplay } from "./replay";
import { INCIDENT_SETTINGS } from "./settings-fixture";
import { step, type IncidentEvent, type ObservedEndpoint } from "./step";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-11-19T12:00:00Z");
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;
/** 2.5 polls of one minute. */
const SEEN_WITHIN_MS = 2.5 * MINUTE_MS;

type Outcome = { state: IncidentsReplay["state"]; ended: EndedIncident[]; events: IncidentEvent[] };

/** Replays the record in periods that are cut at the given minutes; the state goes through JSON, as after a restart. */
function replayed(
  record: {
    endpoints: readonly RecordedPast[];
    gaps: PastPeriod["gaps"];
    quiet?: PastPeriod["quiet"];
  },
  cuts: readonly number[],
  seenWithinMs = SEEN_WITHIN_MS,
): Outcome {
  let outcome: Outcome = { state: NO_INCIDENTS, ended: [], events: [] };
  const ends = [...new Set(cuts)].toSorted((a, b) => a - b).map(at);
  let fromMs = START_MS - MINUTE_MS;
  for (const untilMs of ends) {
    const after = replay(
      JSON.parse(JSON.stringify(outcome.state)) as Outcome["state"],
      {
        fromMs,
        untilMs,
        gaps: record.gaps,
        quiet: record.quiet ?? [],
        seenWithinMs,
        endpoints: record.endpoints.map((own) => ({
          ...own,
          before: own.changes.findLast((change) => change.atMs < fromMs) ?? null,
          changes: own.changes.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs),
        })),
      },
      INCIDENT_SETTINGS,
    );
    outcome = {
      state: after.state,
      ended: [...outcome.ended, ...after.ended],
      events: [...outcome.events, ...after.events],
    };
    fromMs = untilMs;
  }
  return outcome;
}

const endpoint = (given: Partial<RecordedPast>): RecordedPast => ({
  id: "1",
  key: "rfis",
  partner: "Procore",
  frequencyMinutes: null,
  typicalSeconds: null,
  before: null,
  changes: [],
  landings: [],
  runs: [],
  ...given,
});
const changes = (...given: readonly [minute: number, verdict: Verdict | null][]) =>
  given.map(([minute, verdict]) => ({ atMs: at(minute), verdict, isRescheduled: false }));
/** Data that was received at some minutes, without when it was seen. */
const landed = (...minutes: readonly number[]): RecordedLanding[] =>
  minutes.map((minute) => ({ atMs: at(minute), seenMs: null }));
const ran = (status: string | null, minute: number) => ({
  status,
  startedMs: at(minute - 1),
  finishedMs: at(minute),
});
const summaryOf = ({ events }: Outcome) =>
  events.map(({ kind, atMs }) => `${kind} ${(atMs - START_MS) / MINUTE_MS}`);

describe("replay of the record", () => {
  test("opens when an endpoint was late for long enough, and ends when it was healthy for long enough", () => {
    const own = endpoint({
      changes: changes([0, "fresh"], [10, "late"], [40, "fresh"]),
      landings: landed(-60, 39.6),
    });
    const after = replayed({ endpoints: [own], gaps: [] }, [120]);
    expect(summaryOf(after)).toEqual(["opened 25", "left 40", "ended 50"]);
    expect(after.ended).toMatchObject([
      { beganMs: at(10), openedMs: at(25), endedMs: at(39.6), ending: "recovered" },
    ]);
  });

  test("dates an overdue endpoint by its cadence if that fits the checks", () => {
    const late = endpoint({
      frequencyMinutes: 60,
      changes: changes([0, "fresh"], [17, "late"], [40, "fresh"]),
      landings: landed(-58.5, 39.6),
    });
    expect(replayed({ endpoints: [late], gaps: [] }, [120]).ended).toMatchObject([
      { beganMs: at(16.5) },
    ]);
    const changed = { ...late, frequencyMinutes: 30 };
    expect(replayed({ endpoints: [changed], gaps: [] }, [120]).ended).toMatchObject([
      { beganMs: at(17) },
    ]);
  });

  test("dates a failure from the end of the first failed run, and ends it with a completed one", () => {
    const own = endpoint({
      changes: changes([0, "fresh"], [10, "failing"], [20, "fresh"]),
      landings: landed(-1),
      runs: [ran("completed", 20), ran("failed", 10), ran("failed", 4), ran("completed", -1)],
    });
    expect(replayed({ endpoints: [own], gaps: [] }, [120]).ended).toMatchObject([
      { beganMs: at(4), members: [{ ending: "run_completed", endedMs: at(20) }] },
    ]);
  });

  test("ignores trouble whose start isn't recorded", () => {
    const own = endpoint({ changes: changes([30, "fresh"], [90, "due"]) });
    const cut = { ...own, before: { atMs: at(-500), verdict: null } };
    expect(replayed({ endpoints: [own, { ...cut, id: "2" }], gaps: [] }, [120]).events).toEqual([]);
  });

  test("reports nothing during a gap, then everything at its end", () => {
    const own = endpoint({
      changes: changes([0, "fresh"], [10, "stale"], [60, "fresh"]),
      landings: landed(-60, 31),
    });
    const after = replayed(
      { endpoints: [own], gaps: [{ fromMs: at(20), untilMs: at(60) }] },
      [200],
    );
    expect(summaryOf(after)).toEqual(["opened 10", "blind 20", "seen_again 60", "ended 70"]);
  });

  test("ends trouble with data reported late, even if received before the trouble started", () => {
    const own = endpoint({
      changes: changes([0, "fresh"], [10, "stale"], [60, "fresh"]),
      landings: [
        { atMs: at(-60), seenMs: at(-59) },
        { atMs: at(5), seenMs: at(60) },
      ],
    });
    const after = replayed({ endpoints: [own], gaps: [] }, [200]);
    expect(after.ended).toMatchObject([
      { ending: "recovered", members: [{ ending: "data_received", receivedMs: at(5) }] },
    ]);
    expect(after.events).toContainEqual({
      incidentId: 1,
      partner: "Procore",
      atMs: at(60),
      kind: "left",
      endpointId: "1",
      ending: "data_received",
      receivedMs: at(5),
    });
    expect(replayed({ endpoints: [own], gaps: [] }, [30, 200])).toEqual(after);
    // Without when it was seen, the check that found the trouble can have shown it.
    const unknown = { ...own, landings: landed(-60, 5) };
    expect(replayed({ endpoints: [unknown], gaps: [] }, [200]).ended).toMatchObject([
      { ending: "eased" },
    ]);
  });

  test("doesn't end trouble with data that was already there during it", () => {
    const own = endpoint({
      changes: changes([0, "fresh"], [10, "stale"], [60, "paused"]),
      landings: landed(-60, 31),
    });
    expect(replayed({ endpoints: [own], gaps: [] }, [200]).ended).toMatchObject([
      { ending: "paused" },
    ]);
    const lately = { ...own, landings: landed(-60, 59) };
    expect(replayed({ endpoints: [lately], gaps: [] }, [200]).ended).toMatchObject([
      { ending: "recovered" },
    ]);
  });
});

const quietOnce = (from: number, until: number, given: Partial<PlannedQuiet> = {}) => ({
  partner: null,
  endpointId: null,
  fromMs: at(from),
  untilMs: at(until),
  weekly: null,
  endedMs: null,
  ...given,
});

describe("past planned quiet times", () => {
  const own = endpoint({
    changes: changes([0, "fresh"], [10, "failing"], [150, "fresh"]),
    landings: landed(-60, 149),
  });

  test("end an incident when they start, and open another one at their end if the trouble persists", () => {
    const record = { endpoints: [own], gaps: [], quiet: [quietOnce(30, 90)] };
    const after = replayed(record, [200]);
    expect(summaryOf(after)).toEqual([
      "opened 10",
      "left 30",
      "ended 40",
      "opened 90",
      "left 150",
      "ended 160",
    ]);
    expect(after.ended.map(({ ending, beganMs }) => [ending, beganMs])).toEqual([
      ["expected", at(10)],
      // It was never healthy.
      ["recovered", at(10)],
    ]);
    expect(replayed(record, [20, 60, 90, 155, 200])).toEqual(after);
  });

  test("that started in a gap take effect at its end", () => {
    const gaps = [{ fromMs: at(25), untilMs: at(50) }];
    const after = replayed({ endpoints: [own], gaps, quiet: [quietOnce(30, 90)] }, [100]);
    expect(summaryOf(after)).toEqual([
      "opened 10",
      "blind 25",
      "seen_again 50",
      "ended 60",
      "opened 90",
    ]);
    expect(after.ended).toMatchObject([{ ending: "expected", endedMs: at(50) }]);
  });

  test("hide no completed run: an unseen new failure is dated from its own start, whatever the verdict when they end", () => {
    const failed = {
      ...own,
      landings: landed(-60),
      changes: changes([3, "failing"], [32, "stale"]),
      runs: [ran("failed", 29), ran("completed", 26), ran("failed", 3)],
    };
    const gaps = [{ fromMs: at(25), untilMs: at(29) }];
    for (const [from, until] of [
      [0, 32],
      [0, 40],
      [30, 60],
      [32, 60],
    ] as const) {
      const record = { endpoints: [failed], gaps, quiet: [quietOnce(from, until)] };
      const after = replayed(record, [until + 9]);
      expect(after.state.open.at(-1)?.members).toMatchObject([
        { verdict: "stale", beganMs: at(29), joinedMs: at(until) },
      ]);
      expect(replayed(record, [28, 30, until, until + 9])).toEqual(after);
    }
    // Seen by the check that found it, not by the one before.
    const unseen = { ...failed, changes: changes([3, "failing"], [29, "stale"]) };
    const record = { endpoints: [unseen], gaps, quiet: [quietOnce(0, 40)] };
    expect(replayed(record, [49]).state.open[0]?.members).toMatchObject([{ beganMs: at(3) }]);
  });

  test("change nothing if they concern another partner or endpoint, are over, or haven't started", () => {
    const quiet = [
      quietOnce(0, 200, { partner: "Kahua" }),
      quietOnce(0, 200, { endpointId: "2" }),
      quietOnce(0, 200, { endedMs: at(5) }),
      quietOnce(170, 200),
    ];
    expect(replayed({ endpoints: [own], gaps: [], quiet }, [200]).ended).toEqual(
      replayed({ endpoints: [own], gaps: [] }, [200]).ended,
    );
  });
});

describe("for any record", { timeout: 60_000 }, () => {
  const change = fc.record({
    afterMinutes: fc.integer({ min: 3, max: 25 }),
    verdict: fc.constantFrom<Verdict | null>(
      ...VERDICTS,
      null,
      "failing",
      "late",
      "stale",
      "fresh",
      "fresh",
    ),
    lands: fc.boolean(),
    reportedAfterMinutes: fc.constantFrom(0, 0, 0, 4, 20, 45),
    outcome: fc.constantFrom(
      "completed",
      "completed",
      "failed",
      "rate_limited",
      "rate_limited",
      null,
    ),
    isRescheduled: fc.boolean(),
  });
  const history = fc.record({
    lives: fc.array(fc.array(change, { maxLength: 16 }), { minLength: 1, maxLength: 4 }),
    blind: fc.array(
      fc.record({
        afterMinutes: fc.integer({ min: 0, max: 60 }),
        minutes: fc.integer({ min: 3, max: 40 }),
      }),
      { maxLength: 5 },
    ),
    cuts: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 8 }),
    quiet: fc.array(
      fc.record({
        from: fc.integer({ min: -20, max: 200 }),
        minutes: fc.integer({ min: 1, max: 90 }),
        endedAfter: fc.option(fc.integer({ min: 0, max: 60 })),
        isWeekly: fc.boolean(),
        of: fc.constantFrom({}, { partner: "Procore" }, { partner: "Kahua" }, { endpointId: "1" }),
      }),
      { maxLength: 4 },
    ),
  });
  const clockAt = (minute: number) => new Date(at(minute)).toISOString().slice(11, 16);
  /** Weekly ones have no end. */
  const plannedOf = (quiet: readonly GivenQuiet[]): PlannedQuiet[] =>
    quiet.map(({ from, minutes, endedAfter, isWeekly, of }) =>
      quietOnce(isWeekly ? -60 : from, from + minutes, {
        ...of,
        endedMs: endedAfter === null ? null : at(from + endedAfter),
        ...(isWeekly && {
          untilMs: null,
          weekly: {
            days: WEEKDAYS,
            from: clockAt(from),
            until: clockAt(from + minutes),
            timeZone: "UTC",
          },
        }),
      }),
    );
  const LAST = 200;
  const lastRunOf = (runs: readonly ReturnType<typeof ran>[]) => {
    const last = runs.find(({ status }) => isDecisive(status));
    return last === undefined
      ? null
      : { status: last.status ?? "", startedMs: last.startedMs, endedMs: last.finishedMs };
  };

  /** One check per minute outside gaps. Returns the live incidents and the record that remains. */
  function lived(
    {
      lives,
      blind,
      quiet: givenQuiet,
    }: {
      lives: readonly (readonly Change[])[];
      blind: readonly Blind[];
      quiet: readonly GivenQuiet[];
    },
    {
      /** The record says when data was seen, which may be late. */
      isSeenRecorded = false,
      /** Data arrives only with another verdict, because the record doesn't say when other data was seen. */
      isDated = false,
    } = {},
  ) {
    const quiet = plannedOf(givenQuiet);
    const quietTimes = quiet.map((planned) => ({
      planned,
      periods: quietWithin(planned, { fromMs: at(-60), untilMs: at(LAST + 60) }),
    }));
    let fromMinute = 0;
    const gaps = blind.map(({ afterMinutes, minutes }) => {
      const from = fromMinute + afterMinutes;
      fromMinute = from + minutes;
      return { from, until: fromMinute };
    });
    const records = lives.map((life, index) => {
      let minute = 0;
      return {
        own: { id: String(index), key: `key ${index}`, partner: index < 3 ? "Procore" : "Kahua" },
        todo: life.map(({ afterMinutes, ...rest }) => ({
          ...rest,
          minute: (minute += afterMinutes),
        })),
        changes: [] as { atMs: number; verdict: Verdict | null; isRescheduled: boolean }[],
        landings: landed(-60),
        runs: [] as ReturnType<typeof ran>[],
        shown: null as ObservedEndpoint | null,
        held: null as Verdict | null,
      };
    });
    let live: Outcome = { state: NO_INCIDENTS, ended: [], events: [] };
    for (let minute = 0; minute < LAST; minute += 1) {
      if (gaps.some(({ from, until }) => from < minute && minute < until)) continue;
      const gap = gaps.find(({ until }) => until === minute) ?? null;
      for (const one of records) {
        let hasCome = false;
        let landedAtMs: number | null = null;
        let isRescheduled = false;
        while ((one.todo[0]?.minute ?? Infinity) <= minute) {
          const [next] = one.todo.splice(0, 1);
          if (next === undefined) break;
          hasCome = true;
          one.held = next.verdict;
          const lateBy = isSeenRecorded ? next.reportedAfterMinutes : 0;
          if (next.lands) landedAtMs = Math.max(landedAtMs ?? 0, at(next.minute - lateBy));
          ({ isRescheduled } = next);
          // A failing endpoint's last run failed, unless it was rate limited.
          const isFailure =
            next.verdict === "failing" &&
            (next.outcome === "completed" || lastRunOf(one.runs)?.status !== "failed");
          one.runs.unshift(ran(isFailure ? "failed" : next.outcome, next.minute));
        }
        if (!hasCome) continue;
        const before = one.shown;
        const now = one.held;
        const isOther = now !== (before?.verdict ?? null);
        if (isOther) one.changes.push({ atMs: at(minute), verdict: now, isRescheduled });
        const latestMs = one.landings.at(-1)?.atMs ?? null;
        if (landedAtMs !== null && landedAtMs > (latestMs ?? 0) && (isOther || !isDated))
          one.landings.push({ atMs: landedAtMs, seenMs: isSeenRecorded ? at(minute) : null });
        const landedMs = one.landings.at(-1)?.atMs ?? null;
        const failedMs = now === "failing" ? failingSinceMs(one.runs) : null;
        const goesOn = before !== null && isTrouble(before.verdict) && landedMs === before.landedMs;
        one.shown =
          now === null
            ? null
            : {
                ...one.own,
                verdict: now,
                troubleBeganMs: !isTrouble(now)
                  ? null
                  : goesOn && now !== "failing"
                    ? before.troubleBeganMs
                    : Math.min(at(minute), failedMs ?? Infinity),
                landedMs,
                lastRun: lastRunOf(one.runs),
                isRescheduled,
                isQuiet: false,
              };
      }
      const after = step(
        live.state,
        {
          atMs: at(minute),
          gap: gap === null ? null : { fromMs: at(gap.from), untilMs: at(gap.until) },
          endpoints: records.flatMap(({ shown }) => {
            const isQuiet = quietTimes.some(
              ({ planned, periods }) =>
                shown !== null &&
                concerns(planned, shown) &&
                periods.some((one) => one.fromMs <= at(minute) && at(minute) < one.untilMs),
            );
            return shown === null ? [] : [{ ...shown, isQuiet }];
          }),
        },
        INCIDENT_SETTINGS,
      );
      live = {
        state: after.state,
        ended: [...live.ended, ...after.ended],
        events: [...live.events, ...after.events],
      };
    }
    return {
      live,
      record: {
        quiet,
        endpoints: records.map(({ own, changes: found, landings, runs }) =>
          endpoint({ ...own, changes: found, landings, runs }),
        ),
        // The check at the end of the replayed period records the gap that it ended.
        gaps: gaps
          .filter(({ from }) => from < LAST)
          .map(({ from, until }) => ({ fromMs: at(from), untilMs: at(Math.min(until, LAST)) })),
      },
    };
  }
  type Change = {
    afterMinutes: number;
    verdict: Verdict | null;
    lands: boolean;
    reportedAfterMinutes: number;
    outcome: string | null;
    isRescheduled: boolean;
  };
  type GivenQuiet = {
    from: number;
    minutes: number;
    endedAfter: number | null;
    isWeekly: boolean;
    of: Partial<PlannedQuiet>;
  };
  type Blind = { afterMinutes: number; minutes: number };

  const story = ({ ended, events }: Outcome) => ({
    ended: ended.map((incident) => ({
      ...incident,
      members: incident.members.map((m) => m.endpointId),
    })),
    events,
  });

  test.each([
    ["with data reported late", { isSeenRecorded: true }],
    ["without recorded times of seeing data", { isDated: true }],
  ])("reproduces the incidents that were found live, %s", (_, options) => {
    fc.assert(
      fc.property(history, (given) => {
        const { live, record } = lived(given, options);
        const again = replayed(record, [LAST]);
        expect(story(again)).toEqual(story(live));
        // The calm time counts from the last check, which isn't recorded.
        const open = ({ state }: Outcome) =>
          state.open.map((incident) => ({
            ...incident,
            calmMs: incident.calmMs === null ? null : 0,
          }));
        expect(open(again)).toEqual(open(live));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["with data reported late", true],
    ["without recorded times of seeing data", false],
  ])(
    "gives the same result however the record is cut and wherever the replay is interrupted, %s",
    (_, isSeenRecorded) => {
      fc.assert(
        fc.property(history, (given) => {
          const { record } = lived(given, { isSeenRecorded });
          const whole = replayed(record, [LAST]);
          expect(replayed(record, [...given.cuts, LAST])).toEqual(whole);
        }),
        { numRuns: 500 },
      );
    },
  );

  test.each([
    ["with data reported late", true],
    ["without recorded times of seeing data", false],
  ])(
    "calls nothing recovered without data or a completed run since it started, %s",
    (_, isSeenRecorded) => {
      fc.assert(
        fc.property(history, (given) => {
          const { record } = lived(given, { isSeenRecorded });
          const unproven = replayed(record, [LAST])
            .ended.flatMap(({ members }) => members)
            .filter(({ endpointId, beganMs, ending }) => {
              const own = record.endpoints.find(({ id }) => id === endpointId);
              if (ending === "data_received")
                return !own?.landings.some(({ atMs, seenMs }) => (seenMs ?? atMs) > beganMs);
              if (ending !== "run_completed") return false;
              return !own?.runs.some(
                ({ status, startedMs }) => status === "completed" && startedMs >= beganMs,
              );
            });
          expect(unproven).toEqual([]);
        }),
        { numRuns: 500 },
      );
    },
  );
});
