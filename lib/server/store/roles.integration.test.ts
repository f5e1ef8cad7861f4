import { randomUUID } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { migrate, openDatabase } from "./connect";
import { readAuditWeakness } from "./roles";
import { createTestDatabase, runOnServer, type TestDatabase } from "./test-database";

const log = pino({ level: "silent" });

let test: TestDatabase;
let owner: string;
beforeAll(async () => {
  test = await createTestDatabase();
  // Privileges on the database itself aren't copied from the template.
  await migrate({ connectionString: test.ownerUrl }, { log, appRole: appRole() });
  await test.asOwner(
    `insert into audit_log (company, seq, at, kind, action_id, event, detail, key_id, hash)
     values ('northgate', 1, now(), 'display', 'a', 'pair.asked', '{}', 'k', repeat('a', 64))`,
  );
  const { rows } = await test.database.pool.query<{ owner: string }>(
    "select tableowner as owner from pg_tables where tablename = 'audit_log'",
  );
  owner = rows[0]?.owner ?? "";
});
afterAll(() => test.drop());

const appRole = () => ({ name: inject("testAppRole").name, isEmbedded: false as const });

async function refusal(statement: string): Promise<string> {
  const client = await test.database.pool.connect();
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
  it.each([
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
  ])("is denied: %s", async (statement) => {
    expect(await refusal(statement)).toMatch(
      /permission denied|must be owner|must be superuser|Only roles with/i,
    );
  });

  it("can't become the owner", async () => {
    expect(await refusal(`set role "${owner}"`)).toContain("permission denied");
    expect(await refusal(`set session authorization "${owner}"`)).toContain("permission denied");
    expect(await refusal(`grant "${owner}" to current_user`)).toMatch(
      /permission denied|must be superuser/,
    );
  });

  it("gains nothing by granting itself privileges", async () => {
    await refusal("grant all on audit_log to current_user");
    expect(await refusal("delete from audit_log")).toContain("permission denied");
  });

  it("owns nothing and can't bypass the audit log", async () => {
    const { rows } = await test.database.pool.query(
      "select relname from pg_class where pg_has_role(relowner, 'member')",
    );
    expect(rows).toEqual([]);
    expect(await readAuditWeakness(test.database)).toBeNull();
  });

  it("can read and write all other tables and use their sequences", async () => {
    const { rows } = await test.database.pool.query(
      `select c.oid::regclass::text as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'v3') and c.relkind in ('r', 'p')
         and c.relname not in ('audit_log', 'audit_heads', 'audit_actions', 'incident_events')
         and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
           and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))`,
    );
    expect(rows).toEqual([]);
  });

  it("can run maintenance after scans and seeds where PostgreSQL allows it to non-owners", async () => {
    const { rows } = await test.database.pool.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if ((rows[0]?.version ?? 0) < 170_000) return;
    const { rows: denied } = await test.database.pool.query(
      `select name from unnest(array['schedule_files', 'v3.sync_configs', 'v3.api_calls']) name
       where not has_table_privilege(name, 'maintain')`,
    );
    expect(denied).toEqual([]);
  });

  it("loses excess privileges on the audit log at the next migration", async () => {
    const { name } = appRole();
    await test.asOwner(`grant all on audit_log, audit_heads to "${name}"`);
    expect(await readAuditWeakness(test.database)).toBe("it may change rows");
    await migrate({ connectionString: test.ownerUrl }, { log, appRole: appRole() });
    expect(await readAuditWeakness(test.database)).toBeNull();
    expect(await refusal("update audit_heads set company = 'other'")).toContain(
      "permission denied",
    );
  });

  it("starts without an owner when nothing is pending, and otherwise explains what to do", async () => {
    await expect(migrate(test.database, { log })).resolves.toBeUndefined();
    await test.asOwner("delete from drizzle.migrations");
    try {
      await expect(migrate(test.database, { log })).rejects.toThrow(
        "this role may not upgrade the database; set DATABASE_MIGRATION_URL",
      );
    } finally {
      await test.asOwner(
        "insert into drizzle.migrations (hash, created_at) values ('', 9999999999999)",
      );
    }
  });
});

describe("readAuditWeakness", () => {
  it.each([
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
  ])("detects %s", async (_, weakness, attributes, grants) => {
    const name = `weak_${randomUUID().slice(0, 8)}`;
    await test.asOwner(`create role ${name} login password '${name}' ${attributes.join(" ")}`);
    try {
      for (const grant of grants) {
        await test.asOwner(grant.replace("OWNER", `"${owner}"`).replace("ROLE", name));
      }
      const url = new URL(test.ownerUrl);
      url.username = name;
      url.password = name;
      const database = await openDatabase(url.href, { log, max: 1 });
      expect(await readAuditWeakness(database)).toBe(weakness);
      await database.close();
    } finally {
      await test.asOwner(`drop owned by ${name}`);
      await runOnServer(test.ownerUrl, `drop role ${name}`);
    }
  });
});
