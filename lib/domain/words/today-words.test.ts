import { expect, test } from "vitest";
import { lineFixture, memberFixture, todayFixture } from "@/lib/domain/today/today-fixture";
import { todayStatement } from "./today-words";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");
const { counts, unseen } = todayFixture();
const GIVEN = {
  counts: { ...counts, behind: 13, companies_behind: 4, unattended: 6 },
  lines: [lineFixture([memberFixture("a")])],
  unseen,
  offsets: {},
  saidMs: NOW_MS,
  nowMs: NOW_MS,
  timeZone: "UTC",
  isBlind: false,
};
const TARN = {
  company: { slug: "tarn", name: "Tarn Airports" },
  since: null,
  reason: null,
  behind_then: 0,
  endpoints: 0,
};

test("the statement names the worst line and what no one is on, with its date", () => {
  expect(todayStatement("Plumbline · today", GIVEN)).toBe(
    "Plumbline · today: 13 feeds of 4 customers are behind, worst Procore at A, 34 m overdue; no one is on 6, as of Tue 14:20 UTC",
  );
});

test("it says whom we can't see and what can't be judged, also if nothing is behind", () => {
  const said = todayStatement("Today", {
    ...GIVEN,
    counts: { ...counts, endpoints: 40, judged: 36, cannot_judge: 2 },
    lines: [],
    unseen: [TARN],
  });
  expect(said).toBe(
    "Today: none of the 36 feeds that we can judge is behind; we can’t see Tarn Airports; 2 feeds can’t be judged, as of Tue 14:20 UTC",
  );
  const unknown = { ...counts, endpoints: 2, judged: 0, cannot_judge: 2 };
  expect(todayStatement("Today", { ...GIVEN, counts: unknown, lines: [] })).toBe(
    "Today: 2 feeds can’t be judged, as of Tue 14:20 UTC",
  );
  const paused = { ...counts, endpoints: 2, judged: 0 };
  expect(todayStatement("Today", { ...GIVEN, counts: paused, lines: [] })).toBe(
    "Today: no feed that we see can be judged, as of Tue 14:20 UTC",
  );
  expect(
    todayStatement("Today", { ...GIVEN, counts: { ...counts, endpoints: 40 }, lines: [] }),
  ).toContain("none of 40 feeds that we see is behind");
});

test("it is in the past tense while our server doesn't answer", () => {
  const said = todayStatement("Today", { ...GIVEN, isBlind: true, unseen: [TARN, TARN] });
  expect(said).toContain("13 feeds of 4 customers were behind");
  expect(said).toContain("we can’t see 2 customers");
  expect(said).toMatch(/not checked since$/);
});
