import { expect, test } from "vitest";
import { shownToday } from "@/lib/domain/today/shown";
import { lineFixture, memberFixture, todayFixture } from "@/lib/domain/today/today-fixture";
import { takeable } from "./today-context";
import { heightOf, itemsOf, lineOfRow } from "./today-items";

const today = shownToday(
  todayFixture({
    lines: [
      lineFixture([memberFixture("a"), memberFixture("b"), memberFixture("c")], {
        kind: "partner",
      }),
      lineFixture([memberFixture("d")]),
    ],
    unseen: [
      {
        company: { slug: "tarn", name: "Tarn" },
        since: null,
        reason: "unreachable",
        behind_then: 0,
        endpoints: 0,
      },
    ],
    cannot_judge: [{ company: { slug: "quiet", name: "Quiet" }, endpoints: 2 }],
  }),
);
const kinds = (open: readonly string[], cut = today.cut) =>
  itemsOf(today.lines, { ...today, cut }, new Set(open)).map(({ kind }) => kind);

test("what we can't see or judge is directly below what is wrong", () => {
  expect(kinds([])).toEqual(["line", "line", "unseen", "cannot-judge"]);
});

test("members are below the line that is folded out", () => {
  expect(kinds(["partner:Procore"])).toEqual([
    "line",
    "member",
    "member",
    "member",
    "line",
    "unseen",
    "cannot-judge",
  ]);
});

test("a row is one of its own line, also where another partner's name begins alike", () => {
  const partners = ["Sage", "Sage 300"].map((partner_name, at) =>
    lineFixture([memberFixture(`a${at}`), memberFixture(`b${at}`)], {
      kind: "partner",
      partner_name,
    }),
  );
  const { lines } = shownToday(todayFixture({ lines: partners }));
  const rows = itemsOf(lines, today, new Set(["partner:Sage", "partner:Sage 300"]));
  const found = rows.map(({ key }) => lineOfRow(lines, key)?.partner_name);
  expect(found.map(String).join()).toBe(
    "Sage,Sage,Sage,Sage 300,Sage 300,Sage 300,undefined,undefined",
  );
});

test("lines that aren't loaded yet have their space", () => {
  const [, , cut] = itemsOf(today.lines, { ...today, cut: { lines: 5, well: 0 } }, new Set());
  expect(cut && heightOf(cut, false)).toBe(5 * 29);
});

test("a line has room below it for its promise or its learned week", () => {
  const learned_week = { time_zone: "UTC", spans: [], since: "2026-11-01T00:00:00Z" };
  const member = memberFixture("a", { learned_week });
  const { lines } = shownToday(
    todayFixture({ lines: [lineFixture([member]), lineFixture([memberFixture("b")])] }),
  );
  const heights = lines.map((line) => heightOf({ kind: "line", key: line.key, line }, false));
  expect(heights).toEqual([50, 29]);
});

test("cards of members have room for acts where several companies are behind", () => {
  const both = shownToday(
    todayFixture({
      lines: [
        lineFixture([memberFixture("a"), memberFixture("b")], { kind: "partner" }),
        lineFixture([memberFixture("d")]),
      ],
    }),
  );
  const heights = (isCard: boolean) =>
    itemsOf(both.lines, both, new Set(both.lines.map(({ key }) => key)))
      .filter(({ kind }) => kind === "member")
      .map((item) => heightOf(item, isCard));
  expect(heights(true)).toEqual([104, 104, 72]);
  expect(heights(false)).toEqual([29, 29, 29]);
});

test("only open incidents that no one is on, of companies that the person handles, can be acknowledged", () => {
  const on = { name: "Ana", since: "2026-11-24T14:10:00.000Z" };
  const members = [
    memberFixture("a"),
    memberFixture("b"),
    memberFixture("a", { on_it: on }),
    memberFixture("a", { incident_id: null }),
  ];
  const handled = new Set(["a"]);
  expect(takeable(members, { handled, frozenMs: null })).toEqual([members[0]]);
  expect(takeable(members, { handled, frozenMs: 1 })).toEqual([]);
});
