import { eq } from "drizzle-orm";
import pino from "pino";
import { describe, expect, vi } from "vitest";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import { grants, people, sessions } from "@/lib/server/store/schema/people";
import { createAuth } from "./auth";
import { appTest, createBrowser, SESSION_MS, type TestApp } from "@/lib/server/gate/app-fixture";
import { RECHECK_MS } from "./revalidating-cache";
import { secretHash } from "./secret";
import { createSessions } from "./sessions";
import { DAY_MS } from "@/lib/domain/time/units";

const test = appTest();
let ana: string;
test.beforeAll(async ({ app }) => {
  ana = await app.addPerson("ana@example.com", "administrator");
});

const start = (app: TestApp) => app.runtime.auth.sessions.start(ana, "192.0.2.1");
const check = (app: TestApp, secret: string) => app.runtime.auth.sessions.check(secretHash(secret));

const whileAway = (app: TestApp, work: () => Promise<void>) => app.whileAway("sessions", work);

describe("a session", () => {
  test("returns the person with current grants", async ({ app }) => {
    expect(await check(app, await start(app))).toMatchObject({
      state: "known",
      isConfirmed: true,
      person: {
        id: ana,
        email: "ana@example.com",
        grants: [{ role: "administrator", company: null }],
      },
    });
    expect(await check(app, "made up")).toEqual({ state: "anonymous" });
  });

  test("ends a fixed time after sign-in, regardless of use", async ({ app }) => {
    const [used, silent] = [await start(app), await start(app)];
    const partMs = SESSION_MS / 20;
    for (let i = 0; i < 19; i++) {
      await app.clock.advance(partMs);
      expect(await check(app, used)).toMatchObject({ state: "known" });
    }
    expect(await check(app, silent)).toMatchObject({ state: "known" });
    await app.clock.advance(partMs);
    for (const secret of [used, silent]) {
      expect(await check(app, secret)).toEqual({ state: "anonymous", isTimedOut: true });
    }
  });

  test("reflects disabling, a lower role and removed grants within RECHECK_MS", async ({ app }) => {
    const bo = await app.addPerson("bo@example.com", "operator", ["northgate"]);
    const secret = await app.runtime.auth.sessions.start(bo, "192.0.2.1");
    const { orm } = app.database;
    expect(await check(app, secret)).toMatchObject({
      person: { grants: [{ role: "operator", company: "northgate" }] },
    });

    await orm.update(grants).set({ role: "viewer" }).where(eq(grants.personId, bo));
    await app.clock.advance(RECHECK_MS);
    expect(await check(app, secret)).toMatchObject({
      person: { grants: [{ role: "viewer", company: "northgate" }] },
    });
    await orm.delete(grants).where(eq(grants.personId, bo));
    await app.clock.advance(RECHECK_MS);
    expect(await check(app, secret)).toMatchObject({ person: { grants: [] } });

    await orm.update(people).set({ disabledAt: new Date() }).where(eq(people.id, bo));
    await app.clock.advance(RECHECK_MS);
    expect(await check(app, secret)).toEqual({ state: "anonymous" });
    expect(RECHECK_MS).toBeLessThan(5_000);
  });

  test("deletes rows older than the known-address period when a session starts", async ({
    app,
  }) => {
    await start(app);
    await app.clock.advance(31 * 24 * 3_600_000);
    await start(app);
    expect(await app.database.orm.select().from(sessions)).toHaveLength(1);
  });
});

describe("a temporarily wrong clock", () => {
  // Cached rows are queried again after this.
  const recheck = (app: TestApp) => app.clock.advance(RECHECK_MS);

  for (const byMs of [DAY_MS, 300 * DAY_MS, -DAY_MS, -300 * DAY_MS]) {
    test(`doesn't affect sessions if our clock jumps ${byMs / DAY_MS} days`, async ({ app }) => {
      const secret = await start(app);
      await check(app, secret);
      app.jumpOurs(byMs);
      expect(await check(app, secret)).toMatchObject({ state: "known", isConfirmed: true });
      await recheck(app);
      expect(await check(app, secret)).toMatchObject({ state: "known", isConfirmed: true });
      const meanwhile = await start(app);
      app.jumpOurs(-byMs);
      await recheck(app);
      expect(await check(app, secret)).toMatchObject({ state: "known" });
      expect(await check(app, meanwhile)).toMatchObject({ state: "known" });
      await app.clock.advance(SESSION_MS);
      expect(await check(app, meanwhile)).toEqual({ state: "anonymous", isTimedOut: true });
    });
  }

  test("doesn't affect sessions if our clock and PostgreSQL's both jump a day", async ({ app }) => {
    const [used, unused] = [await start(app), await start(app)];
    await check(app, used);
    app.clock.jump(DAY_MS);
    await recheck(app);
    expect(await check(app, used)).toMatchObject({ state: "known" });
    // Starting a session deletes old rows.
    await start(app);
    app.clock.jump(-DAY_MS);
    await recheck(app);
    for (const secret of [used, unused]) {
      expect(await check(app, secret)).toMatchObject({ state: "known" });
    }
    // The jump doesn't extend the session by a day.
    await app.clock.advance(SESSION_MS);
    expect(await check(app, used)).toEqual({ state: "anonymous", isTimedOut: true });
  });

  test("doesn't make a process started meanwhile clear cookies, which work again once the clock is right", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    await browser.signIn("ana@example.com");
    const cookies = new Map(browser.jar);
    app.clock.jump(DAY_MS);
    const another = { ...app.anotherInstance() };
    const session = await another.auth.openSession((name) => browser.jar.get(name));
    expect(await another.auth.sessions.check(session?.id ?? "")).toMatchObject({
      state: "anonymous",
      isTimedOut: true,
    });
    const there = createBrowser(another);
    for (const [name, value] of browser.jar) there.jar.set(name, value);
    expect(await (await there.auth("session")).json()).toEqual({});
    expect(there.jar).toEqual(cookies);
    app.clock.jump(-DAY_MS);
    await recheck(app);
    expect(await (await there.auth("session")).json()).toHaveProperty("user");
  });

  test("doesn't affect cookie expiry, which is relative (Max-Age)", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const signedIn = await browser.signIn("ana@example.com");
    const cookie = signedIn.headers.getSetCookie().find((text) => text.includes("session-token"));
    expect(cookie).toMatch(/; Max-Age=43200(;|$)/);
    expect(cookie).not.toMatch(/expires/i);
  });
});

describe("while the database doesn't answer", () => {
  test("returns cached sessions as unconfirmed, and others as unavailable", async ({ app }) => {
    const seen = await start(app);
    const unseen = await start(app);
    await check(app, seen);
    await whileAway(app, async () => {
      await app.clock.advance(RECHECK_MS);
      expect(await check(app, seen)).toMatchObject({ state: "known", isConfirmed: false });
      expect(await check(app, unseen)).toEqual({ state: "unavailable" });
    });
    await app.clock.advance(1_000);
    expect(await check(app, seen)).toMatchObject({ state: "known", isConfirmed: true });
  });

  test("doesn't use sessions that were last checked long before the outage", async ({ app }) => {
    const secret = await start(app);
    await check(app, secret);
    await app.clock.advance(2 * 3_600_000);
    await whileAway(app, async () => {
      expect(await check(app, secret)).toEqual({ state: "unavailable" });
    });
    await app.clock.advance(1_000);
  });

  test("waits at most two seconds for a hanging database", async ({ app }) => {
    const secret = await start(app);
    await check(app, secret);
    await app.clock.advance(RECHECK_MS);
    const client = await app.database.pool.connect();
    try {
      await client.query("begin; lock table sessions in access exclusive mode");
      const answer = check(app, secret);
      await app.clock.untilSleeping();
      await app.clock.advance(2_000);
      expect(await answer).toMatchObject({ state: "known", isConfirmed: false });
      // Queries then pause for a second.
      expect(await check(app, secret)).toMatchObject({ isConfirmed: false });
    } finally {
      await client.query("rollback");
      client.release();
    }
    await app.clock.advance(1_000);
    expect(await check(app, secret)).toMatchObject({ isConfirmed: true });
  });

  test("answers read-only checks from the cache after 300 ms, and applies the late result", async ({
    app,
  }) => {
    const secret = await start(app);
    await check(app, secret);
    await app.clock.advance(RECHECK_MS);
    const client = await app.database.pool.connect();
    try {
      await client.query("begin; lock table sessions in access exclusive mode");
      const answer = app.runtime.auth.sessions.check(secretHash(secret), true);
      await app.clock.untilSleeping();
      await app.clock.advance(300);
      expect(await answer).toMatchObject({ state: "known", isConfirmed: false });
      await client.query("update sessions set revoked_at = now()");
      await client.query("commit");
    } finally {
      client.release();
    }
    // Read-only checks don't query the database in this second, so the late result has removed the cached row.
    await vi.waitFor(async () => {
      expect(await app.runtime.auth.sessions.check(secretHash(secret), true)).toEqual({
        state: "anonymous",
      });
    });
  });

  test("still queries uncached sessions and those of writing requests after a read-only timeout", async ({
    app,
  }) => {
    const [slow, other, fresh] = [await start(app), await start(app), await start(app)];
    for (const secret of [slow, other]) await check(app, secret);
    await app.clock.advance(RECHECK_MS);
    const client = await app.database.pool.connect();
    try {
      await client.query("begin; lock table sessions in access exclusive mode");
      const look = app.runtime.auth.sessions.check(secretHash(slow), true);
      await app.clock.untilSleeping();
      await app.clock.advance(300);
      expect(await look).toMatchObject({ isConfirmed: false });
      // Before its late response, after which it would be asked again.
      expect(await app.runtime.auth.sessions.check(secretHash(other), true)).toMatchObject({
        isConfirmed: false,
      });
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await check(app, other)).toMatchObject({ isConfirmed: true });
    expect(await app.runtime.auth.sessions.check(secretHash(fresh), true)).toMatchObject({
      isConfirmed: true,
    });
  });

  test("returns 503 for sign-in and sign-out, and keeps cookies", async ({ app }) => {
    const { database, clock, runtime } = app;
    const log = pino({ level: "silent" });
    const doomed = await openDatabase(database.connectionString, { log, audit: TEST_AUDIT });
    const auth = createAuth({
      ...runtime,
      sessionMs: SESSION_MS,
      isWallFramed: false,
      database: doomed,
      clock,
      databaseNowMs: app.databaseNowMs,
    });
    const browser = createBrowser({ ...runtime, auth });
    expect((await browser.signIn("ana@example.com")).status).toBe(200);
    await doomed.close();
    await clock.advance(RECHECK_MS);

    const cookies = new Map(browser.jar);
    expect((await browser.signOut()).status).toBe(503);
    expect((await browser.signIn("ana@example.com")).status).toBe(503);
    expect((await browser.auth("session")).status).toBe(503);
    expect(browser.jar).toEqual(cookies);
    const { time } = runtime.auth;
    const again = createSessions({
      database,
      lifetimeMs: SESSION_MS,
      time,
      clock,
      securityLog: runtime.securityLog,
    });
    const session = await auth.openSession((name) => browser.jar.get(name));
    expect(await again.check(session?.id ?? "")).toMatchObject({ state: "known" });
  });
});
