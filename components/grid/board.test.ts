import { describe, expect, test } from "vitest";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { NOW_MS, agedRow, minutesAgo } from "@/lib/domain/row-fixture";
import { verdict } from "@/lib/domain/verdict";
import type { PromiseState } from "@/lib/domain/deadlines/deadline";
import { buildBoardLines, linesAtPlaces, withoutFirstSection, type Line } from "./board";
import { DESK_HEIGHTS, PHONE_HEIGHTS, heightOf } from "./line-heights";
import { needsAttention, placeRows } from "@/lib/domain/order";
import { verdictsOf, type Moment } from "@/lib/domain/judge";
import { loadBoardState, type BoardState } from "./board-url";

const NOW: Moment = { atMs: NOW_MS, isFrozen: false };
const DEFAULTS = loadBoardState("?group=partner");
const FIRST = loadBoardState("");

function endpoint(partner: string, key: string, ageMinutes: number | null): SyncStatusRow {
  const row = agedRow(ageMinutes, {
    id: `${partner}/${key}`,
    endpoint_key: key,
    partner_name: partner,
    last_sync_status: "completed",
  });
  return { ...row, verdict: verdict(row, row.known, NOW_MS).word };
}

const ROWS = [
  endpoint("Aconex", "documents", 5),
  endpoint("Aconex", "mail", 90),
  endpoint("Procore", "daily_logs", 85),
  endpoint("Procore", "rfis", 600),
  endpoint("Procore", "submittals", 10),
  endpoint("Sage 300", "vendors", 12),
];

function board(state: Partial<BoardState>, rows = ROWS, moment = NOW) {
  const whole = { ...DEFAULTS, ...state };
  return buildBoardLines(placeRows(rows, moment, whole), verdictsOf(rows, moment), whole);
}
const shown = (lines: readonly Line[]) =>
  lines.map((line) => {
    if (line.kind === "row") return line.row.endpoint_key;
    return line.kind === "section" ? line.kind : `${line.kind} ${line.partner ?? ""}`.trim();
  });

describe("what needs attention", () => {
  test("includes failing, stale and late, and excludes unknown", () => {
    const rows = [...ROWS, endpoint("Sage 300", "payments", null)];
    const { lines, matching, counts } = board({ verdict: "attention", rows: "folded" }, rows);
    expect(shown(lines)).toEqual(["group Procore", "rfis", "daily_logs", "group Aconex", "mail"]);
    expect(matching).toBe(needsAttention(counts));
  });
});

describe("lines that stay in place when new data comes", () => {
  const newer = (key: string, ageMinutes: number) => {
    const rows = ROWS.map((row) =>
      row.endpoint_key === key ? endpoint(row.partner_name, key, ageMinutes) : row,
    );
    return { rows, verdictOf: (line: Line) => line.kind === "row" && line.row.verdict };
  };

  test("show a feed as it is now, although the filter no longer does", () => {
    const { rows, verdictOf } = newer("documents", 600);
    const before = board({ verdict: "fresh", group: "flat" }).lines;
    const after = board({ verdict: "fresh", group: "flat" }, rows).lines;
    expect(shown(after)).not.toContain("documents");
    const held = linesAtPlaces(before, after, rows);
    expect(shown(held)).toEqual(shown(before));
    expect(held.map(verdictOf)).toEqual(["fresh", "fresh", "stale"]);
  });

  test("show no heading and no count of what has left", () => {
    const { rows } = newer("mail", 5);
    const before = board({ verdict: "late", group: "partner" }).lines;
    expect(shown(before)).toEqual(["group Procore", "daily_logs", "group Aconex", "mail"]);
    const held = linesAtPlaces(before, board({ verdict: "late" }, rows).lines, rows);
    expect(shown(held)).toEqual(["group Procore", "daily_logs", "mail"]);
  });

  test("leave out a feed that the API no longer lists", () => {
    const rows = ROWS.filter(({ endpoint_key }) => endpoint_key !== "documents");
    const before = board({ group: "flat" }).lines;
    const held = linesAtPlaces(before, board({ group: "flat" }, rows).lines, rows);
    expect(shown(held)).toEqual(shown(before).filter((key) => key !== "documents"));
  });
});

describe("promises", () => {
  const promised = (key: string, ageMinutes: number, state: PromiseState) => ({
    ...endpoint("Procore", key, ageMinutes),
    promise: {
      id: "p1",
      date: "2026-11-24",
      due_at: "2026-11-24T15:00:00Z",
      state,
      attempt_at: null,
      usually_seconds: null,
      late_seconds: null,
      late_at_most: false,
    },
  });

  test("order equal verdicts, missed ones first, and never change a verdict", () => {
    const rows = [
      endpoint("Procore", "most overdue", 110),
      promised("kept", 100, "met"),
      promised("at risk", 85, "at_risk"),
      promised("missed", 84, "missed"),
      endpoint("Procore", "stale", 600),
      promised("fresh", 5, "missed"),
    ];
    const { lines } = board({ group: "flat" }, rows);
    expect(shown(lines)).toEqual(["stale", "missed", "at risk", "most overdue", "kept", "fresh"]);
  });

  test("leave the order of partners as it is", () => {
    const rows = [
      promised("at risk", 84, "at_risk"),
      endpoint("Procore", "late", 100),
      endpoint("Aconex", "mail", 90),
    ];
    expect(shown(board({}, rows).lines)[0]).toBe("group Procore");
  });

  test("are below what needs attention, and where they are missed or at risk; others are in the row", () => {
    const heights = (row: SyncStatusRow, hasActs = true, of = DESK_HEIGHTS) =>
      board({ group: "flat" }, [row]).lines.map((line) => heightOf(line, of, hasActs));
    expect(heights(promised("late", 90, "met"))).toEqual([52]);
    expect(heights(promised("fresh", 5, "at_risk"))).toEqual([52]);
    expect(heights(promised("fresh", 5, "open"))).toEqual([30]);
    expect(heights(endpoint("Procore", "late", 90))).toEqual([30]);
    const learned_week = { time_zone: "UTC", spans: [], since: "2026-11-01T00:00:00Z" };
    const rested = (row: SyncStatusRow) => ({ ...row, known: { ...row.known, learned_week } });
    expect(heights(rested(endpoint("Procore", "late", 90)))).toEqual([52]);
    expect(heights(rested(endpoint("Procore", "late", 90)), false)).toEqual([30]);
    expect(heights(rested(endpoint("Procore", "fresh", 5)))).toEqual([30]);
    expect(heights(rested(promised("late", 90, "met")))).toEqual([52]);
    // Without acts there is no room in the row, and never on a phone.
    expect(heights(promised("fresh", 5, "open"), false)).toEqual([52]);
    expect(heights(promised("fresh", 5, "open"), true, PHONE_HEIGHTS)).toEqual([91]);
  });
});

describe("a name filter", () => {
  test("ignores accents and letter width, as every search does", () => {
    const rows = [endpoint("Ångström Großbau", "ｒｆｉｓ", 10), ...ROWS];
    expect(shown(board({ q: "angstrom grossbau RFIS" }, rows).lines)).toEqual([
      "group Ångström Großbau",
      "ｒｆｉｓ",
    ]);
  });

  test("determines the counts, in total and by partner, whatever the verdict filter, and keeps the overall total", () => {
    const { named, counts, total, matches, lines } = board({ q: "rfis", verdict: "fresh" });
    expect(named).toMatchObject({ counts: { stale: 1, late: 0, fresh: 0 }, total: 1 });
    expect(counts).toMatchObject({ stale: 1, late: 2, fresh: 3 });
    expect([total, matches.length, lines.length]).toEqual([6, 0, 0]);
    const [group] = board({ q: "rfis" }).lines;
    expect(group).toMatchObject({ kind: "group", counts: { stale: 1, late: 0, fresh: 0 } });
    expect(board({}).named).toMatchObject({ counts, total });
  });
});

describe("the order of the board", () => {
  test("sorts partners by their worst verdict, and rows likewise", () => {
    expect(shown(board({}).lines)).toEqual([
      "group Procore",
      "rfis",
      "daily_logs",
      "submittals",
      "group Aconex",
      "mail",
      "documents",
      "group Sage 300",
      "vendors",
    ]);
  });

  test("sorts equally bad partners by lateness, however many of their endpoints are healthy", () => {
    const rows = [
      endpoint("Aconex", "documents", 5),
      endpoint("Aconex", "drawings", 6),
      endpoint("Aconex", "mail", 85),
      endpoint("Procore", "rfis", 90),
    ];
    expect(shown(board({}, rows).lines).slice(0, 2)).toEqual(["group Procore", "rfis"]);
  });

  test("sorts healthy partners by name, whatever their data age", () => {
    const rows = [
      endpoint("Aconex", "mail", 5),
      endpoint("Procore", "daily_logs", 30),
      endpoint("Procore", "rfis", 10),
    ];
    expect(shown(board({}, rows).lines).filter((line) => line.startsWith("group"))).toEqual([
      "group Aconex",
      "group Procore",
    ]);
  });

  test("keeps the API's order in fixed order, whatever the verdicts", () => {
    expect(shown(board({ order: "fixed" }, ROWS.toReversed()).lines)).toEqual([
      "group Aconex",
      "documents",
      "mail",
      "group Procore",
      "daily_logs",
      "rfis",
      "submittals",
      "group Sage 300",
      "vendors",
    ]);
  });

  test("uses only the verdict when flat and worst first", () => {
    const words = board({ group: "flat" }).lines.map((line) =>
      line.kind === "row" ? line.row.verdict : line.kind,
    );
    expect(words).toEqual(["stale", "late", "late", "fresh", "fresh", "fresh"]);
  });

  test("keeps positions while words and counts change over time", () => {
    const flat = { ...DEFAULTS, group: "flat" } as const;
    const placed = placeRows(ROWS, NOW, DEFAULTS);
    const later = { atMs: NOW_MS + 3_600_000, isFrozen: false };
    const then = buildBoardLines(placed, verdictsOf(ROWS, later), DEFAULTS);
    expect(shown(then.lines)).toEqual(shown(board({}).lines));
    expect(then.counts.fresh).toBe(0);
    expect(then.counts.due).toBe(3);
    const flatLater = buildBoardLines(placeRows(ROWS, NOW, flat), verdictsOf(ROWS, later), flat);
    expect(shown(flatLater.lines)).toEqual(shown(board({ group: "flat" }).lines));
  });
});

describe("the board's content", () => {
  test("a long name has a second line on a phone", () => {
    const heights = (row: SyncStatusRow, of = PHONE_HEIGHTS) =>
      board({ group: "flat" }, [row]).lines.map((line) => heightOf(line, of, true));
    const long = endpoint("Oracle Unifier", "business_processes", 5);
    expect(heights(long)).toEqual([87]);
    expect(heights(long, DESK_HEIGHTS)).toEqual([30]);
    expect(heights(endpoint("Procore", "business_processes", 5))).toEqual([87]);
    expect(heights(endpoint("Procore", "daily_logs", 5))).toEqual([69]);
    expect(heights(endpoint("Oracle Unifier", "business_processes", 90))).toEqual([127]);
  });

  test("is narrowed by verdict filter and search, without changing the counts", () => {
    const late = board({ verdict: "late" });
    expect(shown(late.lines)).toEqual(["group Procore", "daily_logs", "group Aconex", "mail"]);
    expect(late.matching).toBe(2);
    expect(late.counts.fresh).toBe(3);
    expect(shown(board({ q: "PROCORE daily" }).lines)).toEqual(["group Procore", "daily_logs"]);
    expect(board({ q: "nothing of the kind" }).lines).toEqual([]);
  });

  test("counts all endpoints of a group, whatever the filter", () => {
    const [group] = board({ verdict: "late" }).lines;
    expect(group).toMatchObject({ kind: "group", counts: { stale: 1, late: 1, fresh: 1 } });
  });

  test("folds each partner's healthy endpoints into one line until it is opened", () => {
    expect(shown(board({ rows: "folded", open: ["Aconex"] }).lines)).toEqual([
      "group Procore",
      "rfis",
      "daily_logs",
      "fold Procore",
      "group Aconex",
      "mail",
      "documents",
      "group Sage 300",
      "fold Sage 300",
    ]);
  });

  test("shows healthy rows under a healthy verdict filter although healthy ones are folded", () => {
    expect(shown(board({ rows: "folded", verdict: "fresh" }).lines)).toContain("vendors");
  });

  test("keeps a collapsed group's line, and counts its endpoints as matching", () => {
    const closed = board({ closed: ["Procore"] });
    expect(shown(closed.lines).slice(0, 2)).toEqual(["group Procore", "group Aconex"]);
    expect(closed.matching).toBe(6);
  });

  test("keeps the snapshot's words while frozen, however much time passes", () => {
    const frozen = board({}, ROWS, { atMs: NOW_MS + 86_400_000, isFrozen: true });
    expect(frozen.counts).toMatchObject({ stale: 1, late: 2, fresh: 3 });
  });

  test("reports unknown beside those that need attention, never among them", () => {
    const counts = board({}, [...ROWS, endpoint("CMiC", "pci", null)]).counts;
    expect(counts.unknown).toBe(1);
    expect(needsAttention(counts)).toBe(3);
  });
});

describe("what needs attention first", () => {
  const first = (state: Partial<BoardState>, rows = ROWS) => board({ ...FIRST, ...state }, rows);
  const TOP = ["rfis", "mail", "daily_logs"];

  test("has every row in trouble at the top, worst first, then the partners folded by name", () => {
    const { lines, top } = first({}, ROWS.toReversed());
    expect(shown(lines)).toEqual([
      ...TOP,
      "section",
      "group Aconex",
      "group Procore",
      "group Sage 300",
    ]);
    expect(top).toBe(3);
  });

  test("has partners in the order in which people look for them", () => {
    const rows = ["ANDPAD", "Aconex", "100% Compliance"].map((partner) =>
      endpoint(partner, "rfis", 5),
    );
    expect(shown(first({}, rows).lines).slice(1)).toEqual([
      "group 100% Compliance",
      "group Aconex",
      "group ANDPAD",
    ]);
  });

  test("shows all feeds of a partner in place, those in trouble once more, under keys of their own", () => {
    const { lines } = first({ open: ["Procore"] });
    expect(shown(lines).slice(4)).toEqual([
      "group Aconex",
      "group Procore",
      "rfis",
      "daily_logs",
      "submittals",
      "group Sage 300",
    ]);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });

  test("opens all partners, and folds single ones of them", () => {
    const { lines } = first({ partners: "open", closed: ["Procore", "Aconex"] });
    expect(shown(lines).slice(3)).toEqual([
      "section",
      "group Aconex",
      "group Procore",
      "group Sage 300",
      "vendors",
    ]);
  });

  test("has one line for a row under a filter, and no partner without a match", () => {
    expect(shown(first({ q: "procore" }).lines)).toEqual([
      "rfis",
      "daily_logs",
      "section",
      "group Procore",
      "submittals",
    ]);
    expect(shown(first({ verdict: "attention" }).lines)).toEqual(TOP);
    expect(shown(first({ verdict: "fresh" }).lines)).toEqual([
      "group Aconex",
      "documents",
      "group Procore",
      "submittals",
      "group Sage 300",
      "vendors",
    ]);
  });

  test("keeps the partners' heading when nothing is in trouble", () => {
    const { lines } = first({}, [endpoint("Sage 300", "vendors", 12)]);
    expect(shown(lines)).toEqual(["section", "group Sage 300"]);
    // It then heads the whole list: the head of the columns has lines right under it.
    const apart = withoutFirstSection(lines);
    expect(apart.section).toMatchObject({ partners: 1, isOpen: false });
    expect(shown(apart.lines)).toEqual(["group Sage 300"]);
    const behind = first({}).lines;
    expect(withoutFirstSection(behind)).toEqual({ section: null, lines: behind });
  });

  test("can be narrowed to what no one is on", () => {
    const whole = { ...FIRST, unattended: true };
    const { lines, matching } = buildBoardLines(
      placeRows(ROWS, NOW, whole),
      verdictsOf(ROWS, NOW),
      whole,
      { isAttended: ({ endpoint_key: key }) => key === "mail" },
    );
    expect(shown(lines)).toEqual(["rfis", "daily_logs"]);
    expect(matching).toBe(2);
  });

  test("keeps what is in planned quiet among what needs attention, but not in what no one is on", () => {
    const [verdicts, counted] = [verdictsOf(ROWS, NOW), new Map(verdictsOf(ROWS, NOW))];
    for (const { id, endpoint_key: key } of ROWS) if (key === "rfis") counted.delete(id);
    const of = (state: typeof FIRST) =>
      buildBoardLines(placeRows(ROWS, NOW, state), verdicts, state, { counted });
    expect(shown(of({ ...FIRST, unattended: true }).lines)).not.toContain("rfis");
    const { lines } = of({ ...FIRST, verdict: "attention" });
    expect(shown(lines)).toContain("rfis");
    const { partner_name: partner } = ROWS.find(({ endpoint_key: key }) => key === "rfis") ?? {};
    const groups = (state: typeof FIRST) =>
      of(state).lines.flatMap((line) =>
        line.kind === "group" ? [[line.partner, line.quiet]] : [],
      );
    expect(groups(FIRST)).toContainEqual([partner, 1]);
    expect(groups(FIRST).filter(([, quiet]) => quiet !== 0)).toHaveLength(1);
    expect(groups({ ...FIRST, group: "partner", q: "rfis" })).toEqual([[partner, 1]]);
  });
});

describe("next sync first", () => {
  const at = (row: SyncStatusRow, minutes: number | null) => ({
    ...row,
    next_sync_at: minutes === null ? null : minutesAgo(-minutes),
  });
  const rows = ROWS.map((row, index) => at(row, [40, 5, -10, 20, null, 1][index] ?? null));

  test("has the soonest first, then what has passed, then what isn't scheduled", () => {
    expect(shown(board({ group: "flat", order: "next" }, rows).lines)).toEqual([
      "vendors",
      "mail",
      "rfis",
      "documents",
      "daily_logs",
      "submittals",
    ]);
  });

  test("sorts partners by their first sync", () => {
    expect(
      shown(board({ order: "next" }, rows).lines).filter((line) => line.startsWith("g")),
    ).toEqual(["group Sage 300", "group Aconex", "group Procore"]);
  });

  test("gives each partner its scheduled syncs in order", () => {
    const [group] = board({ order: "fixed" }, rows).lines;
    expect(group).toMatchObject({
      partner: "Aconex",
      nextMs: [NOW_MS + 5 * 60_000, NOW_MS + 40 * 60_000],
    });
  });
});
