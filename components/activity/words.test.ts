import { describe, expect, test } from "vitest";
import type { ActivityEntry } from "@/lib/contracts/activity";
import {
  actionText,
  activitySentence,
  chatFilters,
  kindText,
  otherActor,
  outcomeNote,
  outcomeText,
  pageWords,
  shownOutcome,
} from "./words";

const entry: ActivityEntry = {
  id: "1",
  kind: "file-deletion",
  action: "delete",
  person: { name: "Ana Rask", email: "ana@example.com" },
  asked_at: "2026-11-19T13:31:48Z",
  sent_at: "2026-11-19T13:31:58Z",
  outcome: "deleted",
  outcome_at: "2026-11-19T13:31:59Z",
  outcome_by: null,
  because: null,
  next_look_at: null,
  seen_later: null,
  request_id: null,
  file: null,
  subject: null,
};

describe("the text of an action", () => {
  test("says what was done, in the past", () => {
    expect(actionText(entry)).toBe("Requested deletion");
    expect(actionText({ ...entry, kind: "display", action: "pair" })).toBe("Paired");
    expect(actionText({ ...entry, kind: "display", action: "change" })).toBe("Edited");
    expect(actionText({ ...entry, kind: "display", action: "revoke" })).toBe("Unpaired");
    expect(actionText({ ...entry, kind: "promise", action: "make" })).toBe("Created promise");
    expect(actionText({ ...entry, kind: "share-link", action: "revoke" })).toBe(
      "Revoked share link",
    );
  });

  test("shows its state, and who ended it", () => {
    expect(outcomeText(entry)).toBe("Deleted");
    expect(outcomeText({ ...entry, outcome: null })).toBe("Sent, no response yet");
    expect(outcomeText({ ...entry, outcome: null, sent_at: null })).toBe("Waiting");
    const by = { name: "Bo Lind", email: "bo@example.com" };
    expect(outcomeText({ ...entry, outcome: "undone", outcome_by: by })).toBe("Undone by Bo Lind");
  });

  test("adds why it ended so, and when an unknown outcome is checked again", () => {
    const noteOf = (changes: Partial<ActivityEntry>, nextLook: string | null = null) =>
      outcomeNote(
        { ...entry, ...changes },
        { nextLook, seenLater: null, timeZone: "America/New_York" },
      );
    expect(noteOf({})).toBe("");
    expect(noteOf({ because: "looked" })).toBe("Confirmed by checking again.");
    expect(noteOf({ outcome: "expired", because: "an hour without progress" })).toBe(
      "No progress for an hour.",
    );
    expect(noteOf({ outcome: "unknown" }, "14:33:00")).toBe(
      "Sent, but got no response. We’ll check again at 14:33:00.",
    );
    expect(
      noteOf({ because: "to Milo Brandt until 2026-12-06T10:43:32.201Z; open incidents: 0" }),
    ).toBe("To Milo Brandt until Sun 6 Dec 2026, 05:43 EST; open incidents: 0.");
    expect(noteOf({ outcome: "unknown" })).toBe("Sent, but got no response. We’ll check again.");
  });
});

test("who tried to sign in isn’t known, and isn’t Plumbline", () => {
  const tried = { ...entry, kind: "session" as const, person: null };
  expect(otherActor({ ...tried, action: "refuse" })).toBe("Unknown");
  expect(otherActor({ ...tried, action: "lock" })).toBe("Unknown");
  expect(otherActor({ ...tried, kind: "learned-week", action: "on" })).toBe("Plumbline");
});

test("a service token acts for itself", () => {
  const used = { ...entry, kind: "token" as const, action: "use", person: null, subject: "svc" };
  expect(otherActor(used)).toBe("Service token svc");
});

test("a failed test of a channel isn’t done", () => {
  const tested = { ...entry, kind: "channel" as const, action: "test", outcome: null };
  expect([outcomeText(tested), shownOutcome(tested)]).toEqual(["Done", "deleted"]);
  const failed = { ...tested, test: "failed" as const };
  expect([outcomeText(failed), shownOutcome(failed)]).toEqual(["Failed", "forbidden"]);
  const unknown = { ...tested, test: "unknown" as const };
  expect([outcomeText(unknown), shownOutcome(unknown)]).toEqual(["Outcome unknown", "unknown"]);
});

test("a hand-over is of a company, not of an incident", () => {
  const own = { ...entry, kind: "incident" as const };
  expect(kindText({ ...own, action: "hand-over" })).toBe("Customer");
  expect(kindText({ ...own, action: "take-back" })).toBe("Person");
  expect(kindText({ ...own, action: "note" })).toBe("Incident");
  expect(kindText(entry)).toBe("");
});

test("the statement about the list names its filters, and counts unknown outcomes of all of it only", () => {
  const state = {
    q: "tower",
    outcome: "deleted" as const,
    from: new Date("2026-11-19T00:00:00Z"),
    until: new Date("2026-11-21T00:00:00Z"),
  };
  expect(chatFilters(state, "Ana Rask", "UTC")).toEqual([
    "“tower”",
    "Deleted",
    "Ana Rask",
    "from 19 Nov 2026",
    "to 20 Nov 2026",
  ]);
  const view = {
    meta: { page: 1, per_page: 50, total_count: 212, total_pages: 5 },
    unknown_count: 1,
  };
  expect(activitySentence(view, false)).toBe("212 actions, 1 outcome is unknown");
  expect(activitySentence(view, true)).toBe("212 actions");
});

test("a page past the end isn't called one of them", () => {
  expect(pageWords.place(1, 1, 12)).toBe("Page 1 of 1, 12 actions");
  expect(pageWords.place(99, 1, 12)).toBe("1 page, 12 actions");
});
