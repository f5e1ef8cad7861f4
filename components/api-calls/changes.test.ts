import { expect, test } from "vitest";
import { comparedFeeds, differenceText, largestCallsChanges } from "./changes";

const reading = (id: string, value: number, day_ago: number | null, week_ago: number | null) => ({
  id,
  endpoint_key: `${id} key`,
  value,
  day_ago,
  week_ago,
});

const PARTNERS = [
  {
    partner_name: "Aconex",
    value: 0,
    day_ago: null,
    week_ago: null,
    endpoints: [reading("mail", 611, 402, 611), reading("new", 50, null, null)],
  },
  {
    partner_name: "Autodesk Build",
    value: 0,
    day_ago: null,
    week_ago: null,
    endpoints: [reading("rfis", 702, 1344, 700), reading("forms", 9, 9, 12)],
  },
];

test("sorts the largest first, up or down, without unchanged or missing ones", () => {
  expect(largestCallsChanges(PARTNERS, "day", 5)).toEqual([
    { id: "rfis", partner: "Autodesk Build", endpointKey: "rfis key", before: 1344, now: 702 },
    { id: "mail", partner: "Aconex", endpointKey: "mail key", before: 402, now: 611 },
  ]);
  expect(largestCallsChanges(PARTNERS, "week", 1).map(({ id }) => id)).toEqual(["forms"]);
});

test("counts the feeds that can be compared", () => {
  expect(comparedFeeds(PARTNERS, "day")).toEqual({ compared: 3, feeds: 4 });
  expect(comparedFeeds([], "week")).toEqual({ compared: 0, feeds: 0 });
});

test("shows differences with a sign", () => {
  expect([209, -642].map((value) => differenceText(value, String))).toEqual(["+209", "−642"]);
});
