import { sql } from "drizzle-orm";
import type { FileMarks } from "@/lib/contracts/schedule-files";
import type { Orm } from "@/lib/server/store/database";
import { scheduleFiles } from "@/lib/server/store/schema/files";

type OtherFile = { id: number; name: string };

/**
 * How known files relate to others that are believed to exist: by id, without files that have nothing to mark.
 * @param ids at most a page of them
 */
export async function readFileMarks(
  orm: Orm,
  company: string,
  ids: readonly number[],
): Promise<Map<number, FileMarks>> {
  if (ids.length === 0) return new Map();
  const { rows: files } = await orm.execute<{
    id: string;
    name: string;
    look_key: string | null;
    is_there: boolean;
    later_id: string | null;
    later_name: string | null;
  }>(sql`
    select file.id, file.name, file.look_key, file.gone_at is null as is_there, later.id as later_id, later.name as later_name
    from ${scheduleFiles} as file left join lateral (
      select id, name, coalesce(uploaded_at, '-infinity') as uploaded_at from ${scheduleFiles}
      where company = ${company} and gone_at is null and series_key = file.series_key
      order by uploaded_at desc nulls last, id desc nulls last limit 1
    ) as later on (later.uploaded_at, later.id) > (coalesce(file.uploaded_at, '-infinity'), file.id)
    where file.company = ${company} and file.id = any(${sql.param(ids)}::bigint[])`);
  const looks = await readLooks(
    orm,
    company,
    files.flatMap(({ look_key: key }) => key ?? []),
  );
  return new Map(
    files.flatMap(
      ({ id, name, look_key: key, is_there, later_id: laterId, later_name: laterName }) => {
        const alike = (key === null ? undefined : looks.get(key)) ?? [];
        const same = alike.find((other) => other.name === name)?.count ?? 0;
        const marks: FileMarks = {
          same_name: is_there ? Math.max(0, same - 1) : same,
          looks_like: otherFile(alike.find((other) => other.name !== name)),
          superseded_by: laterId === null ? null : { id: Number(laterId), name: laterName ?? "" },
        };
        const isMarked =
          marks.same_name > 0 || marks.looks_like !== null || marks.superseded_by !== null;
        return isMarked ? [[Number(id), marks]] : [];
      },
    ),
  );
}

/** Names by key, those of the newest files first, with the number of files. */
async function readLooks(orm: Orm, company: string, keys: readonly string[]) {
  const { rows } = await orm.execute<{
    look_key: string;
    name: string;
    newest: string;
    count: number;
  }>(sql`
    select look_key, name, max(id) as newest, count(*)::int as count from ${scheduleFiles}
    where company = ${company} and gone_at is null and look_key = any(${sql.param([...new Set(keys)])}::text[])
    group by look_key, name order by newest desc`);
  const byKey = new Map<string, (OtherFile & { count: number })[]>();
  for (const { look_key: key, newest, name, count } of rows) {
    const alike = byKey.get(key) ?? [];
    alike.push({ id: Number(newest), name, count });
    byKey.set(key, alike);
  }
  return byKey;
}

function otherFile(other: OtherFile | undefined): OtherFile | null {
  return other === undefined ? null : { id: other.id, name: other.name };
}
