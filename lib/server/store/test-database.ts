import { randomUUID } from "node:crypto";
import { Client } from "pg";
import pino from "pino";
import { inject } from "vitest";
import { TEST_AUDIT } from "./audit/audit-fixture";
import { openDatabase } from "./connect";
import type { Database } from "./database";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merges into vitest's own interface
  export interface ProvidedContext {
    /** A connection that may create databases, and owns what is in them. */
    testServerUrl: string;
    /** The role that the app works as. */
    testAppRole: { name: string; password: string };
    /** Name of the migrated database that each test's is copied from. */
    testTemplate: string;
  }
}

export type TestDatabase = {
  /** As the app uses it: as a role that owns nothing. */
  database: Database;
  /** For `pg`, as the owner of the tables. */
  ownerUrl: string;
  /** Runs one statement as the owner, for what the app may not do. */
  asOwner(statement: string): Promise<void>;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
};

/** A fresh database with both schemas migrated, for one test or one file of integration tests. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("testServerUrl");
  const name = `plumbline_test_${randomUUID().replaceAll("-", "")}`;
  // Copying its files is quicker than writing them through the log.
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

/** The same database as the app's role. */
export function asTestApp(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  const { name, password } = inject("testAppRole");
  url.username = name;
  url.password = password;
  return url.href;
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
