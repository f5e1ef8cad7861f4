import { describe, expect } from "vitest";
import { NO_FILTERS } from "@/lib/domain/today/today";
import { rowBudget } from "@/lib/server/store/most-rows";
import { answerTodayAt } from "./get-today-at";
import { BoardThenView } from "@/lib/contracts/history";
import { TodayView } from "@/lib/contracts/today";
import { NO_WEEK } from "@/lib/domain/learned-week/follow-week";
import { WEEK_MINUTES } from "@/lib/domain/learned-week/week-span";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { writeLook } from "@/lib/server/store/learned-weeks/write-weeks";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { endpointFacts } from "@/lib/server/store/schema/deadlines";
import { observe } from "./observe-fixture";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";

const PROCORE: Found = {
  id: "p",
  partner: "Procore",
  key: "rfis",
  verdict: "failing",
  overdue: 40,
};
const SAGE: Found = { id: "s", partner: "Sage", key: "costs", verdict: "late", overdue: 20 };
const WELL: Found = { id: "w", partner: "Sage", key: "vendors", verdict: "fresh" };

type Name = keyof IncidentsApp["people"];

const test = incidentsTest();
/** When both companies were checked first. */
let firstMs: number;
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.asOwner("truncate company_state, endpoints, verdict_changes, landings");
  firstMs = app.clock.nowMs();
  await observe(app, "northgate", [PROCORE, SAGE, WELL]);
  await observe(app, "harbour", [{ ...PROCORE, id: "h" }]);
});

const ask = (app: IncidentsApp, as: Name, atMs: number, more = "") =>
  app.ask(as, "GET", `/today?at=${encodeURIComponent(iso(atMs))}${more}`);
async function todayAt(app: IncidentsApp, as: Name, atMs: number, more = "") {
  const answer = await ask(app, as, atMs, more);
  expect(answer.status).toBe(200);
  return TodayView.parse(await answer.json());
}

test("shows how promises stood then, of companies that the person may see", async ({ app }) => {
  const { clock } = app;
  const dueMs = Math.floor(clock.nowMs() / MINUTE_MS) * MINUTE_MS + 60 * MINUTE_MS;
  const due = { by: iso(dueMs).slice(11, 16), days: [...WEEKDAYS], time_zone: "UTC" };
  for (const [slug, id] of [
    ["northgate", "p"],
    ["harbour", "h"],
  ] as const)
    await app.ask("ada", "POST", `/companies/${slug}/promises`, { ...due, endpoint_id: id });
  for (const [company, id] of [
    ["northgate", "p"],
    ["harbour", "h"],
  ] as const)
    await app.database.orm.insert(endpointFacts).values({
      company,
      endpointId: id,
      seenAt: new Date(firstMs),
      partnerName: "Procore",
      status: "active",
      reported: true,
      cadenceMinutes: 60,
    });
  await clock.advance(MINUTE_MS);
  const { lines } = await todayAt(app, "vera", clock.nowMs());
  const promises = lines.map(({ promise }) => promise);
  expect(promises.map((one) => one?.endpoint_key ?? null)).toEqual(["rfis", null]);
  expect(promises[0]).toMatchObject({
    company: { slug: "northgate" },
    promise: { due_at: iso(dueMs), state: "open" },
  });
});

test("shows what was wrong then, although it is well now", async ({ app }) => {
  const { clock } = app;
  await clock.advance(MINUTE_MS);
  const thenMs = clock.nowMs();
  await clock.advance(10 * MINUTE_MS);
  await observe(app, "northgate", [
    { ...PROCORE, verdict: "fresh" },
    { ...SAGE, verdict: "fresh" },
    WELL,
  ]);
  const now = await app.ask("vera", "GET", "/today");
  expect(TodayView.parse(await now.json())).toMatchObject({ lines: [], counts: { behind: 0 } });

  const view = await todayAt(app, "vera", thenMs);
  expect(view.as_of).toBe(iso(thenMs));
  expect(view.counts).toMatchObject({
    endpoints: 3,
    behind: 2,
    unattended: 2,
    companies_behind: 1,
    // Not recorded.
    next_attempt_at: null,
  });
  expect(view.lines).toMatchObject([
    {
      kind: "incident",
      verdict: "failing",
      overdue_since: iso(firstMs - 40 * MINUTE_MS),
      last_updated_at: iso(firstMs - 100 * MINUTE_MS),
      next_sync_at: null,
      members: [{ endpoint_id: "p", company: { slug: "northgate" } }],
    },
    {
      kind: "endpoint",
      verdict: "late",
      // Overdue beyond the allowance of 15 minutes.
      since: iso(firstMs - 5 * MINUTE_MS),
      members: [{ endpoint_id: "s", incident_id: null }],
    },
  ]);
  expect(await todayAt(app, "vera", thenMs, "&partner=Procore")).toMatchObject({
    counts: { endpoints: 1, behind: 1 },
  });
});

test("says where the history begins, of an instant before it too", async ({ app }) => {
  await app.clock.advance(MINUTE_MS);
  const { recorded_from: from, ...view } = await todayAt(app, "ada", app.clock.nowMs());
  expect(from).toBe(iso(firstMs));
  expect(view.counts.unseen_companies).toBe(0);
  expect(await todayAt(app, "ada", firstMs - HOUR_MS)).toMatchObject({
    recorded_from: from,
    as_of: null,
    unseen: [{ since: null }, { since: null }],
  });
});

test("counts no company as unseen that has nothing of the partner", async ({ app }) => {
  const atMs = app.clock.nowMs();
  for (const [partner, endpoints] of [
    ["Sage", 2],
    ["Aconex", 0],
  ] as const)
    expect(await todayAt(app, "ada", atMs, `&partner=${partner}`)).toMatchObject({
      counts: { endpoints, unseen_companies: 0 },
      unseen: [],
    });
});

test("knows of no data, and of no incident's end, before a check showed it", async ({ app }) => {
  const { clock } = app;
  const ofProcore = ({ lines }: TodayView) =>
    lines.find(({ partner_name: partner }) => partner === "Procore");
  await clock.advance(5 * MINUTE_MS);
  const before = ofProcore(await todayAt(app, "vera", clock.nowMs()));
  expect(before).toMatchObject({
    kind: "incident",
    last_updated_at: iso(firstMs - 100 * MINUTE_MS),
  });
  await clock.advance(5 * MINUTE_MS);
  const seenMs = clock.nowMs();
  const arrived = (minutes: number): Found => ({ ...PROCORE, verdict: "fresh", arrived: minutes });
  await observe(app, "northgate", [arrived(5), SAGE, WELL]);
  expect(ofProcore(await todayAt(app, "vera", seenMs - MINUTE_MS))).toEqual(before);
  expect(ofProcore(await todayAt(app, "vera", seenMs))).toBeUndefined();

  // Until the incident's end is confirmed.
  for (let check = 0; check < 3; check += 1) {
    await clock.advance(10 * MINUTE_MS);
    await observe(app, "northgate", [arrived(15), SAGE, WELL]);
  }
  expect(ofProcore(await todayAt(app, "vera", seenMs - MINUTE_MS))).toEqual(before);
});

test.for([-46, 30])(
  "shows an incident until a check saw its end, and no longer, with an API clock %i h ahead",
  async (hours, { app }) => {
    const { clock } = app;
    await app.begin();
    await app.asOwner("truncate company_state, endpoints, verdict_changes, landings");
    const aheadMs = hours * HOUR_MS;
    const at = (ms: number) => todayAt(app, "vera", ms + aheadMs);
    await observe(app, "northgate", [PROCORE], aheadMs);
    await clock.advance(10 * MINUTE_MS);
    const seenMs = clock.nowMs();
    for (const arrived of [5, 15, 25]) {
      await observe(app, "northgate", [{ ...PROCORE, verdict: "fresh", arrived }], aheadMs);
      await clock.advance(10 * MINUTE_MS);
    }
    // Late again, but not for long enough to be in an incident.
    await observe(app, "northgate", [{ ...PROCORE, verdict: "late" }], aheadMs);
    const againMs = clock.nowMs();
    await clock.advance(MINUTE_MS);
    expect((await at(seenMs - MINUTE_MS)).lines).toMatchObject([
      { kind: "incident", members: [{ incident_id: 1 }] },
    ]);
    expect((await at(againMs)).lines).toMatchObject([
      { kind: "endpoint", members: [{ incident_id: null }] },
    ]);
  },
);

test("says since when, like the incident that opened only later", async ({ app }) => {
  const { clock } = app;
  await clock.advance(MINUTE_MS);
  const thenMs = clock.nowMs();
  for (let check = 0; check < 3; check += 1) {
    await clock.advance(10 * MINUTE_MS);
    await observe(app, "northgate", [PROCORE, SAGE, WELL]);
  }
  const ofSage = ({ lines }: TodayView) =>
    lines.find(({ partner_name: partner }) => partner === "Sage");
  const now = ofSage(TodayView.parse(await (await app.ask("vera", "GET", "/today")).json()));
  expect(now).toMatchObject({ kind: "incident", since: iso(firstMs - 20 * MINUTE_MS) });
  expect(ofSage(await todayAt(app, "vera", thenMs))).toMatchObject({
    kind: "endpoint",
    since: now?.since,
  });
});

test("says since when a feed without a cadence was late, only as far as the record does", async ({
  app,
}) => {
  const { clock } = app;
  const { pool } = app.database;
  const planned: Found = { id: "m", partner: "Aconex", key: "mail", verdict: "fresh" };
  await observe(app, "northgate", [PROCORE, SAGE, WELL, planned]);
  await pool.query("update endpoints set frequency_minutes = null where endpoint_id = 'm'");
  await clock.advance(MINUTE_MS / 4);
  const lateMs = clock.nowMs();
  const change = "insert into verdict_changes values ('northgate', 'm', $1, 'late', $2)";
  await pool.query(change, [iso(lateMs), "fresh"]);
  await clock.advance(MINUTE_MS / 4);
  const sinceAt = async (atMs: number) =>
    (await todayAt(app, "vera", atMs)).lines.find(({ partner_name: name }) => name === "Aconex")
      ?.since;
  expect(await sinceAt(clock.nowMs())).toBe(iso(lateMs));

  // It may have been late before it reappeared.
  await clock.advance(MINUTE_MS / 4);
  const backMs = clock.nowMs();
  await pool.query(change, [iso(backMs), null]);
  await clock.advance(MINUTE_MS / 4);
  expect(await sinceAt(clock.nowMs())).toBeNull();
});

test("counts no quiet time of the week that was learned then as overdue", async ({ app }) => {
  const { clock } = app;
  const from = Math.floor((firstMs - 70 * MINUTE_MS) / MINUTE_MS) % WEEK_MINUTES;
  // Minutes since Monday, 5 January 1970.
  const monday = (from - 4 * 1440 + WEEK_MINUTES) % WEEK_MINUTES;
  const week = {
    timeZone: "UTC",
    spans: [{ from: monday, until: monday + 2 }],
    cadenceMs: 60 * MINUTE_MS,
    sinceMs: firstMs,
  };
  const looked = (isInForce: boolean) => [
    {
      endpointId: "s",
      state: { ...NO_WEEK, week: isInForce ? week : null },
      isChanged: true,
    },
  ];
  await writeLook(app.database, "northgate", looked(true), firstMs);
  await clock.advance(MINUTE_MS);
  const thenMs = clock.nowMs();
  await clock.advance(MINUTE_MS);
  await writeLook(app.database, "northgate", looked(false), clock.nowMs());
  const lineAt = async (atMs: number) =>
    (await todayAt(app, "vera", atMs)).lines.find(({ kind }) => kind === "endpoint");
  expect(await lineAt(thenMs)).toMatchObject({
    since: iso(firstMs - 3 * MINUTE_MS),
    members: [{ overdue_since: iso(firstMs - 18 * MINUTE_MS) }],
  });
  expect(await lineAt(clock.nowMs())).toMatchObject({
    since: iso(firstMs - 5 * MINUTE_MS),
    members: [{ overdue_since: iso(firstMs - 20 * MINUTE_MS) }],
  });
  // The overview of that time has the week too.
  const boardWeekAt = async (atMs: number) => {
    const path = `/companies/northgate/sync-status?at=${iso(atMs)}`;
    const { endpoints } = BoardThenView.parse(await (await app.ask("vera", "GET", path)).json());
    return endpoints.find(({ id }) => id === "s")?.learned_week;
  };
  expect(await boardWeekAt(thenMs)).toMatchObject({ time_zone: "UTC", since: iso(firstMs) });
  expect(await boardWeekAt(clock.nowMs())).toBeNull();
});

test("names who was on it then", async ({ app }) => {
  const { clock } = app;
  const path = "/companies/northgate/incidents/1/acknowledgement";
  await clock.advance(MINUTE_MS);
  const beforeMs = clock.nowMs();
  await clock.advance(MINUTE_MS);
  const saidMs = clock.nowMs();
  await app.ask("ana", "PUT", path, { until: iso(saidMs + 3 * MINUTE_MS) });
  await clock.advance(MINUTE_MS);
  const duringMs = clock.nowMs();
  await clock.advance(MINUTE_MS);
  await app.ask("ana", "DELETE", path);
  await clock.advance(MINUTE_MS);
  const lineAt = async (atMs: number) => (await todayAt(app, "vera", atMs)).lines[0];
  expect((await lineAt(beforeMs))?.on_it).toBeNull();
  expect(await lineAt(duringMs)).toMatchObject({
    on_it: { name: "ana@example.com", since: iso(saidMs) },
    attended: { of: 1, by: ["ana@example.com"] },
  });
  expect((await lineAt(clock.nowMs()))?.on_it).toBeNull();
  expect((await todayAt(app, "ana", duringMs, "&mine=1")).counts.behind).toBe(1);
  expect((await todayAt(app, "bo", duringMs, "&mine=1")).counts.behind).toBe(0);
});

test.for([-46, 30])(
  "names who was on it then, with an API clock %i h ahead",
  async (hours, { app }) => {
    const { clock, people } = app;
    await app.begin();
    await app.asOwner("truncate company_state, endpoints, verdict_changes, landings");
    const aheadMs = hours * HOUR_MS;
    await observe(app, "northgate", [PROCORE], aheadMs);
    const path = "/companies/northgate/incidents/1";
    await clock.advance(MINUTE_MS);
    const beforeMs = clock.nowMs();
    await clock.advance(MINUTE_MS);
    const saidMs = clock.nowMs();
    const until = iso(saidMs + 3 * MINUTE_MS);
    await app.ask("ana", "PUT", `${path}/acknowledgement`, { until });
    await app.ask("ana", "POST", `${path}/notes`, { text: "called", told_customer: true });
    await app.ask("ana", "PUT", "/companies/northgate/care", {
      owner: people.bo.id,
      stand_in: null,
    });
    await clock.advance(MINUTE_MS);
    const duringMs = clock.nowMs();
    await clock.advance(5 * MINUTE_MS);
    await observe(app, "northgate", [PROCORE], aheadMs);
    const lineAt = async (atMs: number) => (await todayAt(app, "vera", atMs + aheadMs)).lines[0];
    const saidAt = iso(saidMs + aheadMs);
    expect(await lineAt(beforeMs)).toMatchObject({ on_it: null, members: [{ told_at: null }] });
    expect(await lineAt(duringMs)).toMatchObject({
      on_it: { name: "ana@example.com", since: saidAt },
      members: [{ told_at: saidAt }],
    });
    expect(await lineAt(clock.nowMs())).toMatchObject({
      on_it: null,
      members: [{ told_at: saidAt }],
    });
    const own = async (atMs: number) =>
      (await todayAt(app, "bo", atMs + aheadMs, "&mine=1")).lines.length;
    expect(await own(beforeMs)).toBe(0);
    expect(await own(duringMs)).toBe(1);
  },
);

test("says when the customer was told, as it was then and is now", async ({ app }) => {
  const { clock } = app;
  await clock.advance(MINUTE_MS);
  const beforeMs = clock.nowMs();
  await clock.advance(MINUTE_MS);
  const notes = "/companies/northgate/incidents/1/notes";
  await app.ask("ana", "POST", notes, { text: "called", told_customer: true });
  const toldAt = iso(clock.nowMs());
  await clock.advance(MINUTE_MS);
  await app.ask("ana", "POST", notes, { text: "no answer" });
  const tolds = async (atMs: number) =>
    (await todayAt(app, "vera", atMs)).lines[0]?.members.map(({ told_at: at }) => at);
  expect(await tolds(beforeMs)).toEqual([null]);
  expect(await tolds(clock.nowMs())).toEqual([toldAt]);
  const now = TodayView.parse(await (await app.ask("vera", "GET", "/today")).json());
  expect(now.lines.flatMap(({ members }) => members.map(({ told_at: at }) => at))).toContain(
    toldAt,
  );
});

test("shows only companies of the person's permissions now", async ({ app }) => {
  await app.clock.advance(MINUTE_MS);
  const text = await (await ask(app, "hal", firstMs)).text();
  expect(text).toContain('"h"');
  expect(text).not.toContain("orthgate");
  expect((await todayAt(app, "ada", firstMs)).counts.companies_behind).toBe(2);
});

describe("what wasn't observed", () => {
  test("in a gap is unseen", async ({ app }) => {
    const { clock } = app;
    await clock.advance(20 * MINUTE_MS);
    await app.addGap("northgate", { fromMs: firstMs, untilMs: clock.nowMs() });
    const view = await todayAt(app, "vera", firstMs + 10 * MINUTE_MS);
    expect(view).toMatchObject({ as_of: null, lines: [], counts: { behind: 0, endpoints: 0 } });
    expect(view.unseen).toEqual([
      {
        company: { slug: "northgate", name: "Northgate Builders" },
        since: iso(firstMs),
        reason: "unreachable",
        behind_then: 2,
        endpoints: 3,
      },
    ]);
  });

  test("before the record began is unseen, and never well", async ({ app }) => {
    await app.clock.advance(MINUTE_MS);
    const view = await todayAt(app, "vera", firstMs - MINUTE_MS);
    expect(view).toMatchObject({ lines: [], well: [], unseen: [{ since: null, endpoints: 0 }] });
  });
});

test("takes feeds out that were in a planned quiet time then", async ({ app }) => {
  const { clock } = app;
  await clock.advance(MINUTE_MS);
  const until = iso(clock.nowMs() + MINUTE_MS);
  const quiet = { partner: "Sage", reason: "upgrade", from: null, until };
  await app.ask("ana", "POST", "/companies/northgate/expectations", quiet);
  const quietMs = clock.nowMs() + 1;
  await clock.advance(2 * MINUTE_MS);
  expect((await todayAt(app, "vera", quietMs)).counts).toMatchObject({ behind: 1, quiet: 1 });
  expect((await todayAt(app, "vera", clock.nowMs())).counts).toMatchObject({ behind: 2, quiet: 0 });
});

test("answers other filters of the same moment from memory, for half a minute", async ({ app }) => {
  const { clock } = app;
  await clock.advance(MINUTE_MS);
  const atMs = clock.nowMs();
  expect((await todayAt(app, "vera", atMs)).counts.endpoints).toBe(3);
  await app.asOwner("truncate endpoints");
  expect((await todayAt(app, "vera", atMs, "&partner=Procore")).counts.endpoints).toBe(1);
  expect((await todayAt(app, "vera", atMs, "&q=vendors")).counts.endpoints).toBe(1);
  // Never for people who see other companies.
  expect((await todayAt(app, "hal", atMs)).counts.endpoints).toBe(0);
  await clock.advance(MINUTE_MS / 2);
  expect((await todayAt(app, "vera", atMs)).counts.endpoints).toBe(0);
});

test("counts every row that it reads, and refuses too many", async ({ app }) => {
  const { clock } = app;
  const runtime = { ...app.runtime, config: { ...app.runtime.config, retentionDays: 90 } };
  await clock.advance(MINUTE_MS);
  const askWith = async (rows: number) => {
    const query = new URLSearchParams({ at: iso(clock.nowMs()) });
    const asked = {
      companies: [
        { company: "northgate", name: "Northgate Builders" },
        { company: "harbour", name: "Harbour Civil Works" },
      ],
      filters: NO_FILTERS,
      key: String(rows),
      personId: "someone",
      query,
    };
    return answerTodayAt(runtime, asked, rowBudget(rows));
  };
  // Four endpoints, each with its state then; two incidents, and the state of two companies.
  await expect(askWith(10)).rejects.toMatchObject({ code: "invalid_request" });
  await clock.advance(1);
  expect((await askWith(30)).status).toBe(200);
});

test.for(["yesterday", "2999-01-01T00:00:00Z"])("refuses %s", async (at, { app }) => {
  const answer = await app.ask("vera", "GET", `/today?at=${at}`);
  expect(answer.status).toBe(400);
});

test("knows whose an incident was then, although its owner has changed since", async ({ app }) => {
  const { clock, people } = app;
  const give = (name: Name) =>
    app.ask("ana", "PUT", "/companies/northgate/incidents/1/owner", { person: people[name].id });
  expect((await give("ana")).status).toBe(200);
  await clock.advance(MINUTE_MS);
  const thenMs = clock.nowMs();
  await clock.advance(MINUTE_MS);
  expect((await give("bo")).status).toBe(200);
  await clock.advance(MINUTE_MS);
  const mine = async (name: Name) => (await todayAt(app, name, thenMs, "&mine=1")).lines.length;
  expect(await mine("ana")).toBe(1);
  expect(await mine("bo")).toBe(0);
});

test("groups the incidents of a fleet incident while it was open", async ({ app }) => {
  const { connections } = app.handlersRuntime;
  const orchard = { company: "orchard", name: "Orchard" };
  Reflect.set(app.handlersRuntime, "connections", [...connections, orchard]);
  try {
    await app.clock.advance(MINUTE_MS);
    const beforeMs = app.clock.nowMs() - 1;
    await observe(app, "orchard", [{ ...PROCORE, id: "o" }]);
    await app.foldFleets();
    const kinds = async (atMs: number) =>
      (await todayAt(app, "ada", atMs)).lines
        .filter(({ partner_name: name }) => name === "Procore")
        .map(({ kind }) => kind);
    expect(await kinds(beforeMs)).toEqual(["incident", "incident"]);
    expect(await kinds(app.clock.nowMs())).toEqual(["partner"]);
  } finally {
    Reflect.set(app.handlersRuntime, "connections", connections);
  }
});
