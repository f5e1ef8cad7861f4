import { describe, expect, test } from "vitest";
import type { Judgement } from "@/lib/domain/verdict";
import type { Verdict } from "@/lib/domain/sync";
import { nextSyncMs } from "./next-sync";

const NOW_MS = 1_000_000;

function feed(
  nextMs: number | null,
  word: Verdict = "late",
  since: Partial<Pick<Judgement["terms"], "landingMs" | "runStartedMs">> = {},
) {
  const terms = { nextMs, landingMs: null, runStartedMs: null, ...since } as Judgement["terms"];
  return { word, terms };
}

describe("nextSyncMs", () => {
  test("is the first one ahead, whatever was due before", () => {
    const feeds = [feed(NOW_MS - 50), feed(NOW_MS + 70), feed(NOW_MS + 60), feed(null)];
    expect(nextSyncMs(feeds, NOW_MS)).toBe(NOW_MS + 60);
  });

  test("is the last one that was due if none is ahead", () => {
    expect(nextSyncMs([feed(NOW_MS - 50), feed(NOW_MS), feed(null)], NOW_MS)).toBe(NOW_MS);
  });

  test("isn't one that has started or brought data since it was due", () => {
    const started = feed(NOW_MS - 50, "failing", { runStartedMs: NOW_MS - 20 });
    const received = feed(NOW_MS - 50, "late", { landingMs: NOW_MS - 20 });
    expect(nextSyncMs([started, received], NOW_MS)).toBeNull();
    expect(nextSyncMs([started, feed(NOW_MS - 90)], NOW_MS)).toBe(NOW_MS - 90);
  });

  test("is null when feeds in trouble have no time, whatever others have", () => {
    expect(nextSyncMs([feed(null), feed(NOW_MS + 60, "fresh")], NOW_MS)).toBeNull();
    expect(nextSyncMs([], NOW_MS)).toBeNull();
  });
});
