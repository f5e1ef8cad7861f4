import { randomUUID } from "node:crypto";
import { Client } from "pg";
import pino from "pino";
import { inject } from "vitest";
import { openDatabase } from "./connect";
import type { Database } from "./database";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merges into vitest's own interface
  export interface ProvidedContext {
    /** A connection that may create databases. */
    testServerUrl: string;
    /** Name of the migrated database that each test's is copied from. */
    testTemplate: string;
  }
}

/**
 * A fresh database with both schemas migrated, for one test or one file of integration tests.
 * `drop()` closes the pool and removes it.
 */
export async function createTestDatabase(): Promise<{
  database: Database;
  drop(): Promise<void>;
}> {
  const serverUrl = inject("testServerUrl");
  const name = `plumbline_test_${randomUUID().replaceAll("-", "")}`;
  // Copying its files is quicker than writing them through the log.
  const copying = `template ${inject("testTemplate")} strategy file_copy`;
  await runOnServer(serverUrl, `create database ${name} ${copying}`);
  const database = await openDatabase(withDatabase(serverUrl, name), {
    log: pino({ level: "silent" }),
  });
  return {
    database,
    drop: async () => {
      await database.close();
      await runOnServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs one statement outside any transaction, on a connection of its own. */
export async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
