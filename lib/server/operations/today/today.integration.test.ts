import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TodayView } from "@/lib/contracts/today";
import {
  createIncidentsFixture,
  type Found,
  type IncidentsFixture,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";

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

type Name = keyof IncidentsFixture["people"];

let fixture: IncidentsFixture;
beforeAll(async () => {
  fixture = await createIncidentsFixture();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.begin();
  await fixture.check("northgate", [STALE, FAILING, LATE, FRESH]);
  await fixture.check("harbour", [{ ...FAILING, id: "h1" }]);
});

const ask = (as: Name, query = "") => fixture.ask(as, "GET", `/today${query}`);
async function today(as: Name, query = "") {
  const answer = await ask(as, query);
  expect(answer.status).toBe(200);
  return TodayView.parse(await answer.json());
}
const idsOf = ({ lines }: TodayView) =>
  lines.map(({ members }) => members.map((one) => one.endpoint_id));

test("returns incidents and feeds without one, worst first, to people who may see the company", async () => {
  const view = await today("vera");
  expect(view.counts).toEqual({
    endpoints: 4,
    behind: 3,
    companies_behind: 1,
    unattended: 3,
    cannot_judge: 0,
    delayed: 0,
    quiet: 0,
    unseen_companies: 0,
    next_attempt_at: iso(fixture.clock.nowMs() + 30 * MINUTE_MS),
  });
  expect(view.as_of).toBe(iso(fixture.clock.nowMs()));
  expect(view.lines).toMatchObject([
    {
      kind: "incident",
      partner_name: "Procore",
      verdict: "failing",
      overdue_since: iso(fixture.clock.nowMs() - 40 * MINUTE_MS),
      last_updated_at: iso(fixture.clock.nowMs() - 100 * MINUTE_MS),
      members: [{ incident_id: expect.any(Number), company: { slug: "northgate" } }],
    },
    { kind: "incident", partner_name: "Aconex", attended: { of: 1, by: [] } },
    // Not an incident until it has been late for 15 minutes.
    { kind: "endpoint", members: [{ endpoint_id: "n3", incident_id: null, on_it: null }] },
  ]);
  expect(view).toMatchObject({ well: [], unseen: [], cannot_judge: [], api_clock_offsets: {} });
});

test("dates trouble like its incident, before and after there is one", async () => {
  const before = (await today("vera")).lines.at(-1)?.since;
  // Overdue for 20 minutes, with an allowance of 15 and runs of no recorded duration.
  expect(before).toBe(iso(fixture.clock.nowMs() - 20 * MINUTE_MS));
  const incidents = await fixture.ask("vera", "GET", "/companies/northgate/incidents?state=open");
  const { data } = (await incidents.json()) as {
    data: { partner_name: string; began_at: string }[];
  };
  const { lines } = await today("vera");
  for (const { partner_name, began_at } of data)
    expect(lines.find((line) => line.partner_name === partner_name)?.since).toBe(began_at);
  expect(data).toHaveLength(2);
});

test("never mixes people's companies", async () => {
  expect(idsOf(await today("vera"))).toEqual([["n1"], ["n2"], ["n3"]]);
  const hal = await ask("hal");
  const text = await hal.text();
  expect(text).toContain("h1");
  for (const foreign of ["northgate", "Northgate", "n1", "Aconex"])
    expect(text).not.toContain(foreign);
  expect((await today("ada")).counts).toMatchObject({ companies_behind: 2, endpoints: 5 });
  expect(await today("vera", "?q=harbour")).toMatchObject({ lines: [], unseen: [], well: [] });
});

describe("caching", () => {
  test("gives the same ETag until something changes, also to people with the same companies", async () => {
    const first = await ask("vera");
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag") ?? "";
    expect((await ask("ana")).headers.get("etag")).toBe(etag);
    expect((await ask("ada")).headers.get("etag")).not.toBe(etag);
    await fixture.ask("ana", "PUT", "/companies/northgate/incidents/1/acknowledgement", {});
    const changed = (await ask("vera")).headers.get("etag");
    expect(changed).not.toBe(etag);
    await fixture.clock.advance(MINUTE_MS / 2);
    expect((await ask("vera")).headers.get("etag")).toBe(changed);
  });

  test("follows a verdict that changes by time alone, and the age of the snapshot", async () => {
    const { clock } = fixture;
    // The allowance is 15 minutes.
    await fixture.check("northgate", [{ ...LATE, overdue: 14 }]);
    expect(await today("vera")).toMatchObject({ lines: [], well: [{ on_time: 1, counted: 1 }] });
    await clock.advance(MINUTE_MS);
    expect((await today("vera")).lines).toEqual([]);
    await clock.advance(1);
    const view = await today("vera");
    expect(view).toMatchObject({ lines: [{ verdict: "late" }], well: [], counts: { delayed: 0 } });
    await clock.advance(2 * MINUTE_MS);
    expect((await today("vera")).counts).toMatchObject({ delayed: 1, behind: 1 });
    await clock.advance(3 * MINUTE_MS);
    expect(await today("vera")).toMatchObject({ lines: [], unseen: [{ behind_then: 1 }] });
  });
});

test("lists companies that aren't seen, and counts nothing of them", async () => {
  const { clock } = fixture;
  const seenAt = iso(clock.nowMs());
  await clock.advance(10 * MINUTE_MS);
  await fixture.check("harbour", [{ ...FRESH, id: "h1" }]);
  const view = await today("ada");
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

test("counts an acknowledgement, names who it is, and ends it with its time", async () => {
  const { clock } = fixture;
  const { lines } = await today("vera");
  const id = lines[0]?.members[0]?.incident_id;
  const path = `/companies/northgate/incidents/${id}/acknowledgement`;
  const until = iso(clock.nowMs() + MINUTE_MS);
  await fixture.ask("ana", "PUT", path, { until });
  const on_it = { name: "ana@example.com", since: iso(clock.nowMs()) };
  const view = await today("vera");
  expect(view.counts.unattended).toBe(2);
  expect(view.lines[0]).toMatchObject({
    on_it,
    attended: { of: 1, by: ["ana@example.com"] },
    members: [{ on_it }],
  });
  expect(idsOf(await today("vera", "?unattended=1"))).toEqual([["n2"], ["n3"]]);
  expect(idsOf(await today("ana", "?mine=1"))).toEqual([["n1"]]);
  expect(idsOf(await today("bo", "?mine"))).toEqual([]);
  await clock.advance(MINUTE_MS);
  expect((await today("vera")).counts.unattended).toBe(3);
  await fixture.ask("ana", "PUT", path, {});
  expect((await today("vera")).counts.unattended).toBe(2);
  await fixture.ask("ana", "DELETE", path);
  expect((await today("vera")).counts.unattended).toBe(3);
});

test("takes feeds in a planned quiet time out, and back when it ends", async () => {
  const until = iso(fixture.clock.nowMs() + MINUTE_MS);
  const quiet = { partner: "Sage", reason: "upgrade", from: null, until };
  const planned = await fixture.ask("ana", "POST", "/companies/northgate/expectations", quiet);
  expect(planned.status).toBe(201);
  const view = await today("vera");
  expect(idsOf(view)).toEqual([["n1"], ["n2"]]);
  expect(view.counts).toMatchObject({ quiet: 1, behind: 2, endpoints: 4 });
  await fixture.clock.advance(MINUTE_MS);
  expect((await today("vera")).counts).toMatchObject({ quiet: 0, behind: 3 });
});

test("groups a partner's incidents at three companies", async () => {
  const { connections } = fixture.handlersRuntime;
  Reflect.set(fixture.handlersRuntime, "connections", [
    ...connections,
    { company: "orchard", name: "Orchard" },
  ]);
  try {
    await fixture.check("orchard", [{ ...FAILING, id: "o1" }]);
    const view = await today("ada");
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
    // With two of the three companies, there is no such line, and nothing of the third.
    expect((await today("vera")).lines.map(({ kind }) => kind)).not.toContain("partner");
    expect((await today("ada", "?q=harbour")).lines.map(({ kind }) => kind)).toEqual(["incident"]);
  } finally {
    Reflect.set(fixture.handlersRuntime, "connections", connections);
  }
});

describe("filters", () => {
  test.each([
    ["?verdict=late,stale", [["n2"], ["n3"]]],
    ["?verdict=failing", [["n1"]]],
    ["?partner=Sage", [["n3"]]],
    ["?q=northgate%20mail", [["n2"]]],
    ["?q=none", []],
    ["?partner=", [["n1"], ["n2"], ["n3"]]],
    ["?mine=0&unattended=false", [["n1"], ["n2"], ["n3"]]],
  ])("%s", async (query, expected) => {
    const view = await today("vera", query);
    expect(idsOf(view)).toEqual(expected);
    expect(view.counts.behind).toBe(expected.length);
  });

  test("by owner, and by what is mine as the owner of a company", async () => {
    const { ana } = fixture.people;
    await fixture.ask("ana", "PUT", "/companies/northgate/care", { owner: ana.id });
    expect((await today("ada", `?owner=${ana.id}`)).counts.companies_behind).toBe(1);
    expect((await today("ada", `?owner=${fixture.people.hal.id}`)).lines).toEqual([]);
    expect(idsOf(await today("ana", "?mine=1"))).toEqual([["n1"], ["n2"], ["n3"]]);
    expect(idsOf(await today("vera", "?mine=1"))).toEqual([]);
    await fixture.check("northgate", [FRESH]);
    expect((await today("ada")).well).toMatchObject([
      { owner: { id: ana.id, name: "ana@example.com" } },
    ]);
  });

  test.each([
    "?verdict=odd",
    "?verdict=late,",
    "?verdict=fresh",
    "?owner=ana",
    "?mine=2",
    "?unattended=yes",
    "?partner=a&partner=b",
    "?partner=%00",
    `?q=${"a".repeat(401)}`,
  ])("%s is refused", async (query) => {
    const answer = await ask("vera", query);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
  });
});

test("requires a session", async () => {
  fixture.people.vera.browser.jar.clear();
  expect((await ask("vera")).status).toBe(401);
});

test("keeps what it knows while the database is away", async () => {
  const { lines } = await today("vera");
  await fixture.clock.advance(HOUR_MS / 1200);
  await fixture.asOwner("alter table incidents rename to incidents_away");
  try {
    expect((await today("vera")).lines).toEqual(lines);
  } finally {
    await fixture.asOwner("alter table incidents_away rename to incidents");
  }
});
