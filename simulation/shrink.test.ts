import { expect, test } from "vitest";
import type { Plan } from "./plan";
import { shrink } from "./shrink";
import { Broken } from "./simulation";

const PLAN: Plan = {
  seed: 1,
  days: 2,
  companies: 3,
  feedsEach: 60,
  kinds: ["kill"],
  faultsPerDay: 20,
  onlyFaults: null,
  onlyCompanies: null,
  minutes: null,
};
const MINUTE_MS = 60_000;
const FAULTS = 40;
const held = { broken: null, simulatedMs: 2 * 1440 * MINUTE_MS };
const brokenAt = (minute: number, invariant = "record") => ({
  broken: new Broken(invariant, "what broke"),
  simulatedMs: minute * MINUTE_MS,
});

const has = (of: readonly number[] | null, ...all: number[]) =>
  all.every((one) => of?.includes(one) ?? true);

test("leaves exactly the faults, the company and the feeds that it takes", async () => {
  const play = (plan: Plan) =>
    Promise.resolve(
      has(plan.onlyFaults, 3, 17) && has(plan.onlyCompanies, 1) && plan.feedsEach >= 7
        ? brokenAt(100)
        : held,
    );
  const smallest = await shrink(PLAN, await play(PLAN), { play, faults: FAULTS, mostRuns: 1_000 });
  expect(smallest).toEqual({
    ...PLAN,
    onlyFaults: [3, 17],
    onlyCompanies: [1],
    feedsEach: 8,
    minutes: 100,
  });
});

test("needs no fault if it breaks without any", async () => {
  const play = () => Promise.resolve(brokenAt(5));
  const smallest = await shrink(PLAN, brokenAt(2_000), { play, faults: FAULTS, mostRuns: 1_000 });
  expect(smallest).toMatchObject({ onlyFaults: [], feedsEach: 1, minutes: 5 });
  expect(smallest.onlyCompanies).toHaveLength(1);
});

test("doesn't take another broken invariant for the same", async () => {
  const play = (plan: Plan) =>
    Promise.resolve(has(plan.onlyFaults, 3) ? brokenAt(100) : brokenAt(50, "messages"));
  const smallest = await shrink(PLAN, brokenAt(100), { play, faults: FAULTS, mostRuns: 1_000 });
  expect(smallest.onlyFaults).toEqual([3]);
  expect(smallest.minutes).toBe(100);
});

test("stops after the given number of runs, with the smallest so far", async () => {
  let runs = 0;
  const play = () => {
    runs += 1;
    return Promise.resolve(brokenAt(100));
  };
  const smallest = await shrink(PLAN, brokenAt(2_000), { play, faults: FAULTS, mostRuns: 1 });
  expect(runs).toBe(1);
  expect(smallest.onlyFaults).toHaveLength(FAULTS / 2);
});
