import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { escapeIdentifier, type ClientBase } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";
import { ensureTrigrams } from "@/lib/server/store/connect";
import {
  applyMigrations,
  countUnknown,
  pendingOf,
  readMigrations,
  type Migration,
} from "@/lib/server/store/journals";
import { LOCKS } from "@/lib/server/store/locks";
import { whileLocked } from "@/lib/server/store/while-locked";
import { PAUSABLE, UNLOGGED_RESTORE } from "@/lib/domain/pause";
import { BadBackup } from "./archive";
import { readBackup, type RowsEntry } from "./check-backup";
import {
  BACKED_UP_SCHEMAS,
  nameOfTable,
  NOT_BACKED_UP,
  type About,
  type BackedUpTable,
  type Manifest,
} from "./manifest";
import { COPY_SETTINGS, quoted, readSequences, readTables } from "./tables";
import type { OnProgress } from "./write-backup";

/** Steps of a restore: if killed at any of them, the database is as empty as before, or complete. */
export const RESTORING_STEPS = [
  "checked",
  "begun",
  "rows",
  "copied",
  "upgraded",
  "committed",
] as const;
export type RestoringStep = (typeof RESTORING_STEPS)[number];

export type RestoreOptions = {
  log: Log;
  /** Contains the migration folders. */
  projectRoot: string;
  /** Accepted signing keys; null: skips verification of the signature. */
  keys: readonly DerivedKey[] | null;
  /** On our clock, epoch milliseconds. */
  nowMs: number;
  signal?: AbortSignal;
  /** @param doing the file is checked first, then its rows are restored */
  onProgress?: (doing: "check" | "restore", done: Parameters<OnProgress>[0]) => void;
  /** Called and awaited at each step. */
  onStep?: (step: RestoringStep) => void | Promise<void>;
};

/**
 * Restores a backup into an empty database: creates the schema as of the backup, fills it, and then migrates
 * it. Automatic actions are paused afterwards. All in one transaction.
 * @param open called after the whole file was verified; connects as the future owner of the tables
 * @returns the manifest, and the names of tables in the backup that aren't ours
 * @throws BadBackup when the file can't be restored; Error with a readable message when the database isn't
 * empty; Error of `pg`
 */
export async function restoreBackup(
  open: (manifest: Manifest) => Promise<string>,
  file: string,
  options: RestoreOptions,
): Promise<{ manifest: Manifest; skipped: string[] }> {
  const { log, projectRoot, keys, signal, onProgress = () => {}, onStep = () => {} } = options;
  const migrations = readMigrations(projectRoot);
  let rows = 0;
  const progressOf = (doing: "check" | "restore") => (read: number, of: number) =>
    onProgress(doing, { fraction: read / of, rows });
  const manifest = await readBackup(file, {
    keys,
    signal,
    onBytes: progressOf("check"),
  });
  // Only a verified file is believed about its version.
  refuseUnlessKnown(file, manifest, migrations);
  await onStep("checked");
  const connectionString = await open(manifest);
  return whileLocked(connectionString, LOCKS.migration, { log, signal }, async (client) => {
    signal?.throwIfAborted();
    await client.query(COPY_SETTINGS);
    await refuseUnlessEmpty(client, manifest);
    const theirs = await readNames(client);
    await ensureTrigrams(client, log);
    await client.query("begin");
    // Migrations name our tables without a schema, so don't depend on the role's search path.
    await client.query("set local search_path = public");
    await onStep("begun");
    await applyMigrations(client, migrationsOf(manifest, migrations));
    const { tables, skipped } = await matchTables(client, file, manifest, theirs);
    const rules = await liftRules(client, [...tables.values()].map(quoted));
    await copyRows(client, file, {
      tables,
      keys,
      signal,
      onBytes: progressOf("restore"),
      onRows: async (more) => {
        rows += more;
        await onStep("rows");
      },
    });
    await setSequences(client, manifest, theirs);
    await rules.putBack();
    await onStep("copied");
    await applyMigrations(client, pendingOf(migrations, manifest.schema));
    await endWhatWasOpen(client);
    await pauseAll(client, manifest, options.nowMs);
    await onStep("upgraded");
    await client.query("commit");
    await onStep("committed");
    // Statistics for the query planner; autovacuum would collect them only later.
    await client.query("analyze");
    return { manifest, skipped };
  });
}

function refuseUnlessKnown(file: string, about: About, migrations: readonly Migration[]): void {
  if (countUnknown(migrations, about.schema) === 0) return;
  throw new BadBackup(
    `${file} was made by a newer version of Plumbline (build ${about.build}, ${about.created_at}). Restore it with that version, or a later one. Nothing was changed.`,
  );
}

/** The migrations applied in the backup's database. */
function migrationsOf({ schema }: Manifest, migrations: readonly Migration[]): Migration[] {
  return migrations.filter(({ table, when }) => schema[table].some((one) => one.when === when));
}

async function refuseUnlessEmpty(client: ClientBase, { tables }: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select replace(name, '"', '') as name from unnest($1::text[]) as name where to_regclass(name) is not null
     union all
     select relnamespace::regnamespace || '.' || relname from pg_class
     where relnamespace in (to_regnamespace('drizzle'), to_regnamespace('v3')) and relkind in ('r', 'p')
     limit 1`,
    [tables.map(quoted)],
  );
  const [taken] = rows;
  if (taken === undefined) return;
  throw new Error(
    `This database isn't empty: it has the table ${taken.name}. A backup is restored into an empty database only. For the embedded one, stop Plumbline and move the folder postgres in DATA_DIR away (keep the rest of DATA_DIR); otherwise create a new database and set DATABASE_URL. Nothing was changed.`,
  );
}

/** Existing relations in our schemas, by quoted name: not ours. */
async function readNames(client: ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<Parameters<typeof quoted>[0]>(
    `select n.nspname::text as schema, c.relname::text as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any ($1)`,
    [[...BACKED_UP_SCHEMAS]],
  );
  return new Set(rows.map(quoted));
}

/** Matches the backup's tables to ours. Tables not created by our migrations belong to others. */
async function matchTables(
  client: ClientBase,
  file: string,
  manifest: Manifest,
  theirs: ReadonlySet<string>,
): Promise<{ tables: Map<string, BackedUpTable>; skipped: string[] }> {
  const made = (await readTables(client)).filter((table) => !theirs.has(quoted(table)));
  const ours = new Map(made.map((table) => [nameOfTable(table), table]));
  const tables = new Map<string, BackedUpTable>();
  const skipped: string[] = [];
  for (const table of manifest.tables) {
    const name = nameOfTable(table);
    const target = ours.get(name);
    if (target === undefined) skipped.push(name);
    else if (table.columns.toSorted().join() === target.columns.toSorted().join()) {
      tables.set(name, table);
    } else throw unfit(file, name);
  }
  for (const name of ours.keys()) if (!tables.has(name)) throw unfit(file, name);
  return { tables, skipped };
}

const unfit = (file: string, table: string) =>
  new BadBackup(
    `${file} doesn't fit the version that it says it's from: the table ${table} is different. Nothing was changed.`,
  );

/**
 * Removes, until `putBack`, what would run for each row: foreign keys (re-created afterwards, which validates
 * all rows at once, so their order doesn't matter) and triggers. Also deletes rows inserted by migrations,
 * since the backup contains them.
 */
async function liftRules(
  client: ClientBase,
  tables: readonly string[],
): Promise<{ putBack(): Promise<void> }> {
  const { rows: references } = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as rule
     from pg_constraint
     where contype = 'f' and conparentid = 0
       and coalesce(pg_partition_root(conrelid), conrelid) = any ($1::regclass[])
     order by 1, 2`,
    [tables],
  );
  for (const { table, name } of references) {
    await client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`);
  }
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${tables.join(", ")}`);
  return {
    async putBack() {
      for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
      for (const { table, name, rule } of references) {
        await client.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${rule}`);
      }
    },
  };
}

/** Fills the tables, verifying the file again: it may have changed since. */
async function copyRows(
  client: ClientBase,
  file: string,
  options: {
    tables: ReadonlyMap<string, BackedUpTable>;
    keys: readonly DerivedKey[] | null;
    signal: AbortSignal | undefined;
    onBytes: (read: number, of: number) => void;
    onRows: (rows: number) => Promise<void>;
  },
): Promise<void> {
  const { tables, keys, signal, onBytes, onRows } = options;
  let filling: { table: string; rows: PassThrough; ended: Promise<number> } | null = null;

  async function finish(): Promise<void> {
    if (filling === null) return;
    filling.rows.end();
    const rows = await filling.ended;
    filling = null;
    await onRows(rows);
  }
  async function take({ table, bytes }: RowsEntry): Promise<void> {
    const target = tables.get(table);
    if (target === undefined) return;
    if (filling?.table !== table) {
      await finish();
      filling = { table, ...fill(client, target) };
    }
    const { rows, ended } = filling;
    if (rows.write(bytes)) return;
    // An error on the database side rejects `ended`.
    await Promise.race([new Promise((resolve) => void rows.once("drain", resolve)), ended]);
  }

  await readBackup(file, { keys, signal, onBytes, onRows: take });
  await finish();
}

/**
 * Starts filling a table. @returns stream for its rows, and the number of rows copied after the stream has
 * ended
 */
function fill(
  client: ClientBase,
  { columns, ...table }: BackedUpTable,
): { rows: PassThrough; ended: Promise<number> } {
  const names = columns.map(escapeIdentifier).join(", ");
  const copying = client.query(copyFrom(`copy ${quoted(table)} (${names}) from stdin`));
  const rows = new PassThrough();
  const ended = pipeline(rows, copying).then(() => copying.rowCount);
  // Awaited by the caller.
  ended.catch(() => {});
  return { rows, ended };
}

async function setSequences(
  client: ClientBase,
  { sequences }: Manifest,
  theirs: ReadonlySet<string>,
): Promise<void> {
  const last = new Map(sequences.map((one) => [quoted(one), one.last]));
  for (const sequence of await readSequences(client)) {
    const name = quoted(sequence);
    if (theirs.has(name)) continue;
    const value = last.get(name);
    if (value === undefined) await client.query(`alter sequence ${name} restart`);
    else await client.query("select setval($1::regclass, $2::bigint)", [name, value]);
  }
}

/**
 * Access granted in the backup may have been revoked since: ends sessions, invitations, password resets, recovery
 * codes, pairing codes and linked accounts of Slack, and deletes a signing key from an older backup, so that the v3 service generates a new one.
 */
async function endWhatWasOpen(client: ClientBase): Promise<void> {
  await client.query("update public.sessions set revoked_at = now() where revoked_at is null");
  await client.query(
    `update public.password_links set expires_at = least(expires_at, created_at) where used_at is null`,
  );
  // A code that was used since must not work again.
  await client.query("delete from public.recovery_codes");
  await client.query("delete from public.pairings");
  // Those who unlinked theirs since must not act by it again; linking takes a minute.
  await client.query("delete from public.slack_accounts");
  await client.query("delete from public.slack_invitations");
  for (const table of NOT_BACKED_UP) await client.query(`delete from ${table}`);
}

/** Automatic actions wait until an administrator has reviewed the restored state. */
async function pauseAll(client: ClientBase, { created_at: madeAt }: Manifest, nowMs: number) {
  for (const what of [...PAUSABLE, UNLOGGED_RESTORE]) {
    await client.query(
      `insert into public.pauses (what, since, reason, backup_at) values ($1, $2, 'restored', $3)
       on conflict (what) do update
       set since = excluded.since, reason = excluded.reason, backup_at = excluded.backup_at`,
      [what, new Date(nowMs), new Date(madeAt)],
    );
  }
}
