import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { people } from "@/lib/server/store/schema/people";
import { createTestApp, createBrowser, type TestApp } from "@/lib/server/gate/app-fixture";
import { createPasswordMeter } from "./password-meter";
import { ensureFirstAdministrator } from "./first-administrator";

const passwordMeter = createPasswordMeter();
afterAll(() => passwordMeter.stop());
let fixture: TestApp;
beforeEach(async () => {
  fixture = await createTestApp();
});
afterEach(() => fixture.drop());

const ensure = (
  adminPassword: string | null = null,
  localSignIn: "on" | "administrators" | "off" = "on",
) =>
  ensureFirstAdministrator({
    config: { adminEmail: "Admin@Plumbline.local", adminPassword, localSignIn },
    database: fixture.database,
    clock: fixture.clock,
    log: fixture.runtime.log,
    passwordMeter,
  });
const canSignIn = async (email: string, password: string) =>
  (await createBrowser(fixture.runtime).signIn(email, password)).status === 200;

test("creates an administrator and returns the password at the first start only", async () => {
  const first = await ensure();
  expect(first.email).toBe("admin@plumbline.local");
  expect(first.password).toMatch(/^[a-z0-9]{28}$/);
  expect(await canSignIn(first.email, first.password ?? "")).toBe(true);
  expect(await ensure()).toEqual({ email: first.email, password: null });
  expect(await canSignIn(first.email, first.password ?? "")).toBe(true);
});

test("creates one administrator when two instances start at the same time", async () => {
  const both = await Promise.all([ensure(), ensure()]);
  expect(both.filter(({ password }) => password !== null)).toHaveLength(1);
});

test("uses ADMIN_PASSWORD as the initial password only, and doesn't return it", async () => {
  expect(await ensure("first-password-41")).toEqual({
    email: "admin@plumbline.local",
    password: null,
  });
  const browser = createBrowser(fixture.runtime);
  expect((await browser.signIn("admin@plumbline.local", "first-password-41")).status).toBe(200);

  await ensure("second password");
  await fixture.clock.advance(5_000);
  expect(await (await browser.auth("session")).json()).toHaveProperty("user");
  expect(await canSignIn("admin@plumbline.local", "second password")).toBe(false);
  expect(await canSignIn("admin@plumbline.local", "first-password-41")).toBe(true);
});

test("warns once about a weak ADMIN_PASSWORD, without quoting it", async () => {
  await ensure("adminadmin");
  await ensure("adminadmin");
  expect(fixture.logged("admin_password_weak")).toHaveLength(1);
  expect(fixture.logText()).not.toContain("adminadmin");
});

test("creates ADMIN_EMAIL beside another administrator only if ADMIN_PASSWORD is set", async () => {
  await fixture.addPerson("cy@example.com", "administrator");
  expect(await ensure()).toEqual({ email: "cy@example.com", password: null });
  expect(await ensure("a way back in")).toEqual({ email: "admin@plumbline.local", password: null });
  expect(await canSignIn("admin@plumbline.local", "a way back in")).toBe(true);
});

test("leaves a disabled account disabled", async () => {
  await ensure("some password");
  await fixture.database.orm
    .update(people)
    .set({ disabledAt: new Date() })
    .where(eq(people.email, "admin@plumbline.local"));
  await ensure("other password");
  expect(await canSignIn("admin@plumbline.local", "other password")).toBe(false);
});

test("creates ADMIN_EMAIL if the only administrator can't sign in", async () => {
  const id = await fixture.addPerson("cy@example.com", "administrator");
  expect((await ensure(null, "administrators")).email).toBe("cy@example.com");
  // Invited, but never chose a password.
  await fixture.database.orm.update(people).set({ passwordHash: null }).where(eq(people.id, id));
  const made = await ensure();
  expect(made.email).toBe("admin@plumbline.local");
  expect(await canSignIn(made.email, made.password ?? "")).toBe(true);
});

test("creates ADMIN_EMAIL beside another administrator if local sign-in is off", async () => {
  await fixture.addPerson("cy@example.com", "administrator");
  expect(await ensure(null, "off")).toEqual({
    email: "admin@plumbline.local",
    password: expect.any(String),
  });
});
