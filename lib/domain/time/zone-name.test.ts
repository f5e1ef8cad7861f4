import { describe, expect, test } from "vitest";
import { zoneCity, zoneName } from "./zone-name";

const WINTER_MS = Date.UTC(2026, 0, 15, 12);
const SUMMER_MS = Date.UTC(2026, 6, 15, 12);

describe("the name of a zone", () => {
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
    // IST is India's.
    ["Asia/Jerusalem", "Jerusalem time", "Jerusalem time"],
    ["Europe/Dublin", "GMT", "Dublin time"],
  ])("%s is %s in January and %s in July", (zone, january, july) => {
    expect([zoneName(WINTER_MS, zone), zoneName(SUMMER_MS, zone)]).toEqual([january, july]);
  });

  test("no zone of the world is called by its offset", () => {
    for (const zone of Intl.supportedValuesOf("timeZone"))
      for (const ms of [WINTER_MS, SUMMER_MS])
        expect(`${zone}: ${zoneName(ms, zone)}`).toMatch(
          /: (?:[A-Z]{2,5}|\p{Lu}[\p{L}’ -]+ time)$/u,
        );
  });

  test("it changes at the very moment at which the clocks do", () => {
    const changeMs = Date.UTC(2026, 2, 8, 7);
    expect(zoneName(changeMs - 1, "America/New_York")).toBe("EST");
    expect(zoneName(changeMs, "America/New_York")).toBe("EDT");
  });

  test("a zone that is only an offset has no other name", () => {
    expect(zoneName(WINTER_MS, "Etc/GMT+5")).toBe("UTC-5");
  });

  test("what is no zone throws, and what is no instant has no name", () => {
    expect(() => zoneName(WINTER_MS, "Nowhere/City")).toThrow(RangeError);
    for (const ms of [Number.NaN, Infinity, 9e15]) expect(zoneName(ms, "UTC")).toBe("");
  });
});

test("a zone is found by its city", () => {
  expect(zoneCity("America/New_York")).toBe("New York");
  expect(zoneCity("America/Argentina/Buenos_Aires")).toBe("Buenos Aires");
  expect(zoneCity("Asia/Katmandu")).toBe("Kathmandu");
  expect(zoneCity("UTC")).toBe("UTC");
});
