import { describe, expect } from "vitest";
import {
  PartnerDaysView,
  ParagraphsView,
  PartnersView,
  PartnerView,
} from "@/lib/contracts/partners/partners";
import { dayOf } from "@/lib/domain/time/day";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { observe } from "@/lib/server/operations/today/observe-fixture";

const FAILING: Found = {
  id: "n1",
  partner: "Procore",
  key: "daily_logs",
  verdict: "failing",
  overdue: 40,
};
const FRESH: Found = { id: "n2", partner: "Procore", key: "rfis", verdict: "fresh" };
const SAGE: Found = { id: "n3", partner: "Sage", key: "costs", verdict: "fresh" };
const ONLY_HERE: Found = { id: "h9", partner: "Aconex", key: "mail", verdict: "late", overdue: 20 };

type Name = keyof IncidentsApp["people"];

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.asOwner(
    "truncate company_state, endpoints, verdict_changes, landings, runs, report_days",
  );
  await observe(app, "northgate", [FAILING, FRESH, SAGE]);
  await observe(app, "harbour", [{ ...FAILING, id: "h1" }, { ...SAGE, id: "h3" }, ONLY_HERE]);
});

const ask = (app: IncidentsApp, as: Name, path: string) => app.ask(as, "GET", `/partners${path}`);
async function list(app: IncidentsApp, as: Name, query = "") {
  const answer = await ask(app, as, query);
  expect(answer.status).toBe(200);
  return PartnersView.parse(await answer.json());
}
async function partner(app: IncidentsApp, as: Name, path: string) {
  const answer = await ask(app, as, path);
  expect(answer.status).toBe(200);
  return PartnerView.parse(await answer.json());
}

/** Runs `work` with further facts about each company's connection. */
async function withConnections(
  app: IncidentsApp,
  more: (company: string) => object,
  work: () => Promise<void>,
) {
  const { connections } = app.handlersRuntime;
  Object.assign(app.handlersRuntime, {
    connections: connections.map((one) => ({ ...one, ...more(one.company) })),
  });
  try {
    await work();
  } finally {
    Object.assign(app.handlersRuntime, { connections });
  }
}

/** Records a run that ended `ago` minutes ago. */
async function addRun(
  app: IncidentsApp,
  [company, endpoint]: readonly [string, string],
  ago: number,
  status: string,
) {
  const endedMs = app.clock.nowMs() - ago * MINUTE_MS;
  await app.database.pool.query(
    `insert into runs (company, endpoint_id, started_at, finished_at, status, first_seen_at, origin)
     values ($1, $2, $3, $4, $5, $4, 'observed')`,
    [company, endpoint, iso(endedMs - 1000), iso(endedMs), status],
  );
}

/** Records a closed day, on which a partner was on time for `onTime` of 24 hours. */
async function closeDay(
  app: IncidentsApp,
  company: string,
  day: string,
  hours: [string, number][],
) {
  await app.database.pool.query(
    `insert into report_days (company, day, time_zone, from_at, until_at, rolled_up_at, sums)
     values ($1, $2::date, 'UTC', $2::date, $2::date + 1, $2::date + 1, $3)`,
    [
      company,
      day,
      JSON.stringify(
        hours.map(([name, onTime]) => [name, onTime * HOUR_MS, (24 - onTime) * HOUR_MS, 0, 0, 0]),
      ),
    ],
  );
}

describe("the list", () => {
  test("counts only companies that the person may see", async ({ app }) => {
    expect((await list(app, "ada")).data).toMatchObject([
      { partner_name: "Procore", companies: 2, behind: 2, cannot_judge: 0, unseen: 0 },
      { partner_name: "Aconex", companies: 1, behind: 1 },
      { partner_name: "Sage", companies: 2, behind: 0, since: null, next_sync_at: null },
    ]);
    const vera = await list(app, "vera");
    expect(vera.data.map((one) => [one.partner_name, one.companies, one.behind])).toEqual([
      ["Procore", 1, 1],
      ["Sage", 1, 0],
    ]);
    expect(vera.data[0]?.next_sync_at).toBe(iso(app.clock.nowMs() + 30 * MINUTE_MS));
    expect(vera.meta).toMatchObject({ page: 1, total_count: 2, total_pages: 1 });
  });

  test("counts companies where only feeds in a planned quiet time are behind", async ({ app }) => {
    const until = iso(app.clock.nowMs() + HOUR_MS);
    const quiet = { partner: "Procore", reason: "upgrade", from: null, until };
    await app.ask("ana", "POST", "/companies/northgate/expectations", quiet);
    const { data } = await list(app, "ada");
    expect(data.find((one) => one.partner_name === "Procore")).toMatchObject({
      companies: 2,
      behind: 1,
      quiet: 1,
    });
  });

  test("is searched by name, and paged", async ({ app }) => {
    expect((await list(app, "ada", "?q=PRO")).data).toMatchObject([{ partner_name: "Procore" }]);
    const second = await list(app, "ada", "?per_page=1&page=2");
    expect(second).toMatchObject({ data: [{ partner_name: "Aconex" }], meta: { total_pages: 3 } });
    for (const bad of ["?page=0", "?page=x", `?q=${"word ".repeat(40)}`])
      expect((await ask(app, "ada", bad)).status).toBe(400);
  });

  test("counts companies that can't be seen apart", async ({ app }) => {
    await app.clock.advance(HOUR_MS);
    await observe(app, "northgate", [FAILING, FRESH, SAGE]);
    const { data } = await list(app, "ada");
    const one = (name: string) => data.find((summary) => summary.partner_name === name);
    expect(one("Procore")).toMatchObject({ companies: 2, behind: 1, unseen: 1, cannot_judge: 0 });
    expect(one("Aconex")).toMatchObject({ companies: 1, behind: 0, unseen: 1, since: null });
  });
});

describe("a partner", () => {
  test("stands at each company as its feeds do", async ({ app }) => {
    const view = await partner(app, "vera", "/Procore");
    expect(view).toMatchObject({
      partner_name: "Procore",
      as_of: iso(app.clock.nowMs()),
      never_checked: [],
      fleet_incident: null,
      api_clock_offsets: {},
    });
    expect(view.companies).toEqual([
      {
        company: "northgate",
        confidence: "live",
        standing: "behind",
        verdict: "failing",
        endpoints: [
          { id: "n1", endpoint_key: "daily_logs", verdict: "failing" },
          { id: "n2", endpoint_key: "rfis", verdict: "fresh" },
        ],
        quiet: 0,
        since: expect.any(String),
        overdue_since: iso(app.clock.nowMs() - 40 * MINUTE_MS),
        learned_week: null,
        next_sync_at: iso(app.clock.nowMs() + 30 * MINUTE_MS),
        incident_id: expect.any(Number),
        on_it: null,
        told: null,
        owner: null,
        on_time_month: null,
        last_check_at: iso(app.clock.nowMs()),
      },
    ]);
  });

  test("has the moment and the acknowledgement of its incident", async ({ app }) => {
    const incidents = await app.ask("ana", "GET", "/companies/northgate/incidents?state=open");
    const { data } = (await incidents.json()) as { data: { id: number; began_at: string }[] };
    const [incident] = data;
    await app.ask("ana", "PUT", `/companies/northgate/incidents/${incident?.id}/acknowledgement`);
    expect((await partner(app, "vera", "/Procore")).companies).toMatchObject([
      { incident_id: incident?.id, since: incident?.began_at, on_it: { name: "ana@example.com" } },
    ]);
  });

  test("has who last told the customer, as noted on its incident", async ({ app }) => {
    const toldNow = async () => (await partner(app, "vera", "/Procore")).companies[0]?.told;
    const id = (await partner(app, "vera", "/Procore")).companies[0]?.incident_id;
    const note = (told_customer: boolean) =>
      app.ask("ana", "POST", `/companies/northgate/incidents/${id}/notes`, {
        text: "Called them",
        told_customer,
      });
    await note(false);
    expect(await toldNow()).toBeNull();
    const beforeMs = app.clock.nowMs();
    await app.clock.advance(MINUTE_MS);
    await note(true);
    expect(await toldNow()).toEqual({ by: "ana@example.com", at: iso(app.clock.nowMs()) });
    const then = await partner(app, "vera", `/Procore?at=${iso(beforeMs)}`);
    expect(then.companies[0]).toMatchObject({ told: null });
  });

  test("has the next sync of all of its feeds where nothing is behind", async ({ app }) => {
    await observe(app, "northgate", [{ ...FAILING, verdict: "fresh" }, FRESH, SAGE]);
    const [company] = (await partner(app, "vera", "/Procore")).companies;
    expect(company).toMatchObject({
      standing: "on_time",
      next_sync_at: iso(app.clock.nowMs() + 30 * MINUTE_MS),
    });
  });

  test("has the month's closed days at each company that the person may see", async ({ app }) => {
    const today = iso(app.clock.nowMs()).slice(0, 10);
    const month = today.slice(0, 8);
    await closeDay(app, "northgate", `${month}01`, [["Procore", 18]]);
    await closeDay(app, "northgate", `${month}02`, [["Sage", 24]]);
    await closeDay(app, "harbour", `${month}01`, [["Procore", 24]]);
    const days = async (as: Name, name: string) => {
      const answer = await ask(app, as, `/${name}/days`);
      return answer.status === 200
        ? PartnerDaysView.parse(await answer.json()).data
        : answer.status;
    };
    const closed = Number(today.slice(8)) - 1;
    const [own] = (await days("vera", "Procore")) as PartnerDaysView["data"];
    expect(own).toMatchObject({ company: "northgate", from: `${month}01` });
    expect(own?.days).toHaveLength(closed);
    expect(own?.days.slice(0, 2)).toEqual([[25, 0, 0, null], null].slice(0, closed));
    expect(await days("ada", "Procore")).toMatchObject([
      { company: "northgate" },
      { company: "harbour" },
    ]);
    expect(await days("vera", "Aconex")).toBe(404);
    expect((await ask(app, "vera", "/Procore/days?at=nonsense")).status).toBe(400);
  });

  test("is the same in every normalization of its name, shown as most companies write it", async ({
    app,
  }) => {
    const [composed, decomposed] = ["Caf\u00e9", "Cafe\u0301"];
    await observe(app, "northgate", [{ ...FRESH, partner: decomposed }]);
    await observe(app, "harbour", [{ ...FRESH, id: "h1", partner: composed }]);
    for (const name of [composed, decomposed]) {
      const view = await partner(app, "ada", `/${encodeURIComponent(name)}`);
      expect(view.companies).toHaveLength(2);
      expect(view.partner_name).toBe(decomposed < composed ? decomposed : composed);
    }
  });

  test("is answered with 304 until something changes", async ({ app }) => {
    const first = await ask(app, "vera", "/Procore");
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const again = async () => (await ask(app, "ana", "/Procore")).headers.get("etag");
    expect(await again()).toBe(etag);
    expect((await ask(app, "ada", "/Procore")).headers.get("etag")).not.toBe(etag);
    await observe(app, "northgate", [{ ...FAILING, verdict: "fresh" }, FRESH, SAGE]);
    expect(await again()).not.toBe(etag);
  });

  test("names companies that were never checked, which may have it too", async ({ app }) => {
    const { snapshots } = app.runtime;
    const get = snapshots.get.bind(snapshots);
    Object.assign(snapshots, { get: (slug: string) => (slug === "harbour" ? null : get(slug)) });
    try {
      const view = await partner(app, "ada", "/Procore");
      expect(view.never_checked).toEqual(["harbour"]);
      expect(view.companies.map(({ company }) => company)).toEqual(["northgate"]);
      expect((await partner(app, "vera", "/Procore")).never_checked).toEqual([]);
    } finally {
      Object.assign(snapshots, { get });
    }
  });
});

describe("a company that the person may not see", () => {
  test("leaves no trace: its partner is answered like one that doesn't exist", async ({ app }) => {
    // What every request reads.
    await list(app, "vera");
    const { pool } = app.database;
    const query = pool.query.bind(pool);
    const asked: string[][] = [];
    Object.assign(pool, {
      query: (...given: Parameters<typeof pool.query>) => {
        asked.at(-1)?.push(JSON.stringify(given[0]));
        return query(...given);
      },
    });
    try {
      for (const rest of ["", "/paragraphs", "/paragraphs/csv", "?at="]) {
        const answers: unknown[] = [];
        for (const [at, name] of ["Aconex", "Nothing"].entries()) {
          // Each its own: companies as they were then are kept for a while.
          const then = rest === "?at=" ? iso(app.clock.nowMs() - at - 1) : "";
          asked.push([]);
          const answer = await ask(app, "vera", `/${name}${rest}${then}`);
          const headers = [...answer.headers].filter(([header]) => header !== "date");
          answers.push([answer.status, headers, await answer.text(), asked.at(-1)]);
        }
        expect(answers[0]).toEqual(answers[1]);
        expect(answers[0]).toMatchObject({ 0: 404 });
      }
    } finally {
      Object.assign(pool, { query });
    }
  });

  test("is in no answer about a partner that others have too", async ({ app }) => {
    const at = `?at=${encodeURIComponent(iso(app.clock.nowMs()))}`;
    for (const path of ["", "/Procore", `/Procore${at}`, "/Procore/paragraphs"]) {
      const text = await (await ask(app, "vera", path)).text();
      expect(text).toContain("Procore");
      for (const hidden of ["harbour", "Harbour", "h1", "Aconex"])
        expect(text).not.toContain(hidden);
    }
  });
});

describe("theirs or ours", () => {
  const codeOf = async (app: IncidentsApp, as: Name = "ada") =>
    (await partner(app, as, "/Procore")).theirs_or_ours;

  test("points to the partner once other partners' runs there completed since", async ({ app }) => {
    expect(await codeOf(app)).toEqual({
      code: "cant_tell",
      evidence: [
        {
          kind: "companies",
          hit: 2,
          of: 2,
          text: "Procore is behind at 2 of the 2 customers that have it.",
        },
      ],
    });
    for (const minutes of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      await addRun(app, ["northgate", "n3"], minutes, "completed");
    await addRun(app, ["harbour", "h3"], 2, "failed");
    // Neither counts: before the trouble, and without an end.
    await addRun(app, ["harbour", "h3"], 60, "failed");
    await addRun(app, ["harbour", "h3"], 3, "in_progress");
    await addRun(app, ["northgate", "n1"], 5, "timed_out");
    await observe(app, "northgate", [FAILING, FRESH, SAGE]);
    await observe(app, "harbour", [{ ...FAILING, id: "h1" }, { ...SAGE, id: "h3" }, ONLY_HERE]);
    expect(await codeOf(app)).toMatchObject({
      code: "theirs",
      evidence: [
        { kind: "own_runs", hit: 0, of: 1 },
        {
          kind: "other_runs",
          hit: 9,
          of: 10,
          text: expect.stringMatching(/since it fell behind\.$/),
        },
        { kind: "companies", hit: 2, of: 2 },
      ],
    });
    await addRun(app, ["harbour", "h3"], 4, "failed");
    await observe(app, "harbour", [{ ...FAILING, id: "h1" }, { ...SAGE, id: "h3" }, ONLY_HERE]);
    expect(await codeOf(app)).toMatchObject({ code: "cant_tell" });
  });

  test("may be a host that companies share, whatever the paths of its addresses", async ({
    app,
  }) => {
    const onOneHost = (company: string) => ({ baseUrl: `https://api.example/${company}/api/v3` });
    await withConnections(app, onOneHost, async () => {
      expect(await codeOf(app)).toMatchObject({
        code: "host",
        evidence: [
          { kind: "host", hit: 1, of: 2, text: expect.stringContaining("https://api.example,") },
          { kind: "companies", hit: 2, of: 2 },
        ],
      });
    });
  });

  test("says nothing of companies that the person may not see", async ({ app }) => {
    expect(await codeOf(app, "vera")).toMatchObject({
      code: "cant_tell",
      evidence: [{ kind: "companies", hit: 1, of: 1 }],
    });
  });

  test("is one company if others that have it are well", async ({ app }) => {
    await observe(app, "harbour", [{ ...FRESH, id: "h1" }]);
    expect(await codeOf(app)).toMatchObject({ code: "one_company" });
  });

  test("can't be told while too many companies aren't seen", async ({ app }) => {
    await app.clock.advance(HOUR_MS);
    await observe(app, "northgate", [FAILING, FRESH, SAGE]);
    expect(await codeOf(app)).toMatchObject({
      code: "we_are_blind",
      evidence: [
        { kind: "unseen", hit: 1, of: 2 },
        { kind: "companies", hit: 1, of: 2 },
      ],
    });
    const [behind, unseen] = (await partner(app, "ada", "/Procore")).companies;
    expect(behind).toMatchObject({ company: "northgate", standing: "behind" });
    expect(unseen).toMatchObject({
      company: "harbour",
      standing: "unseen",
      verdict: null,
      since: null,
      next_sync_at: null,
      endpoints: [{ verdict: "failing" }],
    });
  });
});

test("is on time for its share of this month's closed days, by company and together", async ({
  app,
}) => {
  const [month, today] = [iso(app.clock.nowMs()).slice(0, 7), iso(app.clock.nowMs()).slice(0, 10)];
  const isFirst = today.endsWith("-01");
  const first = isFirst ? today : `${month}-01`;
  await closeDay(app, "northgate", first, [
    ["Procore", 18],
    ["Sage", 24],
  ]);
  await closeDay(app, "harbour", first, [["Procore", 12]]);
  await app.clock.advance(11 * MINUTE_MS);
  await observe(app, "northgate", [FAILING]);
  const own = (await partner(app, "vera", "/Procore")).companies[0]?.on_time_month;
  expect(own).toBe(isFirst ? null : 75);
  expect((await list(app, "ada", "?q=procore")).data[0]?.on_time_month).toBe(isFirst ? null : 62.5);
});

test("says which days count in the month on time, in the time zones of the companies' reports", async ({
  app,
}) => {
  // 25 hours apart: never on the same day.
  const zones: Record<string, string> = {
    northgate: "Pacific/Pago_Pago",
    harbour: "Pacific/Kiritimati",
  };
  const inZones = (company: string) => ({ timeZone: zones[company] ?? "UTC" });
  const dayIn = (company: string) => dayOf(app.clock.nowMs(), zones[company] ?? "UTC");
  await withConnections(app, inZones, async () => {
    const both = (await partner(app, "ada", "/Procore")).on_time_before;
    expect(both).toEqual([dayIn("northgate"), dayIn("harbour")]);
    expect(new Set(both).size).toBe(2);
    expect((await partner(app, "vera", "/Procore")).on_time_before).toEqual([dayIn("northgate")]);
  });
});

describe("paragraphs", () => {
  const paragraphs = async (app: IncidentsApp, as: Name) =>
    ParagraphsView.parse(await (await ask(app, as, "/Procore/paragraphs")).json()).data;

  test("are one for each company that is behind, without any other's name", async ({ app }) => {
    const all = await paragraphs(app, "ada");
    expect(all.map(({ company }) => company)).toEqual(["harbour", "northgate"]);
    for (const { text } of all) {
      expect(text).toContain("Procore");
      expect(text).not.toMatch(/northgate|harbour/i);
    }
    expect((await paragraphs(app, "vera")).map(({ company }) => company)).toEqual(["northgate"]);
  });

  test("are in the time zone of the company's reports", async ({ app }) => {
    const inTokyo = (company: string) => (company === "harbour" ? { timeZone: "Asia/Tokyo" } : {});
    await withConnections(app, inTokyo, async () => {
      const [harbour, northgate] = await paragraphs(app, "ada");
      expect(harbour?.text).toMatch(/\d\d:\d\d (?:GMT\+9|JST)/);
      expect(northgate?.text).toMatch(/\d\d:\d\d UTC/);
    });
  });

  test("are a table whose cells are never formulas", async ({ app }) => {
    await observe(app, "northgate", [{ ...FAILING, partner: "=cmd()" }]);
    const answer = await ask(app, "ada", `/${encodeURIComponent("=cmd()")}/paragraphs/csv`);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, row] = (await answer.text()).split("\r\n");
    expect(head).toBe("company,text,external_id");
    expect(row).toMatch(/^northgate,/);
    expect(row).not.toMatch(/(?:^|[,;\t"])=/);
  });

  test("are none where nothing is behind", async ({ app }) => {
    const answer = await ask(app, "vera", "/Sage/paragraphs");
    expect(await answer.json()).toEqual({ data: [] });
  });
});

describe("in the past", () => {
  test("is as it was then, for the companies of today's permissions", async ({ app }) => {
    const { clock } = app;
    await clock.advance(MINUTE_MS);
    const then = iso(clock.nowMs());
    await clock.advance(10 * MINUTE_MS);
    await observe(app, "northgate", [{ ...FAILING, verdict: "fresh" }, FRESH, SAGE]);
    expect((await partner(app, "vera", "/Procore")).companies).toMatchObject([
      { standing: "on_time" },
    ]);
    const query = `?at=${encodeURIComponent(then)}`;
    const view = await partner(app, "vera", `/Procore${query}`);
    expect(view.as_of).toBe(then);
    expect(view.companies).toMatchObject([
      {
        company: "northgate",
        standing: "behind",
        verdict: "failing",
        next_sync_at: null,
        endpoints: [{ verdict: "failing" }, { verdict: "fresh" }],
      },
    ]);
    expect((await partner(app, "ada", `/Procore${query}`)).companies).toHaveLength(2);
  });

  test("tells a time without history from one at which no company had it", async ({ app }) => {
    const codeAt = async (name: string, atMs: number) => {
      const answer = await ask(app, "vera", `/${name}?at=${encodeURIComponent(iso(atMs))}`);
      return [answer.status, await answer.json()];
    };
    const nowMs = app.clock.nowMs();
    expect(await codeAt("Nothing", nowMs)).toMatchObject([404, { error: "not_found" }]);
    expect(await codeAt("Procore", nowMs - 300 * 24 * HOUR_MS)).toEqual([
      404,
      { error: "no_history", error_description: "There is no history of that time." },
    ]);
  });

  test("refuses an instant in the future and what isn't one", async ({ app }) => {
    const later = encodeURIComponent(iso(app.clock.nowMs() + HOUR_MS));
    for (const at of [later, "yesterday"])
      expect((await ask(app, "vera", `/Procore?at=${at}`)).status).toBe(400);
  });
});
