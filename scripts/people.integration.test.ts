import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { secretHash } from "@/lib/server/auth/secret";
import { createPerson } from "@/lib/server/store/people/people";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

const root = fileURLToPath(new URL("..", import.meta.url));

const test = databaseTest();
let dataDir: string;
test.beforeAll(async ({ db }) => {
  dataDir = mkdtempSync(path.join(tmpdir(), "plumbline-people-"));
  const { orm } = db.database;
  const account = { passwordHash: "x", name: "Ana Rask" };
  const administrator = [{ role: "administrator", company: null }] as const;
  await createPerson(orm, { ...account, email: "ana@example.com", grants: administrator });
  const grants = [{ role: "viewer", company: "northgate" }] as const;
  const eve = { email: "eve@example.com", name: "Eve\nana@example.com: Ana\u001B[2K" };
  await createPerson(orm, { ...eve, grants: [], passwordHash: "x" });
  const first = { ...account, email: "first@example.com", name: "First" };
  await createPerson(orm, { ...first, grants: [] });
  await createPerson(orm, { name: "Bo", email: "bo@example.com", grants, passwordHash: null });
  await db.database.pool.query(
    `insert into people (email, name, issuer, subject, claims)
     values ('bo@example.com', 'Bo', 'https://id.example', '1', '{}'),
            ('cy@example.com', 'Cy', 'https://id.example', '2', '{}')`,
  );
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
});

/** Rules that make Dee, who signs in at a provider, an administrator. */
function withRules(): Record<string, string> {
  const file = path.join(dataDir, "access.json");
  const rule = { claim: "groups", equals: "it-ops", role: "administrator", companies: "all" };
  writeFileSync(file, JSON.stringify({ rules: [rule] }));
  return {
    OIDC_ISSUER: "https://id.example",
    OIDC_CLIENT_ID: "plumbline",
    OIDC_CLIENT_SECRET: "secret",
    ACCESS_FILE: file,
  };
}

type Said = { code: number; out: string; err: string };

const people = (db: TestDatabase, ...args: readonly string[]) => peopleWith(db, {}, ...args);

function peopleWith(
  db: TestDatabase,
  more: Record<string, string>,
  ...args: readonly string[]
): Promise<Said> {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    DATA_DIR: dataDir,
    DATABASE_URL: db.database.connectionString,
    AUTH_SECRET: "a secret of the tests only",
    APP_URL: "https://plumbline.example",
    ADMIN_EMAIL: "first@example.com",
    ...more,
  };
  return new Promise((resolve) => {
    const program = testProgram("scripts/people.ts");
    execFile(process.execPath, [program, ...args], { cwd: root, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

test("lets a person sign in without a lost second factor, and ends their sessions", async ({
  db,
}) => {
  const { pool } = db.database;
  const whose = "select id from people where email = 'first@example.com'";
  await pool.query(
    `insert into second_factors (person_id, sealed, on_since) select id, 'x', now() from (${whose}) p`,
  );
  await pool.query(`insert into recovery_codes (id, person_id) select 'x', id from (${whose}) p`);
  await pool.query(
    `insert into sessions (id, person_id, created_at, expires_at, last_seen_at, address)
     select 'y', id, now(), now() + interval '1 hour', now(), '192.0.2.1' from (${whose}) p`,
  );
  expect(await people(db, "reset-second-factor", "First@example.com")).toMatchObject({
    code: 0,
    out: "First@example.com: two-step sign-in is off, and their sessions have ended.\n",
  });
  const left = await pool.query(
    "select person_id from second_factors union all select person_id from recovery_codes",
  );
  expect(left.rows).toEqual([]);
  const ended = await pool.query(
    "select revoked_at is not null as ended from sessions where id = 'y'",
  );
  expect(ended.rows).toEqual([{ ended: true }]);
  const again = await people(db, "reset-second-factor", "first@example.com");
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("Two-step sign-in is off")]);
  const { rows } = await pool.query<{ event: string }>(
    "select event, detail->>'because' as because from audit_log where company = '@house' order by seq",
  );
  expect(rows).toEqual([
    { event: "reset-second-factor.asked", because: "from the command line" },
    { event: "end-sessions.asked", because: "1 session" },
  ]);
});

// Twelve processes, one after the other.
test(
  "lists people, creates links and disables accounts for operators of the machine",
  { timeout: 120_000 },
  async ({ db }) => {
    const { out } = await people(db, "list");
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    // A name can't start a new line or change other text.
    expect(lines).toContain(
      String.raw`eve@example.com: Eve\u{A}ana@example.com: Ana\u{1B}[2K, local, no access`,
    );
    expect(lines[0]).toBe("ana@example.com: Ana Rask, local, administrator");
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^bo@example\.com: Bo, local, viewer at northgate, invited, [\da-f-]{36}$/,
      ),
    );

    const made = await people(db, "reset-password", "Ana@example.com");
    const [, secret = ""] =
      /^https:\/\/plumbline\.example\/signin\/password\/([\w-]{43})\nIt works once, until /.exec(
        made.out,
      ) ?? [];
    const links = await db.database.pool.query("select id, purpose from password_links");
    expect(links.rows).toEqual([{ id: secretHash(secret), purpose: "reset" }]);

    expect(await people(db, "disable", "cy@example.com")).toMatchObject({
      code: 0,
      out: "cy@example.com: disabled\n",
    });
    expect((await people(db, "disable", "cy@example.com")).out).toContain("already");
    expect((await people(db, "enable", "cy@example.com")).out).toBe("cy@example.com: enabled\n");
    expect((await people(db, "enable", "cy@example.com")).out).toContain("already");
    expect((await people(db, "promote", "eve@example.com")).out).toBe(
      "eve@example.com: administrator\n",
    );
    expect((await people(db, "promote", "eve@example.com")).out).toContain("already");
    expect((await people(db, "list")).out).toMatch(/^eve@example\.com: .*, local, administrator$/m);
    const logged = await db.database.pool.query<{ event: string; because: string }>(
      "select event, detail->>'because' as because from audit_log where company = '@house' order by seq",
    );
    expect(logged.rows.slice(2)).toEqual([
      { event: "password-link.asked", because: "from the command line" },
      { event: "disable.asked", because: "from the command line" },
      { event: "enable.asked", because: "from the command line" },
      // Logs the grant before and after.
      { event: "grant.asked", because: "no access → administrator" },
    ]);
    await db.database.pool.query(
      "delete from grants where person_id = (select id from people where email = 'eve@example.com')",
    );
  },
);

test.for([
  [["disable", "ana@example.com"], "This is the last administrator."],
  [["reset-password", "cy@example.com"], "identity provider"],
  [["reset-password", "unknown@example.com"], "There's no person called unknown@example.com."],
  [["disable", "bo@example.com"], "Several people share bo@example.com."],
  [["disable"], "Usage: npm run people"],
  [["disable", "first@example.com"], "first administrator (ADMIN_EMAIL)"],
  [["enable"], "Usage: npm run people"],
  [["promote", "unknown@example.com"], "There's no person called unknown@example.com."],
] as const)("explains why %j fails", async ([args, why], { db }) => {
  const { code, err } = await people(db, ...args);
  expect(code).toBe(1);
  expect(err).toContain(why);
  expect(err).not.toContain("    at ");
});

test(
  "counts an administrator by rule as the last one while the rule exists",
  { timeout: 60_000 },
  async ({ db }) => {
    const { pool } = db.database;
    await pool.query(
      `insert into people (email, name, issuer, subject, claims)
       values ('dee@example.com', 'Dee', 'https://id.example', '3', '{"groups": ["it-ops"]}')`,
    );
    const rules = withRules();
    expect((await peopleWith(db, rules, "list")).out).toContain(
      "dee@example.com: Dee, identity provider, by rules administrator\n",
    );
    // Without the rules there is no other administrator.
    expect((await people(db, "disable", "ana@example.com")).err).toContain(
      "the last administrator",
    );
    // An account of the provider may not exist there any more, so it doesn't count.
    expect((await peopleWith(db, rules, "disable", "ana@example.com")).err).toContain(
      "the last administrator",
    );
    await pool.query(
      `insert into sessions (id, person_id, created_at, expires_at, last_seen_at, address)
       select 'x', id, now(), now(), now(), '192.0.2.1' from people where email = 'dee@example.com'`,
    );
    expect(await peopleWith(db, rules, "disable", "ana@example.com")).toMatchObject({ code: 0 });
    expect((await peopleWith(db, rules, "disable", "dee@example.com")).err).toContain(
      "the last administrator",
    );
  },
);

test("lists people without an address by their ID, which commands accept", async ({ db }) => {
  const { rows } = await db.database.pool.query<{ id: string }>(
    `insert into people (email, name, issuer, subject, claims)
     values ('', 'Fay', 'https://id.example', '4', '{}') returning id`,
  );
  const id = rows[0]?.id ?? "";
  expect((await people(db, "list")).out).toContain(`${id}: Fay, identity provider, no access\n`);
  expect((await people(db, "promote", id)).out).toBe(`${id}: administrator\n`);
});
