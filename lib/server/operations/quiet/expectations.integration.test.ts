import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { IncidentsView, IncidentView } from "@/lib/contracts/incidents";
import { Expectation, ExpectationsView } from "@/lib/contracts/quiet";
import {
  createIncidentsFixture,
  type Found,
  type IncidentsFixture,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { readActions } from "@/lib/server/store/audit/activity";
import { readPlannedQuiet } from "@/lib/server/store/report/planned-quiet";
import { HOUR_MS } from "@/lib/domain/time/units";

const PATH = "/companies/northgate/expectations";
const FAILING: Found = { id: "n1", partner: "Procore", key: "daily_logs", verdict: "failing" };
const STALE: Found = { id: "n2", partner: "Aconex", key: "mail", verdict: "stale" };
const FINE: Found = { id: "n3", partner: "Procore", key: "rfis", verdict: "fresh" };

let fixture: IncidentsFixture;
beforeAll(async () => {
  fixture = await createIncidentsFixture();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.begin();
  await fixture.check("northgate", [{ ...FAILING, verdict: "fresh" }, FINE]);
});

type Who = keyof IncidentsFixture["people"];
const hour = (hours: number) => new Date(fixture.clock.nowMs() + hours * HOUR_MS).toISOString();
const plan = (as: Who, body: Record<string, unknown>) =>
  fixture.ask(as, "POST", PATH, { reason: "ERP upgrade", until: hour(10), ...body });
const planned = async (body: Record<string, unknown> = {}, as: Who = "ana") => {
  const answer = await plan(as, body);
  expect(answer.status).toBe(201);
  return Expectation.parse(await answer.json());
};
const list = async (as: Who = "vera", query = "") =>
  ExpectationsView.parse(await (await fixture.ask(as, "GET", `${PATH}${query}`)).json());
const incidents = async () =>
  IncidentsView.parse(
    await (await fixture.ask("vera", "GET", "/companies/northgate/incidents")).json(),
  ).data;

test("is planned by one member, visible to the whole company, and ended by another member", async () => {
  const made = await planned({ partner: "Procore" });
  expect(made).toMatchObject({
    partner_name: "Procore",
    endpoint_id: null,
    reason: "ERP upgrade",
    is_quiet: true,
    made_by: { name: "ana@example.com", is_you: true },
    quiet: { from: hour(0), until: hour(10) },
  });
  const { data, meta } = await list();
  expect(data).toEqual([{ ...made, made_by: { ...made.made_by, is_you: false } }]);
  expect(meta.total_count).toBe(1);

  await fixture.clock.advance(HOUR_MS);
  const end = () => fixture.ask("bo", "DELETE", `${PATH}/${made.id}`);
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(204);
  expect((await list()).data).toEqual([]);
  const [over] = (await list("vera", "?state=over")).data;
  expect(over).toMatchObject({ id: made.id, ended_at: hour(0), ended_by: "bo@example.com" });

  const filters = { q: null, outcome: null, personEmail: null, fromMs: null, untilMs: null };
  const page = { start: { offset: 0 }, limit: 2 };
  const actions = await readActions(fixture.database, "northgate", filters, page);
  expect(actions.map(({ rows: [{ event, detail }] }) => [event, detail["subject"]])).toEqual([
    ["end.asked", "Procore"],
    ["plan.asked", "Procore"],
  ]);
});

test("is refused to viewers, strangers and people of other companies", async () => {
  const { id } = await planned();
  for (const as of ["vera", "hal"] as const) {
    expect((await plan(as, {})).status).toBeGreaterThanOrEqual(403);
    expect((await fixture.ask(as, "DELETE", `${PATH}/${id}`)).status).toBeGreaterThanOrEqual(403);
  }
  const elsewhere = await fixture.ask("hal", "DELETE", `/companies/harbour/expectations/${id}`);
  expect(elsewhere.status).toBe(404);
  expect((await list()).data).toHaveLength(1);
});

test.each<[string, () => Record<string, unknown>]>([
  ["no reason", () => ({ reason: "  " })],
  ["a long reason", () => ({ reason: "x".repeat(201) })],
  ["no end", () => ({ until: null })],
  ["an end that has passed", () => ({ until: hour(-1) })],
  ["an end before its beginning", () => ({ from: hour(5), until: hour(4) })],
  ["an end that is too far", () => ({ until: hour(24 * 400) })],
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
  ["never a quiet time", () => ({ until: hour(0.01), weekly: { ...NIGHTS(), days: [farDay()] } })],
])("refuses %s, and plans nothing", async (_, body) => {
  await fixture.check("northgate", [FAILING, STALE, FINE]);
  expect((await plan("ana", body())).status).toBe(400);
  expect((await list()).data).toEqual([]);
});
const NIGHTS = () => ({ days: ["mon"], from: "22:00", until: "06:00", time_zone: "UTC" });
/** A weekday that isn't within two days of today. */
function farDay(): string {
  const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  return days[(new Date(fixture.clock.nowMs()).getUTCDay() + 3) % 7] ?? "mon";
}

test("needs no end when weekly, and can't start in the past", async () => {
  const every = await planned({
    from: hour(-50),
    until: null,
    weekly: {
      days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat", "mon"],
      from: "00:00",
      until: "24:00",
      time_zone: "Europe/Berlin",
    },
  });
  expect(every).toMatchObject({ from: hour(0), until: null, quiet: { until: null } });
  expect(every.weekly?.days).toHaveLength(7);
});

test("uses current time zone names, in requests and for stored earlier names", async () => {
  const weekly = { ...NIGHTS(), time_zone: "Europe/Kiev" };
  const { id, weekly: given } = await planned({ until: null, weekly });
  expect(given?.time_zone).toBe("Europe/Kyiv");
  await fixture.database.pool.query(
    `update expectations set weekly = jsonb_set(weekly, '{timeZone}', '"Asia/Calcutta"') where id = $1`,
    [id],
  );
  const found = (await list()).data.find((one) => one.id === id);
  expect(found?.weekly?.time_zone).toBe("Asia/Kolkata");
});

test("keeps odd characters in a reason as text", async () => {
  const { reason } = await planned({ reason: "a\u0000b <b>&\u{1F600}" });
  expect(reason).toBe("a\u{FFFD}b <b>&\u{1F600}");
});

test("is limited to two hundred open ones", async () => {
  const { pool } = fixture.database;
  await pool.query(
    `insert into expectations (company, reason, from_at, until_at, made_by_id, made_by_name, made_at)
     select 'northgate', 'r', $1, $2, $3, 'Ana', $1 from generate_series(1, 200)`,
    [hour(0), hour(1), fixture.people.ana.id],
  );
  expect((await plan("ana", {})).status).toBe(409);
  await fixture.clock.advance(HOUR_MS);
  await planned();
});

test("keeps its endpoints out of incidents until it ends", async () => {
  const { id } = await planned({ endpoint_id: "n1" });
  await fixture.check("northgate", [FAILING, FINE]);
  expect(await incidents()).toEqual([]);
  await fixture.ask("ana", "DELETE", `${PATH}/${id}`);
  await fixture.check("northgate", [FAILING, FINE]);
  expect(await incidents()).toMatchObject([{ partner_name: "Procore", verdict: "failing" }]);
});

test("removes a member as expected when it starts, without calling the incident recovered", async () => {
  await fixture.check("northgate", [FAILING, STALE, FINE]);
  await planned({ partner: "Procore" });
  await fixture.check("northgate", [FAILING, STALE, FINE]);
  await fixture.clock.advance(10 * 60_000);
  await fixture.check("northgate", [FAILING, STALE, FINE]);
  const [aconex, procore] = await incidents();
  expect(aconex).toMatchObject({ partner_name: "Aconex", state: "open", verdict: "stale" });
  expect(procore).toMatchObject({ partner_name: "Procore", state: "ended", ending: "expected" });
  const answer = await fixture.ask(
    "vera",
    "GET",
    `/companies/northgate/incidents/${procore?.id ?? 0}`,
  );
  const { members, timeline } = IncidentView.parse(await answer.json());
  expect(members).toMatchObject([{ ending: "expected", verdict: "failing" }]);
  expect(JSON.stringify(timeline)).not.toContain("ecovered");
  const status = await fixture.ask("vera", "GET", "/companies/northgate/sync-status");
  const { rows } = (await status.json()) as { rows: { id: string; verdict: string }[] };
  expect(rows.find(({ id }) => id === "n1")?.verdict).toBe("failing");
});

test("appears in the report's days as it was, cut where it was ended early", async () => {
  const fromMs = fixture.clock.nowMs();
  const { id } = await planned({ partner: "Procore", from: hour(1) });
  await planned({ endpoint_id: "n3", from: hour(2), until: hour(4) });
  await fixture.clock.advance(3 * HOUR_MS);
  await fixture.ask("bo", "DELETE", `${PATH}/${id}`);
  const quietOf = await readPlannedQuiet(fixture.database, "northgate", {
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
