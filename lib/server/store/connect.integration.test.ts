import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { migrate, openDatabase } from "./connect";
import { createTestDatabase, runOnServer, withDatabase, type TestDatabase } from "./test-database";

/** A project root with our migrations plus one more. */
function withMigration(statement: string): string {
  const more = { idx: 9999, when: 9e12, tag: "9999_more", breakpoints: true };
  const projectRoot = withJournal((entries) => [...entries, more]);
  writeFileSync(path.join(projectRoot, MIGRATIONS, "9999_more.sql"), statement);
  return projectRoot;
}

const MIGRATIONS = "lib/server/store/migrations";

/** A project root with some of our migrations. */
function withJournal(change: (entries: object[]) => object[]): string {
  const projectRoot = mkdtempSync(path.join(tmpdir(), "plumbline-migrations-"));
  for (const folder of [MIGRATIONS, "lib/v3-service/store/migrations"])
    cpSync(folder, path.join(projectRoot, folder), { recursive: true });
  const file = path.join(projectRoot, MIGRATIONS, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: object[] };
  writeFileSync(file, JSON.stringify({ ...journal, entries: change(journal.entries) }));
  return projectRoot;
}

const log = pino({ level: "silent" });

describe("beforeFirst", () => {
  it("leaves an empty database empty when it throws, and isn't called for a used one", async () => {
    const serverUrl = inject("testServerUrl");
    const name = `plumbline_first_${randomUUID().replaceAll("-", "")}`;
    await runOnServer(serverUrl, `create database ${name}`);
    const database = await openDatabase(withDatabase(serverUrl, name), { log, max: 1 });
    const beforeFirst = () => {
      throw new Error("METRICS_TOKEN: is easy to guess");
    };
    try {
      await expect(migrate(database, { log, beforeFirst })).rejects.toThrow("METRICS_TOKEN");
      const { rows } = await database.pool.query("select to_regclass('public.people') as made");
      expect(rows).toEqual([{ made: null }]);
      await migrate(database, { log });
      await migrate(database, { log, beforeFirst });
    } finally {
      await database.close();
      await runOnServer(serverUrl, `drop database ${name} with (force)`);
    }
  });
});

describe("openDatabase", () => {
  let t: TestDatabase;
  beforeAll(async () => {
    t = await createTestDatabase();
  });
  afterAll(() => t.drop());

  it("reads timestamps as Date with milliseconds", async () => {
    const { rows } = await t.database.pool.query<{ at: Date }>(
      "select timestamptz '2026-03-04T05:06:07.891+02' as at",
    );
    expect(rows[0]?.at).toEqual(new Date("2026-03-04T03:06:07.891Z"));
  });

  it("survives the loss of idle connections", async () => {
    const { pool, connectionString } = t.database;
    const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
    await runOnServer(connectionString, `select pg_terminate_backend(${rows[0]?.pid ?? 0})`);
    await vi.waitFor(async () => {
      const again = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
      expect(again.rows[0]?.pid).not.toBe(rows[0]?.pid);
    });
  });

  it("logs the first of many lost connections, and counts the others", async () => {
    const lines: string[] = [];
    const heard = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
    const database = await openDatabase(t.database.connectionString, { log: heard, max: 5 });
    const clients = await Promise.all(Array.from({ length: 5 }, () => database.pool.connect()));
    const lost = clients.map(
      (client) => new Promise<void>((resolve) => void client.on("end", resolve)),
    );
    await clients[0]?.query("select 1");
    for (const client of clients.slice(1)) client.release();
    await runOnServer(
      database.connectionString,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usename = current_user`,
    );
    await Promise.all(lost);
    clients[0]?.release(true);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "a database connection was lost",
    ]);
    await database.close();
  });

  it("leaks no connection when a transaction fails to begin or its connection dies", async () => {
    const database = await openDatabase(t.database.connectionString, { log, max: 1 });
    const { orm } = database;
    const wrong = { isolationLevel: "no such level" as never };
    await expect(orm.transaction(() => Promise.resolve(), wrong)).rejects.toThrow("begin");
    await expect(
      orm.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
    ).rejects.toThrow("rollback");
    const own = new Error("ours");
    await expect(orm.transaction(() => Promise.reject(own))).rejects.toBe(own);
    const { rows } = await orm.transaction((tx) => tx.execute(sql`select 1 as one`));
    expect(rows).toEqual([{ one: 1 }]);
    await database.close();
  });

  it("limits the duration of statements and of idle transactions", async () => {
    const { rows } = await t.database.pool.query(
      `select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as transaction`,
    );
    expect(rows).toEqual([{ statement: "10s", transaction: "30s" }]);
  });

  it.each([
    ["no options", [], {}],
    ["empty options", [""], {}],
    ["options", ["-c search_path=elsewhere"], { path: "elsewhere" }],
    [
      "options that contradict ours",
      ["-c TimeZone=Asia/Tokyo -c DateStyle=SQL -c default_transaction_isolation=serializable"],
      {},
    ],
    ["options twice", ["-c work_mem=1MB", "-c search_path=elsewhere"], { path: "elsewhere" }],
  ])(
    "reads committed rows, and timestamps in UTC, when the address has %s",
    async (_, options, other) => {
      const url = new URL(t.database.connectionString);
      const name = url.pathname.slice(1);
      await t.asOwner(
        `alter database "${name}" set default_transaction_isolation = 'serializable'`,
      );
      await t.asOwner(`alter database "${name}" set TimeZone = 'Asia/Tokyo'`);
      await t.asOwner(`alter database "${name}" set DateStyle = 'German, DMY'`);
      await t.asOwner(`alter database "${name}" set search_path = 'theirs'`);
      for (const one of options) url.searchParams.append("options", one);
      const database = await openDatabase(url.href, { log, max: 1 });
      try {
        const { rows } = await database.pool.query(
          `select current_setting('TimeZone') as zone, current_setting('search_path') as path,
          current_setting('transaction_isolation') as isolation,
          timestamptz '2026-03-04T05:06:07+09' as at`,
        );
        const at = new Date("2026-03-03T20:06:07Z");
        const usual = { at, zone: "UTC", isolation: "read committed", path: "public" };
        expect(rows).toEqual([{ ...usual, ...other }]);
      } finally {
        await database.close();
      }
    },
  );

  it("can be closed twice", async () => {
    const database = await openDatabase(t.database.connectionString, { log });
    await Promise.all([database.close(), database.close()]);
    await expect(database.close()).resolves.toBeUndefined();
  });

  it("rejects when no PostgreSQL answers", async () => {
    const nowhere = encodeURIComponent(path.join(tmpdir(), randomUUID()));
    await expect(openDatabase(`postgresql://localhost/x?host=${nowhere}`, { log })).rejects.toThrow(
      "ENOENT",
    );
  });
});

describe("migrate", () => {
  it("tolerates a database one migration ahead, and refuses one further ahead with instructions", async () => {
    const t = await createTestDatabase();
    const owner = { connectionString: t.ownerUrl };
    const later = (n: number) =>
      t.asOwner(`insert into drizzle.migrations (hash, created_at) values ('later', ${9e12 + n})`);
    try {
      await later(1);
      await migrate(owner, { log });
      await later(2);
      await expect(migrate(owner, { log })).rejects.toThrow(
        /upgraded by a newer version of Plumbline, with 2 migrations .* npm run restore -- FILE/,
      );
    } finally {
      await t.drop();
    }
  });

  it("rolls back a failed migration and names the backup taken before it", async () => {
    const t = await createTestDatabase();
    const owner = { connectionString: t.ownerUrl };
    const projectRoot = withMigration("create table half (id int); select 1/0");
    try {
      await expect(
        migrate(owner, { log, projectRoot, beforeUpgrade: async () => "/data/before" }),
      ).rejects.toThrow(
        "the database couldn't be upgraded (9999_more: division by zero). Nothing was changed, and the version that ran before still works. A backup from before is /data/before.",
      );
      const { rows } = await t.database.pool.query("select to_regclass('half') as half");
      expect(rows).toEqual([{ half: null }]);
      await migrate(owner, { log });
    } finally {
      rmSync(projectRoot, { recursive: true });
      await t.drop();
    }
  });

  it("requires a backup before changing a used database, and changes nothing without one", async () => {
    const t = await createTestDatabase();
    const owner = { connectionString: t.ownerUrl };
    const projectRoot = withMigration("create table half (id int)");
    const tags: string[] = [];
    try {
      const refused = { beforeUpgrade: () => Promise.reject(new Error("no room")) };
      await expect(migrate(owner, { log, projectRoot, ...refused })).rejects.toThrow("no room");
      const { rows } = await t.database.pool.query("select to_regclass('half') as half");
      expect(rows).toEqual([{ half: null }]);
      const beforeUpgrade = async (_: unknown, { tag }: { tag: string }) => {
        tags.push(tag);
        return "";
      };
      await migrate(owner, { log, projectRoot, beforeUpgrade });
      await migrate(owner, { log, projectRoot, beforeUpgrade });
      expect(tags).toEqual(["9999_more"]);
    } finally {
      rmSync(projectRoot, { recursive: true });
      await t.drop();
    }
  });

  it.each([
    ["search_path = 'theirs'", ""],
    ["search_path = ''", ""],
    ["statement_timeout = 20", "select pg_sleep(0.1)"],
  ])("runs in a database that is set to %s", async (setting, slow) => {
    const serverUrl = inject("testServerUrl");
    const name = `plumbline_set_${randomUUID().replaceAll("-", "")}`;
    await runOnServer(serverUrl, `create database ${name}`);
    const url = withDatabase(serverUrl, name);
    await runOnServer(url, "create schema theirs");
    await runOnServer(serverUrl, `alter database ${name} set ${setting}`);
    const projectRoot = slow === "" ? process.cwd() : withMigration(slow);
    try {
      await migrate({ connectionString: url }, { log, projectRoot });
      const database = await openDatabase(url, { log, max: 1 });
      const { rows } = await database.pool.query("select count(*)::int as people from people");
      expect(rows).toEqual([{ people: 0 }]);
      await database.close();
    } finally {
      if (slow !== "") rmSync(projectRoot, { recursive: true });
      await runOnServer(serverUrl, `drop database ${name} with (force)`);
    }
  });

  it("refuses an empty database that isn't UTF8, and only warns about a used one", async () => {
    const serverUrl = inject("testServerUrl");
    const name = `plumbline_latin_${randomUUID().replaceAll("-", "")}`;
    await runOnServer(
      serverUrl,
      `create database ${name} encoding 'LATIN1' locale 'C' template template0`,
    );
    const database = await openDatabase(withDatabase(serverUrl, name), { log, max: 1 });
    const warnings: unknown[] = [];
    const listening = pino(
      { level: "warn" },
      { write: (line) => void warnings.push(JSON.parse(line)) },
    );
    const problem =
      "the database has the encoding LATIN1, which can't store every name; use one with UTF8: create database NAME encoding 'UTF8' template template0.";
    try {
      await expect(migrate(database, { log: listening })).rejects.toThrow(problem);
      const { rows } = await database.pool.query("select to_regclass('public.people') as made");
      expect(rows).toEqual([{ made: null }]);
      expect(warnings).toEqual([]);
      // As a version that took any encoding left it.
      await database.pool.query(
        `create schema drizzle;
         create table drizzle.migrations (id serial primary key, hash text not null, created_at bigint);
         create table drizzle.v3_migrations (like drizzle.migrations including all);
         insert into drizzle.migrations (hash, created_at) values ('', 9e12);
         insert into drizzle.v3_migrations (hash, created_at) values ('', 9e12)`,
      );
      await migrate(database, { log: listening });
      expect(warnings).toEqual([expect.objectContaining({ msg: problem })]);
    } finally {
      await database.close();
      await runOnServer(serverUrl, `drop database ${name} with (force)`);
    }
  });

  it("rejects when the migration folders are missing", async () => {
    const t = await createTestDatabase();
    try {
      const elsewhere = { log, projectRoot: tmpdir() };
      await expect(migrate(t.database, elsewhere)).rejects.toThrow("contains no migrations");
    } finally {
      await t.drop();
    }
  });

  it("runs the newest migration in a database that ran all others", async () => {
    const serverUrl = inject("testServerUrl");
    const name = `plumbline_newest_${randomUUID().replaceAll("-", "")}`;
    await runOnServer(serverUrl, `create database ${name}`);
    const database = await openDatabase(withDatabase(serverUrl, name), { log, max: 1 });
    const projectRoot = withJournal((entries) => entries.slice(0, -1));
    const applied = async () =>
      (await database.pool.query("select hash from drizzle.migrations order by created_at")).rows;
    try {
      await migrate(database, { log, projectRoot });
      const before = await applied();
      await migrate(database, { log });
      expect(await applied()).toEqual([...before, { hash: expect.any(String) }]);
    } finally {
      await database.close();
      await runOnServer(serverUrl, `drop database ${name} with (force)`);
      rmSync(projectRoot, { recursive: true });
    }
  });

  it("migrates an empty database once when several instances start concurrently", async () => {
    const serverUrl = inject("testServerUrl");
    const name = `plumbline_migrate_${randomUUID().replaceAll("-", "")}`;
    await runOnServer(serverUrl, `create database ${name}`);
    const instances = await Promise.all(
      [1, 2, 3].map(() => openDatabase(withDatabase(serverUrl, name), { log, max: 2 })),
    );
    try {
      await Promise.all(instances.map((database) => migrate(database, { log })));
      const tables = await instances[0]?.pool.query<{ schema: string }>(
        `select distinct table_schema as schema from information_schema.tables
          where table_schema in ('public', 'v3') order by 1`,
      );
      expect(tables?.rows).toEqual([{ schema: "public" }, { schema: "v3" }]);
      const applied = await instances[0]?.pool.query(
        `select count(*) = count(distinct hash) as once
          from (select hash from drizzle.migrations union all select hash from drizzle.v3_migrations) as m`,
      );
      expect(applied?.rows).toEqual([{ once: true }]);
      const trigrams = await instances[0]?.pool.query(
        "select similarity('north', 'north') as same",
      );
      expect(trigrams?.rows).toEqual([{ same: 1 }]);
    } finally {
      await Promise.all(instances.map((database) => database.close()));
      await runOnServer(serverUrl, `drop database ${name} with (force)`);
    }
  });
});
