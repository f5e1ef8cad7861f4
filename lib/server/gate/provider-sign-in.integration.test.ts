import pino from "pino";
import { SignJWT, UnsecuredJWT } from "jose";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { AccessRule } from "@/lib/domain/access-rules";
import { createAccess, type Access } from "@/lib/server/auth/access";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { createProvider } from "@/lib/server/auth/provider";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import { auditLog } from "@/lib/server/store/schema/audit";
import { incidentEvents, incidents } from "@/lib/server/store/schema/incidents";
import { people, sessions, signInAttempts } from "@/lib/server/store/schema/people";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { createSeal } from "@/lib/server/upstream/seal";
import { APP_URL, appTest, createBrowser, createTestApp, type TestApp } from "./app-fixture";
import { createBackchannelLogout } from "./backchannel-logout";
import { startLyingIssuer, type LyingIssuer } from "./issuer-fixture";
import { notifyOfSessions } from "./notified-fixture";

const RULES: readonly AccessRule[] = [
  { claim: "groups", value: "cs-*", isGlob: true, role: "member", companies: ["northgate"] },
  { claim: "department", value: "IT", isGlob: false, role: "viewer", companies: null },
];
const ADMIN = "admin@example.com";

let issuer: LyingIssuer;
const accesses: Access[] = [];
const test = appTest(() =>
  createTestApp(APP_URL, ({ clock, authSecret }) => {
    const access = createAccess(issuer.issuer, RULES);
    accesses.push(access);
    const { clientId, clientSecret } = issuer;
    const config = {
      issuer: issuer.issuer,
      clientId,
      clientSecret,
      name: "the issuer",
      scopes: "openid",
    };
    return {
      access,
      local: { who: "off", adminEmail: ADMIN },
      identity: {
        provider: createProvider({
          config,
          clock,
          send: createPlainSend({
            limits: { wholeMs: 300, bodyBytes: 64 * 1024 },
            clock,
            proxies: NO_PROXIES,
          }),
        }),
        seal: createSeal([authSecret], { ...config, origin: config.issuer }, "id tokens"),
      },
    };
  }),
);
beforeAll(async () => {
  issuer = await startLyingIssuer();
});
test.beforeAll(async ({ app }) => {
  await app.addPerson(ADMIN, "administrator");
  await app.addPerson("local@example.com", "administrator");
});
afterAll(() => issuer.close());
test.beforeEach(async ({ app }) => {
  Object.assign(issuer.lies, { claims: {}, isForeign: false, answers: null, answersToken: null });
  issuer.person = { sub: "ana", name: "Ana Rask", email: "Ana@example.com", groups: ["cs-emea"] };
  for (const access of accesses) access.replace(RULES);
  await app.database.orm.delete(signInAttempts);
  await app.clearLog();
});

type Browser = ReturnType<typeof createBrowser>;

/** Starts a provider sign-in, as the button does. @returns the redirect target */
async function leave(browser: Browser, callbackUrl = "/", query = ""): Promise<string> {
  const csrfToken = await browser.csrfToken();
  const answer = await browser.auth(`signin/oidc${query}`, {
    csrfToken,
    callbackUrl,
    json: "true",
  });
  return ((await answer.json()) as { url: string }).url;
}

/** @returns the redirect target */
async function comeBack(browser: Browser, to: URL): Promise<string> {
  const answer = await browser.auth(`callback/oidc${to.search}`);
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

async function signIn(browser: Browser, callbackUrl = "/"): Promise<string> {
  return comeBack(browser, issuer.agree(await leave(browser, callbackUrl)));
}

async function signedInAs(browser: Browser): Promise<unknown> {
  const answer = (await (await browser.auth("session")).json()) as { user?: { name?: string } };
  return answer.user?.name ?? null;
}

async function identity(app: TestApp, browser: Browser, runtime: AuthRuntime = app.runtime) {
  return runtime.auth.identify((name) => browser.jar.get(name));
}

async function houseEvents(app: TestApp, action: string) {
  const rows = await app.database.orm.select().from(auditLog).orderBy(auditLog.seq);
  return rows.filter(({ event }) => event === `${action}.asked`).map(({ detail }) => detail);
}

describe("a person authenticated by the provider", () => {
  test("gets the grants of the rules, and returns to the address that they came for", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    const place = "/northgate?q=a%26b#at=2026-11-19T13:32&rows=3";
    expect(await signIn(browser, place)).toBe(place);
    expect(await identity(app, browser)).toMatchObject({
      state: "known",
      person: {
        name: "Ana Rask",
        email: "ana@example.com",
        kind: "oidc",
        grants: [
          {
            role: "member",
            company: "northgate",
            because: { rule: 1, claim: "groups", value: "cs-emea" },
          },
        ],
      },
    });
    // The cookies of the redirect are deleted.
    expect([...browser.jar.keys()].filter((name) => /state|nonce|pkce/.test(name))).toEqual([]);
    expect(app.logged("sign_in")).toMatchObject([{ by: "oidc" }]);
    expect((await houseEvents(app, "grant")).at(-1)).toMatchObject({
      from: [],
      to: [{ because: { value: "cs-emea" } }],
      because: "rule 1, groups: cs-emea",
    });
    for (const secret of ["an access token", "code-", "eyJ", issuer.clientSecret]) {
      expect(app.logText()).not.toContain(secret);
    }
  });

  test("is identified by issuer and subject, not by e-mail address", async ({ app }) => {
    issuer.person = { ...issuer.person, email: ADMIN, name: "Not the administrator" };
    const browser = createBrowser(app.runtime);
    await signIn(browser);
    issuer.person = { ...issuer.person, sub: "another" };
    const other = createBrowser(app.runtime);
    await signIn(other);
    const [first, second] = [await identity(app, browser), await identity(app, other)];
    expect(first).toMatchObject({ person: { kind: "oidc", email: ADMIN } });
    expect(second).toMatchObject({ person: { kind: "oidc", email: ADMIN } });
    if (first.state !== "known" || second.state !== "known") throw new Error("not signed in");
    expect(second.person.id).not.toBe(first.person.id);
    expect(first.person.grants).not.toContainEqual({ role: "administrator", company: null });
  });

  test("has at most 200 characters of their name, none of them halved", async ({ app }) => {
    issuer.person = { ...issuer.person, sub: "long", name: `a${"\u{1F600}".repeat(300)}` };
    const browser = createBrowser(app.runtime);
    await signIn(browser);
    expect(await signedInAs(browser)).toBe(`a${"\u{1F600}".repeat(199)}`);
  });

  test("is refused and not stored when no rule grants access", async ({ app }) => {
    issuer.person = { sub: "stranger", email: "stranger@example.com", groups: ["sales"] };
    const browser = createBrowser(app.runtime);
    expect(await signIn(browser, "/northgate#x")).toBe(
      "/signin?error=NoAccess&callbackUrl=%2Fnorthgate%23x",
    );
    expect(await signedInAs(browser)).toBeNull();
    const rows = await app.database.orm.select().from(people).where(eq(people.subject, "stranger"));
    expect(rows).toEqual([]);
    expect(app.logged("sign_in_refused")).toMatchObject([{ by: "oidc", reason: "no_access" }]);
    expect(app.logText()).not.toContain("sales");
  });

  test("is refused with a reason when their groups were omitted, unless another rule matches", async ({
    app,
  }) => {
    const overage = { sub: "overage", _claim_names: { groups: "src1" }, hasgroups: true };
    issuer.person = overage;
    const browser = createBrowser(app.runtime);
    expect(await signIn(browser)).toBe("/signin?error=Overage");
    issuer.person = { ...overage, department: "IT" };
    expect(await signIn(browser)).toBe("/");
    expect(await identity(app, browser)).toMatchObject({
      person: { grants: [{ role: "viewer", company: null }] },
    });
  });

  test("is refused when disabled, and signed out within 5 s", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    issuer.person = { ...issuer.person, sub: "leaver" };
    await signIn(browser);
    await app.asOwner(`update people set disabled_at = now() where subject = 'leaver'`);
    await app.clock.advance(RECHECK_MS);
    expect(await signedInAs(browser)).toBeNull();
    expect(await signIn(browser)).toBe("/signin?error=Disabled");
  });

  test("gets the grants of changed rules within 5 s, audited once", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    issuer.person = { ...issuer.person, sub: "changing" };
    await signIn(browser);
    const next: AccessRule[] = [
      {
        claim: "groups",
        value: "cs-emea",
        isGlob: false,
        role: "operator",
        companies: ["harbour"],
      },
    ];
    const before = (await houseEvents(app, "grant")).length;
    const another = app.anotherInstance();
    for (const access of accesses) access.replace(next);
    const ours = app.runtime.auth.signInWithProvider;
    const theirs = another.auth.signInWithProvider;
    await Promise.all([ours.recordFound(issuer.issuer), theirs.recordFound(issuer.issuer)]);
    await ours.recordFound(issuer.issuer);
    await app.clock.advance(RECHECK_MS);
    expect(await identity(app, browser)).toMatchObject({
      person: { grants: [{ role: "operator", company: "harbour" }] },
    });
    const personIds = (await houseEvents(app, "grant"))
      .slice(before)
      .map((detail) => detail["person"]);
    expect(new Set(personIds).size).toBe(personIds.length);
    const who = await identity(app, browser);
    expect(personIds).toContain(who.state === "known" ? who.person.id : "");
  });

  test("loses acknowledgements with a right that changed rules revoke, audited once", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    issuer.person = { ...issuer.person, sub: "on it" };
    await signIn(browser);
    const who = await identity(app, browser);
    const id = who.state === "known" ? who.person.id : "";
    const { orm } = app.database;
    const at = new Date(app.clock.nowMs());
    await orm.insert(incidents).values({
      company: "northgate",
      id: 1,
      partnerName: "Procore",
      beganAt: at,
      openedAt: at,
      worstVerdict: "stale",
      flaps: 0,
      members: [],
      ownerId: id,
      acknowledgedById: id,
      acknowledgedAt: at,
    });
    for (const access of accesses)
      access.replace(RULES.map((rule) => ({ ...rule, role: "viewer" })));
    const another = app.anotherInstance();
    await Promise.all(
      [app.runtime, another].map(({ auth }) => auth.signInWithProvider.recordFound(issuer.issuer)),
    );
    expect(await orm.select().from(incidents)).toMatchObject([
      { ownerId: null, acknowledgedById: null, acknowledgedAt: null },
    ]);
    const events = await orm.select().from(incidentEvents).orderBy(incidentEvents.seq);
    expect(events.map(({ kind, byId }) => [kind, byId])).toEqual([
      ["unacknowledged", null],
      ["owned", null],
    ]);
  });
});

test("gets changed rules at once when sessions are reloaded, even if loaded before", async ({
  app,
}) => {
  const browser = createBrowser(app.runtime);
  issuer.person = { ...issuer.person, sub: "at-once" };
  await signIn(browser);
  const grants = async () => {
    const known = await identity(app, browser);
    return known.state === "known" ? known.person.grants.length : known.state;
  };
  expect(await grants()).toBe(1);
  for (const access of accesses) access.replace([]);
  expect(await grants()).toBe(1);
  const { sessions: held } = app.runtime.auth;
  held.recheckAll();
  expect(await grants()).toBe(0);
  // While the database is unavailable, cached sessions still allow reading.
  await app.whileAway("sessions", async () => {
    held.recheckAll();
    const look = app.runtime.auth.identify((name) => browser.jar.get(name), true);
    expect(await look).toMatchObject({ state: "known", isConfirmed: false });
  });
  // Retry interval of the database.
  await app.clock.advance(1_000);
});

describe("a misbehaving issuer signs no one in", () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.for<[string, () => void]>([
    ["another issuer", () => (issuer.lies.claims = { iss: "https://other.example" })],
    ["another audience", () => (issuer.lies.claims = { aud: "another client" })],
    ["another nonce", () => (issuer.lies.claims = { nonce: "another" })],
    ["no nonce", () => (issuer.lies.claims = { nonce: undefined })],
    ["expired", () => (issuer.lies.claims = { exp: now() - 3_600, iat: now() - 7_200 })],
    ["no end", () => (issuer.lies.claims = { exp: undefined })],
    ["no subject", () => (issuer.lies.claims = { sub: undefined })],
    ["an empty subject", () => (issuer.lies.claims = { sub: "" })],
    ["a subject that is too long", () => (issuer.lies.claims = { sub: "x".repeat(256) })],
    ["a subject with NUL", () => (issuer.lies.claims = { sub: "ana\0" })],
    ["a subject with half a letter", () => (issuer.lies.claims = { sub: "ana\uD83D" })],
    ["a foreign key", () => (issuer.lies.isForeign = true)],
    ["more claims than we keep", () => (issuer.lies.claims = { groups: ["x".repeat(60_000)] })],
    [
      "no signature",
      () => {
        const token = new UnsecuredJWT({ sub: "ana", nonce: "x" }).setIssuer(issuer.issuer);
        answersWith(token.setAudience(issuer.clientId).encode());
      },
    ],
    ["no ID token", () => answersWith(null)],
    ["a body without end", () => (issuer.lies.answersToken = (r) => r.write("x".repeat(99_999)))],
    ["nothing", () => (issuer.lies.answersToken = () => {})],
    [
      "a redirect",
      () => (issuer.lies.answersToken = (r) => r.writeHead(302, { location: "/jwks" }).end()),
    ],
    [
      "a page",
      () => (issuer.lies.answersToken = (r) => r.setHeader("content-type", "text/html").end("<p>")),
    ],
    [
      "nested JSON",
      () =>
        (issuer.lies.answersToken = (r) =>
          r.setHeader("content-type", "application/json").end("[".repeat(50_000))),
    ],
  ])("%s", async ([, lie], { app }) => {
    const browser = createBrowser(app.runtime);
    const back = issuer.agree(await leave(browser));
    lie();
    expect(await comeBack(browser, back)).toMatch(/^\/signin\?error=Provider(Refused|Down)$/);
    expect(await signedInAs(browser)).toBeNull();
  });

  function answersWith(idToken: string | null): void {
    const body = {
      access_token: "a",
      token_type: "Bearer",
      ...(idToken !== null && { id_token: idToken }),
    };
    issuer.lies.answersToken = (response) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  }

  test("refuses a token signed with the client's secret", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const url = await leave(browser);
    const back = issuer.agree(url);
    const token = await new SignJWT({ nonce: new URL(url).searchParams.get("nonce") })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer.issuer)
      .setAudience(issuer.clientId)
      .setSubject("ana")
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode(issuer.clientSecret));
    answersWith(token);
    expect(await comeBack(browser, back)).toBe("/signin?error=ProviderRefused");
  });

  test("accepts a code once, in the browser that started, with its state", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const back = issuer.agree(await leave(browser));
    const stolen = createBrowser(app.runtime);
    expect(await comeBack(stolen, back)).toBe("/signin?error=SignInExpired");
    // Another browser's own attempt doesn't help.
    await leave(stolen);
    expect(await comeBack(stolen, back)).toBe("/signin?error=ProviderRefused");
    expect(await comeBack(browser, back)).toBe("/");
    expect(await comeBack(browser, back)).toBe("/signin?error=SignInExpired");
    const other = issuer.agree(await leave(browser));
    other.searchParams.set("state", "another");
    expect(await comeBack(browser, other)).toBe("/signin?error=ProviderRefused");
  });

  test("doesn't repeat error texts from the address, and refuses cross-site POSTs", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    await leave(browser, "/northgate");
    const answer = await browser.auth("callback/oidc?error=access_denied&error_description=evil");
    expect(answer.headers.get("location")).toBe(
      "/signin?error=ProviderRefused&callbackUrl=%2Fnorthgate",
    );
    const posted = await browser.auth("callback/oidc", { code: "x", state: "y" });
    expect(posted.status).toBe(405);
    expect(await leave(browser, "https://evil.example/")).toContain(issuer.issuer);
    expect(await comeBack(browser, issuer.agree(await leave(browser, "//evil.example")))).toBe("/");
  });

  test("blocks further callbacks after sixty failed ones without contacting the issuer", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime, { address: "203.0.113.77" });
    const nothing = new URL(`${APP_URL}/api/auth/callback/oidc?code=guessed`);
    for (let i = 0; i < 60; i++) {
      const url = await leave(browser);
      nothing.searchParams.set("state", new URL(url).searchParams.get("state") ?? "");
      await comeBack(browser, nothing);
    }
    const before = issuer.requests["/token"];
    await leave(browser);
    expect(await comeBack(browser, nothing)).toContain("error=TooManyAttempts");
    expect(issuer.requests["/token"]).toBe(before);
  }, 60_000);
});

describe("reauthentication at the provider", () => {
  const now = (app: TestApp) => Math.floor(app.clock.nowMs() / 1000);
  const proveAgain = async (browser: Browser) =>
    comeBack(browser, issuer.agree(await leave(browser, "/northgate", "?max_age=0")));
  const sessionOf = async (app: TestApp, browser: Browser) => {
    const known = await identity(app, browser);
    return known.state === "known" ? known.session.id : "none";
  };
  const isRecent = async (app: TestApp, browser: Browser) => {
    const id = await sessionOf(app, browser);
    return id !== "none" && app.runtime.auth.hasRecentSignIn(id);
  };

  test("is requested whatever session exists, including its time", async ({ app }) => {
    const sent = new URL(await leave(createBrowser(app.runtime), "/", "?max_age=0"));
    expect(sent.searchParams.get("max_age")).toBe("0");
    expect(sent.searchParams.get("prompt")).toBe("login");
    expect(JSON.parse(sent.searchParams.get("claims") ?? "")).toEqual({
      id_token: { auth_time: { essential: true } },
    });
    const plain = new URL(await leave(createBrowser(app.runtime), "/", "?prompt=none&claims=x"));
    // A normal sign-in requests only the time of the last authentication.
    expect(Number(plain.searchParams.get("max_age"))).toBeGreaterThan(180 * 86_400);
    for (const name of ["prompt", "claims"]) expect(plain.searchParams.has(name)).toBe(false);
  });

  test.for<[string, (app: TestApp) => unknown]>([
    ["says nothing of when", () => undefined],
    ["says that it was an hour ago", (app) => now(app) - 3_600],
    ["says that it was just before they left", (app) => now(app) - 90],
    ["says that it was after all time", () => 1e300],
  ])(
    "is refused where the provider %s, and the session continues",
    async ([, authTime], { app }) => {
      const browser = createBrowser(app.runtime);
      issuer.person = { ...issuer.person, sub: "again", auth_time: undefined };
      await signIn(browser);
      const before = await sessionOf(app, browser);
      issuer.person = { ...issuer.person, auth_time: authTime(app) };
      await app.clearLog();
      expect(await proveAgain(browser)).toBe(
        "/signin?error=NotProvenAgain&callbackUrl=%2Fnorthgate",
      );
      expect(app.logged("provider_refused")).toMatchObject([{ why: "not_proven_again" }]);
      expect(await sessionOf(app, browser)).toBe(before);
      expect(await isRecent(app, browser)).toBe(false);
    },
  );

  test("fails when the provider doesn't return the time", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    issuer.person = { ...issuer.person, sub: "again" };
    expect(await signIn(browser)).toBe("/");
    expect(await isRecent(app, browser)).toBe(false);
  });

  test("succeeds by the provider's time, however long its page took", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const back = issuer.agree(await leave(browser, "/northgate", "?max_age=0"));
    issuer.person = { ...issuer.person, sub: "again", auth_time: now(app) - 240 };
    browser.jar.set("plumbline-asked-again", String((now(app) - 300) * 1000));
    expect(await comeBack(browser, back)).toBe("/northgate");
    expect(await isRecent(app, browser)).toBe(true);
    expect(browser.jar.has("plumbline-asked-again")).toBe(false);
  });

  test("can be abandoned for a normal sign-in", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    await leave(browser, "/northgate", "?max_age=0");
    expect(await signIn(browser)).toBe("/");
  });

  test("ignores a forged start time", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    for (const planted of ["1", "-1", "1e308", "NaN", "0", ""]) {
      issuer.person = { ...issuer.person, sub: "again", auth_time: now(app) - 3_700 };
      const back = issuer.agree(await leave(browser, "/northgate", "?max_age=0"));
      browser.jar.set("plumbline-asked-again", planted);
      await comeBack(browser, back);
      expect(await isRecent(app, browser)).toBe(false);
    }
  });
});

describe("an unavailable issuer", () => {
  test.for([
    ["hangs", () => {}],
    [
      "fails",
      (_: unknown, response: { writeHead(status: number): { end(): void } }) => {
        response.writeHead(502).end();
      },
    ],
  ] as const)(
    "is reported on the page when it %s, and the first administrator can sign in",
    async ([, answers], { app }) => {
      issuer.lies.answers = answers;
      const runtime = app.anotherInstance();
      const browser = createBrowser(runtime);
      expect(await leave(browser, "/northgate")).toBe(
        "/signin?error=ProviderDown&callbackUrl=%2Fnorthgate",
      );
      expect(runtime.auth.provider?.isDown()).toBe(true);
      const before = issuer.requests["/.well-known/openid-configuration"];
      expect((await browser.signIn(ADMIN)).status).toBe(200);
      // Makes no request, so nothing has to be awaited.
      expect(issuer.requests["/.well-known/openid-configuration"]).toBe(before);
      expect(app.logged("sign_in").at(-1)).toMatchObject({
        by: "local",
        beside_provider: "down",
        first_administrator: true,
      });
    },
  );

  test("is one that returns another issuer name", async ({ app }) => {
    issuer.lies.answers = (_, response) => {
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ issuer: "https://other.example" }));
    };
    const browser = createBrowser(app.anotherInstance());
    expect(await leave(browser)).toBe("/signin?error=ProviderDown");
  });
});

test("refuses the right password of an ordinary local account, with a reason, where these are off", async ({
  app,
}) => {
  const browser = createBrowser(app.runtime);
  const answer = await browser.signIn("local@example.com");
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ error: "forbidden" });
  expect((await browser.signIn("local@example.com", "wrong")).status).toBe(401);
  expect(await signedInAs(browser)).toBeNull();
});

describe("signing out", () => {
  test("ends the provider's session too, without storing anything readable about it", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    issuer.person = { ...issuer.person, sub: "out", sid: "out-1" };
    await signIn(browser);
    const [row] = await app.database.orm
      .select()
      .from(sessions)
      .where(eq(sessions.providerSession, "out-1"));
    expect(row?.idToken).toEqual(expect.any(String));
    expect(row?.idToken).not.toContain("eyJ");
    const out = await browser.signOut();
    expect(out.headers.get("clear-site-data")).toBe('"cache", "storage"');
    const answer = (await out.json()) as { url: string };
    expect(answer).toMatchObject({ isElsewhere: true });
    const url = new URL(answer.url);
    expect(url.origin + url.pathname).toBe(`${issuer.issuer}/end`);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${APP_URL}/signin`);
    expect(url.searchParams.get("id_token_hint")).toMatch(/^eyJ/);
    expect(await signedInAs(browser)).toBeNull();
  });
});

describe("back-channel logout", () => {
  const send = (
    app: TestApp,
    logoutToken: string | null,
    {
      answerer = createBackchannelLogout(() => 0),
      type = "application/x-www-form-urlencoded",
    } = {},
  ) =>
    answerer(
      app.runtime,
      new Request(`${APP_URL}/api/auth/backchannel-logout`, {
        method: "POST",
        headers: { "content-type": type, "x-plumbline-client-address": "192.0.2.9" },
        body: logoutToken === null ? "" : new URLSearchParams({ logout_token: logoutToken }),
      }),
    );

  async function person(app: TestApp, sub: string, sid: string): Promise<Browser> {
    const browser = createBrowser(app.runtime);
    issuer.person = { ...issuer.person, sub, sid };
    await signIn(browser);
    return browser;
  }

  test("ends a session by sid, all by sub, and everywhere within 5 s", async ({ app }) => {
    const [one, two, other] = [
      await person(app, "bea", "bea-1"),
      await person(app, "bea", "bea-2"),
      await person(app, "carl", "carl-1"),
    ];
    const another = app.anotherInstance();
    for (const browser of [one, two, other]) await identity(app, browser, another);

    const answer = await send(app, await issuer.logoutToken({ sid: "bea-1" }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await identity(app, one)).toMatchObject({ state: "anonymous" });
    expect(await identity(app, two)).toMatchObject({ state: "known" });
    await app.clock.advance(RECHECK_MS);
    expect(await identity(app, one, another)).toMatchObject({ state: "anonymous" });

    expect((await send(app, await issuer.logoutToken({ sub: "bea" }))).status).toBe(200);
    expect(await identity(app, two)).toMatchObject({ state: "anonymous" });
    expect(await identity(app, other)).toMatchObject({ state: "known" });
    // Another person's session isn't ended.
    expect((await send(app, await issuer.logoutToken({ sub: "bea", sid: "carl-1" }))).status).toBe(
      200,
    );
    expect(await identity(app, other)).toMatchObject({ state: "known" });
    expect((await houseEvents(app, "end-sessions")).at(-1)).toMatchObject({
      sessions: 1,
      because: "1 session, ended at the identity provider",
    });
  });

  test("ends a session at once on an instance that is notified", async ({ app }) => {
    const browser = await person(app, "dora", "dora-1");
    const another = app.anotherInstance();
    const { payloads, stop } = notifyOfSessions(app, another);
    try {
      await expect.poll(() => payloads, { timeout: 20_000 }).toEqual([null]);
      expect(await identity(app, browser, another)).toMatchObject({ state: "known" });
      expect((await send(app, await issuer.logoutToken({ sid: "dora-1" }))).status).toBe(200);
      await expect.poll(() => payloads.length, { timeout: 20_000 }).toBe(2);
      expect(await identity(app, browser, another)).toMatchObject({ state: "anonymous" });
    } finally {
      await stop();
    }
  });

  test("accepts a token once, also concurrently", async ({ app }) => {
    const browser = await person(app, "dan", "dan-1");
    const token = await issuer.logoutToken({ sub: "dan" });
    const statuses = await Promise.all([send(app, token), send(app, token)]);
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    await signIn(browser);
    expect((await send(app, token)).status).toBe(400);
    expect(await identity(app, browser)).toMatchObject({ state: "known" });
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.for<[string, () => Promise<string | null>]>([
    ["nothing", async () => null],
    ["no token", async () => "nonsense"],
    ["another issuer", () => issuer.logoutToken({ sub: "eve", iss: "https://other.example" })],
    ["another audience", () => issuer.logoutToken({ sub: "eve", aud: "another" })],
    ["an old one", () => issuer.logoutToken({ sub: "eve", iat: now() - 3_600 })],
    ["one of the future", () => issuer.logoutToken({ sub: "eve", iat: now() + 3_600 })],
    ["an expired one", () => issuer.logoutToken({ sub: "eve", exp: now() - 300 })],
    ["no jti", () => issuer.logoutToken({ sub: "eve", jti: undefined })],
    ["no event", () => issuer.logoutToken({ sub: "eve", events: undefined })],
    ["another event", () => issuer.logoutToken({ sub: "eve", events: { other: {} } })],
    ["a nonce", () => issuer.logoutToken({ sub: "eve", nonce: "x" })],
    ["without a subject or session", () => issuer.logoutToken({})],
    ["a subject that can't be stored", () => issuer.logoutToken({ sub: "eve\0" })],
    ["a session that can't be stored", () => issuer.logoutToken({ sid: "eve-1\0" })],
    ["one that is too long", () => issuer.logoutToken({ sub: "eve", more: "x".repeat(16_384) })],
    ["a foreign key", () => issuer.logoutToken({ sub: "eve" }, { isForeign: true })],
    ["an unknown key", () => issuer.logoutToken({ sub: "eve" }, { header: { kid: "two" } })],
    [
      "no signature",
      async () => new UnsecuredJWT({ sub: "eve", jti: "x" }).setIssuer(issuer.issuer).encode(),
    ],
  ])("refuses %s with 400", async ([, token], { app }) => {
    const browser = await person(app, "eve", "eve-1");
    const answer = await send(app, await token());
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await identity(app, browser)).toMatchObject({ state: "known" });
  });

  test("blocks an address that sends invalid tokens, but not a valid token", async ({ app }) => {
    let nowMs = 0;
    const answerer = createBackchannelLogout(() => nowMs);
    for (let i = 0; i < 30; i++)
      expect((await send(app, "nonsense", { answerer })).status).toBe(400);
    await expect(send(app, "nonsense", { answerer })).rejects.toMatchObject({
      code: "too_many_requests",
    });
    // From the same address, such as a shared proxy.
    const browser = await person(app, "eve", "eve-1");
    expect((await send(app, await issuer.logoutToken({ sub: "eve" }), { answerer })).status).toBe(
      200,
    );
    expect(await identity(app, browser)).toMatchObject({ state: "anonymous" });
    await expect(send(app, "nonsense", { answerer })).rejects.toMatchObject({
      code: "too_many_requests",
    });
    nowMs = 60_000;
    expect((await send(app, "nonsense", { answerer })).status).toBe(400);
    const token = await issuer.logoutToken({ sub: "eve" });
    expect((await send(app, token, { answerer, type: "text/plain" })).status).toBe(400);
  });
});

describe("while the database is away", () => {
  async function onAnotherConnection(
    app: TestApp,
    work: (runtime: AuthRuntime, away: () => Promise<void>) => Promise<void>,
  ) {
    const database = await openDatabase(app.database.connectionString, {
      log: pino({ level: "silent" }),
      audit: TEST_AUDIT,
    });
    let isOpen = true;
    const away = async () => {
      if (isOpen) await database.close();
      isOpen = false;
    };
    try {
      await work(app.anotherInstance(database), away);
    } finally {
      await away();
    }
  }

  async function unfinished(browser: Browser, to: URL): Promise<string> {
    const answer = await browser.auth(`callback/oidc${to.search}`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    const text = await answer.text();
    expect(text).toContain("Plumbline can’t reach its database");
    return /http-equiv="refresh" content="([^"]*)"/.exec(text)?.[1] ?? "";
  }

  test("returns an explaining page to a return from the provider, and completes the sign-in after it reloads", async ({
    app,
  }) => {
    await onAnotherConnection(app, async (runtime, away) => {
      const browser = createBrowser(runtime);
      const to = issuer.agree(await leave(browser, "/northgate"));
      await away();
      expect(await unfinished(browser, to)).toBe("5");
      const again = createBrowser(app.runtime);
      for (const [name, value] of browser.jar) again.jar.set(name, value);
      expect(await comeBack(again, to)).toBe("/northgate");
      expect(await signedInAs(again)).toBe("Ana Rask");
      expect(app.logged("request_unanswered")).toMatchObject([{ method: "GET" }]);
    });
  });

  test("restarts a sign-in whose code is used, keeping its destination", async ({ app }) => {
    await onAnotherConnection(app, async (runtime, away) => {
      const browser = createBrowser(runtime);
      const to = issuer.agree(await leave(browser, "/northgate?q=a%26b"));
      issuer.person = {
        sub: "ana",
        // Read when the provider makes the ID token.
        get name() {
          void away();
          return "Ana Rask";
        },
      };
      expect(await unfinished(browser, to)).toBe(
        "5;url=/signin?callbackUrl=%2Fnorthgate%3Fq%3Da%2526b",
      );
    });
  });
});
