import { describe, expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type { Weekday } from "@/lib/domain/time/weekdays";
import { listPromises, promiseHeading, promiseLabel, searchPromises, subjectText } from "./listed";
import { promise, rowPromise } from "./promise-fixture";
import { promiseHeadline, promiseStatus } from "./status";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");
const READER = { timeZone: "UTC", isFrozen: false };
const FIRST = "p1";
const SECOND = "p2";
const THIRD = "p3";

const feed = (id: string, own: ReturnType<typeof rowPromise> | null) =>
  rowFixture({ id, partner_name: "Sage 300", endpoint_key: id, promise: own });

describe("the list", () => {
  test("begins with what is missed, then what is at risk, then what is due next", () => {
    const promises = [
      promise({ id: FIRST }),
      promise({ id: SECOND, endpoint_id: null }),
      promise({ id: THIRD, endpoint_id: "gone", next: null }),
    ];
    const listed = listPromises(
      promises,
      [
        feed("sage-commitments", rowPromise({ id: FIRST, state: "open" })),
        feed("a", rowPromise({ id: SECOND, state: "met" })),
        feed("b", rowPromise({ id: SECOND, state: "at_risk" })),
      ],
      null,
    );
    expect(listed.map(({ subject }) => subjectText(subject, "all feeds"))).toEqual([
      "Sage 300, all feeds",
      "Sage 300 sage-commitments",
      "Sage 300 gone",
    ]);
    expect(listed.map(({ feeds }) => feeds.map(({ id }) => id))).toEqual([
      ["a", "b"],
      ["sage-commitments"],
      [],
    ]);
    expect(listed.map((one) => promiseLabel(one, "all feeds"))[0]).toBe(
      "Sage 300, all feeds, by 16:00 on workdays",
    );
  });
});

test("a paused feed isn't one whose data is awaited", () => {
  const paused = rowFixture({ id: "a", status: "inactive", promise: rowPromise({ id: FIRST }) });
  const [listed] = listPromises([promise({ id: FIRST, endpoint_id: null })], [paused], null);
  expect(listed).toMatchObject({ current: [], feeds: [paused] });
});

test("a promise has the feeds that it holds for, also while another one of theirs is nearer", () => {
  const [own, wider, company] = [
    promise({ id: FIRST, endpoint_id: "a" }),
    promise({ id: SECOND, endpoint_id: null, by: "20:00" }),
    promise({ id: THIRD, endpoint_id: null, partner: null }),
  ];
  const rows = [
    feed("a", rowPromise({ id: FIRST })),
    feed("b", null),
    rowFixture({ id: "c", partner_name: "Procore" }),
    rowFixture({ id: "d", partner_name: "Procore", status: "webhook" }),
  ].map((row) => ({ ...row, frequency_minutes: 60 }));
  const feedsOf = (...promises: Parameters<typeof listPromises>[0]) =>
    Object.fromEntries(
      listPromises(promises, rows, null).map((one) => [
        one.promise.id,
        one.feeds.map(({ id }) => id),
      ]),
    );
  expect(feedsOf(own, wider, company)).toEqual({ [FIRST]: ["a"], [SECOND]: ["b"], [THIRD]: ["c"] });
  const nearer = promise({ id: FIRST, endpoint_id: null });
  expect(feedsOf(nearer, wider)).toEqual({ [FIRST]: ["a", "b"], [SECOND]: ["a", "b"] });
});

test("promises are found by partner, feed and time", () => {
  const listed = listPromises(
    [
      promise({ id: FIRST }),
      promise({ id: SECOND, partner: "Procore", endpoint_id: null, by: "07:00" }),
    ],
    [feed("sage-commitments", null)],
    null,
  );
  const found = (text: string) => searchPromises(listed, text).map(({ promise: { id } }) => id);
  expect(found("")).toHaveLength(2);
  expect(found("PROCORE 07:00")).toEqual([SECOND]);
  expect(found("commit")).toEqual([FIRST]);
  expect(found("commit procore")).toEqual([]);
});

describe("a promise's status", () => {
  const statusOf = (...states: Parameters<typeof rowPromise>[0][]) => {
    const rows = states.map((given, at) => feed(`feed-${at}`, rowPromise(given)));
    const [listed] = listPromises([promise()], rows, null);
    if (listed === undefined) throw new Error("The promise isn't listed");
    return promiseStatus(listed, NOW_MS, READER);
  };

  test("is that of its most urgent feed, and how many are alike", () => {
    expect(statusOf({ state: "met" }, { state: "at_risk" }, { state: "at_risk" })).toMatchObject({
      some: "2 of 3 feeds: ",
      text: { state: "at_risk", stands: "at risk" },
    });
    expect(statusOf({ state: "open" })).toMatchObject({ some: "", next: "" });
  });

  test("is that of the feed without data, then of the one with the latest, where several missed it", () => {
    const due = { state: "missed", due_at: "2026-11-24T14:00:00Z" } as const;
    const [early, late] = [
      { ...due, late_seconds: 60 },
      { ...due, late_seconds: 600 },
    ];
    expect(statusOf(early, late).text?.stands).toBe("missed by 10 m");
    expect(statusOf(early, late, due).text?.stands).toBe("missed by 20 m so far");
  });

  test("says when the next day is due once this one is over", () => {
    expect(
      statusOf({ state: "met", due_at: "2026-11-23T15:00:00Z", date: "2026-11-23" }),
    ).toMatchObject({ next: "Next: 15:00" });
  });

  test("is unknown where no feed's current day is one of it", () => {
    expect(statusOf()).toEqual({ text: null, some: "", next: "Next: 15:00" });
  });
});

describe("the title", () => {
  const titleOf = (states: Parameters<typeof rowPromise>[0][], isFrozen = false) =>
    promiseHeadline(
      listPromises(
        states.map((_, at) => promise({ id: `p${at}`, endpoint_id: `feed-${at}` })),
        states.map((given, at) => feed(`feed-${at}`, rowPromise({ id: `p${at}`, ...given }))),
        null,
      ),
      "Northgate Builders",
      NOW_MS,
      { timeZone: "UTC", isFrozen },
    );

  test("names the first promise in trouble", () => {
    expect(titleOf([{ state: "at_risk" }, {}])).toBe(
      "1 of 2 promises is at risk: Sage 300 feed-0, by 15:00, in 40 m",
    );
    expect(
      titleOf([
        { state: "missed", due_at: "2026-11-24T14:00:00Z", late_seconds: 300 },
        { state: "at_risk" },
      ]),
    ).toBe("1 of 2 promises missed, 1 at risk: Sage 300 feed-0, by 14:00, 5 m late");
  });

  test("says how late data is that hasn't come", () => {
    expect(titleOf([{ state: "missed", due_at: "2026-11-24T14:00:00Z" }])).toBe(
      "1 promise missed: Sage 300 feed-0, by 14:00, 20 m late so far",
    );
  });

  test("only counts them while none is in trouble, or can't be seen", () => {
    expect(titleOf([{}, { state: "met" }])).toBe("2 promises to Northgate Builders");
    expect(titleOf([{ state: "at_risk" }], true)).toBe("1 promise to Northgate Builders");
    expect(titleOf([])).toBe("No promises");
  });
});

test("a heading begins with a capital, but for names", () => {
  const heading = (partner: string | null, key: string | null) =>
    promiseHeading({ subject: { partner, feed: key }, promise: promise() }, "all feeds");
  expect(heading(null, null)).toMatch(/^All feeds, by /);
  expect(heading("iAuditor", null)).toMatch(/^iAuditor, all feeds, by /);
  expect(heading(null, "daily_logs")).toMatch(/^daily_logs, by /);
});

test("a heading says of a promise that is being entered only what was entered", () => {
  const heading = (entered: { by: string; days: readonly Weekday[] }) =>
    promiseHeading({ subject: { partner: "Aconex", feed: "mail" }, promise: entered }, "all feeds");
  expect(heading({ by: "", days: ["mon"] })).toBe("Aconex mail, on Mondays");
  expect(heading({ by: "07:00", days: [] })).toBe("Aconex mail, by 07:00");
  expect(heading({ by: "", days: [] })).toBe("Aconex mail");
});
