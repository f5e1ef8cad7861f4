import { useQueries, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { FILES_PER_PAGE, pagesWithin } from "@/lib/client/file-pages";
import { scheduleFilesQuery } from "@/lib/client/queries/schedule-files";
import type { FileMarks, ScheduleFileRow, ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { useDebouncedValue } from "@/components/list/use-debounced-value";

/** Pages merely scrolled past aren't requested. */
const PASSING_MS = 80;

/**
 * Rows of a list by position, loaded page by page as they come into view.
 * @param query filters and order, as a query string
 * @param first position of the first visible row; `end` the one after the last
 */
export function useFileRows(query: string, first: number, end: number) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const from = useDebouncedValue(Math.floor(first / FILES_PER_PAGE) * FILES_PER_PAGE, PASSING_MS);
  const until = useDebouncedValue(end, PASSING_MS);
  const pages = useMemo(() => pagesWithin(from, until), [from, until]);
  const { views, isSilent } = useQueries({
    queries: pages.map((page) => scheduleFilesQuery(slug, query, page)),
    combine: viewsOf,
  });

  const viewAt = useCallback(
    (place: number): ScheduleFilesView | undefined => {
      const page = Math.floor(place / FILES_PER_PAGE) + 1;
      // A page just scrolled to may have been loaded before.
      return (
        views[pages.indexOf(page)] ??
        client.getQueryData(scheduleFilesQuery(slug, query, page).queryKey)
      );
    },
    [client, slug, query, pages, views],
  );
  const rowAt = useCallback(
    (place: number): ScheduleFileRow | undefined => viewAt(place)?.data[place % FILES_PER_PAGE],
    [viewAt],
  );
  const marksAt = useCallback(
    (place: number): FileMarks | undefined => {
      const id = rowAt(place)?.id;
      return id === undefined ? undefined : viewAt(place)?.marks[id];
    },
    [rowAt, viewAt],
  );
  /** The rows from one position to another, inclusive; loads missing ones. */
  const readRange = useCallback(
    async (fromPlace: number, toPlace: number): Promise<ScheduleFileRow[]> => {
      const answers = await Promise.all(
        pagesWithin(fromPlace, toPlace + 1).map((page) =>
          client.ensureQueryData(scheduleFilesQuery(slug, query, page)),
        ),
      );
      const skipped = Math.floor(fromPlace / FILES_PER_PAGE) * FILES_PER_PAGE;
      return answers.flatMap(({ data }) => data).slice(fromPlace - skipped, toPlace - skipped + 1);
    },
    [client, slug, query],
  );
  return { rowAt, marksAt, readRange, isSilent };
}

function viewsOf(results: readonly UseQueryResult<ScheduleFilesView>[]) {
  return {
    views: results.map(({ data }) => data),
    isSilent: results.some(({ isError, data }) => isError && data === undefined),
  };
}
