import { expect } from "vitest";
import type { Verdict } from "@/lib/domain/sync";
import { SECOND_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createFleetRecord } from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { deliveries } from "@/lib/server/store/schema/delivery";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import type { ConnectedCompany as Company } from "./look";
import { createSender, receiverTest } from "./one-cause-fixture";
import { APP_URL, SEEN } from "./outbox-fixture";
import { createPlanner } from "./planner";

const START_MS = Date.parse("2026-11-20T10:00:00Z");
const COMPANIES = ["a", "b", "c"].map((slug) => ({ slug, name: slug }));

const test = receiverTest(START_MS);

const plannerOf = (database: Database, clock: Clock, companies: () => readonly Company[]) =>
  createPlanner({
    database,
    clock,
    companies,
    visibilityOf: () => SEEN,
    mayRead: () => true,
    mayHaveAlerts: () => true,
    appUrl: APP_URL,
    timeZone: "UTC",
    waitMs: 30 * SECOND_MS,
    onStep: () => {},
  });

test("a look between two whole ones knows what changed while there was no rule", async ({
  db,
  clock,
  receiver,
}) => {
  const { database } = db;
  const companies = () => COMPANIES;
  const { check } = createFleetRecord(database);
  const sender = createSender(database, clock, receiver, { companies });
  const planner = plannerOf(database, clock, companies);
  const checkAll = async (verdict: Verdict) => {
    for (const { slug } of COMPANIES) await check(slug, clock.nowMs(), { Procore: verdict });
  };
  const look = (isDue: boolean) => planner.plan(database, { ledSinceMs: -Infinity, isDue });
  await checkAll("fresh");
  await clock.advance(MINUTE_MS);
  await checkAll("failing");
  await look(true);
  await clock.advance(10 * SECOND_MS);
  await sender.work();
  // There is a fleet incident, and no destination to read it for.
  await look(false);

  await sender.addHook("/hook");
  await database.pool.query("update rules set since = $1", [new Date(START_MS)]);
  await clock.advance(50 * SECOND_MS);
  await checkAll("stale");
  await look(false);
  const rows = await database.orm.select().from(deliveries);
  const own = rows.filter(({ includedIn }) => includedIn === null);
  expect(own.map(({ type }) => type)).toEqual(["partner.opened"]);
  expect(own[0]?.about).toEqual(["a", "b", "c"]);
});

test("a company whose messages couldn't be planned is planned again in looks that are due", async ({
  db,
  clock,
  receiver,
}) => {
  const { database } = db;
  let timeZone = "Nowhere/At_All";
  const companies = () => [{ slug: "a", name: "a", timeZone }];
  const { check } = createFleetRecord(database);
  await createSender(database, clock, receiver, { companies }).addHook("/hook");
  const planner = plannerOf(database, clock, companies);
  const look = async (isDue: boolean) => {
    const failed = await planner.plan(database, { ledSinceMs: -Infinity, isDue });
    return [[...failed.companies.keys()], await database.orm.$count(deliveries)];
  };
  await check("a", clock.nowMs(), { Procore: "fresh" });
  await clock.advance(MINUTE_MS);
  await check("a", clock.nowMs(), { Procore: "failing" });
  await clock.advance(MINUTE_MS);
  expect(await look(true)).toEqual([["a"], 0]);
  timeZone = "UTC";
  expect(await look(false)).toEqual([["a"], 0]);
  expect(await look(true)).toEqual([[], 1]);
});
