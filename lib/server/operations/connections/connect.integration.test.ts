import { afterEach, describe, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import {
  CheckFailed,
  CheckStep,
  ConnectionsView,
  Imported,
  MAX_IMPORT_ROWS,
} from "@/lib/contracts/connections";
import { restsBecause } from "@/lib/server/upstream/upstream";
import { MAX_CONNECTIONS } from "./connect-company";
import { connectionsTest, type ConnectionsApp } from "./connections-fixture";

const CANARY = "canary-b6f1e0c2-secret";

const test = connectionsTest();
let api: MisbehavingUpstream;
test.beforeEach(async ({ app }) => {
  // Each test has its own budget.
  await app.clock.advance(5 * 60_000);
  api = await startMisbehavingUpstream({ clientSecret: CANARY, nowMs: app.clock.nowMs });
  await app.begin();
});
afterEach(async () => {
  await api.close();
});

const halden = (more: object = {}) => ({
  slug: "halden",
  name: "Halden Construction",
  base_url: api.baseUrl,
  client_id: api.clientId,
  client_secret: CANARY,
  ...more,
});
const connect = (app: ConnectionsApp, more: object = {}) =>
  app.ask("ada", "POST", "/connections", halden(more));
const patch = (app: ConnectionsApp, body: object) =>
  app.ask("ada", "PATCH", "/connections/halden", body);
const list = async (app: ConnectionsApp) =>
  ConnectionsView.parse(await (await app.ask("ada", "GET", "/connections")).json());
const bodyOf = async (answer: Response) => [answer.status, await answer.json()] as const;
const stepsOf = async (answer: Response) =>
  (await answer.text())
    .trimEnd()
    .split("\n")
    .map((line) => CheckStep.parse(JSON.parse(line)));
const secretOf = (app: ConnectionsApp) =>
  app.browser.list().find(({ company }) => company === "halden")?.clientSecret;

describe("a check", () => {
  const check = (app: ConnectionsApp, more: object = {}) => {
    const { base_url, client_id, client_secret } = halden();
    const body = { base_url, client_id, client_secret, ...more };
    return app.ask("ada", "POST", "/connections/check", body);
  };

  test("is a line for each step, and saves nothing", async ({ app }) => {
    const answer = await check(app);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/x-ndjson",
    ]);
    const steps = await stepsOf(answer);
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
      ["address", true],
      ["token", true],
      ["scopes", true],
      ["rows", true],
      ["files", true],
      ["rate_limit", true],
      ["clock", true],
    ]);
    expect(JSON.stringify(steps)).not.toContain(CANARY);
    expect((await list(app)).data.map(({ slug }) => slug)).toEqual(["northgate"]);
  });

  test("is 200 also for an API that fails", async ({ app }) => {
    const answer = await check(app, { client_secret: "wrong" });
    expect(answer.status).toBe(200);
    expect((await stepsOf(answer))[1]).toMatchObject({ step: "token", ok: false });
  });

  test.for([
    [{ base_url: "halden.example" }, "base_url"],
    [{ base_url: "file:///etc/passwd" }, "base_url"],
    [{ client_secret: "env:AUTH_SECRET" }, "client_secret"],
    [{ client_id: "" }, "client_id"],
    [{ more: 1 }, "more"],
  ] as const)("with %j is 400 and names %s", async ([more, name], { app }) => {
    const [status, body] = await bodyOf(await check(app, more));
    expect([status, body]).toMatchObject([
      400,
      { error: "invalid_request", error_description: expect.stringMatching(`^${name} `) },
    ]);
    expect(api.requests).toEqual([]);
  });

  test("of a host that isn't connected leaves nothing behind", async ({ app }) => {
    const { host, origin } = new URL(api.baseUrl);
    const other = await startMisbehavingUpstream({ clientSecret: CANARY, nowMs: app.clock.nowMs });
    try {
      await (await check(app)).text();
      await app.clock.advance(20 * 60_000);
      await (await check(app, { base_url: other.baseUrl })).text();
    } finally {
      await other.close();
    }
    const { rows } = await app.database.pool.query<{ origin: string }>(
      "select origin from upstream_hosts union select origin from upstream_requests",
    );
    expect(rows.map((row) => row.origin)).not.toContain(origin);
    const { text } = await app.metrics.exposition({
      cores: null,
      displays: null,
      backup: null,
      deliveries: null,
      recordingStopped: null,
    });
    expect(text).toContain('host="other"');
    expect(text).not.toContain(host);
  });

  test("is possible six times a minute for each person, together with those of rows", async ({
    app,
  }) => {
    await connect(app, { save_anyway: true });
    expect((await app.ask("ada", "POST", "/connections/halden/check")).status).toBe(200);
    for (let checks = 0; checks < 5; checks += 1) {
      const answer = await check(app, { base_url: "https://10.0.0.1" });
      await answer.text();
      expect(answer.status).toBe(200);
    }
    const refused = await check(app);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const other = await app.ask("ben", "POST", "/connections/check", {
      base_url: "https://10.0.0.1",
      client_id: "c",
      client_secret: "s",
    });
    expect(other.status).toBe(200);
    await other.text();
    await app.clock.advance(60_000);
    const again = await check(app, { base_url: "https://10.0.0.1" });
    expect(again.status).toBe(200);
    await again.text();
  });
});

describe("connecting", () => {
  test("checks first, and then every page can show the company", async ({ app }) => {
    const [status, body] = await bodyOf(
      await connect(app, {
        time_zone: "europe/oslo",
        owner: "BEN@example.com",
        external_id: "C-7",
      }),
    );
    expect([status, body]).toEqual([201, { slug: "halden" }]);
    expect(app.connections.upstreams.has("halden")).toBe(true);
    const [, entry] = (await list(app)).data;
    expect(entry).toMatchObject({
      slug: "halden",
      name: "Halden Construction",
      base_url: api.baseUrl,
      client_id: api.clientId,
      origin: "browser",
      owner: { name: "ben@example.com" },
      time_zone: "Europe/Oslo",
      external_id: "C-7",
      paused_at: null,
      queue: { place: 1, of: 1 },
      reason: "starting",
    });
  });

  test("is 422 with the steps when the check fails, and saved only on request", async ({ app }) => {
    const [status, body] = await bodyOf(await connect(app, { client_secret: "wrong" }));
    expect(status).toBe(422);
    const { error, steps } = CheckFailed.parse(body);
    expect([error, steps.find(({ ok }) => ok === false)?.step]).toEqual(["check_failed", "token"]);
    expect(app.browser.list()).toEqual([]);
    expect((await connect(app, { client_secret: "wrong", save_anyway: true })).status).toBe(201);
    expect(secretOf(app)).toBe("wrong");
  });

  test("an address that may not be dialled is a failed step, not 400", async ({ app }) => {
    const [status, body] = await bodyOf(
      await connect(app, { base_url: "https://10.0.0.1/api/v3" }),
    );
    expect(status).toBe(422);
    expect(CheckFailed.parse(body).steps[0]).toMatchObject({ step: "address", ok: false });
  });

  test.for(["northgate", "halden"])("the slug %s is taken", async (slug, { app }) => {
    await connect(app);
    const answer = await connect(app, { slug, client_id: "another" });
    expect(await bodyOf(answer)).toMatchObject([409, { error: "conflict" }]);
  });

  test.for([
    ["slug", "settings"],
    ["slug", "check"],
    ["name", ""],
    ["base_url", "nowhere"],
    ["client_secret", "env:SECRET"],
    ["time_zone", "Europe/Atlantis"],
    ["owner", "vera@example.com"],
    ["owner", "00000000-0000-4000-8000-000000000000"],
    ["external_id", "x".repeat(101)],
  ] as const)("with the %s %j is 400", async ([name, value], { app }) => {
    const [status, body] = await bodyOf(await connect(app, { [name]: value }));
    expect([status, body]).toMatchObject([
      400,
      { error_description: expect.stringMatching(`^${name} must be `) },
    ]);
  });

  test("needs a recent sign-in, the right, and a changed printed password", async ({ app }) => {
    expect((await app.ask("vera", "POST", "/connections", halden())).status).toBe(403);
    expect((await app.ask("vera", "GET", "/connections")).status).toBe(403);
    await app.asOwner(
      "update people set password_printed_at = now() where email = 'ben@example.com'",
    );
    for (const path of ["/connections", "/connections/check", "/connections/import"]) {
      const body = path.endsWith("import")
        ? { dry_run: true, rows: [halden()] }
        : path.endsWith("check")
          ? { base_url: api.baseUrl, client_id: "c", client_secret: "s" }
          : halden();
      expect([path, (await app.ask("ada", "POST", path, body)).status]).toEqual([path, 409]);
    }
    await app.asOwner("update people set password_printed_at = null");
    await app.clock.advance(61 * 60_000);
    for (const [method, path] of [
      ["POST", "/connections"],
      ["POST", "/connections/check"],
      ["POST", "/connections/import"],
      ["POST", "/connections/halden/check"],
      ["PATCH", "/connections/halden"],
      ["DELETE", "/connections/halden"],
    ] as const) {
      const [status, body] = await bodyOf(await app.ask("ada", method, path, halden()));
      expect([method, path, status, body]).toMatchObject([
        method,
        path,
        403,
        { error: "reauthentication_required" },
      ]);
    }
    expect((await app.ask("ada", "GET", "/connections")).status).toBe(200);
  });
});

test("there can be 2,000 connections, including removed ones", async ({ app }) => {
  await connect(app);
  await app.database.pool.query(
    `insert into connections
     select 'removed-' || n, name, base_url, 'removed', null, null, null, created_by_id, created_at, null, created_at
     from connections, generate_series(2, $1) n`,
    [MAX_CONNECTIONS - 1],
  );
  const imported = (rows: readonly object[]) =>
    app.ask("ada", "POST", "/connections/import", { dry_run: true, rows });
  const [tarn, skarn] = [halden({ slug: "tarn" }), halden({ slug: "skarn" })];
  expect((await imported([tarn, skarn])).status).toBe(409);
  expect((await imported([tarn])).status).toBe(200);
  expect((await connect(app, { slug: "tarn" })).status).toBe(201);
  expect(await bodyOf(await connect(app, { slug: "skarn" }))).toMatchObject([
    409,
    { error_description: expect.stringContaining("2,000 connections") },
  ]);
});

describe("a change", () => {
  test("of name, time zone, owner and external id asks the API nothing", async ({ app }) => {
    await connect(app, { owner: "ada@example.com" });
    const requests = api.requests.length;
    const answer = await patch(app, {
      name: "Halden",
      time_zone: "Europe/Rome",
      owner: null,
      external_id: null,
    });
    expect(await bodyOf(answer)).toEqual([200, { slug: "halden" }]);
    expect((await list(app)).data[1]).toMatchObject({
      name: "Halden",
      time_zone: "Europe/Rome",
      owner: null,
      external_id: null,
    });
    expect(api.requests).toHaveLength(requests);
  });

  test("of the secret is checked first, and the old one stays when that fails", async ({ app }) => {
    await connect(app);
    const [status, body] = await bodyOf(await patch(app, { client_secret: "wrong", name: "New" }));
    expect([status, CheckFailed.parse(body).error]).toEqual([422, "check_failed"]);
    expect(secretOf(app)).toBe(CANARY);
    expect((await list(app)).data[1]?.name).toBe("Halden Construction");
    await api.setFault({ kind: "down" });
    expect((await patch(app, { client_secret: "new" })).status).toBe(422);
    expect(secretOf(app)).toBe(CANARY);
    expect((await patch(app, { client_secret: "new", save_anyway: true })).status).toBe(200);
    expect(secretOf(app)).toBe("new");
  });

  test("never sends a stored secret to another host or for another client", async ({ app }) => {
    await connect(app);
    const other = await startMisbehavingUpstream({ nowMs: app.clock.nowMs });
    try {
      for (const change of [{ base_url: other.baseUrl }, { client_id: "other" }]) {
        expect((await patch(app, change)).status).toBe(400);
        expect((await patch(app, { ...change, save_anyway: true })).status).toBe(400);
      }
      expect(other.requests).toEqual([]);
      const moved = { base_url: other.baseUrl, client_id: other.clientId };
      const secret = { client_secret: other.clientSecret };
      expect((await patch(app, { ...moved, ...secret })).status).toBe(200);
      expect(app.browser.list()).toMatchObject([
        { baseUrl: other.baseUrl, clientSecret: other.clientSecret },
      ]);
    } finally {
      await other.close();
    }
  });

  test("pauses and resumes, and nothing is sent meanwhile", async ({ app }) => {
    await connect(app);
    expect((await patch(app, { paused: true })).status).toBe(200);
    expect((await list(app)).data[1]).toMatchObject({
      reason: "disconnected",
      paused_at: expect.stringMatching(/Z$/),
      queue: null,
    });
    const requests = api.requests.length;
    expect(await bodyOf(await app.ask("ada", "POST", "/connections/halden/check"))).toMatchObject([
      200,
      { reason: "disconnected", reached: "not_sent" },
    ]);
    expect(api.requests).toHaveLength(requests);
    await patch(app, { paused: false });
    expect((await list(app)).data[1]).toMatchObject({ reason: "starting", paused_at: null });
  });

  test("of a connection that is configured on the server is refused", async ({ app }) => {
    for (const method of ["PATCH", "DELETE"] as const) {
      const known = await app.ask("ada", method, "/connections/northgate", { paused: true });
      const unknown = await app.ask("ada", method, "/connections/nowhere", { paused: true });
      expect([known.status, unknown.status]).toEqual([409, 404]);
    }
  });

  test("that removes it keeps the slug, and the same host and client resume it", async ({
    app,
  }) => {
    await connect(app);
    expect((await app.ask("ada", "DELETE", "/connections/halden")).status).toBe(204);
    expect(app.connections.upstreams.has("halden")).toBe(false);
    expect((await app.ask("ada", "DELETE", "/connections/halden")).status).toBe(404);
    expect((await patch(app, { name: "New" })).status).toBe(404);
    expect((await connect(app, { client_id: "another" })).status).toBe(409);
    const { rows } = await app.database.pool.query("select sealed from connections");
    expect(rows).toEqual([{ sealed: null }]);
    expect(await bodyOf(await connect(app, { slug: "halden-again" }))).toEqual([
      201,
      { slug: "halden" },
    ]);
  });

  test("shows a secret that can’t be decrypted, and sends nothing", async ({ app }) => {
    await connect(app);
    await app.database.pool.query("update connections set sealed = 'sealed under another secret'");
    await app.browser.reread();
    expect((await list(app)).data[1]).toMatchObject({ reason: "secret_unreadable", queue: null });
    expect(restsBecause(app.browser.list()[0]!)).toBe("secret_unreadable");
    expect((await patch(app, { client_secret: CANARY })).status).toBe(200);
    expect((await list(app)).data[1]).toMatchObject({ reason: "starting" });
  });
});

test("a connection whose slug is configured on the server as well is set aside, and can be removed", async ({
  app,
}) => {
  await connect(app);
  await app.database.pool.query("update connections set company = 'northgate'");
  await app.browser.reread();
  const { host } = new URL(api.baseUrl);
  const [northgate, ...others] = (await list(app)).data;
  expect(others).toEqual([]);
  expect(northgate).toMatchObject({
    name: "Northgate Builders",
    origin: "environment",
    set_aside: { name: "Halden Construction", host },
  });
  expect((await app.ask("ada", "DELETE", "/connections/northgate")).status).toBe(204);
  expect((await list(app)).data).toMatchObject([{ slug: "northgate", set_aside: null }]);
});

describe("an import", () => {
  const send = (app: ConnectionsApp, rows: readonly unknown[], isDryRun = false) =>
    app.ask("ada", "POST", "/connections/import", { dry_run: isDryRun, rows });
  const linesOf = async (answer: Response) => Imported.parse(await answer.json()).data;

  test("saves good lines and says what is wrong with the others; a dry run only says it", async ({
    app,
  }) => {
    const rows = [
      halden(),
      halden({ slug: "settings" }),
      halden({ slug: "env", client_secret: "env:SECRET" }),
      halden({ slug: "northgate" }),
      halden({ name: "Again" }),
      halden({ slug: "tarn", owner: "ben@example.com" }),
      halden({ slug: "owned", owner: "vera@example.com" }),
      "no row",
    ];
    const results = [
      [1, "halden", "ok"],
      [2, "settings", "invalid"],
      [3, "env", "invalid"],
      [4, "northgate", "taken"],
      [5, "halden", "taken"],
      [6, "tarn", "ok"],
      [7, "owned", "invalid"],
      [8, "", "invalid"],
    ];
    const dry = await linesOf(await send(app, rows, true));
    expect(dry.map(({ line, slug, result }) => [line, slug, result])).toEqual(results);
    expect(app.browser.list()).toEqual([]);
    const real = await linesOf(await send(app, rows));
    expect(real.map(({ line, slug, result }) => [line, slug, result])).toEqual(results);
    expect(app.browser.list().map(({ company }) => company)).toEqual(["halden", "tarn"]);
    expect(api.requests).toEqual([]);
    expect(JSON.stringify([dry, real])).not.toContain(CANARY);
  });

  test("names the lines that the rows have in their file", async ({ app }) => {
    const rows = [halden(), halden({ name: "Again" })];
    const body = { dry_run: true, rows, lines: [2, 5] };
    const lines = await linesOf(await app.ask("ada", "POST", "/connections/import", body));
    expect(lines.map(({ line }) => line)).toEqual([2, 5]);
    expect(lines[1]?.text).toContain("Line 2");
  });

  test("has at most 500 rows", async ({ app }) => {
    const rows = Array.from({ length: MAX_IMPORT_ROWS + 1 }, () => "row");
    expect((await send(app, rows)).status).toBe(400);
    const most = await linesOf(await send(app, rows.slice(1), true));
    expect(most).toHaveLength(MAX_IMPORT_ROWS);
  });

  test("may be 256 KB, and no larger", async ({ app }) => {
    const padded = (bytes: number) => [halden({ name: "x".repeat(bytes) })];
    expect((await send(app, padded(200_000), true)).status).toBe(200);
    expect((await send(app, padded(270_000), true)).status).toBe(413);
  });
});

test("the secret is in no answer, log line, audit row or clear row", async ({ app }) => {
  await app.clearLog();
  const answers: string[] = [];
  const keep = async (answer: Response) => void answers.push(await answer.text());
  const { base_url, client_id } = halden();
  const credentials = { base_url, client_id, client_secret: CANARY };
  await keep(await app.ask("ada", "POST", "/connections/check", credentials));
  await api.setFault({ kind: "invalid_client" });
  await keep(await connect(app));
  await keep(await connect(app, { slug: "Not valid" }));
  await keep(await connect(app, { save_anyway: true }));
  await api.setFault(null);
  await keep(await patch(app, { client_secret: CANARY, name: "Halden" }));
  await keep(await app.ask("ada", "POST", "/connections/halden/check"));
  await keep(await app.ask("ada", "GET", "/connections"));
  await keep(
    await app.ask("ada", "POST", "/connections/import", {
      dry_run: false,
      rows: [halden({ slug: "tarn" }), halden({ slug: "S" })],
    }),
  );
  const { rows } = await app.database.pool.query<{ name: string }>(
    "select table_name::text as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const tables = await Promise.all(
    rows.map(({ name }) => app.database.pool.query<object>(`select t::text from ${name} t`)),
  );
  const stored = JSON.stringify(tables.map((table) => table.rows));
  expect(stored).toContain("Halden");
  expect(stored).not.toContain(CANARY);
  expect(answers.join("\n")).not.toContain(CANARY);
  expect(app.logText()).not.toContain(CANARY);
});
