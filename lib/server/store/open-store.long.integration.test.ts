import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createDerivedDataRemovals } from "@/lib/v3-service/derived-data";
import { silentLog } from "@/lib/v3-service/log";
import { addCompanies, addScheduleFiles } from "@/lib/v3-service/store/writer";
import { appendAudit } from "./audit/append-audit";
import { TEST_KEYS } from "./audit/audit-fixture";
import { FIRST_HASH, hashOf, UNSIGNED } from "./audit/chain";
import { auditKeys, deriveAuditKey, type AuditKeys } from "./audit/keys";
import { verifyAudit } from "./audit/verify-audit";
import { migrate, openDatabase } from "./connect";
import type { Database } from "./database";
import { startEmbeddedPostgres } from "./embedded/start-embedded-postgres";
import { deriveKey } from "@/lib/server/keys";
import { openStore, type Store, type StoreConfig } from "./open-store";
import { createPerson } from "./people/people";
import { runOnServer, withDatabase } from "./test-database";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const quiet = pino({ level: "silent" });

let dataDir: string;
let stores: Store[];
let warnings: string[];
let onServer: string[];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "plumbline-store-"));
  stores = [];
  warnings = [];
  onServer = [];
});
afterEach(async () => {
  for (const store of stores) await store.stop();
  for (const statement of onServer.toReversed()) {
    await runOnServer(inject("testServerUrl"), statement);
  }
  rmSync(dataDir, { recursive: true });
});

const headFile = () => path.join(dataDir, "audit-heads.json");

async function open(
  config: Partial<StoreConfig> = {},
  keys: AuditKeys = TEST_KEYS,
): Promise<Store> {
  const log = pino(
    { level: "warn" },
    { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const clock = createManualClock(START_MS);
  const store = await openStore(
    { databaseUrl: null, databaseMigrationUrl: null, dataDir, ...config },
    {
      log,
      max: 3,
      audit: { keys, headFile: headFile(), clock },
      backupKey: deriveKey("an AUTH_SECRET of a test", "backups"),
    },
  );
  stores.push(store);
  return store;
}

async function stop(store: Store): Promise<void> {
  stores = stores.filter((other) => other !== store);
  await store.stop();
}

const display = (actionId: string) => ({
  kind: "display",
  actionId,
  event: "pair.asked",
  person: null,
  requestId: null,
  detail: { subject: "Lobby" },
});

const append = ({ database }: Store, actionId: string, company = "northgate") =>
  database.orm.transaction((tx) => appendAudit(tx, company, START_MS, [display(actionId)]));

async function roleOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ role: string }>("select current_user as role");
  return rows[0]?.role ?? "";
}

const verify = ({ database }: Store, keys = TEST_KEYS) =>
  verifyAudit(database, keys.known, headFile());

/** The project as of before signing keys and roles, as far as migrations are concerned. */
function earlierProject(): string {
  const root = path.join(dataDir, "earlier");
  for (const [folder, last] of [
    ["lib/server/store/migrations", 7],
    ["lib/v3-service/store/migrations", 0],
  ] as const) {
    cpSync(folder, path.join(root, folder), { recursive: true });
    const file = path.join(root, folder, "meta/_journal.json");
    const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: unknown[] };
    journal.entries.splice(last + 1);
    writeFileSync(file, JSON.stringify(journal));
  }
  return root;
}

/** Appends rows as the version before signing keys did. */
async function appendUnsigned(database: Database, company: string, rows: number): Promise<void> {
  let hash = FIRST_HASH;
  for (let seq = 1; seq <= rows; seq += 1) {
    const row = {
      ...display(`a/${seq}`),
      company,
      seq,
      at: new Date(START_MS),
      personId: null,
      personName: null,
      personEmail: null,
      keyId: UNSIGNED,
    };
    hash = hashOf(hash, row, new Map()) ?? "";
    await database.pool.query(
      `insert into audit_log (company, seq, at, kind, action_id, event, detail, hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [company, seq, row.at, row.kind, row.actionId, row.event, row.detail, hash],
    );
    await database.pool.query(
      `insert into audit_actions (company, action_id, seq, asked_at, search_text)
       values ($1, $2, $3, $4, 'lobby')`,
      [company, row.actionId, seq, row.at],
    );
  }
  await database.pool.query("insert into audit_heads values ($1, $2, $3)", [company, rows, hash]);
}

describe("embedded database", { timeout: 60_000 }, () => {
  it("reports a full disk instead of PostgreSQL's error", async () => {
    writeFileSync(path.join(dataDir, "postgres"), "in the way of the database");
    const config = { databaseUrl: null, databaseMigrationUrl: null, dataDir };
    const openWith = (free: number) => openStore(config, { log: quiet, measure: async () => free });
    await expect(openWith(3_500_000)).rejects.toThrow(
      `DATA_DIR: the disk is full (3 MB left in ${dataDir}). Free at least 200 MB, then start again.`,
    );
    await expect(openWith(10e9)).rejects.toThrow(
      /^DATA_DIR can't be used: .*: part of the path is a file, not a folder/,
    );
  });

  it("connects as a role that owns nothing, shared by two processes", async () => {
    const [first, second] = await Promise.all([open(), open()]);
    for (const store of [first, second]) {
      expect(await roleOf(store.database)).toBe("plumbline_app");
      const { rows } = await store.database.pool.query(
        "select from pg_class where pg_has_role(relowner, 'member')",
      );
      expect(rows).toEqual([]);
      await append(store, randomUUID());
    }
    await stop(first);
    await append(second, randomUUID());
    await stop(second);
    expect(warnings).toEqual([]);
    expect(await verify(await open())).toEqual({
      lines: ["northgate: 3 rows, intact"],
      isIntact: true,
    });
  });

  it("keeps parameter values of failed statements out of its log", async () => {
    const { database } = await open();
    const person = {
      email: "hunter2@example.com",
      name: "hunter2",
      grants: [],
      passwordHash: "hunter2",
    } as const;
    await createPerson(database.orm, person);
    await expect(createPerson(database.orm, person)).rejects.toThrow("Failed query");
    await expect(database.pool.query("select $1::uuid", ["hunter2"])).rejects.toThrow("uuid");
    expect(readFileSync(path.join(dataDir, "postgres/postgres.log"), "utf8")).not.toContain(
      "hunter2",
    );
  });

  it("upgrades from an earlier version, sealing its audit log and resuming its jobs", async () => {
    const embedded = await startEmbeddedPostgres({ dataDir, log: quiet });
    await migrate(embedded, { log: quiet, projectRoot: earlierProject() });
    const before = await openDatabase(embedded.connectionString, { log: quiet });
    await appendUnsigned(before, "northgate", 3);
    await appendUnsigned(before, "harbour", 1);
    await addCompanies(before.orm, [{ id: 42, name: "Northwind" }]);
    await addScheduleFiles(before.orm, [
      {
        companyId: 42,
        id: 7,
        name: "Tower rev 3.xer",
        isBaseline: false,
        customerProject: null,
        createdAtMs: 0,
        fileType: "xer",
        partnerTokenId: null,
      },
    ]);
    // The job queue of earlier versions of the service, holding one job.
    const queue = readFileSync("lib/v3-service/store/migrations/0001_job_queue.sql", "utf8");
    for (const statement of queue.split("--> statement-breakpoint")) {
      await before.pool.query(statement);
    }
    await before.pool.query(
      `insert into pgboss.job (name, data)
       values ('v3-derived-data-removal', '{"companyId": 42, "fileId": 7}')`,
    );
    await expect(verifyAudit(before, TEST_KEYS.known, headFile())).rejects.toThrow(
      "This database was last used by an earlier version of Plumbline.",
    );
    await before.close();
    await embedded.stop();

    const store = await open();
    expect(warnings).toEqual([]);
    const intact = {
      lines: ["harbour: 2 rows, intact", "northgate: 4 rows, intact"],
      isIntact: true,
    };
    await stop(store);
    const again = await open();
    expect(await verify(again)).toEqual(intact);
    await append(again, "a/4");
    const removals = createDerivedDataRemovals(again.database, silentLog);
    removals.start();
    await removals.run();
    await removals.stop();
    const { rows } = await again.database.pool.query("select from v3.derived_data");
    expect(rows).toEqual([]);

    // Sealed rows can't be replaced by unsigned ones.
    await stop(again);
    const owner = await startEmbeddedPostgres({ dataDir, log: quiet });
    await runOnServer(
      owner.connectionString,
      `alter table audit_log disable trigger user;
       update audit_log set detail = '{"subject": "Attic"}' where company = 'northgate' and seq = 2`,
    );
    await owner.stop();
    expect((await verify(await open())).lines).toEqual([
      "harbour: 2 rows, intact",
      "northgate: row 2 was changed after it was written.",
    ]);
  });

  it("rejects audit rows from an earlier version that is still running", async () => {
    await open();
    const embedded = await startEmbeddedPostgres({ dataDir, log: quiet });
    const earlier = await openDatabase(embedded.connectionString, { log: quiet });
    await expect(appendUnsigned(earlier, "northgate", 1)).rejects.toThrow("key_id");
    await earlier.close();
    await embedded.stop();
  });

  it("stays verifiable when AUTH_SECRET changes, and is sealed with the new key", async () => {
    const first = await open();
    await append(first, "a/1");
    await append(first, "a/2");
    await stop(first);
    const changed = auditKeys(deriveAuditKey("a secret that came later"), [TEST_KEYS.current]);
    const second = await open({}, changed);
    await append(second, "a/3");
    await stop(second);
    const third = await open({}, changed);
    expect(await verify(third, changed)).toEqual({
      lines: ["northgate: 4 rows, intact"],
      isIntact: true,
    });
    const { rows } = await third.database.pool.query(
      "select event, key_id from audit_log order by seq",
    );
    expect(rows).toEqual([
      { event: "pair.asked", key_id: TEST_KEYS.current.id },
      { event: "pair.asked", key_id: TEST_KEYS.current.id },
      { event: "log.sealed", key_id: changed.current.id },
      { event: "pair.asked", key_id: changed.current.id },
    ]);
    expect((await verify(third)).lines).toEqual([
      `northgate: row 3 is signed with key ${changed.current.id}, which isn't known here: set AUTH_SECRET to the one in use then, or add that to EARLIER_AUTH_SECRETS.`,
    ]);
  });
});

describe("an instance with another AUTH_SECRET", { timeout: 60_000 }, () => {
  const other = auditKeys(deriveAuditKey("a secret that another instance has"));
  const differs = expect.stringContaining("was last used with another AUTH_SECRET");

  it("is warned of at each start after the other one wrote", async () => {
    await append(await open(), "a/1");
    expect(warnings).not.toContainEqual(differs);
    const second = await open({}, other);
    expect(warnings).toContainEqual(differs);
    await append(second, "a/2");
    warnings = [];
    await open();
    expect(warnings).toContainEqual(differs);
  });

  it("is not taken for a change of the secret that names the earlier one", async () => {
    const changed = auditKeys(other.current, [TEST_KEYS.current]);
    await append(await open(), "a/1");
    await append(await open({}, changed), "a/2");
    // After resealing, without the earlier secret.
    await open({}, other);
    expect(warnings).not.toContainEqual(differs);
  });
});

describe("external database", { timeout: 60_000 }, () => {
  /** An empty database with an owner that is not a superuser, and a role for the app. */
  async function given(): Promise<{ owner: string; app: string }> {
    const server = inject("testServerUrl");
    const name = `plumbline_given_${randomUUID().replaceAll("-", "")}`;
    const urls: string[] = [];
    for (const role of [`${name}_owner`, `${name}_app`]) {
      await runOnServer(server, `create role ${role} login password '${name}'`);
      onServer.push(`drop role ${role}`);
      const url = new URL(withDatabase(server, name));
      url.username = role;
      url.password = name;
      urls.push(url.href);
    }
    await runOnServer(server, `create database ${name} owner ${name}_owner`);
    onServer.push(`drop database ${name} with (force)`);
    const [owner = "", app = ""] = urls;
    return { owner, app };
  }

  it("is migrated by its owner and used by another role, which can later start without the owner", async () => {
    const { owner, app } = await given();
    const store = await open({ databaseUrl: app, databaseMigrationUrl: owner });
    await append(store, "a/1");
    await stop(store);
    const alone = await open({ databaseUrl: app });
    await append(alone, "a/2");
    await stop(alone);
    const again = await open({ databaseUrl: app, databaseMigrationUrl: owner });
    expect(warnings).toEqual([]);
    expect(await verify(again)).toEqual({
      lines: ["northgate: 2 rows, intact"],
      isIntact: true,
    });
    await expect(again.database.pool.query("delete from audit_log")).rejects.toThrow("denied");
  });

  it("works with a single role, and warns about it once", async () => {
    const { owner } = await given();
    for (const config of [
      { databaseUrl: owner },
      { databaseUrl: owner, databaseMigrationUrl: owner },
    ]) {
      warnings = [];
      const store = await open(config);
      await append(store, randomUUID());
      await stop(store);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^The app's own database role can alter the audit log: it owns the table\. Set DATABASE_MIGRATION_URL/,
        ),
      ]);
    }
  });

  it("moves from one role to two without losing access to tables", async () => {
    const { owner, app } = await given();
    const before = await open({ databaseUrl: owner });
    await append(before, "a/1");
    await stop(before);
    warnings = [];
    const store = await open({ databaseUrl: app, databaseMigrationUrl: owner });
    await append(store, "a/2");
    expect(warnings).toEqual([]);
  });

  it("reports when only the owner may migrate", async () => {
    const { app } = await given();
    await expect(open({ databaseUrl: app })).rejects.toThrow(
      "DATABASE_URL: this role may not upgrade the database; set DATABASE_MIGRATION_URL to the address of its owner.",
    );
  });

  it("rejects an owner URL that leads to another database, or to none", async () => {
    const [one, other] = [await given(), await given()];
    await expect(open({ databaseUrl: one.app, databaseMigrationUrl: other.owner })).rejects.toThrow(
      "DATABASE_MIGRATION_URL: this is a different database from that of DATABASE_URL.",
    );
    const nowhere = `postgresql://x@localhost/x?host=${encodeURIComponent(path.join(dataDir, "nowhere"))}`;
    await expect(open({ databaseUrl: one.app, databaseMigrationUrl: nowhere })).rejects.toThrow(
      /^DATABASE_MIGRATION_URL: .*nothing answers there/,
    );
  });
});
