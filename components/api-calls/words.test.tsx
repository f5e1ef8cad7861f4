import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Allowance } from "@/lib/contracts/calls/allowances";
import {
  allowanceRefusal,
  allowanceSentence,
  callsHeading,
  callsSentence,
  largestChanges,
  ofAllowance,
  paceSentence,
  perRunText,
  rateLimited,
  rateLimitedText,
  shareText,
  slower,
} from "./words";

const ALLOWANCE: Allowance = {
  partner_name: "Procore",
  calls: 1250,
  per: "day",
  note: null,
  by: { id: "", name: "Ana Rask" },
  at: "2026-11-12T09:00:00.000Z",
};
const HOURLY: Allowance = { ...ALLOWANCE, calls: 150, per: "hour", note: "per contract" };
const RUNS = { started: 214, completed: 160, rate_limited: 38, is_complete: true };

test("names the partner nearest to its allowance in the heading, from 80%", () => {
  const heading = (share: number, until: string | null = null) =>
    renderToStaticMarkup(<>{callsHeading(7366, until, { partner: "Procore", share })}</>);
  expect(heading(93)).toBe(
    "7,366 API calls in the past 24 hours; <bdi>Procore</bdi> uses 93% of its allowance",
  );
  expect(heading(112, "13:40")).toBe(
    "7,366 API calls in the 24 hours to 13:40; <bdi>Procore</bdi> used 112% of its allowance",
  );
  expect(heading(79)).toBe("7,366 API calls in the past 24 hours");
});

test("says the same as one sentence, with what isn't counted", () => {
  const given = { until: null, highest: null, missing: 0, chosen: null };
  expect(callsSentence(7366, given)).toBe("7,366 API calls in the past 24 hours");
  expect(
    callsSentence(7366, {
      until: "13:40",
      highest: { partner: "Procore", share: 93 },
      missing: 2,
      chosen: { partner: "Vista", calls: 1200 },
    }),
  ).toBe(
    "7,366 API calls in the 24 hours to 13:40; 1,200 of them Vista; Procore used 93% of its allowance; 2 feeds not counted",
  );
});

test("says what is allowed, and who entered it", () => {
  expect(ofAllowance(ALLOWANCE)).toBe("of 1,250 a day");
  expect(ofAllowance(HOURLY)).toBe("of at most 3,600 a day");
  expect(allowanceSentence(ALLOWANCE, "UTC")).toBe(
    "Allowance 1,250 a day, entered by Ana Rask, 12 Nov",
  );
  expect(allowanceSentence(HOURLY, "UTC")).toBe(
    "Allowance 150 an hour, at most 3,600 a day, entered by Ana Rask, 12 Nov: per contract",
  );
  expect(shareText(64, false)).toBe("64%");
  // Some feeds are missing.
  expect(shareText(64, true)).toBe("at least 64%");
});

describe("runs of the same 24 hours", () => {
  test("are counted, or called seen when some may be missing", () => {
    expect(rateLimitedText(RUNS)).toBe("38 of 214");
    expect(rateLimitedText({ ...RUNS, is_complete: false })).toBe("38 of 214 seen");
    const none = { started: 0, completed: 0, rate_limited: 0 };
    expect(rateLimitedText({ ...none, is_complete: true })).toBe("no runs");
    expect(rateLimitedText({ ...none, is_complete: false })).toBe("none seen");
  });

  test("divide the calls only when all of them are known", () => {
    expect(perRunText(768, RUNS)).toBe("4.8");
    expect(perRunText(800, RUNS)).toBe("5");
    expect(perRunText(16_000, { ...RUNS, completed: 16 })).toBe("1,000");
    expect(perRunText(768, { ...RUNS, is_complete: false })).toBe("not known");
    expect(perRunText(768, { ...RUNS, completed: 0 })).toBe("none completed");
  });
});

test("says how far the figure usually moves in a day", () => {
  expect(paceSentence(1163, 93, { typical: 0.041, pairs: 28 })).toBe(
    "At this pace: 1,163 calls a day, 93% of the allowance. Over the past 28 days, the figure 24 hours later differed by 4% (median).",
  );
  expect(paceSentence(1, null, { typical: 0, pairs: 14 })).toBe(
    "At this pace: 1 call a day. Over 14 of the past 28 days, the figure 24 hours later differed by less than 1% (median).",
  );
});

test("says what is still made with a slower schedule", () => {
  expect(slower.still(764, ALLOWANCE, 61)).toBe(
    "about 764 a day, 61% of the allowance (1,250 a day)",
  );
  expect(slower.still(764, null, null)).toBe("about 764 a day");
});

test("says why a change failed, and what to do", () => {
  const statuses = [0, 403, 404, 409, 500];
  const texts = statuses.map((status) => allowanceRefusal(status, "remove", "Procore"));
  expect(new Set(texts).size).toBe(statuses.length);
  expect(texts[2]).toContain("Procore");
  expect(texts[4]).toBe("Couldn’t remove the allowance. Try again.");
});

test("claims no change only of feeds with an earlier count", () => {
  const none = (compared: number, since: "day" | "week" = "day") =>
    largestChanges.none({ compared, feeds: 6 }, since);
  expect(none(6)).toBe("No feed’s calls have changed.");
  expect(none(4)).toBe("No change in the 4 of 6 feeds that have a count from then.");
  expect(none(0)).toBe("Not known: there are no counts from this time yesterday.");
  expect(none(0, "week")).toBe("Not known: there are no counts from this time a week ago.");
});

test("claims no rate-limited runs only of the checked time", () => {
  const [fromMs, untilMs] = [
    Date.parse("2026-11-22T18:00:00Z"),
    Date.parse("2026-11-29T18:00:00Z"),
  ];
  const since = (time: string) => ({ fromMs, untilMs: Date.parse(time) });
  const found = (unseen: { fromMs: number; untilMs: number }[], total = 0) =>
    rateLimited.found(total, unseen, { fromMs, untilMs }, "Europe/Oslo");
  expect(found([])).toBe("none");
  expect(found([since("2026-11-29T17:40:00Z")])).toBe("none since 18:40");
  expect(found([since("2026-11-28T17:40:00Z")])).toBe("none since Sat 18:40");
  expect(found([{ fromMs: fromMs + 60_000, untilMs }])).toBe("none seen");
  expect(found([since("2026-11-28T17:40:00Z"), { fromMs: untilMs - 60_000, untilMs }])).toBe(
    "none seen",
  );
  expect(found([{ fromMs, untilMs }])).toBe("none seen");
  expect([found([], 12), found([{ fromMs, untilMs }], 12)]).toEqual(["12", "12 seen"]);
});
