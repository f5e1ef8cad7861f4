import { expect, test } from "vitest";
import { SECOND_MS } from "@/lib/domain/time/units";
import { spreadingWaits, type LateIncident } from "./spreading";

const given = { waitMs: 30 * SECOND_MS, spreadMs: 120 * SECOND_MS };
const at = (company: string, seconds: number, partner = "Procore"): LateIncident => ({
  company,
  id: 1,
  partner,
  openedMs: seconds * SECOND_MS,
});
const seconds = (incidents: readonly LateIncident[], more: Partial<typeof given> = {}) =>
  [...spreadingWaits(incidents, { ...given, ...more })].map(([company, waits]) => [
    company,
    (waits.get(1) ?? 0) / SECOND_MS,
  ]);

test("openings of a partner that gets into trouble at three companies wait for two checks of the first", () => {
  expect(seconds([at("a", 0), at("b", 10), at("c", 25), at("d", 110)])).toEqual([
    ["a", 120],
    ["b", 110],
    ["c", 95],
    ["d", 30],
  ]);
});

test("those at fewer companies, of other partners or at other times don't", () => {
  expect(seconds([at("a", 0), at("a", 1), at("b", 10)])).toEqual([]);
  expect(seconds([at("a", 0), at("b", 10), at("c", 20, "Sage")])).toEqual([]);
  expect(seconds([at("a", 0), at("b", 10), at("c", 31)]).map(([company]) => company)).toEqual([
    "b",
    "c",
  ]);
  expect(seconds([at("a", 0), at("b", 10), at("c", 200)])).toEqual([]);
});

test("nothing waits where messages are to be sent at once", () => {
  expect(seconds([at("a", 0), at("b", 0), at("c", 0)], { waitMs: 0 })).toEqual([]);
});
