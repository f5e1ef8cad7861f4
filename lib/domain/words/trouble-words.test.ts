import { describe, expect, test } from "vitest";
import { silenceOf } from "@/lib/domain/silence";
import { bannerSentences, newerDataSentence, type Supply } from "./trouble-words";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-11-19T13:32:07Z");
const WHEN = { nowMs: NOW_MS, timeZone: "Europe/Oslo" };

const LIVE: Supply = {
  confidence: "live",
  silence: null,
  lastResponseMs: NOW_MS - MINUTE_MS,
  reason: null,
  resetMs: null,
  lastSuccessMs: NOW_MS - MINUTE_MS,
  rhythmSeconds: 60,
};
const banner = (supply: Partial<Supply>, when = WHEN) =>
  bannerSentences({ ...LIVE, ...supply }, when)?.join(" ") ?? null;

describe("banner", () => {
  test("blames an error response on Plumbline, a missing response on no side yet, and a missing network on the browser", () => {
    expect(silenceOf(503, true)).toBe("error");
    expect(silenceOf(500, false)).toBe("error");
    expect(silenceOf(401, true)).toBe("signed_out");
    expect(silenceOf(0, true)).toBe("no_answer");
    expect(silenceOf(0, false)).toBe("offline");
  });

  test("blames no side for an ended session, which the page shows prominently", () => {
    expect(banner({ silence: "signed_out", reason: "unreachable" })).toBeNull();
    expect(newerDataSentence("signed_out")).toBe(
      "Your session has ended, so there may be newer data.",
    );
  });

  test("blames neither Plumbline nor the source in a browser without a connection", () => {
    const cutOff = { lastResponseMs: NOW_MS - 3 * MINUTE_MS, reason: "unreachable" } as const;
    expect(banner({ ...cutOff, silence: "offline" })).toMatch(
      /^This browser is offline\. It lost its connection to Plumbline at 14:29\./,
    );
    expect(banner({ ...cutOff, silence: "no_answer" })).toBe(
      "This browser lost its connection to Plumbline at 14:29. Last complete check: 14:31:07 CET. Retrying automatically. Verdicts freeze at 14:36 if this continues.",
    );
    expect(banner({ ...cutOff, silence: "error" })).toMatch(
      /^Plumbline has been returning errors since 14:29\./,
    );
    for (const silence of ["offline", "no_answer", "error"] as const)
      expect(banner({ ...cutOff, silence })).not.toContain("source");
  });

  test("blames the source only if Plumbline reports it", () => {
    expect(banner({ reason: "unreachable" })).toBe(
      "The source isn’t responding. Last complete check: 14:31:07 CET. Retrying every 1 m. Verdicts freeze at 14:36 if this continues.",
    );
    const blind = { confidence: "blind", lastSuccessMs: NOW_MS - 30 * MINUTE_MS } as const;
    expect(banner(blind)).toBe(
      "Plumbline hasn’t checked the source since 14:02. Last complete check: 14:02:07 CET. Retrying automatically. Verdicts have been frozen since 14:07.",
    );
  });

  test("promises no attempt while a connection sends nothing, and says that verdicts are frozen", () => {
    const rest = "Nothing is checked until an administrator changes that. Verdicts are frozen.";
    expect(banner({ reason: "disconnected", confidence: "blind" })).toBe(
      `The connection is paused. Last complete check: 14:31:07 CET. ${rest}`,
    );
    expect(banner({ reason: "secret_unreadable", confidence: "blind" })).toContain(rest);
    expect(banner({ reason: "disconnected", silence: "no_answer" })).not.toContain(rest);
  });

  test("says when a rate limit ends, and that there is no attempt before", () => {
    expect(banner({ reason: "rate_limited", resetMs: NOW_MS + 5 * MINUTE_MS })).toMatch(
      /^Rate limited until 14:37\. Last complete check: 14:31:07 CET\. Retrying automatically\./,
    );
  });
});

test("is hidden while all is well, at the start, and before the first check", () => {
  expect(banner({})).toBeNull();
  expect(banner({ reason: "starting" })).toBeNull();
  expect(banner({ confidence: "blind", lastSuccessMs: null })).toBeNull();
  expect(banner({ reason: "unauthorized", lastSuccessMs: null })).toBe(
    "The source rejected our credentials. No complete check yet. Retrying every 1 m.",
  );
});

test("adds the date on another day", () => {
  const aDayAgo = NOW_MS - 24 * 60 * MINUTE_MS;
  expect(banner({ silence: "no_answer", lastResponseMs: aDayAgo, lastSuccessMs: aDayAgo })).toBe(
    "This browser lost its connection to Plumbline on Wed 18 Nov at 14:32. Last complete check: Wed 18 Nov, 14:32 CET. Retrying automatically. Verdicts have been frozen since Wed 18 Nov, 14:37.",
  );
});

test("says beside customer text that there may be newer data", () => {
  expect(newerDataSentence("offline")).toBe("This browser is offline, so there may be newer data.");
  expect(newerDataSentence("error")).toBe(
    "Plumbline is returning errors, so there may be newer data.",
  );
});
