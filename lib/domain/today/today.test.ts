import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PromiseState } from "@/lib/domain/deadlines/deadline";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { VERDICTS, type LearnedWeekFacts, type Verdict } from "@/lib/domain/sync";
import { foldText, needlesOf } from "@/lib/domain/text/fold-text";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { compareVerdicts } from "@/lib/domain/verdict";
import { todayCompany, type CompanyFacts, type TroubledFeed } from "./company";
import { foldToday, NO_FILTERS, type TodayFilters } from "./today";

const NOW_MS = Date.parse("2026-11-19T14:20:00Z");
const ANA = { id: "ana", name: "Ana" };
const TOM = { id: "tom", name: "Tom" };
const NO_HANDS = {
  ownerId: null,
  acknowledgedById: null,
  companyOwnerId: null,
  standInId: null,
};
const minutesAgo = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

type Given = {
  id?: string;
  partner?: string;
  verdict: Verdict;
  overdue?: number;
  next?: number | null;
  incident?: number | null;
  by?: { id: string; name: string } | null;
  isQuiet?: boolean;
  fleet?: string | null;
  learnedWeek?: LearnedWeekFacts;
  promise?: { id?: string; state: PromiseState; dueIn?: number; lateSeconds?: number };
};

let lastId = 0;
/** @param given.overdue minutes; `next`: minutes from now */
function company(slug: string, given: readonly Given[], more: Partial<CompanyFacts> = {}) {
  const feeds = given.map((one) => {
    lastId += 1;
    const { id = `f${lastId}`, partner = "Procore", next = 6, overdue } = one;
    return {
      id,
      key: `key ${id}`,
      searchText: `key ${id}`,
      partner,
      verdict: one.verdict,
      landedMs: minutesAgo(60 + (overdue ?? 0)),
      nextMs: next === null ? null : minutesAgo(-next),
      dueMs: overdue === undefined ? null : minutesAgo(overdue),
      dueByDataMs: overdue === undefined ? null : minutesAgo(overdue),
      lastRun: null,
      isListed: true,
      promise:
        one.promise === undefined
          ? null
          : {
              id: one.promise.id ?? `promise of ${id}`,
              date: "2026-11-19",
              due_at: iso(minutesAgo(-(one.promise.dueIn ?? 40))),
              state: one.promise.state,
              attempt_at: null,
              usually_seconds: null,
              late_seconds: one.promise.lateSeconds ?? null,
              late_at_most: false,
            },
      learnedWeek: one.learnedWeek ?? null,
    };
  });
  const troubles = feeds.flatMap((feed, at): TroubledFeed[] => {
    const { incident = null, by = null, isQuiet = false, fleet } = given[at] ?? {};
    if (!isTrouble(feed.verdict)) return [];
    return [
      {
        ...feed,
        verdict: feed.verdict,
        beganMs: (feed.dueMs ?? NOW_MS) + MINUTE_MS,
        isQuiet,
        incident:
          incident === null
            ? null
            : {
                id: incident,
                acknowledged: by === null ? null : { ...by, sinceMs: minutesAgo(5) },
                told: null,
                hands: { ...NO_HANDS, acknowledgedById: by?.id ?? null },
                ...(fleet !== undefined && { fleetId: fleet }),
              },
      },
    ];
  });
  return todayCompany({
    slug,
    name: slug.toUpperCase(),
    confidence: "live",
    reason: null,
    asOfMs: minutesAgo(1),
    offsetMs: 0,
    owner: null,
    standIn: null,
    hands: { companyOwnerId: null, standInId: null },
    feeds,
    troubles,
    ...more,
  });
}

const fold = (companies: Parameters<typeof foldToday>[0], filters: Partial<TodayFilters> = {}) =>
  foldToday(companies, { ...NO_FILTERS, ...filters }, NOW_MS).today;

describe("lines", () => {
  test("are in the order of the overdue time that counts", () => {
    // Thursday, 14:20.
    const learnedWeek = {
      time_zone: "UTC",
      spans: [{ from: "thu 00:00", until: "thu 13:00" }],
      since: iso(minutesAgo(90_000)),
    };
    const { lines } = fold([
      company("northgate", [
        { id: "a", verdict: "late", overdue: 300, learnedWeek },
        { id: "b", verdict: "late", overdue: 90 },
      ]),
    ]);
    expect(lines.map(({ members }) => members[0]?.endpoint_id)).toEqual(["b", "a"]);
    expect(lines.map((line) => line.learned_week)).toEqual([null, learnedWeek]);
  });

  test("are one per incident, with its worst feed first", () => {
    const { lines, counts } = fold([
      company("northgate", [
        { id: "a", verdict: "late", overdue: 90, incident: 1 },
        { id: "b", verdict: "failing", overdue: 34, incident: 1, next: 13 },
        { id: "c", verdict: "fresh" },
      ]),
    ]);
    expect(lines).toMatchObject([
      {
        kind: "incident",
        partner_name: "Procore",
        verdict: "failing",
        overdue_since: iso(minutesAgo(34)),
        next_sync_at: iso(minutesAgo(-13)),
        last_updated_at: iso(minutesAgo(94)),
        // Of the member whose trouble is the oldest, not of the worst.
        since: iso(minutesAgo(89)),
        on_it: null,
        attended: { of: 1, by: [] },
        members: [
          { endpoint_id: "b", incident_id: 1, company: { slug: "northgate", name: "NORTHGATE" } },
          { endpoint_id: "a" },
        ],
      },
    ]);
    expect(counts).toMatchObject({ endpoints: 3, behind: 2, companies_behind: 1, unattended: 2 });
  });

  test("are one per fleet incident with two companies or more", () => {
    const at = (slug: string, fleet: string | null) =>
      company(slug, [{ verdict: "late", overdue: 20, incident: 1, fleet }]);
    const kinds = (...companies: readonly ReturnType<typeof at>[]) =>
      fold(companies).lines.map(({ kind, members }) => [kind, members.length]);
    expect(kinds(at("a", "f"), at("b", "f"), at("c", null), at("d", null), at("e", null))).toEqual([
      ["partner", 2],
      ["incident", 1],
      ["incident", 1],
      ["incident", 1],
    ]);
    expect(kinds(at("a", "f"))).toEqual([["incident", 1]]);
  });

  test("are one per partner at three companies or more where fleet incidents aren't known", () => {
    const at = (slug: string, incident: number | null, by: Given["by"] = null) =>
      company(slug, [{ verdict: "late", overdue: 20, incident, by }]);
    expect(fold([at("a", 1), at("b", 1)]).lines.map(({ kind }) => kind)).toEqual([
      "incident",
      "incident",
    ]);
    const { lines } = fold([at("a", 1, ANA), at("b", 1, ANA), at("c", 1, TOM), at("d", null)]);
    expect(lines).toMatchObject([
      { kind: "partner", on_it: null, attended: { of: 3, by: ["Ana", "Tom"] } },
      { kind: "endpoint", on_it: null, attended: { of: 0, by: [] } },
    ]);
    const { lines: all } = fold([at("a", 1, ANA), at("b", 7, ANA), at("c", 1, ANA)]);
    expect(all).toMatchObject([
      { on_it: { name: "Ana", since: iso(minutesAgo(5)) }, attended: { of: 3, by: ["Ana"] } },
    ]);
  });

  test("are ordered by verdict, number of companies and overdue", () => {
    const { lines } = fold([
      company("a", [
        { id: "late", partner: "P1", verdict: "late", overdue: 999, incident: 1 },
        { id: "few", partner: "P2", verdict: "failing", overdue: 500, incident: 2 },
        { partner: "P3", verdict: "failing", overdue: 1, incident: 3 },
        { id: "fewer", partner: "P4", verdict: "failing", overdue: 600 },
      ]),
      company("b", [{ partner: "P3", verdict: "failing", overdue: 2, incident: 1 }]),
      company("c", [{ id: "many", partner: "P3", verdict: "failing", overdue: 3, incident: 1 }]),
    ]);
    expect(lines.map(({ members: [first] }) => first?.endpoint_id)).toEqual([
      "many",
      "fewer",
      "few",
      "late",
    ]);
  });
});

describe("promises", () => {
  test("order equal verdicts before anything else, and don't change them", () => {
    const { lines } = fold([
      company("many", [{ verdict: "late", overdue: 90, incident: 1, fleet: null }]),
      company("risk", [
        { verdict: "late", overdue: 5, incident: 2, fleet: null, promise: { state: "at_risk" } },
      ]),
      company("kept", [{ verdict: "late", overdue: 95, promise: { state: "met" } }]),
      company("missed", [
        { id: "other", verdict: "late", overdue: 9, incident: 3, fleet: null },
        {
          id: "late",
          verdict: "late",
          overdue: 3,
          incident: 3,
          fleet: null,
          promise: { state: "missed", dueIn: -5 },
        },
      ]),
      company("failing", [{ verdict: "failing", overdue: 1 }]),
    ]);
    expect(lines.map(({ members }) => members[0]?.company.slug)).toEqual([
      "failing",
      "missed",
      "risk",
      "kept",
      "many",
    ]);
    expect(lines.map(({ promise }) => promise?.promise.state ?? null)).toEqual([
      null,
      "missed",
      "at_risk",
      // A kept one isn't news.
      null,
      null,
    ]);
    expect(lines[1]?.promise).toMatchObject({
      company: { slug: "missed" },
      endpoint_key: "key late",
    });
  });

  test("are counted over all feeds that are seen, each once, until they are due", () => {
    const risk = { id: "p1", state: "at_risk", dueIn: 30 } as const;
    const companies = [
      company("northgate", [
        { verdict: "fresh", promise: risk },
        { verdict: "fresh", promise: { ...risk, dueIn: 20 } },
        { id: "late", verdict: "late", overdue: 3, promise: { state: "missed", dueIn: -5 } },
        { verdict: "fresh", promise: { state: "open" } },
      ]),
      // The same id at another customer is another promise.
      company("harbour", [{ verdict: "fresh", promise: { ...risk, dueIn: 10 } }]),
      company("blind", [{ verdict: "fresh", promise: risk }], { confidence: "blind" }),
    ];
    const { today, untilMs } = foldToday(companies, NO_FILTERS, NOW_MS);
    expect(today.promises).toMatchObject({
      missed: 1,
      at_risk: 2,
      first: { company: { slug: "northgate" }, endpoint_id: "late" },
    });
    // Then one of them is due, and no longer only at risk.
    expect(untilMs).toBeLessThanOrEqual(minutesAgo(-10));
    const later = foldToday(companies, NO_FILTERS, minutesAgo(-10)).today;
    expect(later.promises).toMatchObject({ missed: 1, at_risk: 1 });
    expect(fold(companies, { partner: "Aconex" }).promises).toEqual({
      missed: 0,
      at_risk: 0,
      first: null,
    });
    expect(fold(companies, { needles: needlesOf("harbour") }).promises.at_risk).toBe(1);
  });

  test("name the feed without data, then the one with the latest, where several missed one", () => {
    const missed = { id: "p1", state: "missed", dueIn: -5 } as const;
    const behind = { verdict: "late", overdue: 3, incident: 1, fleet: null } as const;
    const feeds = [
      { ...behind, id: "early", promise: { ...missed, lateSeconds: 60 } },
      { ...behind, id: "later", promise: { ...missed, lateSeconds: 120 } },
      { ...behind, id: "none", promise: missed },
    ];
    const shown = fold([company("northgate", feeds)]);
    expect(shown.promises).toMatchObject({ missed: 1, first: { endpoint_id: "none" } });
    expect(shown.lines[0]?.promise?.endpoint_key).toBe("key none");
    const known = fold([company("northgate", feeds.slice(0, 2))]);
    expect(known.promises.first?.endpoint_id).toBe("later");
    expect(known.lines[0]?.promise?.endpoint_key).toBe("key later");
  });
});

describe("companies", () => {
  test("that aren't seen are counted in nothing else", () => {
    const blind = company("tarn", [{ verdict: "failing", incident: 1 }, { verdict: "unknown" }], {
      confidence: "blind",
      reason: "unreachable",
      asOfMs: minutesAgo(28),
    });
    const view = fold([blind, company("northgate", [{ verdict: "fresh" }])]);
    expect(view.lines).toEqual([]);
    expect(view.counts).toMatchObject({
      endpoints: 1,
      behind: 0,
      cannot_judge: 0,
      unseen_companies: 1,
      next_attempt_at: null,
    });
    expect(view.unseen).toEqual([
      {
        company: { slug: "tarn", name: "TARN" },
        since: iso(minutesAgo(28)),
        reason: "unreachable",
        behind_then: 1,
        endpoints: 2,
      },
    ]);
    expect(view.as_of).toBe(iso(minutesAgo(1)));
  });

  test("are all as fresh as they were without a filter that none of them passes", () => {
    const live = company("north", [{ verdict: "fresh" }]);
    const delayed = company("harbour", [{ verdict: "late" }], {
      confidence: "delayed",
      asOfMs: minutesAgo(4),
    });
    const blind = company("tarn", [{ verdict: "late" }], {
      confidence: "blind",
      asOfMs: minutesAgo(28),
    });
    const nothing = { needles: needlesOf("zz") };
    const view = fold([live, delayed, blind], nothing);
    expect(view).toMatchObject({ as_of: iso(minutesAgo(4)), lines: [], well: [], unseen: [] });
    expect(view.counts).toMatchObject({ endpoints: 0, delayed: 1, unseen_companies: 1 });
    const unseen = fold([blind], nothing);
    expect(unseen).toMatchObject({ as_of: null, counts: { delayed: 0, unseen_companies: 1 } });
    const found = fold([live, delayed, blind], { needles: needlesOf("north") });
    expect(found).toMatchObject({
      as_of: iso(minutesAgo(1)),
      counts: { delayed: 0, unseen_companies: 0 },
    });
  });

  test("are well only with a feed on time, and can't be judged with none", () => {
    const { well, cannot_judge, counts } = fold([
      company("b", [
        { verdict: "due", next: -1 },
        { verdict: "unknown", next: 7 },
        { verdict: "paused", next: 1 },
        { verdict: "webhook", next: 1 },
        { verdict: "late", overdue: 9, isQuiet: true, next: null },
      ]),
      company("a", [{ verdict: "unknown" }, { verdict: "paused" }, { verdict: "webhook" }]),
      company("c", []),
      company("d", [{ verdict: "late", overdue: 9, isQuiet: true }]),
    ]);
    expect(well).toEqual([
      {
        company: { slug: "b", name: "B" },
        on_time: 1,
        counted: 3,
        next_sync_at: iso(minutesAgo(-7)),
        last_check_at: iso(minutesAgo(1)),
        owner: null,
        stand_in: null,
      },
    ]);
    expect(cannot_judge.map((one) => [one.company.slug, one.endpoints])).toEqual([
      ["a", 3],
      ["c", 0],
    ]);
    expect(counts).toMatchObject({ behind: 0, quiet: 2, cannot_judge: 2, judged: 1, endpoints: 9 });
  });

  test("that are delayed are counted, and stay", () => {
    const view = fold([company("a", [{ verdict: "fresh" }], { confidence: "delayed" })]);
    expect(view.counts.delayed).toBe(1);
    expect(view.well).toHaveLength(1);
  });
});

test("stays the same until the next sync that it names", () => {
  const behind = company("a", [
    { verdict: "late", next: 6 },
    { verdict: "late", next: -1 },
  ]);
  const well = company("b", [{ verdict: "fresh", next: 3 }], { offsetMs: 2 * MINUTE_MS });
  const until = (companies: (typeof behind)[]) =>
    foldToday(companies, NO_FILTERS, NOW_MS).untilMs - NOW_MS;
  expect(until([behind])).toBe(6 * MINUTE_MS);
  expect(until([behind, well])).toBe(MINUTE_MS);
  expect(fold([well]).api_clock_offsets).toEqual({ b: 2 * MINUTE_MS });
  expect(until([])).toBe(Infinity);
});

describe("filters", () => {
  const owned = { companyOwnerId: "ana", standInId: null };
  const companies = [
    company(
      "northgate",
      [
        { id: "p", partner: "Procore", verdict: "late", overdue: 20, incident: 1, by: TOM },
        { id: "o", partner: "Oracle", verdict: "failing", overdue: 20, incident: 2 },
      ],
      { owner: ANA, hands: owned },
    ),
    company("harbour", [
      { id: "h77", partner: "Procore", verdict: "stale", overdue: 20, incident: 1, by: TOM },
      { id: "x", partner: "Aconex", verdict: "fresh" },
    ]),
  ];
  const shown = (filters: Partial<TodayFilters>) => {
    const view = fold(companies, filters);
    const ids = view.lines.flatMap(({ members }) => members.map((one) => one.endpoint_id));
    expect(view.counts.behind).toBe(ids.length);
    return { ids, well: view.well.map((one) => one.company.slug), counts: view.counts };
  };
  const all = new Set(["northgate", "harbour"]);

  test("by partner leave nothing of other partners", () => {
    expect(shown({ partner: "Procore" })).toMatchObject({
      ids: ["h77", "p"],
      counts: { endpoints: 2, unattended: 0 },
    });
    expect(shown({ partner: "Aconex" })).toMatchObject({ ids: [], well: ["harbour"] });
    expect(shown({ partner: "Nothing" })).toMatchObject({ ids: [], well: [] });
  });

  test("by verdict and acknowledgement make no company well", () => {
    expect(shown({ verdicts: ["late", "stale"] })).toMatchObject({ ids: ["h77", "p"], well: [] });
    expect(shown({ isUnattended: true })).toMatchObject({
      ids: ["o"],
      well: [],
      counts: { unattended: 1, companies_behind: 1 },
    });
  });

  test("by owner and by person", () => {
    expect(shown({ ownerId: "ana" }).ids).toEqual(["o", "p"]);
    expect(shown({ ownerId: "tom" }).ids).toEqual([]);
    expect(shown({ mine: { personId: "ana", companies: all } }).ids).toEqual(["o", "p"]);
    expect(shown({ mine: { personId: "tom", companies: all } })).toMatchObject({
      ids: ["h77", "p"],
      counts: { endpoints: 2 },
    });
    const few = new Set(["harbour"]);
    expect(shown({ mine: { personId: "tom", companies: few } }).ids).toEqual(["h77"]);
    expect(shown({ mine: { personId: "ana", companies: new Set() } }).ids).toEqual([]);
  });

  test("by text in the names of company, partner and feed", () => {
    expect(shown({ needles: needlesOf("NORTH oracle") }).ids).toEqual(["o"]);
    expect(shown({ needles: needlesOf("key 77") }).ids).toEqual(["h77"]);
    expect(shown({ needles: needlesOf("harbour") }).ids).toEqual(["h77"]);
    expect(shown({ needles: needlesOf("zz") }).ids).toEqual([]);
  });
});

describe("for all companies", () => {
  const feed = fc.record({
    partner: fc.constantFrom("Procore", "Oracle", "Ångström"),
    verdict: fc.constantFrom(...VERDICTS),
    overdue: fc.integer({ min: 1, max: 500 }),
    next: fc.option(fc.integer({ min: -30, max: 30 })),
    incident: fc.option(fc.integer({ min: 1, max: 2 })),
    by: fc.option(fc.constantFrom(ANA, TOM)),
    isQuiet: fc.constantFrom(false, false, true),
  });
  const facts = fc.record({
    slug: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    feeds: fc.array(feed, { maxLength: 6 }),
    confidence: fc.constantFrom("live", "live", "delayed", "blind"),
    owner: fc.option(fc.constantFrom(ANA, TOM)),
  });
  const anyCompanies = fc.uniqueArray(facts, { selector: ({ slug }) => slug, maxLength: 6 });
  const anyFilters = fc.record({
    verdicts: fc.option(fc.subarray(["failing", "stale", "late"] as const, { minLength: 1 })),
    isUnattended: fc.boolean(),
    ownerId: fc.option(fc.constantFrom("ana", "tom")),
    partner: fc.option(fc.constantFrom("Procore", "Ångström")),
    q: fc.constantFrom("", "a", "ang", "key"),
    person: fc.option(fc.constantFrom("ana", "tom")),
  });
  type One = {
    slug: string;
    feeds: (Omit<Given, "next"> & { partner: string; next: number | null })[];
    confidence: CompanyFacts["confidence"];
    owner: typeof ANA | null;
  };
  /** An incident is of one partner, and acknowledged by one person or by none. */
  const tidy = ({ slug, feeds, confidence, owner }: One) => {
    const acknowledgers = new Map<string, Given["by"]>();
    const given = feeds.map((one) => {
      const key = `${one.partner} ${one.incident}`;
      if (!acknowledgers.has(key)) acknowledgers.set(key, one.by ?? null);
      const incident = one.incident == null ? null : one.incident + 10 * one.partner.length;
      return { ...one, incident, by: acknowledgers.get(key) ?? null };
    });
    const hands = { companyOwnerId: owner?.id ?? null, standInId: null };
    return { given, built: company(slug, given, { confidence, owner, hands }), owner };
  };

  test("the counts are those of the lines, and of an independent fold", () => {
    fc.assert(
      fc.property(anyCompanies, anyFilters, (raw, { q, person, ...filters }) => {
        const tidied = raw.map(tidy);
        const view = fold(
          tidied.map(({ built }) => built),
          {
            ...filters,
            needles: needlesOf(q),
            mine:
              person === null
                ? null
                : { personId: person, companies: new Set(["a", "b", "c", "d", "e", "f"]) },
          },
        );
        const passes = (at: (typeof tidied)[number], index: number) => {
          const { partner } = at.built.feeds[index] ?? { partner: "" };
          const one = at.given[index];
          const names = foldText(
            `${at.built.name} ${at.built.slug} ${partner} key ${at.built.feeds[index]?.id}`,
          );
          const isIncidentMine =
            one !== undefined &&
            isTrouble(one.verdict) &&
            one.incident !== null &&
            one.by?.id === person;
          return (
            (filters.ownerId === null || at.owner?.id === filters.ownerId) &&
            (filters.partner === null || partner === filters.partner) &&
            (q === "" || names.includes(q)) &&
            (person === null || at.owner?.id === person || isIncidentMine)
          );
        };
        const seen = tidied.filter(({ built }) => built.confidence !== "blind");
        const inScope = seen.flatMap((at) =>
          at.given.flatMap((one, index) =>
            passes(at, index) ? [{ one, slug: at.built.slug }] : [],
          ),
        );
        const behind = inScope.filter(
          ({ one }) =>
            isTrouble(one.verdict) &&
            !one.isQuiet &&
            (filters.verdicts === null || (filters.verdicts as Verdict[]).includes(one.verdict)) &&
            (!filters.isUnattended || one.incident === null || one.by === null),
        );
        const isNothing = inScope.length + view.unseen.length + view.cannot_judge.length === 0;
        const next = behind.flatMap(({ one }) =>
          one.next !== null && one.next > 0 ? one.next : [],
        );
        expect(view.counts).toMatchObject({
          endpoints: inScope.length,
          behind: behind.length,
          companies_behind: new Set(behind.map(({ slug }) => slug)).size,
          unattended: behind.filter(({ one }) => one.incident === null || one.by === null).length,
          cannot_judge: inScope.filter(({ one }) => one.verdict === "unknown").length,
          quiet: inScope.filter(({ one }) => isTrouble(one.verdict) && one.isQuiet).length,
          unseen_companies: isNothing ? tidied.length - seen.length : view.unseen.length,
          next_attempt_at: next.length === 0 ? null : iso(minutesAgo(-Math.min(...next))),
        });
        const members = view.lines.flatMap((line) => line.members);
        expect(members).toHaveLength(behind.length);
        expect(new Set(members.map((one) => one.endpoint_id)).size).toBe(behind.length);
        const listed = [...members, ...view.well, ...view.cannot_judge, ...view.unseen].map(
          (one) => one.company.slug,
        );
        expect(raw.map(({ slug }) => slug)).toEqual(expect.arrayContaining(listed));
        const quietly = [...view.well, ...view.cannot_judge, ...view.unseen];
        expect(new Set(quietly.map((one) => one.company.slug)).size).toBe(quietly.length);
        for (const {
          company: { slug },
          on_time,
          counted,
        } of view.well) {
          expect(on_time).toBeGreaterThan(0);
          expect(on_time).toBeLessThanOrEqual(counted);
          expect(members.some((one) => one.company.slug === slug)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("lines are worst first, and so are their members", () => {
    fc.assert(
      fc.property(anyCompanies, (raw) => {
        const { lines } = fold(raw.map((one) => tidy(one).built));
        for (const [at, line] of lines.entries()) {
          const after = lines[at + 1];
          if (after !== undefined)
            expect(compareVerdicts(line.verdict, after.verdict)).toBeLessThanOrEqual(0);
          for (const one of line.members) {
            expect(compareVerdicts(line.verdict, one.verdict)).toBeLessThanOrEqual(0);
            expect(one.incident_id === null).toBe(line.kind === "endpoint");
          }
          const slugs = new Set(line.members.map((one) => one.company.slug));
          expect(line.kind === "partner").toBe(slugs.size >= 3);
        }
      }),
    );
  });

  test("of two sets of companies, neither shows anything of the other", () => {
    fc.assert(
      fc.property(anyCompanies, (raw) => {
        const all = raw.map((one) => tidy(one).built);
        const few = all.filter(({ slug }) => slug < "d");
        const text = JSON.stringify(fold(few));
        for (const { feeds, slug } of all.filter((one) => !few.includes(one))) {
          expect(text).not.toContain(`"slug":"${slug}"`);
          for (const { id } of feeds) expect(text).not.toContain(`"${id}"`);
        }
      }),
    );
  });
});
