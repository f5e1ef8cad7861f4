import { expect, test } from "vitest";
import { zoneChoices } from "./zones";

const WINTER_MS = Date.parse("2026-11-19T13:32:00Z");
const ALL = Intl.supportedValuesOf("timeZone");
const choices = zoneChoices(["Europe/Oslo"], ALL, WINTER_MS);
const of = (zone: string) => choices.find((choice) => choice.zone === zone);

test("lists the person's own zone first, then UTC and the common ones, and every zone once", () => {
  expect(choices.slice(0, 3).map(({ zone }) => zone)).toEqual([
    "Europe/Oslo",
    "UTC",
    "America/New_York",
  ]);
  expect(new Set(choices.map(({ zone }) => zone)).size).toBe(choices.length);
  expect(choices.length).toBeGreaterThanOrEqual(ALL.length);
});

test("offers zones by their current IANA names, including the person's own", () => {
  const zones = zoneChoices(["Asia/Calcutta"], ALL, WINTER_MS).map(({ zone }) => zone);
  expect(zones[0]).toBe("Asia/Kolkata");
  expect(zones).toEqual(expect.arrayContaining(["Asia/Kathmandu", "Europe/Kyiv", "America/Nuuk"]));
  for (const earlier of ["Asia/Calcutta", "Asia/Katmandu", "Europe/Kiev", "America/Godthab"])
    expect(zones).not.toContain(earlier);
});

test("shows the names that people use", () => {
  expect(of("America/New_York")).toMatchObject({ city: "New York", names: "Eastern Time, EST" });
  expect(of("Europe/Oslo")?.names).toBe("Central European Time, CET");
  expect(of("UTC")?.names).not.toMatch(/GMT/);
});

test.each([
  ["est", "America/New_York"],
  ["edt", "America/New_York"],
  ["eastern time", "America/New_York"],
  ["et", "America/New_York"],
  ["boston", "America/New_York"],
  ["san francisco", "America/Los_Angeles"],
  ["pst", "America/Los_Angeles"],
  ["europe oslo", "Europe/Oslo"],
  ["cest", "Europe/Oslo"],
])("includes %s in the search text of %s", (query, zone) => {
  expect(of(zone)?.foldedOthers).toContain(query);
});
