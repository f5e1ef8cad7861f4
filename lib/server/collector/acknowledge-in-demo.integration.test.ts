import { expect } from "vitest";
import pino from "pino";
import { ensureDemoPeople } from "@/lib/server/auth/demo-people";
import { createDemoAcknowledgement } from "./acknowledge-in-demo";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";

const test = incidentsTest();
let email = "";
test.beforeAll(async ({ app }) => {
  const people = await ensureDemoPeople(app.database);
  email = people.find(({ role }) => role === "member")?.email ?? "";
});
test.beforeEach(({ app }) => app.begin());

const stale: Found = { id: "1", partner: "Procore", key: "rfis", verdict: "stale", overdue: 300 };
const failing: Found = { id: "2", partner: "Kahua", key: "rfis", verdict: "failing" };
const on = async (app: IncidentsApp) =>
  (
    await app.database.pool.query<{ partner: string; name: string | null }>(
      `select partner_name as partner, name from incidents left join people on people.id = acknowledged_by_id
       order by partner_name`,
    )
  ).rows;

test("acknowledges the mildest of the demo's first incidents once, as soon as there are two", async ({
  app,
}) => {
  const { database, clock } = app;
  const checked = createDemoAcknowledgement(
    { database, clock, log: pino({ level: "silent" }) },
    email,
  );
  await app.check("northgate", [stale]);
  await checked("northgate");
  expect(await on(app)).toEqual([{ partner: "Procore", name: null }]);
  await app.check("northgate", [stale, failing]);
  await checked("harbour");
  await Promise.all([checked("northgate"), checked("northgate")]);
  const once = [
    { partner: "Kahua", name: null },
    { partner: "Procore", name: "Milo Brandt" },
  ];
  expect(await on(app)).toEqual(once);
  await checked("northgate");
  expect(await on(app)).toEqual(once);
  const { rows } = await database.pool.query(
    "select from incident_events where kind = 'acknowledged'",
  );
  expect(rows).toHaveLength(1);
});
