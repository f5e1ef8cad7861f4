import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { day, missedDay, promise } from "./promise-fixture";
import { warnedMisses } from "./kept";
import { keptText } from "@/lib/domain/words/deadlines/kept-text";
import * as words from "./words";

const counts = (met: number, missed = 0, not_observed = 0, excused = 0) => ({
  met,
  missed,
  not_observed,
  excused,
});

test("kept counts met and missed days; the others stand beside it", () => {
  expect(keptText(counts(16, 1, 2))).toBe("16 of 17 kept");
  expect(keptText(counts(0, 0, 2))).toBe("no days counted yet");
  expect(words.monthAside(counts(16, 1, 2, 1), [missedDay("2026-11-09", 130)])).toBe(
    ", 1 missed by 2 h 10 m, 2 not checked, 1 excused",
  );
  expect(
    words.monthAside(counts(15, 2), [missedDay("2026-11-09", 130), missedDay("2026-11-10", 5)]),
  ).toBe(", 2 missed, one by 2 h 10 m");
  expect(words.monthAside(counts(15, 1), [missedDay("2026-11-09", null)])).toBe(", 1 missed");
  expect(words.monthSentence("2026-11", counts(102, 4, 1))).toBe(
    "In November, 102 of 106 kept, 4 missed, 1 not checked.",
  );
  expect(words.monthSentence("2026-11", counts(0))).toBe("No days of November counted yet.");
  expect(words.monthSentence("2026-11", null)).toBe("");
});

test("a rehearsal says how often, and when it was missed", () => {
  const october = { by: "07:00", month: "2026-10" };
  const missed = missedDay("2026-10-14", 130);
  expect(words.rehearsalTitle(counts(21, 1), [missed], october)).toBe(
    "Would have been kept on 21 of 22 mornings in October, missed on the 14th by 2 h 10 m",
  );
  expect(
    words.rehearsalTitle(counts(20, 2), [missed, missedDay("2026-10-15", 5)], {
      by: "16:00",
      month: null,
    }),
  ).toBe(
    "Would have been kept on 20 of 22 afternoons over the last 90 days, missed on 2, the worst on 14 October by 2 h 10 m",
  );
  expect(words.rehearsalTitle(counts(22), [], october)).toBe(
    "Would have been kept on 22 of 22 mornings in October",
  );
  expect(words.rehearsalAside(counts(21, 1, 1, 2))).toBe(
    "1 not checked, 2 excused; they count as neither.",
  );
  expect(words.rehearsalAside(counts(21, 1))).toBe("");
});

test("days that weren't checked are never said to be kept", () => {
  const october = { by: "07:00", month: "2026-10" };
  expect(words.rehearsalTitle(counts(0, 0, 22), [], october)).toBe(
    "We can’t tell for October: nothing was checked on the promised days",
  );
  expect(words.rehearsalTitle(counts(0), [], october)).toBe("No promised day in October");
  expect(
    words.monthCellsText(
      [
        day("2026-11-02"),
        missedDay("2026-11-03", 5),
        day("2026-11-04", { outcome: "not_observed" }),
      ],
      "2026-11",
    ),
  ).toBe("November by day: kept on 1 day, missed on 1 (3rd), not checked on 1");
});

test("each day of a rehearsal has words", () => {
  const missed = missedDay("2026-10-14", 130);
  const none = { at: null, warned: null };
  expect(words.rehearsalDayText(day("2026-10-13"), "Tue 13 Oct", { ...none, at: "06:30" })).toBe(
    "Tue 13 Oct: 06:30",
  );
  expect(words.rehearsalDayText(missed, "Wed 14 Oct", { at: "09:10", warned: "06:20" })).toBe(
    "Wed 14 Oct: 09:10, missed by 2 h 10 m, warned 06:20",
  );
  expect(words.rehearsalDayText(missedDay("2026-10-14", null), "Wed 14 Oct", none)).toBe(
    "Wed 14 Oct: no data, missed, no warning",
  );
  const unknown = { ...missed, is_warning_known: false };
  expect(words.rehearsalDayText(unknown, "Wed 14 Oct", { ...none, at: "09:10" })).toBe(
    "Wed 14 Oct: 09:10, missed by 2 h 10 m, warning not known",
  );
});

test.each<[string, readonly [missed: number, warned: number, unknown: number, partly?: number]]>([
  ["", [0, 0, 0]],
  ["You’d have been warned at least 15 m before.", [1, 1, 0]],
  ["You wouldn’t have been warned 15 m before.", [1, 0, 0]],
  ["You’d have been warned at least 15 m before, but not for all its feeds.", [1, 0, 0, 1]],
  [
    "You’d have been warned of one at least 15 m before. For 2 we can’t tell from the history.",
    [3, 1, 2],
  ],
  ["You’d have been warned of both at least 15 m before.", [2, 2, 0]],
  ["You’d have been warned of all 4 at least 15 m before.", [4, 4, 0]],
  [
    "You’d have been warned of none of 3 for all their feeds, and of 2 for some, at least 15 m before.",
    [3, 0, 0, 2],
  ],
  [
    "You’d have been warned of 3 of 4 at least 15 m before. For 2 we can’t tell from the history.",
    [6, 3, 2],
  ],
  ["We can’t tell from the history whether you’d have been warned.", [6, 0, 6]],
])("%s", (said, [missed, warned, unknown, partly = 0]) => {
  expect(words.warnedText({ missed, warned, partly, unknown, leadMs: null })).toBe(said);
});

test("how long before its only miss a promise would have been warned of is said as it is", () => {
  const feeds = [
    {
      days: [day("2026-10-13"), missedDay("2026-10-14", 20, { warned_at: "2026-10-14T06:22:41Z" })],
    },
  ];
  expect(words.warnedText(warnedMisses(feeds))).toBe("You’d have been warned 38 m before.");
});

test("a failed import says whether anything may have changed", () => {
  const checked = [0, 403, 500].map((status) => words.importRefusal(status, null, true));
  expect(checked).toEqual([
    "Plumbline isn’t responding. Try again.",
    "Your role doesn’t allow this.",
    "Couldn’t check the lines. Try again.",
  ]);
  const imported = [0, 500].map((status) => words.importRefusal(status, null, false));
  expect(imported).toEqual([
    "Plumbline isn’t responding. Your request may have gone through.",
    "Couldn’t import the promises. Try again.",
  ]);
});

test("an import says what it would do, and what it did", () => {
  const done = { dry_run: false, added: 1, changed: 0, unchanged: 12, errors: [] };
  expect(words.importedText(done)).toBe("1 promise was added, 0 changed; 12 are already there.");
  expect(words.importedText({ ...done, dry_run: true, added: 3, changed: 1, unchanged: 0 })).toBe(
    "3 promises would be added, 1 changed.",
  );
});

test("a cadence is that of all feeds of a promise, or the shortest and longest", () => {
  const feed = (frequency_minutes: number | null, status = "active") =>
    rowFixture({ status, frequency_minutes });
  expect(words.cadencesText([feed(60)])).toBe("every 1 h");
  expect(words.cadencesText([feed(1440), feed(15), feed(60)])).toBe("every 15 m to 24 h");
  expect(words.cadencesText([feed(null, "webhook")])).toBe("event-driven");
  expect(words.cadencesText([feed(null, "webhook"), feed(60)])).toBe("every 1 h");
  expect(words.cadencesText([feed(null)])).toBe("");
  expect(words.cadencesText([])).toBe("");
});

test("the list of keys calls adding a promise what its button does", () => {
  expect(words.promiseKeys(true)).toContainEqual(["N", words.formWords.add.toLowerCase()]);
  expect(words.promiseKeys(false).map(([key]) => key)).not.toContain("N");
});

test("examples in empty fields are valid: in the future, and before the promised time", () => {
  expect(words.examplesOf("2026-11-24", "07:00")).toEqual({
    from: "1 Jan 2027",
    until: "31 Dec 2027",
    holiday: "25 Dec 2026",
    dataFrom: "04:00",
  });
  expect(words.examplesOf("2026-12-26", "00:30")).toMatchObject({
    holiday: "25 Dec 2027",
    dataFrom: "",
  });
  expect(words.examplesOf("2026-11-24", "01:30").dataFrom).toBe("00:00");
});

test("the facts of a promise are those that are set", () => {
  expect(words.factsOf(promise(), "Sage 300 commitments")).toEqual([
    ["Feeds", "Sage 300 commitments"],
    ["New data by", "16:00, Oslo time"],
    ["Days", "On workdays"],
  ]);
  const more = {
    data_from: "06:00",
    holidays: ["2026-12-25"],
    allowance_minutes: 1,
    from: "2026-12-01",
    until: "2027-06-30",
    target_percent: 97.5,
    note: "Contract 4.2",
  };
  expect(words.factsOf(promise(more), "all feeds").slice(3)).toEqual([
    ["Counts from", "06:00"],
    ["Not on", "25 Dec 2026"],
    ["Allowance", "1 minute"],
    ["Applies", "From 1 Dec 2026, until 30 Jun 2027"],
    ["Target", "97.5% of days kept"],
    ["Note", "Contract 4.2"],
  ]);
});
