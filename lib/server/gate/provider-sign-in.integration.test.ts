import pino from "pino";
import { SignJWT, UnsecuredJWT } from "jose";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
import { APP_URL, createAuthFixture, createBrowser, type AuthFixture } from "./auth-fixture";
import { createBackchannelLogout } from "./backchannel-logout";
import { startLyingIssuer, type LyingIssuer } from "./issuer-fixture";

const RULES: readonly AccessRule[] = [
  { claim: "groups", value: "cs-*", isGlob: true, role: "member", companies: ["northgate"] },
  { claim: "department", value: "IT", isGlob: false, role: "viewer", companies: null },
];
const ADMIN = "admin@example.com";

let issuer: LyingIssuer;
let fixture: AuthFixture;
const accesses: Access[] = [];
beforeAll(async () => {
  issuer = await startLyingIssuer();
  fixture = await createAuthFixture(APP_URL, ({ clock, authSecret }) => {
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
  });
  await fixture.addPerson(ADMIN, "administrator");
  await fixture.addPerson("local@example.com", "administrator");
});
afterAll(async () => {
  await fixture.drop();
  await issuer.close();
});
beforeEach(async () => {
  Object.assign(issuer.lies, { claims: {}, isForeign: false, answers: null, answersToken: null });
  issuer.person = { sub: "ana", name: "Ana Rask", email: "Ana@example.com", groups: ["cs-emea"] };
  for (const access of accesses) access.replace(RULES);
  await fixture.database.orm.delete(signInAttempts);
  await fixture.clearLog();
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

async function identity(browser: Browser, runtime: AuthRuntime = fixture.runtime) {
  return runtime.auth.identify((name) => browser.jar.get(name));
}

async function houseEvents(action: string) {
  const rows = await fixture.database.orm.select().from(auditLog).orderBy(auditLog.seq);
  return rows.filter(({ event }) => event === `${action}.asked`).map(({ detail }) => detail);
}

describe("a person authenticated by the provider", () => {
  test("gets the grants of the rules, and returns to the address that they came for", async () => {
    const browser = createBrowser(fixture.runtime);
    const place = "/northgate?q=a%26b#at=2026-11-19T13:32&rows=3";
    expect(await signIn(browser, place)).toBe(place);
    expect(await identity(browser)).toMatchObject({
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
    expect(fixture.logged("sign_in")).toMatchObject([{ by: "oidc" }]);
    expect((await houseEvents("grant")).at(-1)).toMatchObject({
      from: [],
      to: [{ because: { value: "cs-emea" } }],
      because: "rule 1, groups: cs-emea",
    });
    for (const secret of ["an access token", "code-", "eyJ", issuer.clientSecret]) {
      expect(fixture.logText()).not.toContain(secret);
    }
  });

  test("is identified by issuer and subject, not by e-mail address", async () => {
    issuer.person = { ...issuer.person, email: ADMIN, name: "Not the administrator" };
    const browser = createBrowser(fixture.runtime);
    await signIn(browser);
    issuer.person = { ...issuer.person, sub: "another" };
    const other = createBrowser(fixture.runtime);
    await signIn(other);
    const [first, second] = [await identity(browser), await identity(other)];
    expect(first).toMatchObject({ person: { kind: "oidc", email: ADMIN } });
    expect(second).toMatchObject({ person: { kind: "oidc", email: ADMIN } });
    if (first.state !== "known" || second.state !== "known") throw new Error("not signed in");
    expect(second.person.id).not.toBe(first.person.id);
    expect(first.person.grants).not.toContainEqual({ role: "administrator", company: null });
  });

  test("is refused and not stored when no rule grants access", async () => {
    issuer.person = { sub: "stranger", email: "stranger@example.com", groups: ["sales"] };
    const browser = createBrowser(fixture.runtime);
    expect(await signIn(browser, "/northgate#x")).toBe(
      "/signin?error=NoAccess&callbackUrl=%2Fnorthgate%23x",
    );
    expect(await signedInAs(browser)).toBeNull();
    const rows = await fixture.database.orm
      .select()
      .from(people)
      .where(eq(people.subject, "stranger"));
    expect(rows).toEqual([]);
    expect(fixture.logged("sign_in_refused")).toMatchObject([{ by: "oidc", reason: "no_access" }]);
    expect(fixture.logText()).not.toContain("sales");
  });

  test("is refused with a reason when their groups were omitted, unless another rule matches", async () => {
    const overage = { sub: "overage", _claim_names: { groups: "src1" }, hasgroups: true };
    issuer.person = overage;
    const browser = createBrowser(fixture.runtime);
    expect(await signIn(browser)).toBe("/signin?error=Overage");
    issuer.person = { ...overage, department: "IT" };
    expect(await signIn(browser)).toBe("/");
    expect(await identity(browser)).toMatchObject({
      person: { grants: [{ role: "viewer", company: null }] },
    });
  });

  test("is refused when disabled, and signed out within 5 s", async () => {
    const browser = createBrowser(fixture.runtime);
    issuer.person = { ...issuer.person, sub: "leaver" };
    await signIn(browser);
    await fixture.asOwner(`update people set disabled_at = now() where subject = 'leaver'`);
    await fixture.clock.advance(RECHECK_MS);
    expect(await signedInAs(browser)).toBeNull();
    expect(await signIn(browser)).toBe("/signin?error=Disabled");
  });

  test("gets the grants of changed rules within 5 s, audited once", async () => {
    const browser = createBrowser(fixture.runtime);
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
    const before = (await houseEvents("grant")).length;
    const another = fixture.anotherInstance();
    for (const access of accesses) access.replace(next);
    const ours = fixture.runtime.auth.signInWithProvider;
    const theirs = another.auth.signInWithProvider;
    await Promise.all([ours.recordFound(issuer.issuer), theirs.recordFound(issuer.issuer)]);
    await ours.recordFound(issuer.issuer);
    await fixture.clock.advance(RECHECK_MS);
    expect(await identity(browser)).toMatchObject({
      person: { grants: [{ role: "operator", company: "harbour" }] },
    });
    const personIds = (await houseEvents("grant")).slice(before).map((detail) => detail["person"]);
    expect(new Set(personIds).size).toBe(personIds.length);
    const who = await identity(browser);
    expect(personIds).toContain(who.state === "known" ? who.person.id : "");
  });

  test("loses acknowledgements with a right that changed rules revoke, audited once", async () => {
    const browser = createBrowser(fixture.runtime);
    issuer.person = { ...issuer.person, sub: "on it" };
    await signIn(browser);
    const who = await identity(browser);
    const id = who.state === "known" ? who.person.id : "";
    const { orm } = fixture.database;
    const at = new Date(fixture.clock.nowMs());
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
    const another = fixture.anotherInstance();
    await Promise.all(
      [fixture.runtime, another].map(({ auth }) =>
        auth.signInWithProvider.recordFound(issuer.issuer),
      ),
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

test("gets changed rules at once when sessions are reloaded, even if loaded before", async () => {
  const browser = createBrowser(fixture.runtime);
  issuer.person = { ...issuer.person, sub: "at-once" };
  await signIn(browser);
  const grants = async () => {
    const known = await identity(browser);
    return known.state === "known" ? known.person.grants.length : known.state;
  };
  expect(await grants()).toBe(1);
  for (const access of accesses) access.replace([]);
  expect(await grants()).toBe(1);
  const { sessions: held } = fixture.runtime.auth;
  held.recheckAll();
  expect(await grants()).toBe(0);
  // While the database is unavailable, cached sessions still allow reading.
  await fixture.whileAway("sessions", async () => {
    held.recheckAll();
    const look = fixture.runtime.auth.identify((name) => browser.jar.get(name), true);
    expect(await look).toMatchObject({ state: "known", isConfirmed: false });
  });
  // Retry interval of the database.
  await fixture.clock.advance(1_000);
});

describe("a misbehaving issuer signs no one in", () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => void]>([
    ["another issuer", () => (issuer.lies.claims = { iss: "https://other.example" })],
    ["another audience", () => (issuer.lies.claims = { aud: "another client" })],
    ["another nonce", () => (issuer.lies.claims = { nonce: "another" })],
    ["no nonce", () => (issuer.lies.claims = { nonce: undefined })],
    ["expired", () => (issuer.lies.claims = { exp: now() - 3_600, iat: now() - 7_200 })],
    ["no end", () => (issuer.lies.claims = { exp: undefined })],
    ["no subject", () => (issuer.lies.claims = { sub: undefined })],
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
  ])("%s", async (_, lie) => {
    const browser = createBrowser(fixture.runtime);
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

  test("refuses a token signed with the client's secret", async () => {
    const browser = createBrowser(fixture.runtime);
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

  test("accepts a code once, in the browser that started, with its state", async () => {
    const browser = createBrowser(fixture.runtime);
    const back = issuer.agree(await leave(browser));
    const stolen = createBrowser(fixture.runtime);
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

  test("doesn't repeat error texts from the address, and refuses cross-site POSTs", async () => {
    const browser = createBrowser(fixture.runtime);
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

  test("blocks further callbacks after sixty failed ones without contacting the issuer", async () => {
    const browser = createBrowser(fixture.runtime, { address: "203.0.113.77" });
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
  const now = () => Math.floor(fixture.clock.nowMs() / 1000);
  const proveAgain = async (browser: Browser) =>
    comeBack(browser, issuer.agree(await leave(browser, "/northgate", "?max_age=0")));
  const sessionOf = async (browser: Browser) => {
    const known = await identity(browser);
    return known.state === "known" ? known.session.id : "none";
  };
  const isRecent = async (browser: Browser) => {
    const id = await sessionOf(browser);
    return id !== "none" && fixture.runtime.auth.hasRecentSignIn(id);
  };

  test("is requested whatever session exists, including its time", async () => {
    const sent = new URL(await leave(createBrowser(fixture.runtime), "/", "?max_age=0"));
    expect(sent.searchParams.get("max_age")).toBe("0");
    expect(sent.searchParams.get("prompt")).toBe("login");
    expect(JSON.parse(sent.searchParams.get("claims") ?? "")).toEqual({
      id_token: { auth_time: { essential: true } },
    });
    const plain = new URL(
      await leave(createBrowser(fixture.runtime), "/", "?prompt=none&claims=x"),
    );
    // A normal sign-in requests only the time of the last authentication.
    expect(Number(plain.searchParams.get("max_age"))).toBeGreaterThan(180 * 86_400);
    for (const name of ["prompt", "claims"]) expect(plain.searchParams.has(name)).toBe(false);
  });

  test.each<[string, () => unknown]>([
    ["says nothing of when", () => undefined],
    ["says that it was an hour ago", () => now() - 3_600],
    ["says that it was just before they left", () => now() - 90],
    ["says that it was after all time", () => 1e300],
  ])("is refused where the provider %s, and the session continues", async (_, authTime) => {
    const browser = createBrowser(fixture.runtime);
    issuer.person = { ...issuer.person, sub: "again", auth_time: undefined };
    await signIn(browser);
    const before = await sessionOf(browser);
    issuer.person = { ...issuer.person, auth_time: authTime() };
    await fixture.clearLog();
    expect(await proveAgain(browser)).toBe("/signin?error=NotProvenAgain&callbackUrl=%2Fnorthgate");
    expect(fixture.logged("provider_refused")).toMatchObject([{ why: "not_proven_again" }]);
    expect(await sessionOf(browser)).toBe(before);
    expect(await isRecent(browser)).toBe(false);
  });

  test("fails when the provider doesn't return the time", async () => {
    const browser = createBrowser(fixture.runtime);
    issuer.person = { ...issuer.person, sub: "again" };
    expect(await signIn(browser)).toBe("/");
    expect(await isRecent(browser)).toBe(false);
  });

  test("succeeds by the provider's time, however long its page took", async () => {
    const browser = createBrowser(fixture.runtime);
    const back = issuer.agree(await leave(browser, "/northgate", "?max_age=0"));
    issuer.person = { ...issuer.person, sub: "again", auth_time: now() - 240 };
    browser.jar.set("plumbline-asked-again", String((now() - 300) * 1000));
    expect(await comeBack(browser, back)).toBe("/northgate");
    expect(await isRecent(browser)).toBe(true);
    expect(browser.jar.has("plumbline-asked-again")).toBe(false);
  });

  test("can be abandoned for a normal sign-in", async () => {
    const browser = createBrowser(fixture.runtime);
    await leave(browser, "/northgate", "?max_age=0");
    expect(await signIn(browser)).toBe("/");
  });

  test("ignores a forged start time", async () => {
    const browser = createBrowser(fixture.runtime);
    for (const planted of ["1", "-1", "1e308", "NaN", "0", ""]) {
      issuer.person = { ...issuer.person, sub: "again", auth_time: now() - 3_700 };
      const back = issuer.agree(await leave(browser, "/northgate", "?max_age=0"));
      browser.jar.set("plumbline-asked-again", planted);
      await comeBack(browser, back);
      expect(await isRecent(browser)).toBe(false);
    }
  });
});

describe("an unavailable issuer", () => {
  test.each([
    ["hangs", () => {}],
    [
      "fails",
      (_: unknown, response: { writeHead(status: number): { end(): void } }) => {
        response.writeHead(502).end();
      },
    ],
  ] as const)(
    "is reported on the page when it %s, and the first administrator can sign in",
    async (_, answers) => {
      issuer.lies.answers = answers;
      const runtime = fixture.anotherInstance();
      const browser = createBrowser(runtime);
      expect(await leave(browser, "/northgate")).toBe(
        "/signin?error=ProviderDown&callbackUrl=%2Fnorthgate",
      );
      expect(runtime.auth.provider?.isDown()).toBe(true);
      const before = issuer.requests["/.well-known/openid-configuration"];
      expect((await browser.signIn(ADMIN)).status).toBe(200);
      // Makes no request, so nothing has to be awaited.
      expect(issuer.requests["/.well-known/openid-configuration"]).toBe(before);
      expect(fixture.logged("sign_in").at(-1)).toMatchObject({
        by: "local",
        beside_provider: "down",
        first_administrator: true,
      });
    },
  );

  test("is one that returns another issuer name", async () => {
    issuer.lies.answers = (_, response) => {
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ issuer: "https://other.example" }));
    };
    const browser = createBrowser(fixture.anotherInstance());
    expect(await leave(browser)).toBe("/signin?error=ProviderDown");
  });
});

test("refuses the right password of an ordinary local account, with a reason, where these are off", async () => {
  const browser = createBrowser(fixture.runtime);
  const answer = await browser.signIn("local@example.com");
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ error: "forbidden" });
  expect((await browser.signIn("local@example.com", "wrong")).status).toBe(401);
  expect(await signedInAs(browser)).toBeNull();
});

describe("signing out", () => {
  test("ends the provider's session too, without storing anything readable about it", async () => {
    const browser = createBrowser(fixture.runtime);
    issuer.person = { ...issuer.person, sub: "out", sid: "out-1" };
    await signIn(browser);
    const [row] = await fixture.database.orm
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
    logoutToken: string | null,
    {
      answerer = createBackchannelLogout(() => 0),
      type = "application/x-www-form-urlencoded",
    } = {},
  ) =>
    answerer(
      fixture.runtime,
      new Request(`${APP_URL}/api/auth/backchannel-logout`, {
        method: "POST",
        headers: { "content-type": type, "x-plumbline-client-address": "192.0.2.9" },
        body: logoutToken === null ? "" : new URLSearchParams({ logout_token: logoutToken }),
      }),
    );

  async function person(sub: string, sid: string): Promise<Browser> {
    const browser = createBrowser(fixture.runtime);
    issuer.person = { ...issuer.person, sub, sid };
    await signIn(browser);
    return browser;
  }

  test("ends a session by sid, all by sub, and everywhere within 5 s", async () => {
    const [one, two, other] = [
      await person("bea", "bea-1"),
      await person("bea", "bea-2"),
      await person("carl", "carl-1"),
    ];
    const another = fixture.anotherInstance();
    for (const browser of [one, two, other]) await identity(browser, another);

    const answer = await send(await issuer.logoutToken({ sid: "bea-1" }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await identity(one)).toMatchObject({ state: "anonymous" });
    expect(await identity(two)).toMatchObject({ state: "known" });
    await fixture.clock.advance(RECHECK_MS);
    expect(await identity(one, another)).toMatchObject({ state: "anonymous" });

    expect((await send(await issuer.logoutToken({ sub: "bea" }))).status).toBe(200);
    expect(await identity(two)).toMatchObject({ state: "anonymous" });
    expect(await identity(other)).toMatchObject({ state: "known" });
    // Another person's session isn't ended.
    expect((await send(await issuer.logoutToken({ sub: "bea", sid: "carl-1" }))).status).toBe(200);
    expect(await identity(other)).toMatchObject({ state: "known" });
    expect((await houseEvents("end-sessions")).at(-1)).toMatchObject({
      sessions: 1,
      because: "1 session, ended at the identity provider",
    });
  });

  test("accepts a token once, also concurrently", async () => {
    const browser = await person("dan", "dan-1");
    const token = await issuer.logoutToken({ sub: "dan" });
    const statuses = await Promise.all([send(token), send(token)]);
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    await signIn(browser);
    expect((await send(token)).status).toBe(400);
    expect(await identity(browser)).toMatchObject({ state: "known" });
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Promise<string | null>]>([
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
  ])("refuses %s with 400", async (_, token) => {
    const browser = await person("eve", "eve-1");
    const answer = await send(await token());
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await identity(browser)).toMatchObject({ state: "known" });
  });

  test("blocks an address that sends invalid tokens, but not a valid token", async () => {
    let nowMs = 0;
    const answerer = createBackchannelLogout(() => nowMs);
    for (let i = 0; i < 30; i++) expect((await send("nonsense", { answerer })).status).toBe(400);
    await expect(send("nonsense", { answerer })).rejects.toMatchObject({
      code: "too_many_requests",
    });
    // From the same address, such as a shared proxy.
    const browser = await person("eve", "eve-1");
    expect((await send(await issuer.logoutToken({ sub: "eve" }), { answerer })).status).toBe(200);
    expect(await identity(browser)).toMatchObject({ state: "anonymous" });
    await expect(send("nonsense", { answerer })).rejects.toMatchObject({
      code: "too_many_requests",
    });
    nowMs = 60_000;
    expect((await send("nonsense", { answerer })).status).toBe(400);
    const token = await issuer.logoutToken({ sub: "eve" });
    expect((await send(token, { answerer, type: "text/plain" })).status).toBe(400);
  });
});

describe("while the database is away", () => {
  async function onAnotherConnection(
    work: (runtime: AuthRuntime, away: () => Promise<void>) => Promise<void>,
  ) {
    const database = await openDatabase(fixture.database.connectionString, {
      log: pino({ level: "silent" }),
      audit: TEST_AUDIT,
    });
    let isOpen = true;
    const away = async () => {
      if (isOpen) await database.close();
      isOpen = false;
    };
    try {
      await work(fixture.anotherInstance(database), away);
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

  test("returns an explaining page to a return from the provider, and completes the sign-in after it reloads", async () => {
    await onAnotherConnection(async (runtime, away) => {
      const browser = createBrowser(runtime);
      const to = issuer.agree(await leave(browser, "/northgate"));
      await away();
      expect(await unfinished(browser, to)).toBe("5");
      const again = createBrowser(fixture.runtime);
      for (const [name, value] of browser.jar) again.jar.set(name, value);
      expect(await comeBack(again, to)).toBe("/northgate");
      expect(await signedInAs(again)).toBe("Ana Rask");
      expect(fixture.logged("request_unanswered")).toMatchObject([{ method: "GET" }]);
    });
  });

  test("restarts a sign-in whose code is used, keeping its destination", async () => {
    await onAnotherConnection(async (runtime, away) => {
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
