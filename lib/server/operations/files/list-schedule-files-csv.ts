import { Failure } from "@/lib/contracts/failure";
import type { Orm } from "@/lib/server/store/database";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csv, csvFile } from "@/lib/server/http/csv";
import { externalIdOf } from "@/lib/server/operations/connections/external-id";
import {
  countFiles,
  readFileIds,
  readFilesById,
} from "@/lib/server/store/files/find-schedule-files";
import { rowBudget } from "@/lib/server/store/most-rows";
import { filtersOf, orderOf } from "./file-filters";
import { openFileIndex } from "./file-index-view";
import type { FilesRuntime } from "./live-files";
import { INCOMPLETE_LIST } from "./words";

type Runtime = FilesRuntime & {
  readonly connections: readonly { company: string; externalId?: string }[];
};

const HEAD = [
  "company",
  "external_id",
  "file_id",
  "name",
  "file_type",
  "is_baseline",
  "project_id",
  "project",
  "project_source",
  "partner_token_id",
  "created_at",
  "listed_at",
];
/** Their ids are read first; the files follow in parts. */
const MAX_FILES = 200_000;
const AT_ONCE = 500;

/**
 * A company's schedule files as CSV, with the query of their list:
 * `GET .../schedule-files/csv?q&type&baseline&project&source&integration&except_newest&sort`. `listed_at`: when the
 * source last listed its files.
 * @throws Failure `invalid_request`, also when there are too many; `conflict` until all files are known
 */
export async function listScheduleFilesCsv(
  runtime: Runtime,
  { company, query }: { company: string; query: URLSearchParams },
  most = MAX_FILES,
): Promise<StreamedResponse> {
  const { orm } = runtime.database;
  const filters = filtersOf(query);
  const order = orderOf(query);
  const { view } = await openFileIndex(runtime, company);
  if (!view.complete) throw new Failure("conflict", INCOMPLETE_LIST);
  rowBudget(most).take(await countFiles(orm, company, filters));
  const same = [company, externalIdOf(runtime.connections, company)] as const;
  const readIds = () => readFileIds(runtime.database, company, filters, { ...order, most });
  return csvFile(`schedule-files-${company}`, pieces(orm, same, { readIds, listedAt: view.as_of }));
}

async function* pieces(
  orm: Orm,
  [company, externalId]: readonly [string, string | null],
  { readIds, listedAt }: { readIds: () => Promise<readonly number[]>; listedAt: string | null },
): AsyncGenerator<string, void, void> {
  yield csv([HEAD]);
  const ids = await readIds();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const files = await readFilesById(orm, company, ids.slice(from, from + AT_ONCE));
    yield csv(
      files.map((file) => [
        company,
        externalId,
        file.id,
        file.name,
        file.file_type,
        String(file.is_baseline),
        file.customer_project?.id ?? null,
        file.customer_project?.name ?? null,
        file.customer_project?.source ?? null,
        file.partner_token_id,
        file.created_at,
        listedAt,
      ]),
    );
  }
}
