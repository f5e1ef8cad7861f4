import { eq } from "drizzle-orm";
import { TOTP } from "otpauth";
import { afterAll, describe, expect } from "vitest";
import { Enrolment, MeView, RecoveryCodes } from "@/lib/contracts/me";
import { PersonEntry } from "@/lib/contracts/people";
import * as meRoute from "@/app/api/me/route";
import * as factorRoute from "@/app/api/me/second-factor/route";
import * as codesRoute from "@/app/api/me/second-factor/recovery-codes/route";
import * as passwordRoute from "@/app/api/me/password/route";
import * as proofRoute from "@/app/api/me/reauthentication/route";
import * as resetRoute from "@/app/api/people/[id]/second-factor/route";
import { FAILURES_PER_ACCOUNT, WINDOW_MS } from "@/lib/server/auth/password-sign-in";
import { WRONG_CODES } from "@/lib/server/auth/second-factor/accept-code";
import { RECENT_MS } from "@/lib/server/auth/recent-sign-in";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { appTest, createBrowser, PASSWORD, type TestApp } from "@/lib/server/gate/app-fixture";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import {
  people,
  recoveryCodes,
  secondFactors,
  sessions,
  signInAttempts,
} from "@/lib/server/store/schema/people";
import { serveOwnAccounts } from "./own-account-fixture";

const STEP_MS = 30_000;

type Browser = ReturnType<typeof createBrowser>;

const test = appTest();
let served: ReturnType<typeof serveOwnAccounts>;
test.beforeAll(async ({ app }) => {
  served = serveOwnAccounts(app);
  await app.addPerson("ana@example.com", "administrator");
  await app.addPerson("bo@example.com", "administrator");
});
afterAll(() => served.passwordMeter.stop());
test.beforeEach(async ({ app }) => {
  const { orm } = app.database;
  for (const table of [recoveryCodes, secondFactors, sessions, signInAttempts]) {
    await orm.delete(table);
  }
  served.mails.length = 0;
  await app.clearLog();
});

const codeOf = async (answer: Response) => ((await answer.json()) as { error: string }).error;
const statusAndCode = async (answer: Response) => [
  answer.status,
  answer.ok ? null : await codeOf(answer),
];
const me = async (browser: Browser) =>
  MeView.parse(await (await browser.send(meRoute.GET, "/api/me")).json());
const HANDLERS = { POST: factorRoute.POST, PUT: factorRoute.PUT, DELETE: factorRoute.DELETE };
const factor = (browser: Browser, method: "POST" | "PUT" | "DELETE", body: unknown = {}) =>
  browser.send(HANDLERS[method], "/api/me/second-factor", { method, body });
const renew = (browser: Browser) =>
  browser.send(codesRoute.POST, "/api/me/second-factor/recovery-codes", { body: {} });
const prove = (browser: Browser, body: unknown) =>
  browser.send(proofRoute.POST, "/api/me/reauthentication", { body });
const reset = (browser: Browser, id: string) =>
  browser.send(resetRoute.DELETE, `/api/people/${id}/second-factor`, {
    method: "DELETE",
    body: {},
    params: { id },
  });

async function signedIn(email = "ana@example.com", more: Record<string, string> = {}) {
  const browser = createBrowser(served.runtime);
  expect(await statusAndCode(await browser.signIn(email, PASSWORD, more))).toEqual([200, null]);
  return browser;
}

/** The authenticator app's code, `steps` time steps from now. */
const appCode = (app: TestApp, secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: app.databaseNowMs() + steps * STEP_MS });

/** Signs in and sets up an authenticator app; the next code is one step later. */
async function enrolled(app: TestApp, email = "ana@example.com") {
  const browser = await signedIn(email);
  const { secret } = Enrolment.parse(await (await factor(browser, "POST")).json());
  const confirmed = await factor(browser, "PUT", { code: appCode(app, secret) });
  const { recovery_codes: codes } = RecoveryCodes.parse(await confirmed.json());
  await app.clock.advance(STEP_MS);
  return { browser, secret, codes };
}

async function actions(app: TestApp): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ event: string }>(
    "select event from audit_log where company = $1 order by seq",
    [INSTALLATION],
  );
  return rows.map(({ event }) => event.replace(".asked", ""));
}

describe("setting up an authenticator app", () => {
  test("turns it on only once a code confirms it, and shows ten recovery codes", async ({
    app,
  }) => {
    const browser = await signedIn();
    const before = (await actions(app)).length;
    const started = await factor(browser, "POST");
    expect(started.status).toBe(201);
    const { secret, uri } = Enrolment.parse(await started.json());
    expect(uri).toContain(`secret=${secret}`);
    expect((await me(browser)).local).toEqual({ is_password_printed: false, second_factor: null });
    await signedIn();
    expect(await statusAndCode(await factor(browser, "PUT", { code: "000000" }))).toEqual([
      403,
      "wrong_code",
    ]);
    await signedIn();
    const confirmed = await factor(browser, "PUT", { code: ` ${appCode(app, secret)} ` });
    expect(confirmed.status).toBe(200);
    const { recovery_codes: codes } = RecoveryCodes.parse(await confirmed.json());
    expect(new Set(codes).size).toBe(10);
    expect((await me(browser)).local?.second_factor).toEqual({
      on_since: expect.any(String),
      recovery_codes_left: 10,
    });
    expect(
      await statusAndCode(await createBrowser(served.runtime).signIn("ana@example.com")),
    ).toEqual([403, "code_required"]);
    expect((await actions(app)).slice(before)).toEqual(["second-factor-on"]);
    expect(app.logged("second_factor_on")).toMatchObject([{ name: "ana@example.com" }]);
    expect(served.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["ana@example.com", "Two-step sign-in is on for Plumbline"],
    ]);
  });

  test("stores neither the secret nor a recovery code in readable form, and logs neither", async ({
    app,
  }) => {
    const { secret, codes } = await enrolled(app);
    await signedIn("ana@example.com", { code: codes[0] ?? "" });
    const { rows } = await app.database.pool.query<{ row: string }>(
      "select row_to_json(f)::text as row from second_factors f union all select row_to_json(c)::text from recovery_codes c union all select row_to_json(a)::text from audit_log a",
    );
    const text =
      rows.map(({ row }) => row).join("\n") + app.logText() + JSON.stringify(served.mails);
    expect(text).not.toContain(secret);
    for (const code of codes) expect(text).not.toContain(code);
    expect(rows.find(({ row }) => row.includes("sealed"))?.row).toMatch(/"1\.[0-9a-f]{16}\./);
  });

  test("can start again until it is on, and only the latest attempt counts", async ({ app }) => {
    const browser = await signedIn();
    const first = Enrolment.parse(await (await factor(browser, "POST")).json());
    const second = Enrolment.parse(await (await factor(browser, "POST")).json());
    expect((await factor(browser, "PUT", { code: appCode(app, first.secret) })).status).toBe(403);
    expect((await factor(browser, "PUT", { code: appCode(app, second.secret) })).status).toBe(200);
    expect(await statusAndCode(await factor(browser, "POST"))).toEqual([409, "conflict"]);
    expect(
      await (await factor(browser, "PUT", { code: appCode(app, second.secret) })).json(),
    ).toMatchObject({ error_description: "An authenticator app is already set up." });
  });

  test("needs a sign-in within the last hour, a body, and a local account", async ({ app }) => {
    const browser = await signedIn();
    for (const body of [{}, { code: 1 }, { code: "" }, { code: "1", more: 1 }]) {
      expect((await factor(browser, "PUT", body)).status).toBe(400);
      expect((await factor(browser, "DELETE", body)).status).toBe(400);
    }
    expect((await factor(browser, "DELETE", { code: "000000" })).status).toBe(409);
    expect((await renew(browser)).status).toBe(409);
    await app.clock.advance(RECENT_MS);
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      expect(await codeOf(await factor(browser, method, { code: "000000" }))).toBe(
        "reauthentication_required",
      );
    }
    expect(await codeOf(await renew(browser))).toBe("reauthentication_required");
    expect(await codeOf(await reset(browser, "0"))).toBe("reauthentication_required");
    const { orm } = app.database;
    const other = await signedIn();
    const provided = { issuer: "https://id.example", subject: "7" };
    const isAna = eq(people.email, "ana@example.com");
    await orm.update(people).set(provided).where(isAna);
    try {
      await app.clock.advance(RECHECK_MS);
      expect((await me(other)).local).toBeNull();
      expect((await factor(other, "POST")).status).toBe(409);
      expect((await factor(other, "PUT", { code: "000000" })).status).toBe(409);
    } finally {
      await orm.update(people).set({ issuer: null, subject: null }).where(isAna);
    }
  });
});

describe("signing in with a code", () => {
  test("needs password and code, each code only once, one step of drift each way", async ({
    app,
  }) => {
    const { secret } = await enrolled(app);
    await app.clock.advance(10 * STEP_MS);
    const attempt = async (code: string, password = PASSWORD) => {
      const answer = await createBrowser(served.runtime).signIn("ana@example.com", password, {
        code,
      });
      if (answer.status === 401) return "wrong_password";
      return answer.ok ? "in" : codeOf(answer);
    };
    const now = appCode(app, secret);
    expect(await attempt(now, "a wrong password")).toBe("wrong_password");
    expect(await attempt(appCode(app, secret, -2))).toBe("wrong_code");
    expect(await attempt(appCode(app, secret, 2))).toBe("wrong_code");
    expect(await attempt(appCode(app, secret, -1))).toBe("in");
    expect(await attempt(now)).toBe("in");
    expect(await attempt(now)).toBe("wrong_code");
    // A later code was accepted, so earlier ones are used up too.
    expect(await attempt(appCode(app, secret, -1))).toBe("wrong_code");
    expect(await attempt(appCode(app, secret, 1))).toBe("in");
    expect(app.logged("sign_in").at(-1)).toMatchObject({ by: "local", code: "app" });
    expect(app.logged("sign_in_refused").at(-1)).toMatchObject({
      known: true,
      reason: "wrong_code",
    });
  });

  test("accepts a code once when it is sent several times at once", async ({ app }) => {
    const { secret, codes } = await enrolled(app);
    for (const code of [appCode(app, secret), codes[3] ?? ""]) {
      await app.database.orm.delete(signInAttempts);
      const browsers = [1, 2, 3].map((n) =>
        createBrowser(n === 3 ? app.anotherInstance() : served.runtime),
      );
      const answers = await Promise.all(
        browsers.map((browser) => browser.signIn("ana@example.com", PASSWORD, { code })),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    }
  });

  test("accepts each recovery code once, however it is typed, and says how many are left", async ({
    app,
  }) => {
    const { browser, codes } = await enrolled(app);
    const [first = "", second = ""] = codes;
    await signedIn("ana@example.com", { code: first.toUpperCase().replaceAll("-", " ") });
    expect((await me(browser)).local?.second_factor?.recovery_codes_left).toBe(9);
    expect(app.logged("recovery_code_used")).toMatchObject([{ left: "9" }]);
    const again = createBrowser(served.runtime);
    expect((await again.signIn("ana@example.com", PASSWORD, { code: first })).status).toBe(403);
    await signedIn("ana@example.com", { code: second });
    const renewed = RecoveryCodes.parse(await (await renew(browser)).json());
    expect(renewed.recovery_codes).toHaveLength(10);
    expect((await me(browser)).local?.second_factor?.recovery_codes_left).toBe(10);
    expect((await again.signIn("ana@example.com", PASSWORD, { code: codes[5] ?? "" })).status).toBe(
      403,
    );
    await signedIn("ana@example.com", { code: renewed.recovery_codes[5] ?? "" });
    expect((await actions(app)).filter((one) => one === "renew-recovery-codes")).toHaveLength(1);
    const mail = served.mails.at(-1);
    expect(mail?.subject).toBe("Your Plumbline recovery codes were replaced");
    for (const code of renewed.recovery_codes) expect(JSON.stringify(mail)).not.toContain(code);
  });

  test("counts wrong codes like wrong passwords, and the password alone doesn't reset the count", async ({
    app,
  }) => {
    const { secret } = await enrolled(app);
    await app.database.orm.delete(sessions);
    const stranger = () => createBrowser(served.runtime, { address: "198.51.100.7" });
    const outcomes = [];
    for (let n = 0; n < FAILURES_PER_ACCOUNT + 1; n += 1) {
      expect(await statusAndCode(await stranger().signIn("ana@example.com"))).toEqual(
        n === FAILURES_PER_ACCOUNT ? [429, "too_many_requests"] : [403, "code_required"],
      );
      const guess = await stranger().signIn("ana@example.com", PASSWORD, { code: "000000" });
      outcomes.push(guess.status);
    }
    expect(outcomes).toEqual([...Array<number>(FAILURES_PER_ACCOUNT).fill(403), 429]);
    const right = { code: appCode(app, secret) };
    expect((await stranger().signIn("ana@example.com", PASSWORD, right)).status).toBe(429);
    await app.clock.advance(WINDOW_MS + 1_000);
    const later = { code: appCode(app, secret) };
    expect((await stranger().signIn("ana@example.com", PASSWORD, later)).status).toBe(200);
  });

  test("limits wrong codes of strangers per day, but not recovery codes or known devices", async ({
    app,
  }) => {
    const { secret, codes } = await enrolled(app);
    const device = await signedIn("ana@example.com", { code: appCode(app, secret) });
    await app.database.orm.delete(sessions);
    const stranger = (n: number) => createBrowser(served.runtime, { address: `198.51.${n}.7` });
    const guess = (browser: Browser, code: string) =>
      browser.signIn("ana@example.com", PASSWORD, { code });
    for (let n = 0; n < WRONG_CODES.limit; n += 1) {
      expect((await guess(stranger(n), "000000")).status).toBe(403);
      // Signing in deletes windows that are over, and these aren't.
      if (n % 10 !== 9) continue;
      await app.clock.advance(WINDOW_MS + 1_000);
      expect((await guess(device, appCode(app, secret))).status).toBe(200);
      await app.database.orm.delete(sessions);
    }
    await app.clock.advance(STEP_MS);
    const limited = await guess(stranger(200), appCode(app, secret));
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(WINDOW_MS / 1000);
    expect(app.logged("sign_in_locked").at(-1)).toMatchObject({ limit: "codes" });
    expect((await guess(device, appCode(app, secret))).status).toBe(200);
    expect((await guess(stranger(201), codes[0] ?? "")).status).toBe(200);
    await app.clock.advance(WRONG_CODES.lengthMs);
    expect((await guess(stranger(202), appCode(app, secret))).status).toBe(200);
  });

  test("limits wrong codes per day within a session too", async ({ app }) => {
    const { browser, secret } = await enrolled(app);
    for (let n = 0; n < WRONG_CODES.limit; n += 1) {
      if (n % FAILURES_PER_ACCOUNT === 0) await app.clock.advance(WINDOW_MS + 1_000);
      const wrong = { password: PASSWORD, code: "000000" };
      expect(await codeOf(await prove(browser, wrong))).toBe("wrong_code");
    }
    await app.clock.advance(WINDOW_MS + 1_000);
    const right = { password: PASSWORD, code: appCode(app, secret) };
    expect((await prove(browser, right)).status).toBe(429);
    const elsewhere = createBrowser(served.runtime, { address: "198.51.100.9" });
    expect((await elsewhere.signIn("ana@example.com", PASSWORD, right)).status).toBe(200);
  });

  test("answers unknown and known accounts alike until the password is right", async ({ app }) => {
    await enrolled(app);
    const answers = await Promise.all(
      ["ana@example.com", "unknown@example.com"].map(async (email) => {
        const answer = await createBrowser(served.runtime).signIn(email, "wrong", {
          code: "000000",
        });
        return [answer.status, await answer.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  });

  test("rejects codes whose secret can't be decrypted, and accepts recovery codes", async ({
    app,
  }) => {
    const { secret, codes } = await enrolled(app);
    const { orm } = app.database;
    const [bo] = await orm.select().from(people).where(eq(people.email, "bo@example.com"));
    // Sealed for another person, as if rows had been swapped.
    const sealed = app.runtime.factorSealOf(bo?.id ?? "").close(secret);
    await orm.update(secondFactors).set({ sealed });
    const browser = createBrowser(served.runtime);
    const code = appCode(app, secret);
    expect((await browser.signIn("ana@example.com", PASSWORD, { code })).status).toBe(403);
    await signedIn("ana@example.com", { code: codes[0] ?? "" });
  });
});

describe("reauthentication with a second factor", () => {
  test("needs the code too", async ({ app }) => {
    const { browser, secret } = await enrolled(app);
    await app.clock.advance(RECENT_MS);
    expect(await codeOf(await prove(browser, { password: PASSWORD }))).toBe("code_required");
    const wrong = { password: PASSWORD, code: "000000" };
    expect(await codeOf(await prove(browser, wrong))).toBe("wrong_code");
    expect(await codeOf(await renew(browser))).toBe("reauthentication_required");
    const right = { password: PASSWORD, code: appCode(app, secret) };
    expect((await prove(browser, right)).status).toBe(200);
    expect((await renew(browser)).status).toBe(201);
    expect(app.logged("reauth_refused")).toMatchObject([{ why: "code" }]);
  });

  test("isn't replaced by changing the password, which needs no code", async ({ app }) => {
    const { browser } = await enrolled(app);
    await app.clock.advance(RECENT_MS);
    const change = (current: string, next: string) =>
      browser.send(passwordRoute.PUT, "/api/me/password", {
        method: "PUT",
        body: { current, next },
      });
    const chosen = "vk27-tqpz-9dhw";
    expect((await change(PASSWORD, chosen)).status).toBe(200);
    expect((await change(chosen, PASSWORD)).status).toBe(200);
    expect(await codeOf(await renew(browser))).toBe("reauthentication_required");
    // Nor does it reset the count of wrong codes.
    for (let n = 0; n < FAILURES_PER_ACCOUNT; n += 1) {
      expect((await change(PASSWORD, "short")).status).toBe(400);
      expect((await prove(browser, { password: PASSWORD, code: "000000" })).status).toBe(403);
    }
    expect((await change(PASSWORD, "short")).status).toBe(429);
  });
});

describe("turning it off", () => {
  test("needs a code, whose wrong guesses are limited", async ({ app }) => {
    const { browser, secret } = await enrolled(app);
    for (let n = 0; n < FAILURES_PER_ACCOUNT; n += 1) {
      expect(await codeOf(await factor(browser, "DELETE", { code: `00000${n}` }))).toBe(
        "wrong_code",
      );
    }
    const limited = await factor(browser, "DELETE", { code: appCode(app, secret) });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    await app.clock.advance(WINDOW_MS + 1_000);
    expect((await factor(browser, "DELETE", { code: appCode(app, secret) })).status).toBe(200);
    expect((await me(browser)).local?.second_factor).toBeNull();
    await signedIn();
    expect((await actions(app)).at(-1)).toBe("second-factor-off");
    expect(served.mails.at(-1)?.subject).toBe("Two-step sign-in is off for Plumbline");
    expect(await app.database.orm.select().from(recoveryCodes)).toEqual([]);
  });

  test("by an administrator ends the person's sessions, is audited, and isn't for oneself", async ({
    app,
  }) => {
    const { browser, secret } = await enrolled(app);
    const anaId = (await me(browser)).person.id;
    const bo = await signedIn("bo@example.com");
    expect((await reset(bo, "0")).status).toBe(404);
    expect((await reset(bo, (await me(bo)).person.id)).status).toBe(409);
    expect((await reset(browser, anaId)).status).toBe(409);
    const done = await reset(bo, anaId);
    expect(done.status).toBe(200);
    expect(PersonEntry.parse(await done.json())).toMatchObject({
      has_second_factor: false,
      sessions: 0,
    });
    expect((await reset(bo, anaId)).status).toBe(409);
    await app.clock.advance(RECHECK_MS);
    expect((await browser.send(meRoute.GET, "/api/me")).status).toBe(401);
    await signedIn();
    expect((await actions(app)).slice(-2)).toEqual(["reset-second-factor", "end-sessions"]);
    expect(app.logged("second_factor_reset")).toMatchObject([{ whom: anaId }]);
    expect(served.mails.at(-1)).toMatchObject({ to: "ana@example.com" });
    expect(JSON.stringify(served.mails)).not.toContain(secret);
    for (const { broken } of await checkAudit(app.database, { keys: TEST_KEYS.known })) {
      expect(broken).toBeNull();
    }
  });
});
