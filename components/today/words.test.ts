import { describe, expect, test } from "vitest";
import { todayFixture } from "@/lib/domain/today/today-fixture";
import { loadTodayState } from "./today-url";
import {
  cannotJudgeWords,
  chatSubject,
  foot,
  lead,
  leadParts,
  lineWords,
  tools,
  unseenWords,
  wellWords,
} from "./words";

const { counts } = todayFixture();
const BEHIND = {
  ...counts,
  endpoints: 60,
  behind: 13,
  companies_behind: 4,
  unattended: 6,
  next_attempt_at: "2026-11-24T14:26:00.000Z",
};
const GIVEN = {
  customers: 37,
  isFiltered: false,
  hasOthers: false,
  next: "14:26",
  fresh: "12 s ago",
  was: null,
};
const said = (...args: Parameters<typeof leadParts>) =>
  leadParts(...args)
    .map(({ text }) => text)
    .join("");

describe("the sentence", () => {
  test("says what is behind, what no one is on, and when the next attempt is", () => {
    expect(said(BEHIND, GIVEN)).toBe(
      "13 feeds of 4 customers are behind; no one is on 6; the next attempt is at 14:26",
    );
    expect(leadParts(BEHIND, GIVEN).flatMap(({ does }) => does ?? [])).toEqual([
      "all",
      "customers",
      "unattended",
      "next",
    ]);
  });

  test("leaves out what is zero or unknown", () => {
    const one = { ...BEHIND, behind: 1, companies_behind: 1, unattended: 0 };
    expect(said(one, { ...GIVEN, next: null })).toBe("1 feed of 1 customer is behind");
  });

  test("is in the past tense for a past instant, without what is next", () => {
    expect(said(BEHIND, { ...GIVEN, was: "at 14:02" })).toBe(
      "13 feeds of 4 customers were behind at 14:02",
    );
  });

  test("says of how many nothing is behind, and how fresh that is", () => {
    expect(said({ ...counts, endpoints: 1204, judged: 1200 }, GIVEN)).toBe(
      "None of 1,204 feeds of 37 customers is behind; oldest check 12 s ago",
    );
  });

  test("says that nothing is behind only of feeds that can be judged", () => {
    const some = { ...counts, endpoints: 60, judged: 55, cannot_judge: 2 };
    expect(said(some, GIVEN)).toBe(
      "None of the 55 feeds that can be judged is behind; oldest check 12 s ago",
    );
    expect(said(some, { ...GIVEN, was: "at 14:02" })).toBe(
      "None of the 55 feeds that could be judged was behind at 14:02",
    );
    expect(said({ ...some, judged: 0 }, GIVEN)).toBe(
      "No feed can be judged; oldest check 12 s ago",
    );
  });

  test("never says that nothing is behind while filtered, or without a check", () => {
    expect(said(counts, { ...GIVEN, isFiltered: true })).toBe("Nothing matches");
    const others = { isFiltered: true, hasOthers: true };
    expect(said(counts, { ...GIVEN, ...others })).toBe("Nothing behind matches");
    expect(said(counts, { ...GIVEN, fresh: null })).toBe("We can’t see any customer right now");
    expect(said(counts, { ...GIVEN, fresh: null, was: "at 14:02" })).toBe(
      "We couldn’t see any customer then",
    );
  });
});

test("the title has the number of feeds behind, and customers that we can't see", () => {
  const now = { isFiltered: false, hasOthers: false, was: null };
  expect(lead.counted({ ...BEHIND, unseen_companies: 2 }, now)).toBe(
    "13 feeds of 4 customers behind, can’t see 2",
  );
  expect(lead.counted(counts, now)).toBe("0 feeds behind");
  expect(lead.counted(counts, { ...now, isFiltered: true })).toBe("nothing matches");
  expect(lead.counted(counts, { isFiltered: true, hasOthers: true, was: null })).toBe(
    "nothing behind matches",
  );
  expect(lead.counted(counts, { ...now, was: "at 14:02" })).toBe("0 feeds behind at 14:02");
  expect(lead.counted({ ...BEHIND, unseen_companies: 2 }, { ...now, was: "at 14:02" })).toBe(
    "13 feeds of 4 customers behind, couldn’t see 2 at 14:02",
  );
});

test("a partner's line says of how many customers, except under a filter", () => {
  expect(lineWords.customers(9, 37)).toBe("9 of 37 customers");
  expect(lineWords.customers(9, null)).toBe("9 customers");
});

test("what is copied for a chat names its filters", () => {
  expect(chatSubject(loadTodayState({}), null)).toBe("Plumbline · today");
  const search = { partner: "Procore", mine: "1", verdict: "late,stale", q: "rfi" };
  expect(chatSubject(loadTodayState(search), null)).toBe(
    "Plumbline · today · Procore · my customers · Stale, Late · “rfi”",
  );
});

test("the foot says nothing of what filters hide", () => {
  const now = { isFiltered: false, isPast: false };
  const filtered = { ...now, isFiltered: true };
  expect(foot.said(3, 1, 12, now)).toBe("3 lines behind, 1 can’t be seen, 12 on time");
  expect(foot.said(3, 1, 12, { ...now, isPast: true })).toContain("1 couldn’t be seen");
  expect(foot.said(0, 0, 12, filtered)).toBe("0 lines match");
  expect(foot.said(1, 0, 12, filtered)).toBe("1 line matches");
});

test("a view that isn't of now is in the past tense", () => {
  expect(wellWords.heading(12, false)).toBe("12 customers on time");
  expect(wellWords.heading(12, true)).toBe("12 customers were on time");
  expect(unseenWords.because("unreachable", true)).toBe(
    "We couldn’t see it: no answer from its API.",
  );
});

test("a customer without feeds isn't said to have some that can't be judged", () => {
  expect(cannotJudgeWords.sentence(3, false, false)).toBe("None of its feeds can be judged");
  expect(cannotJudgeWords.sentence(0, false, false)).toBe("No feeds at the last check");
  expect(cannotJudgeWords.sentence(0, false, true)).toBe("It had no feeds then");
});

test("counts one's own customers, but doesn't say that nothing is one's own", () => {
  expect([3, 0, null].map(tools.mine)).toEqual(["Mine, 3", "Mine", "Mine"]);
});
