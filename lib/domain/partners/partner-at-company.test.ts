import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import { inOrder } from "./fold-partner";
import { partnersAt } from "./partner-at-company";
import { companyWith, minutesAgo, procoreAt, type FeedGiven } from "./partner-fixture";

test("the most overdue feed is the one with the most time that counts", () => {
  // A Tuesday, 14:20.
  const learnedWeek = {
    time_zone: "UTC",
    spans: [{ from: "tue 00:00", until: "tue 13:00" }],
    since: iso(minutesAgo(90_000)),
  };
  const rested = { verdict: "late", dueMs: minutesAgo(300), learnedWeek } as const;
  const other = { verdict: "late", dueMs: minutesAgo(90) } as const;
  expect(procoreAt("a", [rested, other])).toMatchObject({
    overdueSinceMs: minutesAgo(90),
    overdueWeek: null,
  });
  const alone = procoreAt("b", [rested]);
  expect(alone).toMatchObject({ overdueSinceMs: minutesAgo(300), overdueWeek: learnedWeek });
  expect(inOrder([alone, procoreAt("c", [other])]).map(({ slug }) => slug)).toEqual(["c", "b"]);
});

describe("standing", () => {
  test.each([
    [["fresh", "late"], "behind", "late"],
    [["late", "failing", "stale"], "behind", "failing"],
    [["fresh", "due"], "on_time", "due"],
    [["fresh", "unknown", "paused"], "on_time", "fresh"],
    [["unknown", "paused"], "cannot_judge", "unknown"],
    [["webhook", "paused"], "cannot_judge", "webhook"],
    [["paused", "paused"], "paused", "paused"],
  ] as const)("of feeds that are %j is %s", (words, standing, verdict) => {
    expect(
      procoreAt(
        "northgate",
        words.map((word) => ({ verdict: word })),
      ),
    ).toMatchObject({ standing, verdict });
  });

  test("isn't known while the company isn't seen, though what was behind is kept", () => {
    expect(
      procoreAt(
        "tarn",
        [
          { verdict: "failing", nextMs: minutesAgo(-6), dueMs: minutesAgo(34), incident: 4 },
          { verdict: "fresh" },
        ],
        { confidence: "blind" },
      ),
    ).toMatchObject({
      standing: "unseen",
      verdict: null,
      sinceMs: null,
      overdueSinceMs: null,
      nextMs: null,
      hit: [{ verdict: "failing" }],
      incident: { id: 4 },
    });
  });

  test("is quiet if only feeds in a planned quiet time are behind", () => {
    const quiet: FeedGiven = { verdict: "failing", isQuiet: true };
    expect(procoreAt("a", [quiet, { verdict: "late" }])).toMatchObject({
      standing: "behind",
      verdict: "late",
      quiet: 1,
      hit: [{ verdict: "late" }],
    });
    expect(procoreAt("a", [quiet, { verdict: "fresh" }])).toMatchObject({
      standing: "quiet",
      verdict: "failing",
    });
    expect(procoreAt("a", [quiet, { verdict: "unknown" }])).toMatchObject({ standing: "quiet" });
    expect(procoreAt("a", [quiet, { verdict: "paused" }])).toMatchObject({ standing: "quiet" });
    expect(procoreAt("a", [quiet])).toMatchObject({ standing: "quiet", verdict: "failing" });
  });
});

test("dates trouble by its first feed, and the next sync by the earliest of those behind", () => {
  expect(
    procoreAt("northgate", [
      { verdict: "failing", began: 12, nextMs: minutesAgo(-13), dueMs: minutesAgo(34) },
      { verdict: "late", began: 18, nextMs: minutesAgo(-6), dueMs: minutesAgo(50) },
      { verdict: "fresh", nextMs: minutesAgo(-1) },
    ]),
  ).toMatchObject({
    sinceMs: minutesAgo(18),
    nextMs: minutesAgo(-6),
    overdueSinceMs: minutesAgo(50),
  });
});

test("is overdue since data and cadence say so, and only without them since the next sync", () => {
  const overdue = (given: Partial<FeedGiven>) =>
    procoreAt("northgate", [{ verdict: "late", ...given }]).overdueSinceMs;
  expect(overdue({ dueMs: minutesAgo(40), dueByDataMs: minutesAgo(30) })).toBe(minutesAgo(30));
  expect(overdue({ dueMs: minutesAgo(40) })).toBe(minutesAgo(40));
  expect(overdue({})).toBeNull();
});

test("has the partner only with a feed that is neither paused nor removed", () => {
  expect(procoreAt("a", [{ verdict: "paused" }]).hasIt).toBe(false);
  expect(procoreAt("a", [{ verdict: "unknown", isListed: false }]).hasIt).toBe(false);
  expect(procoreAt("a", [{ verdict: "paused" }, { verdict: "unknown" }]).hasIt).toBe(true);
});

test("treats names that are equal after normalization as one partner", () => {
  const [composed, decomposed] = ["Caf\u00e9", "Cafe\u0301"];
  const partners = partnersAt(
    companyWith("northgate", [
      { verdict: "fresh", partner: decomposed },
      { verdict: "late", partner: composed },
      { verdict: "fresh", partner: decomposed },
      { verdict: "fresh", partner: "CAFÉ" },
    ]),
  );
  expect([...partners.keys()].toSorted()).toEqual(["CAFÉ", composed]);
  expect(partners.get(composed)).toMatchObject({
    partnerName: decomposed,
    feeds: { length: 3 },
    standing: "behind",
  });
});

test("counts every feed once, worst first, whatever they are", () => {
  const feed = fc.record({
    verdict: fc.constantFrom(...VERDICTS),
    partner: fc.constantFrom("Procore", "Sage", "Caf\u00e9", "Cafe\u0301"),
    isQuiet: fc.boolean(),
    began: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(feed), fc.boolean(), (given, isBlind) => {
      const company = companyWith("a", given, { confidence: isBlind ? "blind" : "live" });
      const all = [...partnersAt(company).values()];
      expect(all.reduce((sum, { feeds }) => sum + feeds.length, 0)).toBe(given.length);
      for (const { feeds, hit, quiet, standing, sinceMs } of all) {
        const ranks = feeds
          .slice(0, feeds.length - quiet)
          .map(({ verdict }) => VERDICTS.indexOf(verdict));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(feeds.filter(({ verdict }) => isTrouble(verdict))).toHaveLength(hit.length + quiet);
        expect(standing === "unseen").toBe(isBlind);
        if (!isBlind) expect(standing === "behind").toBe(hit.length > 0);
        expect(sinceMs !== null).toBe(standing === "behind");
      }
    }),
  );
});
