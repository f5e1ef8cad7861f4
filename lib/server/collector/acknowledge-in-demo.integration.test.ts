import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import pino from "pino";
import { ensureDemoPeople } from "@/lib/server/auth/demo-people";
import { createDemoAcknowledgement } from "./acknowledge-in-demo";
import {
  createIncidentsFixture,
  type Found,
  type IncidentsFixture,
} from "@/lib/server/operations/incidents/incidents-fixture";

let fixture: IncidentsFixture;
let email = "";
beforeAll(async () => {
  fixture = await createIncidentsFixture();
  const people = await ensureDemoPeople(fixture.database);
  email = people.find(({ role }) => role === "member")?.email ?? "";
});
afterAll(() => fixture.drop());
beforeEach(() => fixture.begin());

const stale: Found = { id: "1", partner: "Procore", key: "rfis", verdict: "stale", overdue: 300 };
const failing: Found = { id: "2", partner: "Kahua", key: "rfis", verdict: "failing" };
const on = async () =>
  (
    await fixture.database.pool.query<{ partner: string; name: string | null }>(
      `select partner_name as partner, name from incidents left join people on people.id = acknowledged_by_id
       order by partner_name`,
    )
  ).rows;

test("acknowledges the mildest of the demo's first incidents once, as soon as there are two", async () => {
  const { database, clock } = fixture;
  const checked = createDemoAcknowledgement(
    { database, clock, log: pino({ level: "silent" }) },
    email,
  );
  await fixture.check("northgate", [stale]);
  await checked("northgate");
  expect(await on()).toEqual([{ partner: "Procore", name: null }]);
  await fixture.check("northgate", [stale, failing]);
  await checked("harbour");
  await Promise.all([checked("northgate"), checked("northgate")]);
  const once = [
    { partner: "Kahua", name: null },
    { partner: "Procore", name: "Milo Brandt" },
  ];
  expect(await on()).toEqual(once);
  await checked("northgate");
  expect(await on()).toEqual(once);
  const { rows } = await database.pool.query(
    "select from incident_events where kind = 'acknowledged'",
  );
  expect(rows).toHaveLength(1);
});
