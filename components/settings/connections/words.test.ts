import { describe, expect, test } from "vitest";
import type { ConnectionCheck } from "@/lib/contracts/connections";
import { ago, ahead, CONNECTION, NOW_MS } from "./connection-fixture";
import {
  checkText,
  checksTexts,
  coreUseSentence,
  errorTexts,
  gapText,
  roomSentence,
  scopesText,
  sourceLine,
  viewText,
} from "./words";

const WHEN = { nowMs: NOW_MS, timeZone: "UTC" };

test("formats confidence, token and check interval", () => {
  expect(viewText("live", NOW_MS - 12_000, WHEN)).toBe("Live");
  expect(viewText("delayed", NOW_MS - 6 * 60_000, WHEN)).toBe("Delayed, 6 m");
  expect(viewText("blind", NOW_MS - 48 * 60_000, WHEN)).toBe("Can’t see since 08:12");
  expect(viewText("blind", null, WHEN)).toBe("No check yet");
  expect(viewText("blind", null, WHEN, { reason: "starting" })).toBe("No check yet");
  expect(viewText("blind", null, WHEN, { reason: "unreachable" })).toBe("No check has succeeded");
  expect(checksTexts(CONNECTION, WHEN)).toEqual(["every 20 s", "3.0 requests/min"]);
  expect(checksTexts({ ...CONNECTION, reason: "unreachable" }, WHEN)).toEqual([
    "every 1 m",
    "slower after an error",
  ]);
  const crowded = {
    ...CONNECTION,
    rhythm_seconds: 829,
    check_seconds: 840,
    next_check_at: ahead(190),
  };
  expect(checksTexts(crowded, WHEN)).toEqual(["about every 14 m", "next in 3 m"]);
  expect(checksTexts({ ...CONNECTION, queue: { place: 2, of: 5 } }, WHEN)).toEqual([
    "every 20 s",
    "number 2 of 5 in line",
  ]);
  expect(checksTexts({ ...CONNECTION, queue: { place: 1, of: 1 } }, WHEN)[1]).toBe(
    "3.0 requests/min",
  );
  expect(checksTexts({ ...CONNECTION, reason: "disconnected" }, WHEN)).toEqual(["paused", ""]);
  expect(viewText("blind", NOW_MS - 48 * 60_000, WHEN, { pausedMs: NOW_MS - 60_000 })).toBe(
    "Paused since 08:59",
  );
  expect(scopesText(["write:schedule_files", "read:sync_status"])).toBe(
    "reads feeds, deletes files",
  );
  expect(scopesText([])).toBe("none");
});

test("formats current errors and past gaps", () => {
  expect(errorTexts(CONNECTION, WHEN)).toBeNull();
  expect(errorTexts({ ...CONNECTION, reason: "starting" }, WHEN)).toBeNull();
  expect(errorTexts({ ...CONNECTION, reason: "disconnected" }, WHEN)).toBeNull();
  expect(
    errorTexts({ ...CONNECTION, reason: "unauthorized", last_success_at: ago(2_760) }, WHEN),
  ).toEqual(["The source rejected our credentials.", "Failing for up to 46 m"]);
  expect(
    errorTexts(
      { ...CONNECTION, reason: "rate_limited", limited_until: ahead(300), last_success_at: null },
      WHEN,
    ),
  ).toEqual(["Rate limited until 09:05.", "No check has succeeded yet"]);
  const gap = {
    reason: "unreachable",
    from: "2026-03-02T06:21:00Z",
    until: "2026-03-02T06:30:00Z",
  } as const;
  expect(gapText(gap, WHEN)).toBe("06:21, source not responding for 9 m");
});

describe("formats the outcome of a check", () => {
  const CHECK: ConnectionCheck = {
    checked_at: ago(1),
    took_ms: 412,
    reason: null,
    reached: "all",
    rows: 1_203,
    scopes: ["read:sync_status"],
    retry_at: null,
  };
  test.each<[Partial<ConnectionCheck>, string]>([
    [{}, "Connected and signed in. Scopes: reads feeds. 1,203 feeds reported. Took 412 ms."],
    [
      { reason: "unreachable", reached: "sign_in", rows: null, scopes: null, took_ms: 8_010 },
      "Couldn’t sign in. The source isn’t responding. Took 8.0 s.",
    ],
    [
      {
        reason: "unauthorized",
        reached: "sign_in",
        rows: null,
        scopes: null,
        retry_at: ahead(300),
      },
      "Couldn’t sign in. The source rejected our credentials. Try again at 09:05. Took 412 ms.",
    ],
    [
      { reason: "rate_limited", reached: "rows", rows: null, retry_at: ahead(300) },
      "Signed in. Rate limited until 09:05. Scopes: reads feeds. Took 412 ms.",
    ],
    [
      { reason: "invalid_response", reached: "rows", rows: null, scopes: null },
      "Signed in. The source sent an invalid response. Took 412 ms.",
    ],
    [
      { reason: "rate_limited", reached: "not_sent", rows: null, retry_at: ahead(300) },
      "Not sent: the request limit for this host is used up. Try again at 09:05.",
    ],
  ])("%j", (given, text) => {
    expect(checkText({ ...CHECK, ...given }, WHEN)).toBe(text);
  });
});

test("formats the state of the file, and the numbers of companies and hosts", () => {
  const file = { read_at: "2026-03-02T06:00:00Z", refused: null };
  const amounts = { companies: 24, hosts: 5, ofFile: 24 };
  expect(sourceLine({ file }, amounts, WHEN)).toBe(
    "CONNECTIONS_FILE read 06:00, 24 companies, 5 hosts, no errors",
  );
  const refused = { since: ago(60), problems: ["bad"] };
  expect(sourceLine({ file: { ...file, refused } }, amounts, WHEN)).toContain(
    "newer version rejected",
  );
  expect(sourceLine({ file }, { ...amounts, ofFile: 23 }, WHEN)).toBe(
    "CONNECTIONS_FILE read 06:00, 23 companies, no errors. In all 24 companies, 5 hosts",
  );
  expect(sourceLine({ file: null }, { ...amounts, ofFile: 0 }, WHEN)).toBe("24 companies, 5 hosts");
  expect(sourceLine({ file: null }, { companies: 0, hosts: 0, ofFile: 0 }, WHEN)).toBe("");
});

test("says how much of the processor is used, and what the request limit has room for", () => {
  expect(coreUseSentence({ cores: 0.0612, over_seconds: 300.2 })).toBe(
    "This instance used 6% of one core over the last 5 minutes, not counting the database.",
  );
  expect(coreUseSentence({ cores: 0.004, over_seconds: 60 })).toBe(
    "This instance used less than 1% of one core over the last minute, not counting the database.",
  );
  expect(coreUseSentence({ cores: 1.254, over_seconds: 299 })).toContain("used 125% of one core");
  // A machine that wasn't measured isn't idle.
  expect(coreUseSentence(null)).toContain("isn’t known yet");
  expect(roomSentence(60, 38)).toBe(
    "The limit of 60 requests a minute for each host allows checking 38 companies of up to 100 feeds about once a minute.",
  );
  expect(roomSentence(1, 0)).toBe(
    "The limit of 1 request a minute for each host doesn’t allow checking any company every minute.",
  );
});
