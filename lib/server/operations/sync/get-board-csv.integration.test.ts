import { expect } from "vitest";
import { csvLines } from "@/lib/domain/text/csv-lines";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS } from "@/lib/domain/time/units";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { observe } from "@/lib/server/operations/today/observe-fixture";

const FOUND: readonly Found[] = [
  { id: "1", partner: "=cmd|' /C calc'!A0", key: "rfis", verdict: "failing", overdue: 40 },
  { id: "2", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 },
  { id: "3", partner: "Aconex", key: "events", verdict: "fresh" },
];
const PATH = "/companies/northgate";

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  app.serve({
    ...app.handlersRuntime,
    connections: [
      { company: "northgate", name: "Northgate Builders", externalId: "CRM-7" },
      { company: "harbour", name: "Harbour" },
    ],
  } as never);
  await observe(app, "northgate", FOUND);
});

async function table(app: IncidentsApp, path: string) {
  const answer = await app.ask("vera", "GET", `${PATH}/${path}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const text = await answer.text();
  const [head = [], ...rows] = csvLines(text).lines.map(({ cells }) => cells);
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}
const idsOf = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row["endpoint_id"]);

test("has every endpoint, when it was true, and the company's other id", async ({ app }) => {
  const rows = await table(app, "sync-status/csv");
  expect(idsOf(rows)).toEqual(["1", "2", "3"]);
  expect(rows[1]).toMatchObject({
    company: "northgate",
    external_id: "CRM-7",
    partner_name: "Aconex",
    endpoint_key: "mail",
    verdict: "stale",
    as_of: iso(app.clock.nowMs()),
    confidence: "live",
    frequency_minutes: "60",
  });
});

test("keeps spreadsheets from running names as formulas", async ({ app }) => {
  const [first] = await table(app, "sync-status/csv");
  expect(first).toMatchObject({ partner_name: "'=cmd|' /C calc'!A0" });
});

test("has what the page's query shows", async ({ app }) => {
  expect(idsOf(await table(app, "sync-status/csv?q=aco%20MAI"))).toEqual(["2"]);
  expect(idsOf(await table(app, "sync-status/csv?verdict=attention"))).toEqual(["1", "2"]);
  expect(idsOf(await table(app, "sync-status/csv?verdict=fresh"))).toEqual(["3"]);
  const { data } = (await (await app.ask("ana", "GET", `${PATH}/incidents`)).json()) as {
    data: { id: number; partner_name: string }[];
  };
  const { id } = data.find((one) => one.partner_name === "Aconex") ?? {};
  await app.ask("ana", "PUT", `${PATH}/incidents/${id}/acknowledgement`, {});
  expect(idsOf(await table(app, "sync-status/csv?unattended=1"))).toEqual(["1"]);
  for (const query of ["verdict=good", "unattended=maybe", `q=${"x".repeat(500)}`, "at=soon"])
    expect((await app.ask("vera", "GET", `${PATH}/sync-status/csv?${query}`)).status).toBe(400);
});

test("never calls frozen verdicts current", async ({ app }) => {
  const seenAt = iso(app.clock.nowMs());
  await app.clock.advance(HOUR_MS);
  const rows = await table(app, "sync-status/csv");
  for (const row of rows) expect(row).toMatchObject({ as_of: seenAt, confidence: "blind" });
  expect(rows[2]).toMatchObject({ verdict: "fresh" });
});

test("has the past at an instant", async ({ app }) => {
  const at = iso(app.clock.nowMs());
  await app.clock.advance(HOUR_MS);
  await observe(app, "northgate", FOUND.slice(2));
  const [row] = await table(app, `sync-status/csv?verdict=stale&at=${at}`);
  expect(row).toMatchObject({ endpoint_id: "2", as_of: at, next_sync_at: "" });
});

test("has every endpoint once, however many there are, now and in the past", async ({ app }) => {
  const many = Array.from({ length: 1_100 }, (_, n): Found => {
    const key = `key_${String(n).padStart(4, "0")}`;
    return { id: `many-${n}`, partner: "Aconex", key, verdict: n % 2 === 0 ? "fresh" : "stale" };
  });
  await observe(app, "northgate", many);
  const at = iso(app.clock.nowMs());
  await app.clock.advance(HOUR_MS);
  for (const query of ["q=key_", `q=key_&at=${at}`]) {
    const rows = await table(app, `sync-status/csv?${query}`);
    expect(idsOf(rows)).toEqual(many.map(({ id }) => id));
    expect(rows.filter(({ verdict }) => verdict === "stale")).toHaveLength(550);
  }
});

test("has the incidents that their list's filters show, open and ended", async ({ app }) => {
  const recovered = { ...FOUND[0], verdict: "fresh" } as Found;
  // It ends once it has stayed well for a while.
  for (let checks = 0; checks < 4; checks += 1) {
    await app.clock.advance(HOUR_MS / 2);
    await observe(app, "northgate", [recovered, ...FOUND.slice(1)]);
  }
  const all = await table(app, "incidents/csv");
  expect(all).toMatchObject([
    { incident: expect.any(String), partner_name: "Aconex", state: "open", external_id: "CRM-7" },
    { partner_name: "'=cmd|' /C calc'!A0", state: "ended", ending: "recovered", endpoints: "rfis" },
  ]);
  expect(await table(app, "incidents/csv?state=ended")).toHaveLength(1);
  expect(await table(app, "incidents/csv?verdict=late")).toEqual([]);
  await app.clock.advance(HOUR_MS);
  const [open] = await table(app, "incidents/csv?state=open");
  expect(open?.["not_seen_since"]).not.toBe("");
});

test("is for those who may see the company", async ({ app }) => {
  for (const what of ["sync-status", "incidents", "schedule-files"]) {
    expect((await app.ask("hal", "GET", `${PATH}/${what}/csv`)).status).toBe(404);
  }
});

test("gives the company's other id with its incidents and changes too", async ({ app }) => {
  const named = { slug: "northgate", name: "Northgate Builders", external_id: "CRM-7" };
  const json = async (path: string) => (await app.ask("vera", "GET", path)).json();
  expect(await json(`${PATH}/incidents`)).toMatchObject({ data: [{ company: named }, {}] });
  expect(await json(`${PATH}/incidents/1`)).toMatchObject({ company: named });
  expect(await json("/companies")).toMatchObject({ companies: [named] });
  const since = iso(app.clock.nowMs() - HOUR_MS);
  expect(await json(`/changes?since=${since}`)).toMatchObject({ companies: [{ company: named }] });
  // Harbour has none.
  expect(await (await app.ask("hal", "GET", "/companies")).text()).not.toContain("external_id");
});
