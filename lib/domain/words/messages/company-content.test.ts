import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentText } from "@/lib/domain/delivery/message-content";
import { MEMBER_ENDINGS } from "@/lib/domain/incidents/incident";
import { createReadingClock } from "@/lib/domain/words/customer/reading-clock";
import {
  blindContent,
  briefContent,
  briefLine,
  incidentLine,
  seenAgainContent,
  summaryContent,
  contentOf,
} from "./company-content";
import { ago, incident, member, TIME_ZONE, WRITTEN_MS } from "./story-fixture";

const GIVEN = { writtenMs: WRITTEN_MS, timeZone: TIME_ZONE, foot: [], company: "Northgate" };
const DAY_AGO_MS = Date.parse(ago(24 * 60));
const clock = () => createReadingClock({ nowMs: WRITTEN_MS, timeZone: TIME_ZONE });

describe("an incident in a list", () => {
  test("names feeds by verdict, at most six, and counts the others", () => {
    const many = (count: number, verdict: "failing" | "stale" | "late") =>
      Array.from({ length: count }, (_, at) => member(`${verdict}${at}`, { verdict }));
    const all = incident([...many(9, "late"), ...many(5, "stale"), ...many(4, "failing")]);
    expect(incidentLine(all, clock())).toBe(
      "Procore (failing: failing0, failing1, failing2 and failing3; stale: stale0, stale1 and 3 more; late: 9 feeds): since 05:37 CET, unacknowledged",
    );
  });

  test("never names a feed under a verdict that it doesn’t have", () => {
    const verdicts = ["failing", "stale", "late", "unknown"] as const;
    const members = fc.array(
      fc.record({
        verdict: fc.constantFrom(...verdicts),
        ending: fc.option(fc.constantFrom(...MEMBER_ENDINGS)),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(members, (given) => {
        const all = given.map(({ verdict, ending }, at) =>
          member(`<${at}>`, { verdict, ending, ended_at: ending === null ? null : ago(1) }),
        );
        const isOver = given.every(({ ending }) => ending !== null);
        const text = incidentLine(incident(all), clock());
        for (const [at, { verdict, ending }] of given.entries()) {
          if (!text.includes(`<${at}>`)) continue;
          expect(ending === null || isOver).toBe(true);
          const before = text.slice(0, text.indexOf(`<${at}>`));
          expect(before.match(/(failing|stale|late|unknown): /g)?.at(-1)).toBe(`${verdict}: `);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("a summary lists what is open", () => {
  const open = [incident([member("rfis")])];
  expect(contentText(summaryContent({ ...GIVEN, open, atMs: WRITTEN_MS }))).toBe(
    "1 incident is open at Northgate\nAs of 07:22 CET.\nProcore (stale: rfis): since 05:37, unacknowledged",
  );
});

describe("a brief", () => {
  const BRIEF = {
    ...GIVEN,
    fromMs: DAY_AGO_MS,
    untilMs: WRITTEN_MS,
    open: 0,
    isSeen: true,
    partners: "all",
    isMine: false,
    companies: ["Northgate: ..."],
  } as const;
  const titleOf = (more: Partial<Parameters<typeof briefContent>[0]>) =>
    briefContent({ ...BRIEF, ...more }).title;

  test("says that all is well only for what was checked and covered", () => {
    expect(titleOf({})).toBe("No incident is open");
    expect(titleOf({ isSeen: false })).toBe("No incident is known to be open");
    expect(titleOf({ open: 1, isSeen: false })).toBe("1 incident is known to be open");
    expect(titleOf({ open: 2, partners: ["Procore", "Aconex"] })).toBe(
      "2 incidents are open for Procore and Aconex",
    );
    expect(titleOf({ isMine: true })).toBe("No incident of yours is open");
    expect(contentText(briefContent({ ...BRIEF, isMine: true, companies: [] }))).toBe(
      "No incident of yours is open\nYou don’t look after any customers.",
    );
  });

  test("says which time it covers", () => {
    expect(briefContent(BRIEF).lead).toEqual(["From Sun 22 Nov, 07:22 CET until 07:22:"]);
  });

  test("counts customers beyond forty", () => {
    const companies = Array.from({ length: 60 }, (_, at) => `Customer ${at}: not checked yet`);
    const { items, more } = briefContent({ ...BRIEF, companies });
    expect([items.length, more]).toEqual([40, "And 20 more."]);
  });

  test("says how much of the time a company was checked, or that it never was", () => {
    const counts = { began: 1, ended: 2, open: 3, unknown: 0, removed: 0 };
    const line = { company: "Northgate", ...counts, observed: 1 };
    expect(briefLine(line)).toBe("Northgate: 1 began, 2 ended, 3 open; checked throughout");
    expect(briefLine({ ...line, observed: 0.9999 })).toContain("checked 99.9% of the time");
    expect(briefLine({ ...line, observed: "never" })).toBe("Northgate: not checked yet");
  });

  test("counts feeds that can’t be judged and those that left the list, which open no incident", () => {
    const quiet = { began: 0, ended: 0, open: 0, observed: 1 };
    expect(briefLine({ company: "Northgate", ...quiet, unknown: 60, removed: 1 })).toBe(
      "Northgate: 0 began, 0 ended, 0 open; checked throughout; 60 feeds can’t be judged; 1 feed removed",
    );
  });
});

describe("visibility", () => {
  test("claims nothing about the time before a company was first seen", () => {
    const because = "the source rejected our credentials";
    expect(contentText(blindContent({ ...GIVEN, sinceMs: null, because }))).toBe(
      "We haven’t been able to see Northgate yet\nThe source rejected our credentials. Until we can, we don’t know how its partners are doing.",
    );
    const first = (happened: string[] | null) =>
      contentText(seenAgainContent({ ...GIVEN, fromMs: null, untilMs: WRITTEN_MS, happened }));
    expect(first(null)).toBe(
      "We can see Northgate for the first time\nSeen first at 07:22 CET. We don’t know how its partners were doing before.",
    );
    expect(first([])).toContain("No incidents were open then.");
    expect(first(["Procore: stale"])).toMatch(/Open then:\nProcore: stale$/);
    for (const text of [first(null), first([]), first(["Procore: stale"])])
      expect(text).not.toMatch(/since|again|after|meanwhile/i);
  });

  test("says since when and why", () => {
    const because = "the source isn’t responding";
    expect(contentText(blindContent({ ...GIVEN, sinceMs: DAY_AGO_MS, because }))).toBe(
      "We haven’t been able to see Northgate since Sun 22 Nov, 07:22 CET\nThe source isn’t responding. Until we can, we don’t know how its partners are doing.",
    );
  });

  test("says on recovery nothing about incidents outside the reader’s scope", () => {
    const given = { ...GIVEN, fromMs: Date.parse(ago(20)), untilMs: WRITTEN_MS };
    const text = (happened: string[] | null) =>
      contentText(seenAgainContent({ ...given, happened }));
    expect(text(null)).toBe(
      "We can see Northgate again\nWe couldn’t see it from 07:02 CET to 07:22 (20 m).",
    );
    expect(text([])).toContain("No incidents began, ended or got worse meanwhile.");
    expect(text(["Began: Procore"])).toMatch(/Meanwhile:\nBegan: Procore$/);
  });
});

test("text alone is a title and lines", () => {
  expect(contentText(contentOf({ text: "This is a test.\nIt works." }))).toBe(
    "This is a test.\nIt works.",
  );
});
