import { sql } from "drizzle-orm";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { Orm } from "@/lib/server/store/database";
import { scheduleFiles } from "@/lib/server/store/schema/files";

/** The files of one type in one project; project null: of those without one. Instants are epoch milliseconds. */
export type ProjectFiles = {
  /** `source` null: the project has none. */
  project: { id: number; source: string | null } | null;
  fileType: string;
  /** As in its newest file. */
  name: string;
  files: number;
  baselines: number;
  /** Files that belong to no integration. */
  notLinked: number;
  /** In no order. */
  uploads: readonly number[];
  latest: NewestFile;
  latestBaseline: NewestFile | null;
  /** Distinct. */
  integrations: readonly number[];
};

export type NewestFile = { id: number; uploadedMs: number };

/** All files that a company's mirror believes to exist, by project and type. */
export async function readProjectFiles(orm: Orm, company: string): Promise<ProjectFiles[]> {
  const { rows } = await orm.execute<{
    project_id: string | null;
    source: string | null;
    file_type: string;
    name: string | null;
    files: number;
    baselines: number;
    not_linked: number;
    uploads: number[];
    latest_id: string;
    latest_ms: string;
    baseline_id: string | null;
    baseline_ms: string | null;
    integrations: number[] | null;
  }>(sql`
    with files as (
      select id, project_id, given #>> '{customer_project,source}' as source, file_type, project_name, is_baseline,
        partner_token_id, uploaded_at, floor(extract(epoch from uploaded_at) * 1000)::bigint as ms
      from ${scheduleFiles} where company = ${company} and gone_at is null
    )
    select project_id, source, file_type,
      (array_agg(project_name order by uploaded_at desc, id desc))[1] as name,
      count(*)::int as files, (count(*) filter (where is_baseline))::int as baselines,
      (count(*) filter (where partner_token_id is null))::int as not_linked,
      json_agg(ms) as uploads,
      (array_agg(id order by uploaded_at desc, id desc))[1] as latest_id, max(ms) as latest_ms,
      (array_agg(id order by uploaded_at desc, id desc) filter (where is_baseline))[1] as baseline_id,
      max(ms) filter (where is_baseline) as baseline_ms,
      json_agg(distinct partner_token_id) filter (where partner_token_id is not null) as integrations
    from files group by project_id, source, file_type`);
  return rows.map((row) => ({
    project: row.project_id === null ? null : { id: Number(row.project_id), source: row.source },
    fileType: row.file_type,
    name: row.name ?? "",
    files: row.files,
    baselines: row.baselines,
    notLinked: row.not_linked,
    uploads: row.uploads,
    latest: { id: Number(row.latest_id), uploadedMs: Number(row.latest_ms) },
    latestBaseline:
      row.baseline_id === null
        ? null
        : { id: Number(row.baseline_id), uploadedMs: Number(row.baseline_ms) },
    integrations: row.integrations ?? [],
  }));
}

/** Known files as returned by upstream, by id. */
export async function readGivenFiles(
  orm: Orm,
  company: string,
  ids: readonly number[],
): Promise<Map<number, ReadScheduleFile>> {
  if (ids.length === 0) return new Map();
  const { rows } = await orm.execute<{ id: string; given: ReadScheduleFile }>(sql`
    select id, given from ${scheduleFiles}
    where company = ${company} and id = any(${sql.param(ids)}::bigint[])`);
  return new Map(rows.map(({ id, given }) => [Number(id), given]));
}
