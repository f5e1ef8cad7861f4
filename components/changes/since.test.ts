import { describe, expect, it } from "vitest";
import { iso } from "@/lib/domain/time/instant";
import { fieldOf, momentOf, sinceParam } from "./since";

const OSLO = "Europe/Oslo";
const at = (since: Parameters<typeof momentOf>[0], now: string, timeZone = OSLO) =>
  iso(momentOf(since, { nowMs: Date.parse(now), beforeMs: 5, timeZone }));

describe("momentOf", () => {
  it("is 17:00 of the day before, in the reader's zone", () => {
    expect(at("yesterday", "2026-11-23T07:58:12Z")).toBe("2026-11-22T16:00:00.000Z");
    expect(at("yesterday", "2026-11-22T23:30:00Z")).toBe("2026-11-22T16:00:00.000Z");
    expect(at("yesterday", "2026-11-23T07:58:12Z", "UTC")).toBe("2026-11-22T17:00:00.000Z");
  });

  it("stays correct across a daylight saving change", () => {
    expect(at("yesterday", "2026-10-26T08:00:00Z")).toBe("2026-10-25T16:00:00.000Z");
    expect(at("yesterday", "2026-10-25T08:00:00Z")).toBe("2026-10-24T15:00:00.000Z");
  });

  it("is whole minutes of a day or a week ago", () => {
    expect(at("day", "2026-11-23T07:58:12Z")).toBe("2026-11-22T07:58:00.000Z");
    expect(at("week", "2026-11-23T07:58:12Z")).toBe("2026-11-16T07:58:00.000Z");
    expect(at("other", "2026-11-23T07:58:12Z")).toBe(iso(5));
  });
});

it("round-trips a moment through the address and the field", () => {
  const ms = Date.parse("2026-11-20T16:40:00Z");
  expect(sinceParam.parse(sinceParam.format(ms))).toBe(ms);
  expect(sinceParam.parse("yesterday")).toBeNull();
  expect(fieldOf(ms, OSLO)).toBe("2026-11-20T17:40");
});
