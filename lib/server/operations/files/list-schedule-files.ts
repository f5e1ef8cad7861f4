import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { clampedInteger, DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from "@/lib/contracts/v3";
import { pageMeta } from "@/lib/server/http/paging";
import { readFileMarks } from "@/lib/server/store/files/file-marks";
import { answerCache } from "@/lib/server/cache/answer-cache";
import { readFilePage, readNewestFiles } from "@/lib/server/store/files/find-schedule-files";
import { filtersOf, isEverything, orderOf } from "./file-filters";
import { fileRow, fileScopes, openFileIndex, type OpenIndex } from "./file-index-view";
import { readLivePage, type FilesRuntime } from "./live-files";

const NEWEST_KEPT = 100;
/** Cached, because it reads all files of the company. */
const newestFiles = answerCache<number[]>("newest files", NEWEST_KEPT, 1);

/**
 * A company's schedule files, page by page:
 * `GET .../schedule-files?page&per_page&q&type&baseline&project&source&integration&except_newest&sort`. Served from the
 * mirror; an unfiltered page that the mirror lacks is read from upstream. When that fails, the
 * response has what is known.
 * @throws Failure `invalid_request`
 */
export async function listScheduleFiles(
  runtime: FilesRuntime,
  { company, query }: { company: string; query: URLSearchParams },
): Promise<ScheduleFilesView> {
  const { orm } = runtime.database;
  const filters = filtersOf(query);
  const order = orderOf(query);
  const page = clampedInteger(query.get("page"), { min: 1, max: MAX_PAGE, absent: 1 });
  const perPage = clampedInteger(query.get("per_page"), {
    min: 1,
    max: MAX_PER_PAGE,
    absent: DEFAULT_PER_PAGE,
  });
  const slice = { ...order, offset: (page - 1) * perPage, limit: perPage };
  const answer = async (
    data: ScheduleFilesView["data"],
    total: number,
    index: ScheduleFilesView["index"],
  ): Promise<ScheduleFilesView> => {
    const [scopes, marks] = await Promise.all([
      fileScopes(runtime, company),
      readFileMarks(
        orm,
        company,
        data.map(({ id }) => id),
      ),
    ]);
    return {
      data,
      meta: pageMeta({ page, perPage }, total),
      index,
      scopes,
      marks: Object.fromEntries(marks),
    };
  };

  const isWhole = isEverything(filters);
  const isAsUpstream = isWhole && order.sort === "uploaded" && order.isReversed;
  const index = await openFileIndex(runtime, company);
  let { view } = index;
  if (isAsUpstream && isBeyond(index, slice)) {
    const live = await readLivePage(runtime, company, { page, perPage });
    if (!("reason" in live)) {
      const { data, total } = live.value;
      const { view: now } = await openFileIndex(runtime, company);
      const asOf = now.as_of ?? new Date(live.atMs).toISOString();
      const isStarting = now.reason === "starting";
      return answer(data.map(fileRow), total, {
        ...now,
        total: now.total ?? total,
        as_of: asOf,
        reason: isStarting ? null : now.reason,
      });
    }
    view = { ...view, reason: live.reason };
  }
  const { known } = view;
  const matches = isWhole ? known : await index.count(filters);
  const { exceptNewest: kept } = filters;
  const newest =
    kept === null || index.version === null
      ? null
      : await newestFiles(runtime.database, company, String(kept), index.version, () =>
          readNewestFiles(orm, company, kept),
        );
  const files = await readFilePage(orm, company, filters, { ...slice, matches, known, newest });
  return answer(files.map(fileRow), isWhole ? (view.total ?? known) : matches, view);
}

/** Whether upstream has files on that page that the mirror lacks. */
function isBeyond(
  { view, covered }: OpenIndex,
  { offset, limit }: { offset: number; limit: number },
): boolean {
  const total = view.total ?? Number.POSITIVE_INFINITY;
  return !view.complete && offset < total && Math.min(offset + limit, total) > covered;
}
