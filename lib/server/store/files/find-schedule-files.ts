import { createHash } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { MAX_FILES_PER_DELETION, type ConfirmedFile } from "@/lib/contracts/deletions";
import type { FileSort } from "@/lib/contracts/schedule-files";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { Database, Orm } from "@/lib/server/store/database";
import { MAX_ROWS } from "@/lib/server/store/most-rows";
import { scheduleFiles } from "@/lib/server/store/schema/files";
import { indexedType } from "./schedule-files";

/** Searches the mirror. Files that are gone are never found. */

/** Filters of a file list; all conditions must hold. */
export type FileFilters = {
  /** Each must occur in the name or project name, or be the id; as returned by `needlesOf`. */
  words: readonly string[];
  /** One of these; empty: any. */
  types: readonly string[];
  /** Null: either. */
  baseline: boolean | null;
  /** `customer_project.id`; null: any, or none. */
  project: number | "none" | null;
  /** `customer_project.source` of the project, given only with a project's id; null: any. */
  source: string | null;
  /** `partner_token_id`; null: any, or none. */
  integration: number | "none" | null;
  /** Leaves out this many of the newest files of each project, and files without a project; null: none. */
  exceptNewest: number | null;
};

/**
 * Sort orders that indexes support in both directions; ties are reversed as well. Files without a project come
 * last.
 */
const ORDERS: Readonly<Record<FileSort, readonly [forwards: SQL, backwards: SQL]>> = {
  uploaded: [
    sql`uploaded_at asc nulls first, id asc nulls first`,
    sql`uploaded_at desc nulls last, id desc nulls last`,
  ],
  name: [sql`search_text, id`, sql`search_text desc, id desc`],
  type: [sql`file_type, id`, sql`file_type desc, id desc`],
  project: [
    sql`lower(left(project_name, 200)), id`,
    sql`lower(left(project_name, 200)) desc, id desc`,
  ],
};

/**
 * One page of a list, with files as returned by upstream.
 * @param page.matches number of matching files out of `page.known`; selects the query plan, because PostgreSQL
 * estimates badly how often search words coincide
 */
export async function readFilePage(
  orm: Orm,
  company: string,
  filters: FileFilters,
  page: {
    sort: FileSort;
    isReversed: boolean;
    offset: number;
    limit: number;
    matches: number;
    known: number;
    /** What `filters.exceptNewest` leaves out, by id, as of now; null: not read. */
    newest: readonly number[] | null;
  },
): Promise<ReadScheduleFile[]> {
  const { offset, limit, newest } = page;
  if (offset >= page.matches) return [];
  const order = ORDERS[page.sort][page.isReversed ? 1 : 0];
  const matching = sql`select id from ${scheduleFiles} where ${matches(company, filters, newest)}`;
  // Scanning in order until the page is full reads `known / matches` files per match.
  const areFew = page.matches * page.matches < page.known * (offset + limit);
  const { rows } = await orm.execute<{ given: ReadScheduleFile }>(
    areFew
      ? sql`
        select given from ${scheduleFiles} where company = ${company} and id = any(array(${matching}))
        order by ${order} limit ${limit} offset ${offset}`
      : // Skips rows within an index where it covers the query.
        sql`
        select given from ${scheduleFiles}
        where company = ${company}
          and id = any(array(${matching} order by ${order} limit ${limit} offset ${offset}))
        order by ${order}`,
  );
  return rows.map(({ given }) => given);
}

/**
 * The ids of all matching files in order, so that the files can be read in parts while some come or go.
 * @param order.atOnce maximum number of ids per statement; all statements see the same files
 */
export function readFileIds(
  { orm }: Pick<Database, "orm">,
  company: string,
  filters: FileFilters,
  order: { sort: FileSort; isReversed: boolean; most: number; atOnce?: number },
): Promise<number[]> {
  const { sort, isReversed, most, atOnce = MAX_ROWS } = order;
  return orm.transaction(
    async (tx) => {
      const ids: number[] = [];
      for (;;) {
        const limit = Math.min(atOnce, most - ids.length);
        const { rows } = await tx.execute<{ id: string }>(sql`
          select id from ${scheduleFiles} where ${matches(company, filters)}
          order by ${ORDERS[sort][isReversed ? 1 : 0]} limit ${limit} offset ${ids.length}`);
        for (const { id } of rows) ids.push(Number(id));
        if (rows.length < atOnce) return ids;
      }
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** Files by id, in that order; those that are gone are left out. */
export async function readFilesById(
  orm: Orm,
  company: string,
  ids: readonly number[],
): Promise<ReadScheduleFile[]> {
  const { rows } = await orm.execute<{ given: ReadScheduleFile }>(sql`
    select given from ${scheduleFiles}
    where ${matches(company, NO_FILTERS)} and id = any(${sql.param([...ids])}::bigint[])`);
  const files = new Map(rows.map(({ given }) => [given.id, given]));
  return ids.flatMap((id) => files.get(id) ?? []);
}

/** The newest files of each project, by id. @param kept how many of each */
export async function readNewestFiles(orm: Orm, company: string, kept: number): Promise<number[]> {
  const { rows } = await orm.execute<{ id: string }>(newestOf(company, kept));
  return rows.map(({ id }) => Number(id));
}

/** Number of matching files; without filters, of all files believed to exist. */
export async function countFiles(
  orm: Orm,
  company: string,
  filters: FileFilters = NO_FILTERS,
): Promise<number> {
  const { rows } = await orm.execute<{ count: number }>(
    sql`select count(*)::int as count from ${scheduleFiles} where ${matches(company, filters)}`,
  );
  return rows[0]?.count ?? 0;
}

/** Files selected by "all that match" at this time. */
type SelectedFiles = {
  count: number;
  /** Ordered by id. Empty, like `baselines`, if there are more than one deletion may contain. */
  files: readonly ConfirmedFile[];
  baselines: readonly ReadScheduleFile[];
  /** Identifies the content of `files`; empty if there are more than one deletion may contain. */
  digest: string;
};

/** Resolves "all that match" for confirmation, and again when a deletion refers to the digest. */
export async function selectFiles(
  orm: Orm,
  company: string,
  filters: FileFilters,
): Promise<SelectedFiles> {
  const { rows } = await orm.execute<{ given: ReadScheduleFile }>(sql`
    select given from ${scheduleFiles} where ${matches(company, filters)}
    order by id limit ${MAX_FILES_PER_DELETION + 1}`);
  if (rows.length > MAX_FILES_PER_DELETION) {
    const count = await countFiles(orm, company, filters);
    return { count, files: [], baselines: [], digest: "" };
  }
  const files = rows.map(({ given }) => confirmedOf(given));
  const hash = createHash("sha256");
  for (const file of files) {
    const { id, name, is_baseline, created_at, customer_project: project } = file;
    hash.update(JSON.stringify([id, name, is_baseline, created_at, project?.id ?? null]));
  }
  return {
    count: files.length,
    files,
    baselines: rows.map(({ given }) => given).filter((file) => file.is_baseline),
    digest: hash.digest("hex"),
  };
}

function confirmedOf(file: ReadScheduleFile): ConfirmedFile {
  const { id, name, is_baseline, created_at, customer_project: project } = file;
  return {
    id,
    name,
    is_baseline,
    created_at,
    customer_project: project === null ? null : { id: project.id, name: project.name },
  };
}

/** A file in the mirror, existing or gone; timestamps are epoch milliseconds on our clock. */
export type KnownFile = {
  given: ReadScheduleFile;
  firstSeenMs: number;
  lastSeenMs: number;
  goneMs: number | null;
  /** Known baselines of its project, including itself; null without a project. */
  projectBaselines: number | null;
};

/** @returns null: never listed by upstream */
export async function readKnownFile(
  orm: Orm,
  company: string,
  id: number,
): Promise<KnownFile | null> {
  const [row] = await orm
    .select({
      given: scheduleFiles.given,
      firstSeenAt: scheduleFiles.firstSeenAt,
      lastSeenAt: scheduleFiles.lastSeenAt,
      goneAt: scheduleFiles.goneAt,
    })
    .from(scheduleFiles)
    .where(sql`company = ${company} and id = ${id}`);
  if (row === undefined) return null;
  const project = row.given.customer_project;
  return {
    given: row.given,
    firstSeenMs: row.firstSeenAt.getTime(),
    lastSeenMs: row.lastSeenAt.getTime(),
    goneMs: row.goneAt?.getTime() ?? null,
    projectBaselines:
      project === null
        ? null
        : await countFiles(orm, company, {
            ...NO_FILTERS,
            project: project.id,
            source: project.source,
            baseline: true,
          }),
  };
}

const NO_FILTERS: FileFilters = {
  words: [],
  types: [],
  baseline: null,
  project: null,
  source: null,
  integration: null,
  exceptNewest: null,
};

/** Not a column: only ever needed for the files of few projects. */
const PROJECT_SOURCE = sql`given #>> '{customer_project,source}'`;

const newestOf = (company: string, kept: number): SQL => sql`
  select id from (
    select id, row_number() over (
      partition by project_id, ${PROJECT_SOURCE} order by uploaded_at desc, id desc
    ) as place
    from ${scheduleFiles} where company = ${company} and gone_at is null and project_id is not null
  ) as placed where place <= ${kept}`;

/** @param newest as in `readFilePage` */
function matches(
  company: string,
  filters: FileFilters,
  newest: readonly number[] | null = null,
): SQL {
  const { words, types, baseline, project, source, integration, exceptNewest } = filters;
  const conditions = [sql`company = ${company} and gone_at is null`];
  for (const word of words) {
    // The trigram index can't search fewer than three characters; it would return every file.
    const inText =
      word.length < 3
        ? sql`strpos(search_text, ${word}) > 0`
        : sql`search_text like ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;
    const id = /^\d{1,16}$/.test(word) ? Number(word) : Number.NaN;
    conditions.push(Number.isSafeInteger(id) ? sql`(${inText} or id = ${id})` : inText);
  }
  if (types.length > 0) {
    conditions.push(sql`file_type in ${types.map(indexedType)}`);
  }
  if (baseline !== null) conditions.push(sql`is_baseline = ${baseline}`);
  if (project !== null) conditions.push(idIs(sql`project_id`, project));
  if (source !== null) conditions.push(sql`${PROJECT_SOURCE} = ${source}`);
  if (integration !== null) conditions.push(idIs(sql`partner_token_id`, integration));
  if (exceptNewest !== null) {
    conditions.push(sql`project_id is not null`);
    // Evaluated by a hash table, whatever PostgreSQL estimates; a join might be quadratic.
    conditions.push(
      newest === null
        ? sql`id not in (${newestOf(company, exceptNewest)})`
        : sql`id <> all(${sql.param(newest)}::bigint[])`,
    );
  }
  return sql.join(conditions, sql` and `);
}

function idIs(column: SQL, id: number | "none"): SQL {
  return id === "none" ? sql`${column} is null` : sql`${column} = ${id}`;
}
