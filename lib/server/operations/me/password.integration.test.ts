import { eq } from "drizzle-orm";
import { afterAll, describe, expect } from "vitest";
import { MeView, PasswordChanged } from "@/lib/contracts/me";
import * as meRoute from "@/app/api/me/route";
import * as passwordRoute from "@/app/api/me/password/route";
import * as linkRoute from "@/app/signin/password/route";
import { ensureFirstAdministrator } from "@/lib/server/auth/first-administrator";
import { FAILURES_PER_ACCOUNT, WINDOW_MS } from "@/lib/server/auth/password-sign-in";
import { RECENT_MS } from "@/lib/server/auth/recent-sign-in";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import {
  appTest,
  createBrowser,
  PASSWORD,
  withParams,
  type TestApp,
} from "@/lib/server/gate/app-fixture";
import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import { passwordLinks, people, sessions, signInAttempts } from "@/lib/server/store/schema/people";
import { serveOwnAccounts } from "./own-account-fixture";
import { requirePrintedPasswordChanged } from "./printed-password";

const SESSION = "next-auth.session-token";
const CHOSEN = "vk27-tqpz-9dhw";

type Browser = ReturnType<typeof createBrowser>;

const test = appTest();
let served: ReturnType<typeof serveOwnAccounts>;
test.beforeAll(({ app }) => {
  served = serveOwnAccounts(app);
});
afterAll(() => served.passwordMeter.stop());
test.beforeEach(async ({ app }) => {
  const { orm } = app.database;
  for (const table of [passwordLinks, sessions, signInAttempts]) await orm.delete(table);
  await app.database.pool.query("delete from grants");
  await orm.delete(people);
  served.mails.length = 0;
  await app.clearLog();
  await app.addPerson("ana@example.com", "administrator");
});

const read = (browser: Browser) => browser.send(meRoute.GET, "/api/me");
const me = async (browser: Browser) => MeView.parse(await (await read(browser)).json());
const put = (browser: Browser, body: unknown) =>
  browser.send(passwordRoute.PUT, "/api/me/password", { method: "PUT", body });
const change = (browser: Browser, current = PASSWORD, next = CHOSEN) =>
  put(browser, { current, next });
const failureOf = async (answer: Response) => {
  const { error, error_description: description } = (await answer.json()) as Record<string, string>;
  return [answer.status, error, description];
};
const canSignIn = async (password: string, email = "ana@example.com") =>
  (await createBrowser(served.runtime).signIn(email, password)).status === 200;

async function signedIn() {
  const browser = createBrowser(served.runtime);
  expect((await browser.signIn("ana@example.com")).status).toBe(200);
  return browser;
}

async function events(app: TestApp): Promise<[string, Record<string, unknown>][]> {
  const { rows } = await app.database.pool.query<{
    event: string;
    detail: Record<string, unknown>;
  }>("select event, detail from audit_log where company = $1 order by seq", [INSTALLATION]);
  return rows.map(({ event, detail }) => [event, detail]);
}

describe("PUT /api/me/password", () => {
  test("changes the password, ends every other session and gives this one a new token", async ({
    app,
  }) => {
    const [desk, phone] = [await signedIn(), await signedIn()];
    const before = desk.jar.get(SESSION);
    const past = (await events(app)).length;
    const answer = await change(desk);
    expect(answer.status).toBe(200);
    expect(PasswordChanged.parse(await answer.json())).toEqual({ ended: 1 });
    expect(desk.jar.get(SESSION)).not.toBe(before);
    expect((await me(desk)).sessions).toHaveLength(1);
    await app.clock.advance(RECHECK_MS);
    expect((await read(phone)).status).toBe(401);
    const stolen = createBrowser(served.runtime);
    stolen.jar.set(SESSION, before ?? "");
    await app.clock.advance(10_000);
    expect((await read(stolen)).status).toBe(401);
    expect((await read(desk)).status).toBe(200);
    expect(await canSignIn(PASSWORD)).toBe(false);
    expect(await canSignIn(CHOSEN)).toBe(true);
    expect((await events(app)).slice(past).map(([event]) => event)).toEqual([
      "change-password.asked",
      "end-sessions.asked",
    ]);
    expect(app.logged("password_changed")).toMatchObject([{ name: "ana@example.com" }]);
    expect(served.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["ana@example.com", "Your Plumbline password was changed"],
    ]);
    for (const secret of [PASSWORD, CHOSEN]) {
      expect(app.logText() + JSON.stringify([await events(app), served.mails])).not.toContain(
        secret,
      );
    }
  });

  test("limits wrong current passwords together with those of reauthentication", async ({
    app,
  }) => {
    const desk = await signedIn();
    const statuses = [];
    for (let n = 0; n < FAILURES_PER_ACCOUNT + 1; n += 1) {
      statuses.push((await change(desk, `a wrong guess ${n}`)).status);
    }
    expect(statuses).toEqual([...Array<number>(FAILURES_PER_ACCOUNT).fill(403), 429]);
    expect((await change(desk)).status).toBe(429);
    expect(await canSignIn(PASSWORD)).toBe(true);
    const refusals = (await events(app)).filter(([event]) => event === "refuse.asked");
    expect(refusals.at(-1)?.[1]).toMatchObject({
      what: "password change",
      because: "wrong password",
    });
    await app.clock.advance(WINDOW_MS + 1_000);
    expect((await change(desk)).status).toBe(200);
  });

  test("says why a password is too weak, and changes nothing", async () => {
    const desk = await signedIn();
    const refused = async (next: string) => failureOf(await change(desk, PASSWORD, next));
    const weak = (sentence: string) => [400, "weak_password", sentence];
    expect(await refused("short")).toEqual(weak("Too short. Use at least 12 characters."));
    expect(await refused("ana@example.com2026")).toEqual(
      weak("Too easy to guess: it’s built on your name, your email address or ours."),
    );
    expect(await refused(PASSWORD)).toEqual(
      weak("That’s your current password. Choose a new one."),
    );
    expect(await canSignIn(PASSWORD)).toBe(true);
  });

  test("needs both passwords, a local account, and our own origin", async ({ app }) => {
    const desk = await signedIn();
    for (const body of [{}, { current: PASSWORD }, { current: "", next: CHOSEN }, [], null]) {
      expect((await put(desk, body)).status).toBe(400);
    }
    expect((await put(desk, { current: PASSWORD, next: CHOSEN, more: 1 })).status).toBe(400);
    const foreign = desk.request("/api/me/password", {
      method: "PUT",
      headers: { "content-type": "application/json", origin: "https://evil.example" },
      body: JSON.stringify({ current: PASSWORD, next: CHOSEN }),
    });
    expect((await passwordRoute.PUT(foreign, withParams())).status).toBe(403);
    await app.database.orm.update(people).set({ issuer: "https://id.example", subject: "7" });
    await app.clock.advance(RECHECK_MS);
    expect((await failureOf(await change(desk))).slice(0, 2)).toEqual([409, "conflict"]);
    expect((await me(desk)).local).toBeNull();
  });

  test("doesn't count as reauthentication", async ({ app }) => {
    const desk = await signedIn();
    const [before] = (await me(desk)).sessions;
    await app.clock.advance(RECENT_MS);
    expect((await change(desk)).status).toBe(200);
    const [after] = (await me(desk)).sessions;
    expect(after?.authenticated_at).toBe(before?.authenticated_at);
  });

  test("doesn't revive a session that ended meanwhile, and changes nothing then", async ({
    app,
  }) => {
    const desk = await signedIn();
    await read(desk);
    await app.database.orm.update(sessions).set({ revokedAt: new Date() });
    expect((await change(desk)).status).toBe(404);
    expect(await canSignIn(PASSWORD)).toBe(true);
  });

  test("makes unused password links invalid", async ({ app }) => {
    const desk = await signedIn();
    const secret = newSecret();
    const { id } = (await me(desk)).person;
    const nowMs = app.databaseNowMs();
    await app.database.orm.insert(passwordLinks).values({
      id: secretHash(secret),
      personId: id,
      purpose: "reset",
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + 3_600_000),
    });
    expect((await change(desk)).status).toBe(200);
    expect(await app.database.orm.select().from(passwordLinks)).toEqual([]);
  });
});

describe("the first administrator's printed password", () => {
  const ensure = (app: TestApp, adminEmail: string, adminPassword: string | null) =>
    ensureFirstAdministrator({
      config: { adminEmail, adminPassword, localSignIn: "on" },
      database: app.database,
      clock: app.clock,
      log: app.runtime.log,
      passwordMeter: served.passwordMeter,
    });
  const first = async (app: TestApp, adminPassword: string | null = null) => {
    await app.database.pool.query("delete from grants");
    await app.database.orm.delete(people);
    return ensure(app, "first@example.com", adminPassword);
  };
  const isRefused = (app: TestApp) =>
    requirePrintedPasswordChanged(app.runtime).then(
      () => false,
      () => true,
    );

  test("is known to be printed until the person changes it", async ({ app }) => {
    const { password } = await first(app);
    expect(await isRefused(app)).toBe(true);
    const browser = createBrowser(served.runtime);
    await browser.signIn("first@example.com", password ?? "");
    expect((await me(browser)).local?.is_password_printed).toBe(true);
    expect((await change(browser, password ?? "", password ?? "")).status).toBe(400);
    expect(await isRefused(app)).toBe(true);
    expect((await change(browser, password ?? "")).status).toBe(200);
    expect((await me(browser)).local?.is_password_printed).toBe(false);
    expect(await isRefused(app)).toBe(false);
  });

  test("is named by its account, also once another is the first administrator's", async ({
    app,
  }) => {
    await first(app);
    await ensure(app, "next@example.com", "gravel-Tundra-lamp-81");
    await expect(requirePrintedPasswordChanged(app.runtime)).rejects.toThrow(
      "Change the password of first@example.com first: it was printed when Plumbline started.",
    );
  });

  test("isn't changed by a link that sets the same one", async ({ app }) => {
    const { password } = await first(app);
    const [row] = await app.database.orm
      .select()
      .from(people)
      .where(eq(people.email, "first@example.com"));
    const secret = newSecret();
    const nowMs = app.databaseNowMs();
    await app.database.orm.insert(passwordLinks).values({
      id: secretHash(secret),
      personId: row?.id ?? "",
      purpose: "reset",
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + 3_600_000),
    });
    const choose = async (chosen: string) => {
      const request = createBrowser(served.runtime).request("/signin/password", {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
          origin: "null",
        },
        body: new URLSearchParams({ link: secret, password: chosen, again: chosen }).toString(),
      });
      return (await linkRoute.POST(request, withParams())).headers.get("location");
    };
    expect(await choose(password ?? "")).toBe(`/signin/password/${secret}?problem=unchanged`);
    expect(await isRefused(app)).toBe(true);
    expect(await choose(CHOSEN)).toBe("/signin/password/done");
    expect(await isRefused(app)).toBe(false);
  });

  test("is one that was generated, not ADMIN_PASSWORD", async ({ app }) => {
    await first(app, CHOSEN);
    expect(await isRefused(app)).toBe(false);
  });
});
