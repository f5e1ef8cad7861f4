import { expect } from "vitest";
import { appTest, createBrowser } from "@/lib/server/gate/app-fixture";
import { ensureDemoPeople, retireDemoPeople } from "./demo-people";

const test = appTest();

test("creates the demo accounts once, each with a different password, and disables them after the demo", async ({
  app,
}) => {
  const both = await Promise.all([ensureDemoPeople(app.database), ensureDemoPeople(app.database)]);
  const made = both.flat();
  expect(made.map(({ role }) => role)).toEqual(["viewer", "member", "operator"]);
  expect(new Set(made.map(({ password }) => password)).size).toBe(3);
  expect(await ensureDemoPeople(app.database)).toEqual([]);
  for (const { email, password } of made) {
    expect((await createBrowser(app.runtime).signIn(email, password)).status).toBe(200);
  }
  await retireDemoPeople(app.database, {
    adminEmail: "ada@example.com",
    nowMs: app.clock.nowMs(),
  });
  for (const { email, password } of made) {
    expect((await createBrowser(app.runtime).signIn(email, password)).status).toBe(401);
  }
  expect(await ensureDemoPeople(app.database)).toEqual([]);
});
