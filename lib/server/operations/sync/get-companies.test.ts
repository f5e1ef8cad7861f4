import pino from "pino";
import { expect, test } from "vitest";
import { CompaniesView } from "@/lib/contracts/dashboard";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type { Role } from "@/lib/domain/rights";
import { createAccess } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { createSnapshots, type CompanySnapshot } from "@/lib/server/collector/snapshots";
import { createManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { getCompanies } from "./get-companies";
import { stateFixture } from "./state-fixture";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

const FRESH = rowFixture({
  last_updated_at: "2026-03-02T11:56:00Z",
  frequency_minutes: 5,
  verdict: "fresh",
});

function snapshot(company: string, rows: CompanySnapshot["rows"] = [FRESH]): CompanySnapshot {
  return {
    company,
    state: stateFixture(START_MS, { budget: { used: 1, limit: 40 } }),
    rows,
  };
}

/** The record is unavailable: results come from the published snapshot. */
const NO_DATABASE = {} as Database;
/** Never responds. */
const HANGING: Database = new Proxy(() => undefined, {
  get: (_, name) => (name === "then" ? () => undefined : HANGING),
  apply: () => HANGING,
}) as unknown as Database;

function dashboard(...published: readonly string[]) {
  return dashboardOn(NO_DATABASE, published);
}

function dashboardOn(database: Database, published: readonly string[]) {
  const clock = createManualClock(START_MS);
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
    database,
    auth: { access: createAccess(null, []) },
    log: pino({ level: "silent" }),
  };
  const person: Person = {
    id: "1",
    email: "a@example.com",
    name: "A",
    kind: "local",
    grants: [],
  };
  const ask = async (
    seen: readonly (string | null)[] = ["orchard", "northgate"],
    query = new URLSearchParams(),
    role: Role = "viewer",
  ) => {
    const grants = seen.map((company) => ({ role, company }));
    const request = { person: { ...person, grants }, query };
    return CompaniesView.parse(await getCompanies(runtime, request)).companies;
  };
  const show = (company: string, rows: CompanySnapshot["rows"]) =>
    snapshots.publish(snapshot(company, rows));
  return { clock, ask, show };
}

test("returns only the companies that the person may see, in configuration order", async () => {
  const { ask } = dashboard("northgate", "harbour", "orchard");
  expect((await ask()).map(({ slug }) => slug)).toEqual(["northgate", "orchard"]);
  expect((await ask([null])).map(({ slug }) => slug)).toEqual(["northgate", "harbour", "orchard"]);
  expect(await ask([])).toEqual([]);
});

test("gives the request budget to administrators of the installation only", async () => {
  const { ask } = dashboard("northgate");
  const budgetFor = async (role: Role, company: string | null) =>
    (await ask([company], undefined, role))[0]?.source.budget;
  for (const role of ["viewer", "member", "operator"] as const)
    expect(await budgetFor(role, null)).toBeNull();
  expect(await budgetFor("administrator", "northgate")).toBeNull();
  expect(await budgetFor("administrator", null)).toEqual({ used: 1, limit: 40 });
});

test("leaves the API's own limit to the company's snapshot", async () => {
  const { ask } = dashboard("northgate");
  expect((await ask())[0]?.source).toHaveProperty("rhythm_seconds");
  expect((await ask())[0]?.source).not.toHaveProperty("rate_limit");
});

test("judges endpoints at request time, not at read time", async () => {
  const { ask, clock } = dashboard("northgate");
  expect((await ask())[0]?.counts).toMatchObject({ fresh: 1, due: 0 });
  await clock.advance(120_000);
  expect((await ask())[0]?.counts).toMatchObject({ fresh: 0, due: 1 });
});

test("freezes the counts while blind", async () => {
  const { ask, clock } = dashboard("northgate");
  await clock.advance(3_600_000);
  const [company] = await ask();
  expect(company?.source.confidence).toBe("blind");
  expect(company?.counts).toMatchObject({ fresh: 1, failing: 0, stale: 0 });
});

test("returns no time and no counts for a company without a snapshot", async () => {
  const { ask } = dashboard();
  const [company] = await ask();
  expect(company?.as_of).toBeNull();
  expect(Object.values(company?.counts ?? {}).every((count) => count === 0)).toBe(true);
});

test("lists a company's partners, unless there is no snapshot or there are more than a hundred", async () => {
  const { ask, show } = dashboard();
  const of = (partner_name: string) => rowFixture({ ...FRESH, id: partner_name, partner_name });
  show("northgate", [of("Procore"), of("Aconex"), { ...of("Procore"), id: "second" }]);
  const partners = async () => (await ask()).map((company) => company.partners);
  expect(await partners()).toEqual([["Aconex", "Procore"], null]);
  const many = Array.from({ length: 101 }, (_, index) => of(`Partner ${index}`));
  show("orchard", many.slice(1));
  expect((await partners())[1]).toHaveLength(100);
  show("orchard", many);
  expect((await partners())[1]).toBeNull();
});

test("limits all numbers to a given partner, also in a company with more than a hundred", async () => {
  const { ask, show } = dashboard();
  const of = (partner_name: string, hour: string) =>
    rowFixture({
      ...FRESH,
      id: partner_name,
      partner_name,
      last_updated_at: `2026-03-02T${hour}Z`,
    });
  const rows = [of("Procore", "11:56:00"), of("Oracle Unifier", "09:00:00")];
  show("northgate", rows);
  show("orchard", [...rows, ...Array.from({ length: 100 }, (_, i) => of(`P${i}`, "01:00:00"))]);
  const about = (partner: string) => ask(undefined, new URLSearchParams({ partner }));
  for (const company of await about("Procore")) {
    expect(company.counts).toMatchObject({ fresh: 1, stale: 0 });
    expect(company.worst).toBeNull();
    expect(company.overdue).toEqual({ endpoints: 0, due_at: null });
    expect(company.partner_data?.oldest_at).toBe("2026-03-02T11:56:00.000Z");
  }
  const [northgate] = await about("Oracle Unifier");
  expect(northgate?.counts).toMatchObject({ fresh: 0, stale: 1 });
  expect(northgate?.partners).toEqual(["Oracle Unifier", "Procore"]);
  const [none] = await about("Unknown");
  expect(Object.values(none?.counts ?? {}).every((count) => count === 0)).toBe(true);
  expect((await ask())[0]?.counts).toMatchObject({ fresh: 1, stale: 1 });
});

test("returns the worst endpoint since it was beyond its allowance, and the overdue ones since due", async () => {
  const { ask, show } = dashboard();
  const overdue = (id: string, minutes: number) =>
    rowFixture({
      ...FRESH,
      id,
      endpoint_key: id,
      last_updated_at: new Date(START_MS - (minutes + 5) * 60_000).toISOString(),
    });
  const unknown = rowFixture({ id: "u", endpoint_key: "u", last_updated_at: null });
  show("northgate", [FRESH, unknown, overdue("a", 20), overdue("b", 240), overdue("c", 300)]);
  show("orchard", [FRESH, unknown]);
  const [northgate, orchard] = await ask();
  const DUE = new Date(START_MS - 300 * 60_000).toISOString();
  const BEYOND_ALLOWANCE = new Date(START_MS - 297 * 60_000).toISOString();
  expect(northgate).toMatchObject({
    worst: { endpoint_key: "c", verdict: "stale", since: BEYOND_ALLOWANCE },
    overdue: { endpoints: 3, due_at: DUE },
    partner_data: {
      oldest_at: new Date(START_MS - 305 * 60_000).toISOString(),
      newest_at: "2026-03-02T11:56:00.000Z",
    },
  });
  expect(orchard).toMatchObject({
    worst: { endpoint_key: "u", verdict: "unknown", since: null },
    overdue: { endpoints: 0, due_at: null },
  });
});

test("has no worst endpoint when all is well or before the first check", async () => {
  const { ask } = dashboard("northgate");
  for (const company of await ask())
    expect(company).toMatchObject({ worst: null, overdue: { endpoints: 0, due_at: null } });
});

test("returns the snapshot's part while the record is unavailable, with people's actions unknown", async () => {
  const { ask } = dashboard("northgate");
  expect((await ask())[0]).toMatchObject({ counts: { fresh: 1 }, care: null });
});

test("waits only briefly for a record that hangs", async () => {
  const { ask, clock } = dashboardOn(HANGING, ["northgate"]);
  const answering = ask();
  await clock.advance(1000);
  expect((await answering)[0]).toMatchObject({ counts: { fresh: 1 }, care: null });
});
