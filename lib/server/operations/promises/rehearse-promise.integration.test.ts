import { expect } from "vitest";
import { dayOf } from "@/lib/domain/time/day";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import {
  incidentsTest,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { rowBudget } from "@/lib/server/store/most-rows";
import { landings, runs } from "@/lib/server/store/schema/record";
import { rehearsePromise } from "./rehearse-promise";

const FEEDS = ["r1", "r2", "r3"];

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.asOwner("truncate runs, endpoint_facts");
  await app.check(
    "northgate",
    FEEDS.map((id) => ({ id, partner: "Procore", key: id, verdict: "fresh", seconds: 60 })),
  );
  await app.database.pool.query(
    `insert into endpoint_facts (company, endpoint_id, seen_at, partner_name, status, reported, cadence_minutes)
     select 'northgate', id, now(), 'Procore', 'active', true, 60 from unnest($1::text[]) as id
     on conflict do nothing`,
    [FEEDS],
  );
});

const day = (app: IncidentsApp, daysAgo: number) =>
  dayOf(app.clock.nowMs() - daysAgo * DAY_MS, "UTC");
const noon = (app: IncidentsApp, daysAgo: number) => Date.parse(`${day(app, daysAgo)}T12:00:00Z`);

async function land(app: IncidentsApp, endpointId: string, times: readonly number[]) {
  await app.database.orm.insert(landings).values(
    times.map((ms) => ({
      company: "northgate",
      endpointId,
      landedAt: new Date(ms),
      seenAt: new Date(ms + MINUTE_MS),
      origin: "observed",
    })),
  );
}

const ofDays = (app: IncidentsApp, [since, until]: readonly [number, number]) => ({
  by: "13:00",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  time_zone: "UTC",
  since: day(app, since),
  until: day(app, until),
});

async function rehearse(
  app: IncidentsApp,
  [since, until]: readonly [number, number],
  rows: number,
) {
  const given = { company: "northgate", body: ofDays(app, [since, until]) };
  const { endpoints } = await rehearsePromise(app.handlersRuntime, given, rowBudget(rows));
  return endpoints.map(({ endpoint_id: id, days }) => [
    id,
    ...days.map(({ outcome, late_seconds: late }) => late ?? outcome),
  ]);
}

test("gives each feed its own days, with the first data after the last", async ({ app }) => {
  await land(app, "r1", [noon(app, 9), noon(app, 8), noon(app, 7)]);
  await land(app, "r2", [noon(app, 9), noon(app, 6)]);
  expect(await rehearse(app, [8, 7], 100)).toEqual([
    ["r1", "met", "met"],
    ["r2", (2 * DAY_MS - HOUR_MS) / 1000, (DAY_MS - HOUR_MS) / 1000],
    ["r3", "not_observed", "not_observed"],
  ]);
});

test("doesn't read what came in long after the days", async ({ app }) => {
  await land(app, "r1", [noon(app, 9), noon(app, 8), noon(app, 7)]);
  const later = Array.from({ length: 60 }, (_, at) => noon(app, 5) + at * HOUR_MS);
  await land(app, "r1", later);
  expect((await rehearse(app, [8, 7], 30))[0]).toEqual(["r1", "met", "met"]);
});

test("refuses more days, over all feeds, than a request may read", async ({ app }) => {
  expect(await rehearse(app, [8, 7], 20)).toHaveLength(3);
  await expect(rehearse(app, [38, 7], 90)).rejects.toThrow(
    "The history of 3 feeds can be checked for 27 days at once.",
  );
  expect((await rehearse(app, [33, 7], 90))[0]).toHaveLength(1 + 27);
  await expect(rehearse(app, [8, 7], 5)).rejects.toThrow(
    "The history of 3 feeds is too much to check at once. Choose a feed or a partner.",
  );
});

test("counts what arrived in between before reading it", async ({ app }) => {
  const hourly = Array.from({ length: 31 * 24 }, (_, at) => noon(app, 38) + at * HOUR_MS);
  await land(app, "r1", hourly);
  const { left } = await budgetAfter(app, [38, 7], 10_000);
  expect(left).toBeLessThan(10_000 - hourly.length);
  const fault = /^The history of 3 feeds can be checked for (\d+) days at once\./;
  const refusal = rehearse(app, [38, 7], 500).catch((error: Error) => error.message);
  const [, days] = fault.exec(String(await refusal)) ?? [];
  expect(Number(days)).toBeGreaterThan(10);
  expect(await rehearse(app, [6 + Number(days), 7], 500)).toHaveLength(3);
});

/** What is left of a request's rows after a rehearsal. */
async function budgetAfter(app: IncidentsApp, days: readonly [number, number], rows: number) {
  const budget = rowBudget(rows);
  const given = { company: "northgate", body: ofDays(app, days) };
  await rehearsePromise(app.handlersRuntime, given, budget);
  return budget;
}

/** Runs of r1 before the promise of eight days ago: the next one comes 20 minutes after it. */
async function failTwice(app: IncidentsApp) {
  const starts = [noon(app, 8) - 100 * MINUTE_MS, noon(app, 8) + 20 * MINUTE_MS];
  await app.database.orm.insert(runs).values(
    starts.map((ms) => ({
      company: "northgate",
      endpointId: "r1",
      startedAt: new Date(ms),
      finishedAt: new Date(ms + MINUTE_MS),
      status: "failed",
      durationSeconds: 60,
      firstSeenAt: new Date(ms),
      origin: "observed",
    })),
  );
}

/** The first day of r1, eight days ago. */
async function firstDay(app: IncidentsApp, given: object, budget = rowBudget()) {
  const body = { ...ofDays(app, [8, 8]), ...given };
  const { endpoints } = await rehearsePromise(
    app.handlersRuntime,
    { company: "northgate", body },
    budget,
  );
  const { outcome, warned_at, is_warning_known } =
    endpoints.find(({ endpoint_id: id }) => id === "r1")?.days[0] ?? {};
  return [outcome, warned_at ?? null, is_warning_known];
}

test("says when a warning would have been sent, where runs are recorded", async ({ app }) => {
  await land(app, "r1", [noon(app, 9), noon(app, 8) - 3 * HOUR_MS]);
  await land(app, "r2", [noon(app, 9)]);
  await failTwice(app);
  const { endpoints } = await rehearsePromise(app.handlersRuntime, {
    company: "northgate",
    body: ofDays(app, [8, 8]),
  });
  expect(
    endpoints.map(({ days: [one] }) => [one?.outcome, one?.warned_at, one?.is_warning_known]),
  ).toEqual([
    ["missed", new Date(noon(app, 8) + 21 * MINUTE_MS).toISOString(), true],
    ["missed", null, false],
    ["not_observed", null, true],
  ]);
});

test("rehearses no warning from the promised time on", async ({ app }) => {
  await land(app, "r1", [noon(app, 9), noon(app, 8) - 3 * HOUR_MS]);
  await failTwice(app);
  // Only from 13:29 on, no run could end before the allowance does.
  const given = { by: "12:30", allowance_minutes: 60 };
  expect(await firstDay(app, given)).toEqual(["missed", null, true]);
});

test("judges the rest without warnings when there are too many runs to read", async ({ app }) => {
  await land(app, "r1", [noon(app, 9), noon(app, 8) - 3 * HOUR_MS]);
  await failTwice(app);
  const most = rowBudget(1_000);
  const warned = new Date(noon(app, 8) + 21 * MINUTE_MS).toISOString();
  expect(await firstDay(app, {}, most)).toEqual(["missed", warned, true]);
  const used = 1_000 - most.left;
  expect(await firstDay(app, {}, rowBudget(used + 2))).toEqual(["missed", warned, true]);
  expect(await firstDay(app, {}, rowBudget(used + 1))).toEqual(["missed", null, false]);
});

test("warns of no feed that was a webhook then, whatever it is now", async ({ app }) => {
  await land(app, "r1", [noon(app, 9)]);
  await failTwice(app);
  await app.database.pool.query(
    `insert into endpoint_facts (company, endpoint_id, seen_at, partner_name, status, reported, cadence_minutes)
     values ('northgate', 'r1', $1, 'Procore', 'webhook', true, 60)`,
    [new Date(noon(app, 9))],
  );
  const given = { partner: "Procore", endpoint_id: "r1" };
  expect(await firstDay(app, given)).toEqual(["missed", null, true]);
});
