import { expect, test } from "vitest";
import {
  chatStatement,
  checksNote,
  companiesStatement,
  pictureHeadline,
  pictureMoment,
  previewStatement,
  thenHeadline,
  type TellingEndpoint,
} from "./shared-words";
import type { Verdict } from "@/lib/domain/sync";
import { HOUR_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-11-21T20:33:00Z");

const one = (endpointKey: string, word: Verdict, latenessHours: number | null = null) => ({
  name: endpointKey,
  endpointKey,
  word,
  ageMs: 2 * HOUR_MS,
  latenessMs: latenessHours === null ? null : latenessHours * HOUR_MS,
});

const LATE = [one("daily_logs", "stale", 18.84), one("rfis", "late", 1), one("bids", "fresh", -1)];
const when = { nowMs: NOW_MS, timeZone: "UTC" };
const live = { ...when, asOfMs: NOW_MS, checkedMs: null, isBlind: false };

test.each<[string, readonly (TellingEndpoint & { name: string })[], typeof live, string]>([
  [
    "trouble, with the worst endpoint and the time",
    LATE,
    live,
    "Procore · Northgate: 2 of 3 need attention, worst daily_logs, 18 h 50 m overdue, as of Sat 20:33 UTC",
  ],
  [
    "a single endpoint in trouble",
    [one("daily_logs", "late", 1), one("bids", "fresh")],
    live,
    "Procore · Northgate: 1 of 2 needs attention, worst daily_logs, 1 h 00 m overdue, as of Sat 20:33 UTC",
  ],
  [
    "no trouble, and endpoints that can't be judged",
    [one("daily_logs", "unknown"), one("bids", "fresh")],
    live,
    "Procore · Northgate: none needs attention of 2, 1 can’t be judged, as of Sat 20:33 UTC",
  ],
  [
    "the past state when blind",
    [one("daily_logs", "fresh"), one("bids", "fresh")],
    { ...live, asOfMs: NOW_MS - 50 * HOUR_MS, isBlind: true },
    "Procore · Northgate: none needed attention of 2, as of Thu 18:33 UTC, not checked since",
  ],
  [
    "a single endpoint with its verdict",
    [one("daily_logs", "late", 2)],
    live,
    "Procore · Northgate: late, 2 h 00 m overdue, as of Sat 20:33 UTC",
  ],
  ["an endpoint before the first check", [], live, "Procore · Northgate: not checked yet"],
])("previews %s in a chat", (_, endpoints, picture, said) => {
  expect(chatStatement("Procore · Northgate", endpoints, picture)).toBe(said);
});

test("lists companies in a chat, and never calls unchecked ones fine", () => {
  const companies = [
    { name: "Northgate", attention: 12, unknown: 0, total: 60, isBlind: false, checkedMs: null },
    { name: "Harbour", attention: 0, unknown: 0, total: 25, isBlind: false, checkedMs: null },
    { name: "Orchard", attention: 0, unknown: 8, total: 8, isBlind: true, checkedMs: null },
  ];
  expect(companiesStatement("Plumbline", companies, when)).toBe(
    "Plumbline: 1 of 2 needs attention, worst Northgate (12 of 60 feeds), 1 we can’t check, as of Sat 20:33 UTC",
  );
  expect(companiesStatement("Plumbline", companies.slice(1), when)).toBe(
    "Plumbline: none of 1 needs attention, 1 we can’t check, as of Sat 20:33 UTC",
  );
});

test("counts endpoints that can't be judged in visible companies", () => {
  const harbour = {
    name: "Harbour",
    attention: 0,
    unknown: 25,
    total: 25,
    isBlind: false,
    checkedMs: null,
  };
  expect(companiesStatement("Plumbline", [harbour], when)).toBe(
    "Plumbline: none of 1 needs attention, 25 feeds can’t be judged, as of Sat 20:33 UTC",
  );
});

test("mentions the last check if checks are delayed, and that none is possible", () => {
  const checkedMs = NOW_MS - 4 * 60_000;
  expect(
    chatStatement("Procore · Northgate", [{ ...one("rfis", "fresh"), name: "rfis" }], {
      ...live,
      checkedMs,
    }),
  ).toBe("Procore · Northgate: fresh, as of Sat 20:33 UTC, last check Sat 20:29 UTC");
  const harbour = {
    name: "Harbour",
    attention: 0,
    unknown: 0,
    total: 25,
    isBlind: false,
    checkedMs,
  };
  expect(companiesStatement("Plumbline", [harbour], when)).toBe(
    "Plumbline: none of 1 needs attention, as of Sat 20:33 UTC, last check Sat 20:29 UTC",
  );
  expect(
    companiesStatement("Plumbline", [{ ...harbour, isBlind: true, checkedMs: null }], when),
  ).toBe("Plumbline: we can’t check any of 1, as of Sat 20:33 UTC");
});

test("describes the past state of a link, and says if checks weren't possible then", () => {
  const given = { ...when, atMs: NOW_MS - HOUR_MS };
  expect(thenHeadline("Procore", LATE, { ...given, wasBlind: false })).toBe(
    "At 19:33, 2 of 3 Procore feeds needed attention; the worst was daily_logs.",
  );
  expect(thenHeadline("Procore", [one("rfis", "fresh")], { ...given, wasBlind: true })).toBe(
    "At 19:33, the only Procore feed was on time; we couldn’t check after that.",
  );
});

test("uses the past tense in a picture, names its time, and is never falsely green", () => {
  expect(pictureMoment(NOW_MS)).toBe("21 Nov 2026, 20:33 UTC");
  expect(pictureHeadline("Procore", LATE)).toBe("2 of 3 Procore feeds needed attention");
  expect(pictureHeadline("Procore", LATE.slice(1))).toBe("1 of 2 Procore feeds was late");
  expect(pictureHeadline(null, [one("bids", "fresh")])).toBe("None of 1 feed needed attention");
  expect(pictureHeadline("Procore", [one("bids", "unknown"), one("rfis", "fresh")])).toBe(
    "1 of 2 Procore feeds couldn’t be judged; none was known to be behind",
  );
  expect(previewStatement(LATE, checksNote("live", NOW_MS))).toBe(
    "2 of 3 needed attention; worst daily_logs, 18 h 50 m overdue.",
  );
  expect(previewStatement([one("bids", "unknown")], "")).toBe(
    "None of 1 needed attention. 1 couldn’t be judged.",
  );
  expect(previewStatement([one("bids", "fresh")], checksNote("blind", NOW_MS))).toBe(
    "None of 1 needed attention. We couldn’t check after that.",
  );
  expect(previewStatement([one("bids", "fresh")], checksNote("delayed", NOW_MS))).toBe(
    "None of 1 needed attention. Last checked at 20:33 UTC.",
  );
});
