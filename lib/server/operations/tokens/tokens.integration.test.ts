import { describe, expect } from "vitest";
import * as ownRoute from "@/app/api/me/tokens/route";
import * as ownTokenRoute from "@/app/api/me/tokens/[id]/route";
import * as allRoute from "@/app/api/tokens/route";
import * as tokenRoute from "@/app/api/tokens/[id]/route";
import type { MadeToken, TokenEntry, TokensView } from "@/lib/contracts/tokens";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import { secretHash } from "@/lib/server/auth/secret";
import {
  createBrowser,
  createTestApp,
  testWithApp,
  type TestApp,
} from "@/lib/server/gate/app-fixture";
import { createToken } from "@/lib/server/gate/token-fixture";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { pauses } from "@/lib/server/store/schema/pauses";
import { apiTokens } from "@/lib/server/store/schema/tokens";
import { MAX_TOKENS } from "./make-token";

type Browser = ReturnType<typeof createBrowser>;
const PEOPLE = {
  viewer: "vera@example.com",
  member: "ana@example.com",
  admin: "ada@example.com",
} as const;

const test = testWithApp(async (): Promise<TestApp & Record<keyof typeof PEOPLE, Browser>> => {
  const app = await createTestApp();
  app.serve(app.runtime);
  await app.addPerson(PEOPLE.viewer, "viewer", ["northgate"]);
  await app.addPerson(PEOPLE.member, "member", ["northgate"]);
  await app.addPerson(PEOPLE.admin, "administrator");
  const browser = () => createBrowser(app.runtime);
  return { ...app, viewer: browser(), member: browser(), admin: browser() };
});
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(apiTokens);
  for (const [name, email] of Object.entries(PEOPLE))
    await app[name as keyof typeof PEOPLE].signIn(email);
});

const ASKED = { name: "Grafana", scope: "read", companies: "all", days: 90 };
const make = (by: Browser, body: object) =>
  by.send(ownRoute.POST, "/api/me/tokens", { body: { ...ASKED, ...body } });
const serve = (by: Browser, body: object = {}) =>
  by.send(allRoute.POST, "/api/tokens", {
    body: { name: "Grafana", companies: ["northgate"], days: 30, ...body },
  });
const own = async (by: Browser) =>
  ((await (await by.send(ownRoute.GET, "/api/me/tokens")).json()) as TokensView).data;
const all = async (by: Browser) =>
  ((await (await by.send(allRoute.GET, "/api/tokens")).json()) as TokensView).data;
const revoke = (by: Browser, id: string, isOwn = true) =>
  isOwn
    ? by.send(ownTokenRoute.DELETE, `/api/me/tokens/${id}`, {
        method: "DELETE",
        body: {},
        params: { id },
      })
    : by.send(tokenRoute.DELETE, `/api/tokens/${id}`, {
        method: "DELETE",
        body: {},
        params: { id },
      });

describe("creating a token", () => {
  test("returns it once, and stores only its hash", async ({ app }) => {
    const answer = await make(app.member, { name: " Grafana ", scope: "act" });
    expect(answer.status).toBe(201);
    const made = (await answer.json()) as MadeToken;
    expect(Object.keys(made).toSorted()).toEqual(["expires_at", "id", "token"]);
    expect(made.token).toMatch(/^plb_[\dA-Za-z]{36}$/);
    const leftMs = Date.parse(made.expires_at) - app.databaseNowMs();
    expect(leftMs).toBeGreaterThan(90 * DAY_MS - HOUR_MS);
    const rows = await app.database.orm.select().from(apiTokens);
    expect(rows.map(({ tokenHash }) => tokenHash)).toEqual([secretHash(made.token)]);
    expect(await own(app.member)).toMatchObject([
      {
        id: made.id,
        name: "Grafana",
        hint: made.token.slice(-4),
        scope: "act",
        companies: null,
        company_count: 1,
        person: { is_you: true },
        last_used_at: null,
        uses: 0,
        state: "active",
        rests_at: null,
      } satisfies Partial<TokenEntry> | object,
    ]);
    expect(JSON.stringify(rows)).not.toContain(made.token.slice(4, 30));
  });

  test.for([
    [{ name: " " }, 400],
    [{ name: "x".repeat(81) }, 400],
    [{ scope: "write" }, 400],
    [{ companies: [] }, 400],
    [{ companies: ["harbour"] }, 400],
    [{ companies: ["nowhere"] }, 400],
    [{ days: 0 }, 400],
    [{ days: 366 }, 400],
    [{ admin: true }, 400],
    [{ days: undefined }, 201],
    [{ days: 365, companies: ["northgate", "northgate"] }, 201],
  ] as const)("%j answers %i", async ([body, status], { app }) => {
    expect((await make(app.member, body)).status).toBe(status);
  });

  test("lets only people who handle incidents of these companies create one that acts", async ({
    app,
  }) => {
    expect((await make(app.viewer, { scope: "act" })).status).toBe(403);
    expect((await make(app.viewer, {})).status).toBe(201);
    expect((await make(app.member, { scope: "act", companies: ["northgate"] })).status).toBe(201);
  });

  test("needs a sign-in of the last hour", async ({ app }) => {
    await app.clock.advance(HOUR_MS + 1);
    for (const answer of [await make(app.member, {}), await serve(app.admin)]) {
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: "reauthentication_required" });
    }
  });

  test("is refused beyond a number of valid tokens, also at once", async ({ app }) => {
    for (let at = 0; at < MAX_TOKENS - 1; at += 1) await createToken(app.member);
    const answers = await Promise.all([make(app.member, {}), make(app.member, {})]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "409"]);
    expect((await make(app.viewer, {})).status).toBe(201);
  });
});

describe("service tokens", () => {
  test("are created by administrators for named companies, and only read", async ({ app }) => {
    expect((await serve(app.member)).status).toBe(403);
    expect((await serve(app.admin, { companies: "all" })).status).toBe(400);
    expect((await serve(app.admin, { companies: ["nowhere"] })).status).toBe(400);
    expect((await serve(app.admin)).status).toBe(201);
    expect(await all(app.admin)).toMatchObject([
      {
        scope: "read",
        person: null,
        companies: [{ slug: "northgate", name: "Northgate Builders" }],
        made_by: { is_you: true },
      },
    ]);
    expect(await own(app.admin)).toEqual([]);
  });
});

describe("tokens of other people", () => {
  test("are neither listed nor found, except for administrators, who can revoke them", async ({
    app,
  }) => {
    const { id } = await createToken(app.member);
    expect(await own(app.viewer)).toEqual([]);
    expect((await app.member.send(allRoute.GET, "/api/tokens")).status).toBe(403);
    const bytes = async (answer: Response) => `${answer.status} ${await answer.text()}`;
    const theirs = await bytes(await revoke(app.viewer, id));
    expect(theirs).toBe(await bytes(await revoke(app.viewer, crypto.randomUUID())));
    expect(theirs).toBe(await bytes(await revoke(app.viewer, "not-an-id")));
    expect(theirs).toMatch(/^404 /);
    expect((await revoke(app.viewer, id, false)).status).toBe(403);
    expect(await all(app.admin)).toMatchObject([{ id, person: { is_you: false } }]);
    expect((await revoke(app.admin, id, false)).status).toBe(204);
    expect((await revoke(app.admin, id, false)).status).toBe(404);
    expect(await all(app.admin)).toEqual([]);
  });

  test("name no company that the caller may not see any more", async ({ app }) => {
    const { id } = await createToken(app.admin, { companies: ["northgate", "harbour"] });
    await app.asOwner(
      `update api_tokens set person_id = (select id from people where email = '${PEOPLE.member}') where id = '${id}'`,
    );
    expect(await own(app.member)).toMatchObject([
      { companies: [{ slug: "northgate" }], company_count: 1 },
    ]);
  });
});

test("says in which state a token is", async ({ app }) => {
  const states = async () => (await own(app.member)).map(({ state }) => state);
  await createToken(app.member, { days: 1 });
  expect(await states()).toEqual(["active"]);
  await pauseByRestore(app.database, "tokens", app.clock.nowMs());
  expect(await states()).toEqual(["paused"]);
  await app.database.orm.delete(pauses);
  await app.clock.advance(DAY_MS);
  await app.member.signIn(PEOPLE.member);
  expect(await states()).toEqual(["expired"]);
});

test("writes creation and revocation into the audit log, without the token", async ({ app }) => {
  const { id, token } = await createToken(app.member, { companies: ["northgate"] });
  await revoke(app.member, id);
  const { rows } = await app.database.pool.query<{ detail: { token_id: string } }>(
    "select company, event, person_email, detail from audit_log where kind = 'token' order by seq",
  );
  expect(rows.filter(({ detail }) => detail.token_id === id)).toMatchObject([
    {
      company: "@house",
      event: "make.asked",
      person_email: PEOPLE.member,
      detail: { subject: "Grafana", scope: "read", companies: ["northgate"], service: false },
    },
    { event: "revoke.asked", person_email: PEOPLE.member, detail: { subject: "Grafana" } },
  ]);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4, 30));
});
