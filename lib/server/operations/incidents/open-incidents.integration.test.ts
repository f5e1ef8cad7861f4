import { expect } from "vitest";
import { IncidentsView } from "@/lib/contracts/incidents";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { incidentsTest, type Found, type IncidentsApp } from "./incidents-fixture";

const FOUND: readonly Found[] = [
  { id: "1", partner: "Procore", key: "rfis", verdict: "failing", overdue: 40 },
  { id: "2", partner: "Procore", key: "mail", verdict: "stale", overdue: 400 },
  { id: "3", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 },
  { id: "4", partner: "Sage", key: "costs", verdict: "failing", overdue: 20 },
  { id: "5", partner: "Oracle", key: "costs", verdict: "stale", overdue: 30 },
];

type Name = keyof IncidentsApp["people"];
const PEOPLE: readonly Name[] = ["ana", "bo", "vera", "hal", "ada"];

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", FOUND);
  await app.check("harbour", [{ id: "h", partner: "Procore", key: "rfis", verdict: "stale" }]);
});

const ask = (app: IncidentsApp, as: Name, path: string) => app.ask(as, "GET", path);
async function read(app: IncidentsApp, as: Name, path: string) {
  const answer = await ask(app, as, path);
  return answer.status === 200 ? IncidentsView.parse(await answer.json()) : answer.status;
}

/**
 * Lists from memory and from the database, which must be the same while nothing has ended.
 * @returns pairs of what was asked and listed
 */
async function listed(app: IncidentsApp) {
  const fromMemory: unknown[] = [];
  const fromDatabase: unknown[] = [];
  for (const as of PEOPLE)
    for (const path of ["/incidents", "/companies/northgate/incidents"])
      for (const filter of [
        "",
        "&partner=Procore",
        "&verdict=stale",
        "&verdict=unknown",
        "&unacknowledged=1",
        "&mine=1",
        "&per_page=2&page=2",
        "&company=northgate",
      ]) {
        const asked = [as, path, filter];
        fromMemory.push([...asked, await read(app, as, `${path}?state=open${filter}`)]);
        fromDatabase.push([...asked, await read(app, as, `${path}?state=${filter}`)]);
      }
  return { fromMemory, fromDatabase };
}

test("lists open incidents from memory as from the database", async ({ app }) => {
  const { clock, people } = app;
  const put = (path: string, body: object) =>
    app.ask("ana", "PUT", `/companies/northgate/${path}`, body);
  const until = iso(clock.nowMs() + MINUTE_MS);
  const steps = [
    async () => {},
    async () => {
      await put("incidents/1/acknowledgement", {});
      await put("incidents/2/acknowledgement", { until });
      await put("incidents/3/owner", { person: people.bo.id });
    },
    () => put("care", { owner: people.ana.id }),
    () => clock.advance(1),
    () => clock.advance(MINUTE_MS),
    () => clock.advance(10 * MINUTE_MS),
  ];
  for (const step of steps) {
    await step();
    const { fromMemory, fromDatabase } = await listed(app);
    expect(fromMemory).toEqual(fromDatabase);
  }
});

test("counts as unknown only what we can’t tell, not what is seen to be over", async ({ app }) => {
  const seen = async () => {
    const { fromMemory, fromDatabase } = await listed(app);
    expect(fromMemory).toEqual(fromDatabase);
    const all = await read(app, "ana", "/incidents?state=open");
    const unknown = await read(app, "ana", "/incidents?state=open&verdict=unknown");
    if (typeof all === "number" || typeof unknown === "number") throw new Error("refused");
    return [all.counts.cannot_tell, unknown.data.length];
  };
  await app.clock.advance(MINUTE_MS);
  await app.check(
    "northgate",
    FOUND.map((one) => ({ ...one, verdict: "fresh" })),
  );
  expect(await seen()).toEqual([0, 0]);
  // Northgate can no longer be seen.
  await app.clock.advance(30 * MINUTE_MS);
  const [counted = 0, found] = await seen();
  expect(counted).toBeGreaterThan(0);
  expect(found).toBe(counted);
});

test("answers 304 to everyone for whom the list is the same, until it changes", async ({ app }) => {
  const path = "/companies/northgate/incidents?state=open";
  const etagOf = async (as: Name) => {
    const { headers } = await ask(app, as, path);
    expect(headers.get("cache-control")).toBe("private, no-cache");
    return headers.get("etag");
  };
  const first = await etagOf("ana");
  expect(await etagOf("bo")).toBe(first);
  expect(await etagOf("vera")).toBe(first);
  await app.ask("ana", "PUT", "/companies/northgate/incidents/1/acknowledgement", {});
  // Only ana's says "you".
  const [ana, bo, vera] = [await etagOf("ana"), await etagOf("bo"), await etagOf("vera")];
  expect(new Set([first, ana, bo]).size).toBe(3);
  expect(vera).toBe(bo);
  await app.check("northgate", FOUND.slice(1));
  expect(await etagOf("vera")).not.toBe(vera);
});

test("counts the incidents of other companies as soon as they change", async ({ app }) => {
  const path = "/companies/northgate/incidents?state=open";
  const everywhere = async () => {
    const view = await read(app, "ada", path);
    return typeof view === "number" ? view : view.unacknowledged_everywhere;
  };
  expect(await everywhere()).toBe(5);
  const until = iso(app.clock.nowMs() + MINUTE_MS);
  await app.ask("hal", "PUT", "/companies/harbour/incidents/1/acknowledgement", { until });
  expect(await everywhere()).toBe(4);
  await app.clock.advance(MINUTE_MS);
  expect(await everywhere()).toBe(5);
});

test("never lists the incidents of companies that a person may not see", async ({ app }) => {
  expect(await read(app, "hal", "/companies/northgate/incidents?state=open")).toBe(404);
  const text = await (await ask(app, "hal", "/incidents?state=open")).text();
  expect(text).toContain("Harbour");
  expect(text).not.toContain("orthgate");
});
