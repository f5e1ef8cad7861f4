import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect } from "vitest";
import { deriveKey } from "@/lib/server/keys";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import { applyMigrations, readMigrations, type Applied } from "@/lib/server/store/journals";
import { createTestDatabase, databaseTest } from "@/lib/server/store/test-database";
import { readArchive, UnverifiedBackup, writeArchive, type Entry } from "./archive";
import {
  BACKUP,
  KEY,
  NOW_MS,
  asTheyWere,
  createEmptyDatabase,
  createFolder,
  fillEveryTable,
  log,
  onDatabase,
  sumsOf,
} from "./backup-fixture";
import { readBackup } from "./check-backup";
import { restoreBackup } from "./restore-backup";
import { countRows, writeBackup } from "./write-backup";

const RESTORE = { log, projectRoot: process.cwd(), keys: [KEY], nowMs: NOW_MS + 1 };
const restore = (
  url: string,
  file: string,
  more: Partial<Parameters<typeof restoreBackup>[2]> = {},
) => restoreBackup(async () => url, file, { ...RESTORE, ...more });

const test = databaseTest();
let folder: ReturnType<typeof createFolder>;
let file: string;
test.beforeAll(async ({ db }) => {
  await fillEveryTable(db.ownerUrl);
  folder = createFolder();
  file = path.join(folder.path, "whole.plumbline");
  await writeBackup(db.ownerUrl, file, BACKUP);
});
afterAll(async () => {
  folder[Symbol.dispose]();
});

describe("writeBackup", () => {
  test("restores every row of every table unchanged, and creates only the named file", async ({
    db,
  }) => {
    await using target = await createEmptyDatabase();
    const { manifest, skipped } = await restore(target.url, file);
    const before = await sumsOf(db.ownerUrl);
    expect(Object.values(before).every((sum) => !sum.startsWith("0 "))).toBe(true);
    expect(asTheyWere(await sumsOf(target.url))).toEqual(asTheyWere(before));
    expect(skipped).toEqual([]);
    expect(manifest).toMatchObject({
      format: 2,
      created_at: "2026-03-02T12:00:00.000Z",
      build: "a build",
      audit_heads: { harbour: { seq: 1 }, northgate: { seq: 2 } },
    });
    expect(manifest.tables.map(({ schema, name }) => `${schema}.${name}`)).toEqual(
      Object.keys(before),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(["whole.plumbline"]);
  });

  test("restores references, triggers, sequences and the audit log's chain", async ({ db }) => {
    await using target = await createEmptyDatabase();
    await restore(target.url, file);
    const rulesOf = (url: string) =>
      onDatabase(url, async (client) => {
        const { rows } = await client.query(
          `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as rule
           from pg_constraint where connamespace::regnamespace::text in ('public', 'v3')
           union all
           select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
           union all
           select schemaname, indexname, indexdef from pg_indexes where schemaname in ('public', 'v3')
           union all
           select schemaname, sequencename, last_value::text from pg_sequences where schemaname <> 'drizzle'
           order by 1, 2, 3`,
        );
        return rows as unknown[];
      });
    expect(await rulesOf(target.url)).toEqual(await rulesOf(db.ownerUrl));
    const database = await openDatabase(target.url, { log });
    try {
      await migrate(database, { log });
      const checks = await checkAudit(database, { keys: TEST_KEYS.known });
      expect(checks.map(({ broken }) => broken)).toEqual([null, null]);
    } finally {
      await database.close();
    }
  });

  test("contains one snapshot, without concurrent writes", async ({ db }) => {
    const other = path.join(folder.path, "moment.plumbline");
    let isWritten = false;
    await writeBackup(db.database.connectionString, other, {
      ...BACKUP,
      async mayGoOn() {
        if (isWritten) return;
        isWritten = true;
        await db.asOwner(
          `insert into sign_in_attempts (bucket, window_started_at, count) values ('later', now(), 1);
           delete from v3.simulation`,
        );
      },
    });
    expect(isWritten).toBe(true);
    const [{ tables }, now] = [await readBackup(other, { keys: [KEY] }), await sumsOf(db.ownerUrl)];
    const rows = (of: string) => tables.find(({ name }) => name === of)?.rows;
    expect([rows("sign_in_attempts"), rows("simulation")]).toEqual([3, 1]);
    expect(now["public.sign_in_attempts"]).toMatch(/^4 /);
    expect(now["v3.simulation"]).toMatch(/^0 /);
    await db.asOwner("delete from sign_in_attempts where bucket = 'later'");
  });

  test("is a plain archive with readable rows", async () => {
    const entries: string[] = [];
    for await (const { name } of readArchive(file, { keys: [KEY] })) entries.push(name);
    expect(entries[0]).toBe("backup.json");
    expect(entries).toContain("public.people/000001.copy");
    expect(entries.at(-1)).toBe("manifest.json");
  });

  test("refuses to overwrite a file, and detects concurrent writers", async ({ db }) => {
    await expect(writeBackup(db.ownerUrl, file, BACKUP)).rejects.toThrow("already exists");
    const twice = path.join(folder.path, "twice.plumbline");
    let second: Promise<unknown> | undefined;
    await expect(
      writeBackup(db.ownerUrl, twice, {
        ...BACKUP,
        onStep: async (step) => {
          if (step === "written") await (second ??= writeBackup(db.ownerUrl, twice, BACKUP));
        },
      }),
    ).rejects.toThrow("another process");
    await readBackup(twice, { keys: [KEY] });
    expect(readdirSync(folder.path).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("leaves nothing behind when aborted, or when its connection dies", async ({ db }) => {
    const never = path.join(folder.path, "never.plumbline");
    const ending = new AbortController();
    await expect(
      writeBackup(db.ownerUrl, never, {
        ...BACKUP,
        signal: ending.signal,
        mayGoOn: async () => ending.abort(new Error("enough")),
      }),
    ).rejects.toThrow(/enough|aborted/);
    await expect(
      writeBackup(db.ownerUrl, never, {
        ...BACKUP,
        mayGoOn: () =>
          db.asOwner(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plumbline backup'",
          ),
      }),
    ).rejects.toThrow(/terminat|connection error/);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("never"))).toEqual([]);
  });

  test("refuses a database that Plumbline never used", async () => {
    await using target = await createEmptyDatabase();
    await expect(
      writeBackup(target.url, path.join(folder.path, "none.plumbline"), BACKUP),
    ).rejects.toThrow("nothing to back up");
  });
});

describe("restoreBackup", () => {
  test("rejects a file with any changed byte, truncated or extended, without opening the database", async ({
    db,
  }) => {
    const whole = readFileSync(file);
    const bad = path.join(folder.path, "bad.plumbline");
    const damages = [
      ...[0, 3, 4, 8, 9, 10, 500, Math.floor(whole.length / 2), whole.length - 100].flatMap(
        (at) => [at],
      ),
      ...Array.from({ length: 95 + 117 }, (_, at) => whole.length - 1 - at),
    ].map((at) => {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return changed;
    });
    const others = [
      whole.subarray(0, whole.length - 1),
      whole.subarray(0, Math.floor(whole.length / 2)),
      Buffer.concat([whole, Buffer.from("x")]),
      Buffer.alloc(0),
      Buffer.from("a text that is none ".repeat(50)),
      Buffer.concat([whole, whole]),
    ];
    let isOpened = false;
    const open = async () => {
      isOpened = true;
      return db.ownerUrl;
    };
    for (const content of [...damages, ...others]) {
      writeFileSync(bad, content);
      await expect(restoreBackup(open, bad, RESTORE)).rejects.toThrow(
        /is damaged or incomplete|isn't a backup/,
      );
    }
    await expect(restoreBackup(open, `${bad}.not`, RESTORE)).rejects.toThrow("There is no file");
    await expect(restoreBackup(open, folder.path, RESTORE)).rejects.toThrow("isn't a file");
    expect(isOpened).toBe(false);
  });

  test("refuses a database that contains our tables, and leaves it unchanged", async () => {
    const used = await createTestDatabase();
    try {
      await used.asOwner("insert into sign_in_attempts values ('mine', now(), 7)");
      const before = await sumsOf(used.ownerUrl);
      await expect(restore(used.ownerUrl, file)).rejects.toThrow("This database isn't empty");
      expect(await sumsOf(used.ownerUrl)).toEqual(before);
    } finally {
      await used.drop();
    }
    await using target = await createEmptyDatabase();
    await onDatabase(target.url, (client) => client.query("create table people (id int)"));
    await expect(restore(target.url, file)).rejects.toThrow("it has the table public.people");
  });

  test("accepts a database with other applications' tables, and leaves those unchanged", async () => {
    await using target = await createEmptyDatabase();
    await onDatabase(target.url, (client) =>
      client.query("create table theirs (id serial); insert into theirs default values"),
    );
    await restore(target.url, file);
    expect((await sumsOf(target.url))["public.theirs"]).toMatch(/^1 /);
    const next = await onDatabase(target.url, (client) =>
      client.query("insert into theirs default values returning id"),
    );
    expect(next.rows).toEqual([{ id: 2 }]);
    // With a common owner, other applications' tables are in the backup too, but aren't restored.
    const both = path.join(folder.path, "both.plumbline");
    await writeBackup(target.url, both, BACKUP);
    await using again = await createEmptyDatabase();
    expect((await restore(again.url, both)).skipped).toEqual(["public.theirs"]);
  });

  test("rejects a backup of a newer version, with instructions", async () => {
    const newer = await rewrite("newer", (name, json) =>
      name === "backup.json" || name === "manifest.json"
        ? {
            ...json,
            schema: {
              ...(json["schema"] as Applied),
              migrations: [
                ...(json["schema"] as Applied).migrations,
                { when: 9e12, hash: "later" },
              ],
            },
          }
        : json,
    );
    await using target = await createEmptyDatabase();
    await expect(restore(target.url, newer)).rejects.toThrow(
      /made by a newer version of Plumbline \(build a build.*Restore it with that version/,
    );
    const form = await rewrite("form", (_, json) => ({ ...json, format: 3 }));
    await expect(restore(target.url, form)).rejects.toThrow(
      "in a form that this version can't read",
    );
    // Unless it only says so because it is damaged.
    const bytes = readFileSync(form);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(form, bytes);
    await expect(restore(target.url, form)).rejects.toThrow("is damaged or incomplete");
    expect(await sumsOf(target.url)).toEqual({});
  });

  test("leaves the database empty when rows violate constraints, despite a valid signature", async () => {
    const wrong = path.join(folder.path, "wrong.plumbline");
    await writeArchive(wrong, wrongRows(), { key: KEY });
    await using target = await createEmptyDatabase();
    await expect(restore(target.url, wrong)).rejects.toThrow("foreign key");
    expect(await sumsOf(target.url)).toEqual({});
    const odd = await rewrite("odd", (name, json) =>
      name === "manifest.json"
        ? {
            ...json,
            tables: (json["tables"] as { name: string; columns: string[] }[]).map((table) =>
              table.name === "people" ? { ...table, columns: [...table.columns, "more"] } : table,
            ),
          }
        : json,
    );
    await expect(restore(target.url, odd)).rejects.toThrow("the table public.people is different");
    expect(await sumsOf(target.url)).toEqual({});
  });

  test("recreates the old schema, fills it, and then migrates it", async ({ db }) => {
    const migrations = readMigrations(process.cwd());
    await using old = await createEmptyDatabase();
    await using target = await createEmptyDatabase();
    const older = path.join(folder.path, "older.plumbline");
    await onDatabase(old.url, async (client) => {
      await client.query("begin");
      // From before the audit log had signing keys, with the queue that the v3 service used then.
      await applyMigrations(
        client,
        migrations.filter(({ table, tag }) =>
          table === "migrations" ? tag < "0008" : tag < "0002",
        ),
      );
      await client.query("commit");
      await client.query(
        `insert into audit_log (company, seq, at, kind, action_id, event, detail, hash)
         values ('northgate', 1, now(), 'file-deletion', 'a', 'delete.asked', '{}', 'x');
         insert into v3.companies values (7, 'Seven');
         insert into pgboss.job (name, data)
         values ('v3-derived-data-removal', '{"companyId": 7, "fileId": 70}')`,
      );
    });
    await writeBackup(old.url, older, BACKUP);
    await restore(target.url, older);
    await onDatabase(target.url, async (client) => {
      const { rows } = await client.query("select company, seq, key_id from audit_log");
      expect(rows).toEqual([{ company: "northgate", seq: "1", key_id: "none" }]);
      const removals = await client.query(
        "select company_id, file_id from v3.derived_data_removals",
      );
      expect(removals.rows).toEqual([{ company_id: "7", file_id: "70" }]);
      const journals = await client.query(
        "select (select count(*) from drizzle.migrations) + (select count(*) from drizzle.v3_migrations) as n",
      );
      expect(journals.rows).toEqual([{ n: String(migrations.length) }]);
    });
    const shape = (url: string) =>
      onDatabase(url, async (client) => {
        const { rows } = await client.query(
          `select table_schema, table_name, column_name, data_type, is_nullable, column_default
           from information_schema.columns where table_schema in ('public', 'v3') order by 1, 2, 3`,
        );
        return rows as unknown[];
      });
    expect(await shape(target.url)).toEqual(await shape(db.ownerUrl));
  });

  test("rejects a file not signed with a known secret, unless verification is skipped", async () => {
    const other = deriveKey("another secret", "backups");
    const whole = readFileSync(file);
    // Start of the signature, in front of the checksum.
    const [signedAt, sealedAt] = [whole.length - 95 - 117, whole.length - 95];
    const sealedAnew = (content: Buffer) => {
      const sum = createHash("sha256").update(content).digest("hex");
      const seal = Buffer.from(whole.subarray(sealedAt));
      seal.write(sum, 22, "latin1");
      seal.writeUInt32LE(crc32(seal.subarray(15, 15 + 72)), 15 + 72);
      return Buffer.concat([content, seal]);
    };
    const forged = path.join(folder.path, "forged.plumbline");
    await writeArchive(forged, administrators(), { key: other });
    const theirs = readFileSync(forged);
    const [ours, sum] = [whole.subarray(signedAt, sealedAt), theirs.length - 95 - 117];
    const cases: [Buffer, RegExp][] = [
      // As written by earlier versions, or after an attacker removed the signature.
      [sealedAnew(whole.subarray(0, signedAt)), /isn't signed: .*--trust-unverified-file/],
      [theirs, /signed with an AUTH_SECRET that isn't known here\. .*EARLIER_AUTH_SECRETS/],
      // With our signature.
      [sealedAnew(Buffer.concat([theirs.subarray(0, sum), ours])), /was changed after it was made/],
    ];
    await using target = await createEmptyDatabase();
    for (const [content, sentence] of cases) {
      writeFileSync(forged, content);
      await expect(restore(target.url, forged)).rejects.toThrow(sentence);
      await expect(restore(target.url, forged)).rejects.toThrow(UnverifiedBackup);
      expect(await sumsOf(target.url)).toEqual({});
    }
    await restore(target.url, forged, { keys: null });
    expect((await sumsOf(target.url))["public.people"]).toMatch(/^3 /);
  });

  test("accepts the key of a configured earlier secret", async () => {
    await using target = await createEmptyDatabase();
    const present = deriveKey("a new secret of the tests", "backups");
    await restore(target.url, file, { keys: [present, KEY] });
    expect((await sumsOf(target.url))["public.people"]).toMatch(/^3 /);
  });

  test("doesn't back up token signing keys, and drops those from older backups", async () => {
    const { tables } = await readBackup(file, { keys: [KEY] });
    expect(tables.find(({ name }) => name === "signing_keys")).toMatchObject({ rows: 0 });
    await using target = await createEmptyDatabase();
    const old = path.join(folder.path, "with-key.plumbline");
    await writeArchive(old, withSigningKey(), { key: KEY });
    await restore(target.url, old);
    expect((await sumsOf(target.url))["v3.signing_keys"]).toMatch(/^0 /);
  });

  test("ends sessions, invitations, password resets, display pairings and links of Slack accounts", async ({
    db,
  }) => {
    await db.asOwner(
      `update sessions set revoked_at = null;
       update password_links set used_at = null, expires_at = now() + interval '6 days'`,
    );
    const open = path.join(folder.path, "open.plumbline");
    await writeBackup(db.ownerUrl, open, BACKUP);
    await using target = await createEmptyDatabase();
    await restore(target.url, open);
    await onDatabase(target.url, async (client) => {
      const { rows } = await client.query(
        `select (select count(*)::int from sessions where revoked_at is null) as sessions,
           (select count(*)::int from sessions) as known,
           (select count(*)::int from password_links where expires_at > now()) as links,
           (select count(*)::int from pairings) as codes,
           (select count(*)::int from slack_accounts) as accounts,
           (select count(*)::int from slack_invitations) as invitations`,
      );
      expect(rows).toEqual([
        { sessions: 0, known: 3, links: 0, codes: 0, accounts: 0, invitations: 0 },
      ]);
    });
  });

  test("pauses whatever acts or grants access, with date and reason, whatever the backup contains", async () => {
    await using target = await createEmptyDatabase();
    await restore(target.url, file);
    await onDatabase(target.url, async (client) => {
      const { rows } = await client.query("select * from pauses where what !~ '^n' order by what");
      const facts = {
        since: new Date(NOW_MS + 1),
        reason: "restored",
        backup_at: new Date(NOW_MS),
      };
      expect(rows).toEqual(
        ["deletions", "deliveries", "displays", "links", "log", "tokens"].map((what) => ({
          what,
          ...facts,
        })),
      );
    });
  });
});

type Json = Record<string, unknown>;

/** The same backup with modified descriptions, as a knowledgeable attacker would produce. */
async function rewrite(name: string, change: (entry: string, json: Json) => Json): Promise<string> {
  const changed = path.join(folder.path, `${name}.plumbline`);
  async function* entries(): AsyncGenerator<Entry> {
    for await (const entry of readArchive(file, { keys: [KEY] })) {
      yield entry.name.endsWith(".json")
        ? {
            name: entry.name,
            bytes: Buffer.from(
              JSON.stringify(change(entry.name, JSON.parse(entry.bytes.toString()) as Json)),
            ),
          }
        : entry;
    }
  }
  await writeArchive(changed, entries(), { key: KEY });
  return changed;
}

/** A backup in which every member is an administrator. */
async function* administrators(): AsyncGenerator<Entry> {
  yield* withRows("grants", (rows) =>
    rows.replaceAll(/\t[^\t]*\tmember\t/g, "\t\\N\tadministrator\t"),
  );
}

/** As made by earlier versions. */
async function* withSigningKey(): AsyncGenerator<Entry> {
  yield* withRows("signing_keys", () => `k1\t\\\\x${"05".repeat(32)}\t2026-03-01\t\\N\n`);
}

/** The same backup with other rows in one table, and a consistent manifest. */
async function* withRows(table: string, change: (rows: string) => string): AsyncGenerator<Entry> {
  let before = "";
  for await (const entry of readArchive(file, { keys: [KEY] })) {
    if (entry.name.includes(`.${table}/`)) before += entry.bytes.toString();
    else if (entry.name !== "manifest.json") yield entry;
    else {
      const bytes = Buffer.from(change(before));
      const manifest = JSON.parse(entry.bytes.toString()) as { tables: Json[] };
      const changed = manifest.tables.find(({ name }) => name === table) ?? {};
      Object.assign(changed, {
        rows: countRows(bytes),
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      });
      yield { name: `${String(changed["schema"])}.${table}/000001.copy`, bytes };
      yield { name: entry.name, bytes: Buffer.from(JSON.stringify(manifest)) };
    }
  }
}

/** A backup with a consistent manifest, but with grants that refer to missing people. */
async function* wrongRows(): AsyncGenerator<Entry> {
  for await (const entry of readArchive(file, { keys: [KEY] })) {
    if (entry.name.startsWith("public.people/")) continue;
    if (entry.name !== "manifest.json") yield entry;
    else {
      const manifest = JSON.parse(entry.bytes.toString()) as { tables: Json[] };
      const people = manifest.tables.find(({ name }) => name === "people");
      Object.assign(people ?? {}, {
        rows: 0,
        bytes: 0,
        sha256: createHash("sha256").digest("hex"),
      });
      yield { name: entry.name, bytes: Buffer.from(JSON.stringify(manifest)) };
    }
  }
}
