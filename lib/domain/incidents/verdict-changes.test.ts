import { expect, test } from "vitest";
import type { EventDetail } from "./event-detail";
import { verdictChanges, type VerdictEvent } from "./verdict-changes";

const event = (
  atMs: number,
  kind: string,
  endpointId: string | null = null,
  detail: EventDetail = {},
): VerdictEvent => ({ atMs, kind, endpointId, detail });

test("follows the worst endpoint, from the start of the incident", () => {
  const events = [
    event(20, "opened", "a", { to: "late" }),
    event(30, "joined", "b", { to: "failing" }),
    event(30, "worsened", "b", { from: "late", to: "failing" }),
    event(40, "left", "b", { ending: "run_completed" }),
    event(40, "eased", "a", { from: "failing", to: "late" }),
    event(50, "left", "a", { ending: "data_received" }),
    event(60, "ended", null, { ending: "recovered" }),
  ];
  expect(verdictChanges(events, 5)).toEqual([
    { atMs: 5, verdict: "late" },
    { atMs: 30, verdict: "failing" },
    { atMs: 40, verdict: "late" },
    { atMs: 50, verdict: null },
  ]);
});

test("is null between two troubles", () => {
  const events = [
    event(20, "opened", "a", { to: "stale" }),
    event(50, "left", "a", { ending: "data_received" }),
    event(55, "flapped", "a", { to: "stale" }),
  ];
  expect(verdictChanges(events, 20)).toEqual([
    { atMs: 20, verdict: "stale" },
    { atMs: 50, verdict: null },
    { atMs: 55, verdict: "stale" },
  ]);
});

test("merges everything learnt after a gap into one change at its end", () => {
  const events = [
    event(20, "opened", "a", { to: "late" }),
    event(30, "blind"),
    event(60, "seen_again", null, {
      changes: [
        { kind: "joined", endpointId: "b", to: "failing" },
        { kind: "worsened", endpointId: "b", from: "late", to: "failing" },
        { kind: "left", endpointId: "a", ending: "data_received" },
      ],
    }),
    event(70, "blind"),
    event(90, "seen_again", null, { changes: [] }),
  ];
  expect(verdictChanges(events, 20)).toEqual([
    { atMs: 20, verdict: "late" },
    { atMs: 60, verdict: "failing" },
  ]);
});

test("dates the verdict of an incident found after a gap from the incident's start", () => {
  const events = [
    event(60, "seen_again", null, { changes: [{ kind: "opened", endpointId: "a", to: "stale" }] }),
  ];
  expect(verdictChanges(events, 35)).toEqual([{ atMs: 35, verdict: "stale" }]);
  expect(verdictChanges([], 35)).toEqual([]);
});
