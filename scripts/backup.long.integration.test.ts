import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import { openAuditKeys } from "@/lib/server/store/audit/keys";
import {
  createEmptyDatabase,
  createFolder,
  log,
  NOW_MS,
  sumsOf,
} from "@/lib/server/store/backup/backup-fixture";
import { openStore } from "@/lib/server/store/open-store";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

const AUTH_SECRET = "a secret of the tests only";
const root = fileURLToPath(new URL("..", import.meta.url));

const test = databaseTest();
let home: ReturnType<typeof createFolder>;
test.beforeAll(async ({ db }) => {
  home = createFolder();
  await act(db.database.connectionString, home.path, 2);
});
afterAll(async () => {
  home[Symbol.dispose]();
});

/** Performs logged actions as the app does. */
async function act(databaseUrl: string, dataDir: string, times: number): Promise<void> {
  const keys = openAuditKeys({ dataDir, earlierAuthSecrets: [] }, AUTH_SECRET, log);
  const headFile = path.join(dataDir, "audit-heads.json");
  const store = await openStore(
    { databaseUrl, databaseMigrationUrl: null, dataDir },
    { log, audit: { keys, headFile, clock: createManualClock(NOW_MS) } },
  );
  for (let time = 0; time < times; time += 1) {
    await store.database.orm.transaction((tx) =>
      appendAudit(tx, "northgate", NOW_MS, [
        {
          kind: "file-deletion",
          actionId: `${NOW_MS}/${time}/${Math.random()}`,
          event: "delete.asked",
          person: null,
          requestId: null,
          detail: {},
        },
      ]),
    );
  }
  await store.stop();
}

type Said = { code: number | null; out: string; err: string };

/** Runs a command without the caller's configuration. `restored.long.e2e.ts` runs both by npm. */
function command(
  db: TestDatabase,
  name: "backup" | "restore",
  args: string[],
  given: Record<string, string>,
) {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    AUTH_SECRET,
    DATABASE_URL: db.database.connectionString,
    ...given,
  };
  return new Promise<Said>((resolve) => {
    const child = execFile(
      process.execPath,
      [testProgram(`scripts/${name}.ts`), ...args],
      { cwd: root, env },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });
}

test("moves a backup to an empty database, with the head of its audit log", async ({ db }) => {
  const file = path.join(home.path, "moved.plumbline");
  const backup = await command(db, "backup", [file], { DATA_DIR: home.path });
  expect(backup).toMatchObject({ code: 0, err: "" });
  expect(backup.out).toMatch(/^.*moved\.plumbline: 5 rows, [\d.]+ kB\n$/);

  await using target = await createEmptyDatabase();
  using elsewhere = createFolder();
  const place = { DATA_DIR: elsewhere.path, DATABASE_URL: target.url };
  const restored = await command(db, "restore", [file], place);
  expect(restored).toMatchObject({ code: 0, err: "" });
  expect(restored.out).toMatch(
    /^Restored 5 rows as of \S+Z\.\nAudit log:\n {2}northgate: 2 rows, intact\nEveryone is signed out\. .*\nPaused until an administrator resumes them:\n(?: {2}.*\n){5}$/,
  );
  expect(restored.out).toContain("  API tokens, at /settings/tokens\n");
  const heads = path.join(elsewhere.path, "audit-heads.json");
  expect(readFileSync(heads, "utf8")).toBe(
    readFileSync(path.join(home.path, "audit-heads.json"), "utf8"),
  );
  expect((await command(db, "restore", [file], place)).err).toContain("This database isn't empty");

  // Without the secret, a backup is only accepted with an explicit option.
  await using foreign = await createEmptyDatabase();
  using abroad = createFolder();
  const there = {
    DATA_DIR: abroad.path,
    DATABASE_URL: foreign.url,
    AUTH_SECRET: "another secret of the tests",
  };
  const refused = await command(db, "restore", [file], there);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toMatch(/signed with an AUTH_SECRET that isn't known here\..*--trust-unver/);
  const trusted = await command(db, "restore", [file, "--trust-unverified-file"], there);
  expect(trusted.out).toContain("Its signature wasn't checked");

  // In its original place, the recorded head is ahead of the backup and remains.
  await act(db.database.connectionString, home.path, 1);
  await using again = await createEmptyDatabase();
  const behind = await command(db, "restore", [file], {
    DATA_DIR: home.path,
    DATABASE_URL: again.url,
  });
  expect(behind.code).toBe(1);
  expect(behind.out).toContain("row 3 is missing");
  expect(behind.out).toMatch(/restored, but its audit log .* move .*audit-heads\.json away/);
  expect((await sumsOf(again.url))["public.audit_log"]).toMatch(/^2 /);
});

test("describes every failure in a sentence, and leaves no data behind", async ({ db }) => {
  using folder = createFolder();
  const text = path.join(folder.path, "a text");
  writeFileSync(text, "no backup");
  const nowhere = { DATA_DIR: folder.path, DATABASE_URL: "" };
  const [noName, noDatabase, noFile, noBackup, twice, unreachable] = await Promise.all([
    command(db, "backup", [], nowhere),
    command(db, "backup", [path.join(folder.path, "a")], nowhere),
    command(db, "restore", [path.join(folder.path, "b")], nowhere),
    command(db, "restore", [text], nowhere),
    command(db, "backup", [text], { DATA_DIR: home.path }),
    command(db, "backup", [path.join(folder.path, "c")], {
      DATA_DIR: folder.path,
      DATABASE_URL: "postgresql://missing@127.0.0.1:9/nothing",
    }),
  ]);
  expect(noName.err).toBe("Name one file to write the backup to: npm run backup -- FILE\n");
  expect(noDatabase.err).toBe(`There's no database in ${folder.path} yet.\n`);
  expect(noFile.err).toBe(`There is no file ${path.join(folder.path, "b")}.\n`);
  expect(noBackup.err).toBe(`${text} isn't a backup of Plumbline.\n`);
  expect(twice.err).toBe(`${text} already exists. Choose another name.\n`);
  expect(unreachable.err).toMatch(/^DATABASE_URL: 127\.0\.0\.1:9: nothing answers there/);
  for (const said of [noName, noDatabase, noFile, noBackup, twice, unreachable]) {
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).not.toMatch(/^ +at /m);
  }
  for (const name of ["a", "a.partial", "c", "c.partial", "postgres"]) {
    expect(existsSync(path.join(folder.path, name))).toBe(false);
  }
});
