import { expect, test } from "vitest";
import { timeTicks } from "./time-axis";

const at = (text: string) => Date.parse(text);
const labels = (from: string, until: string, zone: string, wanted: number) =>
  timeTicks(at(from), at(until), zone, wanted).map(({ label }) => label);

test("marks a day at round hours of the reader's zone", () => {
  expect(labels("2026-11-18T13:32:00Z", "2026-11-19T13:32:00Z", "Europe/Oslo", 8)).toEqual([
    "15:00",
    "18:00",
    "21:00",
    "00:00",
    "03:00",
    "06:00",
    "09:00",
    "12:00",
  ]);
  expect(labels("2026-11-18T13:32:00Z", "2026-11-19T13:32:00Z", "Asia/Kathmandu", 4)).toEqual([
    "00:00",
    "06:00",
    "12:00",
    "18:00",
  ]);
});

test("marks a week at midnights, and longer ranges less often", () => {
  expect(labels("2026-11-12T13:00:00Z", "2026-11-19T13:00:00Z", "UTC", 8)).toEqual([
    "Fri 13",
    "Sat 14",
    "Sun 15",
    "Mon 16",
    "Tue 17",
    "Wed 18",
    "Thu 19",
  ]);
  expect(labels("2026-08-21T00:00:00Z", "2026-11-19T00:00:00Z", "UTC", 8)).toContain("22 Oct");
});

test("keeps marks at local midnight when the clocks change", () => {
  const ticks = timeTicks(at("2026-10-23T10:00:00Z"), at("2026-10-27T10:00:00Z"), "Europe/Oslo", 8);
  expect(ticks.map(({ atMs }) => new Date(atMs).toISOString().slice(5, 16))).toContain(
    "10-26T11:00",
  );
  const days = timeTicks(at("2026-10-23T10:00:00Z"), at("2026-10-28T10:00:00Z"), "Europe/Oslo", 5);
  expect(days.map(({ atMs }) => new Date(atMs).toISOString().slice(5, 16))).toEqual([
    "10-23T22:00",
    "10-24T22:00",
    "10-25T23:00",
    "10-26T23:00",
    "10-27T23:00",
  ]);
});

test("has no marks for an empty axis", () => {
  expect(timeTicks(5, 5, "UTC", 8)).toEqual([]);
  expect(timeTicks(0, 1000, "UTC", 0)).toEqual([]);
});
