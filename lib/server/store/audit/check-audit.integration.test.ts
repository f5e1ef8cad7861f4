import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { appendAudit, type AuditEvent } from "./append-audit";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { TEST_KEYS } from "./audit-fixture";
import { hashOf, UNSIGNED, type ChainRow } from "./chain";
import { checkAudit, type Head } from "./check-audit";
import { deriveAuditKey, keysById } from "./keys";

const NOW_MS = Date.parse("2026-03-02T12:07:00.123Z");
const FILE = "/data/audit-heads.json";

const test = freshDatabaseTest();

const event = (actionId: string, detail: AuditEvent["detail"] = { a: 1 }): AuditEvent => ({
  kind: "file-deletion",
  actionId,
  event: "delete.asked",
  person: {
    id: "8f5b7c2e-4c1f-4f0e-9d2a-3a1b2c3d4e5f",
    name: "Ana Rask",
    email: "ana@example.com",
  },
  requestId: "r-1",
  detail,
});

const outcome = (actionId: string, word: string): AuditEvent => ({
  ...event(actionId, { outcome: word }),
  event: "delete.outcome",
});

const append = (db: TestDatabase, company: string, events: readonly AuditEvent[], nowMs = NOW_MS) =>
  db.database.orm.transaction((tx) => appendAudit(tx, company, nowMs, events));

/** @param heads recorded outside the database; omitted: none recorded */
async function check(db: TestDatabase, heads?: Record<string, Head>) {
  const checks = await checkAudit(db.database, {
    keys: TEST_KEYS.known,
    ...(heads && { recorded: { file: FILE, heads: new Map(Object.entries(heads)) } }),
  });
  return checks.map(({ company, rows, broken }) => ({ company, rows, broken }));
}

/** As an attacker with full database access, who disables the trigger first. */
async function tamper(db: TestDatabase, ...statements: string[]): Promise<void> {
  await db.asOwner(
    [
      "alter table audit_log disable trigger user",
      ...statements,
      "alter table audit_log enable trigger user",
    ].join("; "),
  );
}

async function northgate(db: TestDatabase, rows: number): Promise<void> {
  for (let at = 1; at <= rows; at++) await append(db, "northgate", [event(`d/${at}`)], NOW_MS + at);
}

async function headOf(db: TestDatabase, company: string, seq: number): Promise<Head> {
  const { rows } = await db.database.pool.query<{ hash: string }>(
    "select hash from audit_log where company = $1 and seq = $2",
    [company, seq],
  );
  return { seq, hash: rows[0]?.hash ?? "" };
}

/** Rolls back as if nothing had been written after a row. */
async function setBack(db: TestDatabase, company: string, seq: number): Promise<void> {
  const { hash } = await headOf(db, company, seq);
  await tamper(
    db,
    `delete from audit_log where company = '${company}' and seq > ${seq}`,
    `delete from audit_actions where company = '${company}' and seq > ${seq}`,
    `update audit_heads set seq = ${seq}, hash = '${hash}' where company = '${company}'`,
  );
}

async function rowsOf(db: TestDatabase, company: string): Promise<(ChainRow & { hash: string })[]> {
  const { rows } = await db.database.pool.query<ChainRow & { hash: string; seq: string }>(
    `select company, seq, at, kind, action_id as "actionId", event, person_id as "personId",
       person_name as "personName", person_email as "personEmail", request_id as "requestId", detail,
       key_id as "keyId", hash
     from audit_log where company = $1 order by seq`,
    [company],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** Recomputes hashes, as an attacker would who has everything except the key. */
async function rehash(
  db: TestDatabase,
  company: string,
  hash: (previous: string, row: ChainRow) => string,
) {
  let previous = "0".repeat(64);
  const statements: string[] = [];
  for (const row of await rowsOf(db, company)) {
    previous = hash(previous, row);
    statements.push(
      `update audit_log set hash = '${previous}' where company = '${company}' and seq = ${row.seq}`,
    );
  }
  statements.push(`update audit_heads set hash = '${previous}' where company = '${company}'`);
  await tamper(db, ...statements);
}

describe("intact log", () => {
  test("passes per company", async ({ db }) => {
    await append(db, "northgate", [event("d/1"), event("d/2")]);
    await append(db, "harbour", [{ ...event("d/1"), person: null, requestId: null }]);
    await append(db, "northgate", [event("d/3")], NOW_MS + 1);
    expect(await check(db)).toEqual([
      { company: "harbour", rows: 1, broken: null },
      { company: "northgate", rows: 3, broken: null },
    ]);
  });

  test("passes when empty, and appending nothing writes nothing", async ({ db }) => {
    await append(db, "northgate", []);
    expect(await check(db)).toEqual([]);
  });

  test("passes across read batches, with outcomes far from their requests", async ({ db }) => {
    const many = Array.from({ length: 1_200 }, (_, at) => event(`d/${at}`));
    await append(db, "northgate", many);
    await append(db, "northgate", [
      ...many.map(({ actionId }) => outcome(actionId, "unknown")),
      outcome("d/3", "deleted"),
    ]);
    expect(await check(db)).toEqual([{ company: "northgate", rows: 2_401, broken: null }]);
    await db.asOwner("update audit_actions set outcome = 'unknown' where action_id = 'd/3'");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 2_401, broken: "action d/3 was changed in the activity index" },
    ]);
  });

  test("accepts details with any member order, names and characters", async ({ db }) => {
    const detail = {
      z: 1,
      a: { 10: "ten", 9: "nine", b: [null, 1.5, -0, 1e300, "é\u0301", "a\0b", "\ud800!", "👷"] },
      'quo"te': undefined,
    };
    await append(db, "northgate", [event("d/1", detail), event("d/2")]);
    expect(await check(db)).toEqual([{ company: "northgate", rows: 2, broken: null }]);
    const { rows } = await db.database.pool.query("select detail from audit_log where seq = 1");
    expect(rows).toEqual([
      {
        detail: {
          z: 1,
          a: {
            9: "nine",
            10: "ten",
            b: [null, 1.5, 0, 1e300, "é\u0301", "a\ufffdb", "\ufffd!", "👷"],
          },
        },
      },
    ]);
  });

  test("gets no rows from a transaction that is rolled back", async ({ db }) => {
    const failing = db.database.orm.transaction(async (tx) => {
      await appendAudit(tx, "northgate", NOW_MS, [event("d/1")]);
      throw new Error("ours");
    });
    await expect(failing).rejects.toThrow("ours");
    expect(await check(db)).toEqual([]);
    await append(db, "northgate", [event("d/2")]);
    expect(await check(db)).toEqual([{ company: "northgate", rows: 1, broken: null }]);
  });

  test("stays one chain under concurrent writes", async ({ db }) => {
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        append(db, at % 4 === 0 ? "harbour" : "northgate", [
          event(`d/${at}/1`),
          event(`d/${at}/2`),
        ]),
      ),
    );
    expect(await check(db)).toEqual([
      { company: "harbour", rows: 20, broken: null },
      { company: "northgate", rows: 60, broken: null },
    ]);
  });

  test("can grow while it is checked", async ({ db }) => {
    await northgate(db, 3);
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, at) => append(db, "northgate", [event(`later/${at}`)])),
    );
    for (let at = 0; at < 5; at++) {
      const [chain] = await check(db);
      expect(chain).toMatchObject({ company: "northgate", broken: null });
    }
    await writing;
  });
});

describe("modified row", () => {
  for (const [column, change] of [
    ["at", "at = at + interval '1 ms'"],
    ["kind", "kind = 'display'"],
    ["action", "action_id = 'd/9'"],
    ["event", "event = 'delete.sent'"],
    ["person", "person_id = '00000000-0000-4000-8000-000000000000'"],
    ["person's name", "person_name = 'Another person'"],
    ["person's address", "person_email = null"],
    ["request", "request_id = 'r-2'"],
    ["detail", `detail = '{"a": 2}'`],
    ["company", "company = 'harbour'"],
    ["hash", "hash = repeat('a', 64)"],
  ] as const) {
    test(`is detected in column: ${column}`, async ({ db }) => {
      await northgate(db, 3);
      await tamper(db, `update audit_log set ${change} where seq = 2`);
      const northgates = (await check(db)).find(({ company }) => company === "northgate");
      expect(northgates).toMatchObject({
        rows: 1,
        broken:
          column === "company" ? "row 2 is missing" : "row 2 was changed after it was written",
      });
    });
  }

  test("is detected when all hashes were recomputed without the key", async ({ db }) => {
    await northgate(db, 3);
    await tamper(db, `update audit_log set person_name = 'Another person' where seq = 2`);
    await rehash(db, "northgate", (previous, row) =>
      createHash("sha256")
        .update(`${previous}\n${JSON.stringify(row)}`)
        .digest("hex"),
    );
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 0, broken: "row 1 was changed after it was written" },
    ]);
  });

  test("is detected when all rows were disguised as unsigned ones", async ({ db }) => {
    await northgate(db, 3);
    await tamper(
      db,
      `update audit_log set person_name = 'Another person' where seq = 2`,
      `update audit_log set key_id = '${UNSIGNED}'`,
    );
    await rehash(db, "northgate", (previous, row) => hashOf(previous, row, new Map()) ?? "");
    expect(await check(db)).toEqual([
      {
        company: "northgate",
        rows: 3,
        broken: expect.stringContaining("the rows of an earlier version aren't signed yet"),
      },
    ]);
  });

  test("is detected when it was signed with another key", async ({ db }) => {
    await northgate(db, 3);
    const forged = deriveAuditKey("another secret");
    await tamper(db, `update audit_log set key_id = '${forged.id}' where seq = 3`);
    await rehash(db, "northgate", (previous, row) =>
      row.seq < 3
        ? (hashOf(previous, row, TEST_KEYS.known) ?? "")
        : (hashOf(previous, row, keysById([forged])) ?? ""),
    );
    const [found] = await check(db);
    expect(found).toMatchObject({ rows: 2 });
    expect(found?.broken).toContain(
      `row 3 is signed with key ${forged.id}, which isn't known here`,
    );
  });

  test("is detected when it is unsigned after signed rows", async ({ db }) => {
    await northgate(db, 3);
    await tamper(db, `update audit_log set key_id = '${UNSIGNED}' where seq = 3`);
    await rehash(db, "northgate", (previous, row) => hashOf(previous, row, TEST_KEYS.known) ?? "");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 2, broken: "row 3 isn't signed" },
    ]);
  });

  test("is detected when rows were reordered and renumbered", async ({ db }) => {
    await northgate(db, 3);
    await tamper(
      db,
      "update audit_log set seq = 99 where seq = 1",
      "update audit_log set seq = 1 where seq = 2",
      "update audit_log set seq = 2 where seq = 99",
    );
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 0, broken: "row 1 was changed after it was written" },
    ]);
  });
});

describe("missing rows", () => {
  test("are detected in the middle", async ({ db }) => {
    await northgate(db, 4);
    await tamper(db, "delete from audit_log where seq = 2");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 1, broken: "row 2 is missing" },
    ]);
  });

  test("are detected at the start", async ({ db }) => {
    await northgate(db, 3);
    await tamper(db, "delete from audit_log where seq < 3");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 0, broken: "rows 1 to 2 are missing" },
    ]);
  });

  test("are detected at the end", async ({ db }) => {
    await northgate(db, 4);
    await tamper(db, "delete from audit_log where seq > 2");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 2, broken: "rows 3 to 4 are missing at the end" },
    ]);
  });

  test("are reported before the index entries they leave inconsistent", async ({ db }) => {
    await northgate(db, 2);
    await append(db, "northgate", [outcome("d/1", "deleted")]);
    await tamper(db, "delete from audit_log where seq > 2");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 2, broken: "row 3 is missing at the end" },
    ]);
  });

  test("are detected at the end when the whole database was rolled back", async ({ db }) => {
    await northgate(db, 4);
    const head = await headOf(db, "northgate", 4);
    await setBack(db, "northgate", 2);
    expect(await check(db)).toMatchObject([{ broken: null }]);
    expect(await check(db, { northgate: head })).toEqual([
      {
        company: "northgate",
        rows: 2,
        broken: `rows 3 to 4 are missing at the end: ${FILE} records them`,
      },
    ]);
  });

  test("are detected when others replaced them", async ({ db }) => {
    await northgate(db, 4);
    const head = await headOf(db, "northgate", 4);
    await setBack(db, "northgate", 2);
    for (const id of ["e/3", "e/4", "e/5"]) await append(db, "northgate", [event(id)]);
    expect(await check(db, { northgate: head })).toEqual([
      {
        company: "northgate",
        rows: 3,
        broken: `row 4 isn't the one recorded in ${FILE}: the log was replaced, or this is another database`,
      },
    ]);
  });

  test("are detected when the whole log is empty", async ({ db }) => {
    await northgate(db, 2);
    const head = await headOf(db, "northgate", 2);
    await tamper(db, "delete from audit_log");
    expect(await check(db)).toEqual([
      { company: "northgate", rows: 0, broken: "rows 1 to 2 are missing at the end" },
    ]);
    await db.asOwner("truncate audit_heads, audit_actions");
    expect(await check(db, { northgate: head })).toEqual([
      {
        company: "northgate",
        rows: 0,
        broken: `the log is empty, but ${FILE} records 2 rows`,
      },
    ]);
  });

  test("aren't reported when the recorded head is behind, or lacks a company", async ({ db }) => {
    await northgate(db, 4);
    await append(db, "harbour", [event("d/1")]);
    expect(await check(db, { northgate: await headOf(db, "northgate", 2) })).toEqual([
      { company: "harbour", rows: 1, broken: null },
      { company: "northgate", rows: 4, broken: null },
    ]);
  });
});

describe("head, index and table", () => {
  test("detects a missing or wrong head in the database", async ({ db }) => {
    await northgate(db, 2);
    await append(db, "harbour", [event("d/1")]);
    await db.asOwner("delete from audit_heads where company = 'harbour'");
    await db.asOwner("update audit_heads set hash = repeat('0', 64)");
    const broken = "the log doesn't end where the database says it does";
    expect(await check(db)).toEqual([
      { company: "harbour", rows: 1, broken },
      { company: "northgate", rows: 2, broken },
    ]);
  });

  test.for([
    [3, 2, "row 3 was changed after it was written"],
    [0, 0, "row 0 was never part of the log"],
  ])("detects a forged row %d inserted with the app role", async ([seq, rows, broken], { db }) => {
    await northgate(db, 2);
    await db.database.pool.query(
      `insert into audit_log (company, seq, at, kind, action_id, event, detail, key_id, hash)
       values ('northgate', $1, now(), 'file-deletion', 'd/9', 'delete.asked', '{}', $2, repeat('a', 64))`,
      [seq, TEST_KEYS.current.id],
    );
    expect(await check(db)).toEqual([{ company: "northgate", rows, broken }]);
  });

  test.for([
    ["delete from audit_actions", "action d/1 is missing from the activity index"],
    [
      "delete from audit_actions where action_id = 'd/2'",
      "action d/2 is missing from the activity index",
    ],
    [
      "update audit_actions set search_text = 'another' where action_id = 'd/2'",
      "action d/2 was changed in the activity index",
    ],
    [
      "update audit_actions set person_email = null where action_id = 'd/2'",
      "action d/2 was changed in the activity index",
    ],
    [
      "update audit_actions set asked_at = asked_at - interval '1 day' where action_id = 'd/2'",
      "action d/2 was changed in the activity index",
    ],
    [
      "update audit_actions set outcome = null where action_id = 'd/1'",
      "action d/1 was changed in the activity index",
    ],
    [
      "update audit_actions set seq = 1 where action_id = 'd/2'",
      "action d/2 was changed in the activity index",
    ],
    [
      `insert into audit_actions (company, action_id, seq, asked_at, search_text)
       values ('northgate', 'd/9', 9, now(), '')`,
      "the activity index lists an action that the log doesn't",
    ],
    [
      `insert into audit_actions (company, action_id, seq, asked_at, search_text)
       select 'northgate', 'e/' || n, n, now(), '' from generate_series(1, 2) n`,
      "the activity index lists 2 actions that the log doesn't",
    ],
  ] as const)("detects tampering with the index: %s", async ([statement, broken], { db }) => {
    await northgate(db, 3);
    await append(db, "northgate", [outcome("d/1", "deleted")]);
    expect(await check(db)).toMatchObject([{ broken: null }]);
    await db.asOwner(statement);
    expect(await check(db)).toMatchObject([{ company: "northgate", broken }]);
  });

  for (const statement of [
    "update audit_log set request_id = null",
    "delete from audit_log",
    "truncate audit_log",
  ]) {
    test(`refuses even the owner: ${statement}`, async ({ db }) => {
      await northgate(db, 1);
      await expect(db.asOwner(statement)).rejects.toThrow("the audit log only grows");
      expect(await check(db)).toEqual([{ company: "northgate", rows: 1, broken: null }]);
    });
  }
});
