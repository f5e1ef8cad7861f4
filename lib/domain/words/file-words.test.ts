import { describe, expect, test } from "vitest";
import {
  baselineLoss,
  baselinesLeft,
  filesCount,
  filesHeading,
  inReceiptOrder,
  indexProgress,
  indexTrouble,
  outcomeText,
  progressSentence,
  receiptTitle,
  refusalSentence,
  unknownSentence,
  type FileListState,
  type WaitFacts,
} from "./file-words";

const AT_MS = Date.parse("2026-11-19T13:31:48Z");
const OSLO = "Europe/Oslo";
const whole: FileListState = {
  known: 184,
  total: 184,
  complete: true,
  secondsLeft: null,
  asOfMs: AT_MS,
  reason: null,
};
const growing: FileListState = {
  ...whole,
  known: 34_000,
  total: 100_000,
  complete: false,
  secondsLeft: 660,
};

describe("the list", () => {
  test("counts the known files if complete, otherwise the API's total", () => {
    expect(filesHeading(whole)).toBe("184 schedule files");
    expect(filesHeading({ ...whole, known: 1, total: 1 })).toBe("1 schedule file");
    expect(filesHeading(growing)).toBe("100,000 schedule files");
    expect(filesHeading({ ...growing, known: 0, total: null })).toBe("Schedule files");
  });

  test("counts a deleted file no more, although the source named another total before", () => {
    expect(filesCount({ ...whole, known: 183, total: 184 })).toBe(183);
    expect(filesCount(growing)).toBe(100_000);
  });

  test("says how far indexing has got and how long it will take, at least a minute", () => {
    expect(indexProgress(growing)).toBe("34,000 of 100,000 indexed, about 11 m left");
    expect(indexProgress({ ...growing, secondsLeft: 4 })).toMatch(/about 1 m left$/);
    expect(indexProgress({ ...growing, secondsLeft: null })).toMatch(/indexed$/);
    expect(indexProgress({ ...growing, total: null })).toBe("Loading the first page…");
    expect(indexProgress(whole)).toBe("");
  });

  test("says why it may be outdated, with its age, and nothing otherwise", () => {
    const when = { nowMs: AT_MS + 9 * 60_000, timeZone: OSLO };
    expect(indexTrouble({ ...whole, reason: "unreachable" }, when)).toBe(
      "The source isn’t responding. This list is as of 14:31, 9 m ago.",
    );
    expect(indexTrouble({ ...whole, reason: "forbidden", asOfMs: null }, when)).toBe(
      "The source won’t let us list the files. We don’t know which files there are.",
    );
    expect(indexTrouble(whole, when)).toBe("");
    expect(indexTrouble({ ...whole, reason: "starting" }, when)).toBe("");
  });
});

describe("baselines", () => {
  test("are called the only one known if there is no other", () => {
    expect(baselineLoss("Harbour Tunnel", 1)).toMatch(
      /^This is the only known baseline of Harbour Tunnel\./,
    );
    expect(baselinesLeft(1)).toBe("0 of 1");
  });

  test("show how many remain", () => {
    expect(baselineLoss("A7", 2)).toMatch(/1 other known baseline remains\.$/);
    expect(baselineLoss("A7", 4)).toMatch(/3 other known baselines remain\.$/);
    expect(baselinesLeft(4)).toBe("3 of 4");
  });

  test("show no number without a project, or if they aren't counted", () => {
    expect(baselineLoss(null, null)).not.toMatch(/\d/);
    expect(baselineLoss("A7", null)).toMatch(/We can’t tell how many/);
  });
});

describe("the outcome of a file", () => {
  const text = (outcome: Parameters<typeof outcomeText>[0]["outcome"], state = "done" as const) =>
    outcomeText({ outcome, outcomeMs: AT_MS, nextLookMs: null, seenLater: null }, state, OSLO);

  test("claims nothing unproven", () => {
    expect(text("deleted")).toBe("Deleted 14:31:48");
    expect(text("already_gone")).toBe("Already gone");
    expect(text("changed")).toBe("Changed after you confirmed; not deleted");
    expect(text("still_there")).toBe("Still there");
    expect(text("unknown")).toBe("Outcome unknown");
    // As the title counts it.
    expect(text("undone")).toBe("Undone; not deleted");
    expect(text(null)).toBe("");
  });

  test("distinguishes expiry by restart from giving up", () => {
    const item = {
      outcome: "expired",
      outcomeMs: AT_MS,
      nextLookMs: null,
      seenLater: null,
    } as const;
    expect(outcomeText(item, "expired", OSLO)).toBe("Plumbline restarted first; not deleted");
    expect(outcomeText(item, "done", OSLO)).toMatch(/^Gave up before sending; not deleted$/);
  });

  test("when unknown, says when the next check is and that retrying is pointless", () => {
    expect(unknownSentence(Date.parse("2026-11-19T13:33:00Z"), OSLO)).toBe(
      "The request was sent but got no response, so the file may or may not be deleted. We’ll check again at 14:33:00; no need to repeat it.",
    );
  });
});

describe("receipts", () => {
  test("count each outcome in the title", () => {
    const outcomes = ["deleted", "unknown", "deleted", "already_gone", "deleted", "deleted"];
    expect(receiptTitle(outcomes as Parameters<typeof receiptTitle>[0])).toBe(
      "6 files: 4 deleted, 1 already gone, 1 outcome unknown",
    );
  });

  test("start with unknown outcomes and keep the order of the rest", () => {
    const items = [
      { id: 1, outcome: "deleted" },
      { id: 2, outcome: "already_gone" },
      { id: 3, outcome: "unknown" },
      { id: 4, outcome: "deleted" },
    ] as const;
    expect(inReceiptOrder(items).map(({ id }) => id)).toEqual([3, 2, 1, 4]);
  });
});

describe("progress", () => {
  const none = {
    waitingMs: null,
    secondsLeft: null,
    isStopping: false,
    facts: { budget: { used: 4, limit: 60 }, reason: null, rateLimit: null },
  };
  const when = { nowMs: AT_MS, timeZone: OSLO };
  const waiting = (facts: Partial<WaitFacts>) =>
    progressSentence({ ...none, waitingMs: 7400, facts: { ...none.facts, ...facts } }, when);

  test("gives the budget as the reason for waiting only when it is nearly used up", () => {
    expect(waiting({ budget: { used: 58, limit: 60 } })).toBe(
      "Waiting 8 s: 58 of 60 requests used this minute.",
    );
    expect(waiting({})).toBe("Waiting 8 s before the next attempt.");
  });

  test("mentions known problems of the source beside the wait", () => {
    const rateLimit = { remaining: 0, resetMs: AT_MS + 90_000 };
    expect(waiting({ reason: "rate_limited" })).toBe(
      "Waiting 8 s before the next attempt. Rate limited by the source.",
    );
    expect(waiting({ reason: "rate_limited", rateLimit })).toBe(
      "Waiting 8 s before the next attempt. Rate limited until 14:33.",
    );
    expect(waiting({ rateLimit })).toBe(
      "Waiting 8 s before the next attempt. Rate limited until 14:33.",
    );
    expect(waiting({ reason: "unreachable" })).toBe(
      "Waiting 8 s before the next attempt. The source isn’t responding.",
    );
    expect(waiting({ reason: "unauthorized" })).toBe(
      "Waiting 8 s before the next attempt. The source rejected our credentials.",
    );
  });

  test("omits problems that have passed or don't concern deletions", () => {
    const over = { remaining: 0, resetMs: AT_MS - 1000 };
    const reasons = ["forbidden", "invalid_response", "starting"] as const;
    expect(waiting({ rateLimit: over })).toBe("Waiting 8 s before the next attempt.");
    for (const reason of reasons)
      expect(waiting({ reason })).toBe("Waiting 8 s before the next attempt.");
  });

  test("says how long it will take if known", () => {
    expect(progressSentence({ ...none, secondsLeft: 130 }, when)).toBe("About 2 m left.");
    expect(progressSentence(none, when)).toBe("");
  });
});

test("says in a refusal whether anything was deleted, and leaves it open without a response", () => {
  for (const status of [403, 409, 413, 429, 503])
    expect(refusalSentence(status)).toMatch(/^Nothing was deleted/);
  expect(refusalSentence(0)).not.toMatch(/Nothing was deleted/);
  expect(refusalSentence(500)).not.toMatch(/Nothing was deleted/);
});
