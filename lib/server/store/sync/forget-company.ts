import { escapeIdentifier } from "pg";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import type { Database } from "@/lib/server/store/database";

/** What is kept of a company whose record goes: what people did there, which nothing ever removes. */
const KEPT = ["audit_log", "audit_actions", "audit_heads"];
/** Short enough to keep nobody waiting who writes beside it. */
const BATCH_ROWS = 10_000;
/** Whoever was read so lately may be read still, by an app that this process knows nothing of. */
const LATELY_MS = 60 * 60_000;

/** A company of the record, with what tells whether it is read still. */
export type RecordedCompany = {
  slug: string;
  name: string;
  /** When it was first found to be connected no more, epoch milliseconds; null: it was not. */
  leftAtMs: number | null;
  /** How long ago it was last read, or was tried to be, by PostgreSQL's clock, milliseconds; null: never. */
  readAgoMs: number | null;
};

/** Every company of the record, by slug. */
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

/** Whether a company is one that some Plumbline may be reading: it was lately, and nobody has seen it leave. */
export function mayBeRead({ leftAtMs, readAgoMs }: RecordedCompany): boolean {
  return leftAtMs === null && readAgoMs !== null && Math.abs(readAgoMs) < LATELY_MS;
}

/**
 * Deletes all that there is of a company, its people's rights to it and its place on displays among it; only the
 * audit log stays, and tells of this. When it is interrupted it can be begun again.
 * @param nowMs our clock, epoch milliseconds
 * @returns how many rows went
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
  // Another company that is called so one day is not to be shown where this one was.
  await pool.query(
    `update displays set settings = jsonb_set(settings, '{companies}', (settings -> 'companies') - $1::text)
     where settings -> 'companies' ? $1`,
    [slug],
  );
  // By its name it is found as long as anything is left.
  const { rowCount } = await pool.query("delete from companies where slug = $1", [slug]);
  return total + (rowCount ?? 0);
}
