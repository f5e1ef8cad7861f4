import { describe, expect, onTestFinished } from "vitest";
import type { MadeToken } from "@/lib/contracts/tokens";
import * as meRoute from "@/app/api/me/route";
import * as tokensRoute from "@/app/api/me/tokens/route";
import * as ownTokenRoute from "@/app/api/me/tokens/[id]/route";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { newApiToken } from "@/lib/server/auth/tokens/token-form";
import { UNKNOWN_TOKENS } from "@/lib/server/auth/tokens/tokens";
import { TOKEN_PER_MINUTE } from "@/lib/server/auth/tokens/token-turns";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { endPause } from "@/lib/server/store/pauses/pauses";
import { people } from "@/lib/server/store/schema/people";
import { apiTokens } from "@/lib/server/store/schema/tokens";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createBrowser, createTestApp, testWithApp, type TestApp } from "./app-fixture";
import { createHandler } from "./route";
import { createProgram, createToken } from "./token-fixture";
import { respondToUnrouted, refuseUnauthorized } from "./unrouted";

type Browser = ReturnType<typeof createBrowser>;
type TokensApp = TestApp & { member: Browser; admin: Browser };

const test = testWithApp(async (): Promise<TokensApp> => {
  const app = await createTestApp();
  app.serve(app.runtime);
  const signedIn = async (...[email, role, companies]: Parameters<TestApp["addPerson"]>) => {
    await app.addPerson(email, role, companies);
    const browser = createBrowser(app.runtime);
    await browser.signIn(email);
    return browser;
  };
  const member = await signedIn("ana@example.com", "member", ["northgate"]);
  return { ...app, member, admin: await signedIn("ada@example.com", "administrator") };
});
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(apiTokens);
  await app.member.signIn("ana@example.com");
  await app.admin.signIn("ada@example.com");
});

const afterRecheck = (app: TokensApp) => app.clock.advance(RECHECK_MS + 1);

function handlersOf(runtime: TestApp["runtime"]) {
  const of = () => runtime;
  return {
    view: createHandler(of, { right: "view", tokens: "read" }, ({ company, person }) => ({
      company,
      email: person.email,
    })),
    closed: createHandler(of, { right: "view" }, () => ({})),
    act: createHandler(
      of,
      { right: "handle-incidents", mutation: true, tokens: "act" },
      ({ body }) => ({ body }),
    ),
  };
}
const things = (company = "northgate") => ({
  path: `/api/companies/${company}/things`,
  params: { company },
});

async function view(app: TokensApp, token: string, company = "northgate", more = {}) {
  const { path, params } = things(company);
  const program = createProgram(app.runtime, token, more);
  return program.ask(handlersOf(app.runtime).view, path, { params });
}

describe("a request with a token", () => {
  test("acts as its person, with what is left of the limits in its headers", async ({ app }) => {
    const { token } = await createToken(app.member);
    const answer = await view(app, token);
    expect(await answer.json()).toEqual({ company: "northgate", email: "ana@example.com" });
    expect(answer.headers.get("ratelimit-limit")).toBe(String(TOKEN_PER_MINUTE));
    expect(answer.headers.get("ratelimit-remaining")).toBe("119");
    expect(Number(answer.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  });

  test("sees a company of its person that it isn't for like a missing one", async ({ app }) => {
    const { token } = await createToken(app.admin, { companies: ["harbour"] });
    expect((await view(app, token, "harbour")).status).toBe(200);
    const bytes = async (company: string) => {
      const answer = await view(app, token, company);
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await bytes("northgate")).toBe(await bytes("nowhere"));
    expect(await bytes("northgate")).toMatch(/^404 /);
  });

  test("ignores cookies, whether the token is valid or not", async ({ app }) => {
    const { token } = await createToken(app.member);
    const cookie = app.admin.cookieHeader();
    const answer = await view(app, token, "northgate", { cookie });
    expect(await answer.json()).toMatchObject({ email: "ana@example.com" });
    expect((await view(app, token, "harbour", { cookie })).status).toBe(404);
    expect((await view(app, newApiToken(), "northgate", { cookie })).status).toBe(401);
    expect((await view(app, "plb_garbage", "northgate", { cookie })).status).toBe(401);
    // Not ours: a proxy may add its own.
    expect((await view(app, "eyJhbGciOi", "northgate", { cookie })).status).toBe(200);
    expect((await view(app, "eyJhbGciOi")).status).toBe(401);
  });

  test("is refused at an address that isn't open to tokens, and to act with one that only reads", async ({
    app,
  }) => {
    const { path, params } = things();
    const { closed, act } = handlersOf(app.runtime);
    const reading = createProgram(app.runtime, (await createToken(app.admin)).token);
    const acting = createProgram(
      app.runtime,
      (await createToken(app.member, { scope: "act" })).token,
    );
    const sent = { params, method: "PUT", body: { a: 1 } };
    expect((await reading.ask(closed, path, { params })).status).toBe(403);
    expect((await acting.ask(closed, path, { params })).status).toBe(403);
    expect((await reading.ask(act, path, sent)).status).toBe(403);
    expect(await (await acting.ask(act, path, sent)).json()).toEqual({ body: { a: 1 } });
    const foreign = { ...sent, headers: { origin: "https://elsewhere.example" } };
    expect((await acting.ask(act, path, foreign)).status).toBe(403);
    expect(
      (await acting.ask(act, path, { ...sent, headers: { "content-type": "text/plain" } })).status,
    ).toBe(415);
  });

  test("reads the person and their access, limited to the token, without sessions", async ({
    app,
  }) => {
    const { token } = await createToken(app.admin, { companies: ["harbour"] });
    const answer = await createProgram(app.runtime, token).send(meRoute.GET, "/api/me");
    expect(await answer.json()).toMatchObject({
      person: { email: "ada@example.com" },
      grants: [{ company: "harbour", role: "member" }],
      sessions: [],
    });
  });

  test("can't create, list or revoke tokens", async ({ app }) => {
    const { token, id } = await createToken(app.admin, { scope: "act" });
    const program = createProgram(app.runtime, token);
    const body = { name: "x", scope: "read", companies: "all", days: 1 };
    const answers = await Promise.all([
      program.send(tokensRoute.GET, "/api/me/tokens"),
      program.send(tokensRoute.POST, "/api/me/tokens", { method: "POST", body }),
      program.send(ownTokenRoute.DELETE, `/api/me/tokens/${id}`, {
        method: "DELETE",
        body: {},
        params: { id },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test("is checked in front of Next and for missing addresses as by the handler", async ({
    app,
  }) => {
    const { token } = await createToken(app.member);
    const program = createProgram(app.runtime, token);
    const { path, params } = things();
    expect(await refuseUnauthorized(app.runtime, program.request(path), params)).toBe(null);
    const wrong = createProgram(app.runtime, newApiToken());
    const refusal = await refuseUnauthorized(app.runtime, wrong.request(path), params);
    expect(refusal && toWebResponse(refusal).status).toBe(401);
    const missing = { params, methods: [], isNearRoutes: true };
    const answer = await respondToUnrouted(app.runtime, program.request(path), missing);
    expect(toWebResponse(answer).status).toBe(404);
  });
});

describe("access with a token ends within five seconds on every instance", () => {
  const statusOn = async (app: TokensApp, runtime: TestApp["runtime"], token: string) => {
    const { path, params } = things();
    const { view: handler } = handlersOf(runtime);
    const answer = await createProgram(runtime, token).ask(handler, path, { params });
    return answer.status;
  };

  test.for([
    ["when it is revoked", 401],
    ["when it expires", 401],
    ["when its person is disabled", 401],
    ["when its person loses the company", 404],
    ["while tokens are paused after a restore", 403],
  ] as const)("%s", async ([what, status], { app }) => {
    const other = app.anotherInstance();
    await app.addPerson(`${status}-${what.length}@example.com`, "viewer", ["northgate"]);
    const browser = createBrowser(app.runtime);
    await browser.signIn(`${status}-${what.length}@example.com`);
    const { id, token } = await createToken(browser, { days: 1 });
    for (const runtime of [app.runtime, other])
      expect(await statusOn(app, runtime, token)).toBe(200);
    if (what === "when it is revoked") {
      const revoked = await browser.send(ownTokenRoute.DELETE, `/api/me/tokens/${id}`, {
        method: "DELETE",
        body: {},
        params: { id },
      });
      expect(revoked.status).toBe(204);
      expect(await statusOn(app, app.runtime, token)).toBe(401);
    } else if (what === "when it expires") await app.clock.advance(DAY_MS);
    else if (what === "when its person is disabled")
      await app.asOwner(`update people set disabled_at = now() where email like '${status}-%'`);
    else if (what === "when its person loses the company")
      await app.asOwner(
        `delete from grants using people where id = person_id and email like '${status}-%'`,
      );
    else await pauseByRestore(app.database, "tokens", app.clock.nowMs());
    await afterRecheck(app);
    for (const runtime of [app.runtime, other])
      expect(await statusOn(app, runtime, token)).toBe(status);
    if (status === 403) {
      const { path, params } = things();
      const { view: handler } = handlersOf(other);
      const answer = await createProgram(other, token).ask(handler, path, { params });
      expect(await answer.json()).toMatchObject({ error: "token_resting" });
      await endPause(app.database, "tokens", {
        person: { id: crypto.randomUUID(), name: "Ada", email: "ada@example.com" },
        requestId: "1",
        nowMs: app.clock.nowMs(),
        companies: [],
      });
      await afterRecheck(app);
      expect(await statusOn(app, other, token)).toBe(200);
    }
  });
});

test("rests when its person from the provider hasn't signed in for 30 days, until they do", async ({
  app,
}) => {
  const id = await app.addPerson("olav@example.com", "viewer", ["northgate"]);
  const browser = createBrowser(app.runtime);
  await browser.signIn("olav@example.com");
  const { token } = await createToken(browser, { days: 365 });
  await app.asOwner(
    `update people set issuer = 'https://id.example', subject = 'olav' where id = '${id}'`,
  );
  await app.clock.advance(30 * DAY_MS - MINUTE_MS);
  expect((await view(app, token)).status).toBe(200);
  await app.clock.advance(MINUTE_MS);
  await afterRecheck(app);
  const answer = await view(app, token);
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ error: "token_resting" });
  await app.runtime.auth.sessions.start(id, "192.0.2.1");
  await afterRecheck(app);
  expect((await view(app, token)).status).toBe(200);
});

test("keeps a token for reading while the database is away, and refuses to act", async ({
  app,
}) => {
  const { token } = await createToken(app.member, { scope: "act" });
  expect((await view(app, token)).status).toBe(200);
  await afterRecheck(app);
  await app.whileAway("api_tokens", async () => {
    const { path, params } = things();
    const program = createProgram(app.runtime, token);
    const acted = await program.ask(handlersOf(app.runtime).act, path, {
      params,
      method: "PUT",
      body: {},
    });
    expect(acted.status).toBe(503);
    expect((await view(app, token)).status).toBe(200);
  });
  await afterRecheck(app);
});

describe("limits", () => {
  test("count the requests of a token over all instances, and recover after the minute", async ({
    app,
  }) => {
    const { token } = await createToken(app.member);
    const { path, params } = things();
    const programs = [app.runtime, app.anotherInstance()].map((runtime) => ({
      program: createProgram(runtime, token),
      ...handlersOf(runtime),
    }));
    const statuses: number[] = [];
    for (let at = 0; at <= TOKEN_PER_MINUTE; at += 1) {
      const { program, view: handler } = programs[at % 2]!;
      statuses.push((await program.ask(handler, path, { params })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(TOKEN_PER_MINUTE);
    for (const { program, view: handler } of programs) {
      const refused = await program.ask(handler, path, { params });
      expect(refused.status).toBe(429);
      expect(refused.headers.get("ratelimit-remaining")).toBe("0");
      const seconds = Number(refused.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(refused.headers.get("ratelimit-reset")).toBe(String(seconds));
    }
    // Another token of the person has its own.
    expect((await view(app, (await createToken(app.member)).token)).status).toBe(200);
    await app.clock.advance(MINUTE_MS);
    expect((await view(app, token)).status).toBe(200);
  });

  test("let six requests of a token be in work over all instances; others wait their turn", async ({
    app,
  }) => {
    const { token } = await createToken(app.member);
    const { path, params } = things();
    const releases: (() => void)[] = [];
    const slowOn = (runtime: TestApp["runtime"]) =>
      createHandler(
        () => runtime,
        { right: "view", tokens: "read" },
        () =>
          new Promise<object>((resolve) => {
            releases.push(() => resolve({}));
          }),
      );
    const other = app.anotherInstance();
    const ask = (runtime: TestApp["runtime"]) =>
      createProgram(runtime, token).ask(slowOn(runtime), path, { params });
    const asked = [app.runtime, app.runtime, app.runtime, other, other, other].map(ask);
    await expect.poll(() => releases.length).toBe(6);
    const waiting = ask(other);
    releases.shift()?.();
    await Promise.race(asked);
    await expect
      .poll(async () => {
        await app.clock.advance(100);
        return releases.length;
      })
      .toBe(6);
    for (const release of releases) release();
    expect((await waiting).status).toBe(200);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 200,
    ]);
  });

  test("refuse a client that sends many unknown tokens before any query, but no valid token", async ({
    app,
  }) => {
    const { token } = await createToken(app.member);
    const from = { address: "198.51.100.77" };
    expect((await view(app, token, "northgate", from)).status).toBe(200);
    for (let at = 0; at < UNKNOWN_TOKENS.limit; at += 1)
      expect((await view(app, newApiToken(), "northgate", from)).status).toBe(401);
    expect((await view(app, newApiToken(), "northgate", from)).status).toBe(429);
    expect((await view(app, newApiToken())).status).toBe(401);
    expect((await view(app, token, "northgate", from)).status).toBe(200);
  });
});

test("limits unknown tokens that a client sends at once, and counts no valid one", async ({
  app,
}) => {
  const from = { address: "198.51.100.78" };
  for (let at = 0; at < 3; at += 1) {
    const { token } = await createToken(app.member);
    expect((await view(app, token, "northgate", from)).status).toBe(200);
  }
  const answers = await Promise.all(
    Array.from({ length: UNKNOWN_TOKENS.limit + 20 }, () =>
      view(app, newApiToken(), "northgate", from),
    ),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(UNKNOWN_TOKENS.limit);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
});

describe("the record of uses", () => {
  const auditOf = async (app: TokensApp) => {
    const { rows } = await app.database.pool.query<{ event: string; detail: object }>(
      "select event, person_email, detail from audit_log where kind = 'token' order by seq",
    );
    return rows;
  };

  test("counts uses and names the last network; the first use of each network is logged once", async ({
    app,
  }) => {
    const { token, id } = await createToken(app.member, { name: "Nightly" });
    const before = (await auditOf(app)).length;
    app.jumpOurs(DAY_MS);
    onTestFinished(() => app.jumpOurs(-DAY_MS));
    for (const address of ["192.0.2.7", "192.0.2.8", "198.51.100.1", "192.0.2.9"])
      await view(app, token, "northgate", { address });
    await app.runtime.auth.tokens.flush();
    const [row] = await app.database.orm.select().from(apiTokens);
    expect(row).toMatchObject({ uses: 4, lastNetwork: "192.0.2.0/24" });
    expect(Math.abs((row?.lastUsedAt?.getTime() ?? 0) - app.databaseNowMs())).toBeLessThan(1_000);
    const other = app.anotherInstance();
    const { path, params } = things();
    await createProgram(other, token).ask(handlersOf(other).view, path, { params });
    await other.auth.tokens.flush();
    expect((await auditOf(app)).slice(before)).toEqual([
      {
        event: "use.asked",
        person_email: "ana@example.com",
        detail: { network: "192.0.2.0/24", subject: "Nightly", token_id: id },
      },
      {
        event: "use.asked",
        person_email: "ana@example.com",
        detail: { network: "198.51.100.0/24", subject: "Nightly", token_id: id },
      },
    ]);
  });
});

test("contains the token in no log, table or error, valid or not", async ({ app }) => {
  const { token, id }: MadeToken = await createToken(app.member);
  const malformed = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
  const unknown = newApiToken();
  const answers = await Promise.all(
    [token, malformed, unknown].map(async (one) => (await view(app, one)).text()),
  );
  await app.member.send(ownTokenRoute.DELETE, `/api/me/tokens/${id}`, {
    method: "DELETE",
    body: {},
    params: { id },
  });
  answers.push(await (await view(app, token)).text());
  const { rows: tables } = await app.database.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  );
  const stored = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await app.database.pool.query(`select * from ${name}`);
      return JSON.stringify(rows);
    }),
  );
  expect(stored.join("")).toContain(id);
  const everything = [app.logText(), ...answers, ...stored].join("\n");
  expect(app.logText()).toContain("api_token_refused");
  for (const one of [token, malformed, unknown]) {
    expect(everything).not.toContain(one);
    // Its random part, in any form.
    expect(everything).not.toContain(one.slice(4, 20));
  }
  expect((await app.database.orm.select().from(people)).length).toBeGreaterThan(0);
});
