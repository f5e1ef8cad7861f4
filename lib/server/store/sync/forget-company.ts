import { escapeIdentifier } from "pg";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database } from "@/lib/server/store/database";

/** Tables that keep a deleted company's rows: the audit log is never deleted. */
const KEPT = ["audit_log", "audit_actions", "audit_heads"];
/** Short enough not to hold up concurrent writers. */
const BATCH_ROWS = 10_000;
/** A company read this recently may still be read by an app that this process doesn't know about. */
const LATELY_MS = 60 * 60_000;

/** A recorded company, with facts that show whether it is still read. */
export type RecordedCompany = {
  slug: string;
  name: string;
  /** When it was first found disconnected, epoch milliseconds; null: connected. */
  leftAtMs: number | null;
  /** Time since the last attempt to read it, by PostgreSQL's clock, milliseconds; null: never. */
  readAgoMs: number | null;
};

/** All recorded companies, by slug. */
export async function readRecord({ pool }: Pick<Database, "pool">): Promise<RecordedCompany[]> {
  const { rows } = await pool.query<{
    slug: string;
    name: string;
    left_at: Date | null;
    read_ago: string | null;
  }>(
    `select c.slug, c.name, c.left_at,
       extract(epoch from clock_timestamp() - s.last_attempt_at) * 1000 as read_ago
     from companies c left join company_state s on s.company = c.slug order by c.slug`,
  );
  return rows.map(({ slug, name, left_at, read_ago }) => ({
    slug,
    name,
    leftAtMs: left_at?.getTime() ?? null,
    readAgoMs: read_ago === null ? null : Number(read_ago),
  }));
}

/** Whether an app may still be reading a company: it was read recently and never found disconnected. */
export function mayBeRead({ leftAtMs, readAgoMs }: RecordedCompany): boolean {
  return leftAtMs === null && readAgoMs !== null && Math.abs(readAgoMs) < LATELY_MS;
}

/**
 * Deletes all data of a company, including grants for it and its entries in tokens, rules and display
 * settings; only the audit log stays, and records the deletion. Safe to repeat after an interruption.
 * @param nowMs our clock, epoch milliseconds
 * @returns number of deleted rows
 */
export async function forgetCompany(
  database: Database,
  { slug, name }: Pick<RecordedCompany, "slug" | "name">,
  nowMs: number,
): Promise<number> {
  const { orm, pool } = database;
  await orm.transaction((tx) =>
    appendAudit(tx, slug, nowMs, [
      {
        kind: "company",
        actionId: `forget/${nowMs}`,
        event: "forget.asked",
        person: null,
        requestId: null,
        detail: { subject: name },
      },
    ]),
  );
  const rows = await deleteRecordOf(database, slug);
  // Deleted last, so that the company can be found until the deletion is complete.
  const { rowCount } = await pool.query("delete from companies where slug = $1", [slug]);
  return rows + (rowCount ?? 0);
}

/**
 * Deletes everything that `forgetCompany` does but the row of the company itself, and logs nothing.
 * @returns number of deleted rows
 */
export async function deleteRecordOf(
  { pool }: Pick<Database, "pool">,
  slug: string,
): Promise<number> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'company' and table_name <> all ($1)
     order by table_name`,
    [KEPT],
  );
  let total = 0;
  for (const { name: table } of tables) {
    const from = escapeIdentifier(table);
    for (;;) {
      const { rowCount } = await pool.query(
        `delete from ${from} where ctid = any (array(select ctid from ${from} where company = $1 limit $2))`,
        [slug, BATCH_ROWS],
      );
      if (rowCount === null || rowCount === 0) break;
      total += rowCount;
    }
  }
  // A later company with the same slug must not be read with these tokens, sent by these rules, or appear on these
  // displays. A token or a rule without companies left is for none.
  await pool.query(
    "update api_tokens set companies = array_remove(companies, $1) where $1 = any (companies)",
    [slug],
  );
  await pool.query(
    `update rules set rule = jsonb_set(rule, '{companies}', (rule -> 'companies') - $1::text)
     where jsonb_typeof(rule -> 'companies') = 'array' and rule -> 'companies' ? $1`,
    [slug],
  );
  await pool.query(
    `update displays set settings = jsonb_set(settings, '{companies}', (settings -> 'companies') - $1::text)
     where settings -> 'companies' ? $1`,
    [slug],
  );
  return total;
}
