import { expect } from "vitest";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { csvLines } from "@/lib/domain/text/csv-lines";
import { accepted } from "@/lib/server/delivery/sent";
import { createToken } from "@/lib/server/gate/token-fixture";
import { createAppOutbox } from "@/lib/server/operations/delivery/outbox-fixture";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { observe } from "@/lib/server/operations/today/observe-fixture";

const PROCORE: Found = {
  id: "1",
  partner: "Procore",
  key: "drawings",
  verdict: "stale",
  overdue: 200,
};

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  serveAs(app, "CRM-7");
  await observe(app, "northgate", [PROCORE]);
  await observe(app, "harbour", [{ ...PROCORE, id: "2" }]);
});

/** Two companies, of which Northgate has an id in another system. */
function serveAs(app: IncidentsApp, externalId: string): void {
  const connections = [
    { company: "northgate", name: "Northgate Builders", externalId, baseUrl: "http://a" },
    { company: "harbour", name: "Harbour", baseUrl: "http://b" },
  ];
  app.serve({ ...app.handlersRuntime, connections } as never);
}

async function json(app: IncidentsApp, path: string): Promise<unknown> {
  const answer = await app.ask("ada", "GET", path);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return answer.json();
}

type Named = { slug?: unknown; name?: unknown; company?: unknown; external_id?: string };

/** Companies named in JSON, each as its slug and its id in another system, without duplicates. */
function namedIn(value: unknown): string[] {
  const found = new Set<string>();
  const visit = (one: unknown) => {
    if (typeof one !== "object" || one === null) return;
    const { slug, name, company, external_id: id = "none" } = one as Named;
    if (typeof slug === "string" && typeof name === "string") found.add(`${slug} ${id}`);
    if (typeof company === "string") found.add(`${company} ${id}`);
    for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return [...found].toSorted();
}
const BOTH = ["harbour none", "northgate CRM-7"];

test("stands wherever JSON names a company of the person", async ({ app }) => {
  const since = iso(app.clock.nowMs() - HOUR_MS);
  const at = `at=${iso(app.clock.nowMs())}`;
  await app.ask("ada", "POST", "/companies/northgate/links", { partner: "Procore", shows: "both" });
  await app.ask("ada", "POST", "/companies/harbour/links", { partner: "Procore", shows: "both" });
  await createToken(app.people.ada.browser, { companies: ["northgate", "harbour"] });
  const addresses = [
    "/today",
    `/today?${at}`,
    "/companies",
    "/incidents",
    `/changes?since=${since}`,
    "/partners/Procore",
    `/partners/Procore?${at}`,
    "/partners/Procore/days",
    "/partners/Procore/paragraphs",
    "/links",
    "/me/tokens",
    "/me/handover",
    "/wall",
  ];
  for (const address of addresses)
    expect({ address, named: namedIn(await json(app, address)) }).toEqual({ address, named: BOTH });
});

test("stands in what was sent and would have been sent", async ({ app }) => {
  const { database } = app;
  await database.pool.query("delete from endpoints");
  const alerts = { from_verdict: "late", after_minutes: 0, only_mine: false };
  const set = await app.ask("ana", "PUT", "/me/alerts", {
    alerts: { ...alerts, inbox: true, mail: true },
  });
  expect(set.status).toBe(200);
  const outbox = createAppOutbox(app, { send: () => Promise.resolve(accepted("")) });
  for (const verdict of ["fresh", "stale", "stale"] as const) {
    await app.clock.advance(MINUTE_MS);
    await app.check("northgate", [{ ...PROCORE, verdict }]);
    await outbox.work(database, -Infinity);
  }
  const rehearsal = await app.ask("ana", "POST", "/me/alerts/rehearsal", alerts);
  const answers = {
    rehearsal: await rehearsal.json(),
    inbox: await (await app.ask("ana", "GET", "/me/inbox")).json(),
    deliveries: await json(app, "/deliveries"),
  };
  for (const [name, answer] of Object.entries(answers))
    expect({ name, named: namedIn(answer) }).toEqual({ name, named: ["northgate CRM-7"] });
});

test("stands with companies that we can't see", async ({ app }) => {
  await app.clock.advance(HOUR_MS);
  expect(namedIn((await json(app, "/incidents")) as object)).toEqual(BOTH);
  const { unseen } = (await json(app, "/today")) as { unseen: unknown };
  expect(namedIn(unseen)).toEqual(BOTH);
});

test("follows the connections, also where views are kept", async ({ app }) => {
  await json(app, "/today");
  serveAs(app, "CRM-8");
  for (const address of ["/today", "/partners/Procore", "/incidents"])
    expect(namedIn(await json(app, address))).toEqual(["harbour none", "northgate CRM-8"]);
});

test("is the last column of every table of a company", async ({ app }) => {
  const month = iso(app.clock.nowMs()).slice(0, 7);
  const endpoint = { partner: "Procore", by: "08:00", days: ["mon"], time_zone: "UTC" };
  await app.ask("ada", "POST", "/companies/northgate/promises", endpoint);
  await app.ask("ada", "POST", "/companies/northgate/links", { partner: "Procore", shows: "both" });
  for (const table of [
    "activity/csv",
    "api-calls/csv?range=24h",
    `report/csv?month=${month}`,
    "promises/csv",
  ]) {
    const answer = await app.ask("ada", "GET", `/companies/northgate/${table}`);
    const [head, ...rows] = csvLines(await answer.text()).lines;
    expect({ table, last: head?.cells.at(-1) }).toEqual({ table, last: "external_id" });
    expect({ table, ids: [...new Set(rows.map(({ cells }) => cells.at(-1)))] }).toEqual({
      table,
      ids: ["CRM-7"],
    });
  }
});
