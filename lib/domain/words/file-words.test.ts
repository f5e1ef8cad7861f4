import { describe, expect, test } from "vitest";
import {
  baselineLoss,
  baselinesLeft,
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
  test("is headed by what is known when that is all, else by what the API counts", () => {
    expect(filesHeading(whole)).toBe("184 schedule files");
    expect(filesHeading({ ...whole, known: 1, total: 1 })).toBe("1 schedule file");
    expect(filesHeading(growing)).toBe("100\u202f000 schedule files");
    expect(filesHeading({ ...growing, known: 0, total: null })).toBe("Schedule files");
  });

  test("says how far it goes and how long that takes, never less than a minute", () => {
    expect(indexProgress(growing)).toBe("34\u202f000 of 100\u202f000 indexed, about 11 m left");
    expect(indexProgress({ ...growing, secondsLeft: 4 })).toMatch(/about 1 m left$/);
    expect(indexProgress({ ...growing, secondsLeft: null })).toMatch(/indexed$/);
    expect(indexProgress({ ...growing, total: null })).toBe("Loading the first page…");
    expect(indexProgress(whole)).toBe("");
  });

  test("says why it may be behind, with its age, and nothing while all is well", () => {
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

describe("a baseline", () => {
  test("that is the only one known is said to be, and only as far as we know", () => {
    expect(baselineLoss("Harbour Tunnel", 1)).toMatch(
      /^This is the only known baseline of Harbour Tunnel\./,
    );
    expect(baselinesLeft(1)).toBe("0 of 1 known");
  });

  test("that has others says how many remain", () => {
    expect(baselineLoss("A7", 2)).toMatch(/1 other known baseline remains\.$/);
    expect(baselineLoss("A7", 4)).toMatch(/3 other known baselines remain\.$/);
    expect(baselinesLeft(4)).toBe("3 of 4 known");
  });

  test("of no project, or of one that is not counted, claims no number", () => {
    expect(baselineLoss(null, null)).not.toMatch(/\d/);
    expect(baselineLoss("A7", null)).toMatch(/We can’t tell how many/);
  });
});

describe("what became of a file", () => {
  const text = (outcome: Parameters<typeof outcomeText>[0]["outcome"], state = "done" as const) =>
    outcomeText({ outcome, outcomeMs: AT_MS, nextLookMs: null, seenLater: null }, state, OSLO);

  test("is said without a claim that nothing has shown", () => {
    expect(text("deleted")).toBe("Deleted 14:31:48");
    expect(text("already_gone")).toBe("Already gone");
    expect(text("changed")).toBe("Changed after you confirmed; not deleted");
    expect(text("still_there")).toBe("Still there");
    expect(text("unknown")).toBe("Outcome unknown");
    expect(text(null)).toBe("");
  });

  test("an expired one tells a restart from giving up", () => {
    const item = {
      outcome: "expired",
      outcomeMs: AT_MS,
      nextLookMs: null,
      seenLater: null,
    } as const;
    expect(outcomeText(item, "expired", OSLO)).toBe("Plumbline restarted first; not deleted");
    expect(outcomeText(item, "done", OSLO)).toMatch(/^Gave up before sending; not deleted$/);
  });

  test("an unknown one says when we look again and that repeating is no use", () => {
    expect(unknownSentence(Date.parse("2026-11-19T13:33:00Z"), OSLO)).toBe(
      "The request was sent but got no response, so the file may or may not be deleted. We’ll check again at 14:33:00; no need to repeat it.",
    );
  });
});

describe("a receipt", () => {
  test("counts each outcome in its title", () => {
    const outcomes = ["deleted", "unknown", "deleted", "already_gone", "deleted", "deleted"];
    expect(receiptTitle(outcomes as Parameters<typeof receiptTitle>[0])).toBe(
      "6 files: 4 deleted, 1 already gone, 1 outcome unknown",
    );
  });

  test("begins with what is unknown and keeps the order of the rest", () => {
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

  test("names the budget as the reason to wait only when it is nearly used up", () => {
    expect(waiting({ budget: { used: 58, limit: 60 } })).toBe(
      "Waiting 8 s: 58 of 60 requests used this minute.",
    );
    expect(waiting({})).toBe("Waiting 8 s before the next attempt.");
  });

  test("says beside the wait what is known to be wrong at the source", () => {
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

  test("names nothing that has passed, or has nothing to do with deleting", () => {
    const over = { remaining: 0, resetMs: AT_MS - 1000 };
    const reasons = ["forbidden", "invalid_response", "starting"] as const;
    expect(waiting({ rateLimit: over })).toBe("Waiting 8 s before the next attempt.");
    for (const reason of reasons)
      expect(waiting({ reason })).toBe("Waiting 8 s before the next attempt.");
  });

  test("says how long it will take when that is known", () => {
    expect(progressSentence({ ...none, secondsLeft: 130 }, when)).toBe("About 2 m left.");
    expect(progressSentence(none, when)).toBe("");
  });
});

test("a refusal says whether anything was deleted, and without an answer claims neither", () => {
  for (const status of [403, 409, 413, 429, 503])
    expect(refusalSentence(status)).toMatch(/^Nothing was deleted/);
  expect(refusalSentence(0)).not.toMatch(/Nothing was deleted/);
  expect(refusalSentence(500)).not.toMatch(/Nothing was deleted/);
});
