import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SELF_SIGNED } from "@/lib/server/upstream/check/certificate-fixture";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { insertConnection, removeConnection } from "@/lib/server/store/connections/connections";
import { LOCKS } from "@/lib/server/store/locks";
import { createPerson } from "@/lib/server/store/people/people";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";

const AUTH_SECRET = "a secret of the tests, 32 bytes or more";
const root = fileURLToPath(new URL("..", import.meta.url));

const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "plumbline-connections-"));
  api = await startMisbehavingUpstream();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await api.close();
});

/** Runs a command as npm does. */
function run(
  db: TestDatabase,
  program: "scripts/companies.ts" | "scripts/connections.ts",
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    DATA_DIR: folder,
    DATABASE_URL: db.database.connectionString,
    AUTH_SECRET,
    ALLOWED_TARGETS: "127.0.0.0/8",
    V3_SERVICE: "off",
    ...more,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [testProgram(program), ...args],
      { cwd: root, env },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

/** Connects a company as in a browser. */
async function connect(db: TestDatabase, company: string, secret = api.clientSecret) {
  const ada = { email: `ada-${company}@example.com`, name: "Ada" };
  const id = await createPerson(db.database.orm, {
    ...ada,
    grants: [
      { role: "administrator", company: null },
      { role: "viewer", company },
    ],
    passwordHash: null,
  });
  const client = { baseUrl: api.baseUrl, clientId: api.clientId };
  const change = { person: { id, ...ada }, nowMs: Date.now() };
  const sealed = createConnectionSeals([AUTH_SECRET])(client).close(secret);
  const values = { company, name: "Halden", timeZone: null, externalId: null };
  await insertConnection(db.database, { ...client, ...values, sealed }, change);
  return change;
}

describe("npm run connections -- check", () => {
  const check = (db: TestDatabase, which: string, more: Record<string, string> = {}) =>
    run(db, "scripts/connections.ts", ["check", which], more);

  test("checks every connection of a file, with secrets of the environment", async ({ db }) => {
    const file = path.join(folder, "connections.json");
    const entry = (slug: string, client_secret: string) => ({
      slug,
      name: slug,
      base_url: api.baseUrl,
      client_id: api.clientId,
      client_secret,
    });
    writeFileSync(file, JSON.stringify([entry("good", "env:THE_SECRET"), entry("bad", "wrong")]));
    const { code, out } = await check(db, file, { THE_SECRET: api.clientSecret });
    expect(code).toBe(1);
    expect(out).toMatch(/^good: good$/m);
    expect(out).toMatch(/^  ok {6}rows {8}12 feeds of 4 partners\. \(\d+ ms\)$/m);
    expect(out).toMatch(
      /^  failed  token {7}The client ID or secret was rejected\. .* \(\d+ ms\)$/m,
    );
    expect(out).toMatch(/^  - {7}scopes/m);
    expect(out).not.toMatch(new RegExp(`${api.clientSecret}|’`));
    writeFileSync(file, "[{}]");
    expect(await check(db, file)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${file}[0].slug: must be`),
    });
  });

  test("trusts an authority of NODE_EXTRA_CA_CERTS, and says until when a certificate is valid", async ({
    db,
  }) => {
    const server = createServer(SELF_SIGNED, (_, response) => response.writeHead(401).end("{}"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      const authority = path.join(folder, "authority.pem");
      const file = path.join(folder, "connections.json");
      const base_url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
      const entry = { slug: "tls", name: "TLS", base_url, client_id: "c", client_secret: "s" };
      writeFileSync(authority, SELF_SIGNED.cert);
      writeFileSync(file, JSON.stringify([entry]));
      const { out } = await check(db, file, { NODE_EXTRA_CA_CERTS: authority });
      expect(out).toMatch(
        /ok {6}address .* HTTPS certificate valid until 1 Jan 2120\. No redirect\./,
      );
      expect((await check(db, file)).out).toMatch(/failed  address .*NODE_EXTRA_CA_CERTS/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("checks a connection that was made in a browser", async ({ db }) => {
    await connect(db, "halden");
    expect(await check(db, "halden")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^halden: Halden\n  ok {6}address/),
      err: "",
    });
    const requests = api.requests.length;
    const { code, out } = await check(db, "halden", { ALLOWED_TARGETS: "" });
    expect([code, out]).toEqual([1, expect.stringMatching(/failed  address .*ALLOWED_TARGETS/)]);
    expect(api.requests).toHaveLength(requests);
    expect(await check(db, "halden", { AUTH_SECRET: "another secret of the tests" })).toMatchObject(
      {
        code: 1,
        err: expect.stringContaining("can't be decrypted"),
      },
    );
    expect((await check(db, "nowhere")).err).toContain("no connected company named nowhere");
    const demo = await check(db, "northgate", { V3_SERVICE: "demo" });
    expect(demo.err).toContain("northgate is a demo company");
  });
});

describe("npm run companies", () => {
  test("rename moves record, connection, grants and links to another slug", async ({ db }) => {
    const { pool } = db.database;
    const change = await connect(db, "partners");
    const { id } = change.person;
    await pool.query(
      `insert into companies (slug, name) values ('partners', 'Halden');
       insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
         values ('partners', 'e', 'rfis', 'Procore', '{}', 'fresh', now());
       insert into incident_care (company, owner_id) values ('partners', '${id}');
       insert into incident_events (company, incident_id, seq, at, kind, detail)
         values ('partners', 1, 1, now(), 'opened', '{}');
       insert into share_links (company, token_hash, preview_id, partner_name, shows, stored, has_details_in_preview,
           made_by, created_at, expires_at)
         values ('partners', 'h', 'p', 'Procore', 'both', '{}', false, '${id}', now(), now());
       insert into rules (name, rule, channel_ids, since, created_at) values
         ('one', '{"companies": ["other", "partners"]}', '{}', now(), now()),
         ('all', '{"companies": "all"}', '{}', now(), now());
       insert into displays (settings, created_at, created_by_id, created_by_name, rotated_at, is_secret_used)
         values ('{"companies": ["partners", "other"]}', now(), '${id}', 'Ada', now(), false);
       insert into api_tokens (token_hash, hint, name, scope, companies, made_by, created_at, expires_at)
         values ('t', 'abcd', 'BI', 'read', '{partners,other}', '${id}', now(), now());
       insert into deliveries (id, place, key, to_kind, to_name, company, about, thread, type, due_at, created_at,
           message, state, next_at)
         values ('m', 'inbox:1', 'k', 'inbox', 'Ada', 'partners', '{partners}', 't', 'brief', now(), now(),
           '{"company": {"slug": "partners", "name": "Halden"}, "url": "https://plumbline.example/partners/incidents/1"}',
           'sent', now())`,
    );
    const rename = (from: string, to: string, more: Record<string, string> = {}) =>
      run(db, "scripts/companies.ts", ["rename", from, to], more);
    expect((await rename("partners", "settings")).err).toMatch(/settings can't be a slug/);
    expect((await rename("nowhere", "halden")).err).toBe("There's no record of nowhere.\n");
    expect(await rename("partners", "halden")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^partners: now halden, \d+ rows moved\./),
      err: "",
    });
    const { rows: tables } = await pool.query<{ name: string }>(
      "select table_name::text as name from information_schema.columns where table_schema = 'public' and column_name = 'company'",
    );
    for (const { name } of tables) {
      const { rows } = await pool.query(`select 1 from ${name} where company = 'partners'`);
      expect([name, rows]).toEqual([name, []]);
    }
    const { rows } = await pool.query(
      `select (select array_agg(rule -> 'companies' order by name) from rules) as rules,
         (select settings -> 'companies' from displays) as displays,
         (select companies from api_tokens) as tokens, (select about from deliveries) as about,
         (select message from deliveries) as message, (select slug from companies) as slug,
         (select count(*)::int from incident_events where company = 'halden') as events,
         (select company from connections) as connection,
         (select company from grants where company is not null) as granted`,
    );
    expect(rows).toEqual([
      {
        rules: ["all", ["other", "halden"]],
        displays: ["halden", "other"],
        tokens: ["halden", "other"],
        about: ["halden"],
        message: {
          company: { slug: "halden", name: "Halden" },
          url: "https://plumbline.example/halden/incidents/1",
        },
        slug: "halden",
        events: 1,
        connection: "halden",
        granted: "halden",
      },
    ]);
    await connect(db, "tarn");
    expect((await rename("halden", "tarn")).err).toMatch(/^tarn is taken/);
  });

  test("rename refuses while an app is running, and a company of the configuration", async ({
    db,
  }) => {
    await connect(db, "halden");
    const leader = await db.database.pool.connect();
    try {
      await leader.query("select pg_advisory_lock($1)", [LOCKS.collector]);
      expect(await run(db, "scripts/companies.ts", ["rename", "halden", "tarn"])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^An app is running on this database/),
      });
    } finally {
      leader.release(true);
    }
    const configured = {
      V3_SERVICE: "",
      V3_BASE_URL: api.baseUrl,
      V3_CLIENT_ID: "c",
      V3_CLIENT_SECRET: "s",
      V3_COMPANY_SLUG: "halden",
    };
    const refused = await run(db, "scripts/companies.ts", ["rename", "halden", "tarn"], configured);
    expect(refused.err).toMatch(/^halden is still in the connections of the configuration/);
  });

  test("forget refuses a company that is connected in a browser, until it is removed there", async ({
    db,
  }) => {
    const change = await connect(db, "halden");
    const forget = () => run(db, "scripts/companies.ts", ["forget", "halden", "--yes"]);
    expect((await forget()).err).toMatch(/^halden is still in the connections/);
    await removeConnection(db.database, "halden", change);
    expect(await forget()).toMatchObject({ code: 0 });
    const { rows } = await db.database.pool.query("select 1 from connections");
    expect(rows).toEqual([]);
    expect((await forget()).err).toBe("There's no record of halden.\n");
  });
});
