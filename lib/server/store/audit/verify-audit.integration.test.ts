import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { appendAudit } from "./append-audit";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { TEST_KEYS } from "./audit-fixture";
import type { Head } from "./check-audit";
import { writeHeadFile } from "./head-file";
import { verifyAudit } from "./verify-audit";

const test = freshDatabaseTest();
let folder: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "plumbline-verify-"));
  file = path.join(folder, "audit-heads.json");
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
});

const append = (db: TestDatabase, company: string, actionId: string) =>
  db.database.orm.transaction((tx) =>
    appendAudit(tx, company, 0, [
      { kind: "display", actionId, event: "pair.asked", person: null, requestId: null, detail: {} },
    ]),
  );

/** Records the heads as they are in the database. */
async function record(db: TestDatabase): Promise<void> {
  const { rows } = await db.database.pool.query<Head & { company: string }>(
    "select company, seq::int as seq, hash from audit_heads",
  );
  const heads = rows.map(({ company, ...head }): [string, Head] => [company, head]);
  await writeHeadFile(file, new Map(heads), () => Promise.resolve());
}

const verify = (db: TestDatabase, keys = TEST_KEYS.known) => verifyAudit(db.database, keys, file);

test("reports per company whether its log is intact", async ({ db }) => {
  expect(await verify(db)).toEqual({ lines: ["Nothing has been logged yet."], isIntact: true });
  await append(db, "northgate", "a/1");
  await append(db, "harbour", "a/2");
  await append(db, "northgate", "a/3");
  await record(db);
  expect(await verify(db)).toEqual({
    lines: ["harbour: 1 row, intact", "northgate: 2 rows, intact"],
    isIntact: true,
  });
  await db.asOwner("update audit_actions set search_text = 'x' where action_id = 'a/2'");
  expect(await verify(db)).toEqual({
    lines: ["harbour: action a/2 was changed in the activity index.", "northgate: 2 rows, intact"],
    isIntact: false,
  });
});

test("reports an empty or different database when rows were recorded", async ({ db }) => {
  await append(db, "northgate", "a/1");
  await append(db, "harbour", "a/2");
  await append(db, "northgate", "a/3");
  await record(db);
  const sentence = `This database has no audit log, but ${file} records 3 rows of 2 companies. It was emptied, or DATABASE_URL or DATA_DIR leads to another one.`;
  const expected = { lines: [sentence], isIntact: false };
  await db.asOwner(
    `alter table audit_log disable trigger user;
     truncate audit_log, audit_heads, audit_actions`,
  );
  expect(await verify(db)).toEqual(expected);
  await db.asOwner("drop table audit_log, audit_heads, audit_actions");
  expect(await verify(db)).toEqual(expected);
  expect(await verifyAudit(null, TEST_KEYS.known, file)).toEqual(expected);
});

test("reports which company's log was emptied", async ({ db }) => {
  await append(db, "northgate", "a/1");
  await append(db, "harbour", "a/2");
  await record(db);
  await db.asOwner(
    `alter table audit_log disable trigger user;
     delete from audit_log where company = 'harbour';
     delete from audit_heads where company = 'harbour';
     delete from audit_actions where company = 'harbour'`,
  );
  expect(await verify(db)).toEqual({
    lines: [`harbour: the log is empty, but ${file} records 1 row.`, "northgate: 1 row, intact"],
    isIntact: false,
  });
});

test("reports a missing or wrong key", async ({ db }) => {
  await append(db, "northgate", "a/1");
  await record(db);
  expect(await verify(db, new Map())).toEqual({
    lines: [
      "There is no key to check the log with. Set AUTH_SECRET, or set DATA_DIR to the folder that holds auth-secret.",
    ],
    isIntact: false,
  });
  expect(await verify(db, new Map([["0123456789abcdef", Buffer.alloc(32)]]))).toEqual({
    lines: [
      `northgate: row 1 is signed with key ${TEST_KEYS.current.id}, which isn't known here: set AUTH_SECRET to the one in use then, or add that to EARLIER_AUTH_SECRETS.`,
    ],
    isIntact: false,
  });
});

test("doesn't call a log intact without a recorded head", async ({ db }) => {
  await append(db, "northgate", "a/1");
  expect(await verify(db)).toEqual({
    lines: [
      "northgate: 1 row, intact",
      `There is no ${file}, so rows missing at the end wouldn't show. Start Plumbline to record them, or set AUDIT_HEAD_FILE to where they are recorded.`,
    ],
    isIntact: false,
  });
});

test.for(["", "{}", "null", '{"format":1,"rows":1,"companies":{"a":{"seq":0,"hash":""}}}', "\0"])(
  "rejects an invalid head record: %j",
  async (content, { db }) => {
    writeFileSync(file, content);
    await expect(verify(db)).rejects.toThrow(`${file} isn't a record of the audit log.`);
  },
);
