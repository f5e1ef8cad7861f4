import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, vi } from "vitest";
import { migrate } from "@/lib/server/store/connect";
import { createTestDatabase, databaseTest } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";
import { WRITING_STEPS } from "./archive";
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
import { restoreBackup, RESTORING_STEPS } from "./restore-backup";
import { writeBackup } from "./write-backup";

/** `kill -9` at each step of a backup, restore or upgrade. */

const EVENTUALLY = { timeout: 20_000, interval: 20 };
const RESTORE = { log, projectRoot: process.cwd(), keys: [KEY], nowMs: NOW_MS };

const test = databaseTest();
let folder: ReturnType<typeof createFolder>;
test.beforeAll(async ({ db }) => {
  await fillEveryTable(db.ownerUrl);
  folder = createFolder();
});
afterAll(async () => {
  folder[Symbol.dispose]();
});

/** Starts the process and kills it when it prints `here` or, if given, once `isDue`. */
async function kill(args: readonly string[], isDue?: () => Promise<boolean>): Promise<void> {
  const child = spawn(
    process.execPath,
    [testProgram("lib/server/store/backup/killed.fixture.ts"), ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit");
  try {
    if (isDue === undefined) {
      const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
      expect(line).toBe("here");
    } else await vi.waitUntil(isDue, EVENTUALLY);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** PostgreSQL notices a dead client only when it next communicates with it. */
const untilAlone = (url: string) =>
  vi.waitUntil(
    () =>
      onDatabase(url, async (client) => {
        const { rows } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
        return rows.length === 0;
      }),
    EVENTUALLY,
  );

test.for(WRITING_STEPS)(
  "leaves a complete backup or none when killed at step %s, and the next one works",
  { timeout: 60_000 },
  async (step, { db }) => {
    const file = path.join(folder.path, `${step}.plumbline`);
    await kill(["backup", db.ownerUrl, file, step, step === "entry" ? "5" : "1"]);
    expect(existsSync(file)).toBe(step === "renamed");
    if (step === "renamed") await readBackup(file, { keys: [KEY] });
    else {
      await writeBackup(db.ownerUrl, file, BACKUP);
      expect(existsSync(`${file}.partial`)).toBe(false);
    }
  },
);

test.for(RESTORING_STEPS)(
  "leaves the database empty or complete when a restore is killed at step %s",
  { timeout: 60_000 },
  async (step, { db }) => {
    const file = path.join(folder.path, `restored-${step}.plumbline`);
    await writeBackup(db.ownerUrl, file, BACKUP);
    await using target = await createEmptyDatabase();
    await kill(["restore", target.url, file, step, step === "rows" ? "5" : "1"]);
    await untilAlone(target.url);
    if (step !== "committed") {
      expect(await sumsOf(target.url)).toEqual({});
      await restoreBackup(async () => target.url, file, RESTORE);
    }
    const [before, after] = [await sumsOf(db.ownerUrl), await sumsOf(target.url)];
    expect(asTheyWere(after)).toEqual(asTheyWere(before));
    expect(after["public.pauses"]).toMatch(/^9 /);
  },
);

test(
  "leaves the database unchanged when an upgrade is killed, and upgrades it at the next start",
  { timeout: 60_000 },
  async () => {
    const old = await createTestDatabase();
    try {
      const project = path.join(folder.path, "project");
      for (const name of ["lib/server/store/migrations", "lib/v3-service/store/migrations"]) {
        cpSync(name, path.join(project, name), { recursive: true });
      }
      const migrations = path.join(project, "lib/server/store/migrations");
      const journalFile = path.join(migrations, "meta/_journal.json");
      const journal = JSON.parse(readFileSync(journalFile, "utf8")) as { entries: object[] };
      journal.entries.push({ idx: 90, when: 9e12, tag: "0090_first", breakpoints: true });
      journal.entries.push({ idx: 91, when: 9e12 + 1, tag: "0091_second", breakpoints: true });
      writeFileSync(journalFile, JSON.stringify(journal));
      writeFileSync(path.join(migrations, "0090_first.sql"), "create table first (id int)");
      const second = path.join(migrations, "0091_second.sql");
      // Blocks until it is killed.
      writeFileSync(second, "create table second (id int); select pg_advisory_lock(4711)");
      await onDatabase(old.ownerUrl, async (client) => {
        await client.query("select pg_advisory_lock(4711)");
        await kill(["upgrade", old.ownerUrl, project], async () => {
          const { rows } = await client.query(
            "select from pg_stat_activity where wait_event = 'advisory' and query like '%4711%' and datname = current_database()",
          );
          return rows.length > 0;
        });
      });
      await untilAlone(old.ownerUrl);
      const found = () =>
        onDatabase(old.ownerUrl, async (client) => {
          const { rows } = await client.query(
            "select to_regclass('first')::text as first, to_regclass('second')::text as second",
          );
          return rows as unknown[];
        });
      expect(await found()).toEqual([{ first: null, second: null }]);
      writeFileSync(second, "create table second (id int)");
      await migrate({ connectionString: old.ownerUrl }, { log, projectRoot: project });
      expect(await found()).toEqual([{ first: "first", second: "second" }]);
    } finally {
      await old.drop();
    }
  },
);
