import { expect } from "vitest";
import * as displaysRoute from "@/app/api/displays/route";
import * as wallRoute from "@/app/api/wall/route";
import { GET } from "@/app/pair/step/route";
import type { createBrowser } from "@/lib/server/gate/app-fixture";
import { displayTest, SETTINGS } from "@/lib/server/gate/display-fixture";
import { pairings } from "@/lib/server/store/schema/displays";
import { signInAttempts } from "@/lib/server/store/schema/people";
import { PAIRING_MS, PAIRINGS_PER_MINUTE } from "./start-pairing";
import { withParams } from "@/lib/server/gate/app-fixture";

type Browser = ReturnType<typeof createBrowser>;

const test = displayTest();
let screen: Browser;
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(pairings);
  await app.database.orm.delete(signInAttempts);
  await app.admin.signIn("ana@example.com");
  screen = app.screen();
});

const PAGE = "/pair?step=done";

async function step(): Promise<string | null> {
  const answer = await screen.send(GET, "/pair/step");
  expect(answer.status).toBe(303);
  return answer.headers.get("location");
}
const codeInCookie = () => screen.jar.get("plumbline-pairing")?.split(".")[1];

test("gives a screen without scripts a code, keeps it while it is valid, then redirects to the wall", async ({
  app,
}) => {
  expect(await step()).toBe(PAGE);
  const code = codeInCookie();
  expect(code).toMatch(/^[2-9A-Z]{8}$/);
  expect(await step()).toBe(PAGE);
  expect(codeInCookie()).toBe(code);
  const typed = await app.admin.send(displaysRoute.POST, "/api/displays", {
    body: { ...SETTINGS, replaces: null, code },
  });
  expect(typed.status).toBe(201);
  expect(await step()).toBe("/wall");
  expect((await screen.send(wallRoute.GET, "/api/wall")).status).toBe(200);
  expect(await step()).toBe("/wall");
});

test("replaces an expired code", async ({ app }) => {
  await step();
  const code = codeInCookie();
  await app.clock.advance(PAIRING_MS);
  expect(await step()).toBe(PAGE);
  expect(codeInCookie()).not.toBe(code);
});

test("uses up no code for images and frames of other pages", async ({ app }) => {
  for (const [dest, isPage] of [
    ["image", false],
    ["iframe", false],
    ["empty", false],
    ["document", true],
  ] as const) {
    const headers = { "sec-fetch-dest": dest };
    const answer = await GET(screen.request("/pair/step", { headers }), withParams());
    expect(answer.headers.get("location")).toBe(PAGE);
    expect(answer.headers.has("set-cookie")).toBe(isPage);
  }
  expect(await app.database.orm.select().from(pairings)).toHaveLength(1);
});

test("shows the page when there is no code to be had, and retries", async ({ app }) => {
  for (let more = 0; more < PAIRINGS_PER_MINUTE; more += 1) {
    screen.jar.clear();
    await step();
  }
  screen.jar.clear();
  expect(await step()).toBe(PAGE);
  expect(codeInCookie()).toBeUndefined();
  await app.whileAway("pairings", async () => {
    expect(await step()).toBe(PAGE);
  });
});
