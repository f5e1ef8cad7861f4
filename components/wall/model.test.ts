import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { compareVerdicts } from "@/lib/domain/verdict";
import type { WallModel } from "./model";
import {
  UNKNOWN,
  company,
  endpoint,
  failing,
  modelOf,
  overdue,
  promised,
  view,
} from "./wall-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";

const FRESH = [endpoint("Procore", "rfis"), endpoint("Aconex", "mail")];
const BLIND = {
  confidence: "blind",
  reason: "unreachable",
  last_success_at: minutesAgo(30),
} as const;
const DELAYED = { confidence: "delayed", last_success_at: minutesAgo(3) } as const;
const NOT_READ = { confidence: "blind", reason: "starting", last_success_at: null } as const;

function problemsOf({ main }: WallModel) {
  if (main.kind !== "problems") throw new Error(`shows ${main.kind}`);
  return main;
}

function calmOf({ main }: WallModel) {
  if (main.kind !== "calm") throw new Error(`shows ${main.kind}`);
  return main;
}

describe("the head", () => {
  it("shows whose wall it is, what needs attention, and the time in the display's zone", () => {
    const rows = [endpoint("Procore", "daily_logs", overdue(70)), ...FRESH];
    const model = modelOf([company("Northgate", view(rows))]);
    expect(model.title).toBe("Northgate");
    expect(model.attention).toBe("1 of 3 needs attention");
    expect(model.clock).toMatchObject({ time: "14:32", seconds: ":07", zone: "CET" });
  });

  it("lists companies that are no longer polled", () => {
    const left = [{ name: "Harbour" }];
    expect(modelOf([company("Northgate", view(FRESH))], { left }).attention).toBe(
      "Nothing needs attention; disconnected: Harbour",
    );
    expect(modelOf([company("Northgate", view([]))], { left }).attention).toBe(
      "Disconnected: Harbour",
    );
    expect(modelOf([], { left }).attention).toBe("");
    expect(modelOf([], { left }).main).toMatchObject({
      kind: "notice",
      headline: "Harbour disconnected",
    });
  });

  it("says how many were disconnected before their names, which may be cut off", () => {
    const left = [{ name: "Harbour" }, { name: "Tunnel" }];
    const attentionOf = (rows: typeof FRESH) =>
      modelOf([company("Northgate", view(rows))], { left }).attention;
    expect(attentionOf(FRESH)).toBe("Nothing needs attention; 2 disconnected: Harbour and Tunnel");
    expect(attentionOf([])).toBe("2 disconnected: Harbour and Tunnel");
  });

  it("counts unknown beside what needs attention, never in it", () => {
    const model = modelOf([
      company("Northgate", view([endpoint("CMiC", "pci", UNKNOWN), ...FRESH])),
    ]);
    expect(model.attention).toBe("Nothing is known to need attention");
    expect(model.scores?.find(({ word }) => word === "unknown")?.count).toBe(1);
  });
});

describe("promises", () => {
  const rows = [
    endpoint("Procore", "late", overdue(70)),
    endpoint("Procore", "at_risk", { ...overdue(60), ...promised("at_risk", 40) }),
    endpoint("Procore", "kept", { ...overdue(50), ...promised("met", -90) }),
    endpoint("Aconex", "fresh", promised("missed", -20)),
  ];

  it("at risk or missed are in the head, and first within a verdict", () => {
    const model = modelOf([company("Northgate", view(rows))]);
    expect(model.attention).toBe("3 of 4 need attention, 1 promise missed, 1 at risk");
    const main = problemsOf(model);
    expect(main.rows.map(({ endpoint: key }) => key)).toEqual(["at_risk", "late", "kept"]);
    expect(main.rows[0]?.facts[1]).toMatch(/^promised by \d\d:\d\d, at risk$/);
    // A kept one isn't news.
    expect(main.rows[2]?.facts.join()).not.toContain("promised");
  });

  it("make a calm wall less calm", () => {
    const calm = modelOf([
      company("Northgate", view([endpoint("Procore", "rfis", promised("at_risk", 9))])),
    ]);
    expect(calm.attention).toBe("Nothing needs attention, 1 promise at risk");
  });

  it("aren't claimed of a company that can't be seen", () => {
    const blind = modelOf([company("Northgate", view(rows, BLIND))]);
    expect(blind.attention).not.toContain("promise");
    expect(JSON.stringify(blind.main)).not.toContain("promised");
  });
});

describe("problems", () => {
  const rows = [
    endpoint("Procore", "late", overdue(44)),
    endpoint("Procore", "later", overdue(70)),
    endpoint("Oracle", "stale", overdue(1212)),
    endpoint("Sage", "failing", failing(111, 5)),
    ...FRESH,
  ];

  it("are sorted worst first, then by lateness, with due times and next syncs", () => {
    const main = problemsOf(modelOf([company("Northgate", view(rows))]));
    expect(main.rows.map(({ endpoint: key }) => key)).toEqual([
      "failing",
      "stale",
      "later",
      "late",
    ]);
    expect(main.rows[0]).toMatchObject({
      facts: ["Failing", "next sync 14:45", "due 12:41", "5 runs failed"],
      figure: { text: "1 h 51 m", caption: "overdue" },
    });
  });

  it("show the failure when nothing is overdue", () => {
    const never = endpoint("Sage", "first", { ...UNKNOWN, last_sync_status: "failed" });
    const streak = endpoint("Sage", "again", {
      last_sync_status: "failed",
      last_updated_at: minutesAgo(30),
      known: { ...row({}).known, failures_in_a_row: 3 },
    });
    const stuck = endpoint("Sage", "stuck", {
      last_sync_status: "in_progress",
      last_sync_started_at: minutesAgo(140),
      last_updated_at: minutesAgo(10),
    });
    // None of the runs counted completed, so more may have failed.
    const main = problemsOf(modelOf([company("Northgate", view([never, streak, stuck]))]));
    const byEndpoint = Object.fromEntries(main.rows.map((one) => [one.endpoint, one]));
    expect(byEndpoint["first"]).toMatchObject({ figure: { text: "1 run", caption: "failed" } });
    expect(byEndpoint["first"]?.facts).toContain("no data time");
    expect(byEndpoint["again"]).toMatchObject({ figure: { text: "3+ runs", caption: "failed" } });
    expect(byEndpoint["stuck"]).toMatchObject({ figure: { text: "2 h 20 m", caption: "running" } });
    expect(byEndpoint["stuck"]?.facts).toContain("run looks stuck");
  });

  it("without a row fit on a portrait wall's two lines, including figures and gaps", () => {
    const crowd = Array.from({ length: 6 }, (_, at) =>
      endpoint("Oracle", `row-${at}`, overdue(200 + at)),
    );
    const next = [
      endpoint("Dalux Field", "registrations_log", overdue(83)),
      endpoint("Autodesk Build", "forms", overdue(63)),
      endpoint("Procore", "change_orders", overdue(61)),
      endpoint("CMiC", "pci", overdue(60)),
    ];
    const { rows: shown, more } = problemsOf(
      modelOf([company("Northgate", view([...crowd, ...next]))], { layout: "portrait" }),
    );
    expect(shown).toHaveLength(6);
    // The first doesn't fit behind "4 more are late:", and takes more than half of the second line.
    expect(more?.items.map(({ endpoint: key }) => key)).toEqual(["registrations_log"]);
    expect(more?.tail).toBe("and 3 more");
  });

  it("without a row are named on one line, and counted when they don't fit", () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      endpoint("Procore", `e${at}`, overdue(20 + at)),
    );
    const main = problemsOf(modelOf([company("Northgate", view(many))]));
    expect(main.rows).toHaveLength(6);
    expect(main.more?.lead).toBe("24 more are late:");
    const named = main.more?.items.length ?? 0;
    expect(named).toBeGreaterThan(1);
    expect(main.more?.tail).toBe(`and ${24 - named} more`);
  });

  it("leave the line to unknown endpoints when they all have a row", () => {
    const main = problemsOf(
      modelOf([company("Northgate", view([...rows, endpoint("CMiC", "pci", UNKNOWN)]))]),
    );
    expect(main.more).toMatchObject({ lead: "1 unknown:", items: [{ endpoint: "pci" }], tail: "" });
  });

  it("leave tiles to partners without problems", () => {
    const main = problemsOf(modelOf([company("Northgate", view(rows))]));
    expect(main.tiles.map(({ name }) => name)).toEqual(["Aconex"]);
  });

  it("fill free tiles with partners that have problems but no row, worst first", () => {
    const many = Array.from({ length: 9 }, (_, at) => [
      endpoint(`Partner ${at}`, "one", overdue(500 - at)),
      endpoint(`Partner ${at}`, "two"),
    ]).flat();
    const storm = problemsOf(modelOf([company("Northgate", view(many))]));
    const named = new Set(storm.rows.map(({ partner }) => partner));
    expect(named.size).toBe(6);
    expect(storm.tiles.map(({ name }) => name)).toEqual(["Partner 6", "Partner 7", "Partner 8"]);
    expect(storm.tiles[0]?.tallies.map(({ word }) => word)).toEqual(["stale", "fresh"]);
    const healthy = Array.from({ length: 11 }, (_, at) => endpoint(`Well ${at}`, "one"));
    const { tiles } = problemsOf(modelOf([company("Northgate", view([...many, ...healthy]))]));
    expect(tiles).toHaveLength(12);
    expect(tiles.map(({ name }) => name).slice(0, 2)).toEqual(["Partner 6", "Well 0"]);
  });

  it("limit the tiles to twelve: the largest partners and the sum of the others", () => {
    const partners = Array.from({ length: 20 }, (_, at) => `Partner ${at}`);
    const healthy = partners.flatMap((name, at) =>
      Array.from({ length: at + 1 }, (_unused, key) => endpoint(name, `e${key}`)),
    );
    const main = problemsOf(modelOf([company("Northgate", view([...rows, ...healthy]))]));
    expect(main.tiles).toHaveLength(11);
    expect(main.tiles[0]?.name).toBe("Partner 19");
    const total = main.tiles.at(-1);
    // 210 of the twenty partners and one of Aconex, minus the ten largest.
    expect(total).toMatchObject({ name: "11 more partners", isTotal: true });
    expect(total?.tallies).toEqual([{ word: "fresh", count: 56 }]);
  });
});

describe("a calm wall", () => {
  it("says that all are fresh and which is due next, and draws the field", () => {
    const rows = [...FRESH, endpoint("Sage", "vendors", { last_updated_at: minutesAgo(56) })];
    const main = calmOf(modelOf([company("Northgate", view(rows))]));
    expect(main.headline).toBe("All 3 scheduled feeds are fresh");
    expect(main.nearest).toMatchObject({ endpoint: "vendors", ahead: "in 4 m" });
    expect(main.field?.fresh.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  it.each([
    ["landscape", 100 - 29.4, 1],
    ["portrait", 1600 / 9 - 63, 2],
  ] as const)("keeps the field below its text in %s", (layout, mainU, lines) => {
    const crowd = Array.from({ length: 300 }, (_, at) => endpoint("Sage", `e${at}`));
    const model = modelOf([company("Northgate", view(crowd))], { layout });
    const { field, tilesU, headlineU } = calmOf(model);
    const wordsU = 1.6 + lines * headlineU * 1.08 + 0.6 + 3.2 * 1.35;
    const labelsU = 7.4;
    const tallest = Math.max(...(field?.fresh ?? []).map(({ count }) => count));
    const roomU = mainU - wordsU - labelsU - tilesU;
    expect(tallest * (field?.pitchU ?? Number.NaN)).toBeLessThanOrEqual(roomU);
  });

  it("counts what is fresh when some are due or unknown, and names the unknown", () => {
    const rows = [
      ...FRESH,
      endpoint("Sage", "gl", overdue(5)),
      endpoint("CMiC", "pci", UNKNOWN),
      endpoint("CMiC", "off", { status: "inactive" }),
    ];
    const main = calmOf(modelOf([company("Northgate", view(rows))]));
    expect(main.headline).toBe("2 of 4 scheduled feeds are fresh");
    expect(main.field?.due).toHaveLength(1);
    expect(main.more).toMatchObject({ lead: "1 unknown:" });
  });

  it("excludes webhooks and paused endpoints from fresh", () => {
    const rows = [
      endpoint("Procore", "off", { status: "inactive" }),
      endpoint("Procore", "hook", { status: "webhook", frequency_minutes: null }),
    ];
    expect(calmOf(modelOf([company("Northgate", view(rows))])).headline).toBe(
      "No feeds are scheduled",
    );
  });

  it("makes no claim about a company that isn't seen", () => {
    const model = modelOf([
      company("Northgate", view(FRESH)),
      company("Orchard", view([], NOT_READ)),
      company("Harbour", view(FRESH)),
    ]);
    const main = calmOf(model);
    expect(main.headline).toBe("All 4 scheduled feeds that we can see are fresh");
    expect(main.rest?.unseen).toEqual({ names: "Orchard", says: ": not checked yet" });
    expect(model.attention).toBe(
      "None of 3 customers is known to be behind, 2 on time, can’t see 1",
    );
    expect(model.foot).toMatchObject({ label: "Live", note: "2 of 3 customers" });
  });
});

describe("a delayed picture", () => {
  it("is hollow, in the past tense, and says when it will freeze", () => {
    const model = modelOf([company("Northgate", view(FRESH, DELAYED))]);
    expect(model.scoresAre).toBe("behind");
    expect(model.attention).toBe("Nothing needed attention at 14:29");
    const main = calmOf(model);
    expect(main.headline).toBe("Both scheduled feeds were fresh at 14:29");
    expect(main.field?.isHollow).toBe(true);
    expect(main.tiles.every(({ isDelayed }) => isDelayed)).toBe(true);
    expect(model.foot).toMatchObject({
      label: "Delayed",
      note: "3 m behind. Verdicts freeze at 14:34.",
    });
  });

  it("is also of a screen that slept, until the server responds", () => {
    const shown = company("Northgate", view(FRESH));
    expect(modelOf([shown]).scoresAre).toBe("now");
    const model = modelOf([shown], { isTimeCertain: false });
    expect(model.scoresAre).toBe("behind");
    expect(model.foot).toMatchObject({ label: "Delayed" });
  });
});

describe("a blind wall", () => {
  const rows = [endpoint("Sage", "gl", { ...failing(111, 5), verdict: "failing" }), ...FRESH];

  it("says so, since when and why, and that nothing is known now", () => {
    const model = modelOf([company("Northgate", view(rows, BLIND))]);
    expect(model.state).toBe("blind");
    expect(model.band).toEqual({
      title: "Can’t see since 14:02",
      sentences: [
        "The source isn’t responding.",
        "Status is 30 m old. Everything below may have changed.",
      ],
    });
    expect(model.attention).toBe("1 of 3 needed attention at 14:02");
    expect(problemsOf(model).rows[0]).toMatchObject({
      facts: ["was failing at 14:02"],
      figure: { text: "not known", caption: "now" },
      isFrozen: true,
    });
    expect(model.foot.hops.map(({ text }) => text)).toEqual([
      "not checked",
      "no response",
      "30 m",
      "1 s",
    ]);
  });

  it("goes blind by its own clock without responses, and says what doesn't respond", () => {
    const shown = [company("Northgate", view(rows), NOW_MS)];
    const model = modelOf(shown, { nowMs: NOW_MS + 20 * MINUTE_MS });
    expect(model.band?.title).toBe("Can’t see since 14:31");
    expect(model.band?.sentences[0]).toBe("This display lost connection to Plumbline at 14:32.");
    expect(model.foot.hops.map(({ text }) => text)).toEqual([
      "not checked",
      "not known",
      "20 m",
      "20 m",
    ]);
    expect(model.foot.hops[3]?.isBad).toBe(true);
  });

  it("shows the last state when nothing was wrong", () => {
    const main = calmOf(modelOf([company("Northgate", view(FRESH, BLIND))]));
    expect(main).toMatchObject({
      headline: "Both scheduled feeds were fresh at 14:02",
      isFrozen: true,
      field: null,
      nearest: null,
    });
    expect(main.tiles[0]).toMatchObject({ isFrozen: true, note: "at 14:02" });
  });

  it("is as loud when half of several companies can't be seen, and counts only the others", () => {
    const model = modelOf([
      company("Northgate", view([endpoint("Procore", "late", overdue(70)), ...FRESH])),
      company("Orchard", view(rows, BLIND)),
    ]);
    expect(model.band?.sentences).toEqual([
      "Orchard: the source isn’t responding.",
      "Status is 30 m old. Anything hatched may have changed.",
    ]);
    expect(model.attention).toBe("1 of 2 customers behind, 0 on time, can’t see 1");
    expect(model.foot.label).toBe("Can’t see: Orchard");
  });

  it("gives the reason and no number before the first snapshot", () => {
    const reason = { ...NOT_READ, reason: "unauthorized" } as const;
    const model = modelOf([company("Northgate", view([], reason))]);
    expect(model).toMatchObject({ scores: null, attention: "", main: { kind: "notice" } });
    expect(model.band).toEqual({
      title: "Can’t see: no check yet",
      sentences: ["The source rejected our credentials.", "No data yet."],
    });
  });
});

describe("an empty wall", () => {
  const headline = ({ main }: WallModel) => (main.kind === "notice" ? main.headline : main.kind);

  it("says that it is starting, and counts nothing", () => {
    const model = modelOf([company("Northgate", view([], NOT_READ))]);
    expect(headline(model)).toBe("Starting");
    expect(model).toMatchObject({ scores: null, band: null, foot: { label: "Starting" } });
  });

  it("says that it is waiting for its first response", () => {
    expect(headline(modelOf([company("Northgate", null, null)]))).toBe(
      "Waiting for the first response",
    );
  });

  it("says that there is no endpoint", () => {
    const model = modelOf([company("Northgate", view([]))]);
    expect(headline(model)).toBe("No feeds at the last check");
    expect(model).toMatchObject({ scores: null, attention: "" });
  });

  it("says that it may see no company", () => {
    expect(headline(modelOf([]))).toBe("No customers to show");
  });
});

const instants = fc.option(
  fc.integer({ min: -30, max: 20_000 }).map((minutes) => minutesAgo(minutes)),
  { nil: null },
);
const anyRow: fc.Arbitrary<SyncStatusRow> = fc
  .record({
    partner_name: fc.constantFrom(
      "Procore",
      "Aconex",
      "Sage 300 & Sons of the very long name",
      "同期",
    ),
    endpoint_key: fc.string({ maxLength: 40 }),
    status: fc.constantFrom("active", "active", "active", "inactive", "webhook", "odd"),
    last_updated_at: instants,
    next_sync_at: instants,
    last_sync_status: fc.constantFrom("completed", "failed", "in_progress", "rate_limited", null),
    last_sync_started_at: instants,
    last_sync_finished_at: instants,
    frequency_minutes: fc.constantFrom(null, 15, 60, 1440),
    verdict: fc.constantFrom("fresh", "failing", "unknown"),
    reported: fc.boolean(),
    failures: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ reported, failures, ...given }) =>
    endpoint(given.partner_name, given.endpoint_key, {
      ...given,
      known: { ...row({}).known, reported, failures_in_a_row: failures },
    }),
  );
const anyCompany = fc
  .record({
    name: fc.string({ minLength: 1, maxLength: 50 }),
    rows: fc.array(anyRow, { maxLength: 40 }),
    readMinutesAgo: fc.option(fc.double({ min: 0, max: 30, noNaN: true }), { nil: null }),
    reason: fc.constantFrom(null, "unreachable", "rate_limited", "starting"),
    answered: fc.boolean(),
  })
  .map(({ name, rows, readMinutesAgo, reason, answered }) => {
    const last_success_at = readMinutesAgo === null ? null : minutesAgo(readMinutesAgo);
    return company(name, answered ? view(rows, { last_success_at, reason }) : null);
  });
const companies = fc
  .array(anyCompany, { maxLength: 5 })
  .map((all) => all.map((one, at) => ({ ...one, slug: `company-${at}` })));
const layouts = fc.constantFrom("landscape", "portrait");

describe("any input", () => {
  it("is never shown as present when last read over 150 s ago", () => {
    fc.assert(
      fc.property(companies, layouts, (shown, layout) => {
        const model = modelOf(shown, { layout });
        const isOld = shown.some(({ view: own }) => {
          const at = own?.source.last_success_at ?? null;
          return at === null || NOW_MS - Date.parse(at) > 150_000;
        });
        if (!isOld) return;
        expect(model.state).not.toBe("live");
        if (model.scoresAre === "now" && model.scores !== null)
          expect(model.attention).toMatch(/excluding|can’t see/);
        if (shown.length === 1 && model.scores !== null) {
          expect(model.scoresAre).not.toBe("now");
          if (model.main.kind === "calm") expect(model.main.headline).not.toMatch(/ (are|is) /);
        }
      }),
    );
  });

  it("has every problem exactly once, worst first, each with a figure", () => {
    fc.assert(
      fc.property(companies, layouts, (shown, layout) => {
        const model = modelOf(shown, { layout });
        if (model.main.kind !== "problems") return;
        const { rows, more } = model.main;
        const others = /^(\d+) more/.exec(more?.lead ?? "");
        const named = others === null ? 0 : (more?.items.length ?? 0);
        const left = others === null ? 0 : Number(/\d+/.exec(more?.tail ?? "")?.[0] ?? 0);
        expect(named + left).toBe(Number(others?.[1] ?? 0));
        expect(rows.length).toBeLessThanOrEqual(6);
        for (const [at, one] of rows.entries()) {
          expect(one.figure.text).not.toBe("");
          expect(one.facts.length).toBeGreaterThan(0);
          const next = rows[at + 1];
          if (next !== undefined && one.isFrozen === next.isFrozen)
            expect(compareVerdicts(one.word, next.word)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  it("only loses confidence over time without responses, and ends blind", () => {
    const trust = ["live", "delayed", "blind"];
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 10 }), (rows) => {
        let before = 0;
        for (let minutes = 0; minutes <= 8; minutes += 0.5) {
          const nowMs = NOW_MS + minutes * MINUTE_MS;
          const now = trust.indexOf(modelOf([company("A", view(rows))], { nowMs }).state);
          expect(now).toBeGreaterThanOrEqual(before);
          before = now;
        }
        expect(trust[before]).toBe("blind");
      }),
    );
  });
});
