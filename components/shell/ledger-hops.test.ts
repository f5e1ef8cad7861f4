import { describe, expect, test } from "vitest";
import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { ledgerHops, reasonOfAll } from "./ledger-hops";

const AGES = {
  partnerData: { youngestMs: 1000, oldestMs: 60_000 },
  apiCache: { oldestMs: 60_000 },
  snapshot: { ageMs: 1000 },
  screen: { ageMs: 1000 },
};

function cache(
  reason: SourceReason | "several" | null,
  confidence: Confidence = "live",
  isServerSilent = false,
) {
  const { text, isBad } = ledgerHops(AGES, {
    confidence,
    reason,
    isServerSilent,
    isRecording: true,
  })[1];
  return `${isBad ? "!" : ""}${text}`;
}

describe("the source's cache", () => {
  test.each([
    [null, "up to 1 m"],
    ["unreachable", "!no response"],
    ["rate_limited", "!rate limited"],
    ["unauthorized", "!access refused"],
    ["forbidden", "!access refused"],
    ["invalid_response", "!invalid response"],
    ["starting", "not yet"],
    ["several", "!no new data"],
  ] as const)(
    'after %s is reported as %s: "no response" only for a missing response',
    (reason, said) => {
      expect(cache(reason)).toBe(said);
      expect(cache(reason, "delayed")).toBe(said);
      if (reason !== null) expect(cache(reason, "blind")).toBe(said);
    },
  );

  test("is unknown while nothing polls, or while our server doesn't respond to this screen", () => {
    expect(cache(null, "blind")).toBe("not known");
    expect(cache(null, "blind", true)).toBe("not known");
    expect(cache("unreachable", "blind", true)).toBe("not known");
  });
});

test("has one reason for several companies when it is equal", () => {
  expect(reasonOfAll(["unreachable", "unreachable", "starting"])).toBe("unreachable");
  expect(reasonOfAll(["unreachable", "rate_limited"])).toBe("several");
  expect(reasonOfAll(["starting"])).toBe("starting");
  expect(reasonOfAll([])).toBeNull();
});
