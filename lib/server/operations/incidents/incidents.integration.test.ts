import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CareView,
  HandoverDone,
  HandoverView,
  Incident,
  IncidentsView,
  IncidentView,
  type TimelineEvent,
} from "@/lib/contracts/incidents";
import { mayHandleBy } from "@/lib/server/auth/access";
import { takeLeftIncidents } from "@/lib/server/store/incidents/release-incidents";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { grants, people } from "@/lib/server/store/schema/people";
import { createIncidentsApp, type Found, type IncidentsApp } from "./incidents-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NORTHGATE = "/companies/northgate/incidents";
const FAILING: Found = {
  id: "n1",
  partner: "Procore",
  key: "daily_logs",
  verdict: "failing",
  overdue: 40,
};
const STALE: Found = { id: "n2", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 };
const FINE: Found = { id: "n3", partner: "Procore", key: "rfis", verdict: "fresh" };
const fine = (found: Found): Found => ({ ...found, verdict: "fresh" });

let fixture: IncidentsApp;
let ana: string;
let bo: string;
beforeAll(async () => {
  fixture = await createIncidentsApp();
  [ana, bo] = [fixture.people.ana.id, fixture.people.bo.id];
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.begin();
  await fixture.check("northgate", [STALE, FAILING, FINE]);
  await fixture.check("harbour", [{ ...FAILING, id: "h1" }]);
});

type Who = keyof IncidentsApp["people"];
const ask = async (
  as: Who,
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
) => {
  const answer = await fixture.ask(as, method, path, body);
  const json: unknown = await answer.json();
  return { status: answer.status, json };
};
const list = async (as: Who, path = NORTHGATE) =>
  IncidentsView.parse((await ask(as, "GET", path)).json);
const read = async (as: Who, id: number | string = 1) =>
  IncidentView.parse((await ask(as, "GET", `${NORTHGATE}/${id}`)).json);
const kinds = (timeline: readonly TimelineEvent[]) => timeline.map(({ kind }) => kind);
/** Lets Northgate recover for long enough that open incidents end. */
async function recover() {
  for (let minute = 0; minute < 12; minute += 1) {
    await fixture.clock.advance(MINUTE_MS);
    await fixture.check("northgate", [STALE, FAILING, FINE].map(fine));
  }
}

describe("the list", () => {
  test("has a company's open incidents, worst first, with members and forecast", async () => {
    const { data, meta, counts } = await list("vera", `${NORTHGATE}?state=open`);
    expect(data.map(({ partner_name: name, verdict }) => [name, verdict])).toEqual([
      ["Procore", "failing"],
      ["Aconex", "stale"],
    ]);
    expect(data[0]).toMatchObject({
      id: 2,
      state: "open",
      ended_at: null,
      ending: null,
      acknowledged: null,
      told_at: null,
      owner: null,
      not_observed_since: null,
      endpoint_count: 2,
      members: [
        { endpoint_id: "n1", endpoint_key: "daily_logs", verdict: "failing", ending: null },
      ],
    });
    const nowMs = fixture.clock.nowMs();
    expect(Date.parse(data[0]?.due_at ?? "")).toBe(nowMs - 40 * MINUTE_MS);
    expect(Date.parse(data[0]?.next_sync_at ?? "")).toBe(nowMs + 30 * MINUTE_MS);
    expect(meta).toEqual({ page: 1, per_page: 50, total_count: 2, total_pages: 1 });
    expect(counts).toMatchObject({ open: 2, unacknowledged: 2, mine: 0, failing: 1, stale: 1 });
  });

  test("says so while the past has none yet because its history is still being loaded", async () => {
    await fixture.asOwner(
      "insert into companies (slug, name) values ('northgate', 'Northgate') on conflict do nothing",
    );
    await fixture.asOwner("update incident_states set recorded_since = null");
    const ended = async () => await list("ana", `${NORTHGATE}?state=ended`);
    expect(await ended()).toMatchObject({ data: [], is_history_loading: true });
    expect(await list("ana", `${NORTHGATE}?state=open`)).not.toHaveProperty("is_history_loading");
    await fixture.asOwner("update incident_states set recorded_since = now()");
    expect(await ended()).not.toHaveProperty("is_history_loading");
  });

  test("has ended incidents after those, latest first, with how they ended", async () => {
    await fixture.clock.advance(MINUTE_MS);
    await fixture.check("northgate", [fine(STALE), FAILING, FINE]);
    await recover();
    await fixture.check("northgate", [STALE, fine(FAILING), FINE]);
    const { data, counts } = await list("ana");
    expect(data.map(({ id, state, ending }) => [id, state, ending])).toEqual([
      [3, "open", null],
      [2, "ended", "recovered"],
      [1, "ended", "recovered"],
    ]);
    expect(counts).toMatchObject({ open: 1, ended_last_7_days: 2 });
    expect((await list("ana", `${NORTHGATE}?state=ended&partner=Aconex`)).data).toMatchObject([
      { id: 1, worst_verdict: "stale", verdict: null, members: [{ ending: "data_received" }] },
    ]);
  });

  test("is filtered and paged", async () => {
    await ask("ana", "PUT", `${NORTHGATE}/1/acknowledgement`);
    await ask("ana", "PUT", `${NORTHGATE}/2/owner`, { person: bo });
    const ids = async (as: Who, query: string) =>
      (await list(as, `${NORTHGATE}?${query}`)).data.map(({ id }) => id);
    expect(await ids("ana", "unacknowledged")).toEqual([2]);
    expect(await ids("ana", "mine=true")).toEqual([1]);
    expect(await ids("bo", "mine=1")).toEqual([2]);
    expect(await ids("vera", "mine")).toEqual([]);
    expect(await ids("ana", "mine=false&verdict=stale")).toEqual([1]);
    expect(await ids("ana", "per_page=1&page=2")).toEqual([1]);
    expect(await ids("ana", "page=9")).toEqual([]);
  });

  test("marks mine: owned, acknowledged, or of a company that I look after or stand in at", async () => {
    const CARE = "/companies/northgate/care";
    /** Incidents marked as mine; asserts that the filter, the flag and the count agree. */
    const mine = async (as: Who) => {
      const everything = await list(as);
      const found = (await list(as, `${NORTHGATE}?mine`)).data.map(({ id }) => id);
      expect(everything.data.filter((one) => one.is_mine).map(({ id }) => id)).toEqual(found);
      expect(everything.counts.mine).toBe(found.length);
      return found.toSorted((a, b) => a - b);
    };
    expect(await mine("ana")).toEqual([]);
    await ask("ana", "PUT", `${NORTHGATE}/1/acknowledgement`);
    expect(await mine("ana")).toEqual([1]);
    await ask("ana", "PUT", `${NORTHGATE}/2/owner`, { person: bo });
    const from = new Date(fixture.clock.nowMs()).toISOString();
    const until = new Date(fixture.clock.nowMs() + 60 * MINUTE_MS).toISOString();
    const standIn = { person: bo, from, until };
    await ask("ana", "PUT", CARE, { owner: ana, stand_in: standIn });
    expect([await mine("ana"), await mine("bo")]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(await mine("vera")).toEqual([]);
    await fixture.clock.advance(60 * MINUTE_MS);
    expect([await mine("ana"), await mine("bo")]).toEqual([[1, 2], [2]]);
  });

  test("of all companies is limited to those that the person may see", async () => {
    const slugs = async (as: Who, query = "") =>
      (await list(as, `/incidents${query}`)).data.map(({ company }) => company.slug);
    expect(await slugs("ada")).toEqual(["harbour", "northgate", "northgate"]);
    expect(await slugs("ana")).toEqual(["northgate", "northgate"]);
    expect(await slugs("hal")).toEqual(["harbour"]);
    expect(await slugs("hal", "?company=northgate")).toEqual([]);
    expect((await list("hal", "/incidents")).counts).toMatchObject({ open: 1 });
  });

  test("includes the number of unacknowledged incidents in all companies that the person may see", async () => {
    await ask("ana", "PUT", `${NORTHGATE}/1/acknowledgement`);
    const everywhere = async (as: Who, path: string) =>
      (await list(as, path)).unacknowledged_everywhere;
    for (const path of [NORTHGATE, "/incidents", "/incidents?company=northgate&mine"]) {
      expect(await everywhere("ada", path)).toBe(2);
      expect(await everywhere("ana", path)).toBe(1);
    }
    expect(await everywhere("hal", "/incidents")).toBe(1);
  });

  test.each([
    "state=closed",
    "page=0",
    "page=1.5",
    "per_page=501",
    "mine=perhaps",
    "unacknowledged=2",
    "verdict=fresh",
    "state=open&state=ended",
    "partner=%00",
    "at=2026-11-24T14:20:00Z",
  ])("refuses %s", async (query) => {
    expect((await ask("ana", "GET", `${NORTHGATE}?${query}`)).status).toBe(400);
    expect((await ask("ana", "GET", `/incidents?${query}`)).status).toBe(400);
  });

  test("includes since when a company is blind, and which companies may have unseen incidents", async () => {
    expect((await list("ada", "/incidents")).not_observed).toEqual([]);
    const seenAt = new Date(fixture.clock.nowMs()).toISOString();
    await fixture.clock.advance(6 * MINUTE_MS);
    await fixture.check("harbour", []);
    const [blind] = (await list("ada", "/incidents?state=open&company=harbour")).not_observed;
    expect(blind?.slug).toBe("northgate");
    const { data, not_observed: unseen } = await list("ana");
    const [worst] = data;
    expect(unseen).toEqual([blind]);
    expect(worst).toMatchObject({
      not_observed_since: seenAt,
      verdict: "failing",
      due_at: null,
      next_sync_at: null,
    });
  });
});

describe("one incident", () => {
  test("has its timeline as sentences", async () => {
    await fixture.clock.advance(MINUTE_MS);
    await fixture.check("northgate", [STALE, { ...FAILING, verdict: "late" }, FINE]);
    await recover();
    const { timeline } = await read("vera", 2);
    expect(timeline.map(({ kind, text, by }) => [kind, text, by])).toEqual([
      ["opened", "daily_logs is failing: incident opened", null],
      ["eased", "Improved from failing to late; daily_logs is now the worst", null],
      ["left", "daily_logs recovered: data received", null],
      ["ended", "Incident ended: recovered", null],
    ]);
  });

  test("has unobserved events in one sentence, with the length of the gap", async () => {
    const fromMs = fixture.clock.nowMs();
    await fixture.clock.advance(9 * MINUTE_MS);
    const gap = { fromMs, untilMs: fixture.clock.nowMs() };
    await fixture.check("northgate", [STALE, fine(FAILING), { ...FINE, verdict: "stale" }], gap);
    const { timeline, evidence } = await read("ana", 2);
    expect(kinds(timeline)).toEqual(["opened", "blind", "seen_again"]);
    expect(timeline.at(-1)?.text).toBe(
      "We can see it again. daily_logs recovered: data received. rfis is stale too. Improved from failing to stale; rfis is now the worst",
    );
    expect(evidence.not_observed_seconds).toBe(540);
  });

  test("has evidence of whose problem it is, limited to companies that the person may see", async () => {
    expect((await read("ana", 2)).evidence).toEqual({
      confidence: "live",
      not_observed_seconds: 0,
      in_trouble: 1,
      with_runs: 1,
      rate_limited: 0,
      elsewhere: { affected: [], unaffected: 0, not_observed: 0 },
      other_partners: { affected: 1, total: 1 },
    });
    expect((await read("ada", 2)).evidence.elsewhere).toEqual({
      affected: [{ slug: "harbour", name: "Harbour" }],
      unaffected: 0,
      not_observed: 0,
    });
  });

  test.each(["0", "3", "01", "1.0", "x", "99999999999", "-1", "2147483648"])(
    "returns the same 404 for %s",
    async (id) => {
      const missing = await fixture.ask("ana", "GET", `${NORTHGATE}/999`);
      const answer = await fixture.ask("ana", "GET", `${NORTHGATE}/${id}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe(await missing.text());
      const put = await ask("ana", "PUT", `${NORTHGATE}/${id}/acknowledgement`, {});
      expect(put.status).toBe(404);
    },
  );

  test("returns 404 for a company without access", async () => {
    const answer = await ask("hal", "GET", `${NORTHGATE}/1`);
    expect(answer).toEqual(await ask("hal", "GET", "/companies/nowhere/incidents/1"));
    expect(answer.status).toBe(404);
    expect((await ask("hal", "PUT", `${NORTHGATE}/1/acknowledgement`)).status).toBe(404);
    expect((await ask("vera", "PUT", `${NORTHGATE}/1/acknowledgement`)).status).toBe(403);
  });
});

test("lists acts in the order in which they took effect, even if a later one was dated earlier", async () => {
  const later = async (method: "PUT" | "DELETE", what: string, body?: unknown) => {
    expect((await ask("ana", method, `${NORTHGATE}/1/${what}`, body)).status).toBe(200);
    fixture.clock.jump(-5);
  };
  await later("PUT", "acknowledgement");
  await later("DELETE", "acknowledgement");
  await later("PUT", "owner", { person: bo });
  await later("PUT", "owner", { person: null });
  fixture.clock.jump(20);
  const { acknowledged, owner, timeline } = await read("vera");
  expect({ acknowledged, owner }).toEqual({ acknowledged: null, owner: null });
  const of = (...some: string[]) => timeline.filter(({ kind }) => some.includes(kind));
  expect(kinds(of("acknowledged", "unacknowledged"))).toEqual(["acknowledged", "unacknowledged"]);
  expect(of("owned").map(({ text }) => text)).toEqual([
    "handed it to bo@example.com",
    "handed it from bo@example.com to the administrators",
  ]);
});

describe("an acknowledgement", () => {
  const acknowledge = async (as: Who, body: unknown = {}) =>
    ask(as, "PUT", `${NORTHGATE}/1/acknowledgement`, body);

  test("stores who, since when and until when, and can be removed", async () => {
    const until = new Date(fixture.clock.nowMs() + 60 * MINUTE_MS).toISOString();
    const { status, json } = await acknowledge("ana", { until, note: " Asked Aconex. " });
    expect(status).toBe(200);
    expect(Incident.parse(json).acknowledged).toEqual({
      by: "ana@example.com",
      by_id: ana,
      is_you: true,
      at: new Date(fixture.clock.nowMs()).toISOString(),
      until,
    });
    const { timeline } = await read("vera");
    expect(timeline.at(-1)).toMatchObject({
      kind: "acknowledged",
      by: "ana@example.com",
      text: "Asked Aconex.",
      until,
    });
    expect((await ask("bo", "DELETE", `${NORTHGATE}/1/acknowledgement`)).status).toBe(200);
    const after = await read("vera");
    expect(after.acknowledged).toBeNull();
    expect(kinds(after.timeline)).toEqual(["opened", "acknowledged", "unacknowledged"]);
  });

  test("ends automatically when its time is over", async () => {
    const until = new Date(fixture.clock.nowMs() + 5 * MINUTE_MS).toISOString();
    await acknowledge("ana", { until });
    expect((await list("ana")).counts.unacknowledged).toBe(1);
    await fixture.clock.advance(5 * MINUTE_MS);
    expect((await read("ana")).acknowledged).toBeNull();
    expect((await list("ana", `${NORTHGATE}?unacknowledged=1`)).data).toHaveLength(2);
  });

  test("persists across checks, and is unchanged when repeated", async () => {
    await acknowledge("ana");
    await fixture.clock.advance(MINUTE_MS);
    await fixture.check("northgate", [{ ...STALE, verdict: "failing" }, FAILING, FINE]);
    const before = await read("ana");
    await acknowledge("ana");
    await acknowledge("ana");
    const after = await read("ana");
    expect(after.acknowledged).toEqual(before.acknowledged);
    expect(kinds(after.timeline)).toEqual(["opened", "acknowledged", "worsened"]);
  });

  test("by two people at once keeps one of them, with both in the timeline", async () => {
    const both = await Promise.all([acknowledge("ana"), acknowledge("bo")]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { acknowledged, timeline } = await read("vera");
    expect(timeline.slice(1).map(({ kind }) => kind)).toEqual(["acknowledged", "acknowledged"]);
    expect(timeline.slice(1).map(({ by_id: by }) => by)).toEqual(expect.arrayContaining([ana, bo]));
    expect(timeline.at(-1)?.by_id).toBe(acknowledged?.by_id);
  });

  test("concurrent with its removal ends in the state that the timeline has last", async () => {
    await acknowledge("ana");
    await Promise.all([
      ask("ana", "DELETE", `${NORTHGATE}/1/acknowledgement`),
      acknowledge("bo"),
      ask("ana", "DELETE", `${NORTHGATE}/1/acknowledgement`),
    ]);
    const { acknowledged, timeline } = await read("vera");
    const last = timeline.at(-1);
    expect(acknowledged?.by_id ?? null).toBe(last?.kind === "acknowledged" ? last.by_id : null);
    // A removal is only recorded after an acknowledgement.
    const said = kinds(timeline).join(" ");
    expect(said).not.toContain("unacknowledged unacknowledged");
    expect(
      timeline.filter(({ kind, by_id: by }) => kind === "acknowledged" && by === bo),
    ).toHaveLength(1);
  });

  test("concurrent with checks leaves every event in the timeline", async () => {
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        ask(index % 2 === 0 ? "ana" : "bo", "POST", `${NORTHGATE}/1/notes`, {
          text: `note ${index}`,
        }),
      ),
      fixture.check("northgate", [{ ...STALE, verdict: "failing" }, FAILING, FINE]),
    ]);
    const { timeline } = await read("ana");
    expect(timeline.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(kinds(timeline)).toContain("worsened");
  });

  test("is refused for an ended incident", async () => {
    await recover();
    expect((await acknowledge("ana")).status).toBe(409);
    expect((await ask("ana", "DELETE", `${NORTHGATE}/1/acknowledgement`)).status).toBe(409);
    expect((await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: ana })).status).toBe(409);
    expect((await ask("ana", "POST", `${NORTHGATE}/1/notes`, { text: "done" })).status).toBe(201);
  });

  test.each([
    { until: "tomorrow" },
    { until: "2001-01-01T00:00:00Z" },
    { until: "2999-01-01T00:00:00Z" },
    { until: 5 },
    { note: "x".repeat(2001) },
    { note: 7 },
    { who: "me" },
    [],
  ])("is refused when it is invalid (%#)", async (body) => {
    expect((await acknowledge("ana", body)).status).toBe(400);
    expect(kinds((await read("ana")).timeline)).toEqual(["opened"]);
  });
});

describe("an owner", () => {
  const give = (as: Who, person: unknown) => ask(as, "PUT", `${NORTHGATE}/1/owner`, { person });

  test("can be changed repeatedly, and to the administrators, with notifications", async () => {
    expect(Incident.parse((await give("ana", ana)).json).owner).toEqual({
      id: ana,
      name: "ana@example.com",
      is_you: true,
    });
    await give("ana", ana);
    await give("ana", bo);
    await give("ana", null);
    const { owner, timeline } = await read("vera");
    expect(owner).toBeNull();
    expect(timeline.slice(1).map(({ text }) => text)).toEqual([
      "took it over",
      "handed it to bo@example.com",
      "handed it from bo@example.com to the administrators",
    ]);
  });

  test("must be allowed to handle incidents of the company", async () => {
    const { vera, hal } = fixture.people;
    for (const person of [vera.id, hal.id, "0", crypto.randomUUID(), undefined, { id: 5 }])
      expect((await give("ana", person)).status).toBe(400);
    expect((await give("ana", fixture.people.ada.id)).status).toBe(200);
  });

  test("is replaced by the administrators when they lose the permission", async () => {
    await give("ana", bo);
    const { orm } = fixture.database;
    await orm.update(people).set({ disabledAt: new Date() }).where(eq(people.id, bo));
    expect((await read("ana")).owner).toBeNull();
    await orm.update(people).set({ disabledAt: null }).where(eq(people.id, bo));
    await orm.update(grants).set({ role: "viewer" }).where(eq(grants.personId, bo));
    expect((await read("ana")).owner).toBeNull();
    await orm.update(grants).set({ role: "member" }).where(eq(grants.personId, bo));
    expect((await read("ana")).owner).toMatchObject({ id: bo });
  });
});

describe("a note", () => {
  test("is stored in the timeline as written, with who informed the customer", async () => {
    const text = "<b>Called</b> Marit 😀";
    const { status, json } = await ask("ana", "POST", `${NORTHGATE}/1/notes`, {
      text,
      told_customer: true,
    });
    expect(status).toBe(201);
    const { timeline, told_at: toldAt } = await read("vera");
    expect(timeline.at(-1)).toEqual(json);
    expect(toldAt).toBe(timeline.at(-1)?.at);
    await ask("ana", "POST", `${NORTHGATE}/1/notes`, { text: "told_customer" });
    expect((await read("vera")).told_at).toBe(toldAt);
    expect(json).toMatchObject({ kind: "noted", text, told_customer: true, by_id: ana });
  });

  test.each([{}, { text: " " }, { text: "x".repeat(2001) }, { text: "a", told_customer: 1 }, null])(
    "is refused when it is invalid (%#)",
    async (body) => {
      expect((await ask("ana", "POST", `${NORTHGATE}/1/notes`, body)).status).toBe(400);
    },
  );

  test("loses null characters, and has a replacement character for an unpaired surrogate", async () => {
    await ask("ana", "POST", `${NORTHGATE}/1/notes`, { text: "half \ud800 and \0" });
    expect((await read("ana")).timeline.at(-1)?.text).toBe("half \ufffd and");
  });
});

describe("a company's owner", () => {
  const care = "/companies/northgate/care";
  const hour = (hours: number) =>
    new Date(fixture.clock.nowMs() + hours * 60 * MINUTE_MS).toISOString();
  /** @param hoursAhead how far the API's clock is ahead */
  const opensFor = async (hoursAhead = 0) => {
    const found = [
      STALE,
      FAILING,
      { id: "n9", partner: crypto.randomUUID(), key: "new", verdict: "failing" as const },
    ];
    await fixture.check("northgate", found, null, hoursAhead * 60 * MINUTE_MS);
    const { data } = await list("ana");
    return data.toSorted((a, b) => b.id - a.id)[0]?.owner?.id ?? null;
  };

  test("is unset at first; gets new incidents, while open ones keep their owners", async () => {
    expect(CareView.parse((await ask("vera", "GET", care)).json)).toEqual({
      owner: null,
      stand_in: null,
      people: [],
    });
    const { status, json } = await ask("ana", "PUT", care, { owner: bo });
    expect(status).toBe(200);
    expect(CareView.parse(json)).toMatchObject({ owner: { id: bo }, stand_in: null });
    expect(CareView.parse(json).people.map(({ name }) => name)).toEqual([
      "ada@example.com",
      "ana@example.com",
      "bo@example.com",
    ]);
    expect(await opensFor()).toBe(bo);
    expect((await read("ana")).owner).toBeNull();
  });

  test("owns its incidents even where they became the owner by a clock ahead of ours", async () => {
    await ask("ana", "PUT", care, { owner: bo });
    await fixture.database.pool.query("update incident_care set owner_since = $1", [hour(1)]);
    const { data, counts } = await list("bo", `${NORTHGATE}?mine=true`);
    expect(data.map(({ is_mine }) => is_mine)).toEqual([true, true]);
    expect(counts.mine).toBe(2);
    expect(CareView.parse((await ask("vera", "GET", care)).json).owner?.id).toBe(bo);
  });

  test("is replaced by a stand-in for the set time", async () => {
    const standIn = { person: ana, from: hour(1), until: hour(3) };
    await ask("ana", "PUT", care, { owner: bo, stand_in: standIn });
    expect(await opensFor()).toBe(bo);
    expect(await opensFor(2)).toBe(bo);
    await fixture.clock.advance(2 * 60 * MINUTE_MS);
    expect(await opensFor()).toBe(ana);
    const readCare = async () => CareView.parse((await ask("vera", "GET", care)).json);
    expect((await readCare()).stand_in).toMatchObject({ person: { id: ana } });
    await fixture.clock.advance(60 * MINUTE_MS);
    expect((await readCare()).stand_in).toBeNull();
    expect(await opensFor()).toBe(bo);
  });

  test("isn't shown as a stand-in for themselves", async () => {
    const standIn = { person: bo, from: hour(0), until: hour(3) };
    await ask("ana", "PUT", care, { owner: ana, stand_in: standIn });
    const readCare = async () => CareView.parse((await ask("vera", "GET", care)).json);
    expect((await readCare()).stand_in).toMatchObject({ person: { id: bo } });
    await ask("ana", "PUT", care, { owner: bo });
    expect(await readCare()).toMatchObject({ owner: { id: bo }, stand_in: null });
    const { json } = await ask("vera", "GET", "/companies");
    const { companies } = json as { companies: { slug: string; care: unknown }[] };
    expect(companies.find(({ slug }) => slug === "northgate")?.care).toMatchObject({
      owner: { name: "bo@example.com" },
      stand_in: null,
    });
  });

  test("gets back incidents as of the end of a stand-in's time, whenever the next check runs", async () => {
    await ask("ana", "PUT", care, {
      owner: ana,
      stand_in: { person: bo, from: hour(0), until: hour(4) },
    });
    const until = hour(4);
    await fixture.clock.advance(4 * 60 * MINUTE_MS - 1);
    expect(await opensFor()).toBe(bo);
    // Those opened before have no owner, so they count as the company owner's.
    const theirs = (await list("bo", `${NORTHGATE}?mine=true`)).data;
    const { id } = theirs.find(({ owner }) => owner?.is_you === true) ?? { id: 0 };
    await ask("bo", "PUT", `${NORTHGATE}/${id}/acknowledgement`, {});
    await fixture.clock.advance(1);
    expect((await read("vera", id)).owner).toMatchObject({ id: ana });
    await fixture.clock.advance(7 * MINUTE_MS);
    expect(await opensFor()).toBe(ana);
    await fixture.check("northgate", [STALE, FAILING]);
    const { acknowledged, owner, timeline } = await read("vera", id);
    expect(owner).toMatchObject({ id: ana });
    // Acknowledged without an end.
    expect(acknowledged).toMatchObject({ by_id: bo });
    expect(timeline.filter(({ kind }) => kind === "owned")).toMatchObject([
      { by: null, at: until, text: "Handover ended: back with ana@example.com" },
    ]);
  });

  test.each([
    () => ({}),
    () => ({ owner: "x" }),
    () => ({ owner: fixture.people.vera.id }),
    () => ({ stand_in: { person: ana, from: hour(2), until: hour(1) } }),
    () => ({ stand_in: { person: ana, from: "now", until: hour(1) } }),
    () => ({ stand_in: { person: ana } }),
    () => ({ stand_in: { person: fixture.people.hal.id, from: hour(0), until: hour(1) } }),
    () => ({ owner: null, colour: "red" }),
  ])("is refused when it is invalid (%#)", async (body) => {
    expect((await ask("ana", "PUT", care, body())).status).toBe(400);
  });
});

describe("a hand-over", () => {
  const hour = (hours: number) =>
    new Date(fixture.clock.nowMs() + hours * 60 * MINUTE_MS).toISOString();
  const handOver = (as: Who, body: unknown) => ask(as, "POST", "/me/handover", body);
  /** Another check with unchanged results. */
  const checkAgain = () => fixture.check("northgate", [STALE, FAILING]);
  const ownerOf = async () => (await read("vera")).owner?.id ?? null;
  beforeEach(async () => {
    await ask("ana", "PUT", "/companies/northgate/care", { owner: ana, stand_in: null });
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: ana });
  });

  test("moves my incidents to a colleague and reverts automatically, with both in the timeline", async () => {
    const until = hour(3);
    const { status, json } = await handOver("ana", { companies: "mine", to: bo, until });
    expect(status).toBe(200);
    expect(HandoverDone.parse(json)).toEqual({
      to: { id: bo, name: "bo@example.com" },
      until,
      companies: ["northgate"],
      // One that they own, and one of their company without an owner.
      incidents: 2,
    });
    expect(await ownerOf()).toBe(bo);
    expect((await list("bo", `${NORTHGATE}?mine=true`)).data.map(({ id }) => id)).toContain(1);
    const care = CareView.parse((await ask("vera", "GET", "/companies/northgate/care")).json);
    expect(care).toMatchObject({ owner: { id: ana }, stand_in: { person: { id: bo }, until } });

    await fixture.clock.advance(3 * 60 * MINUTE_MS);
    // Before the next check.
    expect(await ownerOf()).toBe(ana);
    expect((await list("ana", `${NORTHGATE}?mine=true`)).data.map(({ id }) => id)).toContain(1);
    expect((await list("bo", `${NORTHGATE}?mine=true`)).data.map(({ id }) => id)).not.toContain(1);
    await checkAgain();
    await checkAgain();
    expect(await ownerOf()).toBe(ana);
    const { timeline } = await read("vera");
    expect(
      timeline.filter(({ kind }) => kind === "owned").map(({ by, text, at }) => [by, text, at]),
    ).toEqual([
      ["ana@example.com", "took it over", expect.anything()],
      ["ana@example.com", "handed it to bo@example.com", expect.anything()],
      [null, "Handover ended: back with ana@example.com", until],
    ]);
  });

  test("reverts at once when the colleague loses the permission, with no owner in between", async () => {
    await handOver("ana", { companies: ["northgate"], to: bo, until: hour(3) });
    const { pool } = fixture.database;
    await pool.query("update people set disabled_at = now() where id = $1", [bo]);
    expect(await ownerOf()).toBe(ana);
    await pool.query("update people set disabled_at = null where id = $1", [bo]);
    expect(await ownerOf()).toBe(bo);
  });

  test("ends where another person takes the incident over meanwhile", async () => {
    await handOver("ana", { companies: "mine", to: bo, until: hour(3) });
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: fixture.people.ada.id });
    await fixture.clock.advance(4 * 60 * MINUTE_MS);
    await checkAgain();
    expect(await ownerOf()).toBe(fixture.people.ada.id);
  });

  test("handed on reverts to the original owner", async () => {
    await handOver("ana", { companies: "mine", to: bo, until: hour(2) });
    await handOver("bo", { companies: "mine", to: fixture.people.ada.id, until: hour(9) });
    expect(await ownerOf()).toBe(fixture.people.ada.id);
    await fixture.clock.advance(2 * 60 * MINUTE_MS);
    await checkAgain();
    expect(await ownerOf()).toBe(ana);
  });

  describe("by or over a stand-in", () => {
    const standInNow = async () =>
      CareView.parse((await ask("vera", "GET", "/companies/northgate/care")).json).stand_in;

    test("for a shorter time makes them the stand-in again, with the incidents", async () => {
      const ada = fixture.people.ada.id;
      const untilBo = hour(9);
      await handOver("ana", { companies: "mine", to: bo, until: untilBo });
      const until = hour(2);
      await handOver("bo", { companies: "mine", to: ada, until });
      expect(await ownerOf()).toBe(ada);
      expect(await standInNow()).toMatchObject({ person: { id: ada }, until });
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      await checkAgain();
      expect(await standInNow()).toMatchObject({ person: { id: bo }, until: untilBo });
      expect(await ownerOf()).toBe(bo);
      const { timeline } = await read("vera");
      expect(timeline.findLast(({ kind }) => kind === "owned")).toMatchObject({
        by: null,
        at: until,
        text: "Handover ended: back with bo@example.com",
      });
      await fixture.clock.advance(7 * 60 * MINUTE_MS);
      await checkAgain();
      expect(await standInNow()).toBeNull();
      expect(await ownerOf()).toBe(ana);
    });

    test("makes them the stand-in again at its end, before a check", async () => {
      const untilBo = hour(9);
      await ask("ana", "PUT", "/companies/northgate/care", {
        stand_in: { person: bo, from: hour(-1), until: untilBo },
      });
      await handOver("bo", { companies: "mine", to: fixture.people.ada.id, until: hour(2) });
      await ask("ana", "PUT", `${NORTHGATE}/2/owner`, { person: null });
      const mine = async (as: Who) => {
        const { data, counts } = await list(as, `${NORTHGATE}?mine=true`);
        expect(data.filter((one) => one.is_mine)).toHaveLength(data.length);
        return [data.some(({ id }) => id === 2), counts.mine > 0];
      };
      expect([await mine("bo"), await mine("ada")]).toEqual([
        [false, false],
        [true, true],
      ]);
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      expect(await standInNow()).toMatchObject({ person: { id: bo }, until: untilBo });
      expect([await mine("bo"), await mine("ada")]).toEqual([
        [true, true],
        [false, false],
      ]);
      const { companies } = HandoverView.parse((await ask("bo", "GET", "/me/handover")).json);
      expect(companies).toMatchObject([{ slug: "northgate", is_owner: true }]);
    });

    test("gives them the incidents again at its end, before a check, to hand over once more", async () => {
      const ada = fixture.people.ada.id;
      const untilBo = hour(9);
      await handOver("ana", { companies: "mine", to: bo, until: untilBo });
      await handOver("bo", { companies: "mine", to: ada, until: hour(2) });
      const ownersSeen = async () => [
        await ownerOf(),
        (await list("bo", NORTHGATE)).data.find(({ id }) => id === 1)?.owner,
      ];
      expect(await ownersSeen()).toMatchObject([ada, { id: ada, is_you: false }]);
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      expect(await ownersSeen()).toMatchObject([bo, { id: bo, is_you: true }]);
      await handOver("bo", { companies: "mine", to: ada, until: hour(1) });
      expect(await ownersSeen()).toMatchObject([ada, { id: ada, is_you: false }]);
      await fixture.clock.advance(60 * MINUTE_MS);
      expect(await ownersSeen()).toMatchObject([bo, { id: bo, is_you: true }]);
      await fixture.clock.advance(6 * 60 * MINUTE_MS);
      expect(await ownersSeen()).toMatchObject([ana, { id: ana, is_you: false }]);
    });

    test("gives them what opens in the first check after it", async () => {
      await handOver("ana", { companies: "mine", to: bo, until: hour(9) });
      await handOver("bo", { companies: "mine", to: fixture.people.ada.id, until: hour(2) });
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      const partner = crypto.randomUUID();
      await fixture.check("northgate", [
        STALE,
        FAILING,
        { id: "n9", partner, key: "new", verdict: "failing" as const },
      ]);
      const { data } = await list("vera");
      expect(data.find(({ partner_name }) => partner_name === partner)?.owner?.id).toBe(bo);
    });

    test.each([
      ["handed on and back", null, ["bo", "ada"]],
      ["handed over by the owner to them", "ana", ["ana"]],
    ] as const)("keeps the rest of their own period: %s", async (_, owner, givers) => {
      const [from, untilBo, until] = [hour(-1), hour(9), hour(2)];
      const own = { person: bo, from, until: untilBo };
      await ask("ana", "PUT", "/companies/northgate/care", {
        owner: owner === null ? null : ana,
        stand_in: own,
      });
      for (const giver of givers) {
        const to = giver === "bo" ? fixture.people.ada.id : bo;
        const { status } = await handOver(giver, { companies: ["northgate"], to, until });
        expect(status).toBe(200);
      }
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      await checkAgain();
      expect(await standInNow()).toMatchObject({ person: { id: bo }, from, until: untilBo });
    });

    test("keeps one who was planned for later", async () => {
      const [from, until] = [hour(24), hour(48)];
      const planned = { person: bo, from, until };
      await ask("ana", "PUT", "/companies/northgate/care", { stand_in: planned });
      await handOver("ana", { companies: "mine", to: fixture.people.ada.id, until: hour(2) });
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      await checkAgain();
      expect(await ownerOf()).toBe(ana);
      expect(await standInNow()).toMatchObject({ person: { id: bo }, from, until });
    });

    test("ends for one who loses the permission meanwhile, and at once if the colleague does", async () => {
      const { pool } = fixture.database;
      const { ada } = fixture.people;
      await handOver("ana", { companies: "mine", to: bo, until: hour(9) });
      await handOver("bo", { companies: "mine", to: ada.id, until: hour(2) });
      await pool.query("update people set disabled_at = now() where id = $1", [ada.id]);
      const mayHandle = mayHandleBy(fixture.runtime.auth.access);
      const taken = { nowMs: fixture.clock.nowMs(), mayHandle };
      expect(await takeLeftIncidents(fixture.database, taken)).toBe(1);
      expect(await standInNow()).toMatchObject({ person: { id: bo } });
      await pool.query("update people set disabled_at = null where id = $1", [ada.id]);
      await handOver("bo", { companies: "mine", to: ada.id, until: hour(2) });
      await pool.query("update people set disabled_at = now() where id = $1", [bo]);
      expect(await takeLeftIncidents(fixture.database, taken)).toBe(1);
      await pool.query("update people set disabled_at = null where id = $1", [bo]);
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      await checkAgain();
      expect(await standInNow()).toBeNull();
      expect(await ownerOf()).toBe(ana);
    });
  });

  test("waits for a check that locks the same incidents in another order", async () => {
    await ask("ana", "PUT", `${NORTHGATE}/2/owner`, { person: ana });
    await ask("ana", "PUT", "/companies/northgate/care", { owner: null });
    const { pool } = fixture.database;
    const check = await pool.connect();
    const one = (id: number) =>
      check.query("select from incidents where company = 'northgate' and id = $1 for update", [id]);
    try {
      await check.query("begin");
      await check.query("update incident_states set last_id = last_id where company = 'northgate'");
      await one(2);
      const handing = handOver("ana", { companies: "mine", to: bo, until: hour(3) });
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect
        .poll(async () => (await pool.query(waiting)).rows.length, { timeout: 30_000 })
        .toBe(1);
      expect((await one(1)).rows).toHaveLength(1);
      await check.query("commit");
      expect((await handing).status).toBe(200);
    } finally {
      check.release();
    }
  });

  test("includes incidents opened while a stand-in is active, which revert with the company", async () => {
    await handOver("ana", { companies: "mine", to: bo, until: hour(1) });
    const partner = crypto.randomUUID();
    const found = [STALE, FAILING, { id: "n8", partner, key: "new", verdict: "failing" as const }];
    await fixture.check("northgate", found);
    const newest = async () =>
      (await list("vera")).data.find(({ partner_name }) => partner_name === partner)?.owner?.id;
    expect(await newest()).toBe(bo);
    await fixture.clock.advance(60 * MINUTE_MS);
    await fixture.check("northgate", found);
    expect(await newest()).toBe(ana);
  });

  test("is previewed with what it includes and who may receive it", async () => {
    const seen = HandoverView.parse((await ask("ana", "GET", "/me/handover")).json);
    expect(seen.companies).toEqual([
      { slug: "northgate", name: "Northgate Builders", is_owner: true, open_incidents: 2 },
    ]);
    expect(seen.people.map(({ name }) => name)).toEqual(["ada@example.com", "bo@example.com"]);
    expect((await ask("vera", "GET", "/me/handover")).json).toEqual({ companies: [], people: [] });
  });

  test.each<[number, () => unknown]>([
    [400, () => ({})],
    [400, () => ({ companies: "all", to: bo, until: hour(1) })],
    [400, () => ({ companies: [], to: bo, until: hour(1) })],
    [400, () => ({ companies: ["harbour"], to: bo, until: hour(1) })],
    [400, () => ({ companies: "mine", to: ana, until: hour(1) })],
    [400, () => ({ companies: "mine", to: fixture.people.vera.id, until: hour(1) })],
    [400, () => ({ companies: "mine", to: fixture.people.hal.id, until: hour(1) })],
    [400, () => ({ companies: "mine", to: crypto.randomUUID(), until: hour(1) })],
    [400, () => ({ companies: "mine", to: bo, until: hour(-1) })],
    [400, () => ({ companies: "mine", to: bo, until: hour(24 * 400) })],
  ])("is refused with %i when invalid, and changes nothing (%#)", async (expected, body) => {
    expect((await handOver("ana", body())).status).toBe(expected);
    expect(await ownerOf()).toBe(ana);
  });

  test("includes what I acknowledged, unless a colleague owns it", async () => {
    await ask("ana", "PUT", "/companies/northgate/care", { owner: null, stand_in: null });
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: null });
    await ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`);
    const seen = HandoverView.parse((await ask("bo", "GET", "/me/handover")).json);
    expect(seen.companies).toEqual([
      { slug: "northgate", name: "Northgate Builders", is_owner: false, open_incidents: 1 },
    ]);
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: ana });
    expect(HandoverView.parse((await ask("bo", "GET", "/me/handover")).json).companies).toEqual([]);
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: null });
    const done = await handOver("bo", { companies: "mine", to: ana, until: hour(3) });
    expect(done.json).toMatchObject({ companies: [], incidents: 1 });
    expect(await ownerOf()).toBe(ana);
    await fixture.clock.advance(3 * 60 * MINUTE_MS);
    expect(await ownerOf()).toBe(bo);
  });

  test("includes unassigned incidents of an administrator", async () => {
    await ask("ana", "PUT", "/companies/northgate/care", { owner: null, stand_in: null });
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: null });
    await ask("bo", "PUT", `${NORTHGATE}/2/acknowledgement`);
    const seen = HandoverView.parse((await ask("ada", "GET", "/me/handover")).json);
    expect(seen.companies.find(({ slug }) => slug === "northgate")).toEqual({
      slug: "northgate",
      name: "Northgate Builders",
      is_owner: true,
      open_incidents: 1,
    });
    const given = { companies: ["northgate"], to: ana, until: hour(3) };
    const done = await ask("ada", "POST", "/me/handover", given);
    expect(done.json).toMatchObject({ companies: ["northgate"], incidents: 1 });
    expect(await ownerOf()).toBe(ana);
    const care = (await ask("ana", "GET", "/companies/northgate/care")).json;
    expect(care).toMatchObject({ owner: null, stand_in: { person: { id: ana } } });
  });

  test("of nothing is refused", async () => {
    const nothing = { companies: "mine", to: ana, until: hour(1) };
    expect((await handOver("bo", nothing)).status).toBe(409);
    expect((await handOver("vera", nothing)).status).toBe(409);
  });
});

describe("a person who may no longer handle incidents", () => {
  const CARE = "/companies/northgate/care";
  const hour = (hours: number) =>
    new Date(fixture.clock.nowMs() + hours * 60 * MINUTE_MS).toISOString();
  const everything = { grants: [{ role: "member", company: "northgate" }] };
  const demoted = { grants: [{ role: "viewer", company: "northgate" }] };
  const change = (id: string, body: unknown) => ask("ada", "PATCH", `/people/${id}`, body);
  const timelineOf = async (id: number) =>
    (await read("vera", id)).timeline.flatMap(({ kind, by, text }) =>
      ["acknowledged", "unacknowledged", "owned"].includes(kind) ? [[kind, by, text]] : [],
    );
  /** The stored owners and acknowledgements, whatever is shown of them. */
  const hands = async () => {
    const { rows } = await fixture.database.pool.query<Record<string, unknown>>(
      `select owner_id, lent_by_id, acknowledged_by_id from incidents
       where company = 'northgate' and ended_at is null order by id`,
    );
    return rows.map((row) => Object.values(row));
  };
  beforeEach(async () => {
    await fixture.asOwner("update people set disabled_at = null");
    for (const id of [ana, bo]) await change(id, everything);
    for (const who of ["ana", "bo"] as const)
      await fixture.people[who].browser.signIn(`${who}@example.com`);
  });
  afterAll(async () => {
    await fixture.asOwner("update people set disabled_at = null");
  });

  test.each<[string, () => unknown]>([
    ["disabled", () => ({ disabled: true })],
    ["a viewer", () => demoted],
    ["a member elsewhere", () => ({ grants: [{ role: "member", company: "harbour" }] })],
  ])("once %s, has no acknowledgements or incidents, with timeline events", async (_, body) => {
    await ask("ana", "PUT", CARE, { owner: ana });
    await ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`);
    await ask("bo", "PUT", `${NORTHGATE}/1/owner`, { person: bo });
    expect((await change(bo, body())).status).toBe(200);
    const incident = await read("vera");
    expect(incident).toMatchObject({ acknowledged: null, owner: { id: ana } });
    expect((await timelineOf(1)).slice(-2)).toEqual([
      [
        "unacknowledged",
        null,
        "Unacknowledged now: bo@example.com can’t handle incidents here any more",
      ],
      [
        "owned",
        null,
        "ana@example.com owns it now: bo@example.com can’t handle incidents here any more",
      ],
    ]);
    // Regaining the permission restores nothing.
    await change(bo, { disabled: false, ...everything });
    expect((await hands())[0]).toEqual([ana, null, null]);
    const checked = await checkAudit(fixture.database, { keys: TEST_KEYS.known });
    expect(checked.find(({ company }) => company === "northgate")).toMatchObject({ broken: null });
  });

  test("keeps incidents where they still may handle them", async () => {
    await ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`);
    await ask("bo", "PUT", `${NORTHGATE}/1/owner`, { person: bo });
    const before = [await hands(), await timelineOf(1)];
    await change(bo, { grants: [{ role: "operator", company: "northgate" }] });
    expect([await hands(), await timelineOf(1)]).toEqual(before);
  });

  test("leaves their company to the administrators, or to the stand-in", async () => {
    await ask("ana", "PUT", CARE, {
      owner: bo,
      stand_in: { person: ana, from: hour(-1), until: hour(2) },
    });
    await ask("bo", "PUT", `${NORTHGATE}/1/owner`, { person: bo });
    await change(bo, demoted);
    expect((await hands())[0]).toEqual([ana, null, null]);
    expect((await timelineOf(1)).at(-1)?.[2]).toContain("ana@example.com owns it now");
    await change(ana, { disabled: true });
    expect((await hands())[0]).toEqual([null, null, null]);
    expect((await timelineOf(1)).at(-1)?.[2]).toContain("The administrators own it now");
    const care = CareView.parse((await ask("vera", "GET", CARE)).json);
    expect(care).toMatchObject({ owner: null, stand_in: null });
    // New incidents are never assigned to a person without the permission.
    await change(ana, { disabled: false });
    await fixture.check("northgate", [
      STALE,
      FAILING,
      { ...FAILING, id: "n9", partner: "Newforma" },
    ]);
    expect((await hands()).at(-1)).toEqual([null, null, null]);
  });

  test("returns incidents handed to them at once, and doesn't get any back", async () => {
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: ana });
    await ask("bo", "PUT", `${NORTHGATE}/2/owner`, { person: bo });
    await ask("ana", "POST", "/me/handover", { companies: "mine", to: bo, until: hour(3) });
    await ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`, { until: hour(1) });
    await fixture.clock.advance(90 * MINUTE_MS);
    await fixture.people.ada.browser.signIn("ada@example.com");
    await change(bo, { disabled: true });
    expect(await hands()).toEqual([
      [ana, null, null],
      [null, null, null],
    ]);
    // The acknowledgement had ended already, so it isn't recorded again.
    expect((await timelineOf(1)).map(([kind]) => kind)).toEqual([
      "owned",
      "owned",
      "acknowledged",
      "owned",
    ]);
    await change(bo, { disabled: false });
    await ask("ana", "POST", "/me/handover", { companies: "mine", to: bo, until: hour(3) });
    await change(ana, { disabled: true });
    expect((await hands())[0]).toEqual([bo, null, null]);
  });

  test("is cleared when two lose the permission at once: neither keeps what was the other's", async () => {
    await ask("ana", "PUT", CARE, {
      owner: ana,
      stand_in: { person: bo, from: hour(-1), until: hour(9) },
    });
    await ask("ana", "PUT", `${NORTHGATE}/1/owner`, { person: ana });
    await ask("bo", "PUT", `${NORTHGATE}/2/owner`, { person: bo });
    await ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`);
    await ask("ana", "PUT", `${NORTHGATE}/2/acknowledgement`);
    await Promise.all([change(ana, demoted), change(bo, { disabled: true })]);
    expect(await hands()).toEqual([
      [null, null, null],
      [null, null, null],
    ]);
  });

  test("is removed from leftover incidents once, at the next start", async () => {
    await ask("ana", "PUT", `${NORTHGATE}/2/owner`, { person: ana });
    await ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`);
    await ask("ana", "PUT", CARE, {
      owner: ana,
      stand_in: { person: bo, from: hour(1), until: hour(9) },
    });
    await fixture.asOwner(`update people set disabled_at = now() where id = '${bo}'`);
    const start = () =>
      takeLeftIncidents(fixture.database, {
        nowMs: fixture.clock.nowMs(),
        mayHandle: mayHandleBy(fixture.runtime.auth.access),
      });
    // Two instances start concurrently.
    await Promise.all([start(), start()]);
    expect(await start()).toBe(0);
    expect(await hands()).toEqual([
      [null, null, null],
      [ana, null, null],
    ]);
    expect((await timelineOf(1)).filter(([kind]) => kind === "unacknowledged")).toHaveLength(1);
    const care = CareView.parse((await ask("vera", "GET", CARE)).json);
    expect(care).toMatchObject({ owner: { id: ana }, stand_in: null });
  });

  test("keeps nothing from requests that were concurrent with the change", async () => {
    for (let round = 0; round < 6; round += 1) {
      await fixture.people.bo.browser.signIn("bo@example.com");
      const answers = await Promise.all([
        ask("bo", "PUT", `${NORTHGATE}/1/acknowledgement`),
        ask("ana", "PUT", `${NORTHGATE}/2/owner`, { person: bo }),
        change(bo, round % 2 === 0 ? demoted : { disabled: true }),
        ask("ana", "PUT", CARE, { owner: bo }),
        fixture.check("northgate", [STALE, FAILING, { ...FINE, verdict: "failing" }]),
      ]);
      expect(answers.flatMap((answer) => answer?.status ?? [])).not.toContain(500);
      expect((await hands()).flat()).not.toContain(bo);
      const { owner } = CareView.parse((await ask("vera", "GET", CARE)).json);
      expect(owner).toBeNull();
      await change(bo, { disabled: false, ...everything });
      expect((await hands()).flat()).not.toContain(bo);
    }
  });
});

test("logs people's actions in the company's signed audit log, and keeps timelines immutable", async () => {
  await ask("ana", "PUT", `${NORTHGATE}/1/acknowledgement`);
  await ask("bo", "PUT", `${NORTHGATE}/1/owner`, { person: ana });
  await ask("ana", "POST", `${NORTHGATE}/1/notes`, { text: "secret of the team" });
  await ask("ana", "PUT", "/companies/northgate/care", { owner: ana });
  const start = { start: { offset: 0 }, limit: 4 };
  const actions = await readActions(fixture.database, "northgate", UNFILTERED, start);
  expect(actions.map(({ rows: [{ event, detail }] }) => [event, detail["subject"]])).toEqual([
    ["look-after.asked", "Northgate Builders"],
    ["note.asked", "Aconex, incident 1"],
    ["own.asked", "Aconex, incident 1"],
    ["acknowledge.asked", "Aconex, incident 1"],
  ]);
  expect(JSON.stringify(actions)).not.toContain("secret of the team");
  const { pool } = fixture.database;
  await expect(pool.query("update incident_events set text = 'x'")).rejects.toThrow(/denied/);
  const checked = await checkAudit(fixture.database, { keys: TEST_KEYS.known });
  expect(checked.find(({ company }) => company === "northgate")).toMatchObject({ broken: null });
});
