import { randomUUID } from "node:crypto";
import pino from "pino";
import { describe, expect, inject } from "vitest";
import { migrate, openDatabase } from "./connect";
import { readAuditWeakness } from "./roles";
import { databaseTest, runOnServer, type TestDatabase } from "./test-database";

const log = pino({ level: "silent" });

const test = databaseTest();
let owner: string;
test.beforeAll(async ({ db }) => {
  // Privileges on the database itself aren't copied from the template.
  await migrate({ connectionString: db.ownerUrl }, { log, appRole: appRole() });
  await db.asOwner(
    `insert into audit_log (company, seq, at, kind, action_id, event, detail, key_id, hash)
     values ('northgate', 1, now(), 'display', 'a', 'pair.asked', '{}', 'k', repeat('a', 64))`,
  );
  const { rows } = await db.database.pool.query<{ owner: string }>(
    "select tableowner as owner from pg_tables where tablename = 'audit_log'",
  );
  owner = rows[0]?.owner ?? "";
});

const appRole = () => ({ name: inject("testAppRole").name, isEmbedded: false as const });

async function refusal(db: TestDatabase, statement: string): Promise<string> {
  const client = await db.database.pool.connect();
  try {
    await client.query(statement);
    return "";
  } catch (error) {
    return (error as Error).message;
  } finally {
    client.release(true);
  }
}

describe("app role", () => {
  test.for([
    "update audit_log set request_id = null",
    "delete from audit_log",
    "truncate audit_log",
    "truncate audit_log, audit_heads, audit_actions cascade",
    "drop table audit_log",
    "drop table audit_log cascade",
    "drop schema public cascade",
    "alter table audit_log disable trigger all",
    "alter table audit_log disable trigger audit_log_only_grows",
    "alter table audit_log rename to audit_log_away",
    "alter table audit_log add column extra text",
    "alter table audit_log owner to current_user",
    "alter table audit_log disable row level security",
    "drop trigger audit_log_only_grows on audit_log",
    "drop function audit_log_only_grows() cascade",
    "create or replace function audit_log_only_grows() returns trigger language plpgsql as $$ begin return null; end $$",
    "create trigger swallow before insert on audit_log for each row execute function suppress_redundant_updates_trigger()",
    "create rule swallow as on insert to audit_log do instead nothing",
    "create temporary table audit_log (company text)",
    "create table public.other (n int)",
    "create schema other",
    "create extension dblink",
    "create role other superuser",
    "alter role current_user superuser",
    "set session_replication_role = replica",
    "begin; lock table audit_log in access exclusive mode",
    "copy audit_log from program 'true'",
    "delete from audit_heads",
    "update audit_heads set company = 'other'",
    "delete from audit_actions",
    "update audit_actions set search_text = ''",
    "update incident_events set text = null",
    "select pg_read_file('PG_VERSION')",
  ])("is denied: %s", async (statement, { db }) => {
    expect(await refusal(db, statement)).toMatch(
      /permission denied|must be owner|must be superuser|Only roles with/i,
    );
  });

  test("can't become the owner", async ({ db }) => {
    expect(await refusal(db, `set role "${owner}"`)).toContain("permission denied");
    expect(await refusal(db, `set session authorization "${owner}"`)).toContain(
      "permission denied",
    );
    expect(await refusal(db, `grant "${owner}" to current_user`)).toMatch(
      /permission denied|must be superuser/,
    );
  });

  test("gains nothing by granting itself privileges", async ({ db }) => {
    await refusal(db, "grant all on audit_log to current_user");
    expect(await refusal(db, "delete from audit_log")).toContain("permission denied");
  });

  test("owns nothing and can't bypass the audit log", async ({ db }) => {
    const { rows } = await db.database.pool.query(
      "select relname from pg_class where pg_has_role(relowner, 'member')",
    );
    expect(rows).toEqual([]);
    expect(await readAuditWeakness(db.database)).toBeNull();
  });

  test("can read and write all other tables and use their sequences", async ({ db }) => {
    const { rows } = await db.database.pool.query(
      `select c.oid::regclass::text as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'v3') and c.relkind in ('r', 'p')
         and c.relname not in ('audit_log', 'audit_heads', 'audit_actions', 'incident_events')
         and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
           and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))`,
    );
    expect(rows).toEqual([]);
  });

  test("can run maintenance after scans and seeds where PostgreSQL allows it to non-owners", async ({
    db,
  }) => {
    const { rows } = await db.database.pool.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if ((rows[0]?.version ?? 0) < 170_000) return;
    const { rows: denied } = await db.database.pool.query(
      `select name from unnest(array['schedule_files', 'v3.sync_configs', 'v3.api_calls']) name
       where not has_table_privilege(name, 'maintain')`,
    );
    expect(denied).toEqual([]);
  });

  test("loses excess privileges on the audit log at the next migration", async ({ db }) => {
    const { name } = appRole();
    await db.asOwner(`grant all on audit_log, audit_heads to "${name}"`);
    expect(await readAuditWeakness(db.database)).toBe("it may change rows");
    await migrate({ connectionString: db.ownerUrl }, { log, appRole: appRole() });
    expect(await readAuditWeakness(db.database)).toBeNull();
    expect(await refusal(db, "update audit_heads set company = 'other'")).toContain(
      "permission denied",
    );
  });

  test("starts without an owner when nothing is pending, and otherwise explains what to do", async ({
    db,
  }) => {
    await expect(migrate(db.database, { log })).resolves.toBeUndefined();
    await db.asOwner("delete from drizzle.migrations");
    try {
      await expect(migrate(db.database, { log })).rejects.toThrow(
        "this role may not upgrade the database; set DATABASE_MIGRATION_URL",
      );
    } finally {
      await db.asOwner(
        "insert into drizzle.migrations (hash, created_at) values ('', 9999999999999)",
      );
    }
  });
});

test("explains what a role without access needs", async ({ db }) => {
  const name = `stranger_${randomUUID().slice(0, 8)}`;
  await db.asOwner(`create role ${name} login password '${name}'`);
  const url = new URL(db.ownerUrl);
  url.username = name;
  url.password = name;
  try {
    await expect(migrate({ connectionString: url.href }, { log })).rejects.toThrow(
      "this role has no access to the tables of Plumbline; start once with DATABASE_MIGRATION_URL set",
    );
  } finally {
    await runOnServer(db.ownerUrl, `drop role ${name}`);
  }
});

describe("readAuditWeakness", () => {
  test.for([
    ["a superuser", "it is a superuser", ["superuser"], []],
    ["one that makes roles", "it may create roles", ["createrole"], []],
    ["a member of the owner", "it owns the table", [], ["grant OWNER to ROLE"]],
    ["one that may delete", "it may change rows", [], ["grant delete on audit_log to ROLE"]],
    ["one that may truncate", "it may delete rows", [], ["grant truncate on audit_heads to ROLE"]],
    [
      "one that makes tables",
      "it may create tables",
      [],
      ["grant create on schema public to ROLE"],
    ],
    [
      "one that switches off triggers",
      "it may switch off triggers",
      [],
      ["grant set on parameter session_replication_role to ROLE"],
    ],
  ] as const)("detects %s", async ([, weakness, attributes, grants], { db }) => {
    const name = `weak_${randomUUID().slice(0, 8)}`;
    await db.asOwner(`create role ${name} login password '${name}' ${attributes.join(" ")}`);
    try {
      for (const grant of grants) {
        await db.asOwner(grant.replace("OWNER", `"${owner}"`).replace("ROLE", name));
      }
      const url = new URL(db.ownerUrl);
      url.username = name;
      url.password = name;
      const database = await openDatabase(url.href, { log, max: 1 });
      expect(await readAuditWeakness(database)).toBe(weakness);
      await database.close();
    } finally {
      await db.asOwner(`drop owned by ${name}`);
      await runOnServer(db.ownerUrl, `drop role ${name}`);
    }
  });
});
