import { describe, expect, test } from "vitest";
import { blindText, briefLine, briefText, seenAgainText } from "./message-words";

const BRIEF = {
  fromMs: Date.parse("2026-11-19T08:00:00Z"),
  untilMs: Date.parse("2026-11-20T08:00:00Z"),
  open: 0,
  isSeen: true,
  partners: "all",
  isMine: false,
  lines: ["Northgate: ..."],
  timeZone: "UTC",
} as const;
const stateOf = (given: Partial<Parameters<typeof briefText>[0]>) =>
  briefText({ ...BRIEF, ...given }).split(".")[0];

describe("a brief", () => {
  test("says that all is well only of what we could see, and only of what it is about", () => {
    expect(stateOf({})).toBe("No incident is open");
    expect(stateOf({ isSeen: false })).toBe("No incident is known to be open");
    expect(stateOf({ open: 1, isSeen: false })).toBe("1 incident is known to be open");
    expect(stateOf({ open: 2, partners: ["Procore", "Aconex"] })).toBe(
      "2 incidents are open for Procore and Aconex",
    );
    expect(stateOf({ isMine: true })).toBe("No incident of yours is open");
    expect(stateOf({ open: 3, isMine: true })).toBe("3 incidents of yours are open");
    expect(briefText({ ...BRIEF, isMine: true, lines: [] })).toBe(
      "No incident of yours is open. You don’t look after any company.",
    );
  });

  test("says of a company how much of the time we saw, or that nobody looked yet", () => {
    const counts = { began: 1, ended: 2, open: 3, unknown: 0, removed: 0 };
    const line = { company: "Northgate", ...counts, observed: 1 };
    expect(briefLine(line)).toBe("Northgate: 1 began, 2 ended, 3 open; observed throughout");
    expect(briefLine({ ...line, observed: 0.9999 })).toContain("observed 99.9% of the time");
    expect(briefLine({ ...line, observed: "never" })).toBe("Northgate: not checked yet");
  });

  test("says how many endpoints can't be judged and how many left the list, which open no incident", () => {
    const quiet = { began: 0, ended: 0, open: 0, observed: 1 };
    expect(briefLine({ company: "Northgate", ...quiet, unknown: 60, removed: 1 })).toBe(
      "Northgate: 0 began, 0 ended, 0 open; observed throughout; 60 endpoints can’t be judged; 1 endpoint removed",
    );
  });
});

test("of a company that was never seen nothing is said of the time before", () => {
  const given = { company: "Northgate", timeZone: "UTC" };
  const because = "the source rejected our credentials";
  expect(blindText({ ...given, sinceMs: null, because })).toBe(
    "We haven’t been able to see Northgate yet: the source rejected our credentials. Until we can, we don’t know how its partners are doing.",
  );
  const first = (happened: string[] | null) =>
    seenAgainText({ ...given, fromMs: null, untilMs: BRIEF.untilMs, happened });
  expect(first(null)).toMatch(/^We can see Northgate for the first time at .* before\.$/);
  expect(first([])).toContain("No incidents were open then.");
  expect(first(["Procore: stale"])).toMatch(/Open then:\nProcore: stale$/);
  for (const text of [first(null), first([]), first(["Procore: stale"])])
    expect(text).not.toMatch(/since|again|after|meanwhile/i);
});

test("that a company is seen again claims nothing of what isn’t the reader’s to hear", () => {
  const given = { company: "Northgate", fromMs: BRIEF.fromMs, untilMs: BRIEF.untilMs };
  const text = (happened: string[] | null) =>
    seenAgainText({ ...given, happened, timeZone: "UTC" });
  expect(text(null)).not.toContain("incident");
  expect(text([])).toContain("No incidents began, ended or got worse meanwhile.");
  expect(text(["Began: Procore"])).toMatch(/Meanwhile:\nBegan: Procore$/);
});
