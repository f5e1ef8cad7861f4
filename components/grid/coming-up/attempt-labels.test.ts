import { expect, test } from "vitest";
import { attemptLabels } from "./attempt-labels";

const attempt = (minute: number, partner: string) => ({
  atMs: minute * 60_000,
  partner,
  feeds: 1,
  endpointKey: "rfis",
});
const labels = (...minutes: number[]) =>
  attemptLabels(
    minutes.map((minute) => attempt(minute, `P${minute}`)),
    0,
    () => "14:26 Procore, 2 feeds",
  ).map(({ minute, isBefore }) => [minute, isBefore]);

test("labels at most three attempts, the soonest first", () => {
  expect(labels(0, 10, 20, 30, 40)).toEqual([
    [0.5, false],
    [10.5, false],
    [20.5, false],
  ]);
});

test("skips a label that would overlap the one before", () => {
  expect(labels(6, 8, 15)).toEqual([
    [6.5, false],
    [15.5, false],
  ]);
});

test("puts a label before its minute at the end of the hour", () => {
  expect(labels(58)).toEqual([[58.5, true]]);
});
