import { eq } from "drizzle-orm";
import { describe, expect } from "vitest";
import type { PairingView } from "@/lib/contracts/wall";
import * as displaysRoute from "@/app/api/displays/route";
import * as revokeRoute from "@/app/api/displays/[id]/revoke/route";
import * as metricsRoute from "@/app/metrics/route";
import * as pairRoute from "@/app/api/pair/route";
import * as reportRoute from "@/app/api/wall/report/route";
import * as wallRoute from "@/app/api/wall/route";
import {
  MAX_OPEN_PAIRINGS,
  PAIRINGS_PER_MINUTE,
} from "@/lib/server/operations/displays/start-pairing";
import { WRONG_CODES } from "@/lib/server/operations/displays/pair-display";
import { pairings } from "@/lib/server/store/schema/displays";
import { people, signInAttempts } from "@/lib/server/store/schema/people";
import { createBrowser, PASSWORD, SESSION_MS, withParams } from "./app-fixture";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { displayTest, SETTINGS, type DisplayApp } from "./display-fixture";
import { handleAuthRequest } from "./next-auth-handler";
import { FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS } from "@/lib/server/auth/password-sign-in";
import { respondToUnrouted } from "./unrouted";
import { newSecret, secretHash } from "@/lib/server/auth/secret";

type Browser = ReturnType<typeof createBrowser>;

const NO_ROUTE = { params: {}, methods: [], isNearRoutes: true };
const MAYA = "maya@example.com";
const NO_CODE = "ZZZZZZZZ";

const test = displayTest();
let maya: { person: string; name: string };
let ana: { person: string; name: string };
/** Every value of a cookie, form or address that must not be logged. */
let secrets: string[];

test.beforeAll(async ({ app }) => {
  const [admin] = await app.database.orm.select().from(people);
  ana = { person: admin?.id ?? "", name: "ana@example.com" };
  maya = { person: await app.addPerson(MAYA, "viewer", ["northgate"]), name: MAYA };
});
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(signInAttempts);
  await app.database.orm.delete(pairings);
  await app.admin.signIn("ana@example.com");
  await app.clearLog();
  secrets = [PASSWORD, "argon2", "=eyJ", "csrf"];
});

let hosts = 0;
/** A browser with its own address. */
function browserAt(app: DisplayApp, address = `203.0.113.${(hosts += 1)}`) {
  return Object.assign(createBrowser(app.runtime, { address }), { address });
}

const report = (browser: Browser) =>
  browser.send(reportRoute.POST, "/api/wall/report", { body: {} });
const look = (browser: Browser) => browser.send(wallRoute.GET, "/api/wall");
const type = (app: DisplayApp, code: string, by = app.admin) =>
  by.send(displaysRoute.POST, "/api/displays", { body: { ...SETTINGS, replaces: null, code } });

function expectNoSecrets(app: DisplayApp, ...browsers: Browser[]) {
  const text = app.logText();
  for (const secret of [...secrets, ...browsers.flatMap(({ jar }) => [...jar.values()])]) {
    expect(text).not.toContain(secret);
  }
}

describe("signing in", () => {
  test("logs person and address, and nothing else of the form", async ({ app }) => {
    const browser = browserAt(app);
    await browser.signIn(MAYA, PASSWORD, { callbackUrl: "/northgate?q=private" });
    expect(app.logged("sign_in")).toEqual([
      { address: browser.address, ...maya, by: "local", count: 1 },
    ]);
    secrets.push("private");
    expectNoSecrets(app, browser);
  });

  test("logs a refusal with the person if there is one, never an unknown e-mail address", async ({
    app,
  }) => {
    const browser = browserAt(app);
    await browser.signIn(MAYA, "a wrong password");
    await browser.signIn("unknown@elsewhere.example", "another password");
    await browser.signIn("hunter2-typed-into-the-wrong-field", "another password");
    app.runtime.securityLog.flush();
    const { address } = browser;
    expect(app.logged("sign_in_refused")).toEqual([
      { address, ...maya, known: true, count: 1 },
      { address, known: false, count: 1 },
      { address, known: false, count: 1, since: expect.any(String) },
    ]);
    expect(app.logged("sign_in")).toEqual([]);
    secrets.push("a wrong password", "another password", "unknown@", "hunter2");
    expectNoSecrets(app, browser);
  });

  test("logs a lockout with the limit, the account and the number of attempts", async ({ app }) => {
    const browser = browserAt(app);
    for (let i = 0; i < FAILURES_PER_ACCOUNT + 3; i++) await browser.signIn(MAYA, "wrong");
    const { address } = browser;
    app.runtime.securityLog.flush();
    expect(app.logged("sign_in_locked")).toMatchObject([
      { address, ...maya, limit: "account", count: 1 },
      { address, ...maya, limit: "account", count: 2 },
    ]);
    const refused = app.logged("sign_in_refused");
    expect(refused.map(({ count }) => count)).toEqual([1, FAILURES_PER_ACCOUNT - 1]);

    for (let i = 0; i <= FAILURES_PER_ADDRESS; i++) await browser.signIn(`x${i}@example.com`, "x");
    expect(app.logged("sign_in_locked").at(-1)).toEqual({
      address,
      limit: "address",
      count: 1,
    });
  });

  test("logs a cross-site form, or one with another browser's token", async ({ app }) => {
    const browser = browserAt(app);
    const foreign = browser.request("/api/auth/callback/credentials", {
      method: "POST",
      headers: { origin: "http://evil.example" },
      body: new URLSearchParams({ email: MAYA, password: PASSWORD }),
    });
    await handleAuthRequest(app.runtime, foreign, ["callback", "credentials"]);
    await browser.auth("callback/credentials", { email: MAYA, password: PASSWORD, json: "true" });
    await browser.auth("callback/credentials", { email: MAYA, password: PASSWORD });
    app.runtime.securityLog.flush();
    const { address } = browser;
    expect(app.logged("cross_site_refused")).toMatchObject([
      { address, why: "origin", from: "http://evil.example", count: 1 },
      { address, why: "token", count: 1 },
      { address, why: "token", count: 1 },
    ]);
    expectNoSecrets(app, browser);
  });
});

describe("the end of a session", () => {
  test("is logged for signing out, and for signing in again on the same browser", async ({
    app,
  }) => {
    const browser = browserAt(app);
    await browser.signIn(MAYA);
    await browser.signIn(MAYA);
    await browser.signOut();
    const { address } = browser;
    expect(app.logged("sign_out")).toEqual([
      { address, ...maya, why: "replaced", count: 1 },
      { address, ...maya, why: "asked", count: 1 },
    ]);
    expect(app.logged("session_ended")).toEqual([]);
    await browser.signOut();
    expect(app.logged("sign_out")).toHaveLength(2);
  });

  test.for<[string, (browser: Browser, app: DisplayApp) => Promise<void>]>([
    ["revoked", async (browser) => void (await browser.signOut())],
    [
      "disabled",
      async (_, app) => {
        await app.database.orm
          .update(people)
          .set({ disabledAt: new Date() })
          .where(eq(people.email, MAYA));
        await app.clock.advance(RECHECK_MS);
      },
    ],
  ])("%s: logs reuse of its cookie", async ([why, end], { app }) => {
    const browser = browserAt(app);
    await browser.signIn(MAYA);
    const before = new Map(browser.jar);
    await end(browser, app);
    for (const [name, value] of before) browser.jar.set(name, value);
    await app.clearLog();
    try {
      expect((await look(browser)).status).toBe(401);
      expect(
        (await respondToUnrouted(app.runtime, browser.request("/api/companies/x"), NO_ROUTE))
          .status,
      ).toBe(401);
      await browser.auth("session");
    } finally {
      await app.database.orm.update(people).set({ disabledAt: null }).where(eq(people.email, MAYA));
    }
    app.runtime.securityLog.flush();
    const { address } = browser;
    expect(app.logged("session_ended")).toMatchObject([
      { address, ...maya, why, count: 1 },
      { address, ...maya, why, count: 2 },
    ]);
    secrets.push(...before.values());
    expectNoSecrets(app, browser);
  });

  test("is logged once for an expired row, however long the cookie lasts", async ({ app }) => {
    const { sessions } = app.runtime.auth;
    const id = secretHash(await sessions.start(maya.person, "192.0.2.77"));
    await app.clock.advance(SESSION_MS);
    await sessions.check(id, true, "192.0.2.77");
    expect(app.logged("session_ended")).toEqual([
      { address: "192.0.2.77", ...maya, why: "expired", count: 1 },
    ]);
  });

  test("is not logged without a cookie, for a forged one, or for an unknown session", async ({
    app,
  }) => {
    const browser = browserAt(app);
    await look(browser);
    browser.jar.set("next-auth.session-token", "a.b.c.d.e");
    expect((await look(browser)).status).toBe(401);
    await app.runtime.auth.sessions.check(secretHash(newSecret()), true, browser.address);
    expect(app.logText()).toBe("");
  });
});

describe("a 403 response", () => {
  test("logs the permission that the role lacks", async ({ app }) => {
    const browser = browserAt(app);
    await browser.signIn(MAYA);
    expect((await type(app, NO_CODE, browser)).status).toBe(403);
    expect((await report(browser)).status).toBe(403);
    const { address } = browser;
    expect(app.logged("forbidden")).toEqual([
      { address, ...maya, right: "manage-displays", count: 1 },
      { address, ...maya, right: "report", count: 1 },
    ]);
  });

  test("logs a cross-site request with the person whose session it used", async ({ app }) => {
    const request = app.admin.request("/api/displays", {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://localhost:3000" },
      body: JSON.stringify({ code: NO_CODE }),
    });
    const answer = await displaysRoute.POST(request, withParams());
    expect(answer.status).toBe(403);
    expect(app.logged("cross_site_refused")).toEqual([
      { address: "192.0.2.1", ...ana, why: "origin", from: "https://localhost:3000", count: 1 },
    ]);
  });
});

describe("displays", () => {
  async function codeOn(screen: Browser): Promise<string> {
    const begun = await screen.send(pairRoute.POST, "/api/pair", { body: {} });
    const view = (await begun.json()) as PairingView;
    return view.state === "waiting" ? view.code : "";
  }

  test("log everything from the code on the screen to the refused credential", async ({ app }) => {
    const screen = browserAt(app);
    const code = await codeOn(screen);
    const { address } = screen;
    expect(app.logged("pairing_opened")).toEqual([{ address, count: 1 }]);

    expect((await type(app, NO_CODE)).status).toBe(404);
    const atAdmin = { address: "192.0.2.1", ...ana };
    expect(app.logged("pairing_failed")).toEqual([{ ...atAdmin, count: 1 }]);

    const { id } = (await (await type(app, code)).json()) as { id: string };
    const display = { display: id, display_name: "Room 3" };
    expect(app.logged("display_paired")).toEqual([
      { ...atAdmin, ...display, again: false, count: 1 },
    ]);
    await screen.send(pairRoute.GET, "/api/pair");
    expect((await look(screen)).status).toBe(200);

    for (let i = 0; i < 2; i++) {
      await app.admin.send(revokeRoute.POST, "/", { body: {}, params: { id } });
    }
    expect(app.logged("display_revoked")).toEqual([{ ...atAdmin, ...display, count: 1 }]);
    await app.clock.advance(RECHECK_MS);
    expect((await look(screen)).status).toBe(403);
    expect((await report(screen)).status).toBe(403);
    app.runtime.securityLog.flush();
    expect(app.logged("display_refused")).toMatchObject([
      { address, ...display, why: "revoked", count: 1 },
      { address, ...display, why: "revoked", count: 1 },
    ]);
    secrets.push(code, NO_CODE);
    expectNoSecrets(app, screen);
  });

  test("log an unknown credential", async ({ app }) => {
    const screen = browserAt(app);
    screen.jar.set("plumbline-display", newSecret());
    expect((await look(screen)).status).toBe(401);
    expect(app.logged("display_refused")).toEqual([
      { address: screen.address, why: "unknown", count: 1 },
    ]);
    expectNoSecrets(app, screen);
  });

  test("log the limits per address, in total, and per person", async ({ app }) => {
    const screen = browserAt(app);
    for (let i = 0; i <= PAIRINGS_PER_MINUTE; i++) await codeOn(screen);
    const { address } = screen;
    expect(app.logged("limit_hit")).toEqual([{ address, limit: "pairings_per_address", count: 1 }]);

    await app.database.orm.delete(pairings);
    const now = app.clock.nowMs();
    await app.database.orm.insert(pairings).values(
      Array.from({ length: MAX_OPEN_PAIRINGS }, (_, i) => ({
        codeHash: `code ${i}`,
        secretHash: `secret ${i}`,
        createdAt: new Date(now),
        expiresAt: new Date(now + 60_000),
      })),
    );
    const other = browserAt(app);
    await codeOn(other);
    expect(app.logged("limit_hit").at(-1)).toEqual({
      address: other.address,
      limit: "open_pairings",
      count: 1,
    });

    for (let i = 0; i <= WRONG_CODES.limit; i++) await type(app, NO_CODE);
    expect(app.logged("limit_hit").at(-1)).toEqual({
      address: "192.0.2.1",
      ...ana,
      limit: "wrong_codes",
      count: 1,
    });
  });
});

test("log unauthorised requests to /metrics", async ({ app }) => {
  Object.assign(app.runtime.config, { metricsToken: "a token of the tests" });
  const browser = browserAt(app);
  const request = browser.request("/metrics", { headers: { authorization: "Bearer guessed" } });
  expect((await metricsRoute.GET(request, withParams())).status).toBe(404);
  expect(app.logged("metrics_refused")).toEqual([{ address: browser.address, count: 1 }]);
  secrets.push("guessed", "a token of the tests");
  expectNoSecrets(app, browser);
});
