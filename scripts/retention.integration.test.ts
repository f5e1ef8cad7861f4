import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

const root = fileURLToPath(new URL("..", import.meta.url));

const test = databaseTest();
test.beforeAll(async ({ db }) => {
  await db.database.pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     values ('main', 'e', 'rfis', 'Procore', '{}', 'fresh', now());
     insert into landings (company, endpoint_id, landed_at, origin)
     select 'main', 'e', now() - make_interval(days => at * 10), 'observed' from generate_series(1, 20) at`,
  );
});

type Said = { code: number; out: string; err: string };

/** As npm runs it: compiled at each start. */
const BY_NPM = ["--import", "tsx", "scripts/retention.ts"];

/**
 * Runs the command without the caller's configuration.
 * @param program Node's arguments to run it
 */
function retention(
  db: TestDatabase,
  args: readonly string[] = [],
  program: readonly string[] = [testProgram("scripts/retention.ts")],
): Promise<Said> {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    AUTH_SECRET: "a secret of the tests only",
    DATABASE_URL: db.database.connectionString,
    RETENTION_DAYS: "95",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [...program, ...args], { cwd: root, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

test("counts expired rows, rejects an unknown company, and drops expired rows at once on request", async ({
  db,
}) => {
  expect(await retention(db, [], BY_NPM)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^main: 20 rows since .*, 11 of them from before /),
  });
  expect(await retention(db, ["--drop", "elsewhere"])).toMatchObject({
    code: 1,
    err: "There's no history of elsewhere. Companies with history: main.\n",
  });
  expect(await retention(db, ["--drop", "main"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^main: dropped 11 rows from before /),
  });
  expect((await retention(db)).out).toMatch(/^main: 9 rows since .*, 0 of them from before /);
});

test("drops nothing of a company without a closed day, and says why", async ({ db }) => {
  await db.database.pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     values ('young', 'e', 'rfis', 'Procore', '{}', 'fresh', now());
     insert into verdict_changes (company, endpoint_id, changed_at, verdict)
     values ('young', 'e', now() - interval '200 days', 'fresh')`,
  );
  const why = "none to drop, because no day is closed for its report yet";
  expect((await retention(db)).out).toMatch(new RegExp(`^young: 1 row since .*, ${why}$`, "m"));
  expect((await retention(db, ["--drop", "young"])).out).toBe(`young: ${why}\n`);
});
