import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { timelineOf, type RecordedEvent } from "./incident-timeline";

const OPENED_MS = Date.parse("2026-11-19T10:00:00Z");

/** An incident of two hours, with what people did meanwhile, at an API whose clock is ahead of ours. */
function timelineAt(aheadMs: number) {
  let seq = 0;
  const event = (minutes: number, kind: string, more: Partial<RecordedEvent>): RecordedEvent => {
    seq += 1;
    const nothing = { endpointId: null, byId: null, detail: {}, text: null };
    return { ...nothing, seq, kind, atMs: OPENED_MS + minutes * MINUTE_MS, ...more };
  };
  const seen = (minutes: number, kind: string, more: Partial<RecordedEvent> = {}) => {
    const one = event(minutes, kind, more);
    return { ...one, atMs: one.atMs + aheadMs };
  };
  const until = new Date(OPENED_MS + 90 * MINUTE_MS).toISOString();
  return timelineOf(
    { id: 1, partner: "Procore", openedMs: OPENED_MS + aheadMs, ownerId: null },
    [
      seen(0, "opened", { endpointId: "a", detail: { to: "late" } }),
      event(10, "acknowledged", { byId: "ana", detail: { until } }),
      seen(20, "worsened", { endpointId: "a", detail: { to: "failing" } }),
      event(30, "owned", { byId: "ana", detail: { owner: { id: "bo", name: "Bo" } } }),
      event(40, "noted", { byId: "bo", detail: { to_channels: true }, text: "called them" }),
      seen(110, "left", { endpointId: "a", detail: { ending: "data_received" } }),
      seen(120, "ended", { detail: { ending: "recovered" } }),
    ],
    aheadMs,
  );
}

test.each([-46, -1, 1, 30])(
  "people's actions keep their place among what was observed, with an API clock %i h ahead",
  (hours) => {
    const aheadMs = hours * HOUR_MS;
    const { phases, moments } = timelineAt(0);
    const skewed = timelineAt(aheadMs);
    expect(skewed.phases).toEqual(
      phases.map((phase) => ({ ...phase, fromMs: phase.fromMs + aheadMs })),
    );
    expect(skewed.moments.map(({ id, atMs }) => ({ id, atMs: atMs - aheadMs }))).toEqual(
      moments.map(({ id, atMs }) => ({ id, atMs })),
    );
    expect(phases.map(({ fromMs }) => (fromMs - OPENED_MS) / MINUTE_MS)).toEqual([
      0, 10, 20, 30, 90, 110, 120,
    ]);
  },
);

test("what was observed while the API's clock was ahead counts at the time of what was observed next", () => {
  const at = (minutes: number) => OPENED_MS + minutes * MINUTE_MS;
  const aheadMs = 960 * HOUR_MS;
  const nothing = { byId: null, detail: {}, text: null };
  const recorded: RecordedEvent[] = [
    { ...nothing, seq: 1, kind: "opened", endpointId: "a", atMs: at(0) + aheadMs },
    { ...nothing, seq: 2, kind: "joined", endpointId: "b", atMs: at(10) + aheadMs },
    { ...nothing, seq: 3, kind: "left", endpointId: "a", atMs: at(20) },
    { ...nothing, seq: 4, kind: "joined", endpointId: "c", atMs: at(30) + aheadMs },
  ];
  const incident = { id: 1, partner: "Procore", openedMs: at(-5), ownerId: null };
  const { phases, moments } = timelineOf(incident, recorded, 0, at(40));
  const minutes = ({ fromMs }: { fromMs: number }) => (fromMs - OPENED_MS) / MINUTE_MS;
  expect(phases.map(minutes)).toEqual([-5, 20, 40]);
  expect(moments.map(({ atMs }) => minutes({ fromMs: atMs }))).toEqual([20, 40]);
});

test("what ended automatically while our clock was ahead counts at the time of what was observed next", () => {
  const at = (minutes: number) => OPENED_MS + minutes * MINUTE_MS;
  const seen = { endpointId: "a", byId: null, detail: {}, text: null };
  const owned = {
    ...seen,
    endpointId: null,
    detail: { owner: null, previous_owner: { id: "bo", name: "Bo" } },
  };
  const recorded: RecordedEvent[] = [
    { ...seen, seq: 1, kind: "opened", atMs: at(0) },
    { ...owned, seq: 2, kind: "owned", atMs: at(1_700) },
    { ...seen, seq: 3, kind: "worsened", atMs: at(20), detail: { to: "failing" } },
    { ...seen, seq: 4, kind: "ended", atMs: at(30) },
  ];
  const incident = { id: 1, partner: "Procore", openedMs: at(0), ownerId: null };
  const phasesBy = (events: RecordedEvent[]) =>
    timelineOf(incident, events, 0, at(40)).phases.map(({ fromMs, ownerId, isOpen }) => [
      (fromMs - OPENED_MS) / MINUTE_MS,
      ownerId,
      isOpen,
    ]);
  expect(phasesBy(recorded)).toEqual([
    [0, "bo", true],
    [20, null, true],
    [30, null, false],
  ]);
  // After the last observation people may act before it is known that the company was lost.
  const noted = { ...owned, kind: "noted", detail: { to_channels: true } };
  const acted = [recorded[0], { ...noted, seq: 2, atMs: at(50), text: "called them", byId: "bo" }];
  const blind = { ...seen, seq: 3, kind: "blind", atMs: at(40) };
  const { moments } = timelineOf(
    incident,
    [...acted, blind].flatMap((one) => one ?? []),
    0,
    at(40),
  );
  expect(moments.map(({ atMs }) => (atMs - OPENED_MS) / MINUTE_MS)).toContain(50);
});
