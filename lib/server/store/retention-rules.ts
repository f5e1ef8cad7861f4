import { sql } from "drizzle-orm";
import type { Database, Writer } from "./database";
import type { RecordSize } from "./sync/retention";

/**
 * Retention of finished user actions: their rows are deleted like history. The audit log keeps its record of
 * them.
 */
type RetentionRule = {
  table: string;
  /** SQL for when it ended; null: still open. */
  endedAt: string;
  /** Dependent rows of other tables: deletes those of the common table expression `old`. */
  parts: string;
  key: readonly string[];
};

const RETENTION_RULES = {
  deletions: {
    table: "deletions",
    // Re-reading the file may still resolve an unknown outcome.
    endedAt: `case when state in ('done', 'undone', 'expired') and not exists (
      select from deletion_items i where i.company = t.company and i.deletion_id = t.id and i.outcome = 'unknown'
    ) then finished_at end`,
    parts: `, parts as (
      delete from deletion_items i using old where i.company = old.company and i.deletion_id = old.id
    )`,
    key: ["company", "id"],
  },
  displays: {
    table: "displays",
    endedAt: "coalesce(revoked_at, expires_at)",
    parts: ", parts as (delete from pairings i using old where i.display_id = old.id)",
    key: ["id"],
  },
  deliveries: {
    table: "deliveries",
    // Keeps deliveries about an open incident: its end is still to be notified.
    endedAt: `case when not exists (
      select from incidents i where i.company = t.company and i.id = t.incident_id
        and (i.ended_at is null or i.ended_at > t.settled_at)
    ) then settled_at end`,
    parts: "",
    key: ["seq"],
  },
  pairings: { table: "pairings", endedAt: "expires_at", parts: "", key: ["id"] },
} as const satisfies Record<string, RetentionRule>;

export type FinishedKind = keyof typeof RETENTION_RULES;
export const FINISHED_KINDS = Object.keys(RETENTION_RULES) as readonly FinishedKind[];

/**
 * Counts rows of a kind, and those that ended before `cutoffMs`.
 * @param cutoffMs epoch milliseconds
 */
export async function measureFinished(
  { pool }: Pick<Database, "pool">,
  kind: FinishedKind,
  cutoffMs: number,
): Promise<RecordSize> {
  const { table, endedAt } = RETENTION_RULES[kind];
  const { rows } = await pool.query<{ rows: string; expired: string; oldest: Date | null }>(
    `select count(*) as rows, count(*) filter (where ended_at < $1) as expired, min(ended_at) as oldest
     from (select ${endedAt} as ended_at from ${table} t) of`,
    [new Date(cutoffMs).toISOString()],
  );
  const [of] = rows;
  return {
    rows: Number(of?.rows ?? 0),
    expired: Number(of?.expired ?? 0),
    oldestMs: of?.oldest?.getTime() ?? null,
    isEstimate: false,
  };
}

/**
 * Deletes one batch of rows that ended before `cutoffMs`, oldest first; repeat until it returns 0.
 * @param cutoffMs epoch milliseconds
 * @param batchRows most rows of this kind, not counting dependent rows
 * @returns number of deleted rows of this kind
 */
export async function deleteFinished(
  writer: Writer,
  kind: FinishedKind,
  cutoffMs: number,
  batchRows: number,
): Promise<number> {
  const { table, endedAt, parts, key } = RETENTION_RULES[kind];
  const same = key.map((column) => `t.${column} = old.${column}`).join(" and ");
  const { rowCount } = await writer.orm.transaction((tx) =>
    tx.execute(sql`
      with old as (
        select * from (select ${sql.raw(`${key.join(", ")}, ${endedAt}`)} as ended_at from ${sql.raw(table)} t) of
        where ended_at < ${new Date(cutoffMs).toISOString()} order by ended_at limit ${batchRows}
      )${sql.raw(parts)}
      delete from ${sql.raw(table)} t using old where ${sql.raw(same)}`),
  );
  return rowCount ?? 0;
}
