import { expect, test } from "vitest";
import { isOfPlace, presentZoneName, zoneNamed } from "./present-zone";

const SUMMER_MS = Date.parse("2026-07-01T12:00:00Z");
const WINTER_MS = Date.parse("2026-01-01T12:00:00Z");

const clocks = (timeZone: string) =>
  [SUMMER_MS, WINTER_MS].map((ms) => new Date(ms).toLocaleString("en-US", { timeZone }));

test.each([
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["Europe/Oslo", "Europe/Oslo"],
  ["europe/oslo", "Europe/Oslo"],
  ["US/EASTERN", "America/New_York"],
  ["utc", "UTC"],
  ["no/zone", "no/zone"],
])("renames %s to %s", (name, today) => {
  expect(presentZoneName(name)).toBe(today);
});

test("keeps the clocks of every zone of this runtime, and renames no current name", () => {
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const today = presentZoneName(zone);
    expect([zone, clocks(today)]).toEqual([zone, clocks(zone)]);
    expect(presentZoneName(today)).toBe(today);
    expect(zoneNamed(today)).toBe(today);
  }
});

test("finds a zone in any case and by its aliases, and returns null for an unknown one", () => {
  expect(zoneNamed("europe/kyiv")).toBe("Europe/Kyiv");
  expect(zoneNamed("US/Eastern")).toBe("America/New_York");
  expect(zoneNamed("Etc/UTC")).toBe("UTC");
  expect(zoneNamed("Europe/Atlantis")).toBeNull();
  expect(zoneNamed("")).toBeNull();
});

test.each([
  "Etc/GMT+5",
  "etc/gmt-3",
  "GMT+0",
  "GMT",
  "EST",
  "EST5EDT",
  "SystemV/EST5",
  "Zulu",
  "+05:00",
])("doesn’t take %s for a place", (name) => expect(isOfPlace(presentZoneName(name))).toBe(false));

test("takes every zone of this runtime’s pickers, and UTC by any name of IANA’s, for a place", () => {
  const picked = Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/"));
  for (const zone of [...picked, "UTC", "Etc/UTC", "europe/oslo"])
    expect([zone, isOfPlace(presentZoneName(zone))]).toEqual([zone, true]);
});
