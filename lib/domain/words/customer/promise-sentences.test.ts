import { describe, expect, test } from "vitest";
import { agedRow, NOW_MS } from "@/lib/domain/row-fixture";
import { verdict } from "@/lib/domain/verdict";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { CustomerFeed, CustomerPromise } from "./feeds";
import { promiseSentences } from "./promise-sentences";
import { createReadingClock } from "./reading-clock";

const clockTime = (minutes: number) =>
  new Date(NOW_MS + minutes * MINUTE_MS).toISOString().slice(11, 16);

/** A feed whose data is that old; its promise is due in `dueMinutes`. */
function feed(
  key: string,
  ageMinutes: number,
  dueMinutes: number,
  given: Partial<CustomerPromise>,
): CustomerFeed {
  const row = agedRow(ageMinutes, { endpoint_key: key });
  const judgement = verdict(row, row.known, NOW_MS);
  return {
    endpointKey: key,
    judgement,
    word: judgement.word,
    promise: {
      due_at: new Date(NOW_MS + dueMinutes * MINUTE_MS).toISOString(),
      state: "open",
      late_seconds: null,
      late_at_most: false,
      ...given,
    },
  };
}
const say = (feeds: readonly CustomerFeed[], isBlind = false) =>
  promiseSentences(feeds, createReadingClock({ nowMs: NOW_MS, timeZone: "UTC" }), isBlind);
const BEHIND = 600;
const FRESH = 5;

describe("what was promised", () => {
  const [ahead, past] = [clockTime(40), clockTime(-20)];
  const situations: [string, number, number, Partial<CustomerPromise>, string][] = [
    [
      "at risk",
      FRESH,
      40,
      { state: "at_risk" },
      `New data is promised by ${ahead} UTC and may be late.`,
    ],
    ["open", BEHIND, 40, { state: "open" }, `New data is promised by ${ahead} UTC.`],
    [
      "missed",
      BEHIND,
      -20,
      { state: "missed" },
      `New data was promised by ${past} UTC and hasn’t arrived yet.`,
    ],
    [
      "late",
      FRESH,
      -20,
      { state: "missed", late_seconds: 600 },
      `New data was promised by ${past} UTC and arrived 10 minutes late.`,
    ],
    [
      "at most so late",
      FRESH,
      -20,
      { state: "missed", late_seconds: 600, late_at_most: true },
      `New data was promised by ${past} UTC and arrived at most 10 minutes late.`,
    ],
    [
      "met, and behind since",
      BEHIND,
      -20,
      { state: "met" },
      `The data promised by ${past} UTC arrived in time.`,
    ],
    [
      "not checked",
      BEHIND,
      -20,
      { state: "not_observed" },
      `New data was promised by ${past} UTC; we couldn’t check whether it arrived in time.`,
    ],
    [
      "just due",
      BEHIND,
      -20,
      { state: "open" },
      `New data was promised by ${past} UTC; we’re checking whether it arrived in time.`,
    ],
  ];
  test.each(situations)("%s", (_, age, due, promise, sentence) => {
    expect(say([feed("rfis", age, due, promise)])).toEqual([sentence]);
  });

  test("is left out where nothing is wrong, or the day is excused", () => {
    expect(
      say([feed("rfis", FRESH, 40, {}), feed("drawings", FRESH, -20, { state: "met" })]),
    ).toEqual([]);
    expect(say([feed("rfis", BEHIND, -20, { state: "excused" })])).toEqual([]);
  });

  test("is said once for feeds that are alike, and missed ones come first", () => {
    expect(
      say([
        feed("timecards", FRESH, 40, { state: "at_risk" }),
        feed("rfis", BEHIND, -20, { state: "missed" }),
        feed("drawings", BEHIND, -20, { state: "missed" }),
      ]),
    ).toEqual([
      `New data for RFIs and Drawings was promised by ${past} UTC and hasn’t arrived yet.`,
      `New data for Timecards is promised by ${ahead} and may be late.`,
    ]);
  });

  test("counts the rest of many", () => {
    const feeds = [10, 20, 30, 40, 50].map((due) =>
      feed("rfis", BEHIND, due, { state: "at_risk" }),
    );
    const said = say(feeds);
    expect(said).toHaveLength(4);
    expect(said[3]).toBe("Data was also promised for two more.");
  });

  test("isn't said to be on course or late while we can't see it", () => {
    const blind = (due: number, promise: Partial<CustomerPromise>) =>
      say([feed("rfis", BEHIND, due, promise)], true);
    expect(blind(40, { state: "at_risk" })).toEqual([
      `New data is promised by ${ahead} UTC; we can’t see right now whether it will arrive in time.`,
    ]);
    expect(blind(-20, { state: "open" })).toEqual([
      `New data was promised by ${past} UTC; we can’t see right now whether it has arrived.`,
    ]);
    expect(blind(-20, { state: "missed" })).toEqual([
      `New data was promised by ${past} UTC and hadn’t arrived then.`,
    ]);
  });
});
