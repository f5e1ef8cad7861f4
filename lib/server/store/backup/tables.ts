import { escapeIdentifier, type ClientBase } from "pg";
import { BACKED_UP_SCHEMAS, type BackedUpTable } from "./manifest";

/** A table of ours, as a database has it now. */
export type Table = Pick<BackedUpTable, "schema" | "name" | "columns"> & {
  /** It has none itself, its parts do. */
  isPartitioned: boolean;
  /** As PostgreSQL guesses; both 0 where it knows nothing. */
  guess: { rows: number; bytes: number };
};

/** What belongs to whoever owns the journal of migrations, and is in our schemas. */
const OURS = `c.relnamespace = n.oid and n.nspname = any ($1)
  and c.relowner = (select relowner from pg_class where oid = to_regclass('drizzle.migrations'))`;

/** Every table of ours by name, without the journals of migrations: those are told by name. */
export async function readTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<
    Pick<Table, "schema" | "name" | "columns" | "isPartitioned"> & { rows: number; bytes: number }
  >(
    `select n.nspname::text as schema, c.relname::text as name, c.relkind = 'p' as "isPartitioned",
       greatest(c.reltuples, 0)::float8 as rows, pg_table_size(c.oid)::float8 as bytes,
       array(
         select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum
       ) as columns
     from pg_class c, pg_namespace n
     where ${OURS} and c.relkind in ('r', 'p') and not c.relispartition
     order by n.nspname, c.relname`,
    [[...BACKED_UP_SCHEMAS]],
  );
  return rows.map(({ rows: count, bytes, ...table }) => ({
    ...table,
    guess: { rows: count, bytes },
  }));
}

/** Every sequence of ours, with the number that it gave last; null: it gave none yet. */
export async function readSequences(
  client: ClientBase,
): Promise<{ schema: BackedUpTable["schema"]; name: string; last: string | null }[]> {
  const { rows } = await client.query<{
    schema: BackedUpTable["schema"];
    name: string;
    last: string | null;
  }>(
    `select n.nspname::text as schema, c.relname::text as name, pg_sequence_last_value(c.oid)::text as last
     from pg_class c, pg_namespace n
     where ${OURS} and c.relkind = 'S'
     order by n.nspname, c.relname`,
    [[...BACKED_UP_SCHEMAS]],
  );
  return rows;
}

/** For SQL. */
export const quoted = ({ schema, name }: Pick<Table, "schema" | "name">) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

/** What rows look like as text must not depend on how a server or a role is set up. */
export const COPY_SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set xmloption = 'content'`;
