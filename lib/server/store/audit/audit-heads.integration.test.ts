import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { appendAudit, type AuditEvent } from "./append-audit";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { asTestApp, createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { auditHeads, auditLog } from "@/lib/server/store/schema/audit";
import { TEST_KEYS } from "./audit-fixture";
import { createAuditHeads, type AuditHeads } from "./audit-heads";
import { FIRST_HASH, hashOf as chainHash, UNSIGNED } from "./chain";
import { readHeadFile } from "./head-file";
import { auditKeys, deriveAuditKey, type AuditKeys } from "./keys";

type Instance = {
  database: Database;
  heads: AuditHeads;
  clock: ManualClock;
  /** Log lines without pino's own fields. */
  logged: Record<string, unknown>[];
  stop(): Promise<void>;
};

let test: TestDatabase;
let folder: string;
let file: string;
let instances: Instance[];
beforeEach(async () => {
  test = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), "plumbline-heads-"));
  file = path.join(folder, "kept", "audit-heads.json");
  instances = [];
});
afterEach(async () => {
  for (const instance of instances) await instance.stop();
  await test.drop();
  rmSync(folder, { recursive: true });
});

/** Starts what one process runs for the audit log. */
async function start(keys: AuditKeys = TEST_KEYS): Promise<Instance> {
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const clock = createManualClock(0);
  const instance: Instance = {
    database: await openDatabase(asTestApp(test.ownerUrl), {
      log,
      max: 4,
      audit: { keys, onCommit: () => instance.heads.wake() },
    }),
    heads: { wake: () => {}, settled: async () => {}, stop: async () => {} },
    clock,
    logged,
    async stop() {
      await instance.heads.stop();
      await instance.database.close();
    },
  };
  instance.heads = createAuditHeads({ database: instance.database, keys, file, clock, log });
  await instance.heads.settled();
  instances.push(instance);
  return instance;
}

async function append(instance: Instance, company = "northgate", rows = 1): Promise<void> {
  const events = Array.from({ length: rows }, (): AuditEvent => ({
    kind: "display",
    actionId: crypto.randomUUID(),
    event: "pair.asked",
    person: null,
    requestId: null,
    detail: {},
  }));
  await instance.database.orm.transaction((tx) => appendAudit(tx, company, 0, events));
}

const recorded = async () =>
  Object.fromEntries([...((await readHeadFile(file)) ?? [])].map(([name, { seq }]) => [name, seq]));

async function hashOf(company: string, seq: number): Promise<string> {
  const { rows } = await test.database.pool.query<{ hash: string }>(
    "select hash from audit_log where company = $1 and seq = $2",
    [company, seq],
  );
  return rows[0]?.hash ?? "";
}

/** Deletes the last rows and rolls back everything else in the database to match. */
async function cut(company: string, after: number): Promise<void> {
  await test.asOwner(
    `alter table audit_log disable trigger user;
     delete from audit_log where company = '${company}' and seq > ${after};
     delete from audit_actions where company = '${company}' and seq > ${after};
     update audit_heads set seq = ${after}, hash = '${await hashOf(company, after)}'
     where company = '${company}';
     alter table audit_log enable trigger user`,
  );
}

const errors = ({ logged }: Instance) => logged.filter(({ level }) => level === 50);
const lines = ({ logged }: Instance) => logged.filter(({ msg }) => msg === "audit head");

it("records heads in the file after each commit, with the total number of rows", async () => {
  const instance = await start();
  expect(existsSync(file)).toBe(false);
  await append(instance, "northgate", 3);
  await append(instance, "harbour");
  await instance.heads.settled();
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    format: 1,
    rows: 4,
    companies: {
      harbour: { seq: 1, hash: await hashOf("harbour", 1) },
      northgate: { seq: 3, hash: await hashOf("northgate", 3) },
    },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toEqual(["audit-heads.json"]);
});

it("records nothing for a transaction that is rolled back", async () => {
  const instance = await start();
  const failing = instance.database.orm.transaction(async (tx) => {
    await appendAudit(tx, "northgate", 0, []);
    throw new Error("ours");
  });
  await expect(failing).rejects.toThrow("ours");
  await instance.heads.settled();
  expect(existsSync(file)).toBe(false);
});

it("logs changed heads at most once a second per company, and on stop", async () => {
  const instance = await start();
  for (let row = 1; row <= 5; row += 1) {
    await append(instance);
    await instance.heads.settled();
  }
  await append(instance, "harbour");
  await instance.heads.settled();
  const line = async (company: string, seq: number) => ({
    level: 30,
    company,
    seq,
    hash: await hashOf(company, seq),
    msg: "audit head",
  });
  expect(lines(instance)).toEqual([await line("northgate", 1)]);
  await instance.clock.advance(1_000);
  expect(lines(instance).slice(1)).toEqual([await line("northgate", 5), await line("harbour", 1)]);
  await append(instance);
  await instance.heads.settled();
  expect(lines(instance)).toHaveLength(3);
  await instance.stop();
  expect(lines(instance).slice(3)).toEqual([await line("northgate", 6)]);
});

it("logs nothing at startup when no head has changed", async () => {
  const first = await start();
  await append(first);
  await first.stop();
  const second = await start();
  expect(second.logged).toEqual([]);
});

it("catches up at the next start after a crash between commit and file write", async () => {
  const killed = await start();
  await append(killed);
  await killed.stop();
  const { rows } = await test.database.pool.query("select company from audit_heads");
  expect(rows).toHaveLength(1);
  // Committed by a process that never wrote its file.
  await test.database.orm.transaction((tx) =>
    appendAudit(tx, "northgate", 0, [
      {
        kind: "display",
        actionId: "last",
        event: "pair.asked",
        person: null,
        requestId: null,
        detail: {},
      },
    ]),
  );
  expect(await recorded()).toEqual({ northgate: 1 });
  const next = await start();
  expect(await recorded()).toEqual({ northgate: 2 });
  expect(errors(next)).toEqual([]);
});

it("picks up other instances' rows within a minute", async () => {
  const instance = await start();
  await append(instance);
  const other = await start();
  other.heads.wake = () => {};
  await append(other);
  await instance.heads.settled();
  await instance.clock.advance(60_000);
  await instance.heads.settled();
  expect(await recorded()).toEqual({ northgate: 2 });
});

it("only moves heads forward, with several processes writing the same file", async () => {
  const all = [await start(), await start(), await start()];
  const companies = ["northgate", "harbour", "orchard"];
  const seen: Record<string, number>[] = [];
  // Synchronous: of two overlapping asynchronous reads, the older could finish last.
  const read = () => {
    const written = existsSync(file) ? readFileSync(file, "utf8") : `{ "companies": {} }`;
    const heads = JSON.parse(written) as { companies: Record<string, { seq: number }> };
    return Object.fromEntries(
      Object.entries(heads.companies).map(([name, { seq }]) => [name, seq]),
    );
  };
  const writing = Promise.all(
    all.map(async (instance) => {
      for (let row = 0; row < 12; row += 1) {
        await append(instance, companies[row % 3]);
        seen.push(read());
      }
    }),
  );
  await writing;
  for (const { heads } of all) await heads.settled();
  expect(await recorded()).toEqual({ northgate: 12, harbour: 12, orchard: 12 });
  expect(all.flatMap(errors)).toEqual([]);
  for (const company of companies) {
    const numbers = seen.map((heads) => heads[company] ?? 0);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
  expect(readdirSync(path.dirname(file))).toEqual(["audit-heads.json"]);
});

it("keeps the head of a truncated log, even after it has grown past the head", async () => {
  const instance = await start();
  await append(instance, "northgate", 4);
  await append(instance, "harbour");
  await instance.heads.settled();
  const before = readFileSync(file, "utf8");
  await cut("northgate", 2);
  for (let row = 3; row <= 6; row += 1) {
    await append(instance);
    await instance.heads.settled();
  }
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(errors(instance)).toMatchObject([
    {
      company: "northgate",
      seq: 4,
      msg: expect.stringContaining("does not continue from the row"),
    },
  ]);
  await append(instance, "harbour");
  await instance.heads.settled();
  expect(await recorded()).toEqual({ northgate: 4, harbour: 2 });
});

it("reports that the whole database was replaced", async () => {
  const instance = await start();
  await append(instance, "northgate", 4);
  await instance.stop();
  await test.drop();
  test = await createTestDatabase();
  const other = await start();
  expect(errors(other)).toMatchObject([{ company: "northgate", seq: 4 }]);
  expect(await recorded()).toEqual({ northgate: 4 });
});

it("doesn't move to a row with an invalid signature", async () => {
  const instance = await start();
  await append(instance);
  await instance.heads.settled();
  await instance.database.pool.query(
    `insert into audit_log (company, seq, at, kind, action_id, event, detail, key_id, hash)
     values ('northgate', 2, now(), 'display', 'x', 'pair.asked', '{}', $1, repeat('a', 64))`,
    [TEST_KEYS.current.id],
  );
  instance.heads.wake();
  await instance.heads.settled();
  expect(await recorded()).toEqual({ northgate: 1 });
  expect(errors(instance)).toMatchObject([{ company: "northgate", seq: 1 }]);
});

it("doesn't move to an unsigned row, although its hash is correct", async () => {
  const row = {
    company: "northgate",
    seq: 1,
    at: new Date(0),
    kind: "display",
    actionId: "x",
    event: "pair.asked",
    personId: null,
    personName: null,
    personEmail: null,
    requestId: null,
    detail: {},
    keyId: UNSIGNED,
  };
  const hash = chainHash(FIRST_HASH, row, new Map()) ?? "";
  await test.database.orm.insert(auditLog).values({ ...row, hash });
  await test.database.orm.insert(auditHeads).values({ company: row.company, seq: 1, hash });
  const instance = await start();
  expect(await recorded()).toEqual({});
  await append(instance);
  await instance.heads.settled();
  expect(await recorded()).toEqual({ northgate: 2 });
  expect(errors(instance)).toEqual([]);
});

it("leaves rows signed with another instance's key to that instance", async () => {
  const changed = await start(
    auditKeys(deriveAuditKey("a secret that came later"), [TEST_KEYS.current]),
  );
  const instance = await start();
  changed.heads.wake = () => {};
  await append(changed);
  instance.heads.wake();
  await instance.heads.settled();
  expect(await recorded()).toEqual({});
  expect(errors(instance)).toEqual([]);
});

it("logs heads while the file can't be written, and records them once it can", async () => {
  writeFileSync(path.dirname(file), "a file where the folder should be");
  const instance = await start();
  await append(instance);
  await append(instance);
  await instance.heads.settled();
  expect(errors(instance)).toMatchObject([{ msg: "the head of the audit log was not recorded" }]);
  expect(lines(instance)).toHaveLength(1);
  rmSync(path.dirname(file));
  await instance.clock.advance(60_000);
  await instance.heads.settled();
  expect(await recorded()).toEqual({ northgate: 2 });
});

it("never overwrites a file that isn't a head record", async () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, "not ours");
  const instance = await start();
  await append(instance);
  await instance.heads.settled();
  expect(readFileSync(file, "utf8")).toBe("not ours");
  expect(errors(instance)).toMatchObject([{ file }]);
});

it("resumes after a database outage", async () => {
  const instance = await start();
  await append(instance);
  await instance.heads.settled();
  await test.asOwner("alter table audit_heads rename to audit_heads_away");
  instance.heads.wake();
  await instance.heads.settled();
  instance.heads.wake();
  await instance.heads.settled();
  expect(errors(instance)).toHaveLength(1);
  await test.asOwner("alter table audit_heads_away rename to audit_heads");
  await append(instance);
  await instance.heads.settled();
  expect(await recorded()).toEqual({ northgate: 2 });
});

it("removes temporary files of processes killed while writing", async () => {
  mkdirSync(path.dirname(file));
  writeFileSync(`${file}.8f5b7c2e.tmp`, "half a fi");
  const instance = await start();
  await append(instance);
  await instance.heads.settled();
  expect(readdirSync(path.dirname(file))).toEqual(["audit-heads.json"]);
});
