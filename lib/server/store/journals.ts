import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { ClientBase } from "pg";

/** Which migrations exist, which of them a database has, and how they are applied. */

/** One journal per schema, so that each can be migrated independently. */
const JOURNALS = [
  { folder: "lib/server/store/migrations", table: "migrations" },
  { folder: "lib/v3-service/store/migrations", table: "v3_migrations" },
] as const;

type JournalTable = (typeof JOURNALS)[number]["table"];

/** A migration as recorded in a journal, identified by its creation time, epoch milliseconds. */
export type AppliedMigration = { when: number; hash: string };
/** A database's applied migrations by journal, oldest first. */
export type Applied = Readonly<Record<JournalTable, readonly AppliedMigration[]>>;

export type Migration = AppliedMigration & {
  table: JournalTable;
  /** File name without `.sql`. */
  tag: string;
  statements: readonly string[];
};

/**
 * This program's migrations, oldest first within each journal.
 * @param projectRoot absolute
 * @throws Error with a readable message when they are missing
 */
export function readMigrations(projectRoot: string): Migration[] {
  return JOURNALS.flatMap(({ folder, table }) => {
    const migrationsFolder = path.join(/* turbopackIgnore: true */ projectRoot, folder);
    const journal = path.join(migrationsFolder, "meta/_journal.json");
    if (!existsSync(journal)) {
      throw new Error(
        `${migrationsFolder} contains no migrations; start from the project's folder`,
      );
    }
    const { entries } = JSON.parse(readFileSync(journal, "utf8")) as { entries: { tag: string }[] };
    return readMigrationFiles({ migrationsFolder }).map(
      ({ folderMillis: when, hash, sql: statements }, at) => {
        const tag = entries[at]?.tag ?? String(when);
        return { table, tag, when, hash, statements };
      },
    );
  });
}

/** The migrations a database has. A missing journal counts as empty. */
export async function readApplied(client: ClientBase): Promise<Applied> {
  return {
    migrations: await readJournal(client, "migrations"),
    v3_migrations: await readJournal(client, "v3_migrations"),
  };
}

async function readJournal(client: ClientBase, table: JournalTable): Promise<AppliedMigration[]> {
  const name = `drizzle.${table}`;
  const { rows: found } = await client.query("select to_regclass($1) is not null as found", [name]);
  if (found[0]?.found !== true) return [];
  const { rows } = await client.query<{ hash: string; created_at: string }>(
    `select hash, created_at from ${name} order by created_at`,
  );
  return rows.map(({ hash, created_at: when }) => ({ hash, when: Number(when) }));
}

/** Migrations that a database lacks, in the order to apply them. */
export function pendingOf(migrations: readonly Migration[], applied: Applied): Migration[] {
  return migrations.filter(({ table, when }) => when > (applied[table].at(-1)?.when ?? 0));
}

/** Number of unknown migrations in the journal that has most of them. */
export function countUnknown(migrations: readonly Migration[], applied: Applied): number {
  const counts = JOURNALS.map(({ table }) => {
    const known = new Set(migrations.filter((one) => one.table === table).map(({ when }) => when));
    return applied[table].filter(({ when }) => !known.has(when)).length;
  });
  return Math.max(...counts);
}

/** Whether a database was ever migrated. */
export function isUsed(applied: Applied): boolean {
  return JOURNALS.some(({ table }) => applied[table].length > 0);
}

/** Names the migration that failed; the cause is PostgreSQL's error. */
export class MigrationFailed extends Error {
  readonly tag: string;

  constructor(tag: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "MigrationFailed";
    this.tag = tag;
  }
}

/**
 * Applies migrations and records each in its journal.
 * @param client in a transaction that the caller started, so that a failure leaves none of them applied
 * @throws MigrationFailed
 */
export async function applyMigrations(
  client: ClientBase,
  migrations: readonly Migration[],
): Promise<void> {
  if (migrations.length === 0) return;
  await client.query("create schema if not exists drizzle");
  for (const { table } of JOURNALS) {
    await client.query(
      `create table if not exists drizzle.${table} (id serial primary key, hash text not null, created_at bigint)`,
    );
  }
  for (const { table, tag, when, hash, statements } of migrations) {
    try {
      for (const statement of statements) await client.query(statement);
      await client.query(`insert into drizzle.${table} (hash, created_at) values ($1, $2)`, [
        hash,
        when,
      ]);
    } catch (cause) {
      throw new MigrationFailed(tag, cause);
    }
  }
}
