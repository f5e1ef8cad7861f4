import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { isTrouble, NO_INCIDENTS, type IncidentsState } from "./incident";
import {
  step,
  toObserve,
  type Change,
  type IncidentEvent,
  type IncidentSettings,
  type ObservedEndpoint,
  type Observation,
} from "./step";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-11-19T12:00:00Z");
const SETTINGS: IncidentSettings = { opensAfterMs: 15 * MINUTE_MS, closesAfterMs: 10 * MINUTE_MS };
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

function endpoint(given: Partial<ObservedEndpoint> = {}): ObservedEndpoint {
  return {
    id: "1",
    key: "rfis",
    partner: "Procore",
    verdict: "fresh",
    troubleBeganMs: null,
    landedMs: at(-30),
    lastRun: { status: "completed", startedMs: at(-31), endedMs: at(-30) },
    isRescheduled: false,
    isQuiet: false,
    ...given,
  };
}

/** One observation per minute, each of one endpoint. */
function observe(...seen: (Partial<ObservedEndpoint> | null)[]): Observation[] {
  return seen.map((given, minute) => ({
    atMs: at(minute),
    gap: null,
    endpoints: given === null ? [] : [endpoint(given)],
  }));
}

function play(observations: readonly Observation[], settings = SETTINGS) {
  let state: IncidentsState = NO_INCIDENTS;
  const events: IncidentEvent[] = [];
  for (const observation of observations) {
    const after = step(state, observation, settings);
    state = after.state;
    events.push(...after.events);
  }
  return { state, events };
}

const summaryOf = (events: readonly IncidentEvent[]) =>
  events.map(({ kind, atMs }) => `${kind} ${(atMs - START_MS) / MINUTE_MS}`);
const late = (began = 0): Partial<ObservedEndpoint> => ({
  verdict: "late",
  troubleBeganMs: at(began),
});
const failing: Partial<ObservedEndpoint> = {
  verdict: "failing",
  troubleBeganMs: at(-5),
  landedMs: at(-30),
  lastRun: { status: "failed", startedMs: at(-6), endedMs: at(-5) },
};
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("incidents", () => {
  test("start with an endpoint that was late for long enough, dated from when it became overdue", () => {
    const { state, events } = play(observe({}, ...times(16, late(0.5))));
    expect(summaryOf(events)).toEqual(["opened 16"]);
    expect(state.open[0]).toMatchObject({ id: 1, beganMs: at(0.5), openedMs: at(16) });
  });

  test("start at once for failing and stale endpoints, and for late ones if configured", () => {
    expect(summaryOf(play(observe(failing)).events)).toEqual(["opened 0"]);
    expect(summaryOf(play(observe({ verdict: "stale" })).events)).toEqual(["opened 0"]);
    const atOnce = { ...SETTINGS, opensAfterMs: 0 };
    expect(summaryOf(play(observe(late()), atOnce).events)).toEqual(["opened 0"]);
  });

  test("don't start if data arrived in between, or from a single observation with a wrong clock", () => {
    const broken = [...times(10, late()), {}, ...times(10, late(11))];
    expect(play(observe(...broken)).events).toEqual([]);
    const landed = [...times(10, late()), ...times(10, { ...late(10), landedMs: at(9.5) })];
    expect(play(observe(...landed)).events).toEqual([]);
  });

  test.each(["constructor", "__proto__", "toString"])("accepts %s as an endpoint id", (id) => {
    const { state, events } = play(observe({ id }, ...times(5, { ...late(0.5), id })));
    expect(events).toEqual([]);
    expect(Object.entries(state.suspects)).toEqual([
      [id, { beganMs: at(0.5), observedMs: 4 * MINUTE_MS }],
    ]);
    const { events: later } = play(observe({ id }, ...times(16, { ...late(0.5), id })));
    expect(summaryOf(later)).toEqual(["opened 16"]);
  });

  test("remain the same object while nothing changes, which avoids a write", () => {
    const unknown: Partial<ObservedEndpoint> = { verdict: "unknown", landedMs: at(-30) };
    const landed = { ...failing, landedMs: at(3) };
    let state: IncidentsState = NO_INCIDENTS;
    const opens = observe(failing, failing, unknown, unknown, landed, landed).map((observation) => {
      ({ state } = step(state, observation, SETTINGS));
      return state.open[0];
    });
    const isSame = opens.slice(1).map((open, index) => open === opens[index]);
    expect(opens[0]).toBeDefined();
    expect(isSame).toEqual([true, false, true, false, true]);
  });

  test("cover all endpoints of a partner, one incident per partner", () => {
    const endpoints = Array.from({ length: 200 }, (_, index) =>
      endpoint({ ...failing, id: String(index), partner: index < 150 ? "Procore" : "Kahua" }),
    );
    const recovered = endpoints.map((one) => ({
      ...one,
      verdict: "fresh" as const,
      landedMs: at(1),
    }));
    const { events, state } = play([
      { atMs: at(0), gap: null, endpoints },
      ...Array.from({ length: 12 }, (_, index) => ({
        atMs: at(index + 1),
        gap: null,
        endpoints: recovered,
      })),
    ]);
    expect(state.open).toEqual([]);
    expect(events.filter(({ kind }) => kind === "opened")).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === "ended")).toHaveLength(2);
  });

  test("end after ten minutes without trouble, dated at the end of the last member's trouble", () => {
    const landed = { verdict: "fresh" as const, landedMs: at(0.5) };
    const { events } = play(observe(failing, ...times(11, landed)));
    expect(summaryOf(events)).toEqual(["opened 0", "left 1", "ended 11"]);
    expect(events.at(-1)).toMatchObject({ ending: "recovered" });
  });

  test("continue and count a flap if trouble returns before the end", () => {
    const landed = { verdict: "fresh" as const, landedMs: at(0.5) };
    const back = { ...failing, troubleBeganMs: at(5), landedMs: at(0.5) };
    const { events, state } = play(observe(failing, ...times(5, landed), back));
    expect(summaryOf(events)).toEqual(["opened 0", "left 1", "flapped 6"]);
    expect(state.open).toMatchObject([{ id: 1, flaps: 1, calmMs: null, verdict: "failing" }]);
  });

  test("keep a member whose state is unknown, however long that lasts", () => {
    const { state, events } = play(observe(failing, ...times(60, { verdict: "unknown" as const })));
    expect(summaryOf(events)).toEqual(["opened 0"]);
    expect(state.open).toMatchObject([{ verdict: null, members: [{ verdict: "unknown" }] }]);
  });

  test("report when they worsen and when they ease", () => {
    const stale = { verdict: "stale" as const, troubleBeganMs: at(-5) };
    const { events } = play(observe(stale, failing, failing, stale));
    expect(summaryOf(events)).toEqual(["opened 0", "worsened 1", "eased 3"]);
  });

  test("report a worsening while an endpoint is unknown, and nothing when an endpoint becomes unknown", () => {
    const unknown = { verdict: "unknown" as const };
    const stale = { verdict: "stale" as const, troubleBeganMs: at(-5) };
    const { events } = play(observe(stale, unknown, failing, unknown, failing, unknown, stale));
    expect(summaryOf(events)).toEqual(["opened 0", "worsened 2", "eased 6"]);
    expect(events[1]).toMatchObject({ from: "stale", to: "failing" });
    expect(events[2]).toMatchObject({ from: "failing", to: "stale" });
  });

  test("don't ease because the worst endpoint becomes unknown", () => {
    const one = endpoint({ id: "2", verdict: "stale", troubleBeganMs: at(-5) });
    const [first, second] = [failing, { verdict: "unknown" as const }].map((given, minute) => ({
      atMs: at(minute),
      gap: null,
      endpoints: [endpoint(given), one],
    }));
    const { events } = play([first, second] as Observation[]);
    expect(summaryOf(events)).toEqual(["opened 0", "joined 0"]);
  });

  test("mark an easing if the worst remaining verdict is only the last one seen", () => {
    const two = (verdict: Verdict, other: Verdict) => [
      endpoint({ ...failing, verdict }),
      endpoint({ id: "2", verdict: other, troubleBeganMs: at(-5) }),
    ];
    const { events } = play(
      [two("failing", "stale"), two("failing", "unknown"), two("fresh", "unknown")].map(
        (endpoints, minute) => ({ atMs: at(minute), gap: null, endpoints }),
      ),
    );
    expect(summaryOf(events)).toEqual(["opened 0", "joined 0", "left 2", "eased 2"]);
    expect(events.at(-1)).toMatchObject({ endpointId: "2", to: "stale", isUnseen: true });
  });

  test("continue with the verdict of the worst endpoint that came back", () => {
    const both = (given: Partial<ObservedEndpoint>, other = given): ObservedEndpoint[] => [
      endpoint(given),
      endpoint({ ...other, id: "2" }),
    ];
    const well = both({ landedMs: at(0.5) });
    const { events } = play(
      [both(failing), well, both({ ...late(1), landedMs: at(0.5) }, failing)].map(
        (endpoints, minute) => ({ atMs: at(minute), gap: null, endpoints }),
      ),
    );
    expect(events.slice(-2)).toMatchObject([
      { kind: "flapped", endpointId: "2", to: "failing" },
      { kind: "joined", endpointId: "1", to: "late" },
    ]);
  });

  test("don't change in a gap, and catch up at its end", () => {
    const [before] = observe(failing);
    const after: Observation = {
      atMs: at(540),
      gap: { fromMs: at(0), untilMs: at(540) },
      endpoints: [endpoint({ landedMs: at(300) }), endpoint({ ...failing, id: "2" })],
    };
    const { events, state } = play([before as Observation, after]);
    expect(summaryOf(events)).toEqual(["opened 0", "blind 0", "seen_again 540"]);
    expect(events.at(-1)).toMatchObject({
      changes: [
        { kind: "left", endpointId: "1", ending: "data_received" },
        { kind: "joined", endpointId: "2" },
      ],
    });
    expect(state.open).toHaveLength(1);
  });
});

describe("a member's trouble ends with", () => {
  const stale = { verdict: "stale" as const, troubleBeganMs: at(-5) };
  const completed = (started: number) => ({
    status: "completed",
    startedMs: at(started),
    endedMs: at(0.5),
  });
  test.each<[string, Partial<ObservedEndpoint>, Partial<ObservedEndpoint> | null]>([
    ["data_received", failing, { landedMs: at(0.5) }],
    ["data_received", stale, { verdict: "paused", landedMs: at(0.5) }],
    ["run_completed", failing, { lastRun: completed(0.25) }],
    // A run that started before the failure doesn't prove that the failure is over.
    ["eased", failing, { lastRun: completed(-5.5) }],
    ["eased", failing, { lastRun: { ...completed(0), startedMs: null } }],
    ["paused", failing, { verdict: "paused" }],
    ["removed", failing, null],
    ["removed", failing, { partner: "Kahua" }],
    ["became_webhook", stale, { verdict: "webhook" }],
    ["expected", failing, { ...failing, isQuiet: true }],
    ["schedule_changed", stale, { verdict: "fresh", isRescheduled: true }],
    ["eased", stale, { verdict: "fresh" }],
    ["eased", failing, { verdict: "fresh" }],
    // A completed run ends a failure but doesn't deliver overdue data.
    ["eased", stale, { lastRun: completed(0.25) }],
    // Data from before the trouble that the API reported late was still received.
    ["data_received", stale, { landedMs: at(-20), isRescheduled: true }],
    // Data that was already there during the failure doesn't end it.
    ["paused", { ...failing, landedMs: at(-1) }, { verdict: "paused", landedMs: at(-1) }],
  ])("%s", (ending, before, after) => {
    const { events } = play(observe(before, after));
    expect(events[1]).toMatchObject({ kind: "left", ending });
  });

  test("says that what eased rests by its learned week, and nothing else does", () => {
    const rests = { verdict: "fresh", isResting: true } as const;
    const { events, state } = play(observe(stale, rests));
    expect(events[1]).toMatchObject({ kind: "left", ending: "eased", isResting: true });
    expect(state.open[0]?.members[0]).toMatchObject({ ending: "eased", isResting: true });
    const over = play(observe(stale, ...Array.from({ length: 20 }, () => rests))).events.at(-1);
    expect(over).toMatchObject({ kind: "ended", ending: "eased", isResting: true });
    const [, left] = play(observe(stale, { ...rests, landedMs: at(0.5) })).events;
    expect(left).toMatchObject({ ending: "data_received" });
    expect(left).not.toHaveProperty("isResting");
  });

  test("data reported late: not before the trouble started, and with the data's own time", () => {
    const { events, state } = play(observe(stale, { landedMs: at(-20) }));
    expect(events[1]).toMatchObject({ ending: "data_received", receivedMs: at(-20) });
    expect(state.open[0]?.members).toMatchObject([{ endedMs: at(-5), receivedMs: at(-20) }]);
    const inTime = play(observe(stale, { landedMs: at(0.5) }));
    expect(inTime.events[1]).not.toHaveProperty("receivedMs");
    expect(inTime.state.open[0]?.members).toMatchObject([
      { endedMs: at(0.5), receivedMs: at(0.5) },
    ]);
  });

  test("no new data, if its timestamp only went back for a while", () => {
    const regressed = { ...failing, landedMs: at(-60) };
    const { state } = play(
      observe(failing, regressed, { landedMs: at(-30), lastRun: failing.lastRun ?? null }),
    );
    expect(state.open[0]?.members[0]).toMatchObject({ ending: "eased", receivedMs: null });
  });

  test('earlier data only if nothing else ended it, and never with "nothing received"', () => {
    const still = { ...stale, landedMs: at(0.5) };
    const endingOf = (given: Partial<ObservedEndpoint>) =>
      play(observe(stale, still, { landedMs: at(0.5), ...given })).events[1];
    expect(endingOf({ verdict: "paused" })).toMatchObject({ ending: "paused" });
    expect(endingOf({ isRescheduled: true })).toMatchObject({ ending: "data_received" });
    expect(endingOf({})).toMatchObject({ ending: "data_received" });
  });
});

describe("for any observations", () => {
  const ids = ["a", "b", "c", "d"];
  const change = fc.record({
    id: fc.constantFrom(...ids),
    verdict: fc.constantFrom<Verdict | "gone">(
      ...VERDICTS,
      "gone",
      "failing",
      "late",
      "stale",
      "fresh",
    ),
    lands: fc.boolean(),
    completes: fc.boolean(),
    isRescheduled: fc.boolean(),
    /** Minutes for which the API didn't report the data. */
    reportedLate: fc.constantFrom(0, 0, 3, 20),
    isQuiet: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  });
  const history = fc
    .array(
      fc.record({
        minutes: fc.integer({ min: 0, max: 12 }),
        isBlind: fc.integer({ min: 0, max: 7 }).map((die) => die === 0),
        changes: fc.array(change, { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 60 },
    )
    .map((moments) => {
      let now = 0;
      const shown = new Map<string, ObservedEndpoint>();
      const observations: Observation[] = [];
      for (const { minutes, isBlind, changes } of moments) {
        const from = now;
        now += minutes;
        for (const one of changes) {
          const { id, verdict, lands, completes, isRescheduled, reportedLate, isQuiet } = one;
          const before = shown.get(id) ?? endpoint({ id, partner: id < "c" ? "Procore" : "Kahua" });
          if (verdict === "gone") shown.delete(id);
          else {
            const wasInTrouble = isTrouble(before.verdict);
            shown.set(id, {
              ...before,
              verdict,
              isQuiet,
              isRescheduled,
              landedMs: lands
                ? Math.max(before.landedMs ?? 0, at(now - reportedLate))
                : before.landedMs,
              lastRun: {
                status: completes ? "completed" : "failed",
                startedMs: at(now - 1),
                endedMs: at(now),
              },
              troubleBeganMs: isTrouble(verdict)
                ? wasInTrouble
                  ? before.troubleBeganMs
                  : at(now)
                : null,
            });
          }
        }
        observations.push({
          atMs: at(now),
          gap: isBlind && minutes > 0 ? { fromMs: at(from), untilMs: at(now) } : null,
          endpoints: [...shown.values()],
        });
      }
      return observations;
    });

  const changesOf = (event: IncidentEvent): readonly Change[] =>
    event.kind === "seen_again" ? event.changes : event.kind === "blind" ? [] : [event];

  test("starts each incident once, ends it at most once, and emits no event afterwards", () => {
    fc.assert(
      fc.property(history, (observations) => {
        const { state, events } = play(observations);
        const begun = new Set(events.map(({ incidentId }) => incidentId));
        expect([...begun].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: state.lastId }, (_, index) => index + 1),
        );
        for (const id of begun) {
          const own = events.filter(({ incidentId }) => incidentId === id);
          const kinds = own.flatMap(changesOf).map(({ kind }) => kind);
          expect(kinds[0]).toBe("opened");
          expect(kinds.filter((kind) => kind === "opened")).toHaveLength(1);
          const endedAt = kinds.indexOf("ended");
          const isOpen = state.open.some((incident) => incident.id === id);
          expect(isOpen).toBe(endedAt === -1);
          if (endedAt !== -1) expect(endedAt).toBe(kinds.length - 1);
        }
        const partners = state.open.map(({ partner }) => partner);
        expect(new Set(partners).size).toBe(partners.length);
      }),
      { numRuns: 500 },
    );
  });

  test("gives the same result in a replay and after a restart at any observation", () => {
    fc.assert(
      fc.property(history, (observations) => {
        const live = play(observations);
        let state = NO_INCIDENTS;
        const events: IncidentEvent[] = [];
        for (const observation of observations) {
          const after = step(
            JSON.parse(JSON.stringify(state)) as IncidentsState,
            observation,
            SETTINGS,
          );
          state = after.state;
          events.push(...after.events);
        }
        expect({ state, events }).toEqual(live);
      }),
      { numRuns: 500 },
    );
  });

  test("has evidence for every ending, and calls none recovered without it", () => {
    fc.assert(
      fc.property(history, (observations) => {
        let state: IncidentsState = NO_INCIDENTS;
        for (const observation of observations) {
          const before = state;
          const { ended, events, state: next } = step(state, observation, SETTINGS);
          state = next;
          for (const event of events) {
            for (const one of changesOf(event)) {
              if (one.kind !== "left") continue;
              const member = before.open
                .find(({ id }) => id === event.incidentId)
                ?.members.find(({ endpointId }) => endpointId === one.endpointId);
              const after = [...state.open, ...ended]
                .find(({ id }) => id === event.incidentId)
                ?.members.find(({ endpointId }) => endpointId === one.endpointId);
              const began = member?.beganMs ?? Infinity;
              const seen = observation.endpoints.find(({ id }) => id === one.endpointId);
              if (one.ending === "data_received") {
                expect(seen?.landedMs).toBeGreaterThan(member?.landedBeforeMs ?? -Infinity);
                expect(after?.receivedMs).toBe(seen?.landedMs);
                expect(after?.endedMs).toBe(Math.max(began, seen?.landedMs ?? 0));
              } else expect(after?.receivedMs).toBeNull();
              if (one.ending === "run_completed") {
                expect(seen?.lastRun?.status).toBe("completed");
                expect(seen?.lastRun?.startedMs).toBeGreaterThanOrEqual(began);
              }
              if (one.ending === "schedule_changed" || one.ending === "eased") {
                expect(seen?.landedMs).toBeLessThanOrEqual(member?.landedBeforeMs ?? -Infinity);
                expect(seen?.isRescheduled).toBe(one.ending === "schedule_changed");
              }
              if (one.ending === "removed") expect(seen).toBeUndefined();
            }
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("emits one event after a gap for each incident that was open or starts, dated at the end of the gap", () => {
    fc.assert(
      fc.property(history, (observations) => {
        let state: IncidentsState = NO_INCIDENTS;
        for (const observation of observations) {
          const wasOpen = state.open.map(({ id }) => id);
          const { state: after, events } = step(state, observation, SETTINGS);
          state = after;
          if (observation.gap === null) {
            expect(events.every(({ kind }) => kind !== "seen_again" && kind !== "blind")).toBe(
              true,
            );
            continue;
          }
          const again = events.filter(({ kind }) => kind === "seen_again");
          const begun = again.filter(({ incidentId }) => !wasOpen.includes(incidentId));
          expect(again.map(({ incidentId }) => incidentId)).toEqual([
            ...wasOpen,
            ...begun.map(({ incidentId }) => incidentId),
          ]);
          expect(events).toHaveLength(again.length + wasOpen.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("adds no member and ends nothing because of unobserved time", () => {
    fc.assert(
      fc.property(history, (observations) => {
        const blind = observations.map((observation, index) => ({
          ...observation,
          gap: { fromMs: observations[index - 1]?.atMs ?? START_MS, untilMs: observation.atMs },
          endpoints: observation.endpoints.map((one) =>
            one.verdict === "stale" || one.verdict === "failing"
              ? { ...one, verdict: "late" as const }
              : one,
          ),
        }));
        expect(play(blind).events).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("endpoints that needn't be observed make no difference", () => {
    fc.assert(
      fc.property(history, (observations) => {
        let state: IncidentsState = NO_INCIDENTS;
        for (const observation of observations) {
          const isObserved = toObserve(state);
          const endpoints = observation.endpoints.filter(({ id, verdict }) =>
            isObserved(id, verdict),
          );
          const whole = step(state, observation, SETTINGS);
          expect(step(state, { ...observation, endpoints }, SETTINGS)).toEqual(whole);
          ({ state } = whole);
        }
      }),
    );
  });
});
