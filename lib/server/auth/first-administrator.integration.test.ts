import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { people } from "@/lib/server/store/schema/people";
import { createAuthFixture, createBrowser, type AuthFixture } from "@/lib/server/gate/auth-fixture";
import { createPasswordMeter } from "./password-meter";
import { ensureFirstAdministrator } from "./first-administrator";

const passwordMeter = createPasswordMeter();
afterAll(() => passwordMeter.stop());
let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
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

test("the first start makes one and tells its password, later ones do not", async () => {
  const first = await ensure();
  expect(first.email).toBe("admin@plumbline.local");
  expect(first.password).toMatch(/^[a-z0-9]{24}$/);
  expect(await canSignIn(first.email, first.password ?? "")).toBe(true);
  expect(await ensure()).toEqual({ email: first.email, password: null });
  expect(await canSignIn(first.email, first.password ?? "")).toBe(true);
});

test("two instances that start at once agree on one", async () => {
  const both = await Promise.all([ensure(), ensure()]);
  expect(both.filter(({ password }) => password !== null)).toHaveLength(1);
});

test("a given password is the first one, is not told, and no later start changes it back", async () => {
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

test("one that is easy to guess is told of, once, and isn't quoted", async () => {
  await ensure("adminadmin");
  await ensure("adminadmin");
  expect(fixture.logged("admin_password_weak")).toHaveLength(1);
  expect(fixture.logText()).not.toContain("adminadmin");
});

test("while another administrator is enabled, ADMIN_EMAIL alone makes nobody", async () => {
  await fixture.addPerson("cy@example.com", "administrator");
  expect(await ensure()).toEqual({ email: "cy@example.com", password: null });
  expect(await ensure("a way back in")).toEqual({ email: "admin@plumbline.local", password: null });
  expect(await canSignIn("admin@plumbline.local", "a way back in")).toBe(true);
});

test("a disabled account stays disabled", async () => {
  await ensure("some password");
  await fixture.database.orm
    .update(people)
    .set({ disabledAt: new Date() })
    .where(eq(people.email, "admin@plumbline.local"));
  await ensure("other password");
  expect(await canSignIn("admin@plumbline.local", "other password")).toBe(false);
});

test("an administrator who can't sign in leaves ADMIN_EMAIL to be one", async () => {
  const id = await fixture.addPerson("cy@example.com", "administrator");
  expect((await ensure(null, "administrators")).email).toBe("cy@example.com");
  // Invited, and never came.
  await fixture.database.orm.update(people).set({ passwordHash: null }).where(eq(people.id, id));
  const made = await ensure();
  expect(made.email).toBe("admin@plumbline.local");
  expect(await canSignIn(made.email, made.password ?? "")).toBe(true);
});

test("where local accounts don't sign in, another administrator's doesn't count", async () => {
  await fixture.addPerson("cy@example.com", "administrator");
  expect(await ensure(null, "off")).toEqual({
    email: "admin@plumbline.local",
    password: expect.any(String),
  });
});
