import { escapeIdentifier, type ClientBase } from "pg";
import { BACKED_UP_SCHEMAS, type BackedUpTable } from "./manifest";

/** One of our tables, as it is in a database now. */
export type Table = Pick<BackedUpTable, "schema" | "name" | "columns"> & {
  /** Has no rows itself; its partitions do. */
  isPartitioned: boolean;
  /** PostgreSQL's estimates; both 0 if it has none. */
  guess: { rows: number; bytes: number };
};

/** Relations in our schemas with the same owner as the migration journal. */
const OURS = `c.relnamespace = n.oid and n.nspname = any ($1)
  and c.relowner = (select relowner from pg_class where oid = to_regclass('drizzle.migrations'))`;

/** All our tables by name, except the migration journals, which are handled separately. */
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

/** All our sequences with their last value; null: never used. */
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

/** Quoted for SQL. */
export const quoted = ({ schema, name }: Pick<Table, "schema" | "name">) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

/** Makes the text format of rows independent of server and role settings. */
export const COPY_SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set xmloption = 'content'`;
