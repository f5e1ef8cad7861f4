import { eq } from "drizzle-orm";
import { expect, onTestFinished } from "vitest";
import * as calendarRoute from "@/app/calendar/[name]/route";
import type { MadeCalendar } from "@/lib/contracts/lists/calendars";
import { CalendarsView } from "@/lib/contracts/lists/calendars";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { WRONG_TOKENS } from "@/lib/server/auth/share-links";
import { newShareToken } from "@/lib/server/auth/share-token";
import {
  incidentsTest,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { observe } from "@/lib/server/operations/today/observe-fixture";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { endPause } from "@/lib/server/store/pauses/pauses";
import { calendars } from "@/lib/server/store/schema/calendars";
import { people } from "@/lib/server/store/schema/people";
import { MAX_CALENDARS } from "./calendars";

type Name = keyof IncidentsApp["people"];
const PATH = "/companies/northgate/calendars";

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.database.orm.delete(calendars);
  // A calendar is kept for a minute.
  await app.clock.advance(MINUTE_MS);
  app.serve(app.handlersRuntime as never);
  await observe(app, "northgate", [
    { id: "n1", partner: "Procore; Ltd, \u{1F600}", key: "rfis", verdict: "fresh" },
  ]);
});

async function make(app: IncidentsApp, as: Name = "ana"): Promise<MadeCalendar> {
  const answer = await app.ask(as, "POST", PATH);
  expect(answer.status).toBe(201);
  return (await answer.json()) as MadeCalendar;
}
function read(app: IncidentsApp, url: string): Promise<Response> {
  const { pathname } = new URL(url);
  const name = pathname.split("/")[2] ?? "";
  // A client without a session.
  const request = new Request(url, { headers: { "x-plumbline-client-address": "192.0.2.77" } });
  return calendarRoute.GET(request, { params: Promise.resolve({ name }) });
}
const plan = async (app: IncidentsApp) => {
  const nowMs = app.clock.nowMs();
  const quiet = await app.ask("ana", "POST", "/companies/northgate/expectations", {
    partner: "Procore; Ltd, \u{1F600}",
    reason: "a secret reason",
    until: iso(nowMs + HOUR_MS),
  });
  const promise = await app.ask("ana", "POST", "/companies/northgate/promises", {
    by: "08:00",
    days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    time_zone: "Europe/Oslo",
    allowance_minutes: 15,
    note: "a secret note",
  });
  expect([quiet.status, promise.status]).toEqual([201, 201]);
};

test("has quiet times and promises, without reasons, notes and people", async ({ app }) => {
  await plan(app);
  const { url } = await make(app);
  expect(url).toMatch(/^http:\/\/localhost:3000\/calendar\/[\w-]{33}\.ics$/);
  const answer = await read(app, url);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "x-robots-tag": "noindex, nofollow",
    "cache-control": "private, no-store",
  });
  const text = await answer.text();
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(text).toContain("SUMMARY:Quiet time: Procore\\; Ltd\\, \u{1F600}\r\n");
  const promised = text.match(/SUMMARY:Promise: all partners/g) ?? [];
  expect(promised.length).toBeGreaterThan(90);
  for (const secret of ["secret", "ana", "example.com"]) expect(text).not.toContain(secret);
});

test("shows new ones within a minute", async ({ app }) => {
  const { url } = await make(app);
  expect(await (await read(app, url)).text()).not.toContain("VEVENT");
  await plan(app);
  await app.clock.advance(MINUTE_MS);
  expect(await (await read(app, url)).text()).toContain("VEVENT");
});

test("shows a changed promise with its new time, and days before as they were", async ({ app }) => {
  const rule = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], time_zone: "UTC" };
  const promises = "/companies/northgate/promises";
  const made = await app.ask("ana", "POST", promises, { ...rule, by: "08:00" });
  const { id } = (await made.json()) as { id: string };
  const { url } = await make(app);
  const events = async () =>
    (await (await read(app, url)).text())
      .split("BEGIN:VEVENT")
      .filter((event) => event.includes(`UID:promise-${id}`))
      .map((event) => ["DTSTART", "LAST-MODIFIED"].map((name) => valueOf(event, name)));
  const madeMs = app.clock.nowMs();
  await app.clock.advance(2 * DAY_MS);
  await app.people.ana.browser.signIn("ana@example.com");
  const changedMs = app.clock.nowMs();
  const patched = await app.ask("ana", "PATCH", `${promises}/${id}`, { by: "09:30" });
  expect(patched.status).toBe(200);
  const found = await events();
  const past = found.filter(([start = ""]) => start < stamp(changedMs));
  expect(past).toHaveLength(2);
  for (const [start, changed] of past)
    expect([start?.slice(9), changed]).toEqual(["080000Z", stamp(madeMs)]);
  for (const [start, changed] of found.slice(past.length))
    expect([start?.slice(9), changed]).toEqual(["093000Z", stamp(changedMs)]);
});

const valueOf = (event: string, name: string) =>
  new RegExp(String.raw`\n${name}:(\w+)`).exec(event)?.[1];
const stamp = (ms: number) => `${iso(ms).slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

test("answers revoked, ended, paused and unknown ones with the same bytes", async ({ app }) => {
  const bytes = async (url: string) => {
    await app.clock.advance(RECHECK_MS + 1);
    const answer = await read(app, url);
    const headers = Object.fromEntries(answer.headers);
    return JSON.stringify([answer.status, headers, await answer.text()]);
  };
  const origin = "http://localhost:3000/calendar";
  const unknown = await bytes(`${origin}/${newShareToken(app.runtime.authSecret, "calendar")}.ics`);
  expect(unknown).toMatch(/^\[404,/);
  expect(await bytes(`${origin}/nothing.ics`)).toBe(unknown);
  expect(await bytes(`${origin}/nothing`)).toBe(unknown);
  expect(await bytes(`${origin}/${newShareToken(app.runtime.authSecret)}.ics`)).toBe(unknown);

  const { id, url } = await make(app);
  expect((await read(app, url)).status).toBe(200);
  expect(await bytes(url.replace(".ics", ""))).toBe(unknown);
  const { orm } = app.database;
  const disable = (disabledAt: Date | null) =>
    orm.update(people).set({ disabledAt }).where(eq(people.id, app.people.ana.id));
  await disable(new Date(0));
  expect(await bytes(url)).toBe(unknown);
  await disable(null);
  await app.clock.advance(RECHECK_MS + 1);
  expect((await read(app, url)).status).toBe(200);
  const nowMs = app.clock.nowMs();
  await pauseByRestore(app.database, "links", nowMs);
  expect(await bytes(url)).toBe(unknown);
  const ada = { id: app.people.ada.id, name: "Ada", email: "ada@example.com" };
  await endPause(app.database, "links", {
    person: ada,
    requestId: "1",
    nowMs,
    companies: ["northgate"],
  });
  await app.clock.advance(RECHECK_MS + 1);
  expect((await read(app, url)).status).toBe(200);
  expect((await app.ask("ana", "DELETE", `${PATH}/${id}`)).status).toBe(204);
  expect(await bytes(url)).toBe(unknown);
  expect((await app.ask("ana", "DELETE", `${PATH}/${id}`)).status).toBe(204);
});

test("doesn't expire", async ({ app }) => {
  const { url } = await make(app);
  await app.clock.advance(400 * DAY_MS);
  expect((await read(app, url)).status).toBe(200);
});

test("is made and revoked by members, each their own, and by administrators", async ({ app }) => {
  const own = await make(app, "ana");
  await make(app, "ada");
  const list = async (as: Name) =>
    CalendarsView.parse(await (await app.ask(as, "GET", PATH)).json()).data;
  expect(await list("ana")).toMatchObject([
    { id: own.id, is_open: true, made_by: { is_you: true } },
  ]);
  expect(await list("bo")).toEqual([]);
  expect(await list("ada")).toHaveLength(2);
  expect((await app.ask("vera", "GET", PATH)).status).toBe(403);
  expect((await app.ask("vera", "POST", PATH)).status).toBe(403);
  expect((await app.ask("hal", "POST", PATH)).status).toBe(404);
  expect((await app.ask("bo", "DELETE", `${PATH}/${own.id}`)).status).toBe(404);
  expect((await app.ask("ana", "DELETE", `${PATH}/nothing`)).status).toBe(404);
  expect((await app.ask("ada", "DELETE", `${PATH}/${own.id}`)).status).toBe(204);
  expect((await app.ask("ana", "POST", PATH, { days: 7 })).status).toBe(400);
});

test("stores no token, and logs none", async ({ app }) => {
  const { url } = await make(app);
  await read(app, url);
  await read(app, `${url}x`);
  const token = new URL(url).pathname.split(/[/.]/)[2] ?? "";
  const [row] = await app.database.orm.select().from(calendars);
  expect(JSON.stringify(row)).not.toContain(token);
  expect(app.logText()).not.toContain(token);
  const { rows } = await app.database.pool.query<{ log: string }>(
    "select string_agg(to_jsonb(audit_log)::text, '') as log from audit_log",
  );
  expect(rows[0]?.log).toContain("make-calendar");
  expect(rows[0]?.log).not.toContain(token);
});

test("has limits: calendars per person, reads per client, and unknown tokens", async ({ app }) => {
  const { url } = await make(app);
  for (let made = 1; made < MAX_CALENDARS; made += 1) await make(app);
  expect((await app.ask("ana", "POST", PATH)).status).toBe(409);
  const statuses = [];
  for (let reads = 0; reads < 31; reads += 1) statuses.push((await read(app, url)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

/** Statements that name a calendar's token. */
function countLookUps(app: IncidentsApp): { count: number } {
  const { pool } = app.database;
  const looked = { count: 0 };
  const before = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  pool.query = ((...given: unknown[]) => {
    if (JSON.stringify(given[0]).includes("token_hash")) looked.count += 1;
    return before(...given);
  }) as typeof pool.query;
  onTestFinished(() => void Reflect.deleteProperty(pool, "query"));
  return looked;
}

test("is looked up once in a few seconds, and not for clients over their limit", async ({
  app,
}) => {
  const { url } = await make(app);
  const looked = countLookUps(app);
  for (let reads = 0; reads < 5; reads += 1) expect((await read(app, url)).status).toBe(200);
  expect(looked.count).toBe(1);
  const wrong = () => `http://localhost:3000/calendar/${newShareToken("no secret of ours")}.ics`;
  for (let tries = 0; tries <= WRONG_TOKENS.limit; tries += 1) await read(app, wrong());
  expect((await read(app, wrong())).status).toBe(429);
  const unknown = `http://localhost:3000/calendar/${newShareToken(app.runtime.authSecret, "calendar")}.ics`;
  expect((await read(app, unknown)).status).toBe(429);
  expect(looked.count).toBe(1);
});
