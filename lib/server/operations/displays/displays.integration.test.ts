import { eq } from "drizzle-orm";
import { describe, expect } from "vitest";
import * as displaysRoute from "@/app/api/displays/route";
import * as displayRoute from "@/app/api/displays/[id]/route";
import * as reloadRoute from "@/app/api/displays/[id]/reload/route";
import * as revokeRoute from "@/app/api/displays/[id]/revoke/route";
import * as pairRoute from "@/app/api/pair/route";
import * as reportRoute from "@/app/api/wall/report/route";
import * as wallRoute from "@/app/api/wall/route";
import * as expectationsRoute from "@/app/api/companies/[company]/expectations/route";
import * as wallIncidentsRoute from "@/app/api/wall/companies/[company]/incidents/route";
import type { Display, DisplaysView, PairingRequest, PairingView } from "@/lib/contracts/wall";
import { groupedCode } from "@/lib/domain/pairing-code";
import { createBrowser, withParams } from "@/lib/server/gate/app-fixture";
import type { NextHandler } from "@/lib/server/gate/route";
import { displayTest, SETTINGS, type DisplayApp } from "@/lib/server/gate/display-fixture";
import { secretHash } from "@/lib/server/auth/secret";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { incidents } from "@/lib/server/store/schema/incidents";
import { displays, pairings } from "@/lib/server/store/schema/displays";
import { signInAttempts } from "@/lib/server/store/schema/people";
import { MAX_OPEN_PAIRINGS, PAIRING_MS, PAIRINGS_PER_MINUTE } from "./start-pairing";
import { WRONG_CODES } from "./pair-display";

type Browser = ReturnType<typeof createBrowser>;

const NO_CODE = "ZZZZZZZZ";
const COOKIE = "plumbline-display";

const test = displayTest();
let screen: Browser;
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(pairings);
  await app.database.orm.delete(signInAttempts);
  await app.admin.signIn("ana@example.com");
  screen = app.screen();
});

async function json<T>(answer: Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

const start = (browser: Browser) => browser.send(pairRoute.POST, "/api/pair", { body: {} });
const ask = (browser: Browser) => json<PairingView>(browser.send(pairRoute.GET, "/api/pair"));
const type = (app: DisplayApp, code: string, more: Partial<PairingRequest> = {}, by = app.admin) =>
  by.send(displaysRoute.POST, "/api/displays", {
    body: { ...SETTINGS, replaces: null, ...more, code },
  });
const act = (
  app: DisplayApp,
  handler: NextHandler,
  id: string,
  body: unknown = {},
  by = app.admin,
) => by.send(handler, `/api/displays/${id}`, { method: "POST", body, params: { id } });
const fleet = (app: DisplayApp) =>
  json<DisplaysView>(app.admin.send(displaysRoute.GET, "/api/displays"));
const inFleet = async (app: DisplayApp, id: string) =>
  (await fleet(app)).displays.find((one) => one.id === id);
const isOnWall = async (browser: Browser) =>
  (await browser.send(wallRoute.GET, "/api/wall")).status === 200;

async function codeOn(browser: Browser): Promise<string> {
  const view = await json<PairingView>(start(browser));
  if (view.state !== "waiting") throw new Error(`the screen is ${view.state}`);
  return view.code;
}

/** Events in a company's audit log, as "revoke Room 3". */
async function logged(app: DisplayApp, company: string): Promise<string[]> {
  const actions = await readActions(app.database, company, UNFILTERED, {
    start: { offset: 0 },
    limit: 100,
  });
  return actions.map(
    ({ rows: [{ kind, event, detail }] }) => `${kind} ${event} ${String(detail["subject"])}`,
  );
}

describe("who acknowledged an incident", () => {
  const incidentsFor = async (browser: Browser, company = "northgate") =>
    browser.send(wallIncidentsRoute.GET, `/api/wall/companies/${company}/incidents`, {
      params: { company },
    });

  test("is named only on a display that is set to show names; no other data about people or incidents is sent", async ({
    app,
  }) => {
    const bo = await app.addPerson("bo.lund@example.com", "member", ["northgate"]);
    const at = new Date(app.clock.nowMs());
    const member = {
      endpointKey: "rfis",
      verdict: "late",
      trouble: "late",
      beganMs: 0,
      joinedMs: 0,
      landedMs: null,
      landedBeforeMs: null,
      receivedMs: null,
    } as const;
    const open = {
      company: "northgate",
      partnerName: "Procore",
      beganAt: at,
      openedAt: at,
      worstVerdict: "late",
      flaps: 0,
    } as const;
    await app.database.orm.insert(incidents).values([
      {
        ...open,
        id: 1,
        ownerId: bo,
        acknowledgedById: bo,
        acknowledgedAt: at,
        members: [
          { ...member, endpointId: "a", endedMs: null, ending: null },
          { ...member, endpointId: "ended", endedMs: 1, ending: "data_received" },
        ],
      },
      {
        ...open,
        id: 2,
        ownerId: bo,
        members: [{ ...member, endpointId: "b", endedMs: null, ending: null }],
      },
      {
        ...open,
        id: 3,
        acknowledgedById: bo,
        acknowledgedAt: at,
        acknowledgedUntil: at,
        members: [{ ...member, endpointId: "c", endedMs: null, ending: null }],
      },
    ]);
    const incidentsOnWall = async (settings: Partial<PairingRequest>) => {
      const wall = app.screen();
      const display = await app.pair(wall, settings);
      expect((await inFleet(app, display.id))?.shows_people).toBe(settings.shows_people);
      return (await incidentsFor(wall)).json();
    };
    const openWith = (by: string | null) => {
      const began_at = new Date(0).toISOString();
      const incident = (
        id: number,
        endpoint_id: string,
        acknowledged: { by: string | null } | null,
      ) => ({
        id,
        partner_name: "Procore",
        fleet_id: null,
        members: [{ endpoint_id, began_at }],
        acknowledged,
      });
      return [incident(1, "a", { by }), incident(2, "b", null), incident(3, "c", null)];
    };
    expect(await incidentsOnWall({})).toEqual({ open: openWith(null), quiet: [] });
    expect(await incidentsOnWall({ shows_people: false })).toEqual(await incidentsOnWall({}));
    expect(await incidentsOnWall({ shows_people: true })).toEqual({
      open: openWith("bo.lund"),
      quiet: [],
    });
    // A person's own wall view may hang on any screen, so it shows no names.
    expect(await (await incidentsFor(app.admin)).json()).toEqual(await incidentsOnWall({}));
    await app.pair(screen, { shows_people: true });
    expect((await incidentsFor(screen, "harbour")).status).toBe(404);
    expect((await incidentsFor(app.screen())).status).toBe(401);
    const refused = await app.admin.send(displaysRoute.POST, "/api/displays", {
      body: { ...SETTINGS, code: NO_CODE, replaces: null, shows_people: "yes" },
    });
    expect(refused.status).toBe(400);
    await app.database.orm.delete(incidents);
  });
});

test("a wall gets the quiet times in effect, without reason or author", async ({ app }) => {
  await app.pair(screen);
  const on = (reason: string, fromMs: number) =>
    app.admin.send(expectationsRoute.POST, "/api/companies/northgate/expectations", {
      params: { company: "northgate" },
      body: {
        reason,
        from: new Date(fromMs).toISOString(),
        until: new Date(fromMs + 60 * 60_000).toISOString(),
      },
    });
  const planned = await on("secret upgrade", app.clock.nowMs() + 60_000);
  expect(planned.status).toBe(201);
  const onWall = async () => {
    const answer = await screen.send(
      wallIncidentsRoute.GET,
      "/api/wall/companies/northgate/incidents",
      { params: { company: "northgate" } },
    );
    return answer.json();
  };
  expect(await onWall()).toEqual({ open: [], quiet: [] });
  await app.clock.advance(120_000);
  expect(await onWall()).toEqual({
    open: [],
    quiet: [{ partner: null, endpoint_id: null }],
  });
});

describe("pairing", () => {
  test("shows a code on the screen, accepts it in any spelling, and pairs the screen", async ({
    app,
  }) => {
    const code = await codeOn(screen);
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{8}$/);
    expect(await ask(screen)).toMatchObject({ state: "waiting", code });
    expect(await isOnWall(screen)).toBe(false);
    const typed = await type(app, ` ${groupedCode(code).toLowerCase().replace(" ", " – ")} `);
    expect(typed.status).toBe(201);
    expect(await typed.json()).toMatchObject({
      ...SETTINGS,
      created_by: "ana@example.com",
      waiting_since: expect.any(String) as unknown,
      last_seen_at: null,
    });
    expect(await ask(screen)).toEqual({ state: "paired" });
    expect(screen.jar.has("plumbline-pairing")).toBe(false);
    expect(await isOnWall(screen)).toBe(true);
    // Opening /pair on a paired screen redirects to the wall.
    expect(await ask(screen)).toEqual({ state: "paired" });
  });

  test("stores neither the code nor the secret", async ({ app }) => {
    const code = await codeOn(screen);
    const [row] = await app.database.orm.select().from(pairings);
    const secret = screen.jar.get("plumbline-pairing")?.split(".")[0] ?? "";
    expect(row).toMatchObject({ codeHash: secretHash(code), secretHash: secretHash(secret) });
    expect(JSON.stringify(row)).not.toContain(code);
  });

  test("accepts a code once, even when two administrators type it concurrently", async ({
    app,
  }) => {
    await app.addPerson("bo@example.com", "administrator");
    const bo = createBrowser(app.runtime);
    await bo.signIn("bo@example.com");
    const code = await codeOn(screen);
    const answers = await Promise.all([
      type(app, code),
      type(app, code, {}, bo),
      type(app, code, {}, bo),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404]);
    expect((await type(app, code)).status).toBe(404);
  });

  test("expires a code after ten minutes, and the screen is informed", async ({ app }) => {
    const code = await codeOn(screen);
    await app.clock.advance(PAIRING_MS - 1);
    expect(await ask(screen)).toMatchObject({ state: "waiting" });
    await app.clock.advance(1);
    expect((await type(app, code)).status).toBe(404);
    expect(await ask(screen)).toEqual({ state: "ended" });
    expect(screen.jar.size).toBe(0);
  });

  test("expires no code when the clock jumps a day ahead, and extends none", async ({ app }) => {
    const code = await codeOn(screen);
    for (const jump of [app.jumpOurs, (ms: number) => app.clock.jump(ms)]) {
      jump(24 * 3_600_000);
      // Longer than the database's time is cached.
      await app.clock.advance(61_000);
      const view = await ask(screen);
      if (view.state !== "waiting") throw new Error(`the screen is ${view.state}`);
      // By our clock, as the page is.
      const leftMs = Date.parse(view.expires_at) - app.clock.nowMs();
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThan(PAIRING_MS);
      const other = app.screen();
      await codeOn(other);
      jump(-24 * 3_600_000);
      await app.clock.advance(61_000);
      expect(await ask(other)).toMatchObject({ state: "waiting" });
    }
    expect((await type(app, code)).status).toBe(201);
    const late = app.screen();
    app.clock.jump(24 * 3_600_000);
    await codeOn(late);
    app.clock.jump(-24 * 3_600_000);
    await app.clock.advance(PAIRING_MS);
    expect(await ask(late)).toEqual({ state: "ended" });
  });

  test("counts a wrong code as a guess at every open code: after five, all are void", async ({
    app,
  }) => {
    const other = app.screen();
    const codes = [await codeOn(screen), await codeOn(other)];
    for (let guess = 0; guess < 4; guess += 1) expect((await type(app, NO_CODE)).status).toBe(404);
    expect(await ask(screen)).toMatchObject({ state: "waiting" });
    expect((await type(app, NO_CODE)).status).toBe(404);
    for (const code of codes) expect((await type(app, code)).status).toBe(404);
    expect(await ask(screen)).toEqual({ state: "ended" });
    expect(await ask(other)).toEqual({ state: "ended" });
  });

  test("pairs nothing after a thousand wrong guesses", async ({ app }) => {
    const before = (await fleet(app)).displays.length;
    const code = await codeOn(screen);
    const statuses = new Map<number, number>();
    const guess = async (nth: number) => {
      const { status } = await type(app, `GUESS${nth}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (let nth = 0; nth < 1_000; nth += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, at) => guess(nth + at)));
    }
    expect(Object.fromEntries(statuses)).toEqual({
      404: WRONG_CODES.limit,
      429: 1_000 - WRONG_CODES.limit,
    });
    // Another person, without wrong guesses so far, can't pair this screen either.
    await app.database.orm.delete(signInAttempts);
    // A minute later the session has its 600 requests again.
    await app.clock.advance(60_000);
    expect((await type(app, code)).status).toBe(404);
    expect((await fleet(app)).displays).toHaveLength(before);
    expect(await ask(screen)).toEqual({ state: "ended" });
  });

  test("allows one person twenty wrong codes in ten minutes, not counting right ones", async ({
    app,
  }) => {
    for (let guess = 0; guess < WRONG_CODES.limit; guess += 1) {
      expect((await type(app, NO_CODE)).status).toBe(404);
    }
    const code = await codeOn(screen);
    const refused = await type(app, code);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(600);
    await app.clock.advance(WRONG_CODES.lengthMs);
    for (let room = 0; room <= WRONG_CODES.limit; room += 1) {
      const next = createBrowser(app.runtime, { address: `198.51.100.${room}` });
      expect((await type(app, await codeOn(next))).status).toBe(201);
    }
  });

  test("gives an address ten codes a minute, and drops the oldest of more than a thousand", async ({
    app,
  }) => {
    const oldest = app.screen();
    await codeOn(oldest);
    await app.clock.advance(1_000);
    for (let nth = 0; nth < PAIRINGS_PER_MINUTE; nth += 1) {
      expect((await start(screen)).status).toBe(200);
    }
    const refused = await start(screen);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await app.clock.advance(60_000);
    expect((await start(screen)).status).toBe(200);

    const nowMs = app.clock.nowMs();
    await app.database.orm.insert(pairings).values(
      Array.from({ length: MAX_OPEN_PAIRINGS }, (_, nth) => ({
        codeHash: `code ${nth}`,
        secretHash: `secret ${nth}`,
        createdAt: new Date(nowMs),
        expiresAt: new Date(nowMs + PAIRING_MS),
      })),
    );
    const late = app.screen();
    await type(app, await codeOn(late));
    expect(await ask(late)).toEqual({ state: "paired" });
    expect(await ask(oldest)).toEqual({ state: "ended" });
  });

  test("returns a lost credential again within two minutes, until one was used", async ({
    app,
  }) => {
    const code = await codeOn(screen);
    await type(app, code);
    const pairing = screen.jar.get("plumbline-pairing") ?? "";
    const lost = createBrowser(app.runtime);
    lost.jar.set("plumbline-pairing", pairing);
    expect(await ask(lost)).toEqual({ state: "paired" });
    await app.clock.advance(60_000);
    expect(await ask(screen)).toEqual({ state: "paired" });
    expect(screen.jar.get(COOKIE)).not.toBe(lost.jar.get(COOKIE));
    expect(await isOnWall(screen)).toBe(true);

    const late = createBrowser(app.runtime);
    late.jar.set("plumbline-pairing", pairing);
    expect(await ask(late)).toEqual({ state: "ended" });
    expect(await isOnWall(late)).toBe(false);
  });

  test("withdraws a credential that isn't fetched in time", async ({ app }) => {
    await type(app, await codeOn(screen));
    const pairing = screen.jar.get("plumbline-pairing") ?? "";
    await ask(screen);
    await app.clock.advance(120_000);
    const late = createBrowser(app.runtime);
    late.jar.set("plumbline-pairing", pairing);
    expect(await ask(late)).toEqual({ state: "ended" });
  });

  test("moves a display to another screen, and signs out the previous one at once", async ({
    app,
  }) => {
    const { id } = await app.pair(screen);
    const next = app.screen();
    const again = await app.pair(next, { replaces: id, name: "Room 3, new TV" });
    expect(again).toMatchObject({ id, name: "Room 3, new TV", last_seen_at: null });
    expect(await isOnWall(next)).toBe(true);
    await app.clock.advance(3_000);
    expect(await isOnWall(screen)).toBe(false);
  });

  test("signs out a screen that had yet to fetch the credential", async ({ app }) => {
    const slow = app.screen();
    const typed = await type(app, await codeOn(slow));
    const { id } = (await typed.json()) as Display;
    await app.pair(screen, { replaces: id });
    expect(await ask(slow)).toEqual({ state: "ended" });
    expect(await isOnWall(screen)).toBe(true);
  });

  test("gives no credential for a display that was revoked before its screen came", async ({
    app,
  }) => {
    const typed = await type(app, await codeOn(screen));
    const { id } = (await typed.json()) as Display;
    await act(app, revokeRoute.POST, id);
    expect(await ask(screen)).toEqual({ state: "ended" });
  });

  test("uses up neither code nor guess for a display that does not exist", async ({ app }) => {
    const code = await codeOn(screen);
    const replaces = "00000000-0000-4000-8000-000000000000";
    expect((await type(app, code, { replaces })).status).toBe(404);
    expect((await type(app, code)).status).toBe(201);
  });

  test("requires our own page as origin, on the screen too", async () => {
    const headers = { "content-type": "application/json", origin: "http://evil.example" };
    const request = screen.request("/api/pair", { method: "POST", headers, body: "{}" });
    const answer = await pairRoute.POST(request, withParams());
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("refuses a cookie with another screen's code", async () => {
    await codeOn(screen);
    const [secret] = (screen.jar.get("plumbline-pairing") ?? "").split(".");
    screen.jar.set("plumbline-pairing", `${secret}.${NO_CODE}`);
    expect(await ask(screen)).toEqual({ state: "ended" });
  });
});

describe("the settings of a display", () => {
  const bad: readonly (readonly [string, Partial<PairingRequest>])[] = [
    ["name", { name: "  " }],
    ["name", { name: "x".repeat(61) }],
    ["companies", { companies: ["northgate", "nowhere"] }],
    ["companies", { companies: [] }],
    ["time_zone", { time_zone: "Mars/Olympus" }],
    ["time_zone", { time_zone: "+01:00" }],
    ["expires_at", { expires_at: "tomorrow" }],
    ["expires_at", { expires_at: "2001-01-01T00:00:00Z" }],
    ["expires_at", { expires_at: "2999-01-01T00:00:00Z" }],
    ["replaces", { replaces: "no id" }],
  ];
  test.for(bad)(
    "are refused by field name for a bad %s, without using up the code: %o",
    async ([member, body], { app }) => {
      const code = await codeOn(screen);
      const answer = await type(app, code, body);
      expect(answer.status).toBe(400);
      const { error_description: words } = (await answer.json()) as { error_description: string };
      expect(words).toContain(member);
      expect((await type(app, code)).status).toBe(201);
    },
  );

  test("use current time zone names, in requests and for stored earlier names", async ({ app }) => {
    const { id } = await app.pair(screen, { time_zone: "Europe/Kiev" });
    expect((await inFleet(app, id))?.time_zone).toBe("Europe/Kyiv");
    await app.database.pool.query(
      `update displays set settings = jsonb_set(settings, '{time_zone}', '"Asia/Calcutta"') where id = $1`,
      [id],
    );
    expect((await inFleet(app, id))?.time_zone).toBe("Asia/Kolkata");
  });

  test("keep hostile names as text", async ({ app }) => {
    const name = `<b>"; drop table displays --\0\u{d800}`;
    const { id } = await app.pair(screen, { name });
    expect((await inFleet(app, id))?.name).toBe(`<b>"; drop table displays -- \u{fffd}`);
  });
});

describe("the fleet", () => {
  test("is restricted to people who may manage displays", async ({ app }) => {
    await app.addPerson("operator@example.com", "operator", ["northgate"]);
    const operator = createBrowser(app.runtime);
    await operator.signIn("operator@example.com");
    const { id } = await app.pair(screen);
    const asks = (by: Browser) =>
      Promise.all([
        by.send(displaysRoute.GET, "/api/displays"),
        type(app, NO_CODE, {}, by),
        act(app, displayRoute.PATCH, id, SETTINGS, by),
        act(app, reloadRoute.POST, id, {}, by),
        act(app, revokeRoute.POST, id, {}, by),
      ]);
    const statuses = async (by: Browser) => (await asks(by)).map(({ status }) => status);
    expect(await statuses(operator)).toEqual([403, 403, 403, 403, 403]);
    expect(await statuses(app.screen())).toEqual([401, 401, 401, 401, 401]);
    expect(await isOnWall(screen)).toBe(true);
  });

  test("includes when each display was last seen, its version, and the age of its data", async ({
    app,
  }) => {
    const { id } = await app.pair(screen);
    expect(await inFleet(app, id)).toMatchObject({ last_seen_at: null, last_paint_at: null });
    const nowMs = app.clock.nowMs();
    const report = {
      build: "build-0",
      painted_at_ms: nowMs - 2_000,
      snapshot_age_seconds: 41.6,
      loaded_at_ms: nowMs - 60_000,
    };
    const send = (body: unknown) => screen.send(reportRoute.POST, "/api/wall/report", { body });
    expect((await send(report)).status).toBe(204);
    // Within half a minute of the last: dropped.
    await app.clock.advance(29_000);
    expect((await send({ ...report, build: "build-1" })).status).toBe(204);
    expect(await inFleet(app, id)).toMatchObject({
      build: "build-0",
      last_seen_at: new Date(nowMs).toISOString(),
      last_paint_at: new Date(nowMs - 2_000).toISOString(),
      snapshot_age_seconds: 42,
    });
    await app.clock.advance(1_000);
    await send({
      ...report,
      build: "build-1",
      painted_at_ms: nowMs + 1e12,
      snapshot_age_seconds: 1e12,
    });
    expect(await inFleet(app, id)).toMatchObject({
      build: "build-1",
      last_paint_at: new Date(nowMs + 30_000).toISOString(),
      snapshot_age_seconds: 2_147_483_647,
    });
    expect((await send({ ...report, snapshot_age_seconds: -1 })).status).toBe(400);
    expect((await send("a text")).status).toBe(400);
    expect(await fleet(app)).toMatchObject({ build: "build-1" });
  });

  test("requests a reload until a page loaded since then reports", async ({ app }) => {
    const { id } = await app.pair(screen);
    const before = app.clock.nowMs();
    await app.clock.advance(1_000);
    const reloading = await json<Display>(act(app, reloadRoute.POST, id));
    expect(reloading.reload_requested_at).not.toBeNull();
    await app.clock.advance(3_000);
    expect(await json(screen.send(wallRoute.GET, "/api/wall"))).toMatchObject({
      reload_requested_at: reloading.reload_requested_at,
    });
    const report = { build: "b", painted_at_ms: null, snapshot_age_seconds: null };
    const send = (loadedMs: number) =>
      screen.send(reportRoute.POST, "/api/wall/report", {
        body: { ...report, loaded_at_ms: loadedMs },
      });
    await send(before);
    expect((await inFleet(app, id))?.reload_requested_at).toBe(reloading.reload_requested_at);
    await app.clock.advance(30_000);
    await send(app.clock.nowMs());
    expect((await inFleet(app, id))?.reload_requested_at).toBeNull();
  });

  test("applies a change within seconds", async ({ app }) => {
    const { id } = await app.pair(screen);
    const body = { ...SETTINGS, name: "Lobby", companies: ["harbour"], theme: "light" };
    expect((await act(app, displayRoute.PATCH, id, body)).status).toBe(200);
    await app.clock.advance(3_000);
    expect(await json(screen.send(wallRoute.GET, "/api/wall"))).toMatchObject({
      display: { name: "Lobby", theme: "light" },
      companies: [{ slug: "harbour" }],
    });
  });

  test("allows renaming a display that has ended, and pairing it again from another screen", async ({
    app,
  }) => {
    const end = new Date(app.clock.nowMs() + 60_000).toISOString();
    const { id } = await app.pair(screen, { expires_at: end });
    await app.clock.advance(60_000);
    expect(await isOnWall(screen)).toBe(false);
    const renamed = await act(app, displayRoute.PATCH, id, {
      ...SETTINGS,
      name: "Old",
      expires_at: end,
    });
    expect(renamed.status).toBe(200);
    expect((await act(app, displayRoute.PATCH, id, SETTINGS)).status).toBe(200);
    await app.clock.advance(3_000);
    expect(await isOnWall(screen)).toBe(true);
  });

  test("leaves a revoked display unchanged, and refuses changes to it", async ({ app }) => {
    const { id } = await app.pair(screen);
    const first = await json<Display>(act(app, revokeRoute.POST, id));
    await app.clock.advance(5_000);
    const second = await json<Display>(act(app, revokeRoute.POST, id));
    expect(second.revoked_at).toBe(first.revoked_at);
    expect((await act(app, displayRoute.PATCH, id, SETTINGS)).status).toBe(409);
    expect((await act(app, reloadRoute.POST, id)).status).toBe(409);
  });

  test.for(["00000000-0000-4000-8000-000000000000", "no-id", "%00"])(
    "returns 404 for display %s",
    async (id, { app }) => {
      for (const handler of [displayRoute.PATCH, reloadRoute.POST, revokeRoute.POST]) {
        expect((await act(app, handler, id, SETTINGS)).status).toBe(404);
      }
    },
  );
});

test("informs a screen whose company has left, and still accepts that company as its setting", async ({
  app,
}) => {
  const { id } = await app.pair(screen, { name: "Gate", companies: ["northgate"] });
  const companies = ["northgate", "quarry"];
  await app.database.orm
    .update(displays)
    .set({ settings: { ...SETTINGS, name: "Gate", companies } })
    .where(eq(displays.id, id));
  await app.clock.advance(60_000);
  expect(await json(screen.send(wallRoute.GET, "/api/wall"))).toMatchObject({
    companies: [{ slug: "northgate" }],
    left: [{ slug: "quarry", name: "Quarry" }],
  });
  const body = { ...SETTINGS, name: "Gate 2", companies };
  expect((await act(app, displayRoute.PATCH, id, body)).status).toBe(200);
  expect((await act(app, displayRoute.PATCH, id, { ...body, companies: ["nowhere"] })).status).toBe(
    400,
  );
});

test("logs every action in each company that is or was shown, with the chain intact", async ({
  app,
}) => {
  const { id } = await app.pair(screen, { name: "Canteen", companies: ["harbour"] });
  await act(app, displayRoute.PATCH, id, { ...SETTINGS, name: "Hall", companies: ["northgate"] });
  await act(app, reloadRoute.POST, id);
  await act(app, revokeRoute.POST, id);
  expect((await logged(app, "harbour")).slice(0, 2)).toEqual([
    "display change.asked Canteen, now Hall",
    "display pair.asked Canteen",
  ]);
  expect((await logged(app, "northgate")).slice(0, 3)).toEqual([
    "display revoke.asked Hall",
    "display reload.asked Hall",
    "display change.asked Canteen, now Hall",
  ]);
  await app.pair(app.screen(), { name: "Everywhere", companies: null });
  for (const company of ["northgate", "harbour"]) {
    expect((await logged(app, company))[0]).toBe("display pair.asked Everywhere");
  }
  const checks = await checkAudit(app.database, { keys: TEST_KEYS.known });
  for (const { broken } of checks) expect(broken).toBeNull();
  const [row] = await app.database.orm.select().from(displays).where(eq(displays.id, id));
  expect(row).toMatchObject({ revokedByName: "ana@example.com" });
});
