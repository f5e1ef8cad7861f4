import { expect, test } from "vitest";
import { createDueCompanies, NOTHING_DUE } from "./due-companies";

const ALL = ["a", "b"];
const checked = (observedMs: number, eventfulMs = observedMs) => ({ observedMs, eventfulMs });

test("each company is due once for each of its checks", () => {
  const companies = createDueCompanies();
  const first = new Map([["a", checked(1_000)]]);
  expect(companies.due(ALL, first, 0)).toEqual(["a"]);
  companies.planned(["a"], first);
  expect(companies.due(ALL, first, 0)).toEqual([]);
  // Checked while it was planned, which was still as of the check before.
  const second = new Map([
    ["a", checked(1_001)],
    ["b", checked(1_000)],
  ]);
  expect(companies.due(ALL, second, 0)).toEqual(ALL);
  companies.planned(ALL, first);
  expect(companies.due(ALL, second, 0)).toEqual(ALL);
  companies.planned(ALL, second);
  expect(companies.due(ALL, second, 0)).toEqual([]);
});

test("a company that has nothing before an instant isn't due for checks without events", () => {
  const companies = createDueCompanies();
  const isDueAt = (...check: Parameters<typeof checked>) =>
    companies.due(["a"], new Map([["a", checked(...check)]]), 0).length > 0;
  companies.planned(["a"], new Map([["a", checked(1_000)]]));
  companies.wait("a", { waited: [], fromMs: 3_000 });
  expect(isDueAt(2_000, 1_000)).toBe(false);
  expect(isDueAt(2_000, 2_000)).toBe(true);
  expect(isDueAt(3_000, 1_000)).toBe(true);
  companies.wait("a", NOTHING_DUE);
  expect(isDueAt(3_000, 1_000)).toBe(false);
});

test("a company is due from the moment its first opening has waited, until it is planned", () => {
  const companies = createDueCompanies();
  companies.wait("a", { ...NOTHING_DUE, waited: [2_000, 1_000] });
  expect(companies.due(ALL, new Map(), 999)).toEqual([]);
  expect(companies.due(ALL, new Map(), 1_000)).toEqual(["a"]);
  companies.wait("a", { ...NOTHING_DUE, waited: [2_000] });
  expect(companies.due(ALL, new Map(), 1_000)).toEqual([]);
  companies.wait("a", NOTHING_DUE);
  expect(companies.due(ALL, new Map(), 9_000)).toEqual([]);
});
