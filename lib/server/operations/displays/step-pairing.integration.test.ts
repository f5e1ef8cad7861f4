import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as displaysRoute from "@/app/api/displays/route";
import * as wallRoute from "@/app/api/wall/route";
import { GET } from "@/app/pair/step/route";
import type { createBrowser } from "@/lib/server/gate/auth-fixture";
import {
  createDisplayFixture,
  SETTINGS,
  type DisplayFixture,
} from "@/lib/server/gate/display-fixture";
import { pairings } from "@/lib/server/store/schema/displays";
import { signInAttempts } from "@/lib/server/store/schema/people";
import { PAIRING_MS, PAIRINGS_PER_MINUTE } from "./start-pairing";
import { withParams } from "@/lib/server/gate/auth-fixture";

type Browser = ReturnType<typeof createBrowser>;

let fixture: DisplayFixture;
let screen: Browser;
beforeAll(async () => {
  fixture = await createDisplayFixture();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.database.orm.delete(pairings);
  await fixture.database.orm.delete(signInAttempts);
  await fixture.admin.signIn("ana@example.com");
  screen = fixture.screen();
});

const PAGE = "/pair?step=done";

async function step(): Promise<string | null> {
  const answer = await screen.send(GET, "/pair/step");
  expect(answer.status).toBe(303);
  return answer.headers.get("location");
}
const codeInCookie = () => screen.jar.get("plumbline-pairing")?.split(".")[1];

test("gives a screen without scripts a code, keeps it while it is valid, then redirects to the wall", async () => {
  expect(await step()).toBe(PAGE);
  const code = codeInCookie();
  expect(code).toMatch(/^[2-9A-Z]{8}$/);
  expect(await step()).toBe(PAGE);
  expect(codeInCookie()).toBe(code);
  const typed = await fixture.admin.send(displaysRoute.POST, "/api/displays", {
    body: { ...SETTINGS, replaces: null, code },
  });
  expect(typed.status).toBe(201);
  expect(await step()).toBe("/wall");
  expect((await screen.send(wallRoute.GET, "/api/wall")).status).toBe(200);
  expect(await step()).toBe("/wall");
});

test("replaces an expired code", async () => {
  await step();
  const code = codeInCookie();
  await fixture.clock.advance(PAIRING_MS);
  expect(await step()).toBe(PAGE);
  expect(codeInCookie()).not.toBe(code);
});

test("uses up no code for images and frames of other pages", async () => {
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
  expect(await fixture.database.orm.select().from(pairings)).toHaveLength(1);
});

test("shows the page when there is no code to be had, and retries", async () => {
  for (let more = 0; more < PAIRINGS_PER_MINUTE; more += 1) {
    screen.jar.clear();
    await step();
  }
  screen.jar.clear();
  expect(await step()).toBe(PAGE);
  expect(codeInCookie()).toBeUndefined();
  await fixture.whileAway("pairings", async () => {
    expect(await step()).toBe(PAGE);
  });
});
