import pino from "pino";
import { expect, test } from "vitest";
import { CompaniesView } from "@/lib/contracts/dashboard";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type { Person } from "@/lib/server/auth/person";
import { createSnapshots, type CompanySnapshot } from "@/lib/server/collector/snapshots";
import { createManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { getCompanies } from "./get-companies";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

function snapshot(company: string): CompanySnapshot {
  return {
    company,
    state: {
      version: 1,
      asOfMs: START_MS,
      lastAttemptMs: START_MS,
      reason: null,
      rhythmSeconds: 60,
      nextRefreshMs: START_MS + 60_000,
      apiClockOffsetMs: 0,
      totalPages: 1,
      rateLimit: null,
      budget: { used: 1, limit: 40 },
    },
    rows: [
      rowFixture({
        last_updated_at: "2026-03-02T11:56:00Z",
        frequency_minutes: 5,
        verdict: "fresh",
      }),
    ],
  };
}

function dashboard(...published: readonly string[]) {
  const clock = createManualClock(START_MS);
  // Nothing here reads the record: what is shown was published by this process.
  const database = {} as Database;
  const snapshots = createSnapshots({ database, clock, log: pino({ level: "silent" }) });
  for (const company of published) snapshots.publish(snapshot(company));
  const connections = ["northgate", "harbour", "orchard"].map((company) => ({
    company,
    name: company.toUpperCase(),
  }));
  const runtime = {
    snapshots,
    clock,
    config: { pollSeconds: 60 },
    recording: { stopped: () => null },
    leftCompanies: { get: () => null },
    connections,
  };
  const person: Person = {
    id: "1",
    email: "a@example.com",
    name: "A",
    kind: "local",
    grants: [],
  };
  const ask = async (seen: readonly (string | null)[] = ["orchard", "northgate"]) => {
    const grants = seen.map((company) => ({ role: "viewer" as const, company }));
    return CompaniesView.parse(await getCompanies(runtime, { ...person, grants }).json()).companies;
  };
  return { clock, ask };
}

test("only the companies that the person may see, in the order of the configuration", async () => {
  const { ask } = dashboard("northgate", "harbour", "orchard");
  expect((await ask()).map(({ slug }) => slug)).toEqual(["northgate", "orchard"]);
  expect((await ask([null])).map(({ slug }) => slug)).toEqual(["northgate", "harbour", "orchard"]);
  expect(await ask([])).toEqual([]);
});

test("endpoints are judged when somebody asks, not when they were read", async () => {
  const { ask, clock } = dashboard("northgate");
  expect((await ask())[0]?.counts).toMatchObject({ fresh: 1, due: 0 });
  await clock.advance(120_000);
  expect((await ask())[0]?.counts).toMatchObject({ fresh: 0, due: 1 });
});

test("once we are blind the counts stand still", async () => {
  const { ask, clock } = dashboard("northgate");
  await clock.advance(3_600_000);
  const [company] = await ask();
  expect(company?.source.confidence).toBe("blind");
  expect(company?.counts).toMatchObject({ fresh: 1, failing: 0, stale: 0 });
});

test("a company not yet read has no time and no count", async () => {
  const { ask } = dashboard();
  const [company] = await ask();
  expect(company?.as_of).toBeNull();
  expect(Object.values(company?.counts ?? {}).every((count) => count === 0)).toBe(true);
});
