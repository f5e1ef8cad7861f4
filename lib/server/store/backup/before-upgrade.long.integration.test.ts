import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { expect, it } from "vitest";
import { migrate } from "@/lib/server/store/connect";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { applyMigrations, readMigrations } from "@/lib/server/store/journals";
import { openStore } from "@/lib/server/store/open-store";
import { backUpBefore } from "./before-upgrade";
import { createEmptyDatabase, createFolder, KEY, log, NOW_MS, onDatabase } from "./backup-fixture";
import { readBackup } from "./check-backup";
import { backupFolder, nameOfBackup } from "./kept-backups";
import { restoreBackup } from "./restore-backup";

const MIGRATIONS = readMigrations(process.cwd());
const newest = MIGRATIONS.findLast(({ table }) => table === "migrations");
if (newest === undefined) throw new Error("there are no migrations");

/** As left by the previous version, with a row that must not be lost. */
async function leaveOlder(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query("begin");
    await applyMigrations(
      client,
      MIGRATIONS.filter((one) => one !== newest),
    );
    await client.query("insert into sign_in_attempts values ('mine', now(), 7); commit");
  });
}

const kept = (dataDir: string) => readdirSync(backupFolder(dataDir)).toSorted();

it("backs up an embedded database once before upgrading it", async () => {
  using dataDir = createFolder();
  const embedded = await startEmbeddedPostgres({ dataDir: dataDir.path, log });
  await leaveOlder(embedded.connectionString);
  await embedded.stop();
  const config = { databaseUrl: null, databaseMigrationUrl: null, dataDir: dataDir.path };
  for (let start = 1; start <= 2; start += 1) {
    const store = await openStore(config, { log, max: 1, build: "a build", backupKey: KEY });
    const { rows } = await store.database.pool.query(
      "select count, to_regclass('pauses')::text as made from sign_in_attempts",
    );
    expect(rows).toEqual([{ count: 7, made: "pauses" }]);
    await store.stop();
  }
  const [name = "", ...others] = kept(dataDir.path);
  expect(others).toEqual([]);
  expect(name).toMatch(new RegExp(`^before-${newest.tag}-\\d{4}-.*Z\\.plumbline$`));
  const file = path.join(backupFolder(dataDir.path), name);
  expect((await readBackup(file, { keys: [KEY] })).schema.migrations).toHaveLength(
    MIGRATIONS.filter(({ table }) => table === "migrations").length - 1,
  );
  await using target = await createEmptyDatabase();
  await restoreBackup(async () => target.url, file, {
    log,
    projectRoot: process.cwd(),
    keys: [KEY],
    nowMs: 0,
  });
  const restored = await onDatabase(target.url, (client) =>
    client.query("select count from sign_in_attempts"),
  );
  expect(restored.rows).toEqual([{ count: 7 }]);
});

it("makes no backup at the first start", async () => {
  using dataDir = createFolder();
  const config = { databaseUrl: null, databaseMigrationUrl: null, dataDir: dataDir.path };
  await (await openStore(config, { log: pino({ level: "silent" }), max: 1 })).stop();
  expect(readdirSync(dataDir.path)).toEqual(["postgres"]);
});

it("leaves the database unchanged without enough space, and reports how much is needed", async () => {
  using dataDir = createFolder();
  await using old = await createEmptyDatabase();
  await leaveOlder(old.url);
  const start = (measure: () => Promise<number>, nowMs = NOW_MS) =>
    migrate(
      { connectionString: old.url },
      {
        log,
        beforeUpgrade: (client, migration) =>
          backUpBefore(client, migration, {
            connectionString: old.url,
            dataDir: dataDir.path,
            log,
            key: KEY,
            build: "",
            nowMs,
            measure,
          }),
      },
    );
  await expect(start(async () => 199e6)).rejects.toThrow(
    /has to be upgraded, and 2\d\d MB must be free .* 199 MB are\. Free some space and start again\. Nothing was changed\./,
  );
  expect(kept(dataDir.path)).toEqual([]);
  await start(async () => 1e9);
  expect(kept(dataDir.path)).toEqual([nameOfBackup("before", newest.tag, NOW_MS)]);
});

it("keeps three backups of repeatedly failing starts, and no partial ones", async () => {
  using dataDir = createFolder();
  await using old = await createEmptyDatabase();
  await leaveOlder(old.url);
  const options = { connectionString: old.url, dataDir: dataDir.path, log, key: KEY, build: "" };
  for (let start = 0; start < 5; start += 1) {
    if (start > 0) {
      const half = nameOfBackup("before", newest.tag, NOW_MS - 1);
      writeFileSync(path.join(backupFolder(dataDir.path), `${half}.partial`), "half");
    }
    await onDatabase(old.url, (client) =>
      backUpBefore(client, newest, { ...options, nowMs: NOW_MS + start, measure: async () => 1e9 }),
    );
  }
  expect(kept(dataDir.path)).toEqual(
    [2, 3, 4].map((start) => nameOfBackup("before", newest.tag, NOW_MS + start)),
  );
});
