import { hkdfSync } from "node:crypto";
import { eq } from "drizzle-orm";
import { EncryptJWT } from "jose";
import { decode } from "next-auth/jwt";
import { describe, expect } from "vitest";
import { people, sessions, signInAttempts } from "@/lib/server/store/schema/people";
import { APP_URL, appTest, createBrowser, PASSWORD, type TestApp } from "./app-fixture";
import { handleAuthRequest } from "./next-auth-handler";
import {
  FAILURES_PER_ACCOUNT,
  FAILURES_PER_ACCOUNT_ELSEWHERE,
  FAILURES_PER_ACCOUNT_IN_NETWORK,
  FAILURES_PER_NETWORK,
  FAILURES_PER_ADDRESS,
  WINDOW_MS,
} from "@/lib/server/auth/password-sign-in";
import { authCookies } from "@/lib/server/auth/cookies";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";

const test = appTest();
test.beforeAll(async ({ app }) => {
  await app.addPerson("ana@example.com", "viewer", ["northgate"]);
  const gone = await app.addPerson("gone@example.com", "viewer");
  await app.database.orm.update(people).set({ disabledAt: new Date() }).where(eq(people.id, gone));
});
test.beforeEach(({ app }) => app.database.orm.delete(signInAttempts));

const session = async (browser: ReturnType<typeof createBrowser>) =>
  (await browser.auth("session")).json() as Promise<{ user?: { email: string; role: string } }>;

describe("signing in", () => {
  test("starts a session with the right password, whatever the case of the e-mail address", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    const response = await browser.signIn(" Ana@Example.com ", PASSWORD, { callbackUrl: "/x?y=1" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ url: `${APP_URL}/x?y=1` });
    expect(await session(browser)).toMatchObject({
      user: { email: "ana@example.com", role: "viewer" },
    });
  });

  test("sets a cookie that lasts as long as the session", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const given = (await browser.signIn("ana@example.com")).headers.getSetCookie();
    const cookie = given.find((one) => one.startsWith("next-auth.session-token="));
    expect(cookie).toMatch(/; Max-Age=43200(;|$)/);
    await app.clock.advance(3_600_000);
    // Reading extends nothing.
    expect((await browser.auth("session")).headers.getSetCookie()).toEqual([]);
    expect(await session(browser)).toHaveProperty("user");
  });

  test("clears the browser's cached pages on sign-out, and when another person signs in", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    await app.addPerson("bo@example.com", "viewer");
    const kept = (answer: Response) => answer.headers.get("clear-site-data");
    expect(kept(await browser.signIn("ana@example.com"))).toBeNull();
    expect(kept(await browser.signIn("ana@example.com"))).toBeNull();
    expect(kept(await browser.signIn("bo@example.com"))).toBe('"cache", "storage"');
    expect(kept(await browser.signOut())).toBe('"cache", "storage"');
    expect(kept(await browser.signOut())).toBeNull();
  });

  test("stores a hash in the session's row, never the cookie's secret", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    await browser.signIn("ana@example.com");
    const { secret } = (await app.runtime.auth.openSession((name) => browser.jar.get(name))) ?? {};
    const ids = await app.database.orm.select({ id: sessions.id }).from(sessions);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(ids.map(({ id }) => id)).not.toContain(secret);
  });

  test.for(["PBES2-HS256+A128KW", "A256KW", "A256GCMKW"])(
    "rejects a session encrypted by %s, even with the right key",
    async (alg, { app }) => {
      const browser = createBrowser(app.runtime);
      await browser.signIn("ana@example.com");
      const { name } = authCookies(APP_URL).sessionToken;
      const { authSecret: secret } = app.runtime;
      const claims = await decode({ token: browser.jar.get(name) ?? "", secret });
      // As next-auth derives it.
      const words = "NextAuth.js Generated Encryption Key";
      const key = new Uint8Array(hkdfSync("sha256", secret, "", words, 32));
      const encrypted = new EncryptJWT(claims ?? {}).setProtectedHeader({ alg, enc: "A256GCM" });
      browser.jar.set(name, await encrypted.encrypt(key));
      expect(await session(browser)).toEqual({});
      const opened = await app.runtime.auth.openSession((cookie) => browser.jar.get(cookie));
      expect(opened).toBeNull();
    },
  );

  test("gives identical bytes and no session for a wrong password, an unknown and a disabled person", async ({
    app,
  }) => {
    const answers = await Promise.all(
      ["ana@example.com", "unknown@example.com", "gone@example.com"].map(async (email) => {
        const browser = createBrowser(app.runtime);
        const password = email.startsWith("gone") ? PASSWORD : "wrong";
        const response = await browser.signIn(email, password);
        expect(await session(browser)).toEqual({});
        return { status: response.status, body: await response.text() };
      }),
    );
    expect(answers[0]?.status).toBe(401);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test("works at 127.0.0.1 while APP_URL is localhost, also for a form without script", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime, { origin: "http://127.0.0.1:3000" });
    const response = await browser.auth("callback/credentials", {
      email: "ana@example.com",
      password: PASSWORD,
      csrfToken: await browser.csrfToken(),
      callbackUrl: "/northgate?verdict=late",
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/northgate?verdict=late");
    expect(await session(browser)).toHaveProperty("user");
  });

  test.for(["//evil.example", "/\\evil.example", "https://evil.example/x", "javascript:alert(1)"])(
    "redirects callbackUrl %j to our front page",
    async (callbackUrl, { app }) => {
      const browser = createBrowser(app.runtime);
      const response = await browser.signIn("ana@example.com", PASSWORD, { callbackUrl });
      expect(await response.json()).toEqual({ url: `${APP_URL}/` });
      const page = await browser.auth(`signin?callbackUrl=${encodeURIComponent(callbackUrl)}`);
      expect(page.headers.get("location")).toBe(
        `/signin?callbackUrl=${encodeURIComponent(`${APP_URL}/`)}`,
      );
    },
  );

  test("answers an unknown way to sign in like any missing address", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const csrfToken = await browser.csrfToken();
    for (const path of ["callback", "callback/x", "callback/oidc"]) {
      const response = await browser.auth(path, { csrfToken });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ error: "not_found" });
    }
  });

  test("refuses a form without its token, or from another site", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    const form = { email: "ana@example.com", password: PASSWORD, json: "true" };
    expect((await browser.auth("callback/credentials", form)).status).toBe(403);

    const csrfToken = await browser.csrfToken();
    const request = browser.request("/api/auth/callback/credentials", {
      method: "POST",
      headers: { origin: "http://evil.example", "sec-fetch-site": "cross-site" },
      body: new URLSearchParams({ ...form, csrfToken }),
    });
    const response = await handleAuthRequest(app.runtime, request, ["callback", "credentials"]);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: "cross_site" });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await session(browser)).toEqual({});
  });

  test("refuses signing in and out under a foreign name that resolves to our address", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    await browser.signIn("ana@example.com");
    const csrfToken = await browser.csrfToken();
    for (const path of ["callback/credentials", "signout"]) {
      const request = browser.request(`/api/auth/${path}`, {
        method: "POST",
        headers: { origin: "http://evil.example:3000", "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ email: "ana@example.com", password: PASSWORD, csrfToken }),
      });
      request.headers.set("host", "evil.example:3000");
      request.headers.set("x-forwarded-host", "evil.example:3000");
      request.headers.delete("x-plumbline-origin");
      const response = await handleAuthRequest(app.runtime, request, path.split("/"));
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(await session(browser)).toHaveProperty("user");
  });

  test("uses no host from a client in next-auth's responses", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    for (const path of ["providers", "signin", "error", "csrf", "session", "signout"]) {
      const request = browser.request(`/api/auth/${path}`);
      for (const name of ["host", "x-forwarded-host", "x-plumbline-origin"]) {
        request.headers.set(name, "evil.example");
      }
      const response = await handleAuthRequest(app.runtime, request, [path]);
      const said = JSON.stringify([...response.headers]) + (await response.text());
      expect(said).not.toContain("evil.example");
    }
  });

  describe("with JSON instead of a form", () => {
    async function post(app: TestApp, browser: ReturnType<typeof createBrowser>, body: string) {
      const request = browser.request("/api/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": "application/json", origin: APP_URL },
        body,
      });
      return handleAuthRequest(app.runtime, request, ["callback", "credentials"]);
    }

    test("signs in alike", async ({ app }) => {
      const browser = createBrowser(app.runtime);
      const csrfToken = await browser.csrfToken();
      const fields = { email: "ana@example.com", password: PASSWORD, csrfToken, json: true };
      const answer = await post(app, browser, JSON.stringify(fields));
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie().join()).toContain("session-token=");
    });

    test.for([
      ["arrays in arrays", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
      ["an email of arrays in arrays", `{"email":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
      ["20,000 texts", `[${'"",'.repeat(20_000)}""]`],
      ["an email that is a list", '{"email":["ana@example.com"]}'],
      ["an email that is an object", '{"email":{"toString":1}}'],
      ["a list", "[]"],
      ["a text", '"email"'],
      ["half of it", '{"email":'],
    ] as const)("refuses %s as invalid", async ([, body], { app }) => {
      const answer = await post(app, createBrowser(app.runtime), body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: "invalid_request" });
    });
  });

  test("ends the browser's previous session on signing in again", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    await browser.signIn("ana@example.com");
    const before = browser.cookieHeader();
    await browser.signIn("ana@example.com");
    const old = createBrowser(app.runtime);
    for (const pair of before.split("; "))
      old.jar.set(pair.split("=")[0] ?? "", pair.split("=")[1] ?? "");
    expect(await session(old)).toEqual({});
  });

  test("is never cached, and returns a JSON 404 or 405 for unsupported requests", async ({
    app,
  }) => {
    const browser = createBrowser(app.runtime);
    for (const path of ["csrf", "session", "providers", "nothing"]) {
      const response = await browser.auth(path);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    }
    expect((await browser.auth("_log", { level: "error" })).status).toBe(404);
    const update = await browser.auth("session", { csrfToken: await browser.csrfToken() });
    expect(update.status).toBe(405);
    expect(update.headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("guessing", () => {
  const statusFrom = async (app: TestApp, address: string, password?: string) =>
    (await createBrowser(app.runtime, { address }).signIn("ana@example.com", password)).status;

  test("after five wrong guesses even the right password waits, then works", async ({ app }) => {
    const stranger = createBrowser(app.runtime, { address: "198.51.100.1" });
    for (let i = 0; i < FAILURES_PER_ACCOUNT; i++) {
      expect((await stranger.signIn("ana@example.com", "wrong")).status).toBe(401);
    }
    const limited = await stranger.signIn("ana@example.com");
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBe(WINDOW_MS / 1000);
    expect(await session(stranger)).toEqual({});

    await app.clock.advance(WINDOW_MS);
    expect((await stranger.signIn("ana@example.com")).status).toBe(200);
  });

  test("limits an unknown account equally", async ({ app }) => {
    const stranger = createBrowser(app.runtime, { address: "198.51.100.2" });
    const statuses = [];
    for (let i = 0; i <= FAILURES_PER_ACCOUNT; i++) {
      statuses.push((await stranger.signIn("unknown@example.com", "wrong")).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("counts concurrent guesses on two instances before any is checked", async ({ app }) => {
    const instances = [app.runtime, app.anotherInstance()];
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const runtime = instances[i % 2] ?? app.runtime;
        const stranger = createBrowser(runtime, { address: "203.0.113.1" });
        return (await stranger.signIn("ana@example.com", "wrong")).status;
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(FAILURES_PER_ACCOUNT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16 - FAILURES_PER_ACCOUNT);
  });

  test("doesn't count correct sign-ins as guesses", async ({ app }) => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const browser = createBrowser(app.runtime, { address: "198.51.100.3" });
        return (await browser.signIn("ana@example.com")).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test("from elsewhere does not lock a person out of their usual address", async ({ app }) => {
    const home = createBrowser(app.runtime, { address: "192.0.2.50" });
    expect((await home.signIn("ana@example.com")).status).toBe(200);
    const stranger = createBrowser(app.runtime, { address: "198.51.100.4" });
    for (let i = 0; i <= FAILURES_PER_ACCOUNT; i++)
      await stranger.signIn("ana@example.com", "wrong");

    const sameHome = createBrowser(app.runtime, { address: "192.0.2.50" });
    expect((await sameHome.signIn("ana@example.com")).status).toBe(200);
    for (let i = 0; i < FAILURES_PER_ACCOUNT; i++)
      await sameHome.signIn("ana@example.com", "wrong");
    expect((await sameHome.signIn("ana@example.com")).status).toBe(429);
  });

  test("from one address locks no one out at another, even a new one", async ({ app }) => {
    const stranger = createBrowser(app.runtime, { address: "198.51.100.8" });
    for (let i = 0; i <= FAILURES_PER_ACCOUNT; i++)
      await stranger.signIn("ana@example.com", "wrong");
    const away = createBrowser(app.runtime, { address: "203.0.113.77" });
    expect((await away.signIn("ana@example.com")).status).toBe(200);
  });

  test("from everywhere leaves known addresses and known browsers their own attempts", async ({
    app,
  }) => {
    const laptop = createBrowser(app.runtime, { address: "192.0.2.60" });
    await laptop.signIn("ana@example.com");
    const device = laptop.jar.get("plumbline-device") ?? "";
    expect(device).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    const statuses = [];
    for (let i = 0; i <= FAILURES_PER_ACCOUNT_ELSEWHERE; i++) {
      const address = `203.0.${100 + Math.floor(i / FAILURES_PER_ACCOUNT)}.7`;
      const stranger = createBrowser(app.runtime, { address });
      statuses.push((await stranger.signIn("ana@example.com", "wrong")).status);
    }
    // The last one is reserved for a network without previous attempts.
    expect(new Set(statuses)).toEqual(new Set([401]));

    const signInWith = async (
      cookie: string | null,
      address: string,
      email = "ana@example.com",
    ) => {
      const browser = createBrowser(app.runtime, { address });
      if (cookie !== null) browser.jar.set("plumbline-device", cookie);
      return (await browser.signIn(email)).status;
    };
    expect(await signInWith(null, "203.0.110.8")).toBe(429);
    expect(await signInWith(null, "192.0.2.60")).toBe(200);
    // The laptop, at a new address, and at one exhausted by strangers.
    expect(await signInWith(device, "203.0.113.200")).toBe(200);
    expect(await signInWith(device, "203.0.100.7")).toBe(200);
    // A forged cookie, or one of another account, isn't recognized.
    const forged = `${device.slice(0, -1)}${device.endsWith("A") ? "E" : "A"}`;
    expect(await signInWith(forged, "203.0.110.8")).toBe(429);
    const bo = createBrowser(app.runtime, { address: "192.0.2.61" });
    await app.addPerson("bo-known@example.com", "viewer");
    await bo.signIn("bo-known@example.com");
    expect(await signInWith(bo.jar.get("plumbline-device") ?? "", "203.0.110.8")).toBe(429);
    // A known browser has only its own attempts.
    const stolen = createBrowser(app.runtime, { address: "203.0.113.203" });
    stolen.jar.set("plumbline-device", device);
    const guesses = [];
    for (let i = 0; i <= FAILURES_PER_ACCOUNT; i++) {
      guesses.push((await stolen.signIn("ana@example.com", "wrong")).status);
    }
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("any number of guessers leaves one attempt in every other network", async ({ app }) => {
    for (let i = 0; i < FAILURES_PER_ACCOUNT_ELSEWHERE; i++) {
      await statusFrom(app, `10.${i}.0.7`, "wrong");
    }
    expect(await statusFrom(app, "10.60.0.7", "wrong")).toBe(401);
    expect(await statusFrom(app, "10.60.0.8")).toBe(429);
    // The right password isn't counted.
    for (let i = 0; i < 3; i++) expect(await statusFrom(app, "198.51.100.90")).toBe(200);
    expect(await statusFrom(app, "10.61.0.9", "wrong")).toBe(401);
    expect(await statusFrom(app, "10.61.0.10", "wrong")).toBe(429);
  });

  test.for([
    ["IPv4 network", (i: number) => `198.51.100.${100 + i}`, "198.51.101.1"],
    ["IPv6 /48", (i: number) => `2001:db8:7:${i}::/64`, "2001:db8:8:1::/64"],
  ] as const)(
    "the addresses of one %s share ten guesses at an account",
    async ([, address, elsewhere], { app }) => {
      const statuses = [];
      for (let i = 0; i <= FAILURES_PER_ACCOUNT_IN_NETWORK; i++) {
        statuses.push(await statusFrom(app, address(i), "wrong"));
      }
      expect(statuses.slice(0, -1)).toEqual(Array(FAILURES_PER_ACCOUNT_IN_NETWORK).fill(401));
      expect(statuses.at(-1)).toBe(429);
      expect(await statusFrom(app, address(30))).toBe(429);
      expect(await statusFrom(app, elsewhere)).toBe(200);
    },
  );

  test("one network may fail a hundred times, whatever accounts it tries", async ({ app }) => {
    const tries = Array.from({ length: FAILURES_PER_NETWORK }, (_, i) => i);
    for (const i of tries) {
      const stranger = createBrowser(app.runtime, { address: `2001:db8:9:${i}::/64` });
      expect((await stranger.signIn(`person-${i}@example.com`, "wrong")).status).toBe(401);
    }
    await app.clearLog();
    expect(await statusFrom(app, "2001:db8:9:aaaa::/64")).toBe(429);
    expect(app.logged("sign_in_locked")).toMatchObject([{ limit: "network" }]);
    expect(await statusFrom(app, "2001:db8:a:1::/64")).toBe(200);
  });

  test("one address may fail twenty times, whatever accounts it tries; a success resets nothing", async ({
    app,
  }) => {
    const stranger = createBrowser(app.runtime, { address: "198.51.100.5" });
    for (let i = 0; i < FAILURES_PER_ADDRESS - 1; i++) {
      expect((await stranger.signIn(`unknown-${i}@example.com`, "wrong")).status).toBe(401);
    }
    expect((await stranger.signIn("ana@example.com")).status).toBe(200);
    expect((await stranger.signIn("last@example.com", "wrong")).status).toBe(401);
    expect((await stranger.signIn("one-more@example.com", "wrong")).status).toBe(429);
    const elsewhere = createBrowser(app.runtime, { address: "198.51.100.6" });
    expect((await elsewhere.signIn("one-more@example.com", "wrong")).status).toBe(401);
  });

  test("doesn't extend the wait by continuing", async ({ app }) => {
    const stranger = createBrowser(app.runtime, { address: "198.51.100.7" });
    for (let i = 0; i <= FAILURES_PER_ACCOUNT; i++)
      await stranger.signIn("ana@example.com", "wrong");
    await app.clock.advance(WINDOW_MS - 1000);
    const limited = await stranger.signIn("ana@example.com", "wrong");
    expect(limited.headers.get("retry-after")).toBe("1");
    await app.clock.advance(1000);
    expect((await stranger.signIn("ana@example.com")).status).toBe(200);
  });
});

describe("signing out", () => {
  test("ends the session for every copy of its cookie, on other instances within 5 s", async ({
    app,
  }) => {
    const other = app.anotherInstance();
    const browser = createBrowser(app.runtime);
    await browser.signIn("ana@example.com");
    const copy = new Map(browser.jar);
    const identify = async (runtime: typeof other) =>
      (await runtime.auth.identify((name) => copy.get(name))).state;
    expect(await identify(other)).toBe("known");

    expect((await browser.signOut()).status).toBe(200);
    expect(browser.jar.has("next-auth.session-token")).toBe(false);
    expect(await identify(app.runtime)).toBe("anonymous");
    await app.clock.advance(RECHECK_MS);
    expect(await identify(other)).toBe("anonymous");
  });

  test("without a session succeeds and changes nothing", async ({ app }) => {
    expect((await createBrowser(app.runtime).signOut()).status).toBe(200);
  });
});
