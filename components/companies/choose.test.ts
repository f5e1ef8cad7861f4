import { describe, expect, test } from "vitest";
import { companyFixture } from "./company-fixture";
import { choose, ownersOf, partnersOf } from "./choose";
import { NO_OWNER, type CompaniesState } from "./companies-url";

const ALL: CompaniesState = {
  verdict: null,
  whose: "all",
  owner: "",
  partner: "",
  q: "",
  order: "worst",
};
const NONE: ReadonlySet<string> = new Set();
const slugs = (
  companies: Parameters<typeof choose>[0],
  state: Partial<CompaniesState> = {},
  unseen = NONE,
) => choose(companies, unseen, { ...ALL, ...state }).companies.map(({ slug }) => slug);
const me = { name: "Ana Rask", is_you: true };
const tom = { name: "Tom Berg", is_you: false };
const care = { open: 0, unacknowledged: 0, on_it: [], next: null, owner: null, stand_in: null };

describe("worst first", () => {
  test("sorts by failing, then stale, late and unknown, then by name", () => {
    const companies = [
      companyFixture("zeta", { counts: { fresh: 9 } }),
      companyFixture("unknown", { counts: { unknown: 3 } }),
      companyFixture("late", { counts: { late: 9 } }),
      companyFixture("one", { counts: { failing: 1, late: 9 } }),
      companyFixture("two", { counts: { failing: 2 } }),
      companyFixture("alpha", { counts: { due: 1 } }),
    ];
    expect(slugs(companies)).toEqual(["two", "one", "late", "unknown", "alpha", "zeta"]);
    expect(slugs(companies, { order: "name" })).toEqual([
      "alpha",
      "late",
      "one",
      "two",
      "unknown",
      "zeta",
    ]);
  });

  test("puts blind companies before healthy ones, and keeps them sorted among those in trouble", () => {
    const companies = [
      companyFixture("calm", { counts: { fresh: 1 } }),
      companyFixture("unread"),
      companyFixture("was-stale", { counts: { stale: 1 } }),
      companyFixture("failing", { counts: { failing: 1 } }),
      companyFixture("late", { counts: { late: 1 } }),
    ];
    expect(slugs(companies, {}, new Set(["unread", "was-stale"]))).toEqual([
      "failing",
      "was-stale",
      "late",
      "unread",
      "calm",
    ]);
  });
});

describe("filters", () => {
  const companies = [
    companyFixture("failing", { counts: { failing: 1, fresh: 2 } }),
    companyFixture("calm", { counts: { fresh: 4 } }),
    companyFixture("blind", { counts: { fresh: 8 } }),
  ];
  const unseen = new Set(["blind"]);

  test("excludes blind companies from every count, and never filters them out of what needs attention", () => {
    const { counts } = choose(companies, unseen, ALL);
    expect(counts).toMatchObject({ failing: 1, fresh: 6 });
    expect(slugs(companies, { verdict: "attention" }, unseen)).toEqual(["failing", "blind"]);
    expect(slugs(companies, { verdict: "unknown" }, unseen)).toEqual(["blind"]);
    expect(slugs(companies, { verdict: "failing" }, unseen)).toEqual(["failing"]);
  });

  test("counts what the name and owner filters leave, whatever the verdict filter", () => {
    const { counts } = choose(companies, NONE, { ...ALL, q: "CALM", verdict: "failing" });
    expect(counts).toMatchObject({ failing: 0, fresh: 4 });
  });

  test("matches parts of a name, ignoring case and accents", () => {
    const named = [companyFixture("oe", { name: "Østfold Båt" }), companyFixture("x")];
    expect(slugs(named, { q: "bat" })).toEqual(["oe"]);
    expect(slugs(named, { q: "unknown" })).toEqual([]);
  });

  test("filters by my own or stand-in companies, and by unacknowledged incidents", () => {
    const theirs = [
      companyFixture("own", { care: { ...care, owner: me } }),
      companyFixture("stand", { care: { ...care, owner: tom, stand_in: { ...me, until: "" } } }),
      companyFixture("toms", { care: { ...care, owner: tom, open: 2, unacknowledged: 1 } }),
      companyFixture("handled", { care: { ...care, open: 1, on_it: [tom] } }),
    ];
    expect(slugs(theirs, { whose: "mine" })).toEqual(["own", "stand"]);
    expect(slugs(theirs, { whose: "unacknowledged" })).toEqual(["toms"]);
    expect(choose(theirs, NONE, ALL).amounts).toEqual({ mine: 2, unacknowledged: 1 });
    expect(choose(theirs, NONE, { ...ALL, q: "stand" }).amounts).toEqual({
      mine: 1,
      unacknowledged: 0,
    });
  });

  test("filters by partner, keeping companies that have it and those without a snapshot", () => {
    const theirs = [
      companyFixture("both", { partners: ["Procore", "aconex"] }),
      companyFixture("one", { partners: ["Procore"] }),
      companyFixture("none"),
      companyFixture("unread", { as_of: null, partners: null }),
      companyFixture("crowded", { partners: null, counts: { fresh: 1 } }),
      companyFixture("crowded-without", { partners: null }),
    ];
    expect(partnersOf(theirs)).toEqual(["aconex", "Procore"]);
    expect(slugs(theirs, { partner: "Procore" })).toEqual(["both", "crowded", "one", "unread"]);
    expect(slugs(theirs, { partner: "aconex" })).toEqual(["both", "crowded", "unread"]);
    expect(slugs(theirs, { partner: "Aconex" })).toEqual(["crowded", "unread"]);
  });

  test("uses no numbers while they aren't of the filtered partner", () => {
    const theirs = [
      companyFixture("late", { partners: ["Procore"], counts: { late: 1 } }),
      companyFixture("calm", { partners: ["Procore"], counts: { fresh: 1 } }),
      companyFixture("crowded", { partners: null }),
    ];
    const filters = {
      ...ALL,
      partner: "Procore",
      verdict: "attention",
      whose: "unacknowledged",
    } as const;
    const choice = choose(theirs, NONE, filters, false);
    expect(choice.companies.map(({ slug }) => slug)).toEqual(["calm", "crowded", "late"]);
    expect(choice.counts).toBeNull();
    expect(choice.amounts.unacknowledged).toBeNull();
  });

  test("filters by owner, including the administrators", () => {
    const theirs = [
      companyFixture("own", { care: { ...care, owner: me } }),
      companyFixture("toms", { care: { ...care, owner: tom } }),
      companyFixture("stand", { care: { ...care, owner: tom, stand_in: { ...me, until: "" } } }),
      companyFixture("left"),
    ];
    expect(ownersOf(theirs)).toEqual({ names: ["Ana Rask", "Tom Berg"], hasUnowned: true });
    expect(ownersOf(theirs.slice(0, 2)).hasUnowned).toBe(false);
    expect(slugs(theirs, { owner: "Tom Berg" })).toEqual(["stand", "toms"]);
    expect(slugs(theirs, { owner: NO_OWNER })).toEqual(["left"]);
    expect(slugs(theirs, { owner: "Tom Berg", whose: "mine" })).toEqual(["stand"]);
    const unread = [companyFixture("a", { care: null })];
    expect([ownersOf(unread), slugs(unread, { owner: "Tom Berg" })]).toEqual([
      { names: [], hasUnowned: false },
      ["a"],
    ]);
  });

  test("filters out no company by owner, and counts none, while the record is unavailable", () => {
    const unread = [companyFixture("a", { care: null }), companyFixture("b", { care: null })];
    expect(slugs(unread, { whose: "mine" })).toEqual(["a", "b"]);
    expect(slugs(unread, { whose: "unacknowledged" })).toEqual(["a", "b"]);
    expect(choose(unread, NONE, ALL).amounts.unacknowledged).toBeNull();
  });
});
