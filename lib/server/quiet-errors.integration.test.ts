import { inspect } from "node:util";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { createLog } from "./log";
import { inTransaction } from "@/lib/v3-service/store/transaction";
import type { Log as V3Log } from "@/lib/v3-service/log";
import { createPerson } from "./store/people/people";
import { sessions } from "./store/schema/people";
import { databaseTest, type TestDatabase } from "./store/test-database";

const SECRET = "hunter2-in-the-clear";
const PERSON = {
  email: `${SECRET}@example.com`,
  name: SECRET,
  grants: [],
  passwordHash: SECRET,
} as const;

const test = databaseTest();
test.beforeAll(async ({ db }) => {
  await createPerson(db.database.orm, PERSON);
});

/** The output for an error, logged by us and printed with `inspect`. */
function written(error: unknown): { line: string; printed: string } {
  const lines: string[] = [];
  const log: V3Log = createLog("info", { write: (line) => void lines.push(line) });
  log.error({ err: error }, "it failed");
  return { line: lines.join(""), printed: inspect(error, { depth: 10 }) };
}

const session = (id: string, personId: string) => ({
  id,
  personId,
  createdAt: new Date(0),
  expiresAt: new Date(0),
  lastSeenAt: new Date(0),
  address: SECRET,
});

const failing: Record<
  string,
  { work: (db: TestDatabase) => Promise<unknown>; logged: readonly string[] }
> = {
  "a value that is there already": {
    work: (db) => createPerson(db.database.orm, PERSON),
    logged: ['insert into \\"people\\"', "23505", "people_local_email"],
  },
  "a value that a check refuses, in a transaction": {
    work: (db) =>
      db.database.orm.transaction((tx) => createPerson(tx, { ...PERSON, email: `A${SECRET}` })),
    logged: ["23514", "people_email_lower_case"],
  },
  "a missing value among others": {
    work: (db) => db.database.orm.insert(sessions).values(session(SECRET, null as never)),
    logged: ["23502", "person_id"],
  },
  "a value of another type": {
    work: (db) => db.database.orm.insert(sessions).values(session("s", SECRET)),
    logged: ['insert into \\"sessions\\"', "22P02", "invalid input syntax for type uuid"],
  },
  "a value of another type with quotes and lines": {
    work: (db) => db.database.orm.execute(sql`select ${`"a"\n    at b "${SECRET}" \n c`}::uuid`),
    logged: ["22P02", "invalid input syntax for type uuid"],
  },
  "JSON that is none": {
    work: (db) => db.database.pool.query("select $1::jsonb", [`{"${SECRET}`]),
    logged: ["22P02", "invalid input syntax for type json"],
  },
  "a plain statement in a plain transaction": {
    work: (db) =>
      inTransaction(db.database, (client) =>
        client.query("insert into people (email, name, role) values ($1, $1, 'viewer')", [
          PERSON.email,
        ]),
      ),
    logged: ["23505", "people_local_email"],
  },
};

test.for(Object.entries(failing))(
  "writes no bound values for %s",
  async ([, { work, logged }], { db }) => {
    const error = await work(db).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    const { line, printed } = written(error);
    expect(line).not.toContain(SECRET);
    expect(printed).not.toContain(SECRET);
    for (const part of logged) expect(line).toContain(part);
    expect(line).toMatch(/"stack":"at /);
  },
);
