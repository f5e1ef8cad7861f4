import { describe, expect, test } from "vitest";
import { firstScreen, orderedLines, shownToday } from "./shown";
import { lineFixture, memberFixture, todayFixture } from "./today-fixture";

const AT_MS = Date.parse("2026-11-24T14:20:00Z");
const ANA = { name: "Ana", since: "2026-11-24T14:10:00.000Z" };

const incident = (slug: string, next: string | null) =>
  lineFixture([memberFixture(slug, { next_sync_at: next })]);

describe("a line as a page shows it", () => {
  test("counts its feeds, companies and acknowledged incidents", () => {
    const members = [
      memberFixture("a", { on_it: ANA }),
      memberFixture("a", { endpoint_id: "a-2", on_it: ANA }),
      memberFixture("b"),
    ];
    const [line] = shownToday(
      todayFixture({ lines: [lineFixture(members, { kind: "partner" })] }),
    ).lines;
    expect(line).toMatchObject({ feeds: 3, companies: 2, acknowledged: 1 });
  });

  test("counts the companies that were told of all of its incidents there", () => {
    const told = (n: number) => `2026-11-24T13:0${n}:00.000Z`;
    const toldOf = (...times: [string, string | null][]) => {
      const members = times.map(([slug, told_at], at) =>
        memberFixture(slug, { endpoint_id: String(at), incident_id: at, told_at }),
      );
      return shownToday(todayFixture({ lines: [lineFixture(members, { kind: "partner" })] }))
        .lines[0]?.told;
    };
    expect(toldOf(["a", null], ["b", null])).toBeNull();
    expect(toldOf(["a", told(1)], ["b", null])).toEqual({ companies: 1, at: told(1) });
    expect(toldOf(["a", told(1)], ["a", null], ["b", told(2)])).toEqual({
      companies: 1,
      at: told(2),
    });
    expect(toldOf(["a", told(3)], ["a", told(1)])).toEqual({ companies: 1, at: told(3) });
  });

  test("has a key of its own, whatever its kind", () => {
    const lines = [
      lineFixture([memberFixture("a")], { kind: "partner" }),
      lineFixture([memberFixture("a")]),
      lineFixture([memberFixture("b")]),
      lineFixture([memberFixture("a", { incident_id: null })], { kind: "endpoint" }),
    ];
    expect(shownToday(todayFixture({ lines })).lines.map(({ key }) => key)).toEqual([
      "partner:Procore",
      "incident:a 7",
      "incident:b 7",
      "endpoint:a a-1",
    ]);
  });
});

test("the first screen is cut, and says by how much", () => {
  const members = Array.from({ length: 9 }, (_, at) =>
    memberFixture("a", { endpoint_id: String(at) }),
  );
  const lines = Array.from({ length: 100 }, (_, at) => ({
    ...lineFixture(members),
    partner_name: `Partner ${at}`,
  }));
  const well = Array.from({ length: 50 }, (_, at) => ({
    company: { slug: `w${at}`, name: `W ${at}` },
    on_time: 1,
    counted: 1,
    next_sync_at: null,
    last_check_at: null,
    owner: null,
    stand_in: null,
  }));
  const today = firstScreen(todayFixture({ lines, well }), "worst", AT_MS);
  expect(today.lines).toHaveLength(40);
  expect(today.well).toHaveLength(40);
  expect(today.cut).toEqual({ lines: 60, well: 10 });
  expect(today.lines[0]).toMatchObject({ feeds: 9 });
  expect(today.lines[0]?.members).toHaveLength(3);
});

test("the next sync comes first; then what has passed, then what isn't known", () => {
  const { lines } = shownToday(
    todayFixture({
      lines: [
        incident("unknown", null),
        incident("passed", "2026-11-24T14:10:00.000Z"),
        incident("later", "2026-11-24T15:00:00.000Z"),
        incident("soon", "2026-11-24T14:21:00.000Z"),
      ],
    }),
  );
  const slugs = (order: "worst" | "next") =>
    orderedLines(lines, order, AT_MS).map(({ members: [first] }) => first?.company.slug);
  expect(slugs("next")).toEqual(["soon", "later", "passed", "unknown"]);
  expect(slugs("worst")).toEqual(["unknown", "passed", "later", "soon"]);
});
