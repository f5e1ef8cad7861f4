import { describe, expect, test } from "vitest";
import { customerWords, type CustomerFeed } from "./customer-words";
import type { Confidence, Known, SyncAttributes } from "./sync";
import { verdict } from "./verdict";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const MINUTE_MS = 60_000;
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
const KNOWN: Known = {
  typical_duration_seconds: 60,
  failures_in_a_row: 0,
  last_finished_status: "completed",
  last_finished_at: at(-9),
  learned_frequency_minutes: null,
  reported: true,
};

function feed(row: Partial<SyncAttributes> = {}, known: Partial<Known> = {}): CustomerFeed {
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
  picture: { confidence: Confidence; asOfMs: number | null } = {
    confidence: "live",
    asOfMs: NOW_MS,
  },
  timeZone = "Europe/Oslo",
) {
  return customerWords("Procore", feeds, picture, { nowMs: NOW_MS, timeZone });
}

describe("one feed", () => {
  const situations: [string, CustomerFeed, string][] = [
    [
      "fresh",
      feed(),
      "Your Procore feed “submittals” is up to date. What you see is from 14:23 CET. The next sync is planned for 14:53.",
    ],
    [
      "due",
      feed({ last_updated_at: at(-32), next_sync_at: at(2) }),
      "Your Procore feed “submittals” is up to date. What you see is from 14:00 CET, and new data is due now. The next sync is planned for 14:34.",
    ],
    [
      "late",
      feed(LATE),
      "Your Procore feed “daily logs” is behind. What you see is from 12:22 CET, so changes made since then are not in yet. The next attempt is planned for 14:45.",
    ],
    [
      "stale and without a plan",
      feed({ ...LATE, last_updated_at: at(-600), next_sync_at: null }),
      "Your Procore feed “daily logs” is behind. What you see is from 04:32 CET, so changes made since then are not in yet. When the next attempt runs is not known; we keep watching.",
    ],
    [
      "late while a run is under way",
      feed({ ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-2) }),
      "Your Procore feed “daily logs” is behind. What you see is from 12:22 CET, so changes made since then are not in yet. A sync is running now; if it completes, the new data is in.",
    ],
    [
      "failing after several runs",
      feed(
        { ...LATE, last_sync_status: "timed_out", last_sync_finished_at: at(-11) },
        { failures_in_a_row: 5 },
      ),
      "Your Procore feed “daily logs” is behind. What you see is from 12:22 CET, so changes made since then are not in yet. Its last five syncs did not complete. The next attempt is planned for 14:45.",
    ],
    [
      "failing after one run",
      feed({ ...LATE, last_sync_status: "failed", last_sync_finished_at: at(-11) }),
      "Your Procore feed “daily logs” is behind. What you see is from 12:22 CET, so changes made since then are not in yet. Its last sync did not complete. The next attempt is planned for 14:45.",
    ],
    [
      "failing with nothing landed",
      feed(
        { last_updated_at: null, last_sync_status: "failed", next_sync_at: at(5) },
        { failures_in_a_row: 1 },
      ),
      "Your Procore feed “submittals” is behind. No data has arrived that we know of. Its last sync did not complete. The next attempt is planned for 14:37 CET.",
    ],
    [
      "stuck",
      feed({ ...LATE, last_sync_status: "in_progress", last_sync_started_at: at(-125) }),
      "Your Procore feed “daily logs” is behind. What you see is from 12:22 CET, so changes made since then are not in yet. A sync has been running for 2 hours 5 minutes, longer than it should. The next attempt is planned for 14:45.",
    ],
    [
      "late and rate limited",
      feed({ ...LATE, last_sync_status: "rate_limited", last_sync_finished_at: at(-11) }),
      "Your Procore feed “daily logs” is behind. What you see is from 12:22 CET, so changes made since then are not in yet. Procore limits how often it may be asked, and the last sync met that limit. The next attempt is planned for 14:45.",
    ],
    [
      "webhook",
      feed({ status: "webhook", endpoint_key: "rfis" }),
      "Your Procore feed “rfis” arrives as things happen. What you see is from 14:23 CET. New data comes as soon as something happens at the source.",
    ],
    [
      "paused",
      feed({ status: "inactive" }),
      "Your Procore feed “submittals” is switched off at the source, so no new data is expected. Nothing is planned until it is switched on again at the source.",
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
      "We cannot say right now whether your Procore feed “submittals” is up to date: it has not synced yet. When the next sync runs is not known; we keep watching.",
    ],
  ];

  test.each(situations)("%s", (_, one, paragraph) => {
    expect(say([one]).paragraph).toBe(paragraph);
  });
});

describe("several feeds", () => {
  const late = (endpoint_key: string, minutes: number, row: Partial<SyncAttributes> = {}) =>
    feed({ ...LATE, endpoint_key, last_updated_at: at(-60 - minutes), ...row });

  test("some behind, others on time, by webhook and switched off", () => {
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
      "Three of your seven Procore feeds are behind. Daily logs is the furthest: what you see there is from 12:22 CET, so changes made since then are not in yet. Timecards and observations are 44 minutes and 21 minutes overdue. Two more are up to date, rfis arrives as things happen and one is switched off at the source. The next attempts are planned between 14:36 and 14:45.",
    );
    expect(writtenFrom).toBe(
      "Written from the data as of 14:32:07 CET, Thu 19 Nov 2026. It does not name a cause, because the data does not give one.",
    );
  });

  test("many behind are a range, not a list", () => {
    const feeds = [feed(LATE), ...[50, 40, 30, 20].map((minutes) => late(`m${minutes}`, minutes))];
    expect(say(feeds).paragraph).toContain(
      "All five of your Procore feeds are behind. Daily logs is the furthest",
    );
    expect(say(feeds).paragraph).toContain(
      "The other four are between 20 minutes and 50 minutes overdue.",
    );
  });

  test("all on time", () => {
    expect(say([feed(), feed({ endpoint_key: "drawings" })]).paragraph).toBe(
      "All two of your Procore feeds are up to date. The next sync is planned for 14:53 CET.",
    );
  });

  test("nothing behind, one that cannot be judged", () => {
    const { paragraph } = say([
      feed({ endpoint_key: "pci", frequency_minutes: null, next_sync_at: null }),
      feed(),
      feed({ endpoint_key: "drawings" }),
    ]);
    expect(paragraph).toBe(
      "Two of your three Procore feeds are up to date, and none is known to be behind. For pci we cannot say whether it is up to date: its last data is from 14:23 CET, and how often it should arrive is not known. The next sync is planned for 14:53.",
    );
  });

  test("one that the API lists no longer", () => {
    const { paragraph } = say([feed({ endpoint_key: "gone" }, { reported: false }), feed()]);
    expect(paragraph).toContain(
      "For gone we cannot say whether it is up to date: it is no longer listed.",
    );
  });

  test("the only cause that is named is one that the data gives", () => {
    const limited = late("timecards", 44, {
      last_sync_status: "rate_limited",
      last_sync_finished_at: at(-2),
    });
    const { paragraph, writtenFrom } = say([limited, feed()]);
    expect(paragraph).toContain(
      "Procore limits how often it may be asked, and the last sync for timecards met that limit.",
    );
    expect(writtenFrom).toContain("It names no cause but the limit on requests");
  });

  test("runs under way come before plans", () => {
    const running = { last_sync_status: "in_progress", last_sync_started_at: at(-1) };
    expect(say([late("a", 40, running), late("b", 30, running), feed()]).paragraph).toMatch(
      /Syncs of a and b are running now; as they complete, their new data comes in\.$/,
    );
  });

  test("all switched off, all by webhook", () => {
    const off = feed({ status: "inactive" });
    expect(say([off, off]).paragraph).toMatch(/^All two of your Procore feeds are switched off/);
    const pushed = feed({ status: "webhook" });
    expect(say([pushed, pushed]).paragraph).toMatch(
      /as soon as something happens at the source\.$/,
    );
  });
});

describe("what we do not see", () => {
  test("blind: what was, that nothing is known since, and what goes on", () => {
    const asOfMs = NOW_MS - 30 * MINUTE_MS;
    const { paragraph } = say([feed(LATE), feed()], { confidence: "blind", asOfMs });
    expect(paragraph).toBe(
      "We have not been able to check Procore since 14:02 CET. At that time one of two was behind and one was up to date. What has happened since then is not known. Checking goes on by itself, and the next answer will show it.",
    );
  });

  test("before the first read nothing is claimed", () => {
    const { paragraph, writtenFrom } = say([feed()], { confidence: "blind", asOfMs: null });
    expect(paragraph).toMatch(/^We have not been able to check Procore yet\./);
    expect(writtenFrom).toMatch(/nothing to write from/);
  });

  test("times are in the reader's zone, which is named once, and other days are named", () => {
    const { paragraph } = say([feed({ ...LATE, last_updated_at: at(-26 * 60) })], undefined, "UTC");
    expect(paragraph).toContain("What you see is from Wed 11:32 UTC");
    expect(paragraph.match(/UTC/g)).toHaveLength(1);
  });

  test("no word of ours, no name of a field, no unfinished sentence in any situation", () => {
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
            for (const feeds of [[one], [one, feed(), feed(LATE)]]) {
              const { paragraph } = say(feeds, { confidence, asOfMs: NOW_MS });
              expect(paragraph).not.toMatch(
                /verdict|cadence|_|undefined|null|NaN|not known\.\.|  /,
              );
              expect(paragraph).toMatch(/[.]$/);
            }
          }
  });
});
