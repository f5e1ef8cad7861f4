import { expect } from "vitest";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { enqueue } from "@/lib/server/store/delivery/outbox";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { planBriefs } from "./plan-briefs";

const NOW_MS = Date.parse("2026-03-02T08:00:30Z");
const test = freshDatabaseTest();

test("each rule has its own brief once, although a company of another is connected later", async ({
  db: { database },
}) => {
  const brief = { days: WEEKDAYS, at: "08:00", time_zone: "UTC" };
  const rule = { ...EVERYTHING, brief, sinceMs: 0, onlyFor: null };
  const destination = {
    destination: "channel:1",
    to: "channel" as const,
    channelId: null,
    personId: null,
    toName: "Hook",
    rules: [
      { ...rule, name: "Harbour", companies: ["harbour"] },
      { ...rule, name: "Northgate", companies: ["northgate"] },
    ],
    timeZone: "UTC",
    follows: "worse" as const,
    followsFromMs: 0,
    mayReceive: () => true,
  };
  const plan = async (slugs: readonly string[]) => {
    const companies = slugs.map((slug) => ({ slug, name: slug }));
    const rows = await planBriefs(
      {
        database,
        clock: { nowMs: () => NOW_MS },
        companies: () => companies,
        appUrl: "http://localhost:3000",
        timeZone: "UTC",
      },
      [destination],
    );
    await database.orm.transaction((tx) => enqueue(tx, rows, NOW_MS));
    return rows.map(({ about }) => about);
  };
  expect(await plan(["northgate"])).toEqual([["northgate"]]);
  expect(await plan(["northgate"])).toEqual([]);
  expect(await plan(["harbour", "northgate"])).toEqual([["harbour"]]);
  expect(await plan(["northgate"])).toEqual([]);
});
