import { describe, expect } from "vitest";
import { TodayView } from "@/lib/contracts/today";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { ownCompanies } from "./own-companies";

const FAILING: Found = {
  id: "n1",
  partner: "Procore",
  key: "daily_logs",
  verdict: "failing",
  overdue: 40,
};
const STALE: Found = { id: "n2", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 };
const LATE: Found = { id: "n3", partner: "Sage", key: "costs", verdict: "late", overdue: 20 };
const FRESH: Found = { id: "n4", partner: "Sage", key: "vendors", verdict: "fresh" };

type Name = keyof IncidentsApp["people"];

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", [STALE, FAILING, LATE, FRESH]);
  await app.check("harbour", [{ ...FAILING, id: "h1" }]);
});

const ask = (app: IncidentsApp, as: Name, query = "") => app.ask(as, "GET", `/today${query}`);
async function today(app: IncidentsApp, as: Name, query = "") {
  const answer = await ask(app, as, query);
  expect(answer.status).toBe(200);
  return TodayView.parse(await answer.json());
}
const idsOf = ({ lines }: TodayView) =>
  lines.map(({ members }) => members.map((one) => one.endpoint_id));

test("returns incidents and feeds without one, worst first, to people who may see the company", async ({
  app,
}) => {
  const view = await today(app, "vera");
  expect(view.counts).toEqual({
    endpoints: 4,
    judged: 4,
    behind: 3,
    companies_behind: 1,
    unattended: 3,
    cannot_judge: 0,
    delayed: 0,
    quiet: 0,
    unseen_companies: 0,
    next_attempt_at: iso(app.clock.nowMs() + 30 * MINUTE_MS),
  });
  expect(view.as_of).toBe(iso(app.clock.nowMs()));
  expect(view.lines).toMatchObject([
    {
      kind: "incident",
      partner_name: "Procore",
      verdict: "failing",
      overdue_since: iso(app.clock.nowMs() - 40 * MINUTE_MS),
      last_updated_at: iso(app.clock.nowMs() - 100 * MINUTE_MS),
      members: [{ incident_id: expect.any(Number), company: { slug: "northgate" } }],
    },
    { kind: "incident", partner_name: "Aconex", attended: { of: 1, by: [] } },
    // Not an incident until it has been late for 15 minutes.
    { kind: "endpoint", members: [{ endpoint_id: "n3", incident_id: null, on_it: null }] },
  ]);
  expect(view).toMatchObject({ well: [], unseen: [], cannot_judge: [], api_clock_offsets: {} });
});

test("dates trouble like its incident, before and after there is one", async ({ app }) => {
  const before = (await today(app, "vera")).lines.at(-1)?.since;
  // Overdue for 20 minutes, with an allowance of 15 and runs of no recorded duration.
  expect(before).toBe(iso(app.clock.nowMs() - 20 * MINUTE_MS));
  const incidents = await app.ask("vera", "GET", "/companies/northgate/incidents?state=open");
  const { data } = (await incidents.json()) as {
    data: { partner_name: string; began_at: string }[];
  };
  const { lines } = await today(app, "vera");
  for (const { partner_name, began_at } of data)
    expect(lines.find((line) => line.partner_name === partner_name)?.since).toBe(began_at);
  expect(data).toHaveLength(2);
});

test("never mixes people's companies", async ({ app }) => {
  expect(idsOf(await today(app, "vera"))).toEqual([["n1"], ["n2"], ["n3"]]);
  const hal = await ask(app, "hal");
  const text = await hal.text();
  expect(text).toContain("h1");
  for (const foreign of ["northgate", "Northgate", "n1", "Aconex"])
    expect(text).not.toContain(foreign);
  expect((await today(app, "ada")).counts).toMatchObject({ companies_behind: 2, endpoints: 5 });
  expect(await today(app, "vera", "?q=harbour")).toMatchObject({ lines: [], unseen: [], well: [] });
});

describe("caching", () => {
  test("gives the same ETag until something changes, also to people with the same companies", async ({
    app,
  }) => {
    const first = await ask(app, "vera");
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag") ?? "";
    expect((await ask(app, "ana")).headers.get("etag")).toBe(etag);
    expect((await ask(app, "ada")).headers.get("etag")).not.toBe(etag);
    await app.ask("ana", "PUT", "/companies/northgate/incidents/1/acknowledgement", {});
    const changed = (await ask(app, "vera")).headers.get("etag");
    expect(changed).not.toBe(etag);
    await app.clock.advance(MINUTE_MS / 2);
    expect((await ask(app, "vera")).headers.get("etag")).toBe(changed);
  });

  test("follows a verdict that changes by time alone, and the age of the snapshot", async ({
    app,
  }) => {
    const { clock } = app;
    // The allowance is 15 minutes.
    await app.check("northgate", [{ ...LATE, overdue: 14 }]);
    expect(await today(app, "vera")).toMatchObject({
      lines: [],
      well: [{ on_time: 1, counted: 1 }],
    });
    await clock.advance(MINUTE_MS);
    expect((await today(app, "vera")).lines).toEqual([]);
    await clock.advance(1);
    const view = await today(app, "vera");
    expect(view).toMatchObject({ lines: [{ verdict: "late" }], well: [], counts: { delayed: 0 } });
    await clock.advance(2 * MINUTE_MS);
    expect((await today(app, "vera")).counts).toMatchObject({ delayed: 1, behind: 1 });
    await clock.advance(3 * MINUTE_MS);
    expect(await today(app, "vera")).toMatchObject({ lines: [], unseen: [{ behind_then: 1 }] });
  });
});

test("lists companies that aren't seen, and counts nothing of them", async ({ app }) => {
  const { clock } = app;
  const seenAt = iso(clock.nowMs());
  await clock.advance(10 * MINUTE_MS);
  await app.check("harbour", [{ ...FRESH, id: "h1" }]);
  const view = await today(app, "ada");
  expect(view.unseen).toEqual([
    {
      company: { slug: "northgate", name: "Northgate Builders" },
      since: seenAt,
      reason: null,
      behind_then: 3,
      endpoints: 4,
    },
  ]);
  expect(view.counts).toMatchObject({ behind: 0, endpoints: 1, unseen_companies: 1 });
  expect(view.well).toMatchObject([{ company: { slug: "harbour" }, on_time: 1, counted: 1 }]);
  expect(view.as_of).toBe(iso(clock.nowMs()));
});

test("counts nothing of a company from the moment that its connection is paused", async ({
  app,
}) => {
  const { connections } = app.handlersRuntime;
  const pausedAtMs = app.clock.nowMs();
  const browser = { pausedAtMs, isSecretReadable: true };
  const paused = connections.map((one) => (one.company === "harbour" ? { ...one, browser } : one));
  expect((await today(app, "hal")).counts).toMatchObject({ behind: 1, endpoints: 1 });
  Object.assign(app.handlersRuntime, { connections: paused });
  const view = await today(app, "hal");
  expect(view.counts).toMatchObject({ behind: 0, endpoints: 0, unseen_companies: 1 });
  expect(view.unseen).toMatchObject([{ company: { slug: "harbour" }, reason: "disconnected" }]);
  expect(view.lines).toEqual([]);
  Object.assign(app.handlersRuntime, { connections });
  expect((await today(app, "hal")).counts).toMatchObject({ behind: 1, unseen_companies: 0 });
});

test("counts an acknowledgement, names who it is, and ends it with its time", async ({ app }) => {
  const { clock } = app;
  const { lines } = await today(app, "vera");
  const id = lines[0]?.members[0]?.incident_id;
  const path = `/companies/northgate/incidents/${id}/acknowledgement`;
  const until = iso(clock.nowMs() + MINUTE_MS);
  await app.ask("ana", "PUT", path, { until });
  const on_it = { name: "ana@example.com", since: iso(clock.nowMs()) };
  const view = await today(app, "vera");
  expect(view.counts.unattended).toBe(2);
  expect(view.lines[0]).toMatchObject({
    on_it,
    attended: { of: 1, by: ["ana@example.com"] },
    members: [{ on_it }],
  });
  expect(idsOf(await today(app, "vera", "?unattended=1"))).toEqual([["n2"], ["n3"]]);
  expect(idsOf(await today(app, "ana", "?mine=1"))).toEqual([["n1"]]);
  expect(idsOf(await today(app, "bo", "?mine"))).toEqual([]);
  await clock.advance(MINUTE_MS);
  expect((await today(app, "vera")).counts.unattended).toBe(3);
  await app.ask("ana", "PUT", path, {});
  expect((await today(app, "vera")).counts.unattended).toBe(2);
  await app.ask("ana", "DELETE", path);
  expect((await today(app, "vera")).counts.unattended).toBe(3);
});

test("takes feeds in a planned quiet time out, and back when it ends", async ({ app }) => {
  const until = iso(app.clock.nowMs() + MINUTE_MS);
  const quiet = { partner: "Sage", reason: "upgrade", from: null, until };
  const planned = await app.ask("ana", "POST", "/companies/northgate/expectations", quiet);
  expect(planned.status).toBe(201);
  const view = await today(app, "vera");
  expect(idsOf(view)).toEqual([["n1"], ["n2"]]);
  expect(view.counts).toMatchObject({ quiet: 1, behind: 2, endpoints: 4 });
  await app.clock.advance(MINUTE_MS);
  expect((await today(app, "vera")).counts).toMatchObject({ quiet: 0, behind: 3 });
});

test("shows a fleet incident as one line, as it consists of the companies shown", async ({
  app,
}) => {
  const { connections } = app.handlersRuntime;
  Reflect.set(app.handlersRuntime, "connections", [
    ...connections,
    { company: "orchard", name: "Orchard" },
  ]);
  try {
    await app.check("orchard", [{ ...FAILING, id: "o1" }]);
    expect((await today(app, "ada")).lines.map(({ kind }) => kind)).not.toContain("partner");
    await app.foldFleets();
    const view = await today(app, "ada");
    expect(view.lines[0]).toMatchObject({
      kind: "partner",
      partner_name: "Procore",
      attended: { of: 3, by: [] },
    });
    expect(view.lines[0]?.members.map(({ company }) => company.slug).toSorted()).toEqual([
      "harbour",
      "northgate",
      "orchard",
    ]);
    // With one of its companies, there is no such line, and nothing of the others.
    expect((await today(app, "vera")).lines.map(({ kind }) => kind)).not.toContain("partner");
    expect((await today(app, "ada", "?q=harbour")).lines.map(({ kind }) => kind)).toEqual([
      "incident",
    ]);
  } finally {
    Reflect.set(app.handlersRuntime, "connections", connections);
  }
});

describe("filters", () => {
  test.for([
    ["?verdict=late,stale", [["n2"], ["n3"]]],
    ["?verdict=failing", [["n1"]]],
    ["?partner=Sage", [["n3"]]],
    ["?q=northgate%20mail", [["n2"]]],
    ["?q=none", []],
    ["?partner=", [["n1"], ["n2"], ["n3"]]],
    ["?mine=0&unattended=false", [["n1"], ["n2"], ["n3"]]],
  ] as const)("%s", async ([query, expected], { app }) => {
    const view = await today(app, "vera", query);
    expect(idsOf(view)).toEqual(expected);
    expect(view.counts.behind).toBe(expected.length);
  });

  test("by owner, and by what is mine as the owner of a company", async ({ app }) => {
    const { ana } = app.people;
    await app.ask("ana", "PUT", "/companies/northgate/care", { owner: ana.id });
    expect((await today(app, "ada", `?owner=${ana.id}`)).counts.companies_behind).toBe(1);
    expect((await today(app, "ada", `?owner=${app.people.hal.id}`)).lines).toEqual([]);
    expect(idsOf(await today(app, "ana", "?mine=1"))).toEqual([["n1"], ["n2"], ["n3"]]);
    expect(idsOf(await today(app, "vera", "?mine=1"))).toEqual([]);
    const own = (person: { id: string }) =>
      ownCompanies(app.runtime, person, ["northgate", "harbour"]);
    expect([await own(ana), await own(app.people.hal)]).toEqual([1, 0]);
    await app.check("northgate", [FRESH]);
    expect((await today(app, "ada")).well).toMatchObject([
      { owner: { id: ana.id, name: "ana@example.com" }, stand_in: null },
    ]);
    const from = app.clock.nowMs();
    await app.ask("ana", "PUT", "/companies/northgate/care", {
      stand_in: { person: app.people.ada.id, from: iso(from), until: iso(from + HOUR_MS) },
    });
    expect((await today(app, "ada")).well).toMatchObject([
      { owner: { id: ana.id }, stand_in: { id: app.people.ada.id } },
    ]);
    await app.clock.advance(HOUR_MS);
    await app.check("northgate", [FRESH]);
    expect((await today(app, "ada")).well).toMatchObject([{ stand_in: null }]);
  });

  test.for([
    "?verdict=odd",
    "?verdict=late,",
    "?verdict=fresh",
    "?owner=ana",
    "?mine=2",
    "?unattended=yes",
    "?partner=a&partner=b",
    "?partner=%00",
    `?q=${"a".repeat(401)}`,
  ])("%s is refused", async (query, { app }) => {
    const answer = await ask(app, "vera", query);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
  });
});

test("requires a session", async ({ app }) => {
  app.people.vera.browser.jar.clear();
  expect((await ask(app, "vera")).status).toBe(401);
});

test("keeps what it knows while the database is away", async ({ app }) => {
  const { lines } = await today(app, "vera");
  await app.clock.advance(HOUR_MS / 1200);
  await app.asOwner("alter table incidents rename to incidents_away");
  try {
    expect((await today(app, "vera")).lines).toEqual(lines);
  } finally {
    await app.asOwner("alter table incidents_away rename to incidents");
  }
});
