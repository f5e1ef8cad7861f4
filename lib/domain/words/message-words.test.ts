import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import type { MessageIncident } from "@/lib/domain/delivery/message";
import { MEMBER_ENDINGS } from "@/lib/domain/incidents/incident";
import {
  blindText,
  briefLine,
  briefText,
  endedText,
  lineOf,
  openedText,
  reminderText,
  seenAgainText,
  worseText,
} from "./message-words";

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

type Member = MessageIncident["members"][number];
const WHERE = { company: "Northgate", timeZone: "UTC", atMs: Date.parse("2026-11-19T10:00:00Z") };
const member = (key: string, given: Partial<Member>): Member => ({
  endpoint_id: key,
  endpoint_key: key,
  verdict: "late",
  began_at: "2026-11-19T08:00:00.000Z",
  joined_at: "2026-11-19T08:15:00.000Z",
  ended_at: null,
  ending: null,
  received_at: null,
  ...given,
});
const incident = (...members: Member[]): MessageIncident => ({
  id: 1,
  partner_name: "Procore",
  state: "open",
  began_at: "2026-11-19T08:00:00.000Z",
  opened_at: "2026-11-19T08:15:00.000Z",
  ended_at: null,
  ending: null,
  verdict: "failing",
  worst_verdict: "failing",
  flaps: 0,
  not_observed_since: null,
  acknowledged: null,
  owner: null,
  members,
});

describe("messages about an incident", () => {
  const mixed = incident(
    member("rfis", { verdict: "late" }),
    member("daily_logs", { verdict: "failing" }),
    member("submittals", { verdict: "late" }),
    member("drawings", { verdict: "unknown" }),
    member("models", { ended_at: "2026-11-19T09:00:00.000Z", ending: "data_received" }),
  );
  const own = "failing: daily_logs; late: rfis and submittals; unknown: drawings";

  test("name each endpoint with its own verdict, and none whose trouble is over", () => {
    expect(openedText(mixed, WHERE)).toBe(
      `Procore at Northgate needs attention (${own}). It began at 08:00 UTC on Thu 19 Nov.`,
    );
    expect(worseText(mixed, WHERE)).toBe(
      `Procore at Northgate got worse (now ${own}). It began at 08:00 UTC on Thu 19 Nov, 2 h 00 m ago.`,
    );
    expect(reminderText(mixed, WHERE)).toBe(
      `Procore at Northgate still needs attention (${own}), and no one has acknowledged it. It began at 08:00 UTC on Thu 19 Nov, 2 h 00 m ago.`,
    );
    expect(lineOf(mixed, "UTC")).toBe(
      `Procore (${own}): since 08:00 UTC on Thu 19 Nov, unacknowledged`,
    );
  });

  test("are shorter if all endpoints have the same verdict", () => {
    const same = incident(member("rfis", {}), member("daily_logs", {}));
    expect(openedText(same, WHERE)).toBe(
      "Procore at Northgate is late: rfis and daily_logs. It began at 08:00 UTC on Thu 19 Nov.",
    );
  });

  test("name at most six, and count the others by verdict", () => {
    const many = (count: number, verdict: Member["verdict"]) =>
      Array.from({ length: count }, (_, at) => member(`${verdict}${at}`, { verdict }));
    expect(
      lineOf(incident(...many(4, "failing"), ...many(5, "stale"), ...many(9, "late")), "UTC"),
    ).toMatch(
      /^Procore \(failing: failing0, failing1, failing2 and failing3; stale: stale0, stale1 and 3 more; late: 9 feeds\)/,
    );
  });

  test("name each endpoint with its own ending at the end", () => {
    const endedAt = "2026-11-19T09:00:00.000Z";
    const ended = {
      ...incident(
        member("rfis", { ended_at: endedAt, ending: "data_received", received_at: endedAt }),
        member("drawings", {
          ended_at: "2026-11-19T08:00:00.000Z",
          ending: "data_received",
          received_at: "2026-11-19T07:30:00.000Z",
        }),
        member("submittals", { ended_at: endedAt, ending: "paused" }),
        member("models", { ended_at: endedAt, ending: "eased" }),
      ),
      state: "ended" as const,
      ended_at: endedAt,
      ending: "mixed" as const,
    };
    expect(endedText(ended, WHERE)).toBe(
      "Procore at Northgate: the incident ended at 09:00 UTC on Thu 19 Nov (data received: rfis and drawings (at 07:30 UTC on Thu 19 Nov, reported late); paused at the source, no data received: submittals; no longer overdue or failing, no data received: models). It needed attention for 1 h 00 m.",
    );
  });

  test("never name an endpoint under a verdict or ending that it doesn't have", () => {
    const members = fc.array(
      fc.record({
        verdict: fc.constantFrom<Member["verdict"]>("failing", "stale", "late", "unknown"),
        ending: fc.option(fc.constantFrom(...MEMBER_ENDINGS)),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(members, (given) => {
        const all = given.map(({ verdict, ending }, at) =>
          member(`<${at}>`, {
            verdict,
            ending,
            ended_at: ending === null ? null : "2026-11-19T09:00:00.000Z",
          }),
        );
        const described = incident(...all);
        const isOver = given.every(({ ending }) => ending !== null);
        for (const text of [
          openedText(described, WHERE),
          worseText(described, WHERE),
          lineOf(described, "UTC"),
        ]) {
          for (const [at, { verdict, ending }] of given.entries()) {
            if (!text.includes(`<${at}>`)) continue;
            expect(ending === null || isOver).toBe(true);
            const before = text.slice(0, text.indexOf(`<${at}>`));
            expect(before.match(/(failing|stale|late|unknown): /g)?.at(-1)).toBe(`${verdict}: `);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("briefs", () => {
  test("say that all is well only for what was observed and covered", () => {
    expect(stateOf({})).toBe("No incident is open");
    expect(stateOf({ isSeen: false })).toBe("No incident is known to be open");
    expect(stateOf({ open: 1, isSeen: false })).toBe("1 incident is known to be open");
    expect(stateOf({ open: 2, partners: ["Procore", "Aconex"] })).toBe(
      "2 incidents are open for Procore and Aconex",
    );
    expect(stateOf({ isMine: true })).toBe("No incident of yours is open");
    expect(stateOf({ open: 3, isMine: true })).toBe("3 incidents of yours are open");
    expect(briefText({ ...BRIEF, isMine: true, lines: [] })).toBe(
      "No incident of yours is open. You don’t look after any customers.",
    );
  });

  test("say how much of the time a company was observed, or that it was never checked", () => {
    const counts = { began: 1, ended: 2, open: 3, unknown: 0, removed: 0 };
    const line = { company: "Northgate", ...counts, observed: 1 };
    expect(briefLine(line)).toBe("Northgate: 1 began, 2 ended, 3 open; checked throughout");
    expect(briefLine({ ...line, observed: 0.9999 })).toContain("checked 99.9% of the time");
    expect(briefLine({ ...line, observed: "never" })).toBe("Northgate: not checked yet");
  });

  test("count endpoints that can't be judged and those that left the list, which open no incident", () => {
    const quiet = { began: 0, ended: 0, open: 0, observed: 1 };
    expect(briefLine({ company: "Northgate", ...quiet, unknown: 60, removed: 1 })).toBe(
      "Northgate: 0 began, 0 ended, 0 open; checked throughout; 60 feeds can’t be judged; 1 feed removed",
    );
  });
});

test("claim nothing about the time before a company was first seen", () => {
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

test("say on recovery from blindness nothing about incidents outside the reader's scope", () => {
  const given = { company: "Northgate", fromMs: BRIEF.fromMs, untilMs: BRIEF.untilMs };
  const text = (happened: string[] | null) =>
    seenAgainText({ ...given, happened, timeZone: "UTC" });
  expect(text(null)).not.toContain("incident");
  expect(text([])).toContain("No incidents began, ended or got worse meanwhile.");
  expect(text(["Began: Procore"])).toMatch(/Meanwhile:\nBegan: Procore$/);
});
