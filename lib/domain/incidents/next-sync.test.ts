import { describe, expect, test } from "vitest";
import type { Judgement } from "@/lib/domain/verdict";
import type { Verdict } from "@/lib/domain/sync";
import { nextSyncMs } from "./next-sync";

const NOW_MS = 1_000_000;

function feed(nextMs: number | null, word: Verdict = "late") {
  return { word, terms: { nextMs } as Judgement["terms"] };
}

describe("nextSyncMs", () => {
  test("is the first one ahead, whatever was due before", () => {
    const feeds = [feed(NOW_MS - 50), feed(NOW_MS + 70), feed(NOW_MS + 60), feed(null)];
    expect(nextSyncMs(feeds, NOW_MS)).toBe(NOW_MS + 60);
  });

  test("is the last one that was due if none is ahead", () => {
    expect(nextSyncMs([feed(NOW_MS - 50), feed(NOW_MS), feed(null)], NOW_MS)).toBe(NOW_MS);
  });

  test("is null when feeds in trouble have no time, whatever others have", () => {
    expect(nextSyncMs([feed(null), feed(NOW_MS + 60, "fresh")], NOW_MS)).toBeNull();
    expect(nextSyncMs([], NOW_MS)).toBeNull();
  });
});
