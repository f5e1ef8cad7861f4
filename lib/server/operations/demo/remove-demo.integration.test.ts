import { expect } from "vitest";
import { HOUR_MS } from "@/lib/domain/time/units";
import { appTest, createBrowser, type TestApp } from "@/lib/server/gate/app-fixture";
import { DELETE } from "@/app/api/demo/route";

const test = appTest();

/** A demo that only notes who removes it. */
function serveDemo(app: TestApp, { isOn }: { isOn: boolean }): unknown[] {
  const removed: unknown[] = [];
  const demo = {
    isOn: () => isOn,
    has: () => isOn,
    remove(change: unknown) {
      removed.push(change);
      return Promise.resolve("removed");
    },
  };
  app.serve(Object.assign({ ...app.runtime }, { demo }));
  return removed;
}

async function signedIn(app: TestApp, email: string) {
  const browser = createBrowser(app.runtime);
  expect((await browser.signIn(email)).status).toBe(200);
  const send = (body: unknown) => browser.send(DELETE, "/api/demo", { method: "DELETE", body });
  return { send };
}

test("is removed by administrators only, with a recent sign-in", async ({ app }) => {
  const id = await app.addPerson("ada@example.com", "administrator");
  await app.addPerson("olga@example.com", "operator", ["northgate"]);
  const removed = serveDemo(app, { isOn: true });
  const operator = await signedIn(app, "olga@example.com");
  expect((await operator.send({})).status).toBe(403);

  const administrator = await signedIn(app, "ada@example.com");
  expect((await administrator.send({ force: true })).status).toBe(400);
  expect(removed).toEqual([]);
  const answer = await administrator.send({});
  expect([answer.status, await answer.json()]).toEqual([200, { state: "removed" }]);
  expect(removed).toMatchObject([{ person: { id, email: "ada@example.com" } }]);

  await app.clock.advance(2 * HOUR_MS);
  const late = await administrator.send({});
  expect([late.status, await late.json()]).toMatchObject([
    403,
    { error: "reauthentication_required" },
  ]);
  expect(removed).toHaveLength(1);
});

test("says that there is none", async ({ app }) => {
  await app.addPerson("ida@example.com", "administrator");
  serveDemo(app, { isOn: false });
  const administrator = await signedIn(app, "ida@example.com");
  const answer = await administrator.send({});
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: "not_found" }]);
});
