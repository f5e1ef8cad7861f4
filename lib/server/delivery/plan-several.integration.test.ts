import { expect } from "vitest";
import type { Verdict } from "@/lib/domain/sync";
import { SECOND_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createFleetRecord } from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { deliveries } from "@/lib/server/store/schema/delivery";
import { createSender, receiverTest } from "./one-cause-fixture";
import { APP_URL, SEEN } from "./outbox-fixture";
import { createPlanner } from "./planner";

const START_MS = Date.parse("2026-11-20T10:00:00Z");
const COMPANIES = ["a", "b", "c"].map((slug) => ({ slug, name: slug }));

const test = receiverTest(START_MS);
test("a look between two whole ones knows what changed while there was no rule", async ({
  db,
  clock,
  receiver,
}) => {
  const { database } = db;
  const companies = () => COMPANIES;
  const { check } = createFleetRecord(database);
  const sender = createSender(database, clock, receiver, { companies });
  const planner = createPlanner({
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
