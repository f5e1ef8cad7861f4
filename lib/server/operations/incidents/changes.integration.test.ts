import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AllChangesView, ChangesView, LastLook } from "@/lib/contracts/changes";
import { TodayView } from "@/lib/contracts/today";
import type { Verdict } from "@/lib/domain/sync";
import type { Person } from "@/lib/server/auth/person";
import { rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { writeDemoHistory } from "@/lib/server/store/sync/demo-history";
import { getAllChanges, getChanges } from "./get-changes";
import { createIncidentsApp, type Found, type IncidentsApp } from "./incidents-fixture";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const found = (id: string, partner: string, verdict: Verdict): Found => ({
  id,
  partner,
  key: `${id}_key`,
  verdict,
  overdue: 90,
});
const FINE = found("n3", "Fieldwire", "fresh");

let fixture: IncidentsApp;
beforeAll(async () => {
  fixture = await createIncidentsApp();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.asOwner(
    "truncate companies, company_state, endpoints, verdict_changes, call_samples, gaps",
  );
  await fixture.begin();
});

type Who = keyof IncidentsApp["people"];
const at = (ms: number) => new Date(ms).toISOString();
const now = () => fixture.clock.nowMs();
const ask = async (as: Who, path: string, method: "GET" | "PUT" = "GET") => {
  const answer = await fixture.ask(as, method, path);
  const json: unknown = await answer.json();
  return { status: answer.status, json };
};
const changes = async (sinceMs: number, as: Who = "vera", company = "northgate") =>
  ChangesView.parse((await ask(as, `/companies/${company}/changes?since=${at(sinceMs)}`)).json);
const allChanges = async (sinceMs: number, as: Who = "ada") =>
  AllChangesView.parse((await ask(as, `/changes?since=${at(sinceMs)}`)).json);

/** Writes a company's record: observed since `fromMs`, last checked at `asOfMs`. */
async function record(company: string, { fromMs = 0, asOfMs = now(), offsetMs = 0 } = {}) {
  const { pool } = fixture.database;
  await pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, $2, $2, 60, $2, $3, 1, '{"used":1,"limit":60}')
     on conflict (company) do update set as_of = excluded.as_of`,
    [company, at(asOfMs), offsetMs],
  );
  await endpoint(company, "watched", "fresh", [], fromMs);
}
/** An endpoint with its verdict changes: when, from what and to what. */
async function endpoint(
  company: string,
  id: string,
  verdict: Verdict,
  verdicts: readonly (readonly [number, Verdict | null, Verdict | null])[],
  firstSeenMs = 0,
) {
  const { pool } = fixture.database;
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     values ($1, $2, $2, 'Procore', '{}', $3, $4) on conflict do nothing`,
    [company, id, verdict, at(firstSeenMs)],
  );
  for (const [atMs, previous, next] of verdicts)
    await pool.query(
      `insert into verdict_changes (company, endpoint_id, changed_at, verdict, previous)
       values ($1, $2, $3, $4, $5)`,
      [company, id, at(atMs), next, previous],
    );
}
const gap = (company: string, fromMs: number, untilMs: number) =>
  fixture.database.pool.query(
    "insert into gaps (company, from_at, until_at, reason) values ($1, $2, $3, 'unreachable')",
    [company, at(fromMs), at(untilMs)],
  );
async function checks(company: string, minutes: number, all: readonly Found[]) {
  for (let minute = 0; minute < minutes; minute += 1) {
    await fixture.clock.advance(MINUTE_MS);
    await fixture.check(company, all);
  }
}

describe("incidents", () => {
  test("lists incidents opened since, and recoveries reported since with their ending; other endings aren't recoveries", async () => {
    const [procore, aconex, sage] = [
      found("n1", "Procore", "failing"),
      found("n2", "Aconex", "stale"),
      found("n4", "Sage", "stale"),
    ];
    await fixture.check("northgate", [procore, aconex, FINE]);
    await checks("northgate", 3, [procore, aconex, FINE]);
    const sinceMs = now();
    await record("northgate");
    expect(await changes(sinceMs)).toMatchObject({ began: [], ended: [], open_count: 2 });

    await checks("northgate", 15, [found("n1", "Procore", "fresh"), FINE, sage]);
    const { began, ended, open_count: open, since, until } = await changes(sinceMs);
    expect([since, until]).toEqual([at(sinceMs), at(now())]);
    expect(began.map(({ partner_name: name, state }) => [name, state])).toEqual([["Sage", "open"]]);
    expect(
      Object.fromEntries(ended.map(({ partner_name: name, ending }) => [name, ending])),
    ).toEqual({ Procore: "recovered", Aconex: "removed" });
    expect(open).toBe(1);
    expect((await allChanges(sinceMs)).companies).toMatchObject([
      { company: { slug: "harbour" } },
      { company: { slug: "northgate" }, began: 1, recovered: 1, ended_otherwise: 1, open_count: 1 },
    ]);
  });

  test("lists incidents that recovered before that moment but were reported later", async () => {
    const procore = found("n1", "Procore", "failing");
    await fixture.check("northgate", [procore, FINE]);
    await checks("northgate", 5, [found("n1", "Procore", "fresh"), FINE]);
    const sinceMs = now();
    await checks("northgate", 7, [found("n1", "Procore", "fresh"), FINE]);
    const { ended } = await changes(sinceMs);
    expect(ended).toHaveLength(1);
    expect(Date.parse(ended[0]?.ended_at ?? "")).toBeLessThan(sinceMs);
  });

  test("dates incidents that started during blindness from when they were seen", async () => {
    await fixture.check("northgate", [FINE]);
    const fromMs = now();
    await fixture.clock.advance(5 * MINUTE_MS);
    const sinceMs = now();
    await fixture.clock.advance(5 * MINUTE_MS);
    await fixture.check("northgate", [found("n1", "Procore", "stale"), FINE], {
      fromMs,
      untilMs: now(),
    });
    const { began } = await changes(sinceMs);
    expect(began).toHaveLength(1);
    expect(Date.parse(began[0]?.began_at ?? "")).toBeLessThan(sinceMs);
  });

  test("includes severity over time and the unobserved periods", async () => {
    await record("northgate");
    await fixture.check("northgate", [found("n1", "Procore", "stale"), FINE]);
    const beganMs = now() - 20 * MINUTE_MS;
    const sinceMs = now() - MINUTE_MS;
    await checks("northgate", 3, [found("n1", "Procore", "stale"), FINE]);
    await checks("northgate", 2, [found("n1", "Procore", "failing"), FINE]);
    const worseMs = now() - MINUTE_MS;
    const fromMs = now();
    await fixture.clock.advance(30 * MINUTE_MS);
    await gap("northgate", fromMs, now());
    await fixture.check("northgate", [found("n1", "Procore", "late"), FINE], {
      fromMs,
      untilMs: now(),
    });
    await record("northgate");
    const { began, not_observed: unseen } = await changes(sinceMs);
    expect(began.map(({ verdicts }) => verdicts)).toEqual([
      [
        [at(beganMs), "stale"],
        [at(worseMs), "failing"],
        [at(now()), "late"],
      ],
    ]);
    expect(unseen).toEqual([{ from: at(fromMs), until: at(now()) }]);
  });

  test("lists an incident that opened and ended since in both lists", async () => {
    await fixture.check("northgate", [FINE]);
    const sinceMs = now();
    await checks("northgate", 1, [found("n1", "Procore", "failing"), FINE]);
    await checks("northgate", 12, [found("n1", "Procore", "fresh"), FINE]);
    const { began, ended } = await changes(sinceMs);
    expect([began, ended].map((list) => list.map(({ id }) => id))).toEqual([[1], [1]]);
    expect(await changes(now())).toMatchObject({ began: [], ended: [] });
  });
});

describe("verdicts", () => {
  test("compares then with now regardless of changes in between, and lists new, removed and incomparable endpoints apart", async () => {
    await record("northgate");
    const sinceMs = now() - HOUR_MS;
    const [before, then, later] = [sinceMs - HOUR_MS, sinceMs + MINUTE_MS, sinceMs + HOUR_MS / 2];
    await endpoint("northgate", "worse", "failing", [
      [before, "fresh", "late"],
      [then, "late", "stale"],
      [later, "stale", "failing"],
    ]);
    await endpoint("northgate", "better", "late", [[then, "stale", "late"]]);
    await endpoint("northgate", "well", "fresh", [[then, "failing", "fresh"]]);
    await endpoint("northgate", "back", "late", [
      [then, "late", "failing"],
      [later, "failing", "late"],
    ]);
    await endpoint("northgate", "new", "failing", [[then, null, "failing"]]);
    await endpoint("northgate", "returned", "stale", [
      [then, "late", null],
      [later, null, "stale"],
    ]);
    await endpoint("northgate", "unknown", "unknown", [[then, "failing", "unknown"]]);
    await endpoint("northgate", "steady", "stale", [[before, "fresh", "stale"]]);
    await endpoint("northgate", "gone", "failing", [[then, "fresh", "failing"]]);
    await fixture.database.pool.query(
      "update endpoints set removed_at = now() where endpoint_id = 'gone'",
    );
    await endpoint("harbour", "elsewhere", "failing", [[then, "fresh", "failing"]]);
    const { worse, better, otherwise } = await changes(sinceMs);
    const since = at(sinceMs);
    expect(worse).toEqual([
      {
        endpoint_id: "returned",
        from: "late",
        to: "stale",
        verdicts: [
          [since, "late"],
          [at(then), null],
          [at(later), "stale"],
        ],
      },
      {
        endpoint_id: "worse",
        from: "late",
        to: "failing",
        verdicts: [
          [since, "late"],
          [at(then), "stale"],
          [at(later), "failing"],
        ],
      },
    ]);
    expect(better).toMatchObject([
      { endpoint_id: "better", from: "stale", to: "late" },
      { endpoint_id: "well", from: "failing", to: "fresh" },
    ]);
    expect(otherwise).toMatchObject([
      { endpoint_id: "gone", from: "fresh", to: null },
      { endpoint_id: "unknown", from: "failing", to: "unknown" },
    ]);
  });

  test("doesn't count endpoints that can't be judged or are no longer listed as quiet", async () => {
    await record("northgate");
    await record("harbour");
    const sinceMs = now() - HOUR_MS;
    const then = sinceMs + MINUTE_MS;
    for (const id of ["a", "b"])
      await endpoint("northgate", id, "unknown", [[then, "fresh", "unknown"]]);
    await endpoint("harbour", "c", "unknown", [[then, "fresh", null]]);
    await fixture.database.pool.query(
      "update endpoints set removed_at = now() where endpoint_id = 'c'",
    );
    expect(await allChanges(sinceMs)).toMatchObject({
      companies: [
        { company: { slug: "harbour" }, removed: 1, became_unknown: 0 },
        { company: { slug: "northgate" }, removed: 0, became_unknown: 2 },
      ],
      unchanged_count: 0,
    });
  });

  test("reduces an endpoint with more than 100 changes to its verdicts then and now", async () => {
    await record("northgate");
    const sinceMs = now() - HOUR_MS;
    const flaps = (amount: number) =>
      Array.from({ length: amount }, (_, n) => {
        const isWorse = n % 2 === 0;
        const verdicts = isWorse ? (["late", "failing"] as const) : (["failing", "late"] as const);
        return [sinceMs + (n + 1) * 1000, ...verdicts] as const;
      });
    await endpoint("northgate", "often", "failing", flaps(101));
    await endpoint("northgate", "seldom", "failing", flaps(99));
    const { worse } = await changes(sinceMs);
    expect(worse.map(({ endpoint_id: id, to, verdicts }) => [id, to, verdicts.length])).toEqual([
      ["often", "failing", 0],
      ["seldom", "failing", 100],
    ]);
  });

  test("dates changes by the API's clock, and returns its offset", async () => {
    await record("northgate", { offsetMs: 2 * HOUR_MS });
    const sinceMs = now() - HOUR_MS;
    const changedMs = sinceMs + 2 * HOUR_MS + MINUTE_MS;
    await endpoint("northgate", "ahead", "failing", [[changedMs, "late", "failing"]]);
    const { worse, api_clock_offset_ms: offsetMs } = await changes(sinceMs);
    expect(offsetMs).toBe(2 * HOUR_MS);
    expect(worse[0]?.verdicts).toEqual([
      [at(sinceMs + 2 * HOUR_MS), "late"],
      [at(changedMs), "failing"],
    ]);
  });
});

describe("unobserved time", () => {
  test("is the gaps since then, the time before the record and the time after its last check", async () => {
    const nowMs = now();
    const sinceMs = nowMs - 3 * HOUR_MS;
    await record("northgate", { fromMs: nowMs - 2 * HOUR_MS, asOfMs: nowMs });
    expect((await changes(sinceMs)).not_observed_seconds).toBe(3600);
    expect((await changes(nowMs - HOUR_MS)).not_observed_seconds).toBe(0);
    await gap("northgate", nowMs - 90 * MINUTE_MS, nowMs - 80 * MINUTE_MS);
    await gap("northgate", nowMs - 65 * MINUTE_MS, nowMs - 55 * MINUTE_MS);
    expect((await changes(nowMs - HOUR_MS)).not_observed_seconds).toBe(300);
    expect((await changes(sinceMs)).not_observed_seconds).toBe(3600 + 1200);
    await fixture.clock.advance(10 * MINUTE_MS);
    expect((await changes(nowMs - HOUR_MS)).not_observed_seconds).toBe(300 + 600);
  });

  test("begins where a demo's written history does, as its past moments do", async () => {
    const nowMs = now();
    const fromMs = nowMs - 3 * HOUR_MS;
    const sample = { endpointId: "watched", value: 0 };
    await writeDemoHistory(
      fixture.database,
      "northgate",
      { fromMs, untilMs: nowMs, isOldest: false },
      [
        {
          runs: [],
          landings: [],
          callSamples: [
            { ...sample, at: fromMs },
            { ...sample, at: fromMs + HOUR_MS },
          ],
          verdictChanges: [],
        },
      ],
    );
    await record("northgate", { fromMs: nowMs - HOUR_MS });
    const unseenSince = async (atMs: number) => {
      const today = await ask("vera", `/today?at=${at(atMs)}`);
      const { unseen } = TodayView.parse(today.json);
      return [unseen.length, (await changes(atMs)).not_observed_seconds];
    };
    expect(await unseenSince(nowMs - 2 * HOUR_MS)).toEqual([0, 0]);
    expect(await unseenSince(fromMs)).toEqual([0, 0]);
    expect(await unseenSince(fromMs - MINUTE_MS)).toEqual([1, 60]);
  });

  test("is the whole range where nothing was ever recorded", async () => {
    expect((await changes(now() - HOUR_MS)).not_observed_seconds).toBe(3600);
  });

  test("makes no claims while the company is blind", async () => {
    await fixture.check("northgate", [found("n1", "Procore", "failing")]);
    await record("northgate");
    const sinceMs = now();
    await fixture.clock.advance(HOUR_MS);
    expect(await changes(sinceMs)).toMatchObject({
      began: [],
      ended: [],
      worse: [],
      better: [],
      not_observed_seconds: 3600,
      open_count: 1,
    });
  });
});

test("takes moments on our clock when the API's differs", async () => {
  const offsetMs = 2 * HOUR_MS;
  const nowMs = now();
  await record("northgate", { offsetMs });
  // The API's clock is two hours ahead; this happened half an hour ago.
  await endpoint("northgate", "e", "failing", [
    [nowMs + offsetMs - 30 * MINUTE_MS, "late", "failing"],
  ]);
  expect((await changes(nowMs - 20 * MINUTE_MS)).worse).toEqual([]);
  const { worse, not_observed_seconds: unseen } = await changes(nowMs - HOUR_MS);
  expect(worse).toHaveLength(1);
  expect(unseen).toBe(0);
});

describe("the query", () => {
  test.each([
    ["", "since must be an ISO 8601 time, 1970 or later."],
    ["?since=", "since must be an ISO 8601 time, 1970 or later."],
    ["?since=yesterday", "since must be an ISO 8601 time, 1970 or later."],
    ["?since=0000-01-01T00:00:00Z", "since must be an ISO 8601 time, 1970 or later."],
    ["?since=9999-01-01T00:00:00Z", "since must not be in the future."],
    ["?since=2001-01-01T00:00:00Z", "since must be within the past 31 days."],
    ["?since=2026-01-01&since=2026-01-02", "since can be given only once."],
  ])("is refused with %s", async (query, message) => {
    for (const path of ["/companies/northgate/changes", "/changes"]) {
      const { status, json } = await ask("ana", `${path}${query}`);
      expect(status).toBe(400);
      expect(json).toEqual({ error: "invalid_request", error_description: message });
    }
  });

  test("reaches back to the oldest change at most", async () => {
    expect((await changes(now() - 31 * DAY_MS)).began).toEqual([]);
  });

  test("returns 404 for a company without access, and lists only accessible ones", async () => {
    await fixture.check("northgate", [FINE]);
    await fixture.check("harbour", [FINE]);
    const sinceMs = now() - MINUTE_MS;
    await checks("northgate", 1, [found("n1", "Procore", "failing"), FINE]);
    await record("northgate");
    await record("harbour");
    const path = `changes?since=${at(sinceMs)}`;
    const hidden = await ask("hal", `/companies/northgate/${path}`);
    expect(hidden).toEqual(await ask("hal", `/companies/nowhere/${path}`));
    expect(hidden.status).toBe(404);
    expect(await allChanges(sinceMs, "hal")).toMatchObject({ companies: [], unchanged_count: 1 });
    expect(await allChanges(sinceMs, "ada")).toMatchObject({
      companies: [
        {
          company: { slug: "northgate", name: "Northgate Builders" },
          began: 1,
          recovered: 0,
          ended_otherwise: 0,
          worse: 0,
          better: 0,
          became_unknown: 0,
          removed: 0,
          changed_otherwise: 0,
          not_observed_seconds: 0,
          open_count: 1,
        },
      ],
      unchanged_count: 1,
    });
  });
});

describe("last visit", () => {
  const read = async (as: Who, path: string, method: "GET" | "PUT" = "GET") =>
    LastLook.parse((await ask(as, path, method)).json);
  const NORTHGATE = "/companies/northgate/last-look";

  test("is a day ago at first, then the end of the last visit, per person and company", async () => {
    expect(await read("ana", NORTHGATE)).toEqual({ looked_at: null, since: at(now() - DAY_MS) });
    const lookedMs = now();
    expect(await read("ana", NORTHGATE, "PUT")).toEqual({
      looked_at: at(lookedMs),
      since: at(lookedMs),
    });
    await fixture.clock.advance(HOUR_MS);
    expect(await read("ana", NORTHGATE)).toEqual({ looked_at: at(lookedMs), since: at(lookedMs) });
    for (const other of [read("bo", NORTHGATE), read("ana", "/me/last-look")])
      expect((await other).looked_at).toBeNull();
    await read("ana", "/me/last-look", "PUT");
    expect((await read("ana", "/me/last-look")).looked_at).toBe(at(now()));
    expect((await read("ana", NORTHGATE)).looked_at).toBe(at(lookedMs));
  });

  test("is limited to the range of changes", async () => {
    const { pool } = fixture.database;
    await pool.query("insert into last_looks values ($1, 'northgate', '2020-01-01T00:00:00Z')", [
      fixture.people.ana.id,
    ]);
    const { looked_at: looked, since } = await read("ana", NORTHGATE);
    expect(looked).toBe("2020-01-01T00:00:00.000Z");
    expect(since).toBe(at(now() - 31 * DAY_MS));
    expect((await ask("ana", `/companies/northgate/changes?since=${since}`)).status).toBe(200);
  });

  test("is ignored when it lies in the future after a clock step", async () => {
    const { pool } = fixture.database;
    await pool.query("insert into last_looks values ($1, 'northgate', $2)", [
      fixture.people.ana.id,
      at(now() + HOUR_MS),
    ]);
    expect(await read("ana", NORTHGATE)).toEqual({ looked_at: null, since: at(now() - DAY_MS) });
    expect((await read("ana", NORTHGATE, "PUT")).looked_at).toBe(at(now()));
  });

  test("can't be stored for a company without access", async () => {
    for (const method of ["GET", "PUT"] as const)
      expect((await ask("hal", NORTHGATE, method)).status).toBe(404);
  });
});

test("are refused when they need more rows than a request may read", async () => {
  const trouble = [found("n1", "Procore", "failing"), found("n2", "Aconex", "stale")];
  const sinceMs = now();
  await checks("northgate", 1, [FINE]);
  await checks("northgate", 1, [...trouble, FINE]);
  await record("northgate");
  await endpoint("northgate", "changed", "stale", [[now() - 1, "fresh", "stale"]]);
  await gap("northgate", sinceMs - MINUTE_MS, sinceMs + MINUTE_MS);
  const runtime = fixture.handlersRuntime;
  const person: Person = {
    id: fixture.people.ada.id,
    email: "ada@example.com",
    name: "Ada",
    kind: "local",
    grants: [{ role: "administrator", company: null }],
  };
  const query = new URLSearchParams({ since: at(sinceMs) });
  const given = { company: "northgate", person, query };
  const needed = async (read: (budget: RowBudget) => Promise<unknown>) => {
    for (let most = 0; ; most += 1) {
      const refused = await read(rowBudget(most)).then(
        () => null,
        (error: unknown) => error,
      );
      if (refused === null) return most;
      expect(refused).toMatchObject({ code: "invalid_request", status: 400 });
    }
  };
  // Two incidents, their two events, an endpoint, its change as it is looked for, and a gap.
  expect(await needed((budget) => getChanges(runtime, given, budget))).toBe(7);
  expect(await needed((budget) => getAllChanges(runtime, given, budget))).toBe(4);
});

test("of 500 endpoints, and of all companies, is a handful of queries", async () => {
  await record("northgate");
  const { pool } = fixture.database;
  const sinceMs = now() - HOUR_MS;
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     select 'northgate', 'e' || n, 'key', 'Procore', '{}', 'failing', $1 from generate_series(1, 500) n`,
    [at(0)],
  );
  await pool.query(
    `insert into verdict_changes (company, endpoint_id, changed_at, verdict, previous)
     select 'northgate', 'e' || n, $1::timestamptz + step * interval '1 minute', 'failing', 'late'
     from generate_series(1, 500) n, generate_series(1, 20) step`,
    [at(sinceMs)],
  );
  const spy = vi.spyOn(pool, "query");
  /** Queries about changes; those about the caller are left out. */
  const statements = () =>
    spy.mock.calls.filter(([first]: readonly unknown[]) =>
      /incidents|verdict_changes|gaps|company_state/.test(
        typeof first === "string" ? first : (first as { text: string }).text,
      ),
    );
  try {
    expect((await changes(sinceMs)).worse).toHaveLength(500);
    expect(statements()).toHaveLength(6);
    spy.mockClear();
    expect((await allChanges(sinceMs)).companies).toHaveLength(2);
    expect(statements()).toHaveLength(5);
  } finally {
    spy.mockRestore();
  }
});
