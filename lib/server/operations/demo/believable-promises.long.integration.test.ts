import { expect } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { incidentsTest } from "@/lib/server/operations/incidents/incidents-fixture";
import { rehearsePromise } from "@/lib/server/operations/promises/rehearse-promise";
import { writePart } from "@/lib/server/runtime/demo-past";
import { createWorld } from "@/lib/v3-service/simulator/world";
import { pastRows } from "@/lib/v3-service/simulator/past-rows";
import { DAY_MS } from "@/lib/domain/time/units";
import { dayOf } from "@/lib/domain/time/day";
import { believablePromises } from "./believable-promises";

const test = incidentsTest();

test("chooses promises that the demo's record would have kept, but for one day", async ({
  app,
}) => {
  const { database, clock, handlersRuntime } = app;
  const nowMs = clock.nowMs();
  const world = createWorld({ seed: 20_260_101, epochMs: nowMs });
  const part = { fromMs: nowMs - 15 * DAY_MS, untilMs: nowMs, isOldest: false };
  await writePart(database, world, "northgate", part);
  const rows = world.companies
    .filter(({ slug }) => slug === "northgate")
    .flatMap(({ endpoints }) => endpoints)
    .flatMap((endpoint) => {
      const [now] = pastRows(world, endpoint, nowMs, nowMs);
      return now?.row == null
        ? []
        : rowFixture({ id: endpoint.id, ...now.row.attributes, verdict: "fresh" });
    });
  await database.orm.execute(
    `insert into endpoint_facts (company, endpoint_id, seen_at, partner_name, status, reported, cadence_minutes)
     select distinct 'northgate', endpoint_id, now(), 'p', 'active', true, 60 from landings`,
  );
  app.runtime.snapshots.publish({
    company: "northgate",
    state: {
      version: 1,
      asOfMs: nowMs,
      lastAttemptMs: nowMs,
      reason: null,
      rhythmSeconds: 60,
      nextRefreshMs: nowMs + MINUTE_MS,
      apiClockOffsetMs: 0,
      databaseClockOffsetMs: null,
      totalPages: 1,
      rateLimit: null,
      budget: { used: 1, limit: 60 },
    },
    rows,
  });
  const chosen = await believablePromises(handlersRuntime, "northgate");
  expect(chosen.length).toBeGreaterThan(1);
  expect(new Set(chosen.map((one) => one.endpoint_id)).size).toBe(chosen.length);
  for (const one of chosen) {
    const period = { since: dayOf(nowMs - 12 * DAY_MS, "UTC"), until: dayOf(nowMs, "UTC") };
    const body = { ...one, ...period };
    const { endpoints } = await rehearsePromise(handlersRuntime, { company: "northgate", body });
    const outcomes = endpoints.flatMap(({ days }) => days.map(({ outcome }) => outcome));
    expect(outcomes.length).toBeGreaterThan(6);
    const others = outcomes.filter((outcome) => outcome !== "met");
    expect(["", "missed"]).toContain(others.join());
  }
});
