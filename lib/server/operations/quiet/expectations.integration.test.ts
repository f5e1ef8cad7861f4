import { expect } from "vitest";
import { IncidentsView, IncidentView } from "@/lib/contracts/incidents";
import { Expectation, ExpectationsView } from "@/lib/contracts/quiet";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { readPlannedQuiet } from "@/lib/server/store/report/planned-quiet";
import { HOUR_MS } from "@/lib/domain/time/units";

const PATH = "/companies/northgate/expectations";
const FAILING: Found = { id: "n1", partner: "Procore", key: "daily_logs", verdict: "failing" };
const STALE: Found = { id: "n2", partner: "Aconex", key: "mail", verdict: "stale" };
const FINE: Found = { id: "n3", partner: "Procore", key: "rfis", verdict: "fresh" };

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", [{ ...FAILING, verdict: "fresh" }, FINE]);
});

type Who = keyof IncidentsApp["people"];
const hour = (app: IncidentsApp, hours: number) =>
  new Date(app.clock.nowMs() + hours * HOUR_MS).toISOString();
const plan = (app: IncidentsApp, as: Who, body: Record<string, unknown>) =>
  app.ask(as, "POST", PATH, { reason: "ERP upgrade", until: hour(app, 10), ...body });
const planned = async (app: IncidentsApp, body: Record<string, unknown> = {}, as: Who = "ana") => {
  const answer = await plan(app, as, body);
  expect(answer.status).toBe(201);
  return Expectation.parse(await answer.json());
};
const list = async (app: IncidentsApp, as: Who = "vera", query = "") =>
  ExpectationsView.parse(await (await app.ask(as, "GET", `${PATH}${query}`)).json());
const incidents = async (app: IncidentsApp) =>
  IncidentsView.parse(await (await app.ask("vera", "GET", "/companies/northgate/incidents")).json())
    .data;

test("keeps its start while it lasts", async ({ app }) => {
  const { quiet } = await planned(app, { partner: "Procore" });
  await app.clock.advance(HOUR_MS);
  expect((await list(app)).data).toMatchObject([{ is_quiet: true, quiet }]);
});

test("is planned by one member, visible to the whole company, and ended by another member", async ({
  app,
}) => {
  const made = await planned(app, { partner: "Procore" });
  expect(made).toMatchObject({
    partner_name: "Procore",
    endpoint_id: null,
    reason: "ERP upgrade",
    is_quiet: true,
    made_by: { name: "ana@example.com", is_you: true },
    quiet: { from: hour(app, 0), until: hour(app, 10) },
  });
  const { data, meta } = await list(app);
  expect(data).toEqual([{ ...made, made_by: { ...made.made_by, is_you: false } }]);
  expect(meta.total_count).toBe(1);

  await app.clock.advance(HOUR_MS);
  const end = () => app.ask("bo", "DELETE", `${PATH}/${made.id}`);
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(204);
  expect((await list(app)).data).toEqual([]);
  const [over] = (await list(app, "vera", "?state=over")).data;
  expect(over).toMatchObject({ id: made.id, ended_at: hour(app, 0), ended_by: "bo@example.com" });

  const page = { start: { offset: 0 }, limit: 2 };
  const actions = await readActions(app.database, "northgate", UNFILTERED, page);
  expect(actions.map(({ rows: [{ event, detail }] }) => [event, detail["subject"]])).toEqual([
    ["end.asked", "Procore"],
    ["plan.asked", "Procore"],
  ]);
});

test("is refused to viewers, strangers and people of other companies", async ({ app }) => {
  const { id } = await planned(app);
  for (const as of ["vera", "hal"] as const) {
    expect((await plan(app, as, {})).status).toBeGreaterThanOrEqual(403);
    expect((await app.ask(as, "DELETE", `${PATH}/${id}`)).status).toBeGreaterThanOrEqual(403);
  }
  const elsewhere = await app.ask("hal", "DELETE", `/companies/harbour/expectations/${id}`);
  expect(elsewhere.status).toBe(404);
  expect((await list(app)).data).toHaveLength(1);
});

test.for<[string, (app: IncidentsApp) => Record<string, unknown>]>([
  ["no reason", () => ({ reason: "  " })],
  ["a long reason", () => ({ reason: "x".repeat(201) })],
  ["no end", () => ({ until: null })],
  ["an end that has passed", (app) => ({ until: hour(app, -1) })],
  ["an end before its beginning", (app) => ({ from: hour(app, 5), until: hour(app, 4) })],
  ["an end that is too far", (app) => ({ until: hour(app, 24 * 400) })],
  ["words for a time", () => ({ from: "tomorrow" })],
  ["an unknown partner", () => ({ partner: "Unknown" })],
  ["an unknown endpoint", () => ({ endpoint_id: "constructor" })],
  ["an endpoint of another partner", () => ({ partner: "Procore", endpoint_id: "n2" })],
  ["a member that is none", () => ({ verdict: "fresh" })],
  ["no days", () => ({ weekly: { ...NIGHTS(), days: [] } })],
  ["an unknown day", () => ({ weekly: { ...NIGHTS(), days: ["Sunday"] } })],
  ["no time of a day", () => ({ weekly: { ...NIGHTS(), from: "24:00" } })],
  ["no time at all", () => ({ weekly: { ...NIGHTS(), from: "06:00", until: "06:00" } })],
  ["an unknown zone", () => ({ weekly: { ...NIGHTS(), time_zone: "Mars/Olympus" } })],
  [
    "never a quiet time",
    (app) => ({ until: hour(app, 0.01), weekly: { ...NIGHTS(), days: [farDay(app)] } }),
  ],
])("refuses %s, and plans nothing", async ([, body], { app }) => {
  await app.check("northgate", [FAILING, STALE, FINE]);
  expect((await plan(app, "ana", body(app))).status).toBe(400);
  expect((await list(app)).data).toEqual([]);
});
const NIGHTS = () => ({ days: ["mon"], from: "22:00", until: "06:00", time_zone: "UTC" });
/** A weekday that isn't within two days of today. */
function farDay(app: IncidentsApp): string {
  const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  return days[(new Date(app.clock.nowMs()).getUTCDay() + 3) % 7] ?? "mon";
}

test("needs no end when weekly, and can't start in the past", async ({ app }) => {
  const every = await planned(app, {
    from: hour(app, -50),
    until: null,
    weekly: {
      days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat", "mon"],
      from: "00:00",
      until: "24:00",
      time_zone: "Europe/Berlin",
    },
  });
  expect(every).toMatchObject({ from: hour(app, 0), until: null, quiet: { until: null } });
  expect(every.weekly?.days).toHaveLength(7);
});

test("uses current time zone names, in requests and for stored earlier names", async ({ app }) => {
  const weekly = { ...NIGHTS(), time_zone: "Europe/Kiev" };
  const { id, weekly: given } = await planned(app, { until: null, weekly });
  expect(given?.time_zone).toBe("Europe/Kyiv");
  await app.database.pool.query(
    `update expectations set weekly = jsonb_set(weekly, '{timeZone}', '"Asia/Calcutta"') where id = $1`,
    [id],
  );
  const found = (await list(app)).data.find((one) => one.id === id);
  expect(found?.weekly?.time_zone).toBe("Asia/Kolkata");
});

test("refuses offsets as zones, with the same example as promises", async ({ app }) => {
  for (const time_zone of ["Etc/GMT+5", "EST", "GMT+0"]) {
    const answer = await plan(app, "ana", { until: null, weekly: { ...NIGHTS(), time_zone } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error_description: "time_zone must be a time zone such as Europe/Oslo.",
    });
  }
});

test("keeps odd characters in a reason as text", async ({ app }) => {
  const { reason } = await planned(app, { reason: "a\u0000b <b>&\u{1F600}" });
  expect(reason).toBe("a b <b>&\u{1F600}");
});

test("is limited to two hundred open ones", async ({ app }) => {
  const { pool } = app.database;
  await pool.query(
    `insert into expectations (company, reason, from_at, until_at, made_by_id, made_by_name, made_at)
     select 'northgate', 'r', $1, $2, $3, 'Ana', $1 from generate_series(1, 200)`,
    [hour(app, 0), hour(app, 1), app.people.ana.id],
  );
  expect((await plan(app, "ana", {})).status).toBe(409);
  await app.clock.advance(HOUR_MS);
  await planned(app);
});

test("keeps its endpoints out of incidents until it ends", async ({ app }) => {
  const { id } = await planned(app, { endpoint_id: "n1" });
  await app.check("northgate", [FAILING, FINE]);
  expect(await incidents(app)).toEqual([]);
  await app.ask("ana", "DELETE", `${PATH}/${id}`);
  await app.check("northgate", [FAILING, FINE]);
  expect(await incidents(app)).toMatchObject([{ partner_name: "Procore", verdict: "failing" }]);
});

test("removes a member as expected when it starts, without calling the incident recovered", async ({
  app,
}) => {
  await app.check("northgate", [FAILING, STALE, FINE]);
  await planned(app, { partner: "Procore" });
  await app.check("northgate", [FAILING, STALE, FINE]);
  await app.clock.advance(10 * 60_000);
  await app.check("northgate", [FAILING, STALE, FINE]);
  const [aconex, procore] = await incidents(app);
  expect(aconex).toMatchObject({ partner_name: "Aconex", state: "open", verdict: "stale" });
  expect(procore).toMatchObject({ partner_name: "Procore", state: "ended", ending: "expected" });
  const answer = await app.ask("vera", "GET", `/companies/northgate/incidents/${procore?.id ?? 0}`);
  const { members, timeline } = IncidentView.parse(await answer.json());
  expect(members).toMatchObject([{ ending: "expected", verdict: "failing" }]);
  expect(JSON.stringify(timeline)).not.toContain("ecovered");
  const status = await app.ask("vera", "GET", "/companies/northgate/sync-status");
  const { rows } = (await status.json()) as { rows: { id: string; verdict: string }[] };
  expect(rows.find(({ id }) => id === "n1")?.verdict).toBe("failing");
});

test("appears in the report's days as it was, cut where it was ended early", async ({ app }) => {
  const fromMs = app.clock.nowMs();
  const { id } = await planned(app, { partner: "Procore", from: hour(app, 1) });
  await planned(app, { endpoint_id: "n3", from: hour(app, 2), until: hour(app, 4) });
  await app.clock.advance(3 * HOUR_MS);
  await app.ask("bo", "DELETE", `${PATH}/${id}`);
  const quietOf = await readPlannedQuiet(app.database, "northgate", {
    fromMs,
    untilMs: fromMs + 24 * HOUR_MS,
  });
  const hours = (endpoint: { id: string; partnerName: string }) =>
    quietOf(endpoint)
      .map((one) => [(one.fromMs - fromMs) / HOUR_MS, (one.untilMs - fromMs) / HOUR_MS])
      .toSorted(([a = 0], [b = 0]) => a - b);
  expect(hours({ id: "n1", partnerName: "Procore" })).toEqual([[1, 3]]);
  expect(hours({ id: "n3", partnerName: "Procore" })).toEqual([
    [1, 3],
    [2, 4],
  ]);
  expect(hours({ id: "n2", partnerName: "Aconex" })).toEqual([]);
});
