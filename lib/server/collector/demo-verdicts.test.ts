import { expect, test } from "vitest";
import { withDemoVerdicts } from "./demo-verdicts";
import { MINUTE_MS, HOUR_MS } from "@/lib/domain/time/units";

const ENDPOINT = {
  id: "a",
  partnerName: "Procore",
  endpointKey: "rfis",
  status: "active",
  frequencyMinutes: 60,
  otherwise: null,
};

function chunk(landedHours: readonly number[], failedHours: readonly number[] = []) {
  return {
    runs: failedHours.map((hour) => ({
      endpointId: "a",
      startedAt: hour * HOUR_MS - MINUTE_MS,
      finishedAt: hour * HOUR_MS,
      status: "failed",
      durationSeconds: 60,
    })),
    landings: landedHours.map((hour) => ({ endpointId: "a", landedAt: hour * HOUR_MS })),
    callSamples: [],
  };
}

test("judges the past by the current rules, across chunks", () => {
  const chunks = [chunk([1, 2]), chunk([6, 7.5], [6.5, 7])];
  const given = { endpoints: [ENDPOINT], fromMs: 0, untilMs: 8 * HOUR_MS, pieceMs: 5 * HOUR_MS };
  const found = [...withDemoVerdicts(chunks, given)].map(({ verdictChanges }) =>
    verdictChanges.map(({ at, verdict }) => [at / HOUR_MS, verdict]),
  );
  expect(found).toEqual([
    [
      [0, "unknown"],
      [1, "fresh"],
      [3, "due"],
      [3 + 1 / 3, "late"],
      [4 + 1 / 3, "stale"],
    ],
    [
      [6, "fresh"],
      [7, "failing"],
      [7.5, "fresh"],
    ],
  ]);
});

test("records previous verdicts, and keeps a paused endpoint paused", () => {
  const given = { fromMs: 0, untilMs: 4 * HOUR_MS, pieceMs: 4 * HOUR_MS };
  const [piece] = withDemoVerdicts([chunk([1])], { ...given, endpoints: [ENDPOINT] });
  expect(piece?.verdictChanges.map(({ previous }) => previous)).toEqual([
    null,
    "unknown",
    "fresh",
    "due",
    "late",
  ]);
  const paused = { ...ENDPOINT, status: "inactive" };
  const [quiet] = withDemoVerdicts([chunk([1])], { ...given, endpoints: [paused] });
  expect(quiet?.verdictChanges).toEqual([
    { endpointId: "a", at: 0, verdict: "paused", previous: null, isRescheduled: false },
  ]);
});

test("records a paused or unlisted period from start to end", () => {
  const given = { fromMs: 0, untilMs: 8 * HOUR_MS, pieceMs: 8 * HOUR_MS };
  const verdictsWith = (as: { status: string; frequencyMinutes: number | null } | null) => {
    const otherwise = { fromMs: 5.12 * HOUR_MS, untilMs: 7.06 * HOUR_MS, as };
    const endpoints = [{ ...ENDPOINT, otherwise }];
    const [piece] = withDemoVerdicts([chunk([1, 7])], { ...given, endpoints });
    return piece?.verdictChanges
      .slice(5)
      .map(({ at, verdict, previous }) => [at / HOUR_MS, verdict, previous]);
  };
  expect(verdictsWith({ status: "inactive", frequencyMinutes: 60 })).toEqual([
    [5.12, "paused", "stale"],
    [7.06, "fresh", "paused"],
  ]);
  expect(verdictsWith(null)).toEqual([
    [5.12, null, "stale"],
    [7.06, "fresh", null],
  ]);
});
