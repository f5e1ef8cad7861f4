import { and, count, desc, eq, gt, isNotNull, isNull, lt, max, or, sql } from "drizzle-orm";
import { exactInstantMs } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { foldText } from "@/lib/domain/text/fold-text";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { Database, Orm } from "@/lib/server/store/database";
import { fileIndexes, scheduleFiles } from "@/lib/server/store/schema/files";
import { fileKeys } from "./file-keys";
import { toStorable } from "@/lib/server/store/storable";

/** Writes the mirror of each company's schedule files, and its progress. */

/** Range supported by both PostgreSQL and `toISOString`: the years 1 to 9999. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * What is dated further ahead was stored before our clock was set back: it says nothing about the order of events, and
 * nothing that is planned is due so late.
 */
export const MAX_AHEAD_MS = 10 * MINUTE_MS;

/**
 * Stores files from a page (or a single read) of upstream. A file found gone after that request started stays
 * gone, because the page is older.
 * @param seen.scan the current or last scan of `fileIndexes`; 0 before the first
 * @param seen.requestedMs our clock before the request was sent
 * @param seen.nowMs our clock now
 * @returns number of files that weren't known to exist
 */
export async function upsertFiles(
  orm: Orm,
  company: string,
  files: readonly ReadScheduleFile[],
  seen: { scan: number; requestedMs: number; nowMs: number },
): Promise<number> {
  // The last of duplicate ids wins, because a statement must not update a row twice.
  const rows = [...new Map(toStorable(files).map((file) => [file.id, file])).values()].map(rowOf);
  if (rows.length === 0) return 0;
  const at = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  const { rows: counted } = await orm.execute<{ fresh: number }>(sql`
    with page as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as page(
        id bigint, name text, is_baseline boolean, file_type text, project_id bigint, project_name text,
        partner_token_id bigint, uploaded_at timestamptz, given jsonb, search_text text, look_key text,
        series_key text)
    ), known as (
      select 1 from ${scheduleFiles} as known
      where company = ${company} and gone_at is null and id in (select id from page)
    ), written as (
      insert into ${scheduleFiles} as was (company, id, name, is_baseline, file_type, project_id, project_name,
        partner_token_id, uploaded_at, given, search_text, look_key, series_key, first_seen_at, last_seen_at,
        seen_in_walk)
      select ${company}, id, name, is_baseline, file_type, project_id, project_name, partner_token_id,
        uploaded_at, given, search_text, look_key, series_key, ${at(seen.nowMs)}, ${at(seen.nowMs)}, ${seen.scan}
      from page
      order by id
      on conflict (company, id) do update set
        name = excluded.name, is_baseline = excluded.is_baseline, file_type = excluded.file_type,
        project_id = excluded.project_id, project_name = excluded.project_name,
        partner_token_id = excluded.partner_token_id, uploaded_at = excluded.uploaded_at,
        given = excluded.given, search_text = excluded.search_text, look_key = excluded.look_key,
        series_key = excluded.series_key,
        last_seen_at = case when was.last_seen_at > ${at(seen.nowMs + MAX_AHEAD_MS)}
          then excluded.last_seen_at else greatest(was.last_seen_at, excluded.last_seen_at) end,
        seen_in_walk = greatest(was.seen_in_walk, excluded.seen_in_walk), gone_at = null
      where was.gone_at is null or was.gone_at < ${at(seen.requestedMs)}
        or was.gone_at > ${at(seen.nowMs + MAX_AHEAD_MS)}
    )
    select ((select count(*) from page) - (select count(*) from known))::int as fresh`);
  return counted[0]?.fresh ?? 0;
}

/** Column values derived from the file, by column name. */
function rowOf(file: ReadScheduleFile) {
  const { customer_project: project } = file;
  // Text that isn't an instant sorts before everything.
  const exactMs = exactInstantMs(file.created_at) ?? FIRST_MS;
  const uploadedMs = Math.min(Math.max(exactMs, FIRST_MS), LAST_MS);
  return {
    id: file.id,
    name: file.name,
    is_baseline: file.is_baseline,
    file_type: indexedType(file.file_type),
    project_id: project?.id ?? null,
    project_name: project?.name ?? null,
    partner_token_id: file.partner_token_id,
    uploaded_at: new Date(uploadedMs).toISOString(),
    given: file,
    search_text: `${start(foldText(file.name), NAME_LENGTH)}\n${start(foldText(project?.name ?? ""), PROJECT_LENGTH)}`,
    ...fileKeys(file),
  };
}

/** Index rows are limited to 2,700 bytes: longer text is stored, but not searched. */
const NAME_LENGTH = 400;
const PROJECT_LENGTH = 200;
const TYPE_LENGTH = 50;

/** A `file_type` as stored in the mirror's column, truncated because upstream doesn't limit its length. */
export function indexedType(type: string): string {
  return start(type, TYPE_LENGTH);
}

/** The first `length` UTF-16 code units at most, never splitting a surrogate pair. */
function start(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** When a company's file was last found gone, epoch milliseconds on our clock; null: never. */
export async function readLastGoneMs(orm: Orm, company: string): Promise<number | null> {
  const [row] = await orm
    .select({ at: max(scheduleFiles.goneAt) })
    .from(scheduleFiles)
    .where(and(eq(scheduleFiles.company, company), isNotNull(scheduleFiles.goneAt)));
  return row?.at?.getTime() ?? null;
}

/** Marks a file as gone as of `nowMs` (our clock). Does nothing if it isn't in the mirror or already gone. */
export async function markGone(
  orm: Orm,
  company: string,
  id: number,
  nowMs: number,
): Promise<void> {
  await orm
    .update(scheduleFiles)
    .set({ goneAt: new Date(nowMs) })
    .where(
      and(
        eq(scheduleFiles.company, company),
        eq(scheduleFiles.id, id),
        isNull(scheduleFiles.goneAt),
      ),
    );
}

/** Number of existing files listed by a scan. */
export async function countSeen(orm: Orm, company: string, scan: number): Promise<number> {
  const { rows } = await orm.execute<{ count: number }>(
    sql`select count(*)::int as count from ${scheduleFiles}
        where company = ${company} and gone_at is null and seen_in_walk >= ${scan}`,
  );
  return rows[0]?.count ?? 0;
}

/** A finished scan: its number, and its start and end on our clock. */
type EndedScan = { number: number; startedMs: number; endedMs: number };

/** The newest file that existed when the scan started but wasn't listed by it; null: none. */
export async function readNewestUnseen(
  orm: Orm,
  company: string,
  scan: EndedScan,
): Promise<number | null> {
  const [row] = await orm
    .select({ id: scheduleFiles.id })
    .from(scheduleFiles)
    .where(unseenBy(company, scan))
    .orderBy(desc(scheduleFiles.uploadedAt), desc(scheduleFiles.id))
    .limit(1);
  return row?.id ?? null;
}

/**
 * Marks all files as gone that existed when the scan started but weren't listed by it.
 * @returns number of files
 */
export async function markUnseen(orm: Orm, company: string, scan: EndedScan): Promise<number> {
  const { rowCount } = await orm
    .update(scheduleFiles)
    .set({ goneAt: new Date(scan.endedMs) })
    .where(unseenBy(company, scan));
  return rowCount ?? 0;
}

function unseenBy(company: string, { number, startedMs, endedMs }: EndedScan) {
  return and(
    eq(scheduleFiles.company, company),
    isNull(scheduleFiles.goneAt),
    lt(scheduleFiles.seenInScan, number),
    or(
      lt(scheduleFiles.firstSeenAt, new Date(startedMs)),
      gt(scheduleFiles.firstSeenAt, new Date(endedMs + MAX_AHEAD_MS)),
    ),
  );
}

export type FileIndexState = Omit<typeof fileIndexes.$inferSelect, "company">;

/**
 * Vacuums after a scan, which updates every row: until then, counting visits each of them. Not in a
 * transaction.
 */
export async function tidyFiles({ pool }: Pick<Database, "pool">): Promise<void> {
  await pool.query("vacuum (analyze) schedule_files");
}

/** Progress of a company's mirror; null before the first attempt. */
export async function readFileIndex(orm: Orm, company: string): Promise<FileIndexState | null> {
  const [row] = await orm.select().from(fileIndexes).where(eq(fileIndexes.company, company));
  return row ?? null;
}

/** Number of companies with a scan in progress. */
export async function countScans(orm: Orm): Promise<number> {
  const [row] = await orm
    .select({ count: count() })
    .from(fileIndexes)
    .where(isNotNull(fileIndexes.nextPage));
  return row?.count ?? 0;
}

/** Overwrites the whole row; call only while leading the indexing. */
export async function saveFileIndex(
  orm: Orm,
  company: string,
  state: FileIndexState,
): Promise<void> {
  await orm
    .insert(fileIndexes)
    .values({ ...state, company })
    .onConflictDoUpdate({ target: fileIndexes.company, set: state });
}
