import { escapeIdentifier, escapeLiteral, type ClientBase } from "pg";
import type { Database } from "./database";

/**
 * What the app's own database role may do: read and write rows, and in the audit log and the timelines of incidents
 * only read and add.
 * It owns nothing, so it can neither change tables nor switch off what guards them.
 */

/** In the embedded PostgreSQL. */
export const APP_ROLE = "plumbline_app";

/** Everything of ours. */
const SCHEMAS = ["public", "v3"] as const;
/** Of migrations: read to see whether any is missing. */
const JOURNALS = "drizzle";

/** Tables of `public` in which not every row may be written as one likes. */
const GUARDED: Readonly<Record<string, readonly string[]>> = {
  audit_log: ["insert", "select"],
  audit_actions: ["insert", "select", "update (outcome)"],
  audit_heads: ["insert", "select", "update (hash)", "update (seq)"],
  // What happened in an incident only grows, until its company is forgotten.
  incident_events: ["delete", "insert", "select"],
};

/** What scans and seeds touch every row of, and clean up after themselves. */
const MAINTAINED = ["public.schedule_files", "v3.sync_configs", "v3.api_calls"];

/**
 * Makes the app's role in the embedded PostgreSQL where it is missing.
 * @param password null: roles need none
 */
export async function ensureAppRole(client: ClientBase, password: string | null): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [APP_ROLE]);
  if (rowCount !== 0) return;
  await client.query("begin");
  // What fails would be in PostgreSQL's log, with the password in it.
  await client.query("set local log_min_error_statement = panic");
  await client.query(
    `create role ${APP_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
     ${password === null ? "" : `password ${escapeLiteral(password)}`}`,
  );
  // What goes wrong in its statements is in our own log; PostgreSQL's would quote the rows.
  await client.query(`alter role ${APP_ROLE} set log_min_messages = 'fatal'`);
  await client.query("commit");
}

/**
 * Gives a role what the app needs and takes away the rest; what is as it should be is left alone.
 * @param client of whoever owns our tables; tables of others in the same schemas are not touched
 */
export async function grantToApp(client: ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(MISSING_GRANTS, [
    role,
    [...SCHEMAS],
    JOURNALS,
    Object.keys(GUARDED).map((table) => `public.${table}`),
    MAINTAINED,
  ]);
  const held = await readGuardedPrivileges(client, role);
  const name = escapeIdentifier(role);
  const statements = [
    ...rows.map(({ statement }) => statement),
    ...Object.entries(GUARDED).flatMap(([table, privileges]) =>
      held.get(table)?.toSorted().join() === privileges.join()
        ? []
        : [
            `revoke all on public.${table} from ${name}`,
            `grant ${privileges.join(", ")} on public.${table} to ${name}`,
          ],
    ),
  ];
  if (statements.length === 0) return;
  await client.query("begin");
  for (const statement of statements) await client.query(statement);
  await client.query("commit");
}

/** $1 the role, $2 our schemas, $3 that of the journals, $4 guarded tables, $5 maintained ones. */
const MISSING_GRANTS = `
  with app as (select $1::name as role),
  schemas as (
    select oid, nspname::text as schema from pg_namespace
    where nspname::text = any ($2::text[] || $3::text)
  ),
  ours as (
    select c.oid, schema, relkind, schema || '.' || relname as name
    from pg_class c join schemas on schemas.oid = relnamespace
    where relkind in ('r', 'p', 'S') and pg_has_role(relowner, 'usage')
  ),
  tables as (select * from ours where relkind <> 'S')
  select format('grant usage on schema %I to %I', schema, role) as statement
  from app, schemas where not has_schema_privilege(role, oid, 'usage')
  union all
  select format('grant select on %s to %I', oid::regclass, role)
  from app, tables where schema = $3 and not has_table_privilege(role, oid, 'select')
  union all
  select format('grant select, insert, update, delete on %s to %I', oid::regclass, role)
  from app, tables
  where schema <> $3 and name <> all ($4::text[])
    and not (has_table_privilege(role, oid, 'select') and has_table_privilege(role, oid, 'insert')
      and has_table_privilege(role, oid, 'update') and has_table_privilege(role, oid, 'delete'))
  union all
  select format('grant usage on sequence %s to %I', oid::regclass, role)
  from app, ours
  where schema <> $3 and case relkind
    when 'S' then not has_sequence_privilege(role, oid, 'usage') end
  union all
  -- Before version 17 only owners may vacuum; there it is left to autovacuum.
  select format('grant maintain on %s to %I', oid::regclass, role)
  from app, tables
  where name = any ($5::text[]) and case
    when current_setting('server_version_num')::int >= 170000
    then not has_table_privilege(role, oid, 'maintain') end
  union all
  -- A temporary table of the same name would take what is written to ours.
  select format('revoke temporary on database %I from public', current_database())
  from app where has_database_privilege(role, current_database(), 'temporary')
  union all
  select 'revoke create on schema public from public'
  from app where has_schema_privilege(role, 'public', 'create')`;

/** What was given to a role itself, by guarded table: `insert`, `update (outcome)`, ... */
async function readGuardedPrivileges(
  client: ClientBase,
  role: string,
): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; privileges: string[] }>(
    `select c.relname as table, array_agg(lower(given.privilege)) as privileges
     from pg_class c cross join lateral (
       select privilege_type as privilege, grantee from aclexplode(c.relacl)
       union all
       select format('%s (%s)', acl.privilege_type, a.attname), acl.grantee
       from pg_attribute a cross join lateral aclexplode(a.attacl) acl
       where a.attrelid = c.oid
     ) given
     where c.relnamespace = 'public'::regnamespace and c.relname = any ($2)
       and given.grantee = (select oid from pg_roles where rolname = $1)
     group by c.relname`,
    [role, Object.keys(GUARDED)],
  );
  return new Map(rows.map(({ table, privileges }) => [table, privileges]));
}

/**
 * How the role that a database is used as could alter or go around the audit log.
 * @returns the first way, as the end of a sentence; null: it cannot
 */
export async function readAuditWeakness({ pool }: Pick<Database, "pool">): Promise<string | null> {
  const { rows } = await pool.query<{ weakness: string }>(`
    with me as (select * from pg_roles where rolname = current_user),
    guarded as (
      select oid, relowner from pg_class
      where relnamespace = 'public'::regnamespace
        and relname in ('audit_log', 'audit_actions', 'audit_heads')
    )
    select 'it is a superuser' as weakness from me where rolsuper
    union all
    select 'it may create roles' from me where rolcreaterole
    union all
    select 'it owns the table' from guarded where pg_has_role(relowner, 'member')
    union all
    select 'it owns the database' from pg_database
    where datname = current_database() and pg_has_role(datdba, 'member')
    union all
    select 'it owns the schema' from pg_namespace
    where nspname = 'public' and pg_has_role(nspowner, 'member')
    union all
    select 'it may change rows' where has_any_column_privilege('public.audit_log', 'update')
      or has_table_privilege('public.audit_log', 'delete, truncate, trigger')
    union all
    select 'it may delete rows' from guarded where has_table_privilege(oid, 'delete, truncate, trigger')
    union all
    select 'it may create tables'
    where has_schema_privilege('public', 'create')
      or has_database_privilege(current_database(), 'create, temporary')
    union all
    select 'it may switch off triggers' where case
      when current_setting('server_version_num')::int >= 150000
      then has_parameter_privilege('session_replication_role', 'set') end
    limit 1`);
  return rows[0]?.weakness ?? null;
}
