import { randomUUID } from "node:crypto";
import { Client } from "pg";
import pino from "pino";
import { inject, test } from "vitest";
import { TEST_AUDIT } from "./audit/audit-fixture";
import { openDatabase } from "./connect";
import type { Database } from "./database";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merges into vitest's own interface
  export interface ProvidedContext {
    /** Connects as a role that may create databases and owns their contents. */
    testServerUrl: string;
    /** The app role. */
    testAppRole: { name: string; password: string };
    /** Name of the migrated template database that each test's database is copied from. */
    testTemplate: string;
  }
}

export type TestDatabase = {
  /** Connected as the app role, which owns nothing. */
  database: Database;
  /** Connection string as the owner of the tables. */
  ownerUrl: string;
  /** Runs one statement as the owner, for what the app role may not do. */
  asOwner(statement: string): Promise<void>;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
};

/** A fresh database with both schemas migrated, for one test or one file of integration tests. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("testServerUrl");
  const name = `plumbline_test_${randomUUID().replaceAll("-", "")}`;
  // Faster than copying through the write-ahead log.
  const copying = `template ${inject("testTemplate")} strategy file_copy`;
  await runOnServer(serverUrl, `create database ${name} ${copying}`);
  const ownerUrl = withDatabase(serverUrl, name);
  const database = await openDatabase(asTestApp(ownerUrl), {
    log: pino({ level: "silent" }),
    audit: TEST_AUDIT,
  });
  return {
    database,
    ownerUrl,
    asOwner: (statement) => runOnServer(ownerUrl, statement),
    drop: async () => {
      await database.close();
      await runOnServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** The same database as the app role. */
export function asTestApp(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  const { name, password } = inject("testAppRole");
  url.username = name;
  url.password = password;
  return url.href;
}

/** Runs one statement outside any transaction, on a separate connection. */
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

/**
 * `test` with a `db` that all tests of the file share: created when the file first uses it, dropped at the file's end.
 * To be called in each file: vitest cleans up only what the running file has extended.
 */
export const databaseTest = () =>
  test.extend("db", { scope: "file" }, async ({}, { onCleanup }) => {
    const db = await createTestDatabase();
    onCleanup(() => db.drop());
    return db;
  });

/** `test` with a `db` per test, dropped after it. */
export const freshDatabaseTest = () =>
  test.extend("db", async ({}, { onCleanup }) => {
    const db = await createTestDatabase();
    onCleanup(() => db.drop());
    return db;
  });
