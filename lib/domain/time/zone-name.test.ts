import { describe, expect, test } from "vitest";
import { zoneCity, zoneName } from "./zone-name";

const WINTER_MS = Date.UTC(2026, 0, 15, 12);
const SUMMER_MS = Date.UTC(2026, 6, 15, 12);

describe("zoneName", () => {
  test.each([
    ["America/New_York", "EST", "EDT"],
    ["US/Eastern", "EST", "EDT"],
    ["America/Chicago", "CST", "CDT"],
    ["America/Denver", "MST", "MDT"],
    ["America/Phoenix", "MST", "MST"],
    ["America/Los_Angeles", "PST", "PDT"],
    ["America/Halifax", "AST", "ADT"],
    ["America/St_Johns", "NST", "NDT"],
    ["Pacific/Honolulu", "HST", "HST"],
    ["Europe/London", "GMT", "BST"],
    ["Europe/Oslo", "CET", "CEST"],
    ["Europe/Athens", "EET", "EEST"],
    ["Europe/Lisbon", "WET", "WEST"],
    ["Europe/Moscow", "MSK", "MSK"],
    ["Africa/Johannesburg", "SAST", "SAST"],
    ["Africa/Nairobi", "EAT", "EAT"],
    ["Asia/Dubai", "GST", "GST"],
    ["Asia/Kolkata", "IST", "IST"],
    ["Asia/Calcutta", "IST", "IST"],
    ["Asia/Singapore", "SGT", "SGT"],
    ["Asia/Tokyo", "JST", "JST"],
    ["Australia/Sydney", "AEDT", "AEST"],
    ["Australia/Adelaide", "ACDT", "ACST"],
    ["Australia/Darwin", "ACST", "ACST"],
    ["Pacific/Auckland", "NZDT", "NZST"],
    ["UTC", "UTC", "UTC"],
    ["Etc/UTC", "UTC", "UTC"],
    ["Asia/Kathmandu", "Kathmandu time", "Kathmandu time"],
    ["Asia/Katmandu", "Kathmandu time", "Kathmandu time"],
    ["Asia/Shanghai", "Shanghai time", "Shanghai time"],
    ["Asia/Ho_Chi_Minh", "Ho Chi Minh City time", "Ho Chi Minh City time"],
    ["America/Argentina/Ushuaia", "Ushuaia time", "Ushuaia time"],
    // IST means India's time.
    ["Asia/Jerusalem", "Jerusalem time", "Jerusalem time"],
    ["Europe/Dublin", "GMT", "Dublin time"],
  ])("names %s %s in January and %s in July", (zone, january, july) => {
    expect([zoneName(WINTER_MS, zone), zoneName(SUMMER_MS, zone)]).toEqual([january, july]);
  });

  test("calls no zone of the world by its offset", () => {
    for (const zone of Intl.supportedValuesOf("timeZone"))
      for (const ms of [WINTER_MS, SUMMER_MS])
        expect(`${zone}: ${zoneName(ms, zone)}`).toMatch(
          /: (?:[A-Z]{2,5}|\p{Lu}[\p{L}’ -]+ time)$/u,
        );
  });

  test("changes at the exact instant at which the clocks do", () => {
    const changeMs = Date.UTC(2026, 2, 8, 7);
    expect(zoneName(changeMs - 1, "America/New_York")).toBe("EST");
    expect(zoneName(changeMs, "America/New_York")).toBe("EDT");
  });

  test("keeps the offset for a zone that has no other name", () => {
    expect(zoneName(WINTER_MS, "Etc/GMT+5")).toBe("UTC-5");
  });

  test("throws for an unknown zone, and is empty for an invalid instant", () => {
    expect(() => zoneName(WINTER_MS, "Nowhere/City")).toThrow(RangeError);
    for (const ms of [Number.NaN, Infinity, 9e15]) expect(zoneName(ms, "UTC")).toBe("");
  });
});

test("takes the city of a zone", () => {
  expect(zoneCity("America/New_York")).toBe("New York");
  expect(zoneCity("America/Argentina/Buenos_Aires")).toBe("Buenos Aires");
  expect(zoneCity("Asia/Katmandu")).toBe("Kathmandu");
  expect(zoneCity("UTC")).toBe("UTC");
});
