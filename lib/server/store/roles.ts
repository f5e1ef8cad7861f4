import { escapeIdentifier, escapeLiteral, type ClientBase } from "pg";
import type { Database } from "./database";

/**
 * Privileges of the app's database role: it reads and writes rows, but may only read and append in the audit
 * log and incident timelines. It owns nothing, so it can neither alter tables nor disable their triggers.
 */

/** Name of the role in the embedded PostgreSQL. */
export const APP_ROLE = "plumbline_app";

/** All of our schemas. */
const SCHEMAS = ["public", "v3"] as const;
/** Schema of the migration journals; read to detect pending migrations. */
const JOURNALS = "drizzle";

/** Tables of `public` with restricted write privileges. */
const GUARDED: Readonly<Record<string, readonly string[]>> = {
  audit_log: ["insert", "select"],
  audit_actions: ["insert", "select", "update (outcome)"],
  audit_heads: ["insert", "select", "update (hash)", "update (seq)"],
  // Append-only, until the company is deleted.
  incident_events: ["delete", "insert", "select"],
};

/** Tables that scans and seeds rewrite entirely, and vacuum afterwards. */
const MAINTAINED = ["public.schedule_files", "v3.sync_configs", "v3.api_calls"];

/**
 * Creates the app role in the embedded PostgreSQL if it is missing.
 * @param password null: roles need none
 */
export async function ensureAppRole(client: ClientBase, password: string | null): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [APP_ROLE]);
  if (rowCount !== 0) return;
  await client.query("begin");
  // PostgreSQL would log a failing statement together with the password in it.
  await client.query("set local log_min_error_statement = panic");
  await client.query(
    `create role ${APP_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
     ${password === null ? "" : `password ${escapeLiteral(password)}`}`,
  );
  // Errors in its statements are in our log; PostgreSQL's would quote row values.
  await client.query(`alter role ${APP_ROLE} set log_min_messages = 'fatal'`);
  await client.query("commit");
}

/**
 * Grants a role what the app needs and revokes the rest; correct privileges are left alone.
 * @param client connected as the owner of our tables; tables of other owners in the same schemas aren't touched
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

/** Parameters: $1 role, $2 our schemas, $3 the journals' schema, $4 guarded tables, $5 maintained tables. */
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

/** Privileges granted directly to a role, by guarded table: `insert`, `update (outcome)`, ... */
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
 * How the current role could alter or bypass the audit log.
 * @returns the first way found, as a clause that ends a sentence; null: none
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
