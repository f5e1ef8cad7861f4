import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { failureIn } from "@/lib/contracts/failure";
import { FleetIncident, FleetIncidentsView } from "@/lib/contracts/fleet-incidents";
import { ReportView } from "@/lib/contracts/report";
import { WallIncidentsView } from "@/lib/contracts/wall";
import type { Verdict } from "@/lib/domain/sync";
import { MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";
import { createBrowser } from "@/lib/server/gate/app-fixture";
import { routeAt } from "@/lib/server/gate/routes-fixture";
import {
  createIncidentsApp,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { grants } from "@/lib/server/store/schema/people";
import { rowBudget } from "@/lib/server/store/most-rows";
import { getFleet, listFleets, openFleetOf } from "./get-fleet-incident";

const COMPANIES = [
  { company: "northgate", name: "Northgate Builders", externalId: "CRM-7" },
  { company: "harbour", name: "Harbour" },
  { company: "quarry", name: "Quarry Stone" },
  { company: "summit", name: "Summit Homes", externalId: "CRM-9" },
];
const ADDRESS = "/api/fleet-incidents";
const NO_SUCH = "6f1a2c1e-0000-4000-8000-000000000000";

let app: IncidentsApp;
type Browser = ReturnType<typeof createBrowser>;
/** `both` and `seer` may see Northgate and Harbour, `mixed` handles Harbour's incidents only, `one` sees Northgate. */
const people = {} as Record<
  "ada" | "both" | "seer" | "mixed" | "one",
  { id: string; browser: Browser }
>;

beforeAll(async () => {
  app = await createIncidentsApp();
  app.serve({ ...app.handlersRuntime, connections: COMPANIES } as never);
  const add = async (
    name: string,
    role: Parameters<typeof app.addPerson>[1],
    companies?: readonly string[],
  ) => ({
    id: await app.addPerson(`${name}@fleet.example.com`, role, companies),
    browser: createBrowser(app.runtime),
  });
  people.ada = await add("ada", "administrator");
  people.both = await add("both", "member", ["northgate", "harbour"]);
  people.seer = await add("seer", "viewer", ["northgate", "harbour"]);
  people.mixed = await add("mixed", "viewer", ["northgate", "quarry"]);
  await app.database.orm
    .insert(grants)
    .values({ personId: people.mixed.id, role: "member", company: "harbour" });
  people.one = await add("one", "member", ["northgate"]);
});
afterAll(() => app.drop());
beforeEach(async () => {
  await app.begin();
  for (const [name, { browser }] of Object.entries(people))
    await browser.signIn(`${name}@fleet.example.com`);
});

const found = (company: string, verdict: Verdict) => [
  { id: `${company}-1`, partner: "Procore", key: "rfis", verdict },
];
/** One check of some companies, and what follows from it. */
async function check(verdict: Verdict, ...companies: readonly string[]) {
  for (const company of companies) {
    await app.clock.advance(SECOND_MS);
    await app.check(company, found(company, verdict));
  }
  await app.foldFleets();
}
/** Lets some companies recover for long enough that their incidents end. */
async function recover(...companies: readonly string[]) {
  for (let minute = 0; minute < 12; minute += 1) {
    await app.clock.advance(MINUTE_MS);
    await check("fresh", ...companies);
    const others = COMPANIES.map(({ company }) => company).filter(
      (one) => !companies.includes(one),
    );
    for (const company of others) await app.check(company, found(company, "failing"));
  }
}
const ALL = COMPANIES.map(({ company }) => company);

type Who = keyof typeof people;
async function ask(
  as: Who,
  method: "GET" | "PUT" | "POST" | "DELETE",
  path = "",
  body: unknown = {},
) {
  const [pathname = "", query = ""] = path.split("?");
  const [, id = "", rest = ""] = /^\/([^/]+)(.*)$/.exec(pathname) ?? [];
  const address = `${ADDRESS}${id === "" ? "" : "/[id]"}${rest}`;
  const answer = await people[as].browser.send(
    await routeAt(address, method),
    `${ADDRESS}${pathname}${query === "" ? "" : `?${query}`}`,
    { method, params: { id }, ...(method !== "GET" && { body }) },
  );
  return { status: answer.status, text: await answer.text() };
}
const list = async (as: Who, query = "") =>
  FleetIncidentsView.parse(
    JSON.parse((await ask(as, "GET", query === "" ? "" : `?${query}`)).text),
  );
const idOf = async () => (await list("ada")).data[0]?.id ?? "";
const read = async (as: Who, id: string) =>
  FleetIncident.parse(JSON.parse((await ask(as, "GET", `/${id}`)).text));
const kinds = ({ timeline }: FleetIncident) => timeline.map(({ kind, company }) => [kind, company]);
const states = ({ companies }: Pick<FleetIncident, "companies">) =>
  companies.map(({ company, state }) => [company, state]);

describe("what is shown", () => {
  test("is every company to those who may see all", async () => {
    await check("failing", ...ALL);
    const { data, meta } = await list("ada");
    expect(meta).toMatchObject({ page: 1, total_count: 1 });
    expect(data[0]).toMatchObject({
      partner_name: "Procore",
      ended_at: null,
      ending: null,
      ended: {},
    });
    const seen = await read("ada", data[0]?.id ?? "");
    expect(
      seen.companies.flatMap(({ company, external_id: id }) => (id ? [company, id] : [])),
    ).toEqual(["northgate", "CRM-7", "summit", "CRM-9"]);
    expect(seen.timeline.map(({ external_id: id }) => id)).toEqual([undefined, "CRM-9"]);
    expect(states(seen)).toEqual(ALL.toSorted().map((company) => [company, "open"]));
    expect(kinds(seen)).toEqual([
      ["opened", null],
      ["joined", "summit"],
    ]);
    expect(seen.timeline.map(({ text }) => text)).toEqual([
      "Behind at 3 customers",
      "Summit Homes is behind too",
    ]);
  });

  test("is nothing of companies that a person may not see: no name, count or time", async () => {
    // A hidden company opens it, and is the last to leave.
    await check("failing", "northgate", "harbour");
    await app.clock.advance(7 * MINUTE_MS);
    for (const company of ["northgate", "harbour"])
      await app.check(company, found(company, "failing"));
    await check("failing", "quarry");
    const id = await idOf();
    const [open] = (await list("both")).data;
    expect(open).toMatchObject({
      id,
      companies: [{ company: "harbour" }, { company: "northgate" }],
    });
    const whole = await read("ada", id);
    expect(Date.parse(whole.opened_at) - Date.parse(open?.opened_at ?? "")).toBeGreaterThan(
      7 * MINUTE_MS,
    );
    await recover("northgate", "harbour");
    const answers = [
      await ask("both", "GET", `/${id}`),
      await ask("both", "GET"),
      await ask("both", "GET", "?state=ended"),
    ];
    const text = answers.map((answer) => answer.text).join();
    expect(text).not.toMatch(/quarry|summit/i);
    for (const { at } of whole.timeline) expect(text).not.toContain(at);
    expect((await list("both")).data).toEqual([]);
    const [ended] = (await list("both", "state=ended")).data;
    expect(ended).toMatchObject({ ending: "recovered", ended: { recovered: 2 } });
    // For those who see the third, it lasts.
    expect((await list("ada")).data).toHaveLength(1);
    expect(kinds(await read("both", id)).at(-1)).toEqual(["ended", null]);
  });

  test("is a missing one to those who see fewer than two of its companies, by the same queries", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    const queries: string[] = [];
    const { pool } = app.database;
    const query = pool.query.bind(pool);
    Object.assign(pool, {
      query: (...given: Parameters<typeof query>) => {
        const [text] = given as unknown as [string | { text: string }];
        queries.push(typeof text === "string" ? text : text.text);
        return query(...given);
      },
    });
    const asked = async (...given: Parameters<typeof ask>) => {
      queries.length = 0;
      const answer = await ask(...given);
      return { ...answer, queries: [...queries] };
    };
    try {
      await asked("one", "GET", `/${NO_SUCH}`);
      const hidden = await asked("one", "GET", `/${id}`);
      expect(hidden.status).toBe(404);
      expect(hidden).toEqual(await asked("one", "GET", `/${NO_SUCH}`));
      expect(hidden.queries.some((text) => text.includes("fleet_members"))).toBe(true);
    } finally {
      Object.assign(pool, { query });
    }
    for (const [method, path] of [
      ["PUT", "acknowledgement"],
      ["DELETE", "acknowledgement"],
      ["PUT", "owner"],
      ["POST", "notes"],
    ] as const) {
      const body = path === "owner" ? { person: null } : path === "notes" ? { text: "hello" } : {};
      const hidden = await ask("one", method, `/${id}/${path}`, body);
      expect(hidden.status).toBe(404);
      expect(hidden).toEqual(await ask("one", method, `/${NO_SUCH}/${path}`, body));
      expect(hidden).toEqual(await ask("one", method, `/nonsense/${path}`, body));
    }
    expect(await list("one")).toMatchObject({ data: [], meta: { total_count: 0 } });
  });

  test("can be looked up by partner, and as it was", async () => {
    await check("failing", "northgate", "harbour");
    const before = app.clock.nowMs();
    await check("failing", "quarry", "summit");
    const runtime = { ...app.handlersRuntime, connections: COMPANIES };
    const person = (company: string | null) =>
      ({ id: "1", grants: [{ role: "viewer", company }] }) as never;
    const lookUp = (atMs: number | null, partner = "Procore", company: string | null = null) =>
      openFleetOf(runtime, { person: person(company), partner, atMs });
    expect((await lookUp(null))?.companies).toHaveLength(4);
    expect(await lookUp(before)).toBeNull();
    expect((await lookUp(before + SECOND_MS))?.companies).toHaveLength(3);
    expect(await lookUp(null, "procore")).toBeNull();
    expect(await lookUp(null, "Procore", "northgate")).toBeNull();
  });

  test("is named on a wall only if it affects two of the wall's companies", async () => {
    await check("failing", ...ALL);
    const onWall = async (as: Who, company: string) => {
      const answer = await people[as].browser.send(
        await routeAt("/api/wall/companies/[company]/incidents", "GET"),
        `/api/wall/companies/${company}/incidents`,
        { method: "GET", params: { company } },
      );
      return WallIncidentsView.parse(await answer.json()).open.map(({ fleet_id: id }) => id);
    };
    const id = await idOf();
    expect(await onWall("both", "northgate")).toEqual([id]);
    expect(await onWall("both", "harbour")).toEqual([id]);
    expect(await onWall("one", "northgate")).toEqual([null]);
  });

  test("is named in a company's report over the companies that the person may see", async () => {
    await check("failing", ...ALL);
    const day = new Date(app.clock.nowMs()).toISOString().slice(0, 10);
    await app.database.pool.query(
      `with closed as (
         insert into report_days (company, day, time_zone, from_at, until_at, rolled_up_at, incidents, sums)
         values ('northgate', $1::date, 'UTC', $1::date, $1::date + 1, $1::date + 1, '{"Procore": 1}', '[]'))
       insert into report_endpoint_days
       values ('northgate', $1::date, '1', 'rfis', 'Procore', 86400000, 0, 0, 0, 0, 0, null, 0, 0, 0, 1, 0, 0, 0)`,
      [day],
    );
    const report = async (as: Who, rest = "") => {
      const answer = await people[as].browser.send(
        await routeAt(`/api/companies/[company]/report${rest}`, "GET"),
        `/api/companies/northgate/report${rest}?month=${day.slice(0, 7)}`,
        { method: "GET", params: { company: "northgate" } },
      );
      return answer.text();
    };
    const named = async (as: Who) => {
      const { partners } = ReportView.parse(JSON.parse(await report(as)));
      return partners.map(({ fleet_incidents: fleets }) => fleets);
    };
    const id = await idOf();
    expect(await named("ada")).toMatchObject([[{ id, incidents: 1, companies: 4 }]]);
    expect(await named("both")).toMatchObject([[{ id, incidents: 1, companies: 2 }]]);
    expect(await named("one")).toEqual([[]]);
    const lines = async (as: Who) => (await report(as, "/csv")).split("\r\n");
    expect((await lines("both"))[0]).toMatch(/,fleet_incident_companies,external_id$/);
    expect((await lines("both"))[1]).toMatch(/,partner,Procore,.*,2,CRM-7$/);
    expect((await lines("one"))[1]).toMatch(/,partner,Procore,.*,,CRM-7$/);
    await app.database.pool.query("delete from report_days");
    await app.database.pool.query("delete from report_endpoint_days");
  });

  test("is listed by pages, and refuses what isn't a state", async () => {
    await check("failing", ...ALL);
    expect(await list("ada", "page=2&per_page=1")).toMatchObject({
      data: [],
      meta: { page: 2, total_count: 1, total_pages: 1 },
    });
    expect((await ask("ada", "GET", "?state=all")).status).toBe(400);
  });

  test("says of a company that was disconnected, and connected again, that it was", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    const left = (at: string | null) =>
      app.database.pool.query(
        "insert into companies (slug, name, left_at) values ('quarry', 'Quarry', $1) on conflict (slug) do update set left_at = $1",
        [at],
      );
    await left(new Date(app.clock.nowMs()).toISOString());
    await app.clock.advance(MINUTE_MS);
    await check("failing", "northgate");
    await left(null);
    await check("failing", "northgate", "quarry");
    const { timeline } = await read("ada", id);
    expect(timeline.filter(({ company }) => company === "quarry").map(({ text }) => text)).toEqual([
      "Quarry Stone was disconnected",
    ]);
  });

  test("takes no more rows than a request may read", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    const runtime = { ...app.handlersRuntime, connections: COMPANIES };
    const person = { ...people.ada, grants: [{ role: "administrator", company: null }] } as never;
    const refused = (reading: Promise<unknown>) =>
      reading.then(
        () => null,
        (error: unknown) => failureIn(error)?.code,
      );
    const listed = (most: number) =>
      listFleets(runtime, { person, query: new URLSearchParams() }, rowBudget(most));
    const one = (most: number) => getFleet(runtime, { person, id }, rowBudget(most));
    // A page of one, with four members.
    expect(await refused(listed(5))).toBeNull();
    expect(await refused(listed(4))).toBe("invalid_request");
    expect(await refused(one(4))).toBeNull();
    expect(await refused(one(3))).toBe("invalid_request");
  });

  test("has those that went on alone", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    await recover("northgate", "harbour", "quarry");
    for (let minute = 0; minute < 62; minute += 1) {
      await app.clock.advance(MINUTE_MS);
      for (const company of ALL)
        await app.check(company, found(company, company === "summit" ? "failing" : "fresh"));
    }
    await check("failing", "summit");
    const seen = await read("ada", id);
    expect(seen).toMatchObject({ ending: "mixed", ended: { recovered: 3, alone: 1 } });
    expect(kinds(seen).slice(-2)).toEqual([
      ["alone", "summit"],
      ["ended", null],
    ]);
    expect(seen.timeline.at(-1)?.text).toBe("Over: 3 recovered and 1 still behind");
    expect(await read("seer", id)).toMatchObject({ ending: "recovered", ended: { recovered: 2 } });
    expect((await ask("ada", "PUT", `/${id}/acknowledgement`)).status).toBe(409);
    expect((await ask("ada", "POST", `/${id}/notes`, { text: "Over." })).status).toBe(201);
  });
});

describe("acting", () => {
  /** Whether each company's incident is acknowledged, owned and noted, in the record. */
  const record = async () => {
    const { rows } = await app.database.pool.query<{
      company: string;
      by: string | null;
      owner: string | null;
      kinds: string[] | null;
    }>(
      `select i.company, i.acknowledged_by_id as by, i.owner_id as owner,
         (select array_agg(e.kind order by e.seq) from incident_events e
          where e.company = i.company and e.incident_id = i.id and e.by_id is not null) as kinds
       from incidents i order by i.company`,
    );
    return Object.fromEntries(rows.map(({ company, ...row }) => [company, row]));
  };
  const UNTOUCHED = { by: null, owner: null, kinds: null };

  test("acknowledges every incident that the person may handle, and each timeline says so", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    const { id: mixed } = people.mixed;
    const answer = await ask("mixed", "PUT", `/${id}/acknowledgement`, { note: "Calling Procore" });
    expect(answer.status).toBe(200);
    expect(await record()).toEqual({
      northgate: UNTOUCHED,
      quarry: UNTOUCHED,
      summit: UNTOUCHED,
      harbour: { by: mixed, owner: null, kinds: ["acknowledged"] },
    });
    const acts = FleetIncident.parse(JSON.parse(answer.text)).timeline.filter(
      ({ by }) => by !== null,
    );
    expect(acts).toMatchObject([
      { kind: "acknowledged", company: "harbour", text: "is on it at Harbour: Calling Procore" },
    ]);
    await ask("ada", "PUT", `/${id}/acknowledgement`);
    const { northgate, summit } = await record();
    expect([northgate?.by, summit?.by]).toEqual([people.ada.id, people.ada.id]);
    expect((await ask("ada", "DELETE", `/${id}/acknowledgement`)).status).toBe(200);
    for (const row of Object.values(await record())) expect(row.by).toBeNull();
    // Hidden companies' acts stay hidden.
    expect(JSON.stringify(await read("both", id))).not.toMatch(/quarry|summit/i);
  });

  test("is done by several people at once without waiting for each other for ever", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    const acts = await Promise.all([
      ask("ada", "PUT", `/${id}/acknowledgement`),
      ask("both", "PUT", `/${id}/acknowledgement`),
      ask("mixed", "POST", `/${id}/notes`, { text: "Calling Procore" }),
      ask("ada", "PUT", `/${id}/owner`, { person: people.ada.id }),
      ask("both", "POST", `/${id}/notes`, { text: "Called them" }),
    ]);
    expect(acts.map(({ status }) => status)).toEqual([200, 200, 201, 200, 201]);
    const { harbour, summit } = await record();
    expect(harbour?.kinds?.toSorted()).toEqual([
      "acknowledged",
      "acknowledged",
      "noted",
      "noted",
      "owned",
    ]);
    expect(summit?.kinds?.toSorted()).toEqual(["acknowledged", "owned"]);
  });

  test("is forbidden to those who only see its companies", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    expect((await ask("seer", "PUT", `/${id}/acknowledgement`)).status).toBe(403);
    expect((await ask("seer", "PUT", `/${id}/owner`, { person: people.seer.id })).status).toBe(403);
    expect((await ask("seer", "POST", `/${id}/notes`, { text: "hello" })).status).toBe(403);
    for (const row of Object.values(await record())) expect(row).toEqual(UNTOUCHED);
  });

  test("gives nothing to an owner who may not handle all of it", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    const own = (as: Who, person: string | null) => ask(as, "PUT", `/${id}/owner`, { person });
    for (const person of [people.one.id, people.mixed.id, NO_SUCH])
      expect((await own("both", person)).status).toBe(409);
    for (const row of Object.values(await record())) expect(row).toEqual(UNTOUCHED);
    expect((await own("both", people.both.id)).status).toBe(200);
    expect((await record())["harbour"]).toMatchObject({ owner: people.both.id, kinds: ["owned"] });
    expect((await record())["quarry"]).toEqual(UNTOUCHED);
    // Who may own some may own what the one who gives it handles.
    expect((await own("mixed", people.both.id)).status).toBe(200);
    expect((await own("both", null)).status).toBe(200);
    expect((await own("both", "nonsense")).status).toBe(400);
  });

  test("notes all of them, also those that have ended, and is logged for each company", async () => {
    await check("failing", ...ALL);
    const id = await idOf();
    await recover("harbour");
    const answer = await ask("both", "POST", `/${id}/notes`, {
      text: "Told them",
      told_customer: true,
    });
    expect(answer.status).toBe(201);
    const { harbour, northgate, quarry } = await record();
    expect([harbour?.kinds, northgate?.kinds, quarry?.kinds]).toEqual([["noted"], ["noted"], null]);
    expect((await ask("both", "PUT", `/${id}/acknowledgement`)).status).toBe(200);
    expect((await record())["harbour"]?.by).toBeNull();
    const audit = await checkAudit(app.database, { keys: TEST_KEYS.known });
    for (const company of ["harbour", "northgate"])
      expect(audit.find((one) => one.company === company)).toMatchObject({ broken: null });
    expect((await ask("both", "POST", `/${id}/notes`, { text: "" })).status).toBe(400);
  });
});
