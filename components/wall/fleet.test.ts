import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WallIncidentsView } from "@/lib/contracts/wall";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { judge, momentOf } from "@/lib/domain/judge";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { compareVerdicts } from "@/lib/domain/verdict";
import type { WallModel } from "./model";
import type { WallCompany } from "./trust";
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
import { createFleetFold } from "@/lib/client/wall/fleet";

const FRESH = [endpoint("Aconex", "mail"), endpoint("Aconex", "files")];
const BLIND = {
  confidence: "blind",
  reason: "unreachable",
  last_success_at: minutesAgo(30),
} as const;
const NO_INCIDENTS: WallIncidentsView = { open: [], quiet: [] };

let lastId = 0;

/** An open incident of all these rows, which are of one partner. */
function incident(
  rows: readonly SyncStatusRow[],
  acknowledged: { by: string | null } | null = null,
  beganMinutesAgo = 60,
): WallIncidentsView["open"][number] {
  lastId += 1;
  return {
    id: lastId,
    partner_name: rows[0]?.partner_name ?? "",
    members: rows.map(({ id }) => ({ endpoint_id: id, began_at: minutesAgo(beganMinutesAgo) })),
    acknowledged,
  };
}

/** A company with these feeds in one incident, and healthy ones. */
function troubled(
  name: string,
  rows: readonly SyncStatusRow[],
  acknowledged: { by: string | null } | null = null,
): WallCompany {
  const open = rows.length === 0 ? [] : [incident(rows, acknowledged)];
  return { ...company(name, view([...rows, ...FRESH])), incidents: { open, quiet: [] } };
}

function fleetOf({ main }: WallModel) {
  if (main.kind !== "fleet") throw new Error(`shows ${main.kind}`);
  return main;
}

const well = (name: string) => troubled(name, []);

/** The row of a feed that has been failing for more than six days. */
function longAgo(feed: string) {
  const rows = [endpoint("Oracle Unifier", feed, failing(9000, 5))];
  const open = [incident(rows, null, 9000)];
  const shown = [{ ...company("A", view(rows)), incidents: { open, quiet: [] } }, well("B")];
  return fleetOf(modelOf(shown)).rows[0];
}

describe("a wall of several companies", () => {
  it("is titled by its display, and says how many customers are behind and on time", () => {
    const shown = [
      troubled("Northgate", [endpoint("Procore", "rfis", overdue(70))]),
      well("Orchard"),
    ];
    expect(modelOf(shown, { name: "Customer success" })).toMatchObject({
      title: "Customer success",
      attention: "1 of 2 customers behind, 1 on time",
      foot: { label: "Live", note: "2 customers" },
      band: null,
    });
    expect(modelOf(shown).title).toBe("Customers");
  });

  it("says which promises are at risk, in the head and first in their row", () => {
    const rows = [
      endpoint("Sage", "gl", { ...overdue(40), ...promised("at_risk", 30) }),
      endpoint("Sage", "vendors", overdue(70)),
    ];
    const model = modelOf([troubled("Northgate", rows), well("Orchard")]);
    expect(model.attention).toBe("1 of 2 customers behind, 1 on time, 1 promise at risk");
    expect(fleetOf(model).rows[0]?.facts[0]).toMatchObject({
      text: "promised",
      strong: expect.stringMatching(/^by \d\d:\d\d, at risk$/),
    });
  });

  it("has one row an incident: verdict, feeds, since, next and who, with the lateness of its worst feed", () => {
    const rows = [
      endpoint("Sage", "gl", failing(111, 5)),
      endpoint("Sage", "vendors", { ...overdue(40), next_sync_at: minutesAgo(-4) }),
    ];
    const shown = [troubled("Northgate", rows, { by: "Ana" }), well("Orchard")];
    const main = fleetOf(modelOf(shown));
    expect(main.rows).toMatchObject([
      {
        word: "failing",
        partner: "Sage",
        whose: "Northgate",
        isGroup: false,
        verdict: "Failing",
        feeds: { text: "2 feeds", isName: false },
        facts: [
          { text: "since 13:32", strong: "" },
          { text: "next", strong: "14:45" },
        ],
        who: { text: "Ana", isNoOne: false },
        figure: { text: "1 h 51 m", caption: "overdue" },
      },
    ]);
  });

  it("says that a learned week makes its worst feed less overdue", () => {
    const learned_week = {
      time_zone: "UTC",
      spans: [{ from: "thu 00:00", until: "thu 11:00" }],
      since: minutesAgo(90_000),
    };
    const rested = endpoint("Sage", "gl", overdue(600));
    const rows = [{ ...rested, known: { ...rested.known, learned_week } }];
    const { facts, figure } = fleetOf(modelOf([troubled("A", rows), well("B")])).rows[0] ?? {};
    expect(facts?.map(({ text }) => text)).toContain(
      "learned: quiet from Thu 00:00 to Thu 11:00, UTC",
    );
    expect(figure?.text).toBe("1 h 32 m");
  });

  it("dates trouble of more than six days ago by its day", () => {
    expect(longAgo("gl")?.facts[0]?.text).toBe("since 13 Nov");
  });

  it("says since when beside a long name of a feed, which is cut", () => {
    for (const name of ["business_processes", "business_processes_of_all_projects"]) {
      const { facts, feeds } = longAgo(name) ?? {};
      expect(facts?.map(({ text }) => text)).toEqual(["since 13 Nov", "next"]);
      expect(feeds?.text).toBe(name);
    }
  });

  it("says that no one is on an incident yet, and names a single feed", () => {
    const shown = [troubled("Northgate", [endpoint("Sage", "gl", overdue(70))]), well("Orchard")];
    expect(fleetOf(modelOf(shown)).rows[0]).toMatchObject({
      feeds: { text: "gl", isName: true },
      who: { text: "no one yet", isNoOne: true },
    });
  });

  it("hides names on a display that doesn't show people", () => {
    const rows = [endpoint("Sage", "gl", overdue(70))];
    const main = fleetOf(modelOf([troubled("Northgate", rows, { by: null }), well("Orchard")]));
    expect(main.rows[0]?.who).toEqual({ text: "acknowledged", isNoOne: false });
  });

  it("makes one row of the companies of a fleet incident, and of no others", () => {
    const at = (name: string, fleetId: string | null) => {
      const rows = [endpoint("Procore", "rfis", failing(70, 3))];
      const open = [{ ...incident(rows), fleet_id: fleetId }];
      return { ...company(name, view(rows)), incidents: { open, quiet: [] } };
    };
    const id = "6f1a2c1e-0000-4000-8000-000000000000";
    const shown = [at("A", id), at("B", id), at("C", null), at("D", null), at("E", null)];
    expect(fleetOf(modelOf(shown)).rows.map(({ whose }) => whose)).toEqual([
      "2 customers",
      "C",
      "D",
      "E",
    ]);
  });

  it("makes one row of a partner at three companies or more, where fleet incidents aren't known", () => {
    const at = (name: string, by: { by: string | null } | null = null) =>
      troubled(name, [endpoint("Procore", "rfis", failing(70, 3))], by);
    const two = fleetOf(modelOf([at("A"), at("B"), well("C")]));
    expect(two.rows.map(({ whose }) => whose)).toEqual(["A", "B"]);
    const three = fleetOf(modelOf([at("A", { by: "Ana" }), at("B"), at("C"), well("D")]));
    expect(three.rows).toMatchObject([
      {
        partner: "Procore",
        whose: "3 customers",
        isGroup: true,
        feeds: { text: "3 feeds" },
        who: { text: "1 of 3 acknowledged", isNoOne: false },
      },
    ]);
    const all = fleetOf(
      modelOf([at("A", { by: "Ana" }), at("B", { by: "Tom" }), at("C", { by: "Ana" })]),
    );
    expect(all.rows[0]?.who?.text).toBe("Ana and Tom");
  });

  it("doesn't claim to know who is on an incident before its incidents are known", () => {
    const rows = [endpoint("Sage", "gl", overdue(70)), endpoint("Sage", "ap", overdue(60))];
    const unknown = { ...troubled("Northgate", rows), incidents: null };
    const main = fleetOf(modelOf([unknown, well("Orchard")]));
    expect(main.rows).toMatchObject([{ feeds: { text: "2 feeds" }, who: null }]);
  });

  it("counts what has no row by verdict, and those that no one is on", () => {
    const shown = Array.from({ length: 12 }, (_, at) =>
      troubled(
        `Company ${at}`,
        [endpoint(`Partner ${at}`, "rfis", at < 3 ? failing(200, 4) : overdue(at < 8 ? 900 : 70))],
        at % 2 === 0 ? { by: "Ana" } : null,
      ),
    );
    const main = fleetOf(modelOf(shown));
    expect(main.rows).toHaveLength(6);
    expect(main.rest).toMatchObject({
      lead: "6 more:",
      counts: [{ text: "2 stale" }, { text: "4 late" }],
      notes: ["3 with no one yet"],
      unseen: null,
    });
  });

  it("says who can't be seen, since when, without the band of a blind wall", () => {
    const model = modelOf([
      troubled("Northgate", [endpoint("Sage", "gl", overdue(70))]),
      well("Orchard"),
      { ...company("Tarn Airports", view(FRESH, BLIND)), incidents: NO_INCIDENTS },
    ]);
    expect(fleetOf(model).rest?.unseen).toEqual({
      names: "Tarn Airports",
      says: ": can’t see since 14:02",
    });
    expect(model).toMatchObject({
      band: null,
      state: "blind",
      attention: "1 of 3 customers behind, 1 on time, can’t see 1",
      foot: { label: "Live", note: "2 of 3 customers" },
    });
    expect(model.scores?.find(({ word }) => word === "fresh")?.count).toBe(4);
  });

  it("shows the last known state in the past tense when no company can be seen", () => {
    const rows = [endpoint("Sage", "gl", { ...overdue(70), verdict: "late" })];
    const blind = (name: string) => ({
      ...company(name, view([...rows, ...FRESH], BLIND)),
      incidents: { open: [incident(rows)], quiet: [] },
    });
    const model = modelOf([blind("Northgate"), blind("Orchard")]);
    expect(model.attention).toBe("2 of 2 customers were behind at 14:02");
    expect(model.band?.title).toBe("Can’t see since 14:02");
    const main = fleetOf(model);
    expect(main.rows[0]).toMatchObject({
      verdict: "was late at 14:02",
      who: null,
      isFrozen: true,
      figure: { text: "not known", caption: "now" },
    });
    expect(main).toMatchObject({ attempts: [], noAttempts: "Not known now" });
  });

  it("claims of no customer that it isn't behind unless all can be judged", () => {
    const unknown = endpoint("Sage", "gl", UNKNOWN);
    const shown = [well("Orchard"), company("Northgate", view([unknown]))];
    expect(modelOf(shown).attention).toBe(
      "None of 2 customers is known to be behind, 1 on time, can’t judge 1",
    );
    const frozen = [company("Orchard", view(FRESH, BLIND)), company("Harbour", null)];
    expect(modelOf(frozen).attention).toMatch(/^None of 2 customers was known to be behind at /);
  });

  it("leaves out what is in a planned quiet time, and says how much that is", () => {
    const rows = [endpoint("Sage", "gl", overdue(70))];
    const quiet = [{ partner: "Sage", endpoint_id: null }];
    const shown = [
      { ...company("Northgate", view([...rows, ...FRESH])), incidents: { open: [], quiet } },
      well("Orchard"),
    ];
    const { main, attention } = modelOf(shown);
    expect(attention).toBe("None of 2 customers is behind, 2 on time");
    expect(main).toMatchObject({
      kind: "calm",
      headline: "4 of 5 scheduled feeds are fresh",
      rest: { notes: ["1 feed in planned quiet"] },
    });
  });
});

describe("the next attempts", () => {
  const next = (partner: string, key: string, minutes: number) =>
    endpoint(partner, key, { ...overdue(70), next_sync_at: minutesAgo(-minutes) });

  it("are the six soonest of what is behind, together if one partner's are in one minute", () => {
    const shown = [
      troubled("A", [next("Procore", "one", 12), next("Procore", "two", 3)]),
      troubled("B", [next("Procore", "one", 3)]),
      ...["C", "D", "E", "F", "G"].map((name, at) => troubled(name, [next("Sage", "gl", 5 + at)])),
      { ...company("H", view([endpoint("CMiC", "pci", { next_sync_at: minutesAgo(-1) })])) },
    ];
    const { attempts } = fleetOf(modelOf(shown));
    expect(attempts.map(({ time, partner, whose }) => [time, partner, whose])).toEqual([
      ["14:35", "Procore", "2 customers"],
      ["14:37", "Sage", "C"],
      ["14:38", "Sage", "D"],
      ["14:39", "Sage", "E"],
      ["14:40", "Sage", "F"],
      ["14:41", "Sage", "G"],
    ]);
  });

  it("name the day when it isn't today, and are never in the past", () => {
    const shown = [
      troubled("A", [next("Procore", "one", 24 * 60)]),
      troubled("B", [next("Sage", "gl", -3)]),
    ];
    const { attempts } = fleetOf(modelOf(shown));
    expect(attempts).toMatchObject([{ time: "14:32", whose: "Fri, A" }]);
    const none = fleetOf(modelOf([troubled("B", [next("Sage", "gl", -3)]), well("C")]));
    expect(none.noAttempts).toBe("None scheduled");
  });
});

const minutes = fc.integer({ min: -30, max: 3000 });
const anyRow = fc
  .record({
    partner: fc.constantFrom("Procore", "Aconex", "Sage"),
    status: fc.constantFrom("active", "active", "active", "inactive", "webhook"),
    landed: fc.option(minutes, { nil: null }),
    next: fc.option(minutes, { nil: null }),
    run: fc.constantFrom("completed", "failed", "in_progress", null),
    cadence: fc.constantFrom(null, 15, 60, 1440),
    failures: fc.integer({ min: 0, max: 4 }),
  })
  .map(({ partner, status, landed, next, run, cadence, failures }) =>
    endpoint(partner, "feed", {
      status,
      last_updated_at: landed === null ? null : minutesAgo(landed),
      next_sync_at: next === null ? null : minutesAgo(next),
      last_sync_status: run,
      frequency_minutes: cadence,
      known: { ...row({}).known, failures_in_a_row: failures },
    }),
  );
const anyFleet = fc
  .array(
    fc.record({
      rows: fc.array(anyRow, { maxLength: 12 }),
      readMinutesAgo: fc.double({ min: 0, max: 8, noNaN: true }),
      isAnswered: fc.boolean(),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ rows, readMinutesAgo, isAnswered }, at): WallCompany => {
      const shown = view(rows, { last_success_at: minutesAgo(readMinutesAgo) });
      return {
        ...company(`Company ${at}`, shown, NOW_MS - 1000),
        incidents: isAnswered ? NO_INCIDENTS : null,
      };
    }),
  );

describe("any wall of several companies", () => {
  it("has all trouble of the companies that are seen: in a row, or counted below", () => {
    fc.assert(
      fc.property(anyFleet, fc.constantFrom("landscape", "portrait"), (shown, layout) => {
        const model = modelOf(shown, { layout });
        const seen = shown.flatMap(({ view: own }) => {
          const moment = own === null ? null : momentOf(own, NOW_MS);
          return own === null || moment === null || moment.isFrozen ? [] : [{ own, moment }];
        });
        const behind = seen.filter(({ own, moment }) =>
          own.rows.some((each) => isTrouble(judge(each, moment).word)),
        ).length;
        expect(model.state === "blind").toBe(seen.length < shown.length);
        if (seen.length === 0) return;
        const isCounted =
          model.attention === "" || model.attention.startsWith(`${behind || "None"} of`);
        expect(isCounted).toBe(true);
        if (behind === 0) {
          expect(model.main.kind).not.toBe("fleet");
          return;
        }
        const { rows, rest } = fleetOf(model);
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.length).toBeLessThanOrEqual(6);
        const counted = (rest?.counts ?? []).reduce(
          (sum, { text }) => sum + Number.parseInt(text, 10),
          0,
        );
        expect(counted).toBe(Number.parseInt(rest?.lead || "0", 10));
        for (const [at, { word }] of rows.entries())
          expect(compareVerdicts(word, rows[at + 1]?.word ?? word)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("is the same with a fold that is kept, at every moment", () => {
    fc.assert(
      fc.property(anyFleet, (shown) => {
        const fold = createFleetFold();
        for (let passed = 0; passed < 8; passed += 0.5) {
          const nowMs = NOW_MS + passed * MINUTE_MS;
          expect(modelOf(shown, { nowMs, fold })).toEqual(modelOf(shown, { nowMs }));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("counts what is unknown at the companies that are seen", () => {
    const shown = [
      troubled("A", [endpoint("Sage", "gl", overdue(70))]),
      { ...company("B", view([endpoint("CMiC", "pci", UNKNOWN)])), incidents: NO_INCIDENTS },
    ];
    const model = modelOf(shown);
    expect(model.scores?.find(({ word }) => word === "unknown")?.count).toBe(1);
    expect(model.attention).toBe("1 of 2 customers behind, 0 on time, can’t judge 1");
  });
});
