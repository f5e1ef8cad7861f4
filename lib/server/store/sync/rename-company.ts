import { sql } from "drizzle-orm";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database, Transaction } from "@/lib/server/store/database";
import { LOCKS } from "@/lib/server/store/locks";

/** Tables that keep the old slug: the audit log is signed and never changed. */
const KEPT: ReadonlySet<string> = new Set(["audit_log", "audit_actions", "audit_heads"]);
/** The app's role may only insert and delete here. */
const APPEND_ONLY = "incident_events";

/** Why nothing was renamed: an app is running, or the new slug has a record or a connection. */
export type RenameRefusal = "running" | "taken" | "unknown";

/**
 * Moves everything recorded of a company to another slug, in one transaction: its record, connection, grants, links,
 * and its entries in rules, displays, tokens and messages. The audit log stays under the old slug.
 * @param nowMs our clock, epoch milliseconds
 * @returns number of moved rows, or why nothing was changed
 */
export function renameCompany(
  { orm }: Pick<Database, "orm">,
  { from, to }: { from: string; to: string },
  nowMs: number,
): Promise<number | RenameRefusal> {
  return orm.transaction(async (tx) => {
    // Held until commit, so that an app that is started meanwhile reads nothing until then.
    const { rows: locks } = await tx.execute<{ is_free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${LOCKS.collector}) as is_free`,
    );
    if (locks[0]?.is_free !== true) return "running";
    const names = await namesOf(tx);
    const name = names.get(from);
    if (name === undefined) return "unknown";
    if (names.has(to)) return "taken";
    const moved = await moveRows(tx, from, to);
    await moveMentions(tx, from, to);
    await appendAudit(tx, to, nowMs, [
      {
        kind: "company",
        actionId: `rename/${nowMs}`,
        event: "rename.asked",
        person: null,
        requestId: null,
        detail: { subject: name, because: `from ${from} to ${to}` },
      },
    ]);
    return moved;
  });
}

/** Names of all companies with a record or a connection made in a browser, by slug. */
async function namesOf(tx: Transaction): Promise<Map<string, string>> {
  const { rows } = await tx.execute<{ slug: string; name: string }>(
    sql`select company as slug, name from connections union all select slug, name from companies`,
  );
  return new Map(rows.map(({ slug, name }) => [slug, name]));
}

async function moveRows(tx: Transaction, from: string, to: string): Promise<number> {
  const { rows: tables } = await tx.execute<{ name: string; columns: string[] }>(sql`
    select c.table_name::text as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    group by c.table_name having 'company' = any (array_agg(c.column_name::text))
    order by c.table_name`);
  let moved = 0;
  for (const { name, columns } of tables) {
    if (KEPT.has(name)) continue;
    const table = sql.identifier(name);
    const { rowCount } =
      name === APPEND_ONLY
        ? await tx.execute(sql`
            with moved as (delete from ${table} where company = ${from} returning *)
            insert into ${table} (${sql.join(
              columns.map((column) => sql.identifier(column)),
              sql`, `,
            )}) select ${sql.join(
              columns.map((column) =>
                column === "company" ? sql`${to}::text` : sql.identifier(column),
              ),
              sql`, `,
            )} from moved`)
        : await tx.execute(sql`update ${table} set company = ${to} where company = ${from}`);
    moved += rowCount ?? 0;
  }
  const { rowCount } = await tx.execute(
    sql`update companies set slug = ${to} where slug = ${from}`,
  );
  return moved + (rowCount ?? 0);
}

/** Where a slug is part of a list or a message. */
async function moveMentions(tx: Transaction, from: string, to: string): Promise<void> {
  await tx.execute(
    sql`update api_tokens set companies = array_replace(companies, ${from}, ${to}) where ${from} = any (companies)`,
  );
  await tx.execute(
    sql`update deliveries set about = array_replace(about, ${from}, ${to}) where ${from} = any (about)`,
  );
  await tx.execute(sql`
    update deliveries set message = message || jsonb_build_object(
      'company', (message -> 'company') || jsonb_build_object('slug', ${to}::text),
      'url', regexp_replace(message ->> 'url', '^(https?://[^/]+)/' || ${from}::text || '($|[/?])', '\\1/' || ${to}::text || '\\2'))
    where message #>> '{company,slug}' = ${from}`);
  const replaced = (list: string) => sql`(
    select jsonb_agg(case when slug = to_jsonb(${from}::text) then to_jsonb(${to}::text) else slug end order by place)
    from jsonb_array_elements(${sql.raw(list)}) with ordinality as of(slug, place))`;
  await tx.execute(sql`
    update displays set settings = jsonb_set(settings, '{companies}', ${replaced("settings -> 'companies'")})
    where jsonb_typeof(settings -> 'companies') = 'array' and settings -> 'companies' ? ${from}`);
  await tx.execute(sql`
    update rules set rule = jsonb_set(rule, '{companies}', ${replaced("rule -> 'companies'")})
    where jsonb_typeof(rule -> 'companies') = 'array' and rule -> 'companies' ? ${from}`);
}
