import { describe, expect, test } from "vitest";
import { companyWords, customerWords, type CustomerPicture } from "./customer-words";
import type { CustomerFeed } from "./feeds";
import type { EndpointFacts, SyncAttributes } from "@/lib/domain/sync";
import { verdict } from "@/lib/domain/verdict";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const at = (minutes: number) => new Date(NOW_MS + minutes * MINUTE_MS).toISOString();

const ON_TIME: SyncAttributes = {
  endpoint_key: "submittals",
  partner_name: "Procore",
  status: "active",
  last_updated_at: at(-9),
  next_sync_at: at(21),
  last_sync_status: "completed",
  last_sync_started_at: at(-10),
  last_sync_finished_at: at(-9),
  last_sync_duration_seconds: 60,
  frequency_minutes: 30,
  api_calls_last_24h: 10,
};
const KNOWN: EndpointFacts = {
  typical_duration_seconds: 60,
  failures_in_a_row: 0,
  last_finished_status: "completed",
  last_finished_at: at(-9),
  learned_frequency_minutes: null,
  reported: true,
};

function feed(row: Partial<SyncAttributes> = {}, known: Partial<EndpointFacts> = {}): CustomerFeed {
  const attributes = { ...ON_TIME, ...row };
  const judgement = verdict(attributes, { ...KNOWN, ...known }, NOW_MS);
  return { endpointKey: attributes.endpoint_key, judgement, word: judgement.word };
}

const LATE = {
  endpoint_key: "daily_logs",
  last_updated_at: at(-130),
  next_sync_at: at(13),
  frequency_minutes: 60,
  last_sync_finished_at: at(-130),
};

function say(
  feeds: readonly CustomerFeed[],
  picture: Partial<CustomerPicture> = {},
  timeZone = "Europe/Oslo",
) {
  const whole = { confidence: "live", asOfMs: NOW_MS, silence: null, ...picture } as const;
  return customerWords("Procore", feeds, whole, { nowMs: NOW_MS, timeZone });
}

describe("one feed", () => {
  const situations: [string, CustomerFeed, string][] = [
    [
      "fresh",
      feed(),
      "Your Procore feed “Submittals” is up to date. What you see is from 14:23 CET. The next sync is scheduled for 14:53.",
    ],
    [
      "fresh by data that is dated in the future",
      feed({ last_updated_at: at(5) }),
      "Your Procore feed “Submittals” is up to date. The next sync is scheduled for 14:53 CET.",
    ],
    [
      "just due",
      feed({ last_updated_at: at(-30), next_sync_at: at(2) }),
      "New data for your Procore feed “Submittals” is due any minute. What you see is from 14:02 CET. The next sync is scheduled for 14:34.",
    ],
    [
      "due and overdue within the allowance",
      feed({ last_updated_at: at(-32), next_sync_at: at(2) }),
      "New data for your Procore feed “Submittals” is due any minute. What you see is from 14:00 CET. The next sync is scheduled for 14:34.",
    ],
    [
      "late",
      feed(LATE),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. The next attempt is scheduled for 14:45.",
    ],
    [
      "stale without a next sync",
      feed({ ...LATE, last_updated_at: at(-600), next_sync_at: null }),
      "Your Procore feed “Daily logs” is behind. What you see is from 04:32 CET; changes since then haven’t come through yet. No time is set for the next attempt; we’re monitoring it.",
    ],
    [
      "late with a run in progress that takes longer than usual",
      feed({ ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-2) }),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. A sync is running now; if it succeeds, you’ll see new data.",
    ],
    [
      "late with a run in progress",
      feed({ ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-0.5) }),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. A sync is running now; once it finishes you’ll see new data.",
    ],
    [
      "failing with another run in progress",
      feed(
        { ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-2) },
        {
          failures_in_a_row: 2,
          last_finished_status: "failed",
          last_finished_at: at(-20),
        },
      ),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. Its last two syncs failed. A sync is running now; if it succeeds, you’ll see new data.",
    ],
    [
      "failing after several runs",
      feed(
        { ...LATE, last_sync_status: "timed_out", last_sync_finished_at: at(-11) },
        { failures_in_a_row: 5 },
      ),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. Its last five syncs failed. The next attempt is scheduled for 14:45.",
    ],
    [
      "failing after one run",
      feed({ ...LATE, last_sync_status: "failed", last_sync_finished_at: at(-11) }),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. Its last sync didn’t complete. The next attempt is scheduled for 14:45.",
    ],
    [
      "failing without any data",
      feed(
        { last_updated_at: null, last_sync_status: "failed", next_sync_at: at(5) },
        { failures_in_a_row: 1 },
      ),
      "Your Procore feed “Submittals” is behind. We haven’t seen any data yet. Its last sync didn’t complete. The next attempt is scheduled for 14:37 CET.",
    ],
    [
      "stuck",
      feed({ ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-125) }),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. A sync that normally takes up to 1 minute has been running for 2 hours. The next attempt is scheduled for 14:45.",
    ],
    [
      "late and rate limited",
      feed({ ...LATE, last_sync_status: "rate_limited", last_sync_finished_at: at(-11) }),
      "Your Procore feed “Daily logs” is behind. What you see is from 12:22 CET; changes since then haven’t come through yet. Procore limits how many requests we can make, and the last sync reached that limit. The next attempt is scheduled for 14:45.",
    ],
    [
      "webhook",
      feed({ status: "webhook", endpoint_key: "rfis" }),
      "Your Procore feed “RFIs” updates in real time. What you see is from 14:23 CET.",
    ],
    [
      "webhook without any data",
      feed({ status: "webhook", endpoint_key: "rfis", last_updated_at: null }),
      "Your Procore feed “RFIs” updates in real time. We haven’t seen any changes yet.",
    ],
    [
      "paused",
      feed({ status: "inactive" }),
      "Your Procore feed “Submittals” is turned off in Procore, so no new data is expected. Nothing is scheduled until it’s turned back on.",
    ],
    [
      "unknown, without the time of its data, after runs that were rate limited",
      feed({ endpoint_key: "pci", last_updated_at: null, last_sync_status: "rate_limited" }),
      "We can’t say right now whether your Procore feed “PCI” is up to date: the source doesn’t say when data last arrived. Procore limits how many requests we can make, and the last sync reached that limit. The next sync is scheduled for 14:53 CET.",
    ],
    [
      "unknown, never synced",
      feed(
        {
          last_updated_at: null,
          next_sync_at: null,
          last_sync_status: null,
          last_sync_started_at: null,
          last_sync_finished_at: null,
        },
        { last_finished_status: null, last_finished_at: null },
      ),
      "We can’t say right now whether your Procore feed “Submittals” is up to date: no sync has run yet. No time is set for the next sync; we’re monitoring it.",
    ],
  ];

  test.each(situations)("%s", (_, one, paragraph) => {
    expect(say([one]).paragraph).toBe(paragraph);
  });
});

describe("a next sync that has just passed", () => {
  const next = (row: Partial<SyncAttributes>) => say([feed(row)]).paragraph;

  test("is expected to start soon while within the allowance", () => {
    expect(next({ last_updated_at: at(-31), next_sync_at: at(-1) })).toMatch(
      /The next sync was due at 14:31 and should start soon\.$/,
    );
    expect(next({ ...LATE, next_sync_at: at(-2) })).toMatch(
      /The next attempt was due at 14:30 and should start soon\.$/,
    );
  });

  test("is only reported as not seen beyond the allowance", () => {
    const before = { ...LATE, last_sync_started_at: at(-3001) };
    expect(next({ ...before, next_sync_at: at(-40) })).toMatch(
      /The next attempt was due at 13:52 and hasn’t started; we’re monitoring it\.$/,
    );
    expect(next({ ...before, last_updated_at: at(-3000), next_sync_at: at(-1500) })).toMatch(
      /The next attempt was due Wednesday 13:32 and hasn’t started; we’re monitoring it\.$/,
    );
    expect(
      next({
        ...LATE,
        last_sync_started_at: at(-20_001),
        last_updated_at: at(-20_000),
        next_sync_at: at(-7 * 1440),
      }),
    ).toMatch(
      /The next attempt was due on Thu 12 Nov at 14:32 and hasn’t started; we’re monitoring it\.$/,
    );
  });

  test("is over once a run has started or data has arrived since", () => {
    const started = { last_sync_started_at: at(-1), last_sync_finished_at: at(-1) };
    expect(next({ ...LATE, ...started, last_sync_status: "failed", next_sync_at: at(-2) })).toMatch(
      /No time is set for the next attempt; we’re monitoring it\.$/,
    );
    expect(next({ next_sync_at: at(-9) })).toMatch(
      /No time is set for the next sync; we’re monitoring it\.$/,
    );
  });

  test("is separated from those still to come, with several feeds", () => {
    const late = (endpoint_key: string, minutes: number) =>
      feed({
        ...LATE,
        endpoint_key,
        next_sync_at: at(minutes),
        last_sync_started_at: at(-131),
      });
    expect(say([late("drawings", -2), late("pci", 4), late("rfis", 9)]).paragraph).toMatch(
      /The next attempt of Drawings was due at 14:30 and should start soon\. The next attempts of PCI and RFIs are scheduled between 14:36 and 14:41\.$/,
    );
    expect(say([late("drawings", -50), late("pci", 4)]).paragraph).toMatch(
      /The next attempt of Drawings was due at 13:42 and hasn’t started; we’re monitoring it\. The next attempt of PCI is scheduled for 14:36\.$/,
    );
    expect(say([late("drawings", -2), late("pci", -50), late("rfis", -60)]).paragraph).toMatch(
      /The next attempt of Drawings was due at 14:30 and should start soon\. The next attempts of PCI and RFIs were due by 13:42 and haven’t started; we’re monitoring it\.$/,
    );
  });

  test("is omitted for a feed that the source no longer lists", () => {
    const gone = feed({ ...LATE, next_sync_at: at(4) }, { reported: false });
    expect(say([gone]).paragraph).toMatch(/No time is set for the next sync/);
  });
});

describe("several feeds", () => {
  const late = (endpoint_key: string, minutes: number, row: Partial<SyncAttributes> = {}) =>
    feed({ ...LATE, endpoint_key, last_updated_at: at(-60 - minutes), ...row });

  test("reports those behind, and nothing of what isn’t wrong", () => {
    const { paragraph, writtenFrom } = say([
      feed(LATE),
      late("timecards", 44, { next_sync_at: at(4) }),
      late("observations", 21, { next_sync_at: at(9) }),
      feed(),
      feed({ endpoint_key: "drawings" }),
      feed({ endpoint_key: "rfis", status: "webhook" }),
      feed({ endpoint_key: "old", status: "inactive" }),
    ]);
    expect(paragraph).toBe(
      "Three of your seven Procore feeds are behind: Daily logs, Timecards and Observations. Daily logs are furthest behind: what you see there is from 12:22 CET; changes since then haven’t come through yet. Timecards are 44 minutes overdue and Observations 21 minutes. The next attempts are scheduled between 14:36 and 14:45.",
    );
    expect(writtenFrom).toBe(
      "Based on data as of 14:32:07 CET, Thu 19 Nov 2026. No cause is known.",
    );
  });

  test("names the only one behind", () => {
    expect(say([feed(LATE), feed()]).paragraph).toMatch(
      /^One of your two Procore feeds, Daily logs, is behind\. The Daily logs you see are from 12:22 CET;/,
    );
  });

  test("gives a range instead of a list for many behind", () => {
    const feeds = [feed(LATE), ...[50, 40, 30, 20].map((minutes) => late(`m${minutes}`, minutes))];
    expect(say(feeds).paragraph).toContain(
      "All five of your Procore feeds are behind. Daily logs are furthest behind",
    );
    expect(say(feeds).paragraph).toContain(
      "The other four are between 20 minutes and 50 minutes overdue.",
    );
  });

  test("calls neither of two equally overdue feeds the furthest behind", () => {
    const HOURS = { frequency_minutes: 120 };
    expect(
      say([feed(LATE), late("photos", 130, HOURS), late("rfis", 130, HOURS)]).paragraph,
    ).toContain(
      "For Daily logs, what you see is from 12:22 CET; changes since then haven’t come through yet. Photos and RFIs are 1 hour 10 minutes overdue.",
    );
  });

  test("reports one behind without any data", () => {
    const { paragraph } = say([
      feed(LATE),
      feed({ endpoint_key: "pci", last_updated_at: null, last_sync_status: "failed" }),
    ]);
    expect(paragraph).toContain("We haven’t seen any data for PCI yet.");
  });

  test("reports all on time", () => {
    expect(say([feed(), feed({ endpoint_key: "drawings" })]).paragraph).toBe(
      "Both of your Procore feeds are up to date. The next sync is scheduled for 14:53 CET.",
    );
  });

  test("excludes feeds overdue within their allowance from the number up to date", () => {
    const due = feed({ endpoint_key: "drawings", last_updated_at: at(-36) });
    expect(say([feed(), feed({ endpoint_key: "rfis" }), due]).paragraph).toContain(
      "Two of your three Procore feeds are up to date. Drawings is due now. The next sync is scheduled for",
    );
    const { paragraph } = say([feed(LATE), feed(), due]);
    expect(paragraph).not.toMatch(/up to date|Drawings|due now/);
    expect(say([due, due]).paragraph).toContain(
      "New data is due now for both of your Procore feeds. They’re up to 6 minutes overdue.",
    );
    expect(say([due, feed({ status: "inactive" })]).paragraph).toContain(
      "Drawings is due now. One is turned off in Procore.",
    );
  });

  test("feeds that failed alike are reported once", () => {
    const failed = (endpoint_key: string) =>
      feed({
        ...LATE,
        endpoint_key,
        next_sync_at: at(-70),
        last_sync_started_at: at(-130),
        last_sync_status: "failed",
        last_sync_finished_at: at(-129),
      });
    expect(say(["drawings", "pci", "rfis"].map(failed).concat(feed())).paragraph).toBe(
      "Three of your four Procore feeds are behind: Drawings, PCI and RFIs. What you see there is from 12:22 CET. Their last syncs didn’t complete. The next attempts were due at 13:22 and haven’t started; we’re monitoring it.",
    );
    expect(say([failed("drawings"), failed("pci"), late("rfis", 70)]).paragraph).toContain(
      "The last syncs of Drawings and PCI didn’t complete.",
    );
  });

  test("attempts of all feeds behind are told, however many there are", () => {
    const running = { last_sync_status: "in_progress", last_sync_started_at: at(-600) };
    const quiet = [60, 50, 40, 30, 25].map((minutes) => late(`m${minutes}`, minutes));
    const last = (row: Partial<SyncAttributes>) => say([...quiet, late("rfis", 20, row)]).paragraph;
    expect(last({ last_sync_status: "failed", last_sync_finished_at: at(-11) })).toContain(
      "The last sync of RFIs didn’t complete.",
    );
    expect(last(running)).toContain("An RFI sync that normally takes up to 1 minute has been");
    const stuck = (many: number) =>
      say(quiet.slice(0, many).map((_, index) => late(`s${index}`, 20, running))).paragraph;
    expect(stuck(4).match(/has been running for 10 hours\./g)).toHaveLength(4);
    expect(stuck(5)).toContain("Syncs of five feeds are taking longer than usual.");
    expect(stuck(5)).not.toContain("has been running");
  });

  test("a run is compared with how long it usually takes", () => {
    const running = { ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-672) };
    const stuck = (seconds: number | null) =>
      say([
        feed({ ...running, endpoint_key: "rfis" }, { typical_duration_seconds: seconds }),
        feed(),
      ]).paragraph;
    expect(stuck(40)).toContain(
      "An RFI sync that normally takes under a minute has been running for 11 hours.",
    );
    expect(stuck(700)).toContain("An RFI sync that normally takes up to 12 minutes has been");
  });

  test("names whose attempt comes next after a sentence about another feed", () => {
    const unknown = feed({ endpoint_key: "pci", frequency_minutes: null, next_sync_at: null });
    const behind = (endpoint_key: string, minutes: number) =>
      feed({ ...LATE, endpoint_key, next_sync_at: at(minutes) });
    expect(say([behind("drawings", 13), unknown, feed()]).paragraph).toMatch(
      /We can’t say whether PCI is up to date: .+ The next attempt of Drawings is scheduled for 14:45\.$/,
    );
    expect(say([behind("drawings", 13), behind("rfis", 15), unknown]).paragraph).toMatch(
      /The next attempts of Drawings and RFIs are scheduled between 14:45 and 14:47\.$/,
    );
    expect(say([behind("drawings", -2), unknown]).paragraph).toMatch(
      /The next attempt of Drawings was due at 14:30 and should start soon\.$/,
    );
    const unscheduled = feed({ ...LATE, endpoint_key: "drawings", next_sync_at: null });
    expect(say([unscheduled, unknown]).paragraph).toMatch(
      /No time is set for the next attempt of Drawings; we’re monitoring it\.$/,
    );
  });

  test("reports nothing behind and one that can't be judged", () => {
    const { paragraph } = say([
      feed({ endpoint_key: "pci", frequency_minutes: null, next_sync_at: null }),
      feed(),
      feed({ endpoint_key: "drawings" }),
    ]);
    expect(paragraph).toBe(
      "Two of your three Procore feeds are up to date, and none is known to be behind. We can’t say whether PCI is up to date: the last data is from 14:23 CET, and we don’t know how often to expect more. The next sync is scheduled for 14:53.",
    );
  });

  test("reports one that the API no longer lists", () => {
    const { paragraph } = say([feed({ endpoint_key: "gone" }, { reported: false }), feed()]);
    expect(paragraph).toContain(
      "We can’t say whether Gone is up to date: the source no longer lists it.",
    );
  });

  test("uses plural verbs for plural names", () => {
    const gone = (endpoint_key: string) => feed({ endpoint_key }, { reported: false });
    expect(say([gone("daily_logs"), feed()]).paragraph).toContain(
      "We can’t say whether Daily logs are up to date: the source no longer lists them.",
    );
    expect(say(["a", "b", "c", "d", "e", "f"].map(gone)).paragraph).toContain(
      "We can’t say right now whether your six Procore feeds are up to date: the source no longer lists them.",
    );
  });

  test("gives no cause but one from the data", () => {
    const limited = late("timecards", 44, {
      last_sync_status: "rate_limited",
      last_sync_finished_at: at(-2),
    });
    const { paragraph, writtenFrom } = say([limited, feed()]);
    expect(paragraph).toContain(
      "Procore limits how many requests we can make, and the last sync of Timecards reached that limit.",
    );
    expect(writtenFrom).toContain("Rate limiting is the only known cause.");
    const other = feed({
      endpoint_key: "rfis",
      last_updated_at: null,
      last_sync_status: "rate_limited",
      last_sync_finished_at: at(-2),
    });
    expect(say([late("timecards", 44), other]).writtenFrom).toContain("No cause is known.");
    expect(say([other, feed()]).writtenFrom).toContain("Rate limiting is the only known cause.");
  });

  test("speaks of no cause where nothing is behind", () => {
    const limited = { last_sync_status: "rate_limited", last_sync_finished_at: at(-2) };
    const { writtenFrom } = say([
      feed(limited),
      feed({ endpoint_key: "pci", last_updated_at: null }),
      feed({ endpoint_key: "rfis", status: "webhook" }),
      feed({ endpoint_key: "old", status: "inactive" }),
    ]);
    expect(writtenFrom).toBe("Based on data as of 14:32:07 CET, Thu 19 Nov 2026.");
  });

  test("mentions running syncs before scheduled ones", () => {
    const running = { last_sync_status: "in_progress", last_sync_started_at: at(-1) };
    expect(say([late("a", 40, running), late("b", 30, running), feed()]).paragraph).toMatch(
      /Syncs of A and B are running now; as they finish you’ll see new data\.$/,
    );
  });

  test("reports all switched off and all by webhook", () => {
    const off = feed({ status: "inactive" });
    expect(say([off, off]).paragraph).toBe(
      "Both of your Procore feeds are turned off in Procore, so no new data is expected. Nothing is scheduled until they’re turned back on.",
    );
    const pushed = feed({ status: "webhook" });
    expect(say([pushed, pushed]).paragraph).toBe("Both of your Procore feeds update in real time.");
  });
});

describe("missing observations", () => {
  const asOfMs = NOW_MS - 30 * MINUTE_MS;
  const due = feed({ last_updated_at: at(-36) });

  test("when blind, give the last known state, say that later ones are unknown, and that checks continue", () => {
    expect(say([feed(LATE), feed(), due], { confidence: "blind", asOfMs }).paragraph).toBe(
      "We haven’t been able to check Procore since 14:02 CET. At that point, one of your three feeds, Daily logs, was behind. We don’t know what has changed since. We’re still checking.",
    );
    expect(say([feed(LATE)], { confidence: "blind", asOfMs }).paragraph).toBe(
      "We haven’t been able to check your Procore feed “Daily logs” since 14:02 CET. It was behind then. We don’t know what has changed since. We’re still checking.",
    );
    expect(say([feed(), feed()], { confidence: "blind", asOfMs }).paragraph).toContain(
      "At that point, both of your feeds were up to date.",
    );
  });

  test("don't call data up to date if its frozen verdict is outdated", () => {
    const frozen = { ...due, word: "fresh" as const };
    expect(say([frozen], { confidence: "blind", asOfMs }).paragraph).toContain(
      "It was due for an update then.",
    );
  });

  test("don't claim that checks failed in a browser without a connection", () => {
    const { paragraph, writtenFrom } = say([feed(LATE), feed()], {
      confidence: "blind",
      asOfMs,
      silence: "no_answer",
    });
    expect(paragraph).toBe(
      "Our latest information about Procore is from 14:02 CET. At that point, one of your two feeds, Daily logs, was behind. We don’t know what has changed since.",
    );
    expect(writtenFrom).toMatch(
      /^This browser has lost its connection to Plumbline, so there may be newer data\. Based on data as of 14:02:07 CET/,
    );
    expect(say([feed()], { asOfMs: null, confidence: "blind", silence: "no_answer" })).toEqual({
      paragraph: "We don’t have any information about Procore yet.",
      writtenFrom:
        "This browser has lost its connection to Plumbline, so there may be newer data. There’s no data to base this on yet.",
    });
  });

  test("add the time of the data when it is delayed", () => {
    const late = { confidence: "delayed", asOfMs: NOW_MS - 3 * MINUTE_MS } as const;
    expect(say([feed()], late).paragraph).toBe(
      "Your Procore feed “Submittals” is up to date. What you see is from 14:23 CET. The next sync is scheduled for 14:53. All of this is as of 14:29.",
    );
  });

  test("claim nothing before the first read", () => {
    const { paragraph, writtenFrom } = say([feed()], { confidence: "blind", asOfMs: null });
    expect(paragraph).toBe("We haven’t been able to check Procore yet. We’re still checking.");
    expect(writtenFrom).toBe("There’s no data to base this on yet.");
  });

  test("show times in the reader's zone, named once, with the date on other days", () => {
    const { paragraph } = say(
      [feed({ ...LATE, last_updated_at: at(-26 * 60) })],
      undefined,
      "America/New_York",
    );
    expect(paragraph).toContain("What you see is from Wed 18 Nov, 06:32 EST;");
    expect(paragraph).toContain("scheduled for 08:45.");
    expect(paragraph.match(/EST/g)).toHaveLength(1);
  });

  test("name the zone again if its name changed in between", () => {
    const { paragraph } = say(
      [feed({ ...LATE, last_updated_at: at(-40 * 24 * 60) })],
      undefined,
      "America/New_York",
    );
    expect(paragraph).toContain("from Sat 10 Oct, 09:32 EDT;");
    expect(paragraph).toContain("scheduled for 08:45 EST.");
  });

  test("never contain internal terms, field names or unfinished sentences", () => {
    const statuses = [
      "completed",
      "failed",
      "timed_out",
      "in_progress",
      "rate_limited",
      null,
      "odd",
    ];
    for (const last_sync_status of statuses)
      for (const status of ["active", "inactive", "webhook", "odd"])
        for (const last_updated_at of [at(-9), at(-130), at(-1300), at(30), null])
          for (const confidence of ["live", "delayed", "blind"] as const) {
            const one = feed({ last_sync_status, status, last_updated_at });
            for (const feeds of [[one], [one, one], [one, feed(), feed(LATE)]])
              for (const silence of [null, "offline"] as const) {
                const { paragraph } = say(feeds, { confidence, asOfMs: NOW_MS, silence });
                expect(paragraph).not.toMatch(
                  /verdict|cadence|landed|_|undefined|null|NaN|[.:;,]{2}| {2}|GMT/,
                );
                expect(paragraph).toMatch(/^[A-Z].*[.]$/);
                // Up to date means not overdue at all.
                const current = feeds.filter(
                  ({ word, judgement }) =>
                    word === "fresh" && (judgement.terms.latenessMs ?? 0) < 0,
                );
                if (current.length === 0)
                  expect(paragraph).not.toMatch(/(?<!whether .*)up to date/);
              }
          }
  });
});

describe("sentences read with customer success", () => {
  const TUESDAY_MS = Date.parse("2026-11-24T13:20:07Z");
  const told = (partner: string, rows: readonly Partial<SyncAttributes>[], facts = KNOWN) => {
    const feeds = rows.map((row) => {
      const attributes = { ...ON_TIME, ...row };
      const judgement = verdict(attributes, facts, TUESDAY_MS);
      return { endpointKey: attributes.endpoint_key, judgement, word: judgement.word };
    });
    const picture = { confidence: "live", asOfMs: TUESDAY_MS, silence: null } as const;
    const when = { nowMs: TUESDAY_MS, timeZone: "Europe/Oslo" };
    return customerWords(partner, feeds, picture, when);
  };
  const fresh = {
    last_updated_at: "2026-11-24T13:11:00Z",
    next_sync_at: "2026-11-24T13:41:00Z",
    last_sync_started_at: "2026-11-24T13:10:00Z",
    last_sync_finished_at: "2026-11-24T13:11:00Z",
  };
  const late = { ...fresh, endpoint_key: "rfis", last_updated_at: "2026-11-24T10:46:00Z" };
  const FIVE = Array.from({ length: 5 }, (_, n) => ({ ...fresh, endpoint_key: `f${n}` }));

  test("one feed behind is named with its time", () => {
    expect(told("X", [late, ...FIVE]).paragraph).toMatch(
      /^One of your six X feeds, RFIs, is behind\. The RFIs you see are from 11:46 CET; changes since then haven’t come through yet\./,
    );
  });

  test("a run that takes too long is compared with its usual time", () => {
    const running = {
      ...late,
      last_sync_status: "in_progress",
      last_sync_started_at: "2026-11-24T02:08:00Z",
    };
    const facts = { ...KNOWN, typical_duration_seconds: 40 };
    expect(told("X", [running, ...FIVE], facts).paragraph).toContain(
      "An RFI sync that normally takes under a minute has been running for 11 hours.",
    );
  });

  test("failed runs are counted, and said to have failed", () => {
    const failing = {
      ...late,
      endpoint_key: "business_processes",
      last_sync_status: "failed",
      last_sync_finished_at: "2026-11-24T13:00:00Z",
    };
    const facts = { ...KNOWN, failures_in_a_row: 24 };
    expect(told("X", [failing, fresh], facts).paragraph).toContain(
      "The last 24 syncs of Business processes failed.",
    );
    // None of the runs that were read completed.
    const most = { ...facts, failures_in_a_row: 100, typical_duration_seconds: null };
    expect(told("X", [failing, fresh], most).paragraph).toContain(
      "At least the last 100 syncs of Business processes failed.",
    );
    expect(told("X", [failing], most).paragraph).toContain("At least its last 100 syncs failed.");
  });

  test("what is due is told in a few words, and only while nothing is behind", () => {
    const due = {
      ...fresh,
      last_updated_at: "2026-11-24T12:49:07Z",
      next_sync_at: "2026-11-24T13:22:00Z",
    };
    expect(told("X", [due, ...FIVE]).paragraph).toContain("Submittals is due any minute.");
    expect(told("X", [late, due]).paragraph).not.toMatch(/due any minute|Submittals/);
    const waiting = { ...fresh, last_updated_at: "2026-11-24T12:44:00Z", next_sync_at: null };
    const eight = { ...waiting, last_updated_at: "2026-11-24T12:42:00Z", endpoint_key: "pci" };
    expect(told("X", [waiting, eight, ...FIVE]).paragraph).toContain(
      "Submittals and PCI are due now. They’re up to 8 minutes overdue.",
    );
  });

  test("several failing feeds are told in one go, and the feeds without trouble not at all", () => {
    const failing = (endpoint_key: string) => ({
      endpoint_key,
      frequency_minutes: 1440,
      last_updated_at: "2026-11-21T11:15:00Z",
      next_sync_at: "2026-11-22T11:15:00Z",
      last_sync_status: "failed",
      last_sync_started_at: "2026-11-21T12:00:00Z",
      last_sync_finished_at: "2026-11-21T12:01:00Z",
    });
    const rows = ["a", "b", "c", "d"].map(failing);
    expect(told("Procore", [...rows, ...FIVE.slice(0, 3)]).paragraph).toBe(
      "Four of your seven Procore feeds are behind: A, B, C and D. What you see there is from Sat 21 Nov, 12:15 CET. Their last syncs didn’t complete. The next attempts were due Sunday 12:15 and haven’t started; we’re monitoring it.",
    );
  });

  test("feeds without a schedule or turned off are told by what they do", () => {
    const rfis = { ...fresh, endpoint_key: "rfis", status: "webhook" };
    const off = { ...fresh, endpoint_key: "old", status: "inactive" };
    const paragraph = told("Viewpoint Vista", [fresh, rfis, off]).paragraph;
    expect(paragraph).toContain(
      "RFIs update in real time and one is turned off in Viewpoint Vista.",
    );
    expect(told("X", [fresh, rfis]).paragraph).toContain("RFIs update in real time.");
  });

  test("the limit on requests is the partner’s", () => {
    const limited = {
      ...late,
      last_sync_status: "rate_limited",
      last_sync_finished_at: "2026-11-24T13:00:00Z",
    };
    expect(told("Procore", [limited]).paragraph).toContain(
      "Procore limits how many requests we can make, and the last sync reached that limit.",
    );
  });

  test("a note says that no cause is known", () => {
    expect(told("X", [late]).writtenFrom).toMatch(/No cause is known\.$/);
  });
});

describe("some feeds of a partner", () => {
  test("are counted among all of its feeds, of which nothing else is claimed", () => {
    const picture = { confidence: "live", asOfMs: NOW_MS, silence: null } as const;
    const when = { nowMs: NOW_MS, timeZone: "Europe/Oslo" };
    const two = [feed(LATE), feed({ ...LATE, endpoint_key: "rfis" })];
    const of = (confidence: "live" | "blind") =>
      customerWords("Procore", two, { ...picture, confidence }, when, 9).paragraph;
    expect(of("live")).toMatch(/^Two of your nine Procore feeds are behind: Daily logs and RFIs\./);
    expect(of("blind")).toContain(
      "At that point, two of your nine feeds were behind: Daily logs and RFIs.",
    );
  });
});

test("checks are only said to continue while they do", () => {
  const blind = { confidence: "blind", asOfMs: NOW_MS - 30 * 60_000 } as const;
  expect(say([feed()], blind).paragraph).toContain("We’re still checking.");
  for (const more of [{ isResting: true }, { silence: "no_answer" as const }])
    for (const asOfMs of [blind.asOfMs, null])
      expect(say([feed()], { ...blind, asOfMs, ...more }).paragraph).not.toContain("checking.");
});

describe("all feeds of a customer", () => {
  const whole = (
    partners: Record<string, readonly CustomerFeed[]>,
    picture: Partial<CustomerPicture> = {},
  ) =>
    companyWords(
      Object.entries(partners).map(([partnerName, feeds]) => ({ partnerName, feeds })),
      { confidence: "live", asOfMs: NOW_MS, silence: null, ...picture },
      { nowMs: NOW_MS, timeZone: "Europe/Oslo" },
    ).paragraph;
  const unjudged = feed({ endpoint_key: "pci", frequency_minutes: null, next_sync_at: null });

  test("names each partner with feeds behind, and none without", () => {
    expect(
      whole({
        Aconex: [feed(), feed()],
        Procore: [feed(LATE), feed()],
        Vista: [feed(LATE), feed({ ...LATE, endpoint_key: "rfis" }), unjudged],
        P6: [unjudged],
      }),
    ).toBe(
      "Three of your eight feeds are behind, across Vista and Procore. Two of your three Vista feeds are behind: Daily logs and RFIs. What you see there is from 12:22 CET. We can’t say whether PCI is up to date: the last data is from 14:23, and we don’t know how often to expect more. The next attempts of Daily logs and RFIs are scheduled for 14:45. One of your two Procore feeds, Daily logs, is behind. The Daily logs you see are from 12:22; changes since then haven’t come through yet. The next attempt is scheduled for 14:45. We can’t say right now whether one P6 feed is up to date.",
    );
  });

  test("is the partner’s paragraph where only one partner is in trouble", () => {
    expect(whole({ Procore: [feed(LATE), feed()], Aconex: [feed()] })).toBe(
      say([feed(LATE), feed()]).paragraph,
    );
  });

  test("mentions every partner in trouble, the first four with details", () => {
    const names = ["A", "B", "C", "D", "E", "F"];
    const paragraph = whole(Object.fromEntries(names.map((name) => [name, [feed(LATE), feed()]])));
    expect(paragraph).toMatch(/^Six of your twelve feeds are behind, across six partners\./);
    for (const name of names)
      expect(paragraph).toContain(`One of your two ${name} feeds, Daily logs, is behind.`);
    expect(paragraph.match(/The Daily logs you see/g)).toHaveLength(4);
  });

  test("counts what is up to date only while nothing is behind", () => {
    const due = feed({ endpoint_key: "drawings", last_updated_at: at(-36) });
    expect(whole({ Procore: [feed(), feed()], Aconex: [feed()] })).toBe(
      "All three of your feeds are up to date.",
    );
    expect(whole({ Procore: [feed(), due], Aconex: [feed(), unjudged] })).toBe(
      "Two of your four feeds are up to date, and none is known to be behind. One is due for an update. We can’t say right now whether one Aconex feed is up to date.",
    );
    expect(whole({ Procore: [unjudged], Aconex: [unjudged, unjudged] })).toBe(
      "None of your three feeds is known to be behind. We can’t say right now whether one Procore feed and two Aconex feeds are up to date.",
    );
  });

  test("is the last known state while the company can’t be checked", () => {
    const asOfMs = NOW_MS - 30 * MINUTE_MS;
    const partners = { Procore: [feed(LATE), feed()], Aconex: [feed(LATE)], P6: [feed()] };
    expect(whole(partners, { confidence: "blind", asOfMs })).toBe(
      "We haven’t been able to check your feeds since 14:02 CET. At that point, two of your four feeds were behind: one Procore feed and one Aconex feed. We don’t know what has changed since. We’re still checking.",
    );
    expect(whole(partners, { confidence: "delayed", asOfMs })).toMatch(
      /All of this is as of 14:02\.$/,
    );
    expect(whole(partners, { confidence: "blind", asOfMs: null })).toBe(
      "We haven’t been able to check your feeds yet. We’re still checking.",
    );
  });
});

describe("feeds that are on time only by their learned week", () => {
  // A Thursday.
  const week = (until: string) => ({
    time_zone: "UTC",
    spans: [{ from: "thu 00:00", until }],
    since: at(-90_000),
  });
  const resting = (endpoint_key: string, until = "sat 00:00") =>
    feed(
      { endpoint_key, last_updated_at: at(-820), next_sync_at: at(2_200) },
      { learned_week: week(until) },
    );
  const next = "The next sync is scheduled for Sat 21 Nov, 03:12";

  test("aren’t called up to date", () => {
    expect(say([resting("submittals")]).paragraph).toBe(
      `No new data is expected yet for your Procore feed “Submittals”: judging by its history, it’s quiet on Thu and Fri, UTC. What you see is from 00:52 CET. ${next}.`,
    );
    expect(say([resting("rfis"), resting("drawings")]).paragraph).toBe(
      `No new data is expected yet for either of your Procore feeds: judging by their history, they’re quiet on Thu and Fri, UTC. ${next} CET.`,
    );
    const others = [resting("drawings"), resting("rfis", "sun 00:00"), resting("pci")];
    expect(say(others).paragraph).toMatch(
      /^No new data is expected yet for any of your Procore feeds: judging by their history, they’re quiet at certain times of the week\. The/,
    );
    expect(say([feed(), resting("rfis")]).paragraph).toMatch(
      /^One of your two Procore feeds is up to date, and none is behind\. No new data is expected yet for RFIs: judging by their history, they’re quiet on Thu and Fri, UTC\. The/,
    );
  });

  test("aren’t counted as up to date among those of several partners, or in the past", () => {
    const partners = [
      { partnerName: "Procore", feeds: [feed(), resting("rfis")] },
      { partnerName: "Vista", feeds: [feed()] },
    ];
    const seen = { confidence: "live", asOfMs: NOW_MS, silence: null } as const;
    const when = { nowMs: NOW_MS, timeZone: "Europe/Oslo" };
    expect(companyWords(partners, seen, when).paragraph).toBe(
      "Two of your three feeds are up to date, and none is behind. No new data is expected yet for one feed: judging by its history, it’s quiet at certain times of the week.",
    );
    expect(say([resting("rfis")], { confidence: "blind" }).paragraph).toContain(
      "It was not yet due for an update then.",
    );
  });
});
