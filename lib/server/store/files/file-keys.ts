import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { seriesOf } from "@/lib/domain/schedules/series";
import { lookOf } from "@/lib/domain/text/look-alike";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { Writer } from "@/lib/server/store/database";
import { scheduleFiles } from "@/lib/server/store/schema/files";

/** Files per transaction. */
const BATCH_ROWS = 1_000;

/** What related files have in common, as digests, because names may be longer than an index row. */
export function fileKeys(file: ReadScheduleFile): {
  look_key: string;
  /** Null: not part of a series. */
  series_key: string | null;
} {
  const { name, customer_project: project, file_type: type, is_baseline: isBaseline } = file;
  return {
    look_key: digest([lookOf(name)]),
    series_key:
      project === null || isBaseline
        ? null
        : digest([project.source, project.id, type, seriesOf(name)]),
  };
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);
}

/** Adds the keys of a company's files that earlier versions stored without them. */
export async function addMissingKeys(writer: Writer, company: string): Promise<void> {
  let left = BATCH_ROWS;
  while (left === BATCH_ROWS) {
    left = await writer.orm.transaction(async (tx) => {
      const { rows } = await tx.execute<{ id: string; given: ReadScheduleFile }>(sql`
        select id, given from ${scheduleFiles}
        where company = ${company} and gone_at is null and look_key is null
        limit ${BATCH_ROWS}`);
      if (rows.length === 0) return 0;
      const keys = rows.map(({ id, given }) => ({ id: Number(id), ...fileKeys(given) }));
      await tx.execute(sql`
        update ${scheduleFiles} as file set look_key = keys.look_key, series_key = keys.series_key
        from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as keys(id bigint, look_key text, series_key text)
        where file.company = ${company} and file.id = keys.id`);
      return rows.length;
    });
  }
}
