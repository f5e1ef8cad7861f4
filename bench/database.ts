import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { runOnServer, withDatabase } from "@/lib/server/store/test-database";

/**
 * Provides empty databases of a separate PostgreSQL while `measure` runs. Only reading is measured, so writes aren't
 * durable.
 */
export async function withDatabases<T>(
  count: number,
  measure: (databases: readonly Database[]) => Promise<T>,
): Promise<T> {
  const log = pino({ level: "warn" });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "plumbline-bench-"));
  const databases: Database[] = [];
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      log,
      settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
    });
    try {
      for (let at = 0; at < count; at += 1) {
        const name = `bench_${at}`;
        await runOnServer(server.connectionString, `create database ${name}`);
        const database = await openDatabase(withDatabase(server.connectionString, name), { log });
        databases.push(database);
        await migrate(database, { log });
      }
      return await measure(databases);
    } finally {
      for (const database of databases) await database.close();
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
