import { and, count, desc, eq, isNotNull, isNull, lt, max, sql } from "drizzle-orm";
import { foldText } from "@/lib/domain/text/fold-text";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { Database, Orm } from "@/lib/server/store/database";
import { fileIndexes, scheduleFiles } from "@/lib/server/store/schema/files";
import { toStorable } from "@/lib/server/store/storable";

/** The mirror of each company's schedule files: what is written to it, and how far it goes. */

/** What PostgreSQL and `toISOString` both know: the years 1 to 9999. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * Takes over files that a page (or one read) of upstream's showed.
 * A file that was found gone after that request had begun stays gone: the page is older than the finding.
 * @param seen.scan the scan of `fileIndexes` that is under way or was the last; 0 before the first
 * @param seen.requestedMs our clock before the request was sent
 * @param seen.nowMs our clock now
 * @returns how many of them were not known to be there
 */
export async function upsertFiles(
  orm: Orm,
  company: string,
  files: readonly ReadScheduleFile[],
  seen: { scan: number; requestedMs: number; nowMs: number },
): Promise<number> {
  // Of an id that comes twice the last one counts; a statement must not touch a row twice.
  const rows = [...new Map(toStorable(files).map((file) => [file.id, file])).values()].map(rowOf);
  if (rows.length === 0) return 0;
  const at = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  const { rows: counted } = await orm.execute<{ fresh: number }>(sql`
    with page as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as page(
        id bigint, name text, is_baseline boolean, file_type text, project_id bigint, project_name text,
        partner_token_id bigint, uploaded_at timestamptz, given jsonb, search_text text)
    ), known as (
      select 1 from ${scheduleFiles} as known
      where company = ${company} and gone_at is null and id in (select id from page)
    ), written as (
      insert into ${scheduleFiles} as was (company, id, name, is_baseline, file_type, project_id, project_name,
        partner_token_id, uploaded_at, given, search_text, first_seen_at, last_seen_at, seen_in_walk)
      select ${company}, id, name, is_baseline, file_type, project_id, project_name, partner_token_id,
        uploaded_at, given, search_text, ${at(seen.nowMs)}, ${at(seen.nowMs)}, ${seen.scan}
      from page
      order by id
      on conflict (company, id) do update set
        name = excluded.name, is_baseline = excluded.is_baseline, file_type = excluded.file_type,
        project_id = excluded.project_id, project_name = excluded.project_name,
        partner_token_id = excluded.partner_token_id, uploaded_at = excluded.uploaded_at,
        given = excluded.given, search_text = excluded.search_text,
        last_seen_at = greatest(was.last_seen_at, excluded.last_seen_at),
        seen_in_walk = greatest(was.seen_in_walk, excluded.seen_in_walk), gone_at = null
      where was.gone_at is null or was.gone_at < ${at(seen.requestedMs)}
    )
    select ((select count(*) from page) - (select count(*) from known))::int as fresh`);
  return counted[0]?.fresh ?? 0;
}

/** The columns that a file itself decides, under their names. */
function rowOf(file: ReadScheduleFile) {
  const { customer_project: project } = file;
  const uploadedMs = Math.min(Math.max(Date.parse(file.created_at), FIRST_MS), LAST_MS);
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
  };
}

/** A row of an index has room for 2,700 bytes: what comes after these is kept, but not searched. */
const NAME_LENGTH = 400;
const PROJECT_LENGTH = 200;
const TYPE_LENGTH = 50;

/** A `file_type` as the mirror's column holds it: they are words, but nobody promised that. */
export function indexedType(type: string): string {
  return start(type, TYPE_LENGTH);
}

/** The first `length` UTF-16 units at most, never ending in half a character. */
function start(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** When a file of a company was found gone last, epoch milliseconds on our clock; null: none was. */
export async function readLastGoneMs(orm: Orm, company: string): Promise<number | null> {
  const [row] = await orm
    .select({ at: max(scheduleFiles.goneAt) })
    .from(scheduleFiles)
    .where(and(eq(scheduleFiles.company, company), isNotNull(scheduleFiles.goneAt)));
  return row?.at?.getTime() ?? null;
}

/**
 * Notes that a file is not there any more, as of `nowMs` (our clock). Does nothing for one that is not in
 * the mirror, or was found gone before.
 */
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

/** How many of the files that are there a scan has seen. */
export async function countSeen(orm: Orm, company: string, scan: number): Promise<number> {
  const { rows } = await orm.execute<{ count: number }>(
    sql`select count(*)::int as count from ${scheduleFiles}
        where company = ${company} and gone_at is null and seen_in_walk >= ${scan}`,
  );
  return rows[0]?.count ?? 0;
}

/** A scan that has ended: its number, and when it began on our clock. */
type EndedScan = { number: number; startedMs: number };

/** The newest file that a scan did not see although it was there when the scan began; null: it saw all. */
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
 * Notes that all files are gone that a scan did not see although they were there when it began.
 * @returns how many
 */
export async function markUnseen(
  orm: Orm,
  company: string,
  scan: EndedScan,
  nowMs: number,
): Promise<number> {
  const { rowCount } = await orm
    .update(scheduleFiles)
    .set({ goneAt: new Date(nowMs) })
    .where(unseenBy(company, scan));
  return rowCount ?? 0;
}

function unseenBy(company: string, { number, startedMs }: EndedScan) {
  return and(
    eq(scheduleFiles.company, company),
    isNull(scheduleFiles.goneAt),
    lt(scheduleFiles.seenInScan, number),
    lt(scheduleFiles.firstSeenAt, new Date(startedMs)),
  );
}

export type FileIndexState = Omit<typeof fileIndexes.$inferSelect, "company">;

/**
 * Cleans up after a scan, which touched every row: until then counting has to look at each of them. Not
 * within a transaction.
 */
export async function tidyFiles({ pool }: Pick<Database, "pool">): Promise<void> {
  await pool.query("vacuum (analyze) schedule_files");
}

/** How far a company's mirror goes; null before anything was tried. */
export async function readFileIndex(orm: Orm, company: string): Promise<FileIndexState | null> {
  const [row] = await orm.select().from(fileIndexes).where(eq(fileIndexes.company, company));
  return row ?? null;
}

/** How many companies are being scanned through. */
export async function countScans(orm: Orm): Promise<number> {
  const [row] = await orm
    .select({ count: count() })
    .from(fileIndexes)
    .where(isNotNull(fileIndexes.nextPage));
  return row?.count ?? 0;
}

/** Only whoever leads the indexing writes all of it. */
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
