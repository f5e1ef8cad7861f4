import { expect } from "vitest";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { enqueue } from "@/lib/server/store/delivery/outbox";
import { createFleetRecord } from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { damage } from "./outbox-fixture";
import { planBriefs } from "./plan-briefs";

const NOW_MS = Date.parse("2026-03-02T08:00:30Z");
const test = freshDatabaseTest();

const brief = { days: WEEKDAYS, at: "08:00", time_zone: "UTC" };
const rule = { ...EVERYTHING, brief, sinceMs: 0, onlyFor: null };

/** Plans the briefs of a channel with two rules. @param slugs of the connected companies */
function plan(database: Database, slugs: readonly string[]) {
  const companies = slugs.map((slug) => ({ slug, name: slug }));
  const given = {
    database,
    clock: { nowMs: () => NOW_MS },
    companies: () => companies,
    appUrl: "http://localhost:3000",
    timeZone: "UTC",
  };
  const destination = {
    destination: "channel:1",
    to: "channel" as const,
    channelId: null,
    personId: null,
    toName: "Hook",
    rules: [
      { ...rule, name: "Broken", companies: ["broken"] },
      { ...rule, name: "Northgate", companies: ["northgate"] },
    ],
    timeZone: "UTC",
    follows: "worse" as const,
    followsFromMs: 0,
    mayReceive: () => true,
  };
  return planBriefs(given, [destination]);
}

test("each rule has its own brief once, although a company of another is connected later", async ({
  db: { database },
}) => {
  const write = async (slugs: readonly string[]) => {
    const { rows } = await plan(database, slugs);
    await database.orm.transaction((tx) => enqueue(tx, rows, NOW_MS));
    return rows.map(({ about }) => about);
  };
  expect(await write(["northgate"])).toEqual([["northgate"]]);
  expect(await write(["northgate"])).toEqual([]);
  expect(await write(["broken", "northgate"])).toEqual([["broken"]]);
  expect(await write(["northgate"])).toEqual([]);
});

test("a company that can't be read keeps the briefs about no other", async ({ db }) => {
  const { database } = db;
  const { check } = createFleetRecord(database);
  await check("broken", NOW_MS - 20 * MINUTE_MS, { Procore: "fresh" });
  await check("broken", NOW_MS - 10 * MINUTE_MS, { Procore: "fresh" });
  await damage(db);
  const { rows, failed } = await plan(database, ["broken", "northgate"]);
  expect(rows.map(({ about }) => about)).toEqual([["northgate"]]);
  expect(failed.size).toBe(1);
});
