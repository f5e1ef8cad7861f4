import { expect } from "vitest";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { weekFacts } from "@/lib/domain/learned-week/week-facts";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { readWeeksInForce } from "@/lib/server/store/learned-weeks/learned-weeks";
import { writeLook } from "@/lib/server/store/learned-weeks/write-weeks";

const PATH = "/companies/northgate/endpoints/n1/learned-week";
const WEEK = {
  timeZone: "UTC",
  spans: [{ from: 7200, until: 10080 }],
  cadenceMs: 3_600_000,
  sinceMs: 0,
};
const inForce = ({ database }: IncidentsApp) => readWeeksInForce(database, "northgate");
const feed = (id: string): Found => ({ id, partner: "Procore", key: id, verdict: "fresh" });

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", [feed("n1"), feed("n2")]);
  await app.check("harbour", [feed("h1")]);
});

type Who = keyof IncidentsApp["people"];
const put = (app: IncidentsApp, as: Who, body: Record<string, unknown>, path = PATH) =>
  app.ask(as, "PUT", path, body);
const isOn = async (app: IncidentsApp, as: Who = "vera") => (await app.ask(as, "GET", PATH)).json();
async function actions(app: IncidentsApp) {
  const page = { start: { offset: 0 }, limit: 50 };
  const all = await readActions(app.database, "northgate", UNFILTERED, page);
  return all.flatMap(({ rows: [{ kind, event, detail, personEmail }] }) =>
    kind === "learned-week" ? [[event, detail["subject"], personEmail]] : [],
  );
}
const learn = (app: IncidentsApp) =>
  writeLook(
    app.database,
    "northgate",
    ["n1", "n2"].map((endpointId) => ({
      endpointId,
      state: { week: WEEK, broken: null, goneMs: null },
      isChanged: true,
    })),
    app.clock.nowMs(),
  );

test("is on until a member switches it off, which ends the week in force", async ({ app }) => {
  await learn(app);
  // Its row has none before the next check.
  const learned_week = weekFacts(WEEK);
  expect(await isOn(app)).toEqual({ on: true, learned_week });
  const off = { on: false, learned_week: null };
  expect(await (await put(app, "ana", { on: false })).json()).toEqual(off);
  expect(await isOn(app)).toEqual(off);
  expect([...(await inForce(app)).keys()]).toEqual(["n2"]);
  await app.clock.advance(1000);
  await learn(app);
  expect([...(await inForce(app)).keys()]).toEqual(["n2"]);

  await put(app, "bo", { on: true });
  await put(app, "bo", { on: true });
  expect(await isOn(app)).toEqual({ on: true, learned_week: null });
  await app.clock.advance(1000);
  await learn(app);
  expect((await inForce(app)).get("n1")).toEqual(WEEK);
  expect((await actions(app)).slice(0, 2)).toEqual([
    ["on.asked", "Procore / n1", "bo@example.com"],
    ["off.asked", "Procore / n1", "ana@example.com"],
  ]);
});

test("changes nothing and logs nothing when it is on already", async ({ app }) => {
  const logged = await actions(app);
  expect((await put(app, "ana", { on: true })).status).toBe(200);
  expect(await actions(app)).toEqual(logged);
});

test("is refused to viewers, and doesn't exist for people of other companies", async ({ app }) => {
  expect((await put(app, "vera", { on: false })).status).toBe(403);
  expect((await put(app, "hal", { on: false })).status).toBe(404);
  expect((await app.ask("hal", "GET", PATH)).status).toBe(404);
  expect(await isOn(app)).toMatchObject({ on: true });
});

test("needs a feed of the company, and a valid body", async ({ app }) => {
  const elsewhere = "/companies/northgate/endpoints/h1/learned-week";
  expect((await put(app, "ana", { on: false }, elsewhere)).status).toBe(404);
  for (const body of [{}, { on: "no" }, { on: false, more: 1 }])
    expect((await put(app, "ana", body)).status).toBe(400);
  expect(await isOn(app)).toMatchObject({ on: true });
});
