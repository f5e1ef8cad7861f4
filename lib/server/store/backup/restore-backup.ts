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

/** Where restoring stands: wherever it is killed, the database is as empty as before, or whole. */
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
  /** Holds the migration folders. */
  projectRoot: string;
  /** Those that the file may be signed with; null: it is taken unverified. */
  keys: readonly DerivedKey[] | null;
  /** On our clock, epoch milliseconds. */
  nowMs: number;
  signal?: AbortSignal;
  /** @param doing first the file is checked, then its rows are restored */
  onProgress?: (doing: "check" | "restore", done: Parameters<OnProgress>[0]) => void;
  /** Called at each step, and waited for. */
  onStep?: (step: RestoringStep) => void | Promise<void>;
};

/**
 * Fills an empty database from a backup: the tables are made as they were when it was written, filled, and then
 * brought up to date. What acts on its own is paused in it. All in one transaction.
 * @param open asked once the whole file was checked; connects as whoever is to own the tables
 * @returns the manifest, and the names of tables in the backup that are none of ours
 * @throws BadBackup when the file cannot be restored; Error with a sentence when the database is not empty; Error
 *   of `pg`
 */
export async function restoreBackup(
  open: (manifest: Manifest) => Promise<string>,
  file: string,
  options: RestoreOptions,
): Promise<{ manifest: Manifest; skipped: string[] }> {
  const { log, projectRoot, keys, signal, onProgress = () => {}, onStep = () => {} } = options;
  const migrations = readMigrations(projectRoot);
  let rows = 0;
  const told = (doing: "check" | "restore") => (read: number, of: number) =>
    onProgress(doing, { fraction: read / of, rows });
  const manifest = await readBackup(file, {
    keys,
    signal,
    onBytes: told("check"),
  });
  // Only what is whole can be believed, in this too.
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
    // Migrations name tables of ours without their schema, whatever the role's own path is.
    await client.query("set local search_path = public");
    await onStep("begun");
    await applyMigrations(client, migrationsOf(manifest, migrations));
    const { tables, skipped } = await matchTables(client, file, manifest, theirs);
    const rules = await liftRules(client, [...tables.values()].map(quoted));
    await copyRows(client, file, {
      tables,
      keys,
      signal,
      onBytes: told("restore"),
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
    // What queries are planned by; it would come in its own time.
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

/** Those that the backup's database had. */
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

/** Whatever stands in our schemas already, by its name in SQL: it is somebody else's. */
async function readNames(client: ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<Parameters<typeof quoted>[0]>(
    `select n.nspname::text as schema, c.relname::text as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any ($1)`,
    [[...BACKED_UP_SCHEMAS]],
  );
  return new Set(rows.map(quoted));
}

/** Which table each of the backup's is. Those that the migrations do not make are somebody else's. */
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
 * Takes away, until `putBack`, what would look at each row as it comes: references between tables (checked for
 * all rows at once instead, so that their order is of no importance) and triggers. Rows that migrations wrote go,
 * too: the backup has its own.
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

/** Fills the tables. The file is checked again meanwhile: it may not be what it was. */
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
    // What goes wrong at the other end comes as the end of the filling.
    await Promise.race([new Promise((resolve) => void rows.once("drain", resolve)), ended]);
  }

  await readBackup(file, { keys, signal, onBytes, onRows: take });
  await finish();
}

/** Begins to fill a table. @returns where its rows go, and how many arrived once they ended */
function fill(
  client: ClientBase,
  { columns, ...table }: BackedUpTable,
): { rows: PassThrough; ended: Promise<number> } {
  const names = columns.map(escapeIdentifier).join(", ");
  const copying = client.query(copyFrom(`copy ${quoted(table)} (${names}) from stdin`));
  const rows = new PassThrough();
  const ended = pipeline(rows, copying).then(() => copying.rowCount);
  // It is waited for where the rows come from.
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
 * What was let in since may have been ended since: sessions, invitations, resets and codes of displays end, and a
 * signing key that an older backup holds goes, so that the v3 service makes a new one.
 */
async function endWhatWasOpen(client: ClientBase): Promise<void> {
  await client.query("update public.sessions set revoked_at = now() where revoked_at is null");
  await client.query(
    `update public.password_links set expires_at = least(expires_at, created_at) where used_at is null`,
  );
  await client.query("delete from public.pairings");
  for (const table of NOT_BACKED_UP) await client.query(`delete from ${table}`);
}

/** Nothing acts on its own in a database that was set back, until somebody has looked at it. */
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
