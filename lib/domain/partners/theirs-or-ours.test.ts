import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { minutesAgo } from "./partner-fixture";
import { runsSince, theirsOrOurs, type CompanyEvidence, type EndedRuns } from "./theirs-or-ours";

const SINCE = minutesAgo(18);
const behind = (more: Partial<CompanyEvidence> = {}): CompanyEvidence => ({
  standing: "behind",
  hasIt: true,
  host: "https://api.example:443",
  sinceMs: SINCE,
  lastRuns: ["timed_out"],
  othersBeganMs: [],
  ...more,
});
const well: CompanyEvidence = { ...behind(), standing: "on_time", sinceMs: null, lastRuns: [] };
const unseen: CompanyEvidence = { ...well, standing: "unseen" };
const paused: CompanyEvidence = { ...well, standing: "paused", hasIt: false };

const times = (many: number, one: CompanyEvidence) => Array.from({ length: many }, () => one);
const runs = (completed: number, ended: number): EndedRuns => ({
  own: { completed: 2, ended: 31 },
  others: { completed, ended },
});
const codeOf = (companies: readonly CompanyEvidence[], ended: EndedRuns | null = null) =>
  theirsOrOurs(companies, ended).code;

describe("we are blind", () => {
  test("at more than a fifth of the companies that have the partner", () => {
    expect(codeOf([...times(4, behind()), unseen], runs(9, 10))).toBe("theirs");
    expect(codeOf([...times(7, behind()), ...times(2, unseen)], runs(9, 10))).toBe("we_are_blind");
    expect(codeOf([unseen])).toBe("we_are_blind");
  });

  test("doesn't count companies without an active feed of it", () => {
    const others = times(10, paused);
    expect(codeOf([...times(3, behind()), unseen, ...others], runs(9, 10))).toBe("we_are_blind");
    expect(codeOf([...times(4, behind()), { ...unseen, hasIt: false }], runs(9, 10))).toBe(
      "theirs",
    );
  });

  test("says how many, and of how many", () => {
    expect(theirsOrOurs([behind(), well, unseen], null)).toEqual({
      code: "we_are_blind",
      host: null,
      evidence: [
        { kind: "unseen", hit: 1, of: 3 },
        { kind: "companies", hit: 1, of: 3 },
      ],
    });
  });
});

describe("limited", () => {
  const limited = behind({ lastRuns: ["rate_limited", "rate_limited"] });
  test("if the last run of every feed that is behind was rate limited", () => {
    expect(codeOf([limited, limited], runs(10, 10))).toBe("limited");
    expect(codeOf([limited, behind({ lastRuns: ["rate_limited", null] })], runs(9, 10))).toBe(
      "theirs",
    );
  });

  test("needs something behind", () => {
    expect(codeOf([well, well])).toBe("cant_tell");
  });

  test("counts feeds", () => {
    expect(theirsOrOurs([limited], null).evidence[0]).toEqual({ kind: "limited", hit: 2, of: 2 });
  });
});

describe("host", () => {
  const shared = (minutes: number, host?: string) =>
    behind({
      othersBeganMs: [SINCE + minutes * MINUTE_MS],
      ...(host === undefined ? {} : { host }),
    });

  test("if at half or more of its companies other partners are in trouble since the same time", () => {
    expect(codeOf([shared(30), behind()], runs(10, 10))).toBe("host");
    expect(codeOf([shared(-30), behind()], runs(10, 10))).toBe("host");
    expect(codeOf([shared(0), behind(), behind()], runs(10, 10))).toBe("theirs");
  });

  test("doesn't hold for trouble that started more than half an hour apart", () => {
    expect(codeOf([shared(30 + 1 / 60_000), behind()], runs(10, 10))).toBe("theirs");
    expect(codeOf([shared(-30 - 1 / 60_000), behind()], runs(10, 10))).toBe("theirs");
  });

  test("counts each host apart, and names that with the most companies", () => {
    const other = "https://other.example:443";
    const companies = [behind(), shared(0), shared(5, other), shared(5, other), shared(5, other)];
    expect(theirsOrOurs(companies, null)).toMatchObject({
      code: "host",
      host: other,
      evidence: [
        { kind: "host", hit: 3, of: 3 },
        { kind: "companies", hit: 5, of: 5 },
      ],
    });
  });
});

describe("a host with one company that is behind", () => {
  const shared = behind({ host: "https://other.example:443", othersBeganMs: [SINCE] });

  test("is told apart from the partner only if no other company is behind", () => {
    expect(codeOf([shared, well])).toBe("host");
    expect(codeOf([shared, behind()], runs(10, 10))).toBe("theirs");
    expect(codeOf([shared, behind(), behind()], runs(10, 10))).toBe("theirs");
  });
});

describe("theirs", () => {
  test("if it is behind at two companies and nine of ten runs of other partners completed", () => {
    expect(codeOf(times(2, behind()), runs(9, 10))).toBe("theirs");
    expect(codeOf(times(2, behind()), runs(89, 99))).toBe("cant_tell");
    expect(codeOf(times(2, behind()), runs(90, 100))).toBe("theirs");
  });

  test("needs runs of other partners", () => {
    expect(codeOf(times(2, behind()), runs(0, 0))).toBe("cant_tell");
    expect(codeOf(times(2, behind()), null)).toBe("cant_tell");
  });

  test("isn't said of one company", () => {
    expect(codeOf([behind()], runs(10, 10))).toBe("cant_tell");
  });

  test("counts runs", () => {
    expect(theirsOrOurs([...times(9, behind()), ...times(28, well)], runs(206, 214))).toEqual({
      code: "theirs",
      host: null,
      evidence: [
        { kind: "own_runs", hit: 2, of: 31 },
        { kind: "other_runs", hit: 206, of: 214 },
        { kind: "companies", hit: 9, of: 37 },
      ],
    });
  });
});

test("is one company if it is behind at one of two or more that have the partner", () => {
  expect(codeOf([behind(), well], runs(10, 10))).toBe("one_company");
  expect(codeOf([behind(), paused])).toBe("cant_tell");
  expect(codeOf([behind(), behind(), well])).toBe("cant_tell");
});

test("never claims more than was counted", () => {
  const company = fc.record<CompanyEvidence>({
    standing: fc.constantFrom("behind", "on_time", "cannot_judge", "unseen"),
    hasIt: fc.boolean(),
    host: fc.constantFrom("a", "b"),
    sinceMs: fc.constant(SINCE),
    lastRuns: fc.array(fc.constantFrom("rate_limited", "failed", null), { maxLength: 2 }),
    othersBeganMs: fc.array(fc.integer({ min: -40, max: 40 }).map((n) => SINCE + n * MINUTE_MS)),
  });
  const tally = fc
    .tuple(fc.nat(20), fc.nat(20))
    .map(([completed, others]) => ({ completed, ended: completed + others }));
  const ended = fc.option(fc.record({ own: tally, others: tally }));
  fc.assert(
    fc.property(fc.array(company), ended, (companies, known) => {
      const { code, evidence, host } = theirsOrOurs(companies, known);
      for (const { hit, of } of evidence) expect(hit).toBeLessThanOrEqual(of);
      expect(new Set(evidence.map(({ kind }) => kind)).size).toBe(evidence.length);
      expect(host !== null).toBe(code === "host");
      const having = companies.filter(({ hasIt }) => hasIt);
      const hit = having.filter(({ standing }) => standing === "behind").length;
      if (["theirs", "one_company", "host", "limited"].includes(code))
        expect(hit).toBeGreaterThan(0);
      if (code === "theirs") expect(known?.others.ended).toBeGreaterThan(0);
      if (code !== "we_are_blind")
        expect(
          having.filter(({ standing }) => standing === "unseen").length * 5,
        ).toBeLessThanOrEqual(having.length);
    }),
  );
});

test("says since when runs were counted", () => {
  const untilMs = minutesAgo(0);
  const short = { fromMs: SINCE, untilMs };
  const whole = { fromMs: untilMs - DAY_MS, untilMs };
  expect(runsSince([short, short], DAY_MS)).toBe("trouble");
  expect(runsSince([whole], DAY_MS)).toBe("a_day");
  expect(runsSince([short, whole], DAY_MS)).toBe("mixed");
});
