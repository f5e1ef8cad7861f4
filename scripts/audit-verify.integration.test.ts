import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createLog } from "@/lib/server/log";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import { openAuditKeys } from "@/lib/server/store/audit/keys";
import { openStore, type Store } from "@/lib/server/store/open-store";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

const AUTH_SECRET = "a secret of the tests only";
const root = fileURLToPath(new URL("..", import.meta.url));

const test = databaseTest();
let dataDir: string;
let store: Store;
test.beforeAll(async ({ db }) => {
  dataDir = mkdtempSync(path.join(tmpdir(), "plumbline-verify-"));
  const log = createLog("silent");
  const keys = openAuditKeys({ dataDir, earlierAuthSecrets: [] }, AUTH_SECRET, log);
  const headFile = path.join(dataDir, "audit-heads.json");
  store = await openStore(
    { databaseUrl: db.database.connectionString, databaseMigrationUrl: null, dataDir },
    { log, audit: { keys, headFile, clock: createManualClock(0) } },
  );
  for (const [at, company] of ["northgate", "harbour", "northgate"].entries()) {
    await store.database.orm.transaction((tx) =>
      appendAudit(tx, company, 0, [{ ...event, actionId: `a/${at}` }]),
    );
  }
  await store.stop();
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
});

const event = {
  kind: "file-deletion",
  event: "delete.asked",
  person: null,
  requestId: null,
  detail: {},
};

type Said = { code: number | null; out: string; err: string };

/**
 * Runs the command without the caller's configuration.
 * @param program Node's arguments to run it
 */
function verify(
  db: TestDatabase,
  given: Record<string, string> = {},
  program: readonly string[] = [testProgram("scripts/audit-verify.ts")],
): Promise<Said> {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    DATA_DIR: dataDir,
    DATABASE_URL: db.database.connectionString,
    AUTH_SECRET,
    ...given,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, program, { cwd: root, env }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** As npm runs it: compiled at each start. */
const BY_NPM = ["--import", "tsx", "scripts/audit-verify.ts"];

test("describes each failure in a sentence without a stack, and changes nothing", async ({
  db,
}) => {
  const intact = "harbour: 1 row, intact\nnorthgate: 2 rows, intact\n";
  const elsewhere = mkdtempSync(path.join(tmpdir(), "plumbline-elsewhere-"));
  const damaged = path.join(elsewhere, "damaged");
  writeFileSync(damaged, "nothing");
  const headFile = path.join(dataDir, "audit-heads.json");
  const [whole, changed, wrongKey, noSecret, wrongHeads, unreachable, nothing, emptied, badUrl] =
    await Promise.all([
      verify(db, {}, BY_NPM),
      // DATA_DIR still has the rows' key.
      verify(db, { AUTH_SECRET: "another secret of the tests" }),
      verify(db, {
        DATA_DIR: elsewhere,
        AUDIT_HEAD_FILE: headFile,
        AUTH_SECRET: "another secret of the tests",
      }),
      verify(db, { AUTH_SECRET: "" }),
      verify(db, { AUDIT_HEAD_FILE: damaged }),
      verify(db, { DATABASE_URL: "postgresql://missing@127.0.0.1:9/nothing" }),
      verify(db, { DATA_DIR: elsewhere, DATABASE_URL: "", AUTH_SECRET: "" }),
      verify(db, { DATA_DIR: elsewhere, DATABASE_URL: "", AUDIT_HEAD_FILE: headFile }),
      verify(db, { DATABASE_URL: "mysql://x" }),
    ]);
  expect(whole).toEqual({ code: 0, out: intact, err: "" });
  expect(changed).toEqual({ code: 0, out: intact, err: "" });
  expect(wrongKey).toMatchObject({ code: 1, err: "" });
  expect(wrongKey.out).toMatch(
    /^harbour: row 1 is signed with key [0-9a-f]{16}, which isn't known/,
  );
  expect(noSecret).toMatchObject({ code: 1, out: "" });
  expect(noSecret.err).toContain("AUTH_SECRET: must be set together with DATABASE_URL");
  expect(wrongHeads).toEqual({
    code: 1,
    out: "",
    err: `${damaged} isn't a record of the audit log.\n`,
  });
  expect(unreachable).toEqual({
    code: 1,
    out: "",
    err: "DATABASE_URL: 127.0.0.1:9: nothing answers there; check that it's running, and the address.\n",
  });
  expect(nothing).toEqual({ code: 0, out: "Nothing has been logged yet.\n", err: "" });
  expect(emptied).toMatchObject({ code: 1, err: "" });
  expect(emptied.out).toMatch(
    /^This database has no audit log, but .* records 3 rows of 2 companies/,
  );
  expect(badUrl.err).toContain("DATABASE_URL: must be an address");
  expect(existsSync(path.join(elsewhere, "postgres"))).toBe(false);
  for (const { err } of [wrongKey, noSecret, wrongHeads, unreachable, emptied, badUrl]) {
    expect(err).not.toMatch(/^ +at /m);
  }
  rmSync(elsewhere, { recursive: true });
});

test("fails if a log was changed", async ({ db }) => {
  await db.asOwner(
    `alter table audit_log disable trigger user;
     update audit_log set detail = '{"a": 1}' where company = 'northgate' and seq = 2`,
  );
  expect(await verify(db)).toEqual({
    code: 1,
    out: "harbour: 1 row, intact\nnorthgate: row 2 was changed after it was written.\n",
    err: "",
  });
});
