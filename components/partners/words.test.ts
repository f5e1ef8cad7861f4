import { describe, expect, test } from "vitest";
import { leadParts, page, partnersSentence, pastMonth, rows, tabTitle, well } from "./words";

const NONE = { behind: 0, unseen: 0, cannot_judge: 0, quiet: 0, on_time: 0, paused: 0 };
const NOW = { customers: 37, since: "14:02", was: null, unknownFeeds: 0 };
const say = (counts: Partial<typeof NONE>, given: Partial<Parameters<typeof leadParts>[2]> = {}) =>
  leadParts("Procore", { ...NONE, ...counts }, { ...NOW, ...given })
    .map(({ text }) => text)
    .join("");

describe("the sentence", () => {
  test("says where the partner is behind and since when, and counts the rest", () => {
    expect(say({ behind: 9, on_time: 27, unseen: 1 })).toBe(
      "Procore is behind at 9 of your 37 customers since 14:02; 27 are on time, 1 we can’t see",
    );
    expect(say({ behind: 1, on_time: 1, cannot_judge: 1, quiet: 1, paused: 2 })).toBe(
      "Procore is behind at 1 of 6 customers since 14:02; 1 is on time, 1 can’t be judged, 1 in planned quiet, 2 paused",
    );
    expect(say({ behind: 1 })).toBe(
      "Procore is behind at your only customer that has it since 14:02",
    );
  });

  test("claims that all is well only if all of it is seen and judged", () => {
    expect(say({ on_time: 37 })).toBe("Procore is on time at all 37 customers");
    expect(say({ on_time: 1 })).toBe("Procore is on time at your only customer that has it");
    expect(say({ on_time: 30, unseen: 7 })).toBe(
      "Procore isn’t known to be behind; 30 are on time, 7 we can’t see",
    );
    expect(say({ unseen: 2 })).toBe("Procore isn’t known to be behind; 2 we can’t see");
    expect(say({ on_time: 2, paused: 1 })).toBe(
      "Procore isn’t known to be behind; 2 are on time, 1 paused",
    );
  });

  test("says of how many feeds nothing is claimed", () => {
    expect(say({ on_time: 1 }, { unknownFeeds: 1 })).toBe(
      "Procore is on time at your only customer that has it; 1 feed can’t be judged",
    );
    expect(say({ behind: 1, on_time: 1 }, { unknownFeeds: 2, was: "at 14:02" })).toBe(
      "Procore was behind at 1 of 2 customers at 14:02; 1 was on time; 2 feeds couldn’t be judged",
    );
    expect(say({ on_time: 2, paused: 1 }, { unknownFeeds: 1 })).toBe(
      "Procore isn’t known to be behind; 2 are on time, 1 paused; 1 feed can’t be judged",
    );
  });

  test("is in the past tense about the past", () => {
    const was = "at 14:02";
    expect(say({ behind: 2, on_time: 35 }, { was })).toBe(
      "Procore was behind at 2 of your 37 customers at 14:02; 35 were on time",
    );
    expect(say({ on_time: 1, unseen: 1 }, { was })).toBe(
      "Procore wasn’t known to be behind at 14:02; 1 was on time, 1 we couldn’t see",
    );
  });

  test("narrows the page by its parts", () => {
    const all = { behind: 2, unseen: 1, cannot_judge: 1, quiet: 1, on_time: 3, paused: 1 };
    const parts = leadParts("Procore", all, NOW);
    expect(parts.flatMap(({ does }) => does ?? [])).toEqual(["behind", "on_time", "unseen"]);
    expect(new Set(parts.map(({ text }) => text)).size).toBe(parts.length);
  });
});

test("counts in the tab's title what is behind and not seen", () => {
  expect(tabTitle("Procore", { behind: 9, unseen: 1 }, null)).toBe(
    "Procore: 9 customers behind, can’t see 1",
  );
  expect(tabTitle("Procore", { behind: 1, unseen: 0 }, "at 14:02")).toBe(
    "Procore: 1 customer behind at 14:02",
  );
});

test("names customers that may have the partner too", () => {
  expect(page.neverChecked(["Tarn"], false)).toBe(
    "Tarn hasn’t been checked yet, so we don’t know whether it has it.",
  );
  expect(page.neverChecked(["Tarn", "Fjord"], false)).toBe(
    "Tarn and Fjord haven’t been checked yet, so we don’t know whether they have it.",
  );
  expect(page.neverChecked(["a", "b", "c", "d"], false)).toMatch(/^4 customers haven’t/);
  expect(page.neverChecked(["Tarn"], true)).toBe(
    "We have no history of Tarn from then, so we don’t know whether it had it.",
  );
});

test("says of a customer that isn't seen what was, and that it isn't known now", () => {
  expect(rows.behindThen(1, 6, "at 13:52", false)).toBe(
    "1 of 6 feeds was behind at 13:52; we don’t know about now",
  );
  expect(rows.behindThen(0, 1, "at 13:52", false)).toBe(
    "0 of 1 feed was behind at 13:52; we don’t know about now",
  );
});

test("a view that isn't of now is in the past tense", () => {
  expect(rows.behindThen(1, 6, "at 13:52", true)).toBe(
    "1 of 6 feeds was behind at 13:52; we couldn’t check after that",
  );
  expect(rows.cannotJudge(true)).toBe("None of its feeds could be judged");
  expect(tabTitle("Procore", { behind: 1, unseen: 2 }, "at 14:02")).toBe(
    "Procore: 1 customer behind, couldn’t see 2 at 14:02",
  );
});

describe("the list of partners as a sentence", () => {
  const one = (partner_name: string, given: object = {}) => ({
    partner_name,
    companies: 37,
    behind: 0,
    cannot_judge: 0,
    quiet: 0,
    unseen: 0,
    since: null,
    next_sync_at: null,
    on_time_month: null,
    ...given,
  });
  const meta = { page: 1, per_page: 50, total_count: 3, total_pages: 1 };

  test("names the worst, and says where nothing is known", () => {
    const data = [
      one("Procore", { behind: 9, unseen: 1 }),
      one("Vista", { behind: 1 }),
      one("Aconex", { unseen: 2, cannot_judge: 1, quiet: 1 }),
    ];
    expect(partnersSentence({ data, meta })).toBe(
      "2 of 3 partners behind, worst Procore (9 of 37 customers); 2 have customers that we can’t see; 1 has customers that can’t be judged; 1 has customers in planned quiet",
    );
  });

  test("claims nothing of other pages, and no more than is known", () => {
    expect(partnersSentence({ data: [one("Aconex")], meta: { ...meta, total_pages: 2 } })).toBe(
      "none of the 1 partner on page 1 of 2 known to be behind",
    );
    expect(partnersSentence({ data: [], meta: { ...meta, total_count: 0 } })).toBe("none");
  });
});

test("dates the share on time of a past view", () => {
  const past = pastMonth(["2026-11-01"]);
  expect(rows.onTime(past)).toBe("On time, Nov");
  expect(rows.onTimeNote(past)).toBe(
    "of the time that could be checked on the closed days of November 2026 before 1 Nov",
  );
  const several = pastMonth(["2026-10-31", "2026-11-01"]);
  expect([rows.onTime(several), well.note(several)]).toEqual([
    "On time, Oct/Nov",
    "feeds on time, on time in October 2026 before 31 Oct, or November 2026 before 1 Nov",
  ]);
  expect(pastMonth(["2026-11-19", "2026-11-20"])).toEqual({
    short: "Nov",
    before: "November 2026 before 19 Nov or 20 Nov",
  });
  expect([rows.onTime(null), rows.onTimeNote(null)]).toEqual([
    "On time, month",
    "of the time that could be checked on this month’s closed days",
  ]);
});
