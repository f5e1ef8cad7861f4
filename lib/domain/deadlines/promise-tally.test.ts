import { expect, test } from "vitest";
import type { PromiseState } from "./deadline";
import { tallyPromises } from "./promise-tally";

test("a promise counts once, at its worst feed, and as kept only if all its feeds that count kept it", () => {
  const row = (id: string, state: PromiseState) => ({ promise: { id, state } });
  expect(
    tallyPromises([
      row("a", "met"),
      row("a", "missed"),
      row("b", "met"),
      row("b", "not_observed"),
      row("c", "met"),
      row("c", "met"),
      row("d", "at_risk"),
      row("e", "open"),
      row("f", "excused"),
      row("f", "met"),
      { promise: null },
      {},
    ]),
  ).toEqual({ missed: 1, atRisk: 1, kept: 2 });
});
