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
    "after %s is told as %s: only what didn't respond gave no response",
    (reason, said) => {
      expect(cache(reason)).toBe(said);
      expect(cache(reason, "delayed")).toBe(said);
      if (reason !== null) expect(cache(reason, "blind")).toBe(said);
    },
  );

  test("is not known while no one asks, or this screen doesn't hear from our server", () => {
    expect(cache(null, "blind")).toBe("not known");
    expect(cache(null, "blind", true)).toBe("not known");
    expect(cache("unreachable", "blind", true)).toBe("not known");
  });
});

test("several companies have one reason where it is the same", () => {
  expect(reasonOfAll(["unreachable", "unreachable", "starting"])).toBe("unreachable");
  expect(reasonOfAll(["unreachable", "rate_limited"])).toBe("several");
  expect(reasonOfAll(["starting"])).toBe("starting");
  expect(reasonOfAll([])).toBeNull();
});
