import { eq } from "drizzle-orm";
import { describe, expect } from "vitest";
import { createKnownDevices } from "@/lib/server/auth/known-device";
import { MeView } from "@/lib/contracts/me";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { RECENT_MS } from "@/lib/server/auth/recent-sign-in";
import { getRuntime } from "@/lib/server/running";
import * as meRoute from "@/app/api/me/route";
import * as sessionsRoute from "@/app/api/me/sessions/route";
import * as sessionRoute from "@/app/api/me/sessions/[id]/route";
import * as proofRoute from "@/app/api/me/reauthentication/route";
import * as revokeRoute from "@/app/api/displays/[id]/revoke/route";
import { createBrowser, PASSWORD, withParams } from "@/lib/server/gate/app-fixture";
import { displayTest, type DisplayApp } from "@/lib/server/gate/display-fixture";
import {
  createPasswordSignIn,
  FAILURES_PER_ACCOUNT,
  FAILURES_PER_ADDRESS,
  WINDOW_MS,
} from "@/lib/server/auth/password-sign-in";
import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { grants, people, sessions, signInAttempts } from "@/lib/server/store/schema/people";
import { notifyOfSessions } from "@/lib/server/gate/notified-fixture";

const SESSION = "next-auth.session-token";

type Browser = ReturnType<typeof createBrowser>;

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1";

const test = displayTest();
test.beforeAll(async ({ app }) => {
  await app.addPerson("bo@example.com", "operator", ["northgate"]);
});
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(sessions);
  await app.database.orm.delete(signInAttempts);
  await app.clearLog();
});

/** A signed-in browser of a person. */
async function browserOf(
  app: DisplayApp,
  email: string,
  options: Parameters<typeof createBrowser>[1] = {},
) {
  const browser = createBrowser(app.runtime, options);
  expect((await browser.signIn(email)).status).toBe(200);
  return browser;
}

const read = (browser: Browser) => browser.send(meRoute.GET, "/api/me");
const me = async (browser: Browser) => {
  const answer = await read(browser);
  expect(answer.status).toBe(200);
  return MeView.parse(await answer.json());
};
const endOne = (browser: Browser, id: string) =>
  browser.send(sessionRoute.DELETE, `/api/me/sessions/${id}`, {
    method: "DELETE",
    body: {},
    params: { id },
  });
const endOthers = (browser: Browser) =>
  browser.send(sessionsRoute.DELETE, "/api/me/sessions", { method: "DELETE", body: {} });
const prove = (browser: Browser, body: unknown = { password: PASSWORD }) =>
  browser.send(proofRoute.POST, "/api/me/reauthentication", { body });
const unpair = (browser: Browser) =>
  browser.send(revokeRoute.POST, "/api/displays/0/revoke", { body: {}, params: { id: "0" } });
const codeOf = async (answer: Response) => ((await answer.json()) as { error: string }).error;

/** Session events in the installation's audit chain, in order. */
async function events(app: DisplayApp): Promise<[string, unknown][]> {
  const { rows } = await app.database.pool.query<{
    event: string;
    detail: Record<string, unknown>;
  }>("select event, detail from audit_log where company = $1 and kind = 'session' order by seq", [
    INSTALLATION,
  ]);
  return rows.map(({ event, detail }) => [event, detail]);
}

describe("GET /api/me", () => {
  test("returns permissions with their reasons, manual and by rule, highest first", async ({
    app,
  }) => {
    const ana = await me(await browserOf(app, "ana@example.com"));
    expect(ana.person).toMatchObject({ email: "ana@example.com", kind: "local", provider: null });
    expect(ana.grants).toEqual([
      {
        company: null,
        role: "administrator",
        because: { by: "hand", person: null, at: expect.any(String) },
      },
    ]);
    const { orm } = app.database;
    const given = { role: "member" as const, company: "harbour", givenBy: ana.person.id };
    const [bo] = await orm.select().from(people).where(eq(people.email, "bo@example.com"));
    await orm.insert(grants).values({ ...given, personId: bo?.id ?? "" });
    const theirs = await me(await browserOf(app, "bo@example.com"));
    expect(theirs.grants.map(({ role, company, because }) => [role, company, because])).toEqual([
      ["operator", "northgate", { by: "hand", person: null, at: expect.any(String) }],
      ["member", "harbour", { by: "hand", person: "ana@example.com", at: expect.any(String) }],
    ]);
  });

  test("returns my sessions, the current one first, without ended ones or other people's", async ({
    app,
  }) => {
    const desk = await browserOf(app, "ana@example.com", {
      userAgent: FIREFOX,
      address: "192.0.2.7",
    });
    await browserOf(app, "bo@example.com", { userAgent: IPHONE });
    await app.clock.advance(60_000);
    const phone = await browserOf(app, "ana@example.com", {
      userAgent: IPHONE,
      address: "192.0.2.8",
    });
    const out = await browserOf(app, "ana@example.com");
    await out.signOut();
    expect((await me(desk)).sessions.map((one) => [one.current, one.browser, one.address])).toEqual(
      [
        [true, "Firefox on Windows", "192.0.2.7"],
        [false, "Safari on iPhone", "192.0.2.8"],
      ],
    );
    expect((await me(phone)).sessions[0]).toMatchObject({
      current: true,
      browser: "Safari on iPhone",
    });
    const text = JSON.stringify(await me(desk));
    for (const secret of await app.database.orm.select().from(sessions)) {
      expect(text).not.toContain(secret.id);
    }
    await app.clock.advance(12 * 3_600_000 - 30_000);
    expect((await me(phone)).sessions).toHaveLength(1);
    expect((await read(desk)).status).toBe(401);
  });
});

describe("ending sessions", () => {
  test("ends the given session, logged once in the chain and in the log", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com", { userAgent: FIREFOX });
    const phone = await browserOf(app, "ana@example.com", { userAgent: IPHONE });
    const before = (await events(app)).length;
    const other = (await me(desk)).sessions.find(({ current }) => !current)?.id ?? "";
    const ended = await endOne(desk, other);
    expect(await ended.json()).toEqual({ ended: 1 });
    // This browser keeps its data.
    expect(ended.headers.get("clear-site-data")).toBeNull();
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect((await endOne(desk, other)).status).toBe(404);
    await app.clock.advance(5_000);
    expect((await read(phone)).status).toBe(401);
    expect((await me(desk)).sessions).toHaveLength(1);
    const facts = {
      person: expect.any(String),
      subject: "ana@example.com",
      sessions: 1,
      browsers: ["Safari on iPhone"],
      because: "1 session",
    };
    expect((await events(app)).slice(before)).toEqual([["end-sessions.asked", facts]]);
    expect(app.logged("sessions_ended")).toMatchObject([
      { whom: facts.person, sessions: "1", own: false },
    ]);
  });

  test("may end the current session", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    const [own] = (await me(desk)).sessions;
    const ended = await endOne(desk, own?.id.toUpperCase() ?? "");
    expect(ended.status).toBe(200);
    expect(ended.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(desk.jar.has(SESSION)).toBe(false);
    await app.clock.advance(5_000);
    expect((await read(desk)).status).toBe(401);
  });

  test("ends all other sessions, and no other person's, however they are named", async ({
    app,
  }) => {
    const bo = await browserOf(app, "bo@example.com");
    const all = [];
    for (let n = 0; n < 4; n += 1) all.push(await browserOf(app, "ana@example.com"));
    const [desk, ...others] = all as [Browser, ...Browser[]];
    const theirs = (await me(bo)).sessions[0]?.id ?? "";
    for (const id of [theirs, "0", "", `${theirs}0`, "'; drop table sessions; --"]) {
      expect((await endOne(desk, id)).status).toBe(404);
    }
    expect(await (await endOthers(desk)).json()).toEqual({ ended: 3 });
    expect(await (await endOthers(desk)).json()).toEqual({ ended: 0 });
    await app.clock.advance(5_000);
    for (const other of others) expect((await read(other)).status).toBe(401);
    expect((await me(bo)).sessions).toHaveLength(1);
    expect((await me(desk)).sessions).toHaveLength(1);
  });

  test("accepts only JSON from our own origin", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    const ask = async (headers: Record<string, string>) => {
      const init = { method: "DELETE", headers, body: "{}" };
      const request = desk.request("/api/me/sessions", init);
      return (await sessionsRoute.DELETE(request, withParams())).status;
    };
    const json = { "content-type": "application/json" };
    expect(await ask({ ...json })).toBe(403);
    expect(await ask({ ...json, origin: "https://evil.example" })).toBe(403);
    expect(await ask({ origin: app.runtime.appUrl })).toBe(415);
    expect(await ask({ ...json, origin: app.runtime.appUrl })).toBe(200);
  });

  test("takes effect on another instance within 5 s, and at once when it is notified", async ({
    app,
  }) => {
    const desk = await browserOf(app, "ana@example.com");
    const [silent, hearer] = [
      await browserOf(app, "ana@example.com"),
      await browserOf(app, "ana@example.com"),
    ];
    const runtimes = [app.anotherInstance(), app.anotherInstance()] as const;
    const statusAt = async (at: 0 | 1, browser: Browser) => {
      const identity = await runtimes[at].auth.identify((name) => browser.jar.get(name));
      return identity.state;
    };
    const { payloads, stop } = notifyOfSessions(app, runtimes[1]);
    try {
      await expect.poll(() => payloads, { timeout: 20_000 }).toEqual([null]);
      expect(await statusAt(0, silent)).toBe("known");
      expect(await statusAt(1, hearer)).toBe("known");
      await endOthers(desk);
      await expect.poll(() => payloads.length, { timeout: 20_000 }).toBe(3);
      expect(await statusAt(1, hearer)).toBe("anonymous");
      expect(await statusAt(0, silent)).toBe("known");
      await app.clock.advance(5_000);
      expect(await statusAt(0, silent)).toBe("anonymous");
    } finally {
      await stop();
    }
  });
});

describe("irreversible actions", () => {
  test("require a sign-in or password within the last hour", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    await app.clock.advance(RECENT_MS - 1);
    expect((await unpair(desk)).status).toBe(404);
    await app.clock.advance(1);
    const refused = await unpair(desk);
    expect([refused.status, await codeOf(refused)]).toEqual([403, "reauthentication_required"]);
    expect((await prove(desk)).status).toBe(200);
    expect((await unpair(desk)).status).toBe(404);
    // Of this session only.
    const phone = await browserOf(app, "ana@example.com");
    await app.clock.advance(RECENT_MS - 1);
    expect((await unpair(phone)).status).toBe(404);
    expect((await me(desk)).sessions[0]?.authenticated_at).not.toBe(
      (await me(desk)).sessions[0]?.created_at,
    );
    await app.clock.advance(1);
    expect((await unpair(desk)).status).toBe(403);
  });

  test("compare times by PostgreSQL's clock, wherever the password was entered", async ({
    app,
  }) => {
    const desk = await browserOf(app, "ana@example.com");
    await app.clock.advance(RECENT_MS);
    app.jumpOurs(-3 * RECENT_MS);
    expect(await codeOf(await unpair(desk))).toBe("reauthentication_required");
    await prove(desk);
    app.switchInstance();
    expect((await unpair(desk)).status).toBe(404);
    app.jumpOurs(3 * RECENT_MS);
  });

  test("are refused without permission, or from other sites, before asking for the password", async ({
    app,
  }) => {
    const bo = await browserOf(app, "bo@example.com");
    await app.clock.advance(RECENT_MS);
    expect(await codeOf(await unpair(bo))).toBe("forbidden");
    const ana = await browserOf(app, "ana@example.com");
    await app.clock.advance(RECENT_MS);
    const headers = { "content-type": "application/json", origin: "https://evil.example" };
    const request = ana.request("/api/displays/0/revoke", { method: "POST", headers, body: "{}" });
    expect(await codeOf(await revokeRoute.POST(request, withParams({ id: "0" })))).toBe(
      "cross_site",
    );
  });
});

describe("reauthentication", () => {
  test("replaces the session's secret, and other tabs of the browser keep working", async ({
    app,
  }) => {
    const desk = await browserOf(app, "ana@example.com");
    const [before] = (await me(desk)).sessions;
    const tab = createBrowser(app.runtime);
    tab.jar.set(SESSION, desk.jar.get(SESSION) ?? "");
    await app.clock.advance(RECENT_MS);
    const answer = await prove(desk);
    expect(answer.status).toBe(200);
    const [given = ""] = answer.headers.getSetCookie();
    // The rest of twelve hours.
    expect(given).toMatch(/; Max-Age=39600; HttpOnly; SameSite=Lax$/);
    expect(desk.jar.get(SESSION)).not.toBe(tab.jar.get(SESSION));
    // The same session, and the only one.
    expect((await me(desk)).sessions).toMatchObject([
      { id: before?.id, created_at: before?.created_at, ends_at: before?.ends_at, current: true },
    ]);
    expect((await unpair(desk)).status).toBe(404);
    // Requests in flight with the previous secret succeed, but count as neither reauthenticated nor
    // renewing.
    expect((await read(tab)).status).toBe(200);
    expect(await codeOf(await unpair(tab))).toBe("reauthentication_required");
    const late = await prove(tab);
    expect([late.status, late.headers.getSetCookie()]).toEqual([200, []]);
    await app.clock.advance(10_000);
    expect((await read(tab)).status).toBe(401);
    const another = createBrowser(app.anotherInstance());
    another.jar.set(SESSION, tab.jar.get(SESSION) ?? "");
    expect((await another.auth("session").then((it) => it.json())) as object).toEqual({});
    expect((await read(desk)).status).toBe(200);
  });

  test("from several tabs at once leaves the browser with a valid secret", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    const answers = await Promise.all([prove(desk), prove(desk), prove(desk)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
    await app.clock.advance(60_000);
    expect((await me(desk)).sessions).toHaveLength(1);
  });

  test("leaves nothing of a session that is ended with the previous secret", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    const tab = createBrowser(app.runtime);
    for (const [name, value] of desk.jar) tab.jar.set(name, value);
    await prove(desk);
    expect((await tab.signOut()).status).toBe(200);
    await app.clock.advance(RECHECK_MS);
    expect((await read(desk)).status).toBe(401);
    expect((await read(tab)).status).toBe(401);
  });

  test("is logged in the chain and the log, without the password", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    const before = (await events(app)).length;
    expect(await codeOf(await prove(desk, { password: "a wrong guess" }))).toBe("wrong_password");
    expect((await prove(desk)).status).toBe(200);
    const detail = { what: "reauthentication", subject: "ana@example.com", address: "192.0.2.1" };
    expect((await events(app)).slice(before)).toEqual([
      ["refuse.asked", { ...detail, because: "wrong password" }],
      ["reauthenticate.asked", detail],
    ]);
    expect(app.logged("reauth_refused")).toMatchObject([{ why: "password" }]);
    expect(app.logged("reauthenticated")).toMatchObject([{ name: "ana@example.com" }]);
    expect(app.logText()).not.toContain("a wrong guess");
    const checks = await checkAudit(app.database, { keys: TEST_KEYS.known });
    for (const { broken } of checks) expect(broken).toBeNull();
  });

  test("counts wrong passwords per session, concurrent or not, without blocking sign-ins", async ({
    app,
  }) => {
    const desk = await browserOf(app, "ana@example.com");
    const guesses = await Promise.all(
      Array.from({ length: 3 * FAILURES_PER_ACCOUNT }, (_, n) =>
        prove(desk, { password: `${n}x` }),
      ),
    );
    const statuses = guesses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([
      ...Array<number>(FAILURES_PER_ACCOUNT).fill(403),
      ...Array<number>(2 * FAILURES_PER_ACCOUNT).fill(429),
    ]);
    const right = await prove(desk);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
    const refusals = (await events(app)).filter(([event]) => event === "refuse.asked");
    const elsewhere = createBrowser(app.runtime);
    expect((await elsewhere.signIn("ana@example.com")).status).toBe(200);
    await app.clock.advance(WINDOW_MS + 1_000);
    expect((await prove(desk)).status).toBe(200);
    // Repeated attempts after the limit add nothing to the chain.
    expect((await events(app)).filter(([event]) => event === "refuse.asked")).toHaveLength(
      refusals.length,
    );
  });

  test("isn't blocked by wrong passwords from strangers", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    for (let n = 0; n < 2 * FAILURES_PER_ADDRESS; n += 1) {
      const stranger = createBrowser(app.runtime);
      await stranger.signIn(n % 2 === 0 ? "ana@example.com" : `unknown-${n}@example.com`, "wrong");
    }
    expect((await createBrowser(app.runtime).signIn("ana@example.com")).status).toBe(429);
    expect((await prove(desk)).status).toBe(200);
  });

  test("reports that passwords are turned off, only with the right password", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    const { auth } = getRuntime();
    const open = auth.signInWithPassword;
    const local = { who: "off", adminEmail: "first@example.com" } as const;
    const { database } = app;
    auth.signInWithPassword = createPasswordSignIn({
      database,
      time: auth.time,
      devices: createKnownDevices("a secret of the tests"),
      secondFactors: auth.secondFactors,
      local,
    });
    try {
      expect(await codeOf(await prove(desk, { password: "a wrong guess" }))).toBe("wrong_password");
      const closed = await prove(desk);
      expect([closed.status, await codeOf(closed)]).toEqual([409, "conflict"]);
    } finally {
      auth.signInWithPassword = open;
    }
    expect((await events(app)).at(-1)).toEqual([
      "refuse.asked",
      expect.objectContaining({ because: "passwords are turned off" }),
    ]);
    expect(app.logged("reauth_refused").at(-1)).toMatchObject({ why: "closed" });
    await app.clock.advance(RECENT_MS);
    expect(await codeOf(await unpair(desk))).toBe("reauthentication_required");
  });

  test("requires an account with a local password", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    for (const body of [
      undefined,
      {},
      { password: "" },
      { password: 1 },
      { password: "x", more: 1 },
    ]) {
      expect((await prove(desk, body ?? null)).status).toBe(400);
    }
    const { orm } = app.database;
    await orm
      .update(people)
      .set({ issuer: "https://id.example", subject: "7" })
      .where(eq(people.email, "ana@example.com"));
    try {
      await app.clock.advance(5_000);
      expect((await me(desk)).person.kind).toBe("oidc");
      expect(await codeOf(await prove(desk))).toBe("conflict");
    } finally {
      await orm
        .update(people)
        .set({ issuer: null, subject: null })
        .where(eq(people.email, "ana@example.com"));
    }
  });

  test("doesn't revive a session that ended meanwhile", async ({ app }) => {
    const desk = await browserOf(app, "ana@example.com");
    expect((await me(desk)).sessions).toHaveLength(1);
    await app.database.orm.update(sessions).set({ revokedAt: new Date() });
    expect((await prove(desk)).status).toBe(404);
    await app.clock.advance(5_000);
    expect((await prove(desk)).status).toBe(401);
  });
});
