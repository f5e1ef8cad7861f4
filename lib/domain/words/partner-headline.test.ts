import { expect, test } from "vitest";
import { NOW_MS, agedRow } from "@/lib/domain/row-fixture";
import { partnerHeadline, worstFirst, type HeadlineEndpoint } from "./partner-headline";
import type { Verdict } from "@/lib/domain/sync";
import { verdict } from "@/lib/domain/verdict";

function endpoint(
  endpointKey: string,
  ageMinutes: number | null,
  status = "active",
): HeadlineEndpoint {
  const row = agedRow(ageMinutes, { endpoint_key: endpointKey, status });
  const judgement = verdict(row, row.known, NOW_MS);
  return { endpointKey, judgement, word: judgement.word };
}

const text = (
  endpoints: HeadlineEndpoint[],
  frozen: Parameters<typeof partnerHeadline>[2] = null,
) => {
  const { before, endpointKey, after } = partnerHeadline("Procore", endpoints, frozen);
  return before + endpointKey + after;
};
const FRESH = endpoint("submittals", 9);

test.each<[string, HeadlineEndpoint[]]>([
  [
    "2 of 3 Procore feeds are late; the worst is daily_logs, 2 h 10 m old",
    [endpoint("timecards", 80), endpoint("daily_logs", 130), FRESH],
  ],
  ["1 of 2 Procore feeds is late: daily_logs, 2 h 10 m old", [endpoint("daily_logs", 130), FRESH]],
  [
    "2 of 2 Procore feeds need attention; the worst is pci, 10 h 00 m old",
    [endpoint("daily_logs", 130), endpoint("pci", 600)],
  ],
  ["Both Procore feeds are on time", [FRESH, endpoint("drawings", 20)]],
  ["Both Procore feeds are on time; 1 due now", [FRESH, endpoint("drawings", 65)]],
  ["All 3 Procore feeds are on time", [FRESH, FRESH, FRESH]],
  ["The only Procore feed is on time", [FRESH]],
  ["1 of 2 Procore feeds is unknown; none is known to be behind", [endpoint("pci", null), FRESH]],
  ["Every scheduled Procore feed is on time", [FRESH, endpoint("rfis", 3, "webhook")]],
  [
    "No Procore feed is scheduled",
    [endpoint("rfis", 3, "webhook"), endpoint("old", 9000, "inactive")],
  ],
  ["The only Procore feed is paused", [endpoint("old", 9000, "inactive")]],
  ["The only Procore feed is updated by webhook", [endpoint("rfis", 9, "webhook")]],
])("%s", (sentence, endpoints) => {
  expect(text(endpoints)).toBe(sentence);
});

test("uses the past tense when blind, without a current age", () => {
  const frozen = { asOfMs: NOW_MS - 30 * 60_000, nowMs: NOW_MS, timeZone: "Europe/Oslo" };
  expect(text([endpoint("daily_logs", 130), FRESH], frozen)).toBe(
    "At 14:02, 1 of 2 Procore feeds was late: daily_logs",
  );
  const yesterday = { ...frozen, asOfMs: NOW_MS - 24 * 3_600_000 };
  expect(text([endpoint("daily_logs", 130), FRESH], yesterday)).toBe(
    "On Wed 18 Nov at 14:32, 1 of 2 Procore feeds was late: daily_logs",
  );
  expect(text([FRESH, FRESH], frozen)).toBe("At 14:02, both Procore feeds were on time");
  expect(text([FRESH, endpoint("drawings", 65)], frozen)).toBe(
    "At 14:02, both Procore feeds were on time; 1 was due",
  );
});

test("orders by verdict, then by how overdue it is", () => {
  const order = worstFirst([
    endpoint("late_a", 80),
    endpoint("late_b", 130),
    endpoint("stale", 600),
    FRESH,
  ]);
  expect(order.map(({ endpointKey }) => endpointKey)).toEqual(["stale", "late_b", "late_a"]);
  const words: Verdict[] = order.map(({ word }) => word);
  expect(words).toEqual(["stale", "late", "late"]);
});
