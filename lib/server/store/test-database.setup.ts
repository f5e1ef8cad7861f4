import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import type { TestProject } from "vitest/node";
import { migrate, openDatabase } from "./connect";
import { startEmbeddedPostgres } from "./embedded/start-embedded-postgres";
import { runOnServer, withDatabase } from "./test-database";

/** One server for the whole run: TEST_DATABASE_URL, or an embedded one in a temporary directory. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = pino({ level: "warn" });
  const server = await startServer(process.env["TEST_DATABASE_URL"]);
  const run = randomUUID().replaceAll("-", "");
  const template = `plumbline_template_${run}`;
  const appRole = { name: `plumbline_app_${run}`, password: run };
  try {
    await runOnServer(
      server.url,
      `create role ${appRole.name} login password '${appRole.password}'`,
    );
    await runOnServer(server.url, `create database ${template}`);
    const database = await openDatabase(withDatabase(server.url, template), { log });
    try {
      await migrate(database, { log, appRole: { name: appRole.name, isEmbedded: false } });
    } finally {
      await database.close();
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide("testServerUrl", server.url);
  project.provide("testTemplate", template);
  project.provide("testAppRole", appRole);
  return async () => {
    await runOnServer(server.url, `drop database if exists ${template} with (force)`);
    // Fails while databases of killed tests still depend on it.
    await runOnServer(server.url, `drop role if exists ${appRole.name}`).catch(() => {});
    await server.stop();
  };
}

async function startServer(
  given: string | undefined,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (given) return { url: given, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(tmpdir(), "plumbline-test-"));
  const embedded = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: "warn" }),
    // Durability isn't needed: nothing outlives the run.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  return {
    url: embedded.connectionString,
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
