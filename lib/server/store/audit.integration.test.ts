import { afterEach, beforeEach, expect, it } from "vitest";
import { appendAudit, checkAudit, type AuditEvent } from "./audit";
import { createTestDatabase, type TestDatabase } from "./test-database";

const NOW_MS = Date.parse("2026-03-02T12:07:00.123Z");

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

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

const append = (company: string, events: readonly AuditEvent[], nowMs = NOW_MS) =>
  test.database.orm.transaction((tx) => appendAudit(tx, company, nowMs, events));

const check = () => checkAudit(test.database);

/** As somebody would who may do everything, and who first takes the trigger away. */
async function tamper(...statements: string[]): Promise<void> {
  await test.asOwner(
    [
      "alter table audit_log disable trigger user",
      ...statements,
      "alter table audit_log enable trigger user",
    ].join("; "),
  );
}

async function northgate(rows: number): Promise<void> {
  for (let at = 1; at <= rows; at++) await append("northgate", [event(`d/${at}`)], NOW_MS + at);
}

it("is whole as it was written, company by company", async () => {
  await append("northgate", [event("d/1"), event("d/2")]);
  await append("harbour", [{ ...event("d/1"), person: null, requestId: null }]);
  await append("northgate", [event("d/3")], NOW_MS + 1);
  expect(await check()).toEqual([
    { company: "harbour", rows: 1, broken: null },
    { company: "northgate", rows: 3, broken: null },
  ]);
});

it("is whole when nothing was written, and adding nothing writes nothing", async () => {
  await append("northgate", []);
  expect(await check()).toEqual([]);
});

it("is whole over more rows than are read at once", async () => {
  await append(
    "northgate",
    Array.from({ length: 2_000 }, (_, at) => event(`d/${at}`)),
  );
  expect(await check()).toEqual([{ company: "northgate", rows: 2_000, broken: null }]);
});

it("takes any detail, whatever order, names and characters it has", async () => {
  const detail = {
    z: 1,
    a: { 10: "ten", 9: "nine", b: [null, 1.5, -0, 1e300, "é\u0301", "a\0b", "\ud800!", "👷"] },
    'quo"te': undefined,
  };
  await append("northgate", [event("d/1", detail), event("d/2")]);
  expect(await check()).toEqual([{ company: "northgate", rows: 2, broken: null }]);
  const { rows } = await test.database.pool.query("select detail from audit_log where seq = 1");
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

it("writes nothing when its transaction does not end", async () => {
  const failing = test.database.orm.transaction(async (tx) => {
    await appendAudit(tx, "northgate", NOW_MS, [event("d/1")]);
    throw new Error("ours");
  });
  await expect(failing).rejects.toThrow("ours");
  expect(await check()).toEqual([]);
  await append("northgate", [event("d/2")]);
  expect(await check()).toEqual([{ company: "northgate", rows: 1, broken: null }]);
});

it("keeps one chain when many write at once", async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      append(at % 4 === 0 ? "harbour" : "northgate", [event(`d/${at}/1`), event(`d/${at}/2`)]),
    ),
  );
  expect(await check()).toEqual([
    { company: "harbour", rows: 20, broken: null },
    { company: "northgate", rows: 60, broken: null },
  ]);
});

it("does not take rows that come while it reads for a fault", async () => {
  await northgate(3);
  const writing = Promise.all(
    Array.from({ length: 20 }, (_, at) => append("northgate", [event(`later/${at}`)])),
  );
  for (let at = 0; at < 5; at++) {
    const [chain] = await check();
    expect(chain).toMatchObject({ company: "northgate", broken: null });
  }
  await writing;
});

for (const [column, change] of [
  ["at", "at = at + interval '1 ms'"],
  ["kind", "kind = 'display'"],
  ["action", "action_id = 'd/9'"],
  ["event", "event = 'delete.sent'"],
  ["person", "person_id = '00000000-0000-4000-8000-000000000000'"],
  ["person's name", "person_name = 'Somebody else'"],
  ["person's address", "person_email = null"],
  ["request", "request_id = 'r-2'"],
  ["detail", `detail = '{"a": 2}'`],
  ["company", "company = 'harbour'"],
] as const) {
  it(`shows a row whose ${column} was changed`, async () => {
    await northgate(3);
    await tamper(`update audit_log set ${change} where seq = 2`);
    const northgates = (await check()).find(({ company }) => company === "northgate");
    expect(northgates).toMatchObject({
      rows: 1,
      broken: column === "company" ? "row 2 is missing" : "row 2 is not what was written",
    });
  });
}

it("shows a row that was changed together with its own hash", async () => {
  await northgate(3);
  await tamper(`update audit_log set hash = repeat('a', 64) where seq = 2`);
  expect(await check()).toEqual([
    { company: "northgate", rows: 1, broken: "row 2 is not what was written" },
  ]);
});

it("shows a row that is missing in the middle", async () => {
  await northgate(4);
  await tamper("delete from audit_log where seq = 2");
  expect(await check()).toEqual([{ company: "northgate", rows: 1, broken: "row 2 is missing" }]);
});

it("shows rows that are missing at the begin", async () => {
  await northgate(3);
  await tamper("delete from audit_log where seq = 1");
  expect(await check()).toEqual([{ company: "northgate", rows: 0, broken: "row 1 is missing" }]);
});

it("shows rows that are missing at the end", async () => {
  await northgate(4);
  await tamper("delete from audit_log where seq > 2");
  expect(await check()).toEqual([
    { company: "northgate", rows: 2, broken: "rows 3 to 4 are missing" },
  ]);
});

it("shows that all rows are missing", async () => {
  await northgate(2);
  await tamper("delete from audit_log");
  expect(await check()).toEqual([
    { company: "northgate", rows: 0, broken: "rows 1 to 2 are missing" },
  ]);
});

it("shows rows in another order, even when their numbers were mended", async () => {
  await northgate(3);
  await tamper(
    "update audit_log set seq = 99 where seq = 1",
    "update audit_log set seq = 1 where seq = 2",
    "update audit_log set seq = 2 where seq = 99",
  );
  expect(await check()).toEqual([
    { company: "northgate", rows: 0, broken: "row 1 is not what was written" },
  ]);
});

it("shows a missing head, and one that points elsewhere", async () => {
  await northgate(2);
  await append("harbour", [event("d/1")]);
  await tamper(
    "delete from audit_heads where company = 'harbour'",
    "update audit_heads set hash = repeat('0', 64)",
  );
  expect(await check()).toEqual([
    { company: "harbour", rows: 0, broken: "the head of the chain is missing" },
    { company: "northgate", rows: 2, broken: "the chain does not end where its head says" },
  ]);
});

it("shows a row that was added past the head", async () => {
  await northgate(2);
  await test.database.pool.query(
    `insert into audit_log (company, seq, at, kind, action_id, event, detail, hash)
     values ('northgate', 3, now(), 'file-deletion', 'd/9', 'delete.asked', '{}', repeat('a', 64))`,
  );
  expect(await check()).toEqual([
    { company: "northgate", rows: 2, broken: "row 3 is not what was written" },
  ]);
});

for (const statement of [
  "update audit_log set request_id = null",
  "delete from audit_log",
  "truncate audit_log",
]) {
  it(`refuses even the owner: ${statement}`, async () => {
    await northgate(1);
    await expect(test.asOwner(statement)).rejects.toThrow("the audit log only grows");
    expect(await check()).toEqual([{ company: "northgate", rows: 1, broken: null }]);
  });
}
