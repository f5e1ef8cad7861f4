import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { deriveKey } from "@/lib/server/keys";
import { restoreBackup } from "@/lib/server/store/backup/restore-backup";
import { writeBackup } from "@/lib/server/store/backup/write-backup";
import { migrate } from "@/lib/server/store/connect";
import { applyMigrations, readMigrations } from "@/lib/server/store/journals";
import type { Control } from "./database";
import { AUTH_SECRET, silentLog } from "./instance";
import { forgetSince, readPosition, watchRecord } from "./invariants/observations";
import type { SimulatedTime } from "./time";

/** Backups, restores and upgrades, while nothing else uses the database. */
export type Restores = {
  backUp(): Promise<void>;
  /** Restores the last backup into the emptied database; does nothing without one. */
  restore(): Promise<void>;
  /** Goes back to the schema before the last migration, with all rows, and upgrades from there. */
  upgrade(): Promise<void>;
  end(): Promise<void>;
};

/**
 * Backups are restored without the simulation's functions in sight: new tables would take their defaults from
 * PostgreSQL's own clock and random ids.
 */
const SIMULATE_DEFAULTS = `do $$
  declare one record;
  begin
    for one in
      select adrelid::regclass as relation, attname, pg_get_expr(adbin, adrelid) as value
      from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
      where pg_get_expr(adbin, adrelid) ~ '^pg_catalog\\.(gen_random_uuid|now|clock_timestamp)\\(\\)$'
    loop
      execute format('alter table %s alter %I set default %s',
        one.relation, one.attname, replace(one.value, 'pg_catalog.', ''));
    end loop;
  end
$$`;

const EMPTIED = `
  drop schema if exists public, drizzle, v3 cascade;
  create schema public;
`;

export function createRestores(given: {
  connectionString: string;
  control: Control;
  time: Pick<SimulatedTime, "nowMs">;
}): Restores {
  const { connectionString, control, time } = given;
  const log = silentLog();
  const key = deriveKey(AUTH_SECRET, "backups");
  let backups = 0;
  let folder: string | null = null;
  let last: { file: string; position: string } | null = null;
  return {
    async backUp() {
      folder ??= await mkdtemp(path.join(os.tmpdir(), "plumbline-simulation-backups-"));
      backups += 1;
      const file = path.join(folder, `${backups}.backup`);
      await control.beforeStatement();
      await writeBackup(connectionString, file, {
        log,
        key,
        build: "simulation",
        nowMs: time.nowMs(),
      });
      last = { file, position: await readPosition(control) };
    },
    async restore() {
      if (last === null) return;
      const { file, position } = last;
      await control.beforeStatement();
      await control.rows(EMPTIED);
      await restoreBackup(() => Promise.resolve(connectionString), file, {
        log,
        projectRoot: process.cwd(),
        keys: [key],
        nowMs: time.nowMs(),
      });
      await migrate({ connectionString }, { log });
      await control.rows(SIMULATE_DEFAULTS);
      await watchRecord(control);
      await forgetSince(control, position);
    },
    async upgrade() {
      await control.beforeStatement();
      await toPreviousSchema(connectionString);
      await migrate({ connectionString }, { log });
      await watchRecord(control);
    },
    async end() {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the last migration added is dropped, with its rows. */
async function toPreviousSchema(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const own = readMigrations(process.cwd()).filter(({ table }) => table === "migrations");
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query("alter schema public rename to newer");
    await client.query("create schema public");
    await client.query("delete from drizzle.migrations");
    await client.query("set local search_path = public, simulated, newer, pg_catalog");
    await applyMigrations(client, own.slice(0, -1));
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `select older.table_name as name, string_agg(quote_ident(older.column_name), ', ') as columns
       from information_schema.columns older
       join information_schema.columns newer using (table_name, column_name)
       where older.table_schema = 'public' and newer.table_schema = 'newer'
       group by 1 order by 1`,
    );
    await client.query(`truncate ${tables.map(({ name }) => `public.${name}`).join(", ")}`);
    for (const { name, columns } of tables)
      await client.query(
        `insert into public.${name} (${columns}) overriding system value select ${columns} from newer.${name}`,
      );
    const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
      "select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'newer'",
    );
    for (const { name, last } of sequences)
      if (last !== null)
        await client.query("select setval(to_regclass($1), $2::bigint)", [`public.${name}`, last]);
    await client.query("drop schema newer cascade");
    await client.query("commit");
  } finally {
    await client.end();
  }
}
