import { expect } from "vitest";
import { CompaniesView } from "@/lib/contracts/dashboard";
import { TodayView } from "@/lib/contracts/today";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { HOUR_MS } from "@/lib/domain/time/units";

const FAILING: Found = {
  id: "n1",
  partner: "Procore",
  key: "daily_logs",
  verdict: "failing",
  overdue: 40,
};
const STALE: Found = { id: "n2", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 };

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", [STALE, FAILING]);
  await app.check("harbour", [{ ...FAILING, id: "h1" }]);
});

async function companies(app: IncidentsApp, as: keyof IncidentsApp["people"]) {
  const answer = await app.ask(as, "GET", "/companies");
  return CompaniesView.parse(await answer.json()).companies;
}
async function northgate(app: IncidentsApp, as: keyof IncidentsApp["people"]) {
  return (await companies(app, as)).find(({ slug }) => slug === "northgate");
}

test("counts open incidents for people who may see the company, and names who acknowledged them", async ({
  app,
}) => {
  expect(await northgate(app, "vera")).toMatchObject({
    care: {
      open: 2,
      unacknowledged: 2,
      on_it: [],
      next: { partner_name: "Procore" },
      owner: null,
      stand_in: null,
    },
  });
  await app.ask("ana", "PUT", "/companies/northgate/incidents/1/acknowledgement", {});
  const [seen, ...others] = await companies(app, "vera");
  expect(others).toEqual([]);
  expect(seen?.care).toMatchObject({
    open: 2,
    unacknowledged: 1,
    on_it: [{ is_you: false }],
  });
  expect((await northgate(app, "ana"))?.care?.on_it).toMatchObject([{ is_you: true }]);
  const all = await companies(app, "ada");
  expect(all.map(({ slug, care }) => [slug, care?.open, care?.unacknowledged])).toEqual([
    ["northgate", 2, 1],
    ["harbour", 1, 1],
  ]);
});

test("counts only a partner's incidents when a partner is given", async ({ app }) => {
  const answer = await app.ask("ana", "GET", "/companies?partner=Procore");
  const view = CompaniesView.parse(await answer.json());
  expect(view.partner).toBe("Procore");
  const company = view.companies.find(({ slug }) => slug === "northgate");
  expect(company?.care?.open).toBe(1);
  expect(company?.care?.next?.partner_name).toBe("Procore");
  expect((await northgate(app, "ana"))?.care?.open).toBe(2);
});

test("refuses a partner that is given twice or isn't valid text", async ({ app }) => {
  for (const query of ["partner=Procore&partner=Sage", "partner=%00"]) {
    const answer = await app.ask("ana", "GET", `/companies?${query}`);
    expect(answer.status).toBe(400);
  }
});

test("counts an expired acknowledgement as none", async ({ app }) => {
  const until = new Date(app.clock.nowMs() + HOUR_MS).toISOString();
  await app.ask("ana", "PUT", "/companies/northgate/incidents/1/acknowledgement", { until });
  expect((await northgate(app, "ana"))?.care?.unacknowledged).toBe(1);
  await app.clock.advance(HOUR_MS);
  expect((await northgate(app, "ana"))?.care).toMatchObject({ unacknowledged: 2, on_it: [] });
});

test("dates the worst incident by the record", async ({ app }) => {
  const answer = await app.ask("ana", "GET", "/companies/northgate/incidents?state=open");
  const { data } = (await answer.json()) as { data: { partner_name: string; began_at: string }[] };
  const began = data.find(({ partner_name: name }) => name === "Procore")?.began_at;
  expect((await northgate(app, "ana"))?.worst).toEqual({
    partner_name: "Procore",
    endpoint_key: "daily_logs",
    verdict: "failing",
    since: began,
  });
});

test("dates the worst endpoint without an incident as the first page does", async ({ app }) => {
  const late: Found = { id: "h2", partner: "CMiC", key: "pci", verdict: "late", overdue: 40 };
  await app.check("harbour", [{ ...FAILING, id: "h1", verdict: "fresh" }, late]);
  const { worst } = (await companies(app, "ada")).find(({ slug }) => slug === "harbour") ?? {};
  const answer = await app.ask("ada", "GET", "/today?partner=CMiC");
  const { lines } = TodayView.parse(await answer.json());
  expect(lines).toMatchObject([{ kind: "endpoint", since: expect.any(String) }]);
  expect(worst).toMatchObject({ endpoint_key: "pci", verdict: "late", since: lines[0]?.since });
});

test("names who looks after a company, and a stand-in exactly during their time", async ({
  app,
}) => {
  const { ana, bo } = app.people;
  const at = (hours: number) => new Date(app.clock.nowMs() + hours * HOUR_MS).toISOString();
  await app.ask("ana", "PUT", "/companies/northgate/care", {
    owner: ana.id,
    stand_in: { person: bo.id, from: at(1), until: at(3) },
  });
  const until = at(3);
  expect((await northgate(app, "ana"))?.care).toMatchObject({
    owner: { is_you: true },
    stand_in: null,
  });
  await app.clock.advance(HOUR_MS);
  expect((await northgate(app, "bo"))?.care).toMatchObject({
    owner: { is_you: false },
    stand_in: { is_you: true, until },
  });
  const handover = { companies: "mine", to: app.people.ada.id, until: at(1) };
  expect((await app.ask("bo", "POST", "/me/handover", handover)).status).toBe(200);
  expect((await northgate(app, "ada"))?.care?.stand_in).toMatchObject({ is_you: true });
  await app.clock.advance(HOUR_MS);
  expect((await northgate(app, "bo"))?.care?.stand_in).toMatchObject({ is_you: true, until });
  await app.clock.advance(HOUR_MS);
  expect((await northgate(app, "bo"))?.care?.stand_in).toBeNull();
});
