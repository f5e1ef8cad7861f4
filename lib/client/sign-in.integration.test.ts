import { afterEach, beforeEach, expect, vi } from "vitest";
import { appTest, createBrowser } from "@/lib/server/gate/app-fixture";
import { signIn } from "./session/sign-in";
import { signOut } from "./session/sign-out";

const test = appTest();
let browser: ReturnType<typeof createBrowser>;
test.beforeAll(async ({ app }) => {
  await app.addPerson("ana@example.com", "viewer");
});

// Only the network is replaced: requests go to the real handler, with this browser's cookies.
test.beforeEach(({ app }) => {
  browser = createBrowser(app.runtime);
  vi.stubGlobal("fetch", (path: string, init: { body?: URLSearchParams } = {}) =>
    browser.auth(path.replace("/api/auth/", ""), init.body && Object.fromEntries(init.body)),
  );
});
afterEach(() => vi.unstubAllGlobals());

/** Addresses that the page navigated to. */
const went: string[] = [];
beforeEach(() => {
  went.length = 0;
  vi.stubGlobal("window", { location: { assign: (to: string) => went.push(to) } });
});

test("ends the provider's session on sign-out if the provider has a logout page", async () => {
  const url = "https://id.example/end?client_id=plumbline";
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.endsWith("csrf") ? { csrfToken: "x" } : { url, isElsewhere: true }),
  );
  expect(await signOut()).toBe(true);
  expect(went).toEqual([url]);
});

const account = { email: "ana@example.com", password: "correct horse battery staple" };

test("signs in with the right password, and signs out", async () => {
  expect(await signIn(account)).toEqual({ ok: true });
  expect(await (await browser.auth("session")).json()).toHaveProperty("user");
  expect(await signOut()).toBe(true);
  expect(went).toEqual(["/signin"]);
  expect(await (await browser.auth("session")).json()).toEqual({});
});

test("reports wrong passwords, then how long to wait", async () => {
  const wrong = { ...account, password: "wrong" };
  for (let i = 0; i < 5; i++) {
    expect(await signIn(wrong)).toEqual({ ok: false, reason: "credentials" });
  }
  expect(await signIn(wrong)).toEqual({ ok: false, reason: "limited", retryAfterSeconds: 900 });
});

test("reports a missing response without judging the password", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  expect(await signIn(account)).toEqual({ ok: false, reason: "unreachable" });
  expect(await signOut()).toBe(false);
  expect(went).toEqual([]);
});
