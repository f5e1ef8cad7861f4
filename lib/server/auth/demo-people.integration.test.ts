import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthFixture, createBrowser, type AuthFixture } from "@/lib/server/gate/auth-fixture";
import { ensureDemoPeople, retireDemoPeople } from "./demo-people";

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await createAuthFixture();
});
afterAll(() => fixture.drop());

test("creates the demo accounts once, each with a different password, and disables them after the demo", async () => {
  const both = await Promise.all([
    ensureDemoPeople(fixture.database),
    ensureDemoPeople(fixture.database),
  ]);
  const made = both.flat();
  expect(made.map(({ role }) => role)).toEqual(["viewer", "member", "operator"]);
  expect(new Set(made.map(({ password }) => password)).size).toBe(3);
  expect(await ensureDemoPeople(fixture.database)).toEqual([]);
  for (const { email, password } of made) {
    expect((await createBrowser(fixture.runtime).signIn(email, password)).status).toBe(200);
  }
  await retireDemoPeople(fixture.database, fixture.clock.nowMs());
  for (const { email, password } of made) {
    expect((await createBrowser(fixture.runtime).signIn(email, password)).status).toBe(401);
  }
  expect(await ensureDemoPeople(fixture.database)).toEqual([]);
});
