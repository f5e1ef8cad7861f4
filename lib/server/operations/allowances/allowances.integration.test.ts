import { expect } from "vitest";
import { Allowance, AllowancesView } from "@/lib/contracts/calls/allowances";
import { encodeSegment } from "@/lib/domain/partner-address";
import { HOUR_MS } from "@/lib/domain/time/units";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { setAllowance } from "@/lib/server/store/allowances/allowances";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";

const PATH = "/companies/northgate/allowances";
const HOSTILE = ["..", "~x/100%", "", "Müller & Söhne <b>", "東".repeat(1000)];
const feed = (id: string, partner: string): Found => ({ id, partner, key: id, verdict: "fresh" });

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  const partners = ["Procore", "Aconex", ...HOSTILE];
  await app.check(
    "northgate",
    partners.map((partner, at) => feed(`n${at}`, partner)),
  );
  await app.check("harbour", [feed("h1", "Procore")]);
});

type Who = keyof IncidentsApp["people"];
const pathOf = (partner: string) => `${PATH}/${encodeSegment(partner)}`;
const put = (app: IncidentsApp, as: Who, partner: string, body: Record<string, unknown> = {}) =>
  app.ask(as, "PUT", pathOf(partner), { calls: 3600, per: "day", ...body });
const remove = (app: IncidentsApp, as: Who, partner: string) =>
  app.ask(as, "DELETE", pathOf(partner));
const list = async (app: IncidentsApp, as: Who = "vera") =>
  AllowancesView.parse(await (await app.ask(as, "GET", PATH)).json()).data;
async function actions(app: IncidentsApp) {
  const page = { start: { offset: 0 }, limit: 50 };
  const all = await readActions(app.database, "northgate", UNFILTERED, page);
  return all.map(({ rows: [{ kind, event, detail, personEmail }] }) => ({
    what: `${kind} ${event}`,
    detail,
    personEmail,
  }));
}

test("is entered by a member, changed by another, visible to viewers, and removed", async ({
  app,
}) => {
  expect(await list(app)).toEqual([]);
  const answer = await put(app, "ana", "Procore", { note: " per contract " });
  expect(answer.status).toBe(200);
  const entered = Allowance.parse(await answer.json());
  expect(entered).toEqual({
    partner_name: "Procore",
    calls: 3600,
    per: "day",
    note: "per contract",
    by: { id: app.people.ana.id, name: "ana@example.com" },
    at: new Date(app.clock.nowMs()).toISOString(),
  });
  expect(await list(app)).toEqual([entered]);

  await app.clock.advance(HOUR_MS);
  await put(app, "bo", "Procore", { calls: 150, per: "hour" });
  expect(await list(app)).toMatchObject([
    { calls: 150, per: "hour", note: null, by: { name: "bo@example.com" } },
  ]);
  expect((await list(app))[0]?.at).not.toBe(entered.at);

  expect((await remove(app, "ada", "Procore")).status).toBe(204);
  expect(await list(app)).toEqual([]);
  expect(await actions(app)).toMatchObject([
    {
      what: "allowance remove.asked",
      personEmail: "ada@example.com",
      detail: { subject: "Procore", previous: { calls: 150, per: "hour", note: null } },
    },
    {
      what: "allowance set.asked",
      personEmail: "bo@example.com",
      detail: {
        subject: "Procore",
        calls: 150,
        per: "hour",
        previous: { calls: 3600, per: "day", note: "per contract" },
      },
    },
    {
      what: "allowance set.asked",
      personEmail: "ana@example.com",
      detail: { calls: 3600, per: "day", note: "per contract", previous: null },
    },
  ]);
});

test("stays with its author when it is repeated, and removing it twice changes nothing", async ({
  app,
}) => {
  await put(app, "ana", "Procore");
  const [entered] = await list(app);
  const logged = (await actions(app)).length;
  await app.clock.advance(HOUR_MS);
  expect(await (await put(app, "bo", "Procore", { note: "" })).json()).toEqual(entered);
  expect(await actions(app)).toHaveLength(logged);
  await remove(app, "bo", "Procore");
  expect((await remove(app, "bo", "Procore")).status).toBe(204);
  expect(await actions(app)).toHaveLength(logged + 1);
});

test("is refused to viewers, and doesn't exist for people of other companies", async ({ app }) => {
  await put(app, "ana", "Procore");
  expect((await put(app, "vera", "Procore", { calls: 1 })).status).toBe(403);
  expect((await remove(app, "vera", "Procore")).status).toBe(403);
  for (const answer of [
    await put(app, "hal", "Procore", { calls: 1 }),
    await remove(app, "hal", "Procore"),
    await app.ask("hal", "GET", PATH),
  ])
    expect(answer.status).toBe(404);
  expect(await list(app)).toMatchObject([{ calls: 3600 }]);
  const elsewhere = await app.ask("hal", "GET", "/companies/harbour/allowances");
  expect(await elsewhere.json()).toEqual({ data: [] });
});

test("needs a partner of the company, but can be removed after the partner left", async ({
  app,
}) => {
  expect((await put(app, "ana", "Nowhere")).status).toBe(404);
  expect((await remove(app, "ana", "Nowhere")).status).toBe(404);
  expect((await app.ask("ana", "PUT", `${PATH}/~broken`, {})).status).toBe(404);
  await put(app, "ana", "Aconex");
  await app.check("northgate", [feed("n0", "Procore")]);
  expect((await put(app, "ana", "Aconex", { calls: 1 })).status).toBe(404);
  expect(await list(app)).toMatchObject([{ partner_name: "Aconex", calls: 3600 }]);
  expect((await remove(app, "ana", "Aconex")).status).toBe(204);
  expect((await remove(app, "ana", "Aconex")).status).toBe(404);
});

test.for(HOSTILE)("takes any name of a partner: %j", async (partner, { app }) => {
  expect((await put(app, "ana", partner)).status).toBe(200);
  expect(await list(app)).toMatchObject([{ partner_name: partner }]);
  expect((await remove(app, "ana", partner)).status).toBe(204);
});

test.for<[string, Record<string, unknown>]>([
  ["no calls", { calls: undefined }],
  ["0 calls", { calls: 0 }],
  ["too many calls", { calls: 10_000_001 }],
  ["half a call", { calls: 1.5 }],
  ["calls as text", { calls: "3600" }],
  ["another period", { per: "week" }],
  ["a long note", { note: "x".repeat(501) }],
  ["an unknown property", { company: "harbour" }],
])("refuses %s, and keeps the allowance", async ([, body], { app }) => {
  await put(app, "ana", "Procore", { calls: 5 });
  expect((await put(app, "ana", "Procore", body)).status).toBe(400);
  expect(await list(app)).toMatchObject([{ calls: 5 }]);
});

test("is limited in number, but not in changes, for concurrent requests too", async ({ app }) => {
  const { id } = app.people.ana;
  const change = { person: { id, name: "Ana", email: "ana@example.com" }, nowMs: 0 };
  await app.database.pool.query(
    "insert into companies (slug, name) values ('northgate', 'Northgate') on conflict do nothing",
  );
  const set = (partnerName: string, calls: number) =>
    setAllowance(
      app.database,
      { company: "northgate", partnerName },
      { calls, per: "day", note: null },
      { change, most: 2 },
    );
  const rows = await Promise.all(["a", "b", "c", "a"].map((name) => set(name, 1)));
  expect(await list(app)).toHaveLength(2);
  expect(rows.filter((row) => row === null).length).toBeGreaterThan(0);
  const [first] = await list(app);
  expect(await set(first?.partner_name ?? "", 2)).toMatchObject({ calls: 2 });
});
